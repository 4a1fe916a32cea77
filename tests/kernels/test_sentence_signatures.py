"""Kernels for signatures of sentences, each against its twin."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from tests import sentence_twins as twins

from neardup.kernels.sentence_signatures import (
    add_counts,
    count_words,
    imatch,
    places,
    sentence_shingles,
    spots,
)
from neardup.signatures.imatch import IMatch
from neardup.signatures.spotsigs import SpotSigs
from neardup.signatures.word_counts import WordCounts

CELLS = 1 << 8
WORDS = st.integers(0, 40).map(lambda n: n * 0x0600_0000_0000_0000 + n)  # each has a cell of its own
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12), max_size=8)
Lists = list[list[int]]


def flat(lists: Lists) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    words = np.array([word for words in lists for word in words], np.uint64)
    return words, np.cumsum([0, *map(len, lists)])


def unflat(values: npt.NDArray[np.uint64], bounds: npt.NDArray[np.int64]) -> Lists:
    return [values[a:b].tolist() for a, b in pairwise(bounds)]


def cell_of(word: int) -> int:
    return (word >> 32) * CELLS >> 32


def table_of(documents: Lists, once: bool) -> npt.NDArray[np.uint32]:
    table = np.zeros(CELLS, np.uint32)
    count_words(table, *flat(documents), once)
    return table


@given(SENTENCES, st.booleans())
def test_words_are_counted(documents: Lists, once: bool) -> None:
    table = table_of(documents, once)
    counted = twins.count_words(documents, once)
    assert {word: table[cell_of(word)] for word in counted} == counted
    assert table.sum() == counted.total()


def test_full_counters_stay_full() -> None:
    word = 5 << 58
    table = table_of([[word]] * 3, once=True)
    table[cell_of(word)] = 2**32 - 2
    for _ in range(3):
        count_words(table, *flat([[word]]), False)
    assert table[cell_of(word)] == 2**32 - 1
    both = np.array([7, 2**32 - 3], np.uint32)
    add_counts(both, np.array([8, 5], np.uint32))
    assert both.tolist() == [15, 2**32 - 1]


@given(SENTENCES, st.integers(0, 3), st.integers(0, 5), st.integers(0, 4))
def test_imatch(sentences: Lists, fewest: int, most: int, least: int) -> None:
    counts = twins.count_words(sentences, once=True)
    found = imatch(*flat(sentences), table_of(sentences, once=True), fewest, most, least)
    assert unflat(*found) == [
        twins.imatch(sentence, lambda word: fewest <= counts[word] <= most, least)
        for sentence in sentences
    ]


@given(SENTENCES, st.integers(1, 6), st.integers(0, 4))
def test_sentence_shingles(sentences: Lists, width: int, least: int) -> None:
    found = sentence_shingles(*flat(sentences), width, least)
    assert unflat(*found) == [twins.sentence_shingles(s, width, least) for s in sentences]


@given(SENTENCES, st.sets(WORDS), st.integers(1, 3), st.integers(1, 3), st.integers(0, 4))
def test_spots(sentences: Lists, antecedents: set[int], distance: int, chain: int, least: int) -> None:
    marks = np.zeros(CELLS, np.bool_)
    marks[[cell_of(word) for word in antecedents]] = True
    found = unflat(*spots(*flat(sentences), marks, distance, chain, least))
    expected = [twins.spots(s, antecedents, distance, chain, least) for s in sentences]
    assert [set(values) for values in found] == expected
    assert all(len(values) == len(set(values)) for values in found)


@given(st.lists(st.lists(st.integers(1, 5), max_size=12), max_size=4), st.integers(0, 3))
def test_places(documents: Lists, passed: int) -> None:
    sizes = [size for document in documents for size in document]
    starts = np.cumsum([0, *map(len, documents)])
    found = places(np.cumsum([0, *sizes]), starts, 3, passed)
    assert unflat(found, starts) == [twins.places(document, 3, passed) for document in documents]


def test_tiny_sentences_have_no_place_of_their_own() -> None:
    sizes = [9, 1, 2, 9, 1, 1, 1, 9, 9]
    found = places(np.cumsum([0, *sizes]), np.array([0, 9]), 3, 2)
    assert [place for place, size in zip(found.tolist(), sizes, strict=True) if size > 2] == [0, 1, 3, 4]


# --- what is computed from the counts of the whole corpus


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(0, 40))
def test_the_most_frequent_words_are_those_that_occur_most(table: list[int], count: int) -> None:
    counts = WordCounts(once=False, cells=len(table))
    counts.table[:] = table
    chosen = counts.most_frequent(count)
    order = sorted(range(len(table)), key=lambda cell: (-table[cell], cell))
    used = [cell for cell in order if table[cell]]
    assert np.flatnonzero(chosen).tolist() == sorted(used[:count])


def test_idf_becomes_numbers_of_documents() -> None:
    for corpus in (10, 57, 1000, 123_456):
        for low, high in ((0.0, 1.0), (0.1, 1.0), (0.2, 0.8), (0.5, 0.5)):
            fewest, most = IMatch(low, high).documents(corpus)
            df = np.arange(1, corpus + 1)
            idf = np.log(corpus / df) / np.log(corpus)
            kept = (idf >= low - 1e-9) & (idf <= high + 1e-9)
            assert np.array_equal(kept, (fewest <= df) & (df <= most)), (corpus, low, high)


def test_of_two_documents_i_match_keeps_all_words() -> None:
    assert IMatch(0.1, 1.0).documents(2) == (1, 2**32)


def counted(words: list[int]) -> WordCounts:
    counts = WordCounts(once=False)
    counts.take(*flat([words]))
    return counts


def test_antecedents_make_up_a_share_of_the_text_by_default() -> None:
    frequent = [word << 50 for word in (1, 2, 3) for _ in range(20)]
    rare = [word << 50 for word in range(10, 50)]
    assert SpotSigs().number(counted([*frequent, *rare])) == 3
    assert SpotSigs().number(counted([])) == 0
    assert SpotSigs(antecedents=500).number(counted(rare)) == 500


@given(st.lists(st.integers(1, 30), min_size=1, max_size=20), st.floats(0, 1))
def test_words_that_make_up_a_share(table: list[int], share: float) -> None:
    counts = WordCounts(once=False, cells=len(table))
    counts.table[:] = table
    ordered = sorted(table, reverse=True)
    sums = [sum(ordered[:n]) for n in range(len(table) + 1)]
    assert counts.covering(share) == max(n for n, total in enumerate(sums) if total <= share * sums[-1])
