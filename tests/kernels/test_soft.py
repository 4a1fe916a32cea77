"""Soft evidence: similar sentences of two texts, and the rewritten passages that they make up."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.kernels.soft_texts import (
    LENGTH,
    bounds_of,
    lists_of,
    packed,
    passages,
    rewritten,
    sentence,
    text,
)
from tests.twins import soft as twins
from tests.twins.documents import mix

from neardup.kernels import soft
from neardup.kernels import soft_passages as kernels
from neardup.kernels.lists import values_32, values_64

Hits = Sequence[tuple[int, int]]
WORDS = st.lists(st.integers(1, 9).flatmap(lambda n: st.sampled_from([mix(n), n << 40])), max_size=30)
COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=8)
LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=12)  # of sentences, in words
SENTENCES = st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=1, max_size=12)
# whole numbers, so that sums are the same in every order
WEIGHTS = st.lists(st.integers(0, 4).map(float), min_size=6, max_size=6)
PLACE = st.one_of(st.integers(0, 9), st.integers(0, 400))
ANCHORS = st.lists(st.tuples(PLACE, PLACE), max_size=40).map(sorted)
FLAGS = st.lists(st.booleans(), min_size=72, max_size=72)  # of words or sentences


def tuples(rows: Any) -> list[tuple[int, ...]]:
    return [tuple(row) for row in rows.tolist()]


@given(WORDS, WORDS, COUNTS, st.tuples(st.integers(1, 40), st.integers(2, 20)))
def test_words_are_numbered_and_weighed(a: Any, b: Any, counts: Any, sizes: tuple[int, int]) -> None:
    runs = np.array(a, np.uint64), np.array(b, np.uint64)
    *found, weights = soft.weighed_words(*runs, np.array(counts, np.uint32), *sizes)
    *expected, expected_weights = twins.weighed_words(a, b, counts, *sizes)
    assert [numbers.tolist() for numbers in found] == expected
    assert weights.tolist() == pytest.approx(expected_weights)


@given(LENGTHS, st.integers(0, 8), st.integers(1, 16))
def test_short_sentences_are_joined_and_long_ones_cut(lengths: list[int], least: int, most: int) -> None:
    *starts, words = bounds_of(lengths)
    found = soft.joined_sentences(np.array(starts, np.int32), words, least, most).tolist()
    assert found == twins.joined_sentences(starts, words, least, most)
    sizes = [end - begin for begin, end in pairwise(found)]
    assert len(sizes) == 1 or min(sizes) >= min(least, most // 2)
    assert len(sizes) == 1 or max(sizes) <= most + least


@given(ANCHORS, st.integers(0, 120), st.integers(1, 4), st.integers(0, 6))
@example([(5 * k, 5 * k) for k in range(120)], 8, 3, 4)  # more than the largest box holds
@example([(0, 0), *((0, 100 + k) for k in range(66)), (1, 0)], 1, 1, 0)  # too many to look back
@example([(0, 0), (0, 1), (0, 6), (0, 7), (1, 4)], 3, 5, 0)  # the last one joins two groups
def test_boxes_hold_anchors_that_are_near(anchors: Hits, reach: int, least: int, margin: int) -> None:
    last = max((max(anchor) for anchor in anchors), default=0) + 2
    found = soft.boxes_of(packed(anchors, np.uint64).copy(), reach, least, margin, last, last - 1)
    assert sorted(tuples(found)) == twins.boxes(anchors, reach, least, margin, last, last - 1)


@given(LENGTHS, LENGTHS, st.tuples(FLAGS, FLAGS), st.data())
def test_anchors_are_the_free_hits_in_sentences(a: Any, b: Any, taken: Any, data: st.DataObject) -> None:
    hit = st.tuples(st.integers(0, sum(a) - 1), st.integers(0, sum(b) - 1))
    hits = sorted(data.draw(st.sets(hit, max_size=20)))
    bounds = [bounds_of(lengths) for lengths in (a, b)]
    places = [twins.sentences_of_words(own) for own in bounds]
    free = kernels.free_hits(packed(hits, np.uint64), *map(np.array, taken))
    found = kernels.anchors_of(free, *map(np.array, bounds))
    assert found.tolist() == packed(twins.anchors(hits, taken, places)).tolist()


@pytest.mark.parametrize(("values", "kind"), [(values_64, np.uint64), (values_32, np.int32)])
@given(st.lists(st.lists(st.integers(0, 2**31 - 1), max_size=9), min_size=1, max_size=5))
def test_lists_lie_anywhere_in_memory(values: Any, kind: Any, lists: list[list[int]]) -> None:
    lists = [[int(np.iinfo(kind).max) - value for value in own] for own in lists]
    apart = [np.array([7, *own, 7], kind)[1:-1] for own in reversed(lists)]
    found = lists_of(apart[::-1])
    assert [values(found, number).tolist() for number in range(len(lists))] == lists


A = text(*map(sentence, range(20)))
B = text(*map(sentence, range(30, 34)), *map(rewritten, range(8, 13)), *map(sentence, range(40, 50)))
BOTH = text(*map(sentence, range(12)), *map(rewritten, range(3, 8)), *map(sentence, range(60, 63)))


def test_a_rewritten_run_of_sentences_is_found_up_to_the_last_word_that_both_have() -> None:
    assert passages([(A, B)]) == [(0, 8, 12.92, 4, 9)]
    assert passages([(A, B)], least=6 * 5 * LENGTH) == []


def test_each_pair_has_its_own_passages_and_a_text_none_with_itself_in_place() -> None:
    found = passages([(A, B), (A, A), (BOTH, BOTH), (B, A)])
    assert found == [(0, 8, 12.92, 4, 9), (2, 3, 7.92, 12, 17), (3, 4, 9, 8, 12.92)]


def test_no_passage_overlaps_a_verbatim_one() -> None:
    assert passages([(A, B)], [(0, 8, 10, 4, 6)]) == [(0, 10, 12.92, 6, 9)]
    assert passages([(B, A)], [(0, 4, 6, 8, 10)]) == [(0, 6, 9, 10, 12.92)]
    assert passages([(A, B), (A, B)], [(0, 10, 11, 6, 7)])[-1] == (1, 8, 12.92, 4, 9)


def test_the_best_of_two_passages_with_the_same_words_in_the_longer_text_is_kept() -> None:
    between = map(sentence, range(70, 83))
    again = text(*map(rewritten, [8, 9]), *between, *map(rewritten, range(8, 13)))
    long = text(*map(sentence, range(20)), sentence(99))
    assert passages([(long, again)]) == [(0, 8, 12.92, 15, 20)]
    assert passages([(again, long)]) == [(0, 15, 20, 8, 12.92)]


def test_which_text_is_first_changes_nothing() -> None:
    couples = [(A, B), (A, BOTH), (B, BOTH), (A, text(*map(rewritten, range(20))))]
    for a, b in couples:
        turned = [(p, *y, *x) for p, *x, y0, y1 in passages([(b, a)]) for y in [(y0, y1)]]
        assert sorted(passages([(a, b)])) == sorted(turned)


@given(SENTENCES, SENTENCES, WEIGHTS, st.sampled_from([0.0, 0.5, 1.0]))
def test_what_is_trimmed_speaks_against_a_passage(a: Any, b: Any, weights: Any, penalty: float) -> None:
    words, others = ([word for own in text for word in own] for text in (a, b))
    found = soft.trimmed(
        np.array(words, np.int64), np.array(others, np.int64), np.array(weights), penalty
    )
    values = [weights[w] if w in others else -penalty * weights[w] for w in words]
    best = max(sum(values[i:j]) for i in range(len(words) + 1) for j in range(i, len(words) + 1))
    assert sum(values[slice(*found)]) == pytest.approx(best)


@given(SENTENCES, SENTENCES, WEIGHTS)
def test_the_weight_of_common_words_is_that_of_each_once(a: Any, b: Any, weights: Any) -> None:
    words, others = ([word for own in text for word in own] for text in (a, b))
    common, share = soft.common_weights(
        np.array(words, np.int64), np.array(others, np.int64), np.array(weights)
    )
    expected = sum(weights[word] for word in {*words} & {*others})
    whole = sum(weights[word] for word in (*{*words}, *{*others}))
    assert common == pytest.approx(expected)
    assert share == pytest.approx(2 * expected / whole if whole else 0.0)


@given(*[st.lists(st.integers(0, 5), min_size=3, max_size=24)] * 2)
def test_passages_do_not_overlap(a: list[int], b: list[int]) -> None:
    one = text(*map(sentence, a))
    other = text(*map(rewritten, b))
    rows = passages([(one, other), (one, one)])
    side = 3 if len(other.words) > len(one.words) else 1  # the longer one
    spans = [(row[0], *(row[side : side + 2] if row[0] == 0 else row[1:3])) for row in rows]
    assert all(
        p != q or end <= begin or stop <= start
        for (p, start, end), (q, begin, stop) in combinations(spans, 2)
    )
    assert all(end <= start for p, _, end, start, _ in rows if p == 1)
