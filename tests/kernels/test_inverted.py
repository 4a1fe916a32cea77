"""Documents counted and weighed by the keys that they have, against slow twins."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.index.postings import sorted_keys
from neardup.kernels.inverted import bucket_starts, discount_words, enough, tally, worthy
from neardup.signatures.word_counts import WordCounts
from neardup.store.postings import Tally


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
    room = Tally.of(7)
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


@given(
    docs=st.lists(st.integers(0, 9)),
    counts=st.lists(st.integers(1, 40), min_size=3, max_size=3),
    least=st.integers(1, 3000),
)
def test_documents_are_chosen_by_what_their_keys_are_worth(
    docs: list[int], counts: list[int], least: int
) -> None:
    numbers = np.arange(len(docs)) % 3
    worth: Counter[int] = Counter()
    for number, doc in zip(numbers.tolist(), docs, strict=True):
        worth[doc] += int(1024 / math.log2(counts[number] + 1))
    found = worthy(numbers, np.array(docs, np.int64), np.array(counts), least)
    assert found.tolist() == sorted(doc for doc in worth if worth[doc] >= least)


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


@given(words=st.lists(st.integers(0, 2**64 - 1)), others=st.lists(st.integers(0, 2**64 - 1)))
def test_words_can_be_counted_and_taken_back(words: list[int], others: list[int]) -> None:
    counted = WordCounts(once=False, cells=16)
    for some in (words, others):
        counted.take(np.array(some, np.uint64), np.array([0, len(some)]))
    discount_words(counted.table, np.array(words, np.uint64))
    alone = WordCounts(once=False, cells=16)
    alone.take(np.array(others, np.uint64), np.array([0, len(others)]))
    assert counted.table.tolist() == alone.table.tolist()
