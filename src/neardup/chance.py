"""What chance alone would do: p of tests, intervals of shares, agreement of judges beyond it.

These are textbook formulas, computed to the last digits that a float has; no library is needed for them.
"""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from neardup.arrays import Floats

EVEN = 1e-12  # what rounding leaves of no difference
MOST_EXACT = 33  # values of which all orders are counted, as statisticians' tools do
Z = 1.959963984540054  # of an interval that holds the true value 95 times of 100


class Interval(NamedTuple):
    """Where the true value lies, 95 times of 100."""

    low: float
    high: float


def paired_tests(a: Floats, b: Floats) -> Floats:
    """Return p of the two-sided paired t-test for each row; 1 where nothing differs, nan for one column.

    >>> paired_tests(np.array([[1.0, 2.0, 3.0]]), np.array([[0.0, 2.0, 2.0]])).round(4)
    array([0.1835])
    """
    count = a.shape[1]
    if count < 2 or not len(a):
        return np.full(len(a), np.nan)
    difference = a - b
    always = np.ptp(difference, axis=1) < EVEN  # the test would divide by the deviation
    found = np.where(np.abs(difference[:, 0]) < EVEN, 1.0, 0.0)
    varied = difference[~always]
    t = varied.mean(axis=1) / (varied.std(axis=1, ddof=1) / math.sqrt(count))
    freedom = count - 1
    found[~always] = beta_share(freedom / 2, 0.5, freedom / (freedom + t * t))  # both sides of t
    return found


def beta_share(a: float, b: float, x: Floats) -> Floats:
    """Return the regularised incomplete beta function, by its continued fraction.

    >>> beta_share(2, 3, np.array([0.4, 0.9])).round(12)
    array([0.5248, 0.9963])
    """
    far = x > (a + 1) / (a + b + 2)  # there, the other end converges faster
    found = np.zeros(len(x))
    found[~far] = _near_zero(a, b, x[~far])
    found[far] = 1 - _near_zero(b, a, 1 - x[far])
    return found


def _near_zero(a: float, b: float, x: Floats) -> Floats:
    """Return 1 + d1/(1 + d2/(1 + …)) from below, times what stands before it.

    Its 500 terms are enough for a and b up to 10,000.
    """
    value = np.ones(len(x))
    for m in range(250, 0, -1):
        even = m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m - 1) * (a + b + m - 1) / ((a + 2 * m - 2) * (a + 2 * m - 1))
        value = 1 + odd * x / (1 + even * x / value)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    with np.errstate(divide="ignore"):
        front = np.exp(scale + a * np.log(x) + b * np.log1p(-x))
    found: Floats = front / (a * value)
    return found


def kendall(a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """Return Kendall's tau-b of two orders, and its p; nan where all values of one are equal.

    Of few values without ties, p is exact; else it is that of the normal distribution, with ties.
    """
    one, other = np.asarray(a, np.float64), np.asarray(b, np.float64)
    left, right = np.triu_indices(len(one), 1)
    signs = np.sign(one[left] - one[right]), np.sign(other[left] - other[right])
    total = len(left)
    score = int((signs[0] * signs[1]).sum())
    untied = [int(np.count_nonzero(sign)) for sign in signs]
    if not total or not all(untied):
        return math.nan, math.nan
    tau = max(-1.0, min(1.0, score / math.sqrt(untied[0]) / math.sqrt(untied[1])))
    if untied == [total, total] and len(one) <= MOST_EXACT:
        return tau, exact_kendall(len(one), (total - score) // 2)
    return tau, normal_kendall(one, other, score)


def exact_kendall(count: int, inversions: int) -> float:
    """Return how often chance puts things into an order as far from even as this, or farther."""
    ways = [1]  # orders of k things with 0, 1, 2, … inversions
    for k in range(2, count + 1):
        sums = [0]
        for number in ways + [0] * (k - 1):
            sums.append(sums[-1] + number)
        ways = [sums[i + 1] - sums[max(0, i + 1 - k)] for i in range(len(sums) - 1)]
    tail = sum(ways[: min(inversions, len(ways) - 1 - inversions) + 1])
    return min(1.0, 2 * tail / math.factorial(count))


def normal_kendall(a: Floats, b: Floats, score: int) -> float:
    """Return p by the normal distribution, its variance without what ties take from it."""
    count = len(a)
    sizes = [np.unique(values, return_counts=True)[1].astype(np.float64) for values in (a, b)]
    pairs = [float((t * (t - 1)).sum()) for t in sizes]
    triples = [float((t * (t - 1) * (t - 2)).sum()) for t in sizes]
    spread = [float((t * (t - 1) * (2 * t + 5)).sum()) for t in sizes]
    ordered = count * (count - 1.0)
    variance = (ordered * (2 * count + 5) - sum(spread)) / 18 + pairs[0] * pairs[1] / (2 * ordered)
    if count > 2:
        variance += triples[0] * triples[1] / (9 * ordered * (count - 2))
    return math.erfc(abs(score) / math.sqrt(2 * variance)) if variance > 0 else 1.0


def share_interval(part: float, whole: float, population: float = math.inf) -> Interval:
    """Return the interval of 95 % of a share, by Wilson's formula.

    Of a `population` that was looked at in large part, or as a whole, less is left to chance.

    >>> tuple(round(end, 4) for end in share_interval(90, 100))
    (0.8256, 0.9448)
    >>> share_interval(90, 100, population=100)
    Interval(low=0.9, high=0.9)
    """
    if not whole:
        return Interval(0.0, 1.0)
    rate = part / whole
    if whole >= population:
        return Interval(rate, rate)
    unseen = 1.0 if math.isinf(population) else (population - whole) / (population - 1)
    more = Z * Z * unseen / whole
    middle = rate + more / 2
    half = math.sqrt(more * (rate * (1 - rate) + more / 4))
    # at the ends, rounding would say a little less than all, or more than nothing
    low = 0.0 if part == 0 else (middle - half) / (1 + more)
    return Interval(low, 1.0 if part == whole else (middle + half) / (1 + more))


@dataclass(frozen=True)
class Concord:
    """How far judges agree, and how far beyond chance: κ of Cohen, of Fleiss for more than two.

    `low` to `high` is the interval of 95 % of κ. Without κ, chance alone would agree everywhere.
    """

    agreed: float
    kappa: float | None
    low: float | None
    high: float | None


def concord(answers: Sequence[Sequence[Hashable]]) -> Concord | None:
    """Return how far judges agree who all gave an answer to each question; None of one judge, or none.

    The interval is that of the agreement by Wilson's formula, with chance as it was found (Cohen 1960).

    >>> found = concord(["yy", "yy", "yn", "nn"])
    >>> found.agreed, found.kappa
    (0.75, 0.5)
    """
    if not answers or len(answers[0]) < 2:
        return None
    count, judges = len(answers), len(answers[0])
    given = [Counter(own) for own in answers]
    agreed = sum(n * (n - 1) for own in given for n in own.values()) / (count * judges * (judges - 1))
    by_judge = [Counter(column) for column in zip(*answers, strict=True)]
    whole = sum(by_judge, Counter[Hashable]())
    if judges == 2:
        by_chance = sum(by_judge[0][answer] * by_judge[1][answer] for answer in whole) / count**2
    else:
        by_chance = sum(number**2 for number in whole.values()) / (count * judges) ** 2
    ends = share_interval(agreed * count, count)
    return Concord(agreed, *(beyond(share, by_chance) for share in (agreed, *ends)))


def beyond(agreed: float, by_chance: float) -> float | None:
    """Return how much of the agreement that chance leaves open was reached."""
    return None if 1 - by_chance < EVEN else (agreed - by_chance) / (1 - by_chance)
