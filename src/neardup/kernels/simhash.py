"""Simhash (Charikar, 2002) of bags of words, and which of many differ in few bits."""

import numpy as np

from neardup.kernels.arrays import room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, mix

ONE = np.uint64(1)
ODD = np.uint64(0x5555555555555555)
PAIRS = np.uint64(0x3333333333333333)
NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
SUM = np.uint64(0x0101010101010101)


@kernel
def simhashes(words, bounds, parts):  # type: ignore[no-untyped-def]
    """Return for each page `parts` numbers of 64 bits: a bit is 1 if it is so in most of its words.

    Each word counts as often as it occurs.
    """
    pages = len(bounds) - 1
    found = np.zeros((pages, parts), np.uint64)
    sums = np.zeros(64, np.int64)
    for p in range(pages):
        for part in range(parts):
            sums[:] = 0
            for w in range(bounds[p], bounds[p + 1]):
                value = mix(words[w] ^ SEED * np.uint64(part + 1))
                for bit in range(64):
                    sums[bit] += np.int64(value >> np.uint64(bit) & ONE)
            for bit in range(64):
                if 2 * sums[bit] > bounds[p + 1] - bounds[p]:
                    found[p, part] |= ONE << np.uint64(bit)
    return found


@kernel(inline="always")
def ones(value):  # type: ignore[no-untyped-def]
    """Return the number of 1 bits."""
    value -= value >> ONE & ODD
    value = (value & PAIRS) + (value >> np.uint64(2) & PAIRS)
    return (((value + (value >> np.uint64(4))) & NIBBLES) * SUM) >> np.uint64(56)


@kernel
def table_keys(high, low, masks):  # type: ignore[no-untyped-def]
    """Return the key of each value in each table: the bits of the table's mask, and its number."""
    found = np.empty((len(masks), len(high)), np.uint64)
    for t in range(len(masks)):
        for i in range(len(high)):
            state = mix((high[i] & masks[t, 0]) ^ mix(SEED + np.uint64(t)))
            found[t, i] = mix(state ^ (low[i] & masks[t, 1]))
    return found


@kernel
def near_in_lists(high, low, tables, bounds, masks, distance, cap, hubs):  # type: ignore[no-untyped-def]
    """Return the pairs of rows of one list that differ in at most `distance` bits, and how many.

    Each list is of one table; a pair is returned from the first table in which it meets. In a list of
    over `cap` rows only the first `hubs` are compared with all others.
    """
    left, right = np.empty(1024, np.int64), np.empty(1024, np.int64)
    bits = np.empty(1024, np.int64)
    used = 0
    for number in range(len(bounds) - 1):
        begin, end = bounds[number], bounds[number + 1]
        last = end if end - begin <= cap else begin + hubs
        for i in range(begin, last):
            for j in range(i + 1, end):
                apart = ones(high[i] ^ high[j]) + ones(low[i] ^ low[j])
                if apart > distance or _met_before(high, low, i, j, masks, tables[begin]):
                    continue
                left, right = room_for(left, used, 1), room_for(right, used, 1)
                bits = room_for(bits, used, 1)
                left[used], right[used], bits[used] = i, j, apart
                used += 1
    return left[:used].copy(), right[:used].copy(), bits[:used].copy()


@kernel
def _met_before(high, low, i, j, masks, table):  # type: ignore[no-untyped-def]
    """Return whether two rows are equal under the mask of an earlier table."""
    for t in range(table):
        if (high[i] ^ high[j]) & masks[t, 0] == 0 and (low[i] ^ low[j]) & masks[t, 1] == 0:
            return True
    return False
