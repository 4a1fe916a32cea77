"""Parts of an index: its kernels beside slow twins, postings, and what is in memory."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.index.analysis import Analysis, end_to_end
from neardup.index.memory import About, Memory
from neardup.index.postings import MOST_SEGMENTS, Postings, Tally, sorted_keys
from neardup.index.settings import IndexSettings
from neardup.kernels.beside import beside_last
from neardup.kernels.hits import marks_of
from neardup.kernels.inverted import bucket_starts, discount_words, enough, summed_worth, tally
from neardup.kernels.shingles import shingle_hashes, shingle_words
from neardup.kernels.texts import PARAGRAPHS, split_texts
from neardup.kernels.winnowing import winnow_texts
from neardup.signatures.word_counts import WordCounts
from neardup.text import unicode_table


@given(
    segments=st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20))), max_size=6),
    gone=st.sets(st.integers(0, 20)),
    most=st.none() | st.integers(0, 5),
)
def test_postings_say_who_has_a_key(
    segments: list[list[tuple[int, int]]], gone: set[int], most: int | None
) -> None:
    missing = np.isin(np.arange(21), list(gone))
    postings = Postings()
    for rows in segments:
        keys = np.array([(key << 60) + key for key, _ in rows], np.uint64)
        docs = np.array([doc for _, doc in rows], np.int64)
        postings = postings.with_more(*sorted_keys(keys, docs)).merged(np.zeros(21, np.bool_))
    wanted = np.array([(key << 60) + key for key in range(12)], np.uint64)
    for some in (postings, postings.without(missing)):
        found = some.look_up(wanted, missing if gone else None, most)
        owners = [
            [d for rows in segments for k, d in rows if k == key and d not in gone] for key in range(12)
        ]
        assert found.counts.tolist() == [len(docs) for docs in owners]
        expected = [
            (k, d) for k, docs in enumerate(owners) for d in docs if most is None or len(docs) <= most
        ]
        assert sorted(zip(found.numbers.tolist(), found.docs.tolist(), strict=True)) == sorted(expected)
        room = Tally(21)
        counted = some.count(wanted, room).tolist()
        rows = some.look_up(wanted).docs.tolist()
        assert sorted(counted) == sorted(set(rows))
        assert dict(enumerate(room.table.tolist())) == {doc: rows.count(doc) for doc in range(21)}


@given(
    rows=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6))),
    wanted=st.lists(st.integers(0, 11), unique=True),
    before=st.sets(st.integers(0, 6)),
)
def test_documents_are_counted_by_the_keys_that_they_have(
    rows: list[tuple[int, int]], wanted: list[int], before: set[int]
) -> None:
    keys, docs = sorted_keys(
        *(np.array(column) for column in (spread(k for k, _ in rows), [d for _, d in rows]))
    )
    room = Tally(7)
    room.table[list(before)] = 1
    room.found[: len(before)] = list(before)
    count = tally(keys, docs, bucket_starts(keys), spread(wanted), room.table, room.found, len(before))
    expected = counted_twin(rows, wanted, before)
    assert room.table.tolist() == [expected[doc] for doc in range(7)]
    assert sorted(room.found[:count].tolist()) == sorted(+expected)


def counted_twin(rows: list[tuple[int, int]], wanted: list[int], before: set[int]) -> Counter[int]:
    """Count as `tally` does, one row after the other."""
    counts = Counter(dict.fromkeys(before, 1))
    counts.update(doc for key, doc in rows if key in wanted)
    return counts


def spread(keys: Iterable[int]) -> Any:
    """Return keys that differ in their upper bits, as hashes do, and in their lower ones."""
    return np.array([(key << 60) + key for key in keys], np.uint64)


@given(docs=st.lists(st.integers(0, 9)), counts=st.lists(st.integers(1, 40), min_size=3, max_size=3))
def test_documents_are_weighed(docs: list[int], counts: list[int]) -> None:
    numbers = np.arange(len(docs)) % 3
    worth = summed_worth(numbers, np.array(docs, np.int64), np.array(counts), 10)
    expected = Counter(dict.fromkeys(range(10), 0))
    for number, doc in zip(numbers.tolist(), docs, strict=True):
        expected[doc] += int(1024 / math.log2(counts[number] + 1))
    assert worth.tolist() == [expected[doc] for doc in range(10)]


@given(
    rows=st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.booleans()), min_size=1),
    size=st.integers(1, 9),
    threshold=st.sampled_from([0.1, 1 / 3, 0.7, 1.0]),
)
def test_what_may_be_alike_shares_enough_of_the_smaller_set(
    rows: list[tuple[int, int, bool]], size: int, threshold: float
) -> None:
    table = np.array([min(common, own, size) for own, common, _ in rows], np.int32)
    sizes, gone = np.array([row[0] for row in rows]), np.array([row[2] for row in rows])
    found = enough(np.arange(len(rows), dtype=np.int32), table, sizes, gone, size, threshold)
    assert found.tolist() == enough_twin(rows, table.tolist(), size, threshold)


def enough_twin(
    rows: list[tuple[int, int, bool]], common: list[int], size: int, threshold: float
) -> list[int]:
    """Choose as `enough` does, by the share of either set that is common."""
    return [
        doc
        for doc, (own, _, missing) in enumerate(rows)
        if not missing and (common[doc] / own >= threshold or common[doc] / size >= threshold)
    ]


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


@given(words=st.lists(st.integers(0, 2**64 - 1)), others=st.lists(st.integers(0, 2**64 - 1)))
def test_words_can_be_counted_and_taken_back(words: list[int], others: list[int]) -> None:
    counted = WordCounts(once=False, cells=16)
    for some in (words, others):
        counted.take(np.array(some, np.uint64), np.array([0, len(some)]))
    discount_words(counted.table, np.array(words, np.uint64))
    alone = WordCounts(once=False, cells=16)
    alone.take(np.array(others, np.uint64), np.array([0, len(others)]))
    assert counted.table.tolist() == alone.table.tolist()


@given(texts=st.lists(st.text("abé .", max_size=60), max_size=4), width=st.integers(1, 4))
def test_shingles_of_hashed_words_are_those_of_the_texts(texts: list[str], width: int) -> None:
    data = end_to_end([text.encode() for text in texts])
    words, _, _, bounds, *_ = split_texts(*data, unicode_table(), PARAGRAPHS)
    values, starts = shingle_hashes(words, bounds, width)
    expected = shingle_words(*data, width, unicode_table())
    assert (values.tolist(), starts.tolist()) == (expected[0].tolist(), expected[1].tolist())


@given(batches=st.lists(st.integers(1, 3), max_size=30), asked=st.sets(st.integers(0, 30)))
def test_a_view_has_all_keys_whenever_it_is_taken(batches: list[int], asked: set[int]) -> None:
    memory = Memory(Analysis.of(IndexSettings(signature="winnowing:2,1")), soft=False)
    texts: list[bytes] = []
    for number, count in enumerate(batches):
        docs = np.arange(len(texts), len(texts) + count)
        new = [f"alpha beta gamma delta word{doc}".encode() for doc in docs]
        remembered = memory.analysis.remembered(docs, new)
        texts += new
        memory.add(docs, [About(str(doc)) for doc in docs], new, remembered)
        if number in asked:
            view = memory.view
            assert view.shingles.rows == len(texts)  # of 5 words, one each
            assert len(view.shingles.segments) <= MOST_SEGMENTS + 2
            [whole] = memory.analysis.taken_apart([texts[-1]])[1].values.tolist()
            found = view.shingles.look_up(np.array([whole], np.uint64)).docs.tolist()
            assert found == [len(texts) - 1]


def test_there_are_few_segments_however_documents_come() -> None:
    postings = Postings()
    for number in range(200):
        keys = np.arange(10, dtype=np.uint64) << np.uint64(56)
        docs = np.full(10, number, np.int32)
        postings = postings.with_more(keys, docs).merged(np.zeros(200, np.bool_))
    assert len(postings.segments) <= 8
    assert postings.rows == 2000
