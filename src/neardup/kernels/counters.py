"""Small tables of hashed counters: how often a shingle occurs, roughly, in bounded memory.

A counter is never too low, and it stops at 255. Several shingles may share one, so a count of 1 is
exact: the shingle occurs in one document only and can match nothing.
"""

import numpy as np
from numba import njit

from neardup.kernels.hashing import SEED, mix

HIGHEST = 255
BLOCK = 256


@njit(nogil=True, cache=True, inline="always")
def cell_of(value, last):  # type: ignore[no-untyped-def]
    """Return the counter of a value; `last` is the table's size, a power of two, minus 1."""
    return (value >> np.uint64(20)) & last


@njit(nogil=True, cache=True)
def count_values(counters, values):  # type: ignore[no-untyped-def]
    """Count each of the values, which are distinct within a document."""
    last = np.uint64(len(counters) - 1)
    for i in range(len(values)):
        cell = cell_of(np.uint64(values[i]), last)
        if counters[cell] < HIGHEST:
            counters[cell] += np.uint8(1)


@njit(nogil=True, cache=True)
def add_counters(counters, others):  # type: ignore[no-untyped-def]
    """Add a second table to the first."""
    for i in range(len(counters)):
        counters[i] = min(np.int64(counters[i]) + np.int64(others[i]), HIGHEST)


@njit(nogil=True, cache=True)
def rarest(values, bounds, wanted, counters):  # type: ignore[no-untyped-def]
    """Return, of each set, those of its `wanted` rarest values that occur in two sets or more.

    Rarest means lowest by (count, value), which is the same order for every set. Returns the values
    end to end and where each set's begin.
    """
    sets = len(bounds) - 1
    found = np.empty(1024, np.uint64)
    starts = np.zeros(sets + 1, np.int64)
    tally = np.empty(HIGHEST + 1, np.int64)
    counts = np.empty(np.diff(bounds).max() if sets else 0, np.uint8)
    total = 0
    for s in range(sets):
        starts[s + 1] = total
        own, need = values[bounds[s] : bounds[s + 1]], wanted[s]
        if look_up(own, need, counters, counts):
            continue
        tally_of(counts, len(own), tally)
        # all values with a count below `level` are among the rarest, and some of those at it
        level, below = 0, 0
        while below + tally[level] < need:
            below += tally[level]
            level += 1
        found = room_for(found, total, need)
        ties = np.empty(tally[level], np.uint64)
        tied = 0
        for i in range(len(own)):
            if 1 < counts[i] < level:
                found[total] = np.uint64(own[i])
                total += 1
            elif counts[i] == level:
                ties[tied] = np.uint64(own[i])
                tied += 1
        ties.sort()
        found[total : total + need - below] = ties[: need - below]
        total += need - below
        starts[s + 1] = total
    return found[:total].copy(), starts


@njit(nogil=True, cache=True)
def look_up(own, need, counters, counts):  # type: ignore[no-untyped-def]
    """Look the counts of a set up; stop, with True, when the prefix is full.

    It is full, and matches nothing, when `need` values occur once. The loop over a block does nothing
    else, so that the processor can wait for many counters at a time.
    """
    last = np.uint64(len(counters) - 1)
    once = 0
    for begin in range(0, len(own), BLOCK):
        end = min(begin + BLOCK, len(own))
        for i in range(begin, end):
            counts[i] = counters[cell_of(np.uint64(own[i]), last)]
        for i in range(begin, end):
            once += counts[i] == 1
        if once >= need:
            return True
    return False


@njit(nogil=True, cache=True)
def tally_of(counts, size, tally):  # type: ignore[no-untyped-def]
    """Count how often each count occurs among the first `size`."""
    tally[:] = 0
    for i in range(size):
        tally[counts[i]] += 1


@njit(nogil=True, cache=True)
def room_for(array, used, more):  # type: ignore[no-untyped-def]
    """Return the array, or a longer copy of its used part if `more` values do not fit in."""
    if used + more <= len(array):
        return array
    longer = np.empty(2 * (used + more), array.dtype)
    longer[:used] = array[:used]
    return longer


@njit(nogil=True, cache=True)
def marked(values, bounds, bits):  # type: ignore[no-untyped-def]
    """Return the values of each set that a table of marks asks for, and where each set's begin."""
    last = np.uint64(len(bits) - 1)
    sets = len(bounds) - 1
    starts = np.zeros(sets + 1, np.int64)
    total = 0
    found = np.empty(bounds[sets] - bounds[0], np.uint64)
    for s in range(sets):
        for i in range(bounds[s], bounds[s + 1]):
            value = np.uint64(values[i])
            if bits[cell_of(value, last)]:
                found[total] = value
                total += 1
        starts[s + 1] = total
    return found[:total].copy(), starts


@njit(nogil=True, cache=True)
def mark(values, bits):  # type: ignore[no-untyped-def]
    """Mark each of the values."""
    last = np.uint64(len(bits) - 1)
    for i in range(len(values)):
        bits[cell_of(np.uint64(values[i]), last)] = 1


@njit(nogil=True, cache=True)
def digests(values, bounds):  # type: ignore[no-untyped-def]
    """Return a 64-bit digest of each set that does not depend on the order of its values."""
    out = np.empty(len(bounds) - 1, np.uint64)
    for s in range(len(out)):
        total = SEED
        for i in range(bounds[s], bounds[s + 1]):
            total += mix(np.uint64(values[i]) ^ SEED)
        out[s] = mix(total)
    return out
