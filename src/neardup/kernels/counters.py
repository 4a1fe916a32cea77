"""Small tables of hashed counters: how often a shingle occurs, roughly, in bounded memory.

A counter has four bits: it is never too low, and it stops at 15. Several shingles may share one, so
a count of 1 is exact: the shingle occurs in one document only and can match nothing.
"""

import numpy as np

from neardup.kernels.arrays import copy, longest, room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, mix

HIGHEST = 15
BLOCK = 256

_ONE = np.uint64(1)
_FOUR = np.uint8(4)
_HALF = np.uint64(32)


@kernel(inline="always")
def cell_of(value, cells):  # type: ignore[no-untyped-def]
    """Return the cell of a value among less than 2 ** 32: its high half, scaled to their number."""
    return ((value >> _HALF) * cells) >> _HALF


@kernel(inline="always")
def count_of(counters, value):  # type: ignore[no-untyped-def]
    """Return the count of a value; a byte holds two counters."""
    cell = cell_of(value, np.uint64(2 * len(counters)))
    return (counters[cell >> _ONE] >> (np.uint8(cell & _ONE) * _FOUR)) & np.uint8(HIGHEST)


@kernel
def count_values(counters, values):  # type: ignore[no-untyped-def]
    """Count each of the values, which are distinct within a document."""
    cells = np.uint64(2 * len(counters))
    for i in range(len(values)):
        cell = cell_of(np.uint64(values[i]), cells)
        shift = np.uint8(cell & _ONE) * _FOUR
        both = counters[cell >> _ONE]
        more = np.uint8((both >> shift) & np.uint8(HIGHEST) < HIGHEST)
        counters[cell >> _ONE] = both + (more << shift)


@kernel
def counted(counters, values, least):  # type: ignore[no-untyped-def]
    """Say of each value whether its count is at least so high."""
    found = np.empty(len(values), np.bool_)
    for i in range(len(values)):
        found[i] = count_of(counters, np.uint64(values[i])) >= least
    return found


@kernel
def add_counters(counters, others):  # type: ignore[no-untyped-def]
    """Add a second table to the first; with bytes alone, so that it becomes vector instructions."""
    for i in range(len(counters)):
        both, more = counters[i], others[i]
        low = np.uint8((both & np.uint8(HIGHEST)) + (more & np.uint8(HIGHEST)))
        high = np.uint8((both >> _FOUR) + (more >> _FOUR))
        if low > HIGHEST:
            low = np.uint8(HIGHEST)
        if high > HIGHEST:
            high = np.uint8(HIGHEST)
        counters[i] = np.uint8(np.uint8(high << _FOUR) | low)


@kernel
def rarest(values, bounds, wanted, counters):  # type: ignore[no-untyped-def]
    """Return, of each set, those of its `wanted` rarest values that occur in two sets or more.

    Rarest means lowest by (count, value), which is the same order for every set. Returns the values
    end to end and where each set's begin.
    """
    sets = len(bounds) - 1
    found = np.empty(1024, np.uint64)
    starts = np.zeros(sets + 1, np.int64)
    tally = np.empty(HIGHEST + 1, np.int64)
    counts = np.empty(longest(bounds), np.uint8)
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
        sort(ties)
        copy(ties, need - below, found[total:])
        total += need - below
        starts[s + 1] = total
    return found[:total].copy(), starts


@kernel
def look_up(own, need, counters, counts):  # type: ignore[no-untyped-def]
    """Look the counts of a set up; stop, with True, when the prefix is full.

    It is full, and matches nothing, when `need` values occur once. The loop over a block does nothing
    else, so that the processor can wait for many counters at a time.
    """
    once = 0
    for begin in range(0, len(own), BLOCK):
        end = min(begin + BLOCK, len(own))
        for i in range(begin, end):
            counts[i] = count_of(counters, np.uint64(own[i]))
        for i in range(begin, end):
            once += counts[i] == 1
        if once >= need:
            return True
    return False


@kernel
def tally_of(counts, size, tally):  # type: ignore[no-untyped-def]
    """Count how often each count occurs among the first `size`."""
    tally[:] = 0
    for i in range(size):
        tally[counts[i]] += 1


@kernel
def marked(values, bounds, marks):  # type: ignore[no-untyped-def]
    """Return the values of each set that a table of marks asks for, and where each set's begin."""
    cells = np.uint64(len(marks))
    sets = len(bounds) - 1
    starts = np.zeros(sets + 1, np.int64)
    total = 0
    found = np.empty(bounds[sets] - bounds[0], np.uint64)
    for s in range(sets):
        for i in range(bounds[s], bounds[s + 1]):
            value = np.uint64(values[i])
            if marks[cell_of(value, cells)]:
                found[total] = value
                total += 1
        starts[s + 1] = total
    return found[:total].copy(), starts


@kernel
def mark(values, marks):  # type: ignore[no-untyped-def]
    """Mark each of the values."""
    cells = np.uint64(len(marks))
    for i in range(len(values)):
        marks[cell_of(np.uint64(values[i]), cells)] = 1


@kernel
def digests(values, bounds):  # type: ignore[no-untyped-def]
    """Return a 64-bit digest of each set that does not depend on the order of its values.

    The values are well mixed hashes already, so their sum will do.
    """
    out = np.empty(len(bounds) - 1, np.uint64)
    for s in range(len(out)):
        total = np.uint64(0)
        for i in range(bounds[s], bounds[s + 1]):
            total += np.uint64(values[i])
        out[s] = mix(total ^ SEED)
    return out
