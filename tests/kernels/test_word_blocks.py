"""Words are aligned as RapidFuzz aligns them, what is too large for the kernel too."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.described import describe
from tests.twins import kinds as twin
from tests.twins.word_blocks import Sentence, aligned

from neardup.kernels.word_blocks import MOST_CELLS, alignments

SIDE = st.lists(st.integers(0, 4), max_size=12)


@given(st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=4))
def test_words_are_aligned_as_the_twin_does(drawn: list[tuple[list[int], list[int]]]) -> None:
    lists = [side for pair in drawn for side in pair]
    tokens = np.array([number for side in lists for number in side], np.int32)
    bounds = np.cumsum([0, *map(len, lists)])
    left = np.arange(0, len(lists), 2)
    spans, ends, large = alignments(left, left + 1, tokens, bounds)
    assert not large.any()
    for pair, (a, b) in enumerate(drawn):
        one, other = (Sentence([*map("abcde".__getitem__, side)], 0, *[False] * 4) for side in (a, b))
        expected = [[k.at_a, k.at_a + len(k.a), k.at_b, k.at_b + len(k.b)] for k in aligned(one, other)]
        assert spans[ends[pair] : ends[pair + 1]].tolist() == expected


def test_long_texts_are_aligned_in_less_memory() -> None:
    words = [f"word{number % 700}" for number in range(2200)]
    assert len(words) ** 2 > MOST_CELLS
    other = ["That", *words[:900], "very", *words[905:], "indeed"]
    a, b = " ".join(["It", *words]), " ".join(other)
    assert describe(a, b) == twin.describe(a, b)
