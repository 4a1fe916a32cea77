"""Hits: the places in two texts where they have the same run of words, and whether they lie together."""

import numpy as np
from numba import njit

from neardup.kernels.alignment import index_of

LOOK_BACK = 32  # hits


@njit(nogil=True, cache=True)
def hits_of_pairs(runs, left, right, least, reach):  # type: ignore[no-untyped-def]
    """Return the hits of pairs of texts: places in a, places in b, and where each pair's begin.

    Pair p is text left[p] and text right[p]; `runs` are (keys, places, bounds), those of text t from
    bounds[t] to bounds[t + 1]. Pairs with the same left text should follow each other. A pair of which
    no `least` hits lie within `reach` words in both texts has none. The hits of a pair are sorted by
    diagonal and place.
    """
    keys, places, bounds = runs
    pairs = len(left)
    starts = np.zeros(pairs + 1, np.int64)
    found = np.empty((4096, 2), np.int32)
    own = np.empty((1024, 2), np.int64)
    indexed = -1
    keys_a = np.empty(0, np.uint64)
    head, following, last = index_of(keys_a, 0)
    for p in range(pairs):
        a, b = left[p], right[p]
        if a != indexed:
            keys_a = keys[bounds[a] : bounds[a + 1]].copy().view(np.uint64)
            head, following, last = index_of(keys_a, len(keys_a))
            indexed = a
        one = slice(bounds[b], bounds[b + 1])
        own, count = common_places(
            keys_a, places[bounds[a] : bounds[a + 1]], head, following, last,
            keys[one], places[one], a == b, own,
        )  # fmt: skip
        total = starts[p]
        if lie_together(own[:count], least, reach):
            if total + count > len(found):
                longer = np.empty((max(total + count, 2 * len(found)), 2), np.int32)
                longer[:total] = found[:total]
                found = longer
            order = np.argsort((own[:count, 1] - own[:count, 0]) * (1 << 31) + own[:count, 0])
            for k in range(count):
                found[total + k, 0], found[total + k, 1] = own[order[k], 0], own[order[k], 1]
            total += count
        starts[p + 1] = total
    return found[: starts[pairs], 0].copy(), found[: starts[pairs], 1].copy(), starts


@njit(nogil=True, cache=True)
def common_places(keys_a, places_a, head, following, last, keys_b, places_b, same, out):  # type: ignore[no-untyped-def]
    """Return the pairs of places with the same key, sorted by the place in a, and their number."""
    count = 0
    for j in range(len(keys_b)):
        key = np.uint64(keys_b[j])
        k = head[key & last]
        while k >= 0:
            if keys_a[k] == key and (not same or places_a[k] < places_b[j]):
                if count == len(out):
                    longer = np.empty((2 * count, 2), np.int64)
                    longer[:count] = out
                    out = longer
                out[count, 0], out[count, 1] = places_a[k], places_b[j]
                count += 1
            k = following[k]
    order = np.argsort(out[:count, 0] * (1 << 31) + out[:count, 1])
    out[:count] = out[:count][order]
    return out, count


@njit(nogil=True, cache=True)
def lie_together(hits, least, reach):  # type: ignore[no-untyped-def]
    """Say whether `least` hits, sorted by their first place, lie within `reach` words in both texts."""
    for k in range(least - 1, len(hits)):
        near = 1
        for j in range(k - 1, max(k - 1 - LOOK_BACK, -1), -1):
            if hits[k, 0] - hits[j, 0] > reach:
                break
            near += abs(hits[k, 1] - hits[j, 1]) <= reach
        if near >= least:
            return True
    return False


@njit(nogil=True, cache=True)
def extended_runs(a, b, hits_a, hits_b, same):  # type: ignore[no-untyped-def]
    """Return rows (start in a, start in b, length) of the maximal equal runs around hits.

    Hits are sorted by diagonal and place. A run that lies inside another one's words in a is left out,
    so that what a has once is reported once. With `same`, runs do not overlap their own copy.
    """
    runs = np.empty((len(hits_a), 3), np.int64)
    count = 0
    diagonal, end = np.int64(0), np.int64(-1)
    for k in range(len(hits_a)):
        i, j = np.int64(hits_a[k]), np.int64(hits_b[k])
        if j - i == diagonal and i < end:
            continue
        first = end if j - i == diagonal else np.int64(0)
        diagonal = j - i
        if same:
            first = max(first, i - diagonal + 1)
        begin = i
        while begin > first and begin + diagonal > 0 and a[begin - 1] == b[begin - 1 + diagonal]:
            begin -= 1
        end = i
        most = min(len(a), len(b) - diagonal, begin + diagonal if same else len(a))
        while end < most and a[end] == b[end + diagonal]:
            end += 1
        if end > begin:
            runs[count, 0], runs[count, 1], runs[count, 2] = begin, begin + diagonal, end - begin
            count += 1
        end = max(end, i + 1)
    runs = runs[:count]
    # by start, the longest first
    runs = runs[np.argsort(runs[:, 0] * (1 << 31) - runs[:, 2], kind="mergesort")]
    kept, reached = 0, np.int64(-1)
    for k in range(count):
        if runs[k, 0] + runs[k, 2] > reached:
            reached = runs[k, 0] + runs[k, 2]
            runs[kept] = runs[k]
            kept += 1
    return runs[:kept]
