"""Sentences of two texts that share rare words: which are similar, and which of these lie together."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.kernels.soft_texts import bounds_of
from tests.twins import soft as twins

from neardup.kernels import soft_sentences as kernels

Hits = Sequence[tuple[int, int]]
LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=12)  # of sentences, in words
SENTENCES = st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=1, max_size=12)
# whole numbers, so that sums are the same in every order
WEIGHTS = st.lists(st.integers(0, 4).map(float), min_size=6, max_size=6)
SEEDS = st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30).map(sorted)
LIMIT = st.floats(0, 1)
GAPS = st.tuples(st.integers(0, 4), st.integers(0, 5))
FLAGS = st.lists(st.booleans(), min_size=72, max_size=72)  # of words or sentences
OPEN = [False] * 72
NEARBY = 8


def pairs(seeds: Hits) -> Any:
    return np.array(seeds, np.int64).reshape(-1, 2)


def tuples(rows: Any) -> list[tuple[int, ...]]:
    return [tuple(row) for row in rows.tolist()]


def side(sentences: Sequence[Sequence[int]], closed: Sequence[bool] = OPEN) -> Any:
    """Return what the kernels keep of sentences."""
    numbers = np.array([word for sentence in sentences for word in sentence], np.int32)
    bounds = np.array(bounds_of([len(sentence) for sentence in sentences]))
    every = np.ones(len(sentences), np.bool_)
    found = kernels.distinct_words(numbers, bounds, every, np.zeros(len(numbers), np.bool_), 6)
    return found._replace(closed=np.array(closed[: len(sentences)]))


def room(weights: Sequence[float]) -> Any:
    found = kernels.room_of(np.zeros(len(weights)), NEARBY)
    found.weights[:] = weights
    return found


def is_empty(room: Any) -> bool:
    return not (room.masks.any() or room.often.any() or room.sums.any())


@given(SENTENCES, FLAGS, FLAGS)
def test_words_of_some_sentences_are_counted(a: Any, some: list[bool], taken: list[bool]) -> None:
    numbers = np.array([word for sentence in a for word in sentence], np.int32)
    bounds = bounds_of([len(sentence) for sentence in a])
    some = some[: len(a)]
    found = kernels.distinct_words(numbers, np.array(bounds), np.array(some), np.array(taken), 6)
    expected = [{w: own.count(w) for w in own} if s else {} for own, s in zip(a, some, strict=True)]
    assert found.starts.tolist() == bounds_of([len(own) for own in expected])
    for s, (begin, end) in enumerate(pairwise(found.starts)):
        assert found.words[begin:end].tolist() == list(expected[s])
        assert found.times[begin:end].tolist() == list(expected[s].values())
    closed = twins.taken_sentences(bounds, taken)
    assert found.closed.tolist() == [flag and s for flag, s in zip(closed, some, strict=True)]


@given(
    SENTENCES,
    SENTENCES,
    WEIGHTS,
    st.tuples(LIMIT, LIMIT),
    st.tuples(FLAGS, FLAGS),
    st.booleans(),
    st.data(),
)
@example([[0, 1]] * 12, [[1, 2]] * 70, [1.0] * 6, (0.3, 0.3), (OPEN, OPEN), False, None)
@example([[0, 1]] * 70, [[1, 2]] * 70, [1.0] * 6, (0.3, 0.3), (OPEN, OPEN), True, None)
def test_seeds_are_those_of_brute_force_in_free_sentences(
    a: Any, b: Any, weights: Any, limits: Any, closed: Any, itself: bool, data: Any
) -> None:
    """In a box; in more columns than are counted at a time, too."""
    sides, own = (side(a, closed[0]), side(b, closed[1])), room(weights)
    ends = [(0, len(text) - 1) for text in (a, b)]
    if data:
        drawn = [data.draw(st.tuples(*[st.integers(0, last)] * 2)) for _, last in ends]
        ends = [(min(pair), max(pair)) for pair in drawn]
    (i0, i1), (j0, j1) = ends
    box = i0, i1, j0, j1
    texts = twins.counted(a, weights), twins.counted(b, weights)
    inside = [(i, j) for i in range(i0, i1 + 1) for j in range(j0, j1 + 1)]
    alike = kernels.alike_sentences(*sides, box, itself, limits[1], own)
    expected = twins.alike(*texts, limits[1])
    assert tuples(alike) == [
        pair for pair in twins.open_seeds(expected, closed, 0, itself) if pair in inside
    ]
    found = kernels.soft_seeds(*sides, box, alike, limits[0], own)
    expected = twins.open_seeds(twins.soft_seeds(*texts, *limits), closed, 0, itself)
    assert tuples(found) == [pair for pair in expected if pair in inside]
    assert is_empty(own)


LONG = [*range(42)]  # as many words as a sentence has


@pytest.mark.parametrize("dice", [0.0, 0.33, 0.99])
def test_all_words_of_the_longest_sentences_are_counted(dice: float) -> None:
    sentences = [LONG[: 42 - k] for k in (0, 1, 30, 41)]
    numbers = np.array([word for own in sentences for word in own], np.int32)
    bounds = np.array(bounds_of([len(own) for own in sentences]))
    every, taken = np.ones(4, np.bool_), np.zeros(len(numbers), np.bool_)
    own = kernels.distinct_words(numbers, bounds, every, taken, 42)
    found = kernels.alike_sentences(own, own, (0, 3, 0, 3), False, dice, room([1.0] * 42))
    texts = twins.counted(sentences, [1.0] * 42)
    assert tuples(found) == twins.alike(texts, texts, dice)


@given(SENTENCES, SENTENCES, st.lists(st.integers(0, 9), min_size=6, max_size=6), st.integers(1, NEARBY))
def test_the_words_of_a_box_are_weighed(a: Any, b: Any, counts: list[int], nearby: int) -> None:
    words = [word for text in (a, b) for sentence in text for word in sentence]
    shares = np.array([max(count, 1) / 10 for count in counts])
    own = kernels.room_of(shares, NEARBY)
    for _ in range(2):  # what is kept of the first box is right in the second
        kernels.weigh_box(side(a), side(b), (0, len(a) - 1, 0, len(b) - 1), nearby, own)
        for word in {*words}:
            assert own.weights[word] == pytest.approx(
                twins.weight(shares[word], words.count(word) / nearby)
            )
        assert is_empty(own)


@given(SEEDS, st.integers(0, 4))
def test_seeds_near_each_other_are_connected(seeds: Hits, gap: int) -> None:
    assert kernels.connected(pairs(seeds), gap).tolist() == twins.connected(seeds, gap)


@given(SEEDS, st.lists(st.integers(0, 4), min_size=30, max_size=30))
def test_a_box_is_around_all_seeds_of_a_root(seeds: Hits, labels: list[int]) -> None:
    roots = [labels.index(label) for label in labels[: len(seeds)]]
    boxes = tuples(kernels.boxes_around(pairs(seeds), np.array(roots, np.int64)))
    for r in set(roots):
        group = [seed for seed, other in zip(seeds, roots, strict=True) if other == r]
        assert boxes[r] == twins.box_around(group)


@given(SENTENCES, SENTENCES, WEIGHTS, st.data())
def test_the_cosine_of_whole_runs(a: Any, b: Any, weights: Any, data: st.DataObject) -> None:
    i0, j0 = (data.draw(st.integers(0, len(text) - 1)) for text in (a, b))
    i1, j1 = data.draw(st.integers(i0, len(a) - 1)), data.draw(st.integers(j0, len(b) - 1))
    own = room(weights)
    found = kernels.whole_cosine(side(a), side(b), i0, i1, j0, j1, own)
    runs = twins.counted(a[i0 : i1 + 1], weights), twins.counted(b[j0 : j1 + 1], weights)
    assert found == pytest.approx(twins.whole_cosine(*runs))
    assert is_empty(own)


@given(SENTENCES, SENTENCES, WEIGHTS, SEEDS, GAPS, LIMIT)
def test_groups_of_seeds_are_similar(
    a: Any, b: Any, weights: Any, seeds: Hits, gaps: tuple[int, int], least: float
) -> None:
    seeds = [(i, j) for i, j in seeds if i < len(a) and j < len(b)]
    sides = side(a), side(b)
    boxes, scores = kernels.grouped_seeds(*sides, pairs(seeds), *gaps, least, room(weights))
    texts = twins.counted(a, weights), twins.counted(b, weights)
    expected = twins.grouped_seeds(*texts, seeds, *gaps, least)
    assert tuples(boxes) == [box for box, _ in expected]
    assert scores.tolist() == pytest.approx([score for _, score in expected])
