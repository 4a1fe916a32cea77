"""Kernels for signatures of sentences, each against its twin."""

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.sentence_words import Lists, flat, unflat
from tests.twins import sentences as twins

from neardup.kernels.sentence_signatures import (
    add_counts,
    count_words,
    imatch,
    places,
    sentence_shingles,
    spots,
)

CELLS = 1 << 8
WORDS = st.integers(0, 40).map(lambda n: n * 0x0600_0000_0000_0000 + n)  # each has a cell of its own
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12), max_size=8)


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


@given(
    SENTENCES,
    st.dictionaries(WORDS, st.integers(0, 3)),
    st.sets(WORDS),
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 4),
)
def test_spots(
    sentences: Lists, own: dict[int, int], stops: set[int], distance: int, chain: int, least: int
) -> None:
    marks, skipped = np.zeros((2, CELLS), np.bool_)
    marks[[cell_of(word) for word in own]] = True
    skipped[[cell_of(word) for word in stops]] = True
    listed = np.array(sorted(own), np.uint64)
    distances = np.array([own[word] for word in sorted(own)], np.int64)
    alike = dict.fromkeys(own, distance)
    frequent, given = ((listed[:0], distances[:0]), alike, stops), ((listed, distances), own, own)
    for chosen, table, without in (frequent, given):
        found = unflat(*spots(*flat(sentences), marks, skipped, distance, *chosen, chain, least))
        assert [set(values) for values in found] == [
            twins.spots(s, table, without, chain, least) for s in sentences
        ]
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
