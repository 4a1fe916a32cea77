"""Kernels on sets of shingles, each against its twin."""

from collections import Counter
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import twins

from neardup.kernels.counters import (
    add_counters,
    count_of,
    count_values,
    digests,
    mark,
    marked,
    rarest,
)
from neardup.kernels.overlap import overlaps
from neardup.kernels.postings import lists_of_members, posting_pairs, sort_lists
from neardup.kernels.sampling import sample, whole
from neardup.kernels.shingles import distinct, roll, table_size
from neardup.kernels.sketch import band_keys
from neardup.kernels.sketch import sketch as sketch_kernel
from neardup.signatures.shingles import Shingles, utf8

VALUES = st.integers(1, 2**64 - 1)
SMALL = st.integers(1, 40).map(lambda n: n << 57)  # few distinct values: much in common
SETS = st.lists(st.sets(SMALL, min_size=1, max_size=20), min_size=1, max_size=12)


def flat(sets: list[set[int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    values = np.array([v for s in sets for v in sorted(s)], np.uint64).view(np.int64)
    return values, np.cumsum([0, *map(len, sets)])


def unflat(values: npt.NDArray[np.uint64], bounds: npt.NDArray[np.int64]) -> list[list[int]]:
    return [values[a:b].tolist() for a, b in pairwise(bounds)]


@given(st.lists(VALUES, max_size=30), st.integers(1, 8))
def test_roll(hashes: list[int], width: int) -> None:
    out = np.empty(len(hashes) + 1, np.uint64)
    count = roll(np.array(hashes, np.uint64), len(hashes), width, out)
    assert out[:count].tolist() == twins.windows(hashes, width)


@given(st.lists(st.integers(0, 20), max_size=60))
def test_distinct_keeps_the_order(values: list[int]) -> None:
    array = np.array(values, np.uint64)
    count = distinct(array, len(values), np.empty(table_size(len(values)), np.uint64))
    assert array[:count].tolist() == list(dict.fromkeys(v or 1 for v in values))


@pytest.mark.parametrize("shingles", ["word:1", "word:3", "word:5", "char:4", "char:64"])
@given(texts=st.lists(st.text("ab é漢か\u3099각. ", max_size=40), max_size=5))
def test_shingles_of_texts(shingles: str, texts: list[str]) -> None:
    import pyarrow as pa

    chosen = Shingles.parse(shingles)
    found = chosen.of(pa.array(texts, pa.large_string()))
    twin = twins.word_shingles if chosen.kind == "word" else twins.character_shingles
    assert unflat(found.values, found.bounds) == [twin(text, chosen.width) for text in texts]
    assert found.characters.tolist() == [len(text) for text in texts]
    assert found.tokens.tolist() == [len(twins.token_spans(text)) for text in texts]


def test_shingles_of_a_slice_are_those_of_its_texts() -> None:
    import pyarrow as pa

    column = pa.array(["one two", "three four", None, "five six"], pa.large_string())
    data, offsets = utf8(column.slice(1))
    assert [bytes(data[a:b]) for a, b in pairwise(offsets)] == [
        b"three four", b"", b"five six",
    ]  # fmt: skip


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


@given(SETS, st.data())
def test_overlaps(sets: list[set[int]], data: st.DataObject) -> None:
    numbers = st.integers(0, len(sets) - 1)
    pairs = data.draw(st.lists(st.tuples(numbers, numbers, st.integers(0, 20)), max_size=20))
    left, right, needed = (np.array([p[k] for p in pairs], np.int64) for k in range(3))
    found = overlaps(*flat(sets), left, right, needed)
    expected = [len(sets[a] & sets[b]) for a, b, _ in pairs]
    assert found.tolist() == [
        n if n >= need else -1 for n, (_, _, need) in zip(expected, pairs, strict=True)
    ]


@given(st.lists(st.sets(st.integers(0, 15), min_size=2, max_size=8), max_size=10))
def test_pairs_of_posting_lists(lists: list[set[int]]) -> None:
    members, bounds = flat(lists)
    members[:] = np.concatenate([np.flip(members[a:b]) for a, b in pairwise(bounds)] or [members])
    sort_lists(members, bounds)
    by_member, member_bounds = lists_of_members(members, bounds, 16)
    left, right = posting_pairs(members, bounds, by_member, member_bounds, 1000, 10, True)
    found = list(zip(left.tolist(), right.tolist(), strict=True))
    assert found == sorted(twins.shared_pairs(lists))


@given(
    st.lists(
        st.tuples(st.sets(st.integers(0, 15), max_size=4), st.sets(st.integers(0, 15), max_size=8)),
        max_size=10,
    )
)
def test_pairs_of_askers_and_members(lists: list[tuple[set[int], set[int]]]) -> None:
    members, bounds = flat([m for _, m in lists])
    askers, asker_bounds = flat([a for a, _ in lists])
    by_asker, by_asker_bounds = lists_of_members(askers, asker_bounds, 16)
    left, right = posting_pairs(members, bounds, by_asker, by_asker_bounds, 1000, 10, False)
    expected = {(a, b) for asking, own in lists for a in asking for b in own if a != b}
    found = list(zip(left.tolist(), right.tolist(), strict=True))
    assert set(found) == expected
    assert len(found) == len(expected)


def test_a_capped_posting_list_pairs_all_with_the_first_few() -> None:
    members, bounds = flat([set(range(10))])
    by_member, member_bounds = lists_of_members(members, bounds, 10)
    left, right = posting_pairs(members, bounds, by_member, member_bounds, 9, 2, True)
    expected = {(a, b) for a in (0, 1) for b in range(10) if a < b}
    assert set(zip(left.tolist(), right.tolist(), strict=True)) == expected


@given(SETS, st.integers(1, 4), st.lists(st.booleans(), min_size=12, max_size=12))
def test_samples(sets: list[set[int]], rate: int, chosen: list[bool]) -> None:
    values, bounds = flat(sets)
    flags = np.array(chosen[: len(sets)])
    found = unflat(*sample(values, bounds, flags, rate))
    expected = [
        sorted(v for v in s if twins.mix(v) % rate == 0) if keep else []
        for s, keep in zip(sets, chosen, strict=False)
    ]
    assert found == expected
    rehashed = unflat(*whole(values, bounds, flags))
    assert rehashed == [
        [twins.mix(v ^ twins.SEED) for v in sorted(s)] if keep else []
        for s, keep in zip(sets, chosen, strict=False)
    ]


@given(st.sets(VALUES, min_size=1, max_size=40), st.integers(1, 12))
def test_sketch(values: set[int], bins: int) -> None:
    array = np.array(sorted(values), np.uint64).view(np.int64)
    found = np.empty(bins, np.uint64)
    sketch_kernel(array, 0, len(array), found)
    assert found.tolist() == twins.sketch(sorted(values), bins)


@pytest.mark.parametrize("size", [8, 60, 500])
def test_sketches_estimate_resemblance_without_bias(size: int) -> None:
    rng = np.random.default_rng(7)
    agree = expected = 0.0
    trials, bins = 400, 112
    for _ in range(trials):
        values = rng.integers(1, 2**62, size + size // 2)
        a, b = values[:size], values[size // 2 :]
        sketches = np.empty((2, bins), np.uint64)
        for row, own in zip(sketches, (a, b), strict=True):
            sketch_kernel(own, 0, len(own), row)
        agree += float((sketches[0] == sketches[1]).mean())
        expected += twins.resemblance(set(a.tolist()), set(b.tolist()))
    deviation = abs(agree - expected) / trials
    # the standard error of the mean, with sketches of dependent bins for small sets
    assert deviation < 4 * np.sqrt(0.25 / (trials * min(bins, size)))


def test_bands_of_equal_sets_are_equal_and_differ_from_each_other() -> None:
    values = np.array([5, 6, 7, 5, 6, 7], np.int64)
    keys = band_keys(values, np.array([0, 3, 6]), 14, 8)
    assert keys[0].tolist() == keys[1].tolist()
    assert len(set(keys[0].tolist())) == 14
