"""Winnowing: of every few neighbouring runs of words, one is kept, the same in every text."""

import math

import numpy as np

from neardup.kernels.arrays import room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import count_of
from neardup.kernels.shingles import cell_for, distinct, roll, table_size

MOST_PLACES = 4  # of a run of words in one text; more say no more
UNIT = 1024  # what a run of words is worth that two documents share


@kernel
def winnow(words, width, window, places):  # type: ignore[no-untyped-def]
    """Write the places of the kept runs of `width` words; return their hashes and how many there are.

    Of every `window` neighbouring runs the one with the lowest hash is kept, the last of equal ones:
    two texts that share width + window - 1 words in a row share a kept run (Schleimer, Wilkerson and
    Aiken 2003). `places` needs room for as many runs as there are words.
    """
    hashes = np.empty(len(words), np.uint64)
    count = roll(words, len(words), width, hashes)
    kept = 0
    best = -1
    for i in range(count):
        first = max(i - window + 1, 0)
        if best < first:  # the lowest one has left the window
            best = first
            for j in range(first + 1, i + 1):
                if hashes[j] <= hashes[best]:
                    best = j
        elif hashes[i] <= hashes[best]:
            best = i
        if (i >= window - 1 or i == count - 1) and (kept == 0 or places[kept - 1] != best):
            places[kept] = best
            kept += 1
    return hashes, kept


@kernel
def winnow_texts(words, bounds, width, window, counters):  # type: ignore[no-untyped-def]
    """Return the kept runs of each text end to end, in order: hashes, places, where each text's begin.

    With any counters, only the runs that two texts or more may have, and of each the first few places.
    """
    texts = len(bounds) - 1
    starts = np.zeros(texts + 1, np.int64)
    keys, all_places = np.empty(1024, np.uint64), np.empty(1024, np.int32)
    longest = 0
    for t in range(texts):
        longest = max(longest, bounds[t + 1] - bounds[t])
    places = np.empty(longest, np.int64)
    table, counts = np.empty(0, np.uint64), np.empty(0, np.uint8)
    for t in range(texts):
        hashes, kept = winnow(words[bounds[t] : bounds[t + 1]].view(np.uint64), width, window, places)
        keys = room_for(keys, starts[t], kept)
        all_places = room_for(all_places, starts[t], kept)
        size = table_size(kept + 1)
        if size > len(table):
            table, counts = np.empty(size, np.uint64), np.empty(size, np.uint8)
        table[:size] = 0
        total = starts[t]
        for k in range(kept):
            key = hashes[places[k]]
            if len(counters) and count_of(counters, key) < 2:
                continue
            if seen_before(table[:size], counts, key) < MOST_PLACES:
                keys[total], all_places[total] = key, places[k]
                total += 1
        starts[t + 1] = total
    return keys[: starts[texts]].copy(), all_places[: starts[texts]].copy(), starts


@kernel
def seen_before(table, counts, key):  # type: ignore[no-untyped-def]
    """Return how often a key was asked for before; the table is empty (zeros) at first."""
    key = key if key != 0 else np.uint64(1)
    cell = cell_for(table, key)
    if table[cell] == 0:
        table[cell], counts[cell] = key, 0
    elif counts[cell] < 255:
        counts[cell] += 1
    return counts[cell]


@kernel
def distinct_keys(keys, bounds):  # type: ignore[no-untyped-def]
    """Return the distinct keys of each text end to end, and where each text's begin."""
    starts = np.zeros(len(bounds), np.int64)
    found = keys.copy()
    for t in range(len(bounds) - 1):
        own = found[bounds[t] : bounds[t + 1]].copy()
        count = distinct(own, len(own), np.empty(table_size(len(own) + 1), np.uint64))
        found[starts[t] : starts[t] + count] = own[:count]
        starts[t + 1] = starts[t] + count
    return found[: starts[-1]].copy(), starts


@kernel(inline="always")
def worth_of(documents):  # type: ignore[no-untyped-def]
    """Return what it is worth to share a run that this many documents have: the rarer, the more."""
    return np.int64(UNIT / math.log2(documents))


@kernel
def weighed_pairs(members, bounds, lists, list_bounds, cap, boundary):  # type: ignore[no-untyped-def]
    """Return how much the posting lists that two members share are worth: arrays (a, b, worth), a < b.

    A list of n members is worth 1024 / log2(n). List l is
    members[bounds[l]:bounds[l + 1]], ascending; the lists of member a are
    lists[list_bounds[a]:list_bounds[a + 1]]. Lists of over `cap` members are left out. With a boundary
    of 0 or more, only members below it are paired, with those from it on.
    """
    count = len(list_bounds) - 1
    seen = np.zeros(count, np.int64)
    touched = np.empty(count, np.int64)
    left, right, worths = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64)
    total = 0
    for a in range(count if boundary < 0 else min(boundary, count)):
        others = 0
        for k in range(list_bounds[a], list_bounds[a + 1]):
            begin, end = bounds[lists[k]], bounds[lists[k] + 1]
            if end - begin > cap:
                continue
            worth = worth_of(end - begin)
            for i in range(end - 1, begin - 1, -1):
                b = members[i]
                if b <= a or b < boundary:
                    break
                if seen[b] == 0:
                    touched[others] = b
                    others += 1
                seen[b] += worth
        left = room_for(left, total, others)
        right = room_for(right, total, others)
        worths = room_for(worths, total, others)
        sort(touched[:others])
        for i in range(others):
            b = touched[i]
            left[total], right[total], worths[total] = a, b, seen[b]
            seen[b] = 0
            total += 1
    return left[:total].copy(), right[:total].copy(), worths[:total].copy()
