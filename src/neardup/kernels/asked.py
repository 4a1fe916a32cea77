"""Looking one thread up among very many: of those that share values with it, the best first."""

import numpy as np

from neardup.kernels.arrays import ascending
from neardup.kernels.compiled import kernel
from neardup.kernels.threads import CLOSE, score_pair


@kernel
def look_up(  # type: ignore[no-untyped-def]
    values, bounds, threads, shares, gone, asked, own, how, least, rest, top, worth
):
    """Return the `top` threads that are most similar to the one asked for: numbers, scores, means.

    Its sets are asked[own[f]:own[f + 1]]. Some of its values were looked up: thread threads[i] has one
    that is worth shares[i]; all others are worth `rest`. Those that share the most are scored first,
    until no other can be among the best. Threads that are gone are left out. `worth` is scratch space,
    all zeros.
    """
    touched = np.empty(len(threads), np.int64)
    found = 0
    for i in range(len(threads)):
        thread = threads[i]
        if gone[thread]:
            continue
        if worth[thread] == 0:
            touched[found] = thread
            found += 1
        worth[thread] += shares[i]
    return best_of(values, bounds, asked, own, how, least, top, touched[:found], worth, rest)


@kernel
def best_of(  # type: ignore[no-untyped-def]
    values, bounds, asked, own, how, least, top, touched, worth, rest
):
    """Score the candidates, those that share the most first, and leave `worth` all zeros."""
    weights, contained, scaled = how
    fields = len(weights)
    numbers = np.full(top, -1, np.int64)
    scores = np.full((top, fields), -1.0)
    means = np.full(top, -1.0)
    tops, own_scores = np.empty(fields, np.float64), np.empty(fields, np.float64)
    shared = np.empty(len(touched), np.float64)
    for c in range(len(touched)):
        shared[c] = -worth[touched[c]]
        worth[touched[c]] = 0
    for c in ascending(shared):
        needed = max(least, means[top - 1])
        if -shared[c] + rest < needed * (1 - CLOSE) - CLOSE:
            break
        thread = touched[c]
        there = bounds[thread * fields : (thread + 1) * fields + 1]
        mean = score_pair(
            asked, own, values, there, weights, contained, scaled, needed, tops, own_scores
        )
        if mean < 0 or not better(mean, thread, means[top - 1], numbers[top - 1]):
            continue
        place = top - 1
        while place > 0 and better(mean, thread, means[place - 1], numbers[place - 1]):
            numbers[place], means[place] = numbers[place - 1], means[place - 1]
            scores[place] = scores[place - 1]
            place -= 1
        numbers[place], means[place] = thread, mean
        scores[place] = own_scores
    return numbers, scores, means


@kernel(inline="always")
def better(mean, thread, other_mean, other):  # type: ignore[no-untyped-def]
    """Return whether one thread comes before another: the more similar, or else the earlier."""
    return mean > other_mean or (mean == other_mean and thread < other)
