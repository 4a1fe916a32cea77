"""Tests, intervals and agreement are those of statisticians' tools and textbooks."""

import math

import numpy as np
import pytest
import scipy  # which imports its parts when they are used
from hypothesis import given
from hypothesis import strategies as st

from neardup.chance import concord, kendall, paired_tests, share_interval

VALUES = st.lists(st.floats(-1, 1), min_size=2, max_size=60)


@given(VALUES, st.integers(0, 99), st.sampled_from([0.0, 0.1, 5.0]))
def test_paired_tests_are_those_of_scipy(values: list[float], seed: int, shift: float) -> None:
    a = np.array([values])
    b = a + shift + np.random.default_rng(seed).normal(size=a.shape)
    assert paired_tests(a, b)[0] == pytest.approx(
        scipy.stats.ttest_rel(a[0], b[0]).pvalue, rel=1e-9, abs=1e-300
    )


def test_tests_that_cannot_be_made_say_so() -> None:
    one = np.ones((1, 3))
    assert paired_tests(one, one).tolist() == [1.0]
    assert paired_tests(one, one + 0.5).tolist() == [0.0], "always the same difference"
    assert math.isnan(paired_tests(one[:, :1], one[:, :1] + 1)[0])
    assert not len(paired_tests(one[:0], one[:0]))


@given(st.integers(2, 40), st.integers(0, 999), st.sampled_from([2, 5, 10**6]))
def test_orders_are_compared_as_by_scipy(count: int, seed: int, different: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, different, (2, count)).astype(float)
    tau, p = kendall(a, b)
    right = scipy.stats.kendalltau(a, b)
    if np.isnan(right.statistic):
        assert math.isnan(tau) and math.isnan(p)
    else:
        assert (tau, p) == pytest.approx((right.statistic, right.pvalue), abs=1e-12)


def test_one_thing_has_no_order() -> None:
    assert all(math.isnan(value) for value in kendall([1.0], [2.0]))


@pytest.mark.parametrize(("part", "whole"), [(0, 10), (3, 10), (10, 10), (81, 100)])
def test_intervals_are_those_of_wilson(part: int, whole: int) -> None:
    right = scipy.stats.binomtest(part, whole).proportion_ci(method="wilson")
    assert share_interval(part, whole) == pytest.approx((right.low, right.high))
    assert share_interval(0, 0) == (0.0, 1.0)


def test_of_a_population_that_is_known_less_is_left_to_chance() -> None:
    low, high = share_interval(40, 80, population=100)
    wide = share_interval(40, 80)
    assert wide.low < low < 0.5 < high < wide.high
    assert share_interval(40, 80, population=80) == (0.5, 0.5)
    assert share_interval(40, 80, population=10**9) == pytest.approx(wide, abs=1e-6)


@pytest.mark.parametrize(("share", "drawn"), [(0.5, 30), (0.9, 60), (0.97, 150)])
def test_intervals_of_samples_hold_the_truth_95_times_of_100(share: float, drawn: int) -> None:
    population, random = 200, np.random.default_rng(3)
    right = round(share * population)
    found = random.hypergeometric(right, population - right, drawn, 2000)
    ends = [share_interval(int(part), drawn, population) for part in found]
    held = np.mean([low <= right / population <= high for low, high in ends])
    assert held > 0.93


def kappa_of(answers: list[str]) -> float | None:
    found = concord(answers)
    return found.kappa if found else None


def test_agreement_of_two_judges() -> None:
    # 20 yes together, 15 no together, 5 and 10 apart: 0.7 agreed, 0.5 by chance
    answers = ["yy"] * 20 + ["yn"] * 5 + ["ny"] * 10 + ["nn"] * 15
    found = concord(answers)
    assert found is not None and found.agreed == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    wilson = share_interval(35, 50)
    assert (found.low, found.high) == pytest.approx([(end - 0.5) / 0.5 for end in wilson])
    assert kappa_of(["yy", "yy"]) is None, "chance alone would do it"
    assert kappa_of(["yn", "ny"]) == -1
    assert concord([]) is None and concord(["y", "n"]) is None


def test_agreement_of_many_judges() -> None:
    # the example of Fleiss' paper, as many textbooks have it
    table = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    answers = ["".join(letter * n for letter, n in zip("abcde", row, strict=True)) for row in table]
    assert kappa_of(answers) == pytest.approx(0.210, abs=0.0005)


@pytest.mark.parametrize("judges", [2, 3])
@pytest.mark.parametrize(("right", "usual"), [(0.7, 0.5), (0.9, 0.8), (0.98, 0.5), (0.95, 0.95)])
def test_intervals_of_agreement_hold_the_truth(judges: int, right: float, usual: float) -> None:
    random = np.random.default_rng(5)

    def judged(count: int) -> list[str]:
        truth = random.random((count, 1)) < usual
        said = truth ^ (random.random((count, judges)) > right)
        return ["".join("yn"[int(one)] for one in row) for row in said]

    truth = kappa_of(judged(40_000))
    found = [concord(judged(60)) for _ in range(300)]
    known = [(one.low, one.high) for one in found if one and one.kappa is not None]
    held = np.mean([low <= truth <= high for low, high in known])  # type: ignore[operator]
    assert held > 0.91
