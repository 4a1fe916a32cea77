"""Sentences are planted, and it is known which and where."""

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.planting_texts import documents

from neardup.evaluation import planting
from neardup.evaluation.planting import Sentence, edited, one_edit_apart, plant

SENTENCES = st.lists(st.integers(0, 5), min_size=1, max_size=8).map(
    lambda words: Sentence(tuple(words), (4,) * len(words))
)


def test_a_document_is_a_stretch_of_its_sentences() -> None:
    rng = random.Random(1)
    whole = planting.stretch("One two three. Yes. Four five six! Seven eight nine.", 9, "en", rng)
    assert [len(sentence.words) for sentence in whole] == [3, 3, 3]
    assert whole[0].lengths == (3, 3, 5)
    long = "".join(f"This is the sentence number {n} of a long text. " for n in range(1000))
    part = planting.stretch(long, 5, "en", rng)
    assert len(part) == 5
    assert {len(sentence.words) for sentence in part} == {10}  # no halves


@given(SENTENCES, SENTENCES, st.integers(0, 10**6))
def test_an_edited_sentence_is_one_edit_apart(one: Sentence, two: Sentence, seed: int) -> None:
    changed = edited(one, two, random.Random(seed))
    assert one_edit_apart(one.words, changed.words)
    assert len(changed.words) == len(changed.lengths)


@given(st.lists(st.integers(0, 2), max_size=5), st.lists(st.integers(0, 2), max_size=5))
def test_one_edit_apart(a: list[int], b: list[int]) -> None:
    near = {tuple(a)}
    for at in range(len(a) + 1):
        near |= {(*a[:at], word, *a[at:]) for word in range(3)}
        near |= {(*a[:at], word, *a[at + 1 :]) for word in range(3) if at < len(a)}
        near.add((*a[:at], *a[at + 1 :]))
        near.add((*a[:at], *a[at : at + 2][::-1], *a[at + 2 :]))
    assert one_edit_apart(tuple(a), tuple(b)) == (tuple(b) in near)


def test_what_is_planted_is_known() -> None:
    given_documents = documents(40)
    corpus = plant(given_documents, random.Random(3))
    assert corpus.passages == 20
    assert corpus.sentences == 400 + len(corpus.planted)
    same = 0
    for a, i, b, j in corpus.planted:
        assert a < b
        one, other = corpus.documents[a][i], corpus.documents[b][j]
        assert one_edit_apart(one.words, other.words)
        same += one == other
    assert len(corpus.planted) - corpus.edited <= same <= len(corpus.planted)
    assert corpus == plant(given_documents, random.Random(3))
    assert corpus != plant(given_documents, random.Random(4))
