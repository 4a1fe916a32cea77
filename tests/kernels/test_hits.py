"""Hits: the places where two texts have the same run of words, and the equal runs around them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.twins import passages as twins
from tests.twins.documents import mix

from neardup.kernels.hits import common_runs, extended_runs, hits_of_pairs, marks_of, mask_words
from neardup.kernels.lists import Lists

WORDS = st.lists(st.integers(1, 3), max_size=24)
KEYED = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 9)), max_size=14)
Hits = list[tuple[int, int]]


def placed(steps: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (key, place), with places that ascend."""
    places = np.cumsum([step for _, step in steps]).tolist()
    return [(key, place) for (key, _), place in zip(steps, places, strict=True)]


def in_a_row(words: set[int]) -> list[set[int]]:
    """Return words that follow each other together."""
    firsts = sorted(word for word in words if word - 1 not in words)
    lasts = sorted(word for word in words if word + 1 not in words)
    return [set(range(first, last + 1)) for first, last in zip(firsts, lasts, strict=True)]


def all_hits(a: Sequence[int], b: Sequence[int], width: int, same: bool = False) -> Hits:
    runs = [
        [(hash(tuple(words[at : at + width])), at) for at in range(len(words) - width + 1)]
        for words in (a, b)
    ]
    return twins.hits(runs[0], runs[1], same)


def extended(
    a: Sequence[int], b: Sequence[int], hits: Hits, same: bool = False
) -> list[tuple[int, ...]]:
    words = [np.array(text, np.uint64) for text in (a, b)]
    rows = extended_runs(*words, np.array([i << 32 | j for i, j in hits], np.int64), same)
    return [tuple(row) for row in rows.tolist()]


def columns(texts: Sequence[Sequence[tuple[int, int]]]) -> tuple[Any, Any, Any]:
    """Return the keys and places of all texts, and where each text's begin."""
    runs = [run for text in texts for run in text]
    bounds = np.cumsum([0, *map(len, texts)])
    keys = np.array([mix(key) for key, _ in runs], np.uint64)
    return keys, np.array([place for _, place in runs], np.int32), bounds


def lists_of(values: Any, bounds: Any, chosen: Any) -> Lists:
    """Return where some of the lists lie that are end to end in an array."""
    addresses = values.ctypes.data + bounds[:-1] * values.itemsize
    return Lists(addresses[chosen], np.diff(bounds).astype(np.int32)[chosen])


@given(st.lists(KEYED, max_size=4), st.sets(st.integers(1, 6)))
def test_marks_are_sorted_and_none_is_common(texts: Any, common: set[int]) -> None:
    texts = [placed(text) for text in texts]
    keys = np.array(sorted(mix(key) for key in common), np.uint64)
    marks, starts = marks_of(*columns(texts), keys)
    for text, (begin, end) in zip(texts, pairwise(starts), strict=True):
        expected = [(mix(key) >> 32) << 32 | place for key, place in text if key not in common]
        assert marks[begin:end].tolist() == sorted(expected)


@given(
    st.lists(KEYED, min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6),
    st.integers(1, 4),
    st.integers(0, 30),
)
def test_hits_are_those_of_brute_force(texts: Any, chosen: Any, least: int, reach: int) -> None:
    texts = [placed(text) for text in texts]
    pairs = [(a % len(texts), b % len(texts)) for a, b in chosen]
    marks, bounds = marks_of(*columns(texts), np.empty(0, np.uint64))
    left, right = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    both = (lists_of(marks, bounds, chosen) for chosen in (left, right))
    hits, starts = hits_of_pairs(*both, left == right, least, reach)
    rows = [(hit >> 32, hit & 0xFFFFFFFF) for hit in hits.tolist()]
    for (a, b), (begin, end) in zip(pairs, pairwise(starts), strict=True):
        expected = twins.hits(texts[a], texts[b], a == b)
        assert rows[begin:end] == (expected if twins.lie_together(expected, least, reach) else [])


@given(WORDS, WORDS, st.integers(1, 4))
def test_runs_are_the_maximal_equal_ones(a: list[int], b: list[int], width: int) -> None:
    hits = all_hits(a, b, width)
    assert extended(a, b, hits) == twins.maximal_runs(a, b, hits, same=False)


@given(WORDS, WORDS, st.integers(1, 4), st.data())
def test_a_few_hits_are_enough_to_find_their_runs(
    a: list[int], b: list[int], width: int, data: st.DataObject
) -> None:
    hits = [hit for hit in all_hits(a, b, width) if data.draw(st.booleans())]
    assert extended(a, b, hits) == twins.maximal_runs(a, b, hits, same=False)


@given(WORDS, st.integers(1, 4))
def test_runs_inside_one_text_do_not_overlap_their_copy(words: list[int], width: int) -> None:
    hits = all_hits(words, words, width, same=True)
    runs = extended(words, words, hits, same=True)
    assert runs == twins.maximal_runs(words, words, hits, same=True)
    assert all(i + n <= j and words[i : i + n] == words[j : j + n] for i, j, n in runs)


@given(st.lists(st.integers(1, 2), max_size=16), st.sets(st.integers(0, 120)))
@example([1] * 8, {13})
def test_runs_around_a_few_hits_inside_one_text_do_not_overlap_their_copy(
    words: list[int], chosen: set[int]
) -> None:
    hits = [hit for k, hit in enumerate(all_hits(words, words, 1, same=True)) if k in chosen]
    runs = extended(words, words, hits, same=True)
    assert all(i + n <= j and words[i : i + n] == words[j : j + n] for i, j, n in runs)


def test_a_hit_of_two_words_that_only_hash_alike_is_no_run() -> None:
    assert extended([1, 2, 3], [4, 2, 5], [(0, 0), (1, 1)]) == [(1, 1, 1)]


def test_all_copies_of_a_text_are_found_but_not_each_with_each() -> None:
    a, b = [1, 2, 3, 4], [1, 2, 3, 9, 1, 2, 3, 4]
    assert extended(a, b, all_hits(a, b, 2)) == [(0, 4, 4), (0, 0, 3)]
    assert extended(b, a, all_hits(b, a, 2)) == [(0, 0, 3), (4, 0, 4)]
    a, b = [1, 2, 8, 1, 2, 8, 1, 2], [1, 2, 9, 1, 2, 9, 1, 2]
    copies = extended(a, b, all_hits(a, b, 2))
    assert copies == [(0, 0, 2), (0, 3, 2), (0, 6, 2), (3, 0, 2), (6, 0, 2)]


@given(WORDS, WORDS, st.integers(1, 3))
def test_runs_cover_the_same_words_whichever_text_is_first(
    a: list[int], b: list[int], width: int
) -> None:
    found = extended(a, b, all_hits(a, b, width))
    turned = extended(b, a, all_hits(b, a, width))
    assert sorted(found) == sorted((i, j, n) for j, i, n in turned)


@given(
    texts=st.lists(KEYED, max_size=4),
    common=st.sets(st.integers(1, 6)),
    width=st.integers(1, 4),
    window=st.integers(1, 6),
    least=st.integers(1, 9),
)
def test_common_runs_are_what_common_keys_cover(
    texts: Any, common: set[int], width: int, window: int, least: int
) -> None:
    texts = [placed(text) for text in texts]
    keys = np.array(sorted(mix(key) for key in common), np.uint64)
    runs, starts, counts = common_runs(*columns(texts), keys, width, window, least)
    for text, (begin, end), count in zip(texts, pairwise(starts), counts, strict=True):
        places = [place for key, place in text if key in common]
        covered = {word for place in places for word in range(place, place + width)}
        for place, following in pairwise(places):
            if following - place <= window:
                covered.update(range(place, following))
        covered = {word for run in in_a_row(covered) if len(run) >= least for word in run}
        own = [range(*bounds) for bounds in runs[begin:end].reshape(-1, 2).tolist()]
        assert sorted(word for run in own for word in run) == sorted(covered)
        assert count == len(covered)


def test_masked_words_are_like_no_others() -> None:
    texts = [np.array(text, np.uint64) for text in ([1, 2, 3, 4], [1, 2, 3, 4])]
    for text, first in zip(texts, (0, 1 << 40), strict=True):
        mask_words(text, np.array([1, 3], np.int32), first)
    a, b = (text.tolist() for text in texts)
    assert [a[0], a[3]] == [b[0], b[3]] == [1, 4]
    assert len({*a[1:3], *b[1:3], 1, 2, 3, 4}) == 8


@pytest.mark.parametrize("same", [False, True])
def test_no_hits_make_no_runs(same: bool) -> None:
    assert extended([1, 2], [1, 2], [], same) == []
