"""Simhashes that are near are looked up in tables."""

from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.page_words import FULL

from neardup.methods.pages.candidates import in_tables, near_in_tables
from neardup.methods.pages.settings import MOST_DISTANCE
from neardup.signatures.simhash import Simhash


def near_by_brute_force(high: Any, low: Any, distance: int) -> set[tuple[int, int, int]]:
    values = [int(h) | int(rest) << 64 for h, rest in zip(high, low, strict=True)]
    apart = {(a, b): (values[a] ^ values[b]).bit_count() for a, b in combinations(range(len(values)), 2)}
    return {(a, b, bits) for (a, b), bits in apart.items() if bits <= distance}


def near(simhash: Simhash, high: Any, low: Any, cap: int = 10_000) -> list[tuple[int, int, int]]:
    rows = in_tables(np.arange(len(high)), high, low, simhash)
    found = near_in_tables(simhash, cap, rows, {}).to_pylist()
    return [(row["a"], row["b"], row["apart"]) for row in found if row["says"] == 0]


@settings(max_examples=60)
@given(st.data(), st.sampled_from([64, 128]), st.integers(0, MOST_DISTANCE))
def test_the_look_up_finds_exactly_what_brute_force_finds(
    data: st.DataObject, bits: int, distance: int
) -> None:
    first = data.draw(st.integers(0, (1 << bits) - 1))
    values = [first]
    for flipped in data.draw(
        st.lists(st.sets(st.integers(0, bits - 1), max_size=distance + 2), max_size=12)
    ):
        start = data.draw(st.sampled_from(values))
        values.append(start ^ sum(1 << bit for bit in flipped))
    high = np.array([v & FULL for v in values], np.uint64)
    low = np.array([v >> 64 for v in values], np.uint64)
    for expected in (10, 10_000_000):  # other numbers of tables find the same
        found = near(Simhash(bits, distance, expected), high, low)
        assert len(found) == len(set(found))
        assert set(found) == near_by_brute_force(high, low, distance)


def test_a_list_that_is_too_long_is_compared_with_its_first_values_and_counted() -> None:
    high, low = np.zeros(40, np.uint64), np.zeros(40, np.uint64)
    rows = in_tables(np.arange(40), high, low, Simhash(64, 3))
    found = near_in_tables(Simhash(64, 3), 20, rows, {})
    says = pa.compute.value_counts(found["says"]).to_pylist()
    assert {row["values"]: row["counts"] for row in says} == {
        0: 10 * 30 + 45,
        2: len(Simhash(64, 3).masks),
    }
