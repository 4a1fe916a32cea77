"""Hits: the places where two texts have the same run of words, and the equal runs around them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests import passage_twins as twins

from neardup.kernels.hits import extended_runs, hits_of_pairs

WORDS = st.lists(st.integers(1, 3), max_size=24)
KEYED = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 9)), max_size=14)
Hits = list[tuple[int, int]]


def placed(steps: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (key, place), with places that ascend."""
    places = np.cumsum([step for _, step in steps]).tolist()
    return [(key, place) for (key, _), place in zip(steps, places, strict=True)]


def all_hits(a: Sequence[int], b: Sequence[int], width: int, same: bool = False) -> Hits:
    runs = [
        [(hash(tuple(words[at : at + width])), at) for at in range(len(words) - width + 1)]
        for words in (a, b)
    ]
    return twins.hits(runs[0], runs[1], same)


def extended(
    a: Sequence[int], b: Sequence[int], hits: Hits, same: bool = False
) -> list[tuple[int, ...]]:
    places = np.array(hits, np.int32).reshape(-1, 2)
    words = [np.array(text, np.uint64) for text in (a, b)]
    rows = extended_runs(*words, places[:, 0].copy(), places[:, 1].copy(), same)
    return [tuple(row) for row in rows.tolist()]


@given(
    st.lists(KEYED, min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6),
    st.integers(1, 4),
    st.integers(0, 30),
)
def test_hits_are_those_of_brute_force(texts: Any, chosen: Any, least: int, reach: int) -> None:
    texts = [placed(text) for text in texts]
    pairs = sorted((a % len(texts), b % len(texts)) for a, b in chosen)
    keys = np.array([key for text in texts for key, _ in text], np.int64)
    places = np.array([place for text in texts for _, place in text], np.int32)
    bounds = np.cumsum([0, *map(len, texts)])
    runs = keys, places, bounds
    left, right = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    in_a, in_b, starts = hits_of_pairs(runs, left, right, least, reach)
    rows = list(zip(in_a.tolist(), in_b.tolist(), strict=True))
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


def test_what_a_has_once_is_reported_once() -> None:
    a, b = [1, 2, 3, 4], [1, 2, 3, 9, 1, 2, 3, 4]
    assert extended(a, b, all_hits(a, b, 2)) == [(0, 4, 4)]


@pytest.mark.parametrize("same", [False, True])
def test_no_hits_make_no_runs(same: bool) -> None:
    assert extended([1, 2], [1, 2], [], same) == []
