"""Edit distance: how many characters must be changed, dropped or added to turn one text into another.

A column of the table of distances differs from row to row by -1, 0 or 1: as bits, 64 rows are found at
once (Myers, 1999; Hyyrö, 2003), and only where a distance within a limit can be reached from.
"""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.tokens import decode

BITS = 64
CELLS = 128  # for the characters of 64 rows, by their last seven bits: ASCII has one each
EMPTY = np.int32(-1)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel
def code_points(data, offsets):  # type: ignore[no-untyped-def]
    """Return the characters of texts in UTF-8, end to end, and where each text's begin."""
    codes = np.empty(offsets[len(offsets) - 1] - offsets[0], np.int32)
    bounds = np.zeros(len(offsets), np.int64)
    total = 0
    for text in range(len(offsets) - 1):
        i = offsets[text]
        while i < offsets[text + 1]:
            code, width = np.uint32(data[i]), 1
            if code >= 128:
                code, width = decode(data, i)
            codes[total] = code
            total += 1
            i += width
        bounds[text + 1] = total
    return codes, bounds


@kernel
def edit_distances(codes, bounds, left, right, limit):  # type: ignore[no-untyped-def]
    """Return the edit distances of pairs of texts as a share of the longer one; 1 beyond the limit.

    Pairs are fastest if those with the same left text follow each other.
    """
    longest = 0
    for text in left:
        longest = max(longest, bounds[text + 1] - bounds[text])
    blocks = longest // BITS + 1
    cells, rows = np.empty((blocks, CELLS), np.int32), np.empty((blocks, CELLS), np.uint64)
    rises, falls = np.empty(blocks, np.uint64), np.empty(blocks, np.uint64)
    distances = np.ones(len(left))
    for pair in range(len(left)):
        begin, end = bounds[left[pair]], bounds[left[pair] + 1]
        if pair == 0 or left[pair] != left[pair - 1]:
            _place(codes[begin:end], cells, rows)
        other = codes[bounds[right[pair]] : bounds[right[pair] + 1]]
        longer = max(end - begin, len(other))
        most = np.int64(limit * longer) + 1
        share = _distance(end - begin, other, cells, rows, rises, falls, most) / max(longer, 1)
        if share <= limit:
            distances[pair] = share
    return distances


@kernel
def _place(text, cells, rows):  # type: ignore[no-untyped-def]
    """Write in which rows of its block each character of a text stands, a bit a row."""
    for block in range(len(text) // BITS + 1):
        for cell in range(CELLS):
            cells[block, cell] = EMPTY
            rows[block, cell] = _ZERO
    for i in range(len(text)):
        block = i // BITS
        cell = _cell(cells[block], text[i])
        cells[block, cell] = text[i]
        rows[block, cell] |= _ONE << np.uint64(i % BITS)


@kernel(inline="always")
def _cell(cells, code):  # type: ignore[no-untyped-def]
    """Return the cell of a character, or the empty one where it would be: there are more than rows."""
    cell = np.uint32(code) % np.uint32(CELLS)
    while cells[cell] != code and cells[cell] != EMPTY:
        cell = (cell + np.uint32(1)) % np.uint32(CELLS)
    return cell


@kernel
def _distance(length, other, cells, rows, rises, falls, most):  # type: ignore[no-untyped-def]
    """Return the distance of the placed text of a length to another one, or a number above `most`.

    It is counted along the diagonal of the table that ends in its last corner, on which distances never
    get lower. A way to that corner that leaves it by more than `spare` columns costs more than `most`.
    Rows beyond it have too high distances, which nothing within it comes from.
    """
    shift = length - len(other)
    found = abs(shift)
    if found > most:
        return found
    spare = (most - found) // 2
    lowest, highest = min(shift, 0) - spare, max(shift, 0) + spare
    blocks = (length + BITS - 1) // BITS
    for block in range(blocks):
        rises[block], falls[block] = ~_ZERO, _ZERO
    for j in range(len(other)):
        last = min((j + highest) // BITS + 1, blocks)
        rise, fall = _ONE, _ZERO  # from the column before, in the row above the block
        for block in range(max(j + lowest, 0) // BITS, last):
            equal = rows[block, _cell(cells[block], other[j])] | fall
            up, down = rises[block], falls[block]
            same = (((equal & up) + up) ^ up) | equal | down  # as in the column before, one row above
            right, left = down | ~(same | up), up & same
            above, rise = rise, right >> np.uint64(BITS - 1)
            below, fall = fall, left >> np.uint64(BITS - 1)
            right, left = right << _ONE | above, left << _ONE | below
            rises[block], falls[block] = left | ~(same | right), right & same
            if (j + shift) // BITS == block and j + shift >= 0:
                found += not (same >> np.uint64((j + shift) % BITS)) & _ONE
        if found > most:
            return found
    return found
