"""The kernels of pages against slow and obvious twins."""

import math
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup.kernels.hashing import SEED, mix
from neardup.kernels.pages import page_sentences, projected, ring_signatures, text_digests, trimmed
from neardup.kernels.regions import edit_curve, sketches, symbols, trustable_region
from neardup.kernels.simhash import simhashes
from neardup.methods.pages.candidates import NearInTables, in_tables
from neardup.methods.pages.settings import MOST_DISTANCE
from neardup.signatures.ring import SentenceRing
from neardup.signatures.simhash import Simhash

WORDS = st.lists(st.integers(0, 5), max_size=40)
HASHES = [int(mix(np.uint64(n + 1))) for n in range(64)]
FULL = (1 << 64) - 1


def words(numbers: list[int]) -> Any:
    return np.array([HASHES[n] for n in numbers], np.uint64)


def sizes_of(numbers: list[int]) -> Any:
    """Give the same word the same size wherever it is."""
    return np.array([2 + 3 * n for n in numbers], np.int64)


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
        np.array(firsts, np.int32),
        np.cumsum([0, *map(len, pages)]),
        np.array([size for _, size, _ in flat], np.int32),
        np.array([dropped for _, _, dropped in flat], np.bool_),
        limit,
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


# --- sketches, edit curve, trustable region


def sketch_twin(a: list[int], b: list[int], least: int) -> list[bool]:
    def windows(text: list[int]) -> dict[int, tuple[int, ...]]:
        found = {}
        for i in range(len(text)):
            for j in range(i + 1, len(text) + 1):
                if sizes_of(text[i:j]).sum() >= least or (i == 0 and j == len(text)):
                    found[i] = tuple(text[i:j])
                    break
        return found

    known = set(windows(b).values())
    marks = [False] * len(a)
    for i, window in windows(a).items():
        if window in known:
            marks[i : i + len(window)] = [True] * len(window)
    return marks


@given(WORDS, WORDS, st.integers(1, 40))
def test_sketches_are_what_lies_in_common_windows(a: list[int], b: list[int], least: int) -> None:
    found = sketches(words(a), sizes_of(a), words(b), sizes_of(b), least)
    assert found[0].tolist() == sketch_twin(a, b, least)
    assert found[1].tolist() == sketch_twin(b, a, least)


@given(WORDS, WORDS)
def test_symbols_are_equal_for_equal_words(a: list[int], b: list[int]) -> None:
    found = symbols(words(a), words(b))
    both = [*found[0].tolist(), *found[1].tolist()]
    assert len(set(zip([*a, *b], both, strict=True))) == len(set(both)) == len({*a, *b})
    assert all(0 < code < 0xD800 for code in both)


@st.composite
def matches(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Draw sizes of the words of two texts, and which stay the same, in order."""
    a, b = (draw(st.lists(st.integers(1, 9), max_size=30)) for _ in range(2))
    count = draw(st.integers(0, min(len(a), len(b))))
    own_a = sorted(draw(st.permutations(range(len(a))))[:count])
    own_b = sorted(draw(st.permutations(range(len(b))))[:count])
    matched = np.full(len(a), -1, np.int64)
    matched[own_a] = own_b
    return np.array(a, np.int64), matched, np.array(b, np.int64)


def edits_between(sizes_a: Any, matched: Any, sizes_b: Any, i: int, j: int) -> int:
    """Count what is deleted from words i to j of a, and inserted between the first and last of them."""
    own = [int(m) for m in matched[i:j] if m >= 0]
    deleted = sum(int(s) for s, m in zip(sizes_a[i:j], matched[i:j], strict=True) if m < 0)
    # what stands before the first match of the region counts if a word of the region is before it
    before = [int(m) for m in matched[:i] if m >= 0]
    first = own[0] if own and matched[i] >= 0 else (max(before) + 1 if before else 0)
    if not own:
        return deleted
    passed = sum(int(size) for size in sizes_b[first : own[-1]])
    return deleted + passed - sum(int(sizes_b[m]) for m in own[:-1])


@given(matches())
def test_the_edit_curve_counts_edits(drawn: tuple[Any, Any, Any]) -> None:
    places, before, behind = edit_curve(*drawn)
    assert places.tolist() == np.cumsum([0, *drawn[0]]).tolist()
    for i in range(len(drawn[0])):
        for j in range(i + 1, len(drawn[0]) + 1):
            assert before[j] - behind[i] == edits_between(*drawn, i, j)


def region_twin(curve: tuple[Any, Any, Any], blocks: int, slope: float) -> tuple[int, int]:
    places, before, behind = (c.tolist() for c in curve)
    count = len(places) - 1
    cuts = [
        next(i for i in range(count + 1) if places[i] * blocks >= places[-1] * b)
        for b in range(blocks + 1)
    ]

    def holds(i: int, j: int) -> bool:
        return i < j and before[j] - behind[i] <= slope * (places[j] - places[i])

    runs = []
    for first in range(blocks):
        for last in range(first, blocks):
            if holds(cuts[first], cuts[last + 1]):
                weight = sum(min(b, blocks - 1 - b) + 1 for b in range(first, last + 1))
                runs.append((-weight, last - first, first, last))
    found = []
    for weight, extent, first, last in runs:
        if (weight, extent) == min(run[:2] for run in runs):
            i, j = cuts[first], cuts[last + 1]
            low, high = cuts[first - 1] if first else 0, cuts[last + 2] if last + 2 <= blocks else count
            i = next(n for n in range(low, i + 1) if holds(n, j))
            j = next(n for n in range(high, j - 1, -1) if holds(i, n))
            found.append((i, j))
    return max(found, key=lambda r: places[r[1]] - places[r[0]], default=(0, 0))


@given(matches(), st.integers(1, 12), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_the_trustable_region_is_the_heaviest_with_few_edits(
    drawn: tuple[Any, Any, Any], blocks: int, slope: float
) -> None:
    curve = edit_curve(*drawn)
    assert trustable_region(*curve, blocks, slope) == region_twin(curve, blocks, slope)


# --- simhash


@given(st.lists(WORDS, max_size=5), st.sampled_from([1, 2]))
def test_simhashes_are_majorities_of_bits(pages: list[list[int]], parts: int) -> None:
    flat = words([n for page in pages for n in page])
    found = simhashes(flat, np.cumsum([0, *map(len, pages)]), parts)
    for page, own in zip(pages, found.tolist(), strict=True):
        for part in range(parts):
            values = [int(mix(w ^ np.uint64(int(SEED) * (part + 1) & FULL))) for w in words(page)]
            bits = [2 * sum(v >> bit & 1 for v in values) > len(values) for bit in range(64)]
            assert own[part] == sum(1 << bit for bit in range(64) if bits[bit])


def near_by_brute_force(high: Any, low: Any, distance: int) -> set[tuple[int, int, int]]:
    values = [int(h) | int(rest) << 64 for h, rest in zip(high, low, strict=True)]
    apart = {(a, b): (values[a] ^ values[b]).bit_count() for a, b in combinations(range(len(values)), 2)}
    return {(a, b, bits) for (a, b), bits in apart.items() if bits <= distance}


def near(simhash: Simhash, high: Any, low: Any, cap: int = 10_000) -> list[tuple[int, int, int]]:
    rows = in_tables(np.arange(len(high)), high, low, simhash)
    found = NearInTables(simhash, cap)(rows, {}).to_pylist()
    return [(row["a"], row["b"], row["apart"]) for row in found if row["says"] == 0]


@settings(max_examples=60)
@given(st.data(), st.sampled_from([64, 128]), st.integers(0, MOST_DISTANCE))
def test_the_look_up_finds_exactly_what_brute_force_finds(
    data: st.DataObject, bits: int, distance: int
) -> None:
    first = data.draw(st.integers(0, (1 << bits) - 1))
    values = [first]
    for flipped in data.draw(
        st.lists(st.sets(st.integers(0, bits - 1), max_size=distance + 2), max_size=12)
    ):
        start = data.draw(st.sampled_from(values))
        values.append(start ^ sum(1 << bit for bit in flipped))
    high = np.array([v & FULL for v in values], np.uint64)
    low = np.array([v >> 64 for v in values], np.uint64)
    for expected in (10, 10_000_000):  # other numbers of tables find the same
        found = near(Simhash(bits, distance, expected), high, low)
        assert len(found) == len(set(found))
        assert set(found) == near_by_brute_force(high, low, distance)


@pytest.mark.parametrize("distance", range(MOST_DISTANCE + 1))
@pytest.mark.parametrize("bits", [64, 128])
def test_all_choices_of_differing_blocks_have_a_table(bits: int, distance: int) -> None:
    masks = Simhash(bits, distance, 1_000_000).masks
    assert len(masks) <= 1000
    rng = np.random.default_rng(distance)
    for _ in range(200):
        places = rng.choice(bits, distance, replace=False)
        value = sum(1 << int(place) for place in places)
        parts = np.array([value & FULL, value >> 64], np.uint64)
        assert ((masks & parts) == 0).all(axis=1).any()


def test_a_list_that_is_too_long_is_compared_with_its_first_values_and_counted() -> None:
    high, low = np.zeros(40, np.uint64), np.zeros(40, np.uint64)
    rows = in_tables(np.arange(40), high, low, Simhash(64, 3))
    found = NearInTables(Simhash(64, 3), 20)(rows, {})
    says = pa.compute.value_counts(found["says"]).to_pylist()
    assert {row["values"]: row["counts"] for row in says} == {
        0: 10 * 30 + 45,
        2: len(Simhash(64, 3).masks),
    }
