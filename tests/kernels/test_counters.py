"""Counters, marks and digests of values, against slow twins."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import SETS, SMALL, VALUES, flat, unflat
from tests.twins import documents as twins

from neardup.kernels.counters import (
    add_counters,
    count_of,
    count_values,
    digests,
    mark,
    marked,
    rarest,
)


@given(SETS, st.data())
def test_rarest_values_first(sets: list[set[int]], data: st.DataObject) -> None:
    wanted = [data.draw(st.integers(1, len(s))) for s in sets]
    table = np.zeros(64, np.uint8)  # a counter for each: as exact as the twin
    values, bounds = flat(sets)
    for s in range(len(sets)):
        count_values(table, values[bounds[s] : bounds[s + 1]])
    found = unflat(*rarest(values, bounds, np.array(wanted), table))
    expected = twins.rarest(sets, Counter(v for s in sets for v in s), wanted)
    # where values that occur once fill the prefix, it is empty in both
    assert [set(values) for values in found] == expected


@given(st.sets(VALUES, max_size=50), st.sets(VALUES, max_size=50))
def test_counters_are_never_too_low(left: set[int], right: set[int]) -> None:
    table, other = np.zeros(16, np.uint8), np.zeros(16, np.uint8)
    count_values(table, np.array(sorted(left), np.uint64).view(np.int64))
    count_values(other, np.array(sorted(right), np.uint64).view(np.int64))
    add_counters(table, other)
    counts = Counter([*left, *right])
    for value, count in counts.items():
        assert count_of(table, np.uint64(value)) >= min(count, 15)
    total = sum(int(both) % 16 + int(both) // 16 for both in table)
    assert total <= len(left) + len(right)


def test_counters_stop_at_their_highest() -> None:
    table = np.zeros(16, np.uint8)
    for _ in range(300):
        count_values(table, np.array([1 << 60], np.int64))
    add_counters(table, table.copy())
    assert count_of(table, np.uint64(1 << 60)) == 15
    assert sum(table > 0) == 1


@given(SETS, st.sets(SMALL, max_size=10))
def test_marked_values(sets: list[set[int]], asked: set[int]) -> None:
    bits = np.zeros(128, np.uint8)
    mark(np.array(sorted(asked), np.int64), bits)
    found = unflat(*marked(*flat(sets), bits))
    assert [set(values) for values in found] == [s & asked for s in sets]


@given(st.lists(st.sets(VALUES, max_size=10), max_size=10), st.randoms())
def test_digests_say_whether_sets_are_equal(sets: list[set[int]], random: object) -> None:
    found = digests(*flat(sets)).tolist()
    for i, a in enumerate(sets):
        for j, b in enumerate(sets):
            assert (found[i] == found[j]) == (a == b)
