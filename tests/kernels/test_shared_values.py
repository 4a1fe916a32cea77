"""What many pairs of few sets have in common, beside what is counted pair by pair."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import SETS, flat, read_only

from neardup.kernels.overlap import overlaps
from neardup.kernels.shared_values import overlaps_of_many, slices_by_sets


@given(SETS, st.data())
def test_overlaps_of_many_are_those_of_pairs(sets: list[set[int]], data: st.DataObject) -> None:
    sets = [{value for value in own if value} for own in sets]  # values are not 0
    numbers = st.integers(0, len(sets) - 1)
    pairs = data.draw(st.lists(st.tuples(numbers, numbers, st.integers(0, 20)), max_size=30))
    left, right, needed = (np.array([p[k] for p in pairs], np.int64) for k in range(3))
    found = overlaps_of_many(*flat(sets), left, right, needed)
    assert found.tolist() == overlaps(*flat(sets), left, right, needed).tolist()


PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(5, 9)), max_size=40)


@given(PAIRS, st.lists(st.integers(0, 50), min_size=10, max_size=10), st.integers(1, 120))
def test_slices_hold_as_many_values_as_they_may(
    pairs: list[tuple[int, int]], sizes: list[int], most: int
) -> None:
    a, b = (np.array([pair[k] for pair in pairs], np.int64) for k in range(2))
    size = np.array(sizes, np.int64)
    cuts = slices_by_sets(a, b, read_only(size[a]), read_only(size[b]), most).tolist()
    assert cuts[0] == 0
    assert cuts[-1] == len(pairs)
    for begin, end in pairwise(cuts):
        held = {own for pair in pairs[begin:end] for own in pair}
        assert end - begin <= 1 or sum(sizes[own] for own in held) <= most
        if end < len(pairs):
            more = held | set(pairs[end])
            assert sum(sizes[own] for own in more) > most or end - begin == 1
