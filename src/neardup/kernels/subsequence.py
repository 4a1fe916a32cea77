"""The longest common subsequence of two runs of numbers, and which of them it pairs."""

import numpy as np

from neardup.kernels.compiled import kernel

BITS = 64


@kernel
def common_subsequence(a, b):  # type: ignore[no-untyped-def]
    """Return for each number of a its partner in b in a longest common subsequence, or -1.

    The numbers are codes smaller than len(a) + len(b). What both begin and end with is paired as it is.
    Of several subsequences of the rest it is the one whose last pair is the earliest in a, and then in
    b; then the same of the pair before, and so on.
    """
    partners = np.full(len(a), -1, np.int64)
    first, last = 0, 0
    while first < min(len(a), len(b)) and a[first] == b[first]:
        partners[first] = first
        first += 1
    while last < min(len(a), len(b)) - first and a[len(a) - 1 - last] == b[len(b) - 1 - last]:
        last += 1
        partners[len(a) - last] = len(b) - last
    column, row = len(a) - last - first, len(b) - last - first
    if column and row:
        stays = _rows(a[first : first + column], b[first : first + row], len(a) + len(b))
    while column and row:
        if _is_set(stays[row - 1], column - 1):
            column -= 1
            continue
        row -= 1
        if row == 0 or _is_set(stays[row - 1], column - 1):
            column -= 1
            partners[first + column] = first + row
    return partners


@kernel
def _is_set(bits, place):  # type: ignore[no-untyped-def]
    """Return one bit of a row."""
    return bits[place // BITS] >> np.uint64(place % BITS) & np.uint64(1)


@kernel
def _rows(a, b, codes):  # type: ignore[no-untyped-def]
    """Return for the beginnings of b with which beginnings of a their subsequence gets no longer.

    Bit i of row j is set if a[: i + 1] has no more in common with b[: j + 1] than a[:i] has. All bits of
    a row are found at once, by additions that carry (Hyyrö, 2004).
    """
    places, bounds = _places(a, codes)
    blocks = (len(a) + BITS - 1) // BITS
    rows = np.empty((len(b), blocks), np.uint64)
    row = np.full(blocks, ~np.uint64(0))
    equal = np.zeros(blocks, np.uint64)
    for j in range(len(b)):
        own = places[bounds[b[j]] : bounds[b[j] + 1]]
        for i in own:
            equal[i // BITS] |= np.uint64(1) << np.uint64(i % BITS)
        carry = np.uint64(0)
        for block in range(blocks):
            there = row[block] & equal[block]
            added = row[block] + there
            carried = added + carry
            carry = np.uint64(added < there or carried < added)
            row[block] = carried | (row[block] - there)
            rows[j, block] = row[block]
        for i in own:
            equal[i // BITS] = np.uint64(0)
    return rows


@kernel
def _places(values, codes):  # type: ignore[no-untyped-def]
    """Return where each code is among values, and where the places of each begin."""
    bounds = np.zeros(codes + 1, np.int64)
    for value in values:
        bounds[value + 1] += 1
    for code in range(codes):
        bounds[code + 1] += bounds[code]
    places, filled = np.empty(len(values), np.int64), bounds.copy()
    for i in range(len(values)):
        places[filled[values[i]]] = i
        filled[values[i]] += 1
    return places, bounds
