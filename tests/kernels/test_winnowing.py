"""Winnowing: what is kept, what two texts are sure to share, and what shared runs are worth."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.twins import passages as twins
from tests.twins.documents import mix

from neardup.kernels.counters import count_of, count_values
from neardup.kernels.postings import lists_of_members
from neardup.kernels.winnowing import distinct_keys, weighed_pairs, winnow_texts

WORDS = st.lists(st.integers(0, 6).map(mix), max_size=40)
MANY_WORDS = st.lists(st.integers(0, 300).map(mix), max_size=40)
NONE = np.empty(0, np.uint8)
Rows = list[list[tuple[int, int]]]


def flat(texts: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    words = np.array([word for text in texts for word in text], np.uint64).view(np.int64)
    return read_only(words), np.cumsum([0, *map(len, texts)])


def winnowed(texts: Sequence[Sequence[int]], width: int, window: int, counters: Any = NONE) -> Rows:
    keys, places, bounds = winnow_texts(*flat(texts), width, window, counters)
    rows = list(zip(keys.tolist(), places.tolist(), strict=True))
    return [rows[begin:end] for begin, end in pairwise(bounds)]


@given(st.lists(WORDS, max_size=4), st.integers(1, 6), st.integers(1, 8))
def test_the_kept_runs_are_those_of_the_twin(texts: list[list[int]], width: int, window: int) -> None:
    expected = [twins.first_places(twins.winnowed(text, width, window)) for text in texts]
    assert winnowed(texts, width, window) == expected


@given(MANY_WORDS, MANY_WORDS, MANY_WORDS, MANY_WORDS, st.integers(1, 5), st.integers(1, 6), st.data())
def test_texts_that_share_enough_words_share_a_kept_run(
    before_a: list[int],
    behind_a: list[int],
    before_b: list[int],
    behind_b: list[int],
    width: int,
    window: int,
    data: st.DataObject,
) -> None:
    size = width + window - 1
    shared = data.draw(st.lists(st.integers(0, 300).map(mix), min_size=size, max_size=size))
    texts = [before_a + shared + behind_a, before_b + shared + behind_b]
    a, b = ({key for key, _ in runs} for runs in winnowed(texts, width, window))
    assert a & b


@given(WORDS, st.integers(1, 5), st.integers(1, 6))
def test_no_window_is_without_a_kept_run(words: list[int], width: int, window: int) -> None:
    places = [place for _, place in twins.winnowed(words, width, window)]
    assert all(b - a <= window for a, b in pairwise(places))
    assert bool(places) == bool(words)


@given(st.lists(WORDS, max_size=5), st.integers(1, 4), st.integers(1, 4))
def test_with_counters_runs_of_one_text_only_are_left_out(
    texts: list[list[int]], width: int, window: int
) -> None:
    counters = np.zeros(1 << 12, np.uint8)
    keys, _, bounds = winnow_texts(*flat(texts), width, window, NONE)
    count_values(counters, distinct_keys(keys, bounds)[0])
    common = {key for key in keys.tolist() if count_of(counters, np.uint64(key)) >= 2}
    having = [{key for key, _ in twins.winnowed(text, width, window)} for text in texts]
    assert common >= {key for a in range(len(texts)) for b in range(a) for key in having[a] & having[b]}
    expected = [[row for row in rows if row[0] in common] for rows in winnowed(texts, width, window)]
    assert winnowed(texts, width, window, counters) == expected


@given(st.lists(st.lists(st.integers(0, 9), max_size=30), max_size=4))
def test_distinct_keys(texts: list[list[int]]) -> None:
    words, bounds = flat(texts)
    keys, bounds = distinct_keys(words.view(np.uint64), bounds)
    found = [keys[begin:end].tolist() for begin, end in pairwise(bounds)]
    assert found == [list(dict.fromkeys(key or 1 for key in text)) for text in texts]


def test_a_run_in_many_places_of_one_text_is_kept_in_the_first_few() -> None:
    assert winnowed([[7] * 1000], 3, 1)[0] == twins.winnowed([7] * 6, 3, 1)[:4]


def test_texts_shorter_than_a_run_are_one() -> None:
    assert winnowed([[1, 2], [], [1, 2]], 5, 4) == [
        twins.winnowed([1, 2], 5, 4),
        [],
        winnowed([[1, 2]], 5, 4)[0],
    ]


LISTS = st.lists(st.sets(st.integers(0, 12), min_size=2, max_size=8).map(sorted), max_size=12)


@pytest.mark.parametrize("boundary", [-1, 0, 4, 13])
@given(lists=LISTS, cap=st.integers(2, 9))
def test_pairs_are_worth_what_brute_force_says(boundary: int, lists: list[list[int]], cap: int) -> None:
    members = np.array([member for members in lists for member in members], np.int64)
    bounds = np.cumsum([0, *map(len, lists)])
    own = lists_of_members(members, bounds, 13)
    left, right, worth = (
        found.tolist() for found in weighed_pairs(members, bounds, *own, cap, boundary)
    )
    assert left == sorted(left)
    found = dict(zip(zip(left, right, strict=True), worth, strict=True))
    assert len(found) == len(left)
    assert found == twins.weighed_pairs(lists, cap, boundary)
