"""The kernels of pages against slow and obvious twins."""

import math
from itertools import combinations, pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.kernels.page_words import FULL, HASHES, words

from neardup.kernels.hashing import SEED, mix
from neardup.kernels.pages import (
    distinct_sentences,
    page_sentences,
    projected,
    ring_signatures,
    shared_parts,
    text_digests,
    trimmed,
)
from neardup.signatures.ring import SentenceRing

# --- sentences of pages


def pieces_of(sentence: list[int], least: int, most: int) -> list[list[int]]:
    pieces: list[list[int]] = [[]]
    for word in sentence:
        pieces[-1].append(word)
        if len(pieces[-1]) == most or (len(pieces[-1]) >= least and HASHES[word] % 8 == 0):
            pieces.append([])
    return [piece for piece in pieces if piece]


@given(st.lists(st.lists(st.lists(st.integers(0, 60), min_size=1, max_size=9), max_size=4), max_size=4))
def test_sentences_are_cut_and_equal_ones_have_equal_keys(pages: list[list[list[int]]]) -> None:
    flat = [n for page in pages for sentence in page for n in sentence]
    starts = np.arange(len(flat), dtype=np.int32) * 20
    ends = starts + np.array([n % 9 + 1 for n in flat], np.int32)
    bounds = np.cumsum([0, *(sum(map(len, page)) for page in pages)])
    first = [np.cumsum([0, *map(len, page)])[:-1] for page in pages]
    sentences = np.concatenate([np.empty(0, np.int32), *first]).astype(np.int32)
    sentence_bounds = np.cumsum([0, *map(len, pages)])
    found = page_sentences(words(flat), starts, ends, bounds, sentences, sentence_bounds, 2, 4)
    expected = [[piece for sentence in page for piece in pieces_of(sentence, 2, 4)] for page in pages]
    pieces = [tuple(piece) for page in expected for piece in page]
    assert np.diff(found[1]).tolist() == [len(page) for page in expected]
    assert found[0].tolist() == [
        int(n) for page in expected for n in np.cumsum([0, *map(len, page)])[:-1]
    ]
    assert found[3].tolist() == [sum(n % 9 + 1 for n in piece) for piece in pieces]
    keys = found[2].tolist()
    for (a, key_a), (b, key_b) in combinations(zip(pieces, keys, strict=True), 2):
        assert (a == b) == (key_a == key_b)


@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 3), st.integers(1, 30), st.booleans()), max_size=5), max_size=4
    ),
    st.integers(1, 60),
)
def test_pages_are_trimmed(pages: list[list[tuple[int, int, bool]]], limit: int) -> None:
    bounds = np.cumsum([0, *(sum(n for n, _, _ in page) for page in pages)])
    firsts = [int(n) for page in pages for n in np.cumsum([0, *(n for n, _, _ in page)])[:-1]]
    flat = [sentence for page in pages for sentence in page]
    marks, kept, word_counts, sentence_counts, chars = trimmed(
        bounds,
        read_only(np.array(firsts, np.int32)),
        np.cumsum([0, *map(len, pages)]),
        read_only(np.array([size for _, size, _ in flat], np.int32)),
        np.array([dropped for _, _, dropped in flat], np.bool_),
        limit,
        False,
    )
    expected: list[list[bool]] = []
    for page, total in zip(pages, chars.tolist(), strict=True):
        size, own = 0, []
        for _, chars_of, dropped in page:
            own.append(not dropped and size < limit)
            size += chars_of * own[-1]
        expected.append(own)
        assert total == size
    assert kept.tolist() == [stays for own in expected for stays in own]
    assert sentence_counts.tolist() == [sum(own) for own in expected]
    by_word = [
        stays
        for page, own in zip(pages, expected, strict=True)
        for (n, _, _), stays in zip(page, own, strict=True)
        for _ in range(n)
    ]
    assert marks.tolist() == by_word
    assert word_counts.sum() == sum(by_word)


@given(st.lists(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 9)), max_size=12), max_size=5))
def test_different_sentences_of_each_page_are_summed(pages: list[list[tuple[int, int]]]) -> None:
    flat = [(key << 40, size) for page in pages for key, size in page]
    bounds = np.cumsum([0, *map(len, pages)])
    keys, sizes = (np.array([row[i] for row in flat], np.int64) for i in (0, 1))
    places, chars = distinct_sentences(read_only(keys), read_only(sizes), bounds)
    expected: dict[tuple[int, int], list[int]] = {}
    for page, begin in enumerate(bounds[:-1].tolist()):
        for at, (key, size) in enumerate(pages[page], begin):
            expected.setdefault((page, key), [at, 0])[1] += size
    assert list(zip(places.tolist(), chars.tolist(), strict=True)) == [*map(tuple, expected.values())]


ROW = st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(2, 9), st.integers(0, 50))


@given(st.lists(ROW, max_size=20))
def test_shares_are_of_what_half_as_many_pages_have(rows: list[tuple[int, int, int, int]]) -> None:
    rows = sorted(rows, key=lambda row: (row[0], row[1], -row[2]))
    columns = [np.array([row[i] for row in rows], np.int64) for i in range(4)]
    found = shared_parts(*columns, np.full(len(rows), 700), 1000)
    expected = [
        1000 * sum(chars for d, v, n, chars in rows if (d, v) == (doc, level) and 2 * n >= pages) // 700
        for doc, level, pages, _ in rows
    ]
    assert found.tolist() == expected


def test_texts_differ_by_a_byte() -> None:
    data = np.frombuffer(b"abcabcabd", np.uint8)
    one, same, other = text_digests(data, np.array([0, 3, 6, 9])).tolist()
    assert one == same != other


# --- the sentence ring


def ring_twin(keys: list[int], sizes: list[int], ring: SentenceRing) -> list[tuple[int, int, int]]:
    """Return (turn, subset, signature of 128 bits) as the paper says it."""
    chosen = [i for i in range(len(keys)) if sizes[i] > ring.shortest] or range(len(keys))
    found = []
    for turn in range(ring.turns):
        subsets: dict[int, dict[int, tuple[int, float]]] = {}
        for i in chosen:
            low = int(mix(np.uint64(keys[i]) ^ SEED))
            data = ((keys[i] << 64) | low).to_bytes(16, "big")
            value = int.from_bytes(data[turn:] + data[:turn], "big")
            part = i * ring.chosen // len(keys)
            own = subsets.setdefault(value % ring.subsets, {})
            if part not in own or value < own[part][0]:
                own[part] = value, 1 + math.log(sizes[i])
        for subset, own in sorted(subsets.items()):
            bits = 0
            for bit in range(128):
                if sum(w if value >> bit & 1 else -w for value, w in own.values()) > 0:
                    bits |= 1 << bit
            found.append((turn, subset, bits))
    return found


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, FULL), st.integers(1, 40)), max_size=12),
    st.builds(SentenceRing, st.integers(1, 9), st.integers(1, 16), st.integers(1, 4), st.just(16)),
)
def test_ring_signatures_are_those_of_the_paper(page: list[tuple[int, int]], ring: SentenceRing) -> None:
    keys, sizes = [k for k, _ in page], [s for _, s in page]
    found, bounds = ring.of(
        np.array(keys, np.uint64), np.array(sizes, np.int32), np.array([0, len(page)])
    )
    expected = [
        int(
            mix(
                mix(np.uint64((bits >> 64) + turn * ring.subsets + subset & FULL))
                ^ np.uint64(bits & FULL)
            )
        )
        for turn, subset, bits in ring_twin(keys, sizes, ring)
    ]
    assert found.tolist() == expected
    assert bounds.tolist() == [0, len(expected)]


def test_the_heavier_of_two_sentences_decides_and_equal_ones_must_agree() -> None:
    high, low = np.array([0b1100, 0b1010], np.uint64), np.array([1, 2], np.uint64)
    assert projected(high, low, np.array([1.0, 2.0]), 2) == (0b1010, 2)
    assert projected(high, low, np.array([2.0, 2.0]), 2) == (0b1000, 0)


def test_pages_that_share_most_sentences_share_signatures_and_others_do_not() -> None:
    rng = np.random.default_rng(1)
    one = rng.integers(0, FULL, 30, dtype=np.uint64)
    near = np.concatenate([one[:20], rng.integers(0, FULL, 10, dtype=np.uint64)])
    far = rng.integers(0, FULL, 30, dtype=np.uint64)
    keys, sizes = np.concatenate([one, near, far]), np.full(90, 60, np.int32)
    found, bounds = ring_signatures(keys, sizes, np.arange(0, 91, 30), 7, 16, 2, 16)
    sets = [set(found[a:b].tolist()) for a, b in pairwise(bounds)]
    assert all(100 < len(s) <= 112 for s in sets)
    assert len(sets[0] & sets[1]) > 10
    assert not sets[0] & sets[2]


@given(
    st.lists(st.lists(st.tuples(st.integers(1, 9), st.booleans()), max_size=5), max_size=4),
    st.integers(1, 30),
)
def test_pages_of_characters_are_cut_at_the_limit(
    pages: list[list[tuple[int, bool]]], limit: int
) -> None:
    sizes = [size for page in pages for size, _ in page]
    bounds = np.cumsum([0, *(sum(size for size, _ in page) for page in pages)])
    firsts = [int(n) for page in pages for n in np.cumsum([0, *(size for size, _ in page)])[:-1]]
    marks, _, counts, _, chars = trimmed(
        bounds,
        read_only(np.array(firsts, np.int32)),
        np.cumsum([0, *map(len, pages)]),
        read_only(np.array(sizes, np.int32)),
        np.array([dropped for page in pages for _, dropped in page], np.bool_),
        limit,
        True,
    )
    expected: list[bool] = []
    for page, count in zip(pages, counts.tolist(), strict=True):
        kept = [not dropped for size, dropped in page for _ in range(size)]
        own = [stays and sum(kept[:at]) < limit for at, stays in enumerate(kept)]
        assert sum(own) == count
        expected += own
    assert marks.tolist() == expected
    assert counts.tolist() == chars.tolist()
