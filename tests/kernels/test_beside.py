"""Texts beside another, against single steps."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.index.analysis import end_to_end
from neardup.kernels.beside import Beside, beside_last
from neardup.kernels.hits import PHRASE, common_runs, marks_of
from neardup.kernels.texts import PARAGRAPHS, split_texts
from neardup.kernels.winnowing import winnow_texts
from neardup.text import unicode_table


@given(texts=st.lists(st.text("abc .\n", max_size=60), min_size=2, max_size=4))
def test_texts_beside_another_are_split_and_hit_as_in_single_steps(texts: list[str]) -> None:
    data = end_to_end([text.encode() for text in texts])
    none, rows = np.empty(0, np.uint64), np.arange(len(texts) - 1)
    found = Beside(*beside_last(*data, unicode_table(), 2, 2, none, 1, 100))
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


@given(texts=st.lists(st.text("ab .\n", max_size=120), min_size=2, max_size=4), chosen=st.integers(0, 3))
def test_words_of_common_runs_are_masked_and_do_not_count(texts: list[str], chosen: int) -> None:
    data = end_to_end([text.encode() for text in texts])
    words, _, _, bounds, *_ = split_texts(*data, unicode_table(), PARAGRAPHS)
    keys, places, at = winnow_texts(words, bounds, 2, 2, np.empty(0, np.uint8))
    common = np.unique(keys)[chosen:]
    found = Beside(*beside_last(*data, unicode_table(), 2, 2, common, 1, 100))
    runs, starts, covered = common_runs(keys, places, at, common, 2, 2, PHRASE)
    masked = {
        int(bounds[t]) + word
        for t in range(len(texts))
        for begin, end in runs[starts[t] : starts[t + 1]].reshape(-1, 2).tolist()
        for word in range(begin, min(end, bounds[t + 1] - bounds[t]))
    }
    assert {k for k in range(len(words)) if found.words[k] != words[k]} == masked
    assert found.counted.tolist() == np.maximum(np.diff(bounds) - covered, 0).tolist()
