"""Packed postings: what is written is found again, and a flipped bit is noticed."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.twins.packed import bits_of

from neardup.kernels.packed import docs_at, is_whole, near_at, pack, places, unpack

KEY, BUCKET, DOC = 12, 3, 5
ROWS = st.lists(st.tuples(st.integers(0, 2**KEY - 1), st.integers(0, 2**DOC - 1)), max_size=60)


def bounds_of(starts: np.ndarray, wanted: np.ndarray, bits: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where the buckets of wanted keys begin and end."""
    buckets = (wanted >> np.uint64(64 - bits)).astype(np.int64)
    return starts[buckets], starts[buckets + 1]


def packed(rows: list[tuple[int, int]], low: int) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    keys = np.array([key for key, _ in rows], np.uint64)
    docs = np.array([doc for _, doc in rows], np.int64)
    shape = (KEY, BUCKET, low, DOC)
    words, ends = pack(keys, docs, 0, 1 << BUCKET, shape)
    return words, np.concatenate([[0], ends]), shape


@given(rows=ROWS, low=st.integers(0, KEY - BUCKET), repeats=st.integers(0, 40))
def test_postings_are_packed_as_the_twin_packs_them(
    rows: list[tuple[int, int]], low: int, repeats: int
) -> None:
    rows = sorted(rows + rows[:1] * repeats)
    words, starts, _ = packed(rows, low)
    rest = KEY - BUCKET
    for bucket in range(1 << BUCKET):
        own = [row for row in rows if row[0] >> rest == bucket]
        begin, end = int(starts[bucket]), int(starts[bucket + 1])
        assert is_whole(words, begin, end, bucket)
        assert int(words[begin]) & 0xFFFFFFFF == len(own)
        bits = "".join(format(int(word), "064b")[::-1] for word in words[begin + 1 : end])
        expected = bits_of(own, bucket, rest, low, DOC)
        assert bits == expected.ljust(len(bits), "0")
        assert len(bits) - len(expected) < 64


@given(rows=ROWS, low=st.integers(0, KEY - BUCKET), wanted=st.lists(st.integers(0, 2**KEY - 1)))
def test_what_was_packed_is_found(rows: list[tuple[int, int]], low: int, wanted: list[int]) -> None:
    rows.sort()
    words, starts, shape = packed(rows, low)
    for first, count in ((0, 8), (0, 4), (4, 4), (6, 1)):
        keys, docs, whole = unpack(words, starts, first, count, shape)
        own = [row for row in rows if first <= row[0] >> (KEY - BUCKET) < first + count]
        assert (list(zip(keys.tolist(), docs.tolist(), strict=True)), whole) == (own, count)
    wanted += [key for key, _ in rows[:3]]
    asked = np.array([key << (64 - KEY) | 1 for key in wanted], np.uint64)
    begins, counts = places(words, bounds_of(starts, asked, BUCKET), asked, shape)
    owners = [[doc for key, doc in rows if key == own] for own in wanted]
    assert counts.tolist() == [len(own) for own in owners]
    numbers, docs = docs_at(words, begins, counts, DOC)
    assert docs.tolist() == [doc for own in owners for doc in own]
    assert numbers.tolist() == [at for at, own in enumerate(owners) for _ in own]


@given(
    common=st.integers(0, 4),
    rare=st.lists(st.sets(st.integers(0, 199), max_size=30), max_size=24),
    sizes=st.lists(st.integers(1, 40), min_size=200, max_size=200),
    threshold=st.sampled_from([0.0, 0.25, 0.7, 1.0]),
)
def test_all_that_may_be_like_a_text_are_found_though_not_all_is_counted(
    common: int, rare: list[set[int]], sizes: list[int], threshold: float
) -> None:
    owners = [set(range(key, 200)) for key in range(common)] + rare
    rows = sorted((key, doc) for key, own in enumerate(owners) for doc in own)
    words, ends = pack(*np.array(rows, np.uint64).reshape(-1, 2).T, 0, 8, (12, 3, 4, 8))
    wanted = np.arange(len(owners), dtype=np.uint64) << np.uint64(52)
    bounds = bounds_of(np.concatenate([[0], ends]), wanted, 3)
    found = places(words, bounds, wanted, (12, 3, 4, 8))
    counted = Counter(doc for own in owners for doc in own)
    whole = np.array([max(own, counted[doc]) for doc, own in enumerate(sizes)], np.int32)
    gone = np.arange(200) % 7 == 0
    table, room = np.zeros(200, np.int32), np.empty(200, np.int32)
    size = len(owners)
    near = near_at(words, found, 8, (table, room), (whole, gone), size, threshold).tolist()
    assert not table.any()
    assert len(set(near)) == len(near)
    assert all(counted[doc] and not gone[doc] for doc in near)
    least = threshold * np.minimum(whole, size)
    assert {doc for doc in counted if counted[doc] >= least[doc] and not gone[doc]} <= set(near)
    assert all(counted[doc] >= least[doc] * (3 / 4) for doc in near)


@given(rows=ROWS, bit=st.integers(0, 10**6), in_words=st.booleans())
def test_one_flipped_bit_is_noticed(rows: list[tuple[int, int]], bit: int, in_words: bool) -> None:
    words, starts, shape = packed(sorted(rows), 4)
    starts = starts.astype(np.int64)
    changed = words if in_words else starts.view(np.uint64)
    bit %= 64 * len(changed)
    changed[bit >> 6] ^= np.uint64(1) << np.uint64(bit & 63)
    pairs = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    damaged = [b for b, (begin, end) in enumerate(pairs) if not is_whole(words, begin, end, b)]
    assert damaged
    assert unpack(words, starts, 0, 1 << BUCKET, shape)[2] == damaged[0]
    asked = np.array([damaged[0] << (64 - BUCKET)], np.uint64)
    assert places(words, bounds_of(starts, asked, BUCKET), asked, shape)[1].tolist() == [-1]
