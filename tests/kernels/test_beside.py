"""Texts beside another, against single steps."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.index.analysis import end_to_end
from neardup.kernels.beside import beside_last, verbatim_beside
from neardup.kernels.hits import marks_of
from neardup.kernels.passages import Options, located, verbatim_pairs
from neardup.kernels.texts import PARAGRAPHS, split_texts
from neardup.kernels.winnowing import winnow_texts
from neardup.text import unicode_table


@given(texts=st.lists(st.text("abc .\n", max_size=60), min_size=2, max_size=4))
def test_texts_beside_another_are_split_and_hit_as_in_single_steps(texts: list[str]) -> None:
    data = end_to_end([text.encode() for text in texts])
    none, rows = np.empty(0, np.uint64), np.arange(len(texts) - 1)
    found = beside_last(*data, unicode_table(), 2, 2, none, 1, 100)
    words, starts, ends, bounds, sentences, parts, _ = split_texts(*data, unicode_table(), PARAGRAPHS)
    for own, expected in zip(found[:4], (words, starts, ends, sentences), strict=True):
        assert own.tolist() == expected.tolist()
    marks, at = marks_of(*winnow_texts(words, bounds, 2, 2, np.empty(0, np.uint8)), none)
    for row in rows:
        one, last = marks[at[row] : at[row + 1]], marks[at[-2] :]
        places = [(int(a) % 2**32, int(b) % 2**32) for a in one for b in last if a >> 32 == b >> 32]
        own = found.hits[found.bounds[row] : found.bounds[row + 1]].tolist()
        assert own == sorted(a << 32 | b for a, b in places)
    others, last = found.sides()
    assert others.words.sizes.tolist() == np.diff(bounds)[:-1].tolist()
    assert last.sentences.sizes.tolist() == [np.diff(parts)[-1]] * len(rows)


@given(texts=st.lists(st.text("abc .\n", max_size=120), min_size=2, max_size=4))
def test_passages_beside_another_are_those_of_single_steps(texts: list[str]) -> None:
    data = end_to_end([text.encode() for text in texts])
    options = Options(4, run=2, verbatim=2)
    given_ = *data, unicode_table(), 2, 2, np.empty(0, np.uint64), 1, 100
    rows, places, words = verbatim_beside(*given_, options)
    found = beside_last(*given_)
    sides, itself = found.sides(), np.zeros(len(texts) - 1, np.bool_)
    expected = verbatim_pairs(*sides, itself, found.hits, found.bounds, options)
    assert rows.tolist() == expected.tolist()
    assert [a.tolist() for a in places] == [a.tolist() for a in located(*sides, expected)]
    assert words == len(found.words)
