"""The words of test items and texts, beside those of the twin."""

from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import items as twins

from neardup.kernels.item_words import words_of
from neardup.signatures.shingles import utf8
from neardup.text import unicode_table

TEXTS = st.text(st.sampled_from(list("ab 1 2,é漢٣\n")), max_size=30)


@given(st.lists(TEXTS, max_size=3))
def test_words_are_those_of_the_twin(texts: list[str]) -> None:
    data, offsets = utf8(pa.array(texts, pa.large_string()))
    _, raw_bounds, words, bounds, starts, ends = words_of(data, offsets, unicode_table())
    assert len(raw_bounds) == len(bounds) == len(texts) + 1
    columns: tuple[Any, ...] = (words, starts, ends)
    for n, text in enumerate(texts):
        own = [column[bounds[n] : bounds[n + 1]].tolist() for column in columns]
        assert list(zip(*own, strict=True)) == twins.words_of(text)
