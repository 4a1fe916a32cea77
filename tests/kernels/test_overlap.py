"""What sets and texts have in common, against slow twins."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import SETS, flat

from neardup.kernels.overlap import match_words, overlaps


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


WORDS = st.lists(st.integers(0, 9), max_size=40)


@given(WORDS, WORDS)
def test_words_in_common_count_as_often_as_both_have_them(a: list[int], b: list[int]) -> None:
    common = Counter(a) & Counter(b)
    marked = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    words = np.array(a, np.uint64), np.array(b, np.uint64)
    assert match_words(*words, *marked) == common.total()
    for own, chosen in zip(words, marked, strict=True):
        assert Counter(own[chosen].tolist()) == common
