"""Digests of texts by their words."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.kernels.word_digests import run_digests, word_digests
from neardup.text import tokenise, unicode_table

TEXTS = st.lists(st.text("aBé .-東\n", max_size=12), min_size=2, max_size=6)


@given(TEXTS)
def test_texts_have_the_same_digests_if_they_have_the_same_words(texts: list[str]) -> None:
    data = [text.encode() for text in texts]
    joined = np.frombuffer(b"".join(data) or b" ", np.uint8).copy()
    words, characters, *digests = word_digests(joined, np.cumsum([0, *map(len, data)]), unicode_table())
    tokens = [tuple(tokenise(text).hashes.tolist()) for text in texts]
    assert words.tolist() == [len(own) for own in tokens]
    assert characters.tolist() == [len(text) for text in texts]
    for digest in digests:
        same = [[a == b for b in digest.tolist()] for a in digest.tolist()]
        assert same == [[a == b for b in tokens] for a in tokens]


@given(st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=6))
def test_runs_have_the_digests_of_texts_with_their_words(runs: list[list[int]]) -> None:
    words = np.array([word for run in runs for word in run], np.uint64)
    found = run_digests(words, np.cumsum([0, *map(len, runs)])).T.tolist()
    assert [[a == b for b in found] for a in found] == [[a == b for b in runs] for a in runs]
    text = "One two. Three four five."
    data = np.frombuffer(text.encode(), np.uint8)
    whole = word_digests(data, np.array([0, len(data)]), unicode_table())[2:, 0].tolist()
    own = tokenise(text).hashes
    assert run_digests(own, np.array([0, len(own)])).T.tolist() == [whole]
