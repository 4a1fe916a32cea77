"""Looking one thread up among very many: postings in a hashed table, best candidates first."""

import numpy as np

from neardup.kernels.arrays import ascending
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import cell_of
from neardup.kernels.threads import CLOSE, score_pair, weigh_values


@kernel
def count_cells(values, ends):  # type: ignore[no-untyped-def]
    """Write where the values of each cell end, if they lie in the order of cells."""
    cells = np.uint64(len(ends) - 1)
    for i in range(len(values)):
        ends[cell_of(values[i], cells)] += 1
    total = 0
    for c in range(len(ends)):
        total += ends[c]
        ends[c] = total


@kernel
def fill_postings(values, bounds, postings, ends, low, high):  # type: ignore[no-untyped-def]
    """Write the numbers of threads to the cells of their values, for the cells from `low` to `high`.

    From the last thread to the first, so that numbers ascend, and where a cell ends becomes where it
    begins.
    """
    cells = np.uint64(len(ends) - 1)
    for t in range(len(bounds) - 2, -1, -1):
        for i in range(bounds[t], bounds[t + 1]):
            cell = cell_of(values[i], cells)
            if low <= cell < high:
                ends[cell] -= 1
                postings[ends[cell]] = t


@kernel
def look_up(  # type: ignore[no-untyped-def]
    values, bounds, postings, starts, asked, own, weights, contained, scaled, least, top, worth
):
    """Return the `top` threads that are most similar to the one asked for: numbers, scores, means.

    Its sets are asked[own[f]:own[f + 1]]. Of its values, rarest first, so many are looked up that the
    rest is worth less than `least`: no thread that is similar enough is missed. Those that share the
    most are scored first, until no other can be among the best; where a single value may be worth a
    whole field, which is one that is compared by containment, all are scored. `worth` is scratch space,
    all zeros.
    """
    cells = np.uint64(len(starts) - 1)
    shares = np.empty(len(asked), np.float64)
    rest, all_needed = weigh_values(own, weights, contained, scaled, least, shares)
    lengths = np.empty(len(asked), np.int64)
    for i in range(len(asked)):
        cell = cell_of(asked[i], cells)
        lengths[i] = np.int64(starts[cell + np.uint64(1)]) - np.int64(starts[cell])
    touched = np.empty(lengths.sum(), np.int64)
    order = ascending(lengths)
    found = 0
    for k in range(len(order)):
        if rest < least * (1 - CLOSE) - CLOSE and not all_needed:
            break
        share = shares[order[k]]
        rest -= share
        if share <= 0:
            continue
        begin = np.int64(starts[cell_of(asked[order[k]], cells)])
        for i in range(begin, begin + lengths[order[k]]):
            thread = np.int64(postings[i])
            if worth[thread] == 0:
                touched[found] = thread
                found += 1
            worth[thread] += share
    rest = 1.0 if all_needed else max(rest, 0.0)
    how = (weights, contained, scaled)
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
