"""Summaries: sentences of one text whose words are all over another one."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.soft_texts import LENGTH, bounds_of, packed, passages, rewritten, sentence, text
from tests.twins import soft as twins

from neardup.kernels import summaries as kernels

SENTENCES = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=6), min_size=1, max_size=9)
WEIGHTS = st.lists(st.integers(0, 4).map(float), min_size=6, max_size=6)
FLAGS = st.lists(st.booleans(), min_size=6, max_size=6)
HITS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20).map(sorted)


def flat(sentences: list[list[int]]) -> tuple[Any, Any]:
    numbers = np.array([word for own in sentences for word in own], np.int64)
    return numbers, np.array(bounds_of([len(own) for own in sentences]))


@given(SENTENCES, WEIGHTS, FLAGS, st.integers(0, 30))
def test_weights_of_sentences_and_of_parts(a: Any, weights: Any, there: Any, longest: int) -> None:
    worth, wanted = np.array(weights), np.array(there)
    found = kernels.weights_of_sentences(*flat(a), wanted, worth)
    assert [own.tolist() for own in found] == [
        [twins.weight_of(own, weights, flags) for own in a] for flags in ([True] * 6, there)
    ]
    best = kernels.best_part(*flat(a), wanted, worth, longest)
    assert best == twins.best_part(a, there, weights, longest)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
def test_the_richest_run_is_that_of_brute_force(pairs: list[tuple[int, int]]) -> None:
    whole, common = (np.array(side, np.float64) for side in zip(*pairs, strict=True))
    first, last, best = kernels.richest_run(whole, common)
    values = (common - kernels.KEPT * whole).tolist()
    runs = [sum(values[i:j]) for j in range(len(values) + 1) for i in range(j)]
    assert best == max(0.0, *runs)
    assert best == sum(values[first : last + 1])


@given(HITS, st.integers(0, 4), st.integers(0, 4), st.booleans(), st.sets(st.integers(0, 9)))
def test_free_hits_are_counted_once_a_place(
    hits: Any, one: int, other: int, side: bool, taken: set[int]
) -> None:
    first, last = sorted((one, other))
    bounds = np.arange(0, 11, 2)
    flags = np.isin(np.arange(100), list(taken))
    a, b = np.ones(12, np.uint64), np.array([1] * 7 + [2] + [1] * 5, np.uint64)
    every = kernels.places_on(packed(hits), int(side), flags, a, b)
    same = {(i, j) for i, j in hits if i + 4 <= len(a) and (j <= 3 or 8 <= j <= 9)}
    assert every.tolist() == sorted({hit[side] for hit in same} - taken)
    found = kernels.distinct_hits(every, bounds, first, last)
    places = set(every.tolist()) & set(range(2 * first, 2 * last + 2))
    assert found == (len(places), len({place // 2 for place in places}))


@given(st.sets(st.integers(0, 400), max_size=40), st.integers(0, 2500))
def test_no_run_of_words_has_hits_enough_where_none_can_be_a_summary(places: Any, source: int) -> None:
    """Where one is long enough for a source, and has a hit for every ten words of it."""
    every = np.array(sorted(places), np.int64)
    longest, shortest = source // kernels.LEAST_TIMES, max(kernels.SHORTEST, source / kernels.MOST_TIMES)
    runs = [
        (first, last)
        for first in places
        for last in places
        if (size := max(last + 1 - first, shortest)) <= longest
        and sum(first <= place < first + size for place in places)
        >= max(kernels.LEAST_HITS, kernels.HIT_WORDS * size)
    ]
    assert kernels.can_have_summary(every, source) or not runs


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=14),
    st.sets(st.integers(0, 560)),
    st.integers(0, 900),
)
def test_runs_of_sentences_that_have_hits_enough(lengths: list[int], wanted: Any, source: int) -> None:
    """As those that `summary_in` looks at: where there is none, it finds no summary."""
    bounds = np.cumsum([0, *lengths])
    places = np.array(sorted(place for place in wanted if place < bounds[-1]), np.int64)
    enough = False
    for first in range(len(lengths)):
        for last in range(first, len(lengths)):
            size = bounds[last + 1] - bounds[first]
            count, hit = kernels.distinct_hits(places, bounds, first, last)
            enough = enough or (
                3 * size <= source and count >= max(5, 0.05 * size) and hit >= 0.5 * (last + 1 - first)
            )
    assert kernels.has_run(places, bounds, source) == enough


SOURCE = [sentence(name) for name in range(200, 240)]
# each sentence has four words of three that are far apart
SUMMARY = [SOURCE[k][:4] + SOURCE[k + 13][:4] + SOURCE[k + 26][:4] for k in range(6)]
SHORTER_RUNS = [
    SOURCE[k][:3] + SOURCE[k + 10][:3] + SOURCE[k + 20][:3] + SOURCE[k + 30][:3] for k in range(6)
]
BEFORE, BEHIND = [sentence(name) for name in range(20)], [sentence(name) for name in range(50, 60)]


def test_a_summary_is_found_with_what_it_sums_up() -> None:
    holder, source = text(*BEFORE, *SUMMARY, *BEHIND), text(*SOURCE)
    assert passages([(holder, source), (source, holder)]) == [(0, 20, 26, 0, 32), (1, 0, 32, 20, 26)]
    within = text(*(sentence(name) for name in range(70, 80)), *SOURCE)
    assert passages([(holder, within)]) == [(0, 20, 26, 10, 42)]


def test_what_is_no_summary() -> None:
    """A copy of a part, something shorter, words of a long text, and no four words in a row."""
    rest, source = [*BEFORE, *BEHIND], text(*SOURCE)
    copied = text(*BEFORE, *map(rewritten, range(205, 211)), *BEHIND)
    assert passages([(copied, source)]) == [(0, 20, 26, 5, 10.92)]
    assert passages([(text(*rest, *SUMMARY[:4]), source)]) == []
    long = text(*SOURCE, *(sentence(name) for name in range(1000, 1000 + 2500 // LENGTH)))
    assert passages([(text(*rest, *SUMMARY), long)]) == []
    assert passages([(text(*rest, *SHORTER_RUNS), source)]) == []
    shuffled = [own[0::4] + own[1::4] + own[2::4] + own[3::4] for own in SUMMARY]
    assert passages([(text(*rest, *shuffled), source)]) == []


def test_passages_that_were_found_before_explain_a_run() -> None:
    rows = np.array([0, 10, 40, 100, 180, 1, 0, 90, 95, 0, 5, 1])
    free = np.zeros(200, np.bool_)
    taken = free.copy()
    taken[50] = True
    ask = kernels.is_unexplained
    assert ask(0, 80, rows, 0, free)  # 30 of 80 words, and 80 words there
    assert not ask(0, 45, rows, 0, free)  # most of it
    assert not ask(0, 80, rows, 0, taken)  # a copy
    assert not ask(90, 250, rows, 1, free)  # what is as long is no summary
    assert ask(100, 150, rows[:0], 0, free)
