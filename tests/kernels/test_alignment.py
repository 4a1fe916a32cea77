"""Alignments against their twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.kernels.alignment import matching_runs

TOKENS = st.lists(st.integers(1, 4), max_size=30)


@given(TOKENS, TOKENS, st.integers(1, 5))
def test_runs_are_equal_maximal_and_in_order(a: list[int], b: list[int], width: int) -> None:
    runs = matching_runs(np.array(a, np.uint64), np.array(b, np.uint64), width).tolist()
    covered: set[int] = set()
    end = 0
    for i, j, n in runs:
        assert n >= width
        assert a[i : i + n] == b[j : j + n]
        assert a[i + n : i + n + 1] != b[j + n : j + n + 1] or i + n == len(a) or j + n == len(b)
        assert i >= end
        end = i + n
        covered |= set(range(i, i + n))
    places = {tuple(b[j : j + width]) for j in range(len(b) - width + 1)}
    for i in range(len(a) - width + 1):
        if tuple(a[i : i + width]) in places:
            assert i in covered
