"""Shingles of words and characters, against their twins."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import VALUES
from tests.twins import documents as twins

from neardup.index.analysis import end_to_end
from neardup.kernels.shingles import distinct, roll, shingle_hashes, shingle_words, table_size
from neardup.kernels.texts import PARAGRAPHS, split_texts
from neardup.text import unicode_table


@given(texts=st.lists(st.text("abé .", max_size=60), max_size=4), width=st.integers(1, 4))
def test_shingles_of_hashed_words_are_those_of_the_texts(texts: list[str], width: int) -> None:
    data = end_to_end([text.encode() for text in texts])
    words, _, _, bounds, *_ = split_texts(*data, unicode_table(), PARAGRAPHS)
    values, starts = shingle_hashes(words, bounds, width)
    expected = shingle_words(*data, width, unicode_table())
    assert (values.tolist(), starts.tolist()) == (expected[0].tolist(), expected[1].tolist())


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
