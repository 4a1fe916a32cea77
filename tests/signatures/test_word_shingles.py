"""Counts of words of the whole corpus."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.signatures.word_counts import WordCounts


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(0, 40))
def test_the_most_frequent_words_are_those_that_occur_most(table: list[int], count: int) -> None:
    counts = WordCounts(once=False, cells=len(table))
    counts.table[:] = table
    chosen = counts.most_frequent(count)
    order = sorted(range(len(table)), key=lambda cell: (-table[cell], cell))
    used = [cell for cell in order if table[cell]]
    assert np.flatnonzero(chosen).tolist() == sorted(used[:count])


@given(st.lists(st.integers(1, 30), min_size=1, max_size=20), st.floats(0, 1))
def test_words_that_make_up_a_share(table: list[int], share: float) -> None:
    counts = WordCounts(once=False, cells=len(table))
    counts.table[:] = table
    ordered = sorted(table, reverse=True)
    sums = [sum(ordered[:n]) for n in range(len(table) + 1)]
    assert counts.covering(share) == max(n for n, total in enumerate(sums) if total <= share * sums[-1])
