"""Measures of pairs, clusters and passages, against slow ones and by hand."""

import random
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.written import passage
from tests.twins.measures import (
    slow_adjusted_rand,
    slow_b_cubed,
    slow_exact,
    slow_granularity,
    slow_micro_recall,
    slow_recall,
)

from neardup.evaluation import (
    Passage,
    cluster_scores,
    pair_scores,
    passage_scores,
)

# Pairs


def test_pairs_are_scored_by_counts() -> None:
    scores = pair_scores(right=6, wrong=2, missed=4)
    assert (scores.precision, scores.recall) == (0.75, 0.6)
    assert scores.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [((0, 0, 0), (1, 1, 1)), ((0, 0, 3), (0, 0, 0)), ((0, 3, 0), (0, 0, 0)), ((2, 0, 0), (1, 1, 1))],
)
def test_pairs_where_something_is_missing(
    counts: tuple[int, int, int], expected: tuple[float, float, float]
) -> None:
    scores = pair_scores(*counts)
    assert (scores.precision, scores.recall, scores.f1) == expected


# Clusters


def labels(*values: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def test_clusters_by_hand() -> None:
    # gold {1 2 3} {4 5} {6}, found {1 2} {3 4 5} {6}
    scores = cluster_scores(labels(0, 0, 0, 1, 1, 2), labels(0, 0, 1, 1, 1, 2))
    assert scores.b_cubed.precision == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3 + 1) / 6)
    assert scores.b_cubed.recall == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1 + 1) / 6)
    assert scores.b_cubed_clustered.documents == 5
    assert scores.b_cubed_clustered.precision == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    # pairs: 2 common, 4 in gold, 4 found, of 15
    assert scores.adjusted_rand == pytest.approx((2 - 16 / 15) / (4 - 16 / 15))
    assert (scores.exact_clusters, scores.gold_clusters, scores.found_clusters) == (0, 2, 2)


def test_the_same_clusters_are_all_found() -> None:
    scores = cluster_scores(labels(0, 0, 1, 1, 2), labels(8, 8, 3, 3, 4))
    assert (scores.adjusted_rand, scores.b_cubed.f1, scores.exact) == (1, 1, 1)


@pytest.mark.parametrize("partition", [[], [0], [0, 1, 2], [5, 5, 5]])
def test_clusters_without_choice_agree(partition: list[int]) -> None:
    scores = cluster_scores(labels(*partition), labels(*partition))
    assert (scores.adjusted_rand, scores.b_cubed.f1, scores.exact) == (1, 1, 1)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=25))
def test_cluster_measures_are_what_brute_force_says(both: list[tuple[int, int]]) -> None:
    gold, found = [g for g, _ in both], [f for _, f in both]
    scores = cluster_scores(labels(*gold), labels(*found))
    precision, recall = slow_b_cubed(gold, found)
    assert scores.adjusted_rand == pytest.approx(slow_adjusted_rand(gold, found))
    assert scores.b_cubed.precision == pytest.approx(precision)
    assert scores.b_cubed.recall == pytest.approx(recall)
    assert scores.exact_clusters == slow_exact(gold, found)


# Passages: PAN's measures


def test_a_case_that_is_found_whole() -> None:
    case = passage((0, 100), (500, 620))
    scores = passage_scores([case], [case])
    assert (scores.plagdet, scores.precision, scores.recall, scores.granularity) == (1, 1, 1, 1)
    assert (scores.micro_plagdet, scores.cases, scores.cases_found, scores.detections) == (1, 1, 1, 1)


def test_a_detection_must_overlap_in_both_documents() -> None:
    case = passage((0, 100), (0, 100))
    beside = [
        passage((100, 200), (0, 100)),
        passage((0, 100), (100, 200)),
        passage((0, 100), (0, 100), id_b="other"),
        passage((0, 100), (0, 100), id_a="other"),
    ]
    scores = passage_scores([case], beside)
    assert (scores.precision, scores.recall, scores.plagdet) == (0, 0, 0)
    assert (scores.granularity, scores.cases_found) == (1, 0)


def test_characters_of_both_documents_count() -> None:
    # of 100 + 100 characters 50 + 75 are found, and the detection has 100 + 75
    scores = passage_scores([passage((0, 100), (0, 100))], [passage((50, 150), (25, 100))])
    assert scores.recall == pytest.approx(125 / 200)
    assert scores.precision == pytest.approx(125 / 175)


def test_overlapping_detections_count_each_character_once() -> None:
    case = passage((0, 100), (0, 100))
    scores = passage_scores([case], [passage((50, 150), (50, 150)), passage((25, 100), (25, 100))])
    assert scores.recall == pytest.approx(0.75)
    assert scores.precision == pytest.approx((0.5 + 1) / 2)
    assert scores.granularity == 2
    assert scores.f1 == pytest.approx(0.75)
    assert scores.plagdet == pytest.approx(0.75 / log2(3))
    # common: 25 to 100 on either side; found in all: 25 to 150
    assert scores.micro_recall == pytest.approx(0.75)
    assert scores.micro_precision == pytest.approx(75 / 125)


def test_granularity_is_the_mean_over_cases_that_were_found() -> None:
    cases = [passage((0, 100), (0, 100)), passage((200, 300), (200, 300)), passage((400, 500), (0, 9))]
    pieces = [passage((at, at + 20), (at, at + 20)) for at in (0, 40, 80)]
    scores = passage_scores(cases, [*pieces, cases[1]])
    assert scores.granularity == 2
    assert (scores.cases_found, scores.cases) == (2, 3)
    assert scores.recall == pytest.approx((0.6 + 1 + 0) / 3)
    assert scores.precision == 1


def test_macro_averages_weigh_every_case_alike_and_micro_averages_every_character() -> None:
    cases = [passage((0, 1000), (0, 1000)), passage((2000, 2010), (2000, 2010))]
    scores = passage_scores(cases, cases[:1])
    assert scores.recall == 0.5
    assert scores.micro_recall == pytest.approx(2000 / 2020)


def test_one_detection_over_two_cases() -> None:
    cases = [passage((0, 40), (0, 40)), passage((60, 100), (60, 100))]
    scores = passage_scores(cases, [passage((0, 100), (0, 100))])
    assert (scores.recall, scores.granularity) == (1, 1)
    assert scores.precision == pytest.approx(0.8)


@pytest.mark.parametrize(("cases", "found", "expected"), [(0, 0, 1), (1, 0, 0), (0, 1, 0)])
def test_without_cases_or_detections_it_is_as_pan_has_it(cases: int, found: int, expected: int) -> None:
    one = passage((0, 10), (0, 10))
    scores = passage_scores([one] * cases, [one] * found)
    assert (scores.precision, scores.recall, scores.plagdet) == (expected, expected, expected)
    assert (scores.micro_precision, scores.micro_recall, scores.granularity) == (expected, expected, 1)


def test_what_is_listed_twice_counts_once() -> None:
    one, other = passage((0, 10), (0, 10)), passage((20, 30), (20, 30))
    assert passage_scores([one, one, other], [one, one]) == passage_scores([one, other], [one])


spans = st.tuples(st.integers(0, 40), st.integers(1, 15)).map(lambda at: (at[0], at[0] + at[1]))
passages = st.builds(passage, spans, spans, st.sampled_from("ax"), st.sampled_from("ba"))


@given(st.lists(passages, max_size=8), st.lists(passages, max_size=8))
def test_passage_measures_are_what_sets_of_characters_say(
    cases: list[Passage], found: list[Passage]
) -> None:
    scores = passage_scores(cases, found)
    sets = set(cases), set(found)
    precision, recall = slow_recall(sets[1], sets[0]), slow_recall(*sets)
    granularity = slow_granularity(*sets)
    assert scores.recall == pytest.approx(recall)
    assert scores.precision == pytest.approx(precision)
    assert scores.granularity == pytest.approx(granularity)
    assert scores.micro_recall == pytest.approx(slow_micro_recall(*sets))
    assert scores.micro_precision == pytest.approx(slow_micro_recall(sets[1], sets[0]))
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    assert scores.plagdet == pytest.approx(f1 / log2(1 + granularity))


def test_many_passages_take_little_time() -> None:
    random_ = random.Random(1)
    starts = [random_.randrange(5 * 10**6) for _ in range(10_000)]
    many = [passage((at, at + 300), (at, at + 300)) for at in starts]
    moved = [passage((at + 50, at + 350), (at, at + 300)) for at in starts]
    assert passage_scores(many, moved).recall > 0.9  # every one with every other would take minutes
