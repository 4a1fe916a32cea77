"""How many values sets have in common, counted for many pairs of few sets at a time."""

import numpy as np

from neardup.kernels.arrays import highest
from neardup.kernels.compiled import kernel
from neardup.kernels.shingles import table_size
from neardup.kernels.vectors import lowest_bit

GROUP = 64  # sets, as a number has bits
GROUP_VALUES = 1 << 19

_ONE = np.uint64(1)


@kernel
def overlaps_of_many(values, bounds, left, right, needed):  # type: ignore[no-untyped-def]
    """Return the number of common values of the sets left[p] and right[p]; -1 if it is below needed[p].

    As `overlaps` does for each pair by itself. Here a table says of each value which of up to 64 right
    sets have it, a bit for each, and a left set is looked up there once for all its pairs with them.
    """
    sets = len(bounds) - 1
    asked = np.zeros(sets, np.bool_)
    asked[right] = True
    numbers = np.zeros(sets, np.uint64)
    common = np.full(len(left), -1, np.int64)
    table = np.empty(0, np.uint64)
    begin = 0
    while begin < sets:
        end, total = group_from(begin, bounds, asked, numbers)
        if total:
            size = 2 * table_size(total + 1)
            if size > len(table):
                table = np.empty(size, np.uint64)
            own = table[:size]
            fill_table(values, bounds, asked[:end], begin, numbers, own)
            count_pairs(values, bounds, left, right, needed, begin, end, numbers, own, common)
        begin = end
    for p in range(len(left)):
        if needed[p] <= 0 and common[p] < 0:
            common[p] = 0
    return common


@kernel
def group_from(begin, bounds, asked, numbers):  # type: ignore[no-untyped-def]
    """Give the next sets that are asked for numbers; return where the group ends, and its values."""
    members, total = 0, 0
    for s in range(begin, len(asked)):
        if not asked[s]:
            continue
        size = bounds[s + 1] - bounds[s]
        if members == GROUP or (members and total + size > GROUP_VALUES):
            return s, total
        numbers[s] = members
        members += 1
        total += size
    return len(asked), total


@kernel(inline="always")
def cell_of_value(table, value, last):  # type: ignore[no-untyped-def]
    """Return the place of a value, which is not 0, or the empty one where it would be.

    Places are even: behind each value are the bits of the sets that have it.
    """
    cell = (value + value) & last
    while table[cell] != 0 and table[cell] != value:
        cell = (cell + _ONE + _ONE) & last
    return cell


@kernel
def fill_table(values, bounds, asked, begin, numbers, table):  # type: ignore[no-untyped-def]
    """Write who has each value of the sets from `begin` on that are asked for."""
    table[:] = np.uint64(0)
    last = np.uint64(len(table) - 1)
    for s in range(begin, len(asked)):
        if not asked[s]:
            continue
        bit = _ONE << numbers[s]
        for i in range(bounds[s], bounds[s + 1]):
            value = np.uint64(values[i])
            cell = cell_of_value(table, value, last)
            table[cell] = value
            table[cell + _ONE] |= bit


@kernel
def count_pairs(values, bounds, left, right, needed, begin, end, numbers, table, common):  # type: ignore[no-untyped-def]
    """Write how much the pairs whose right set is in the group have in common."""
    tally = np.zeros(GROUP, np.int64)
    last = np.uint64(len(table) - 1)
    loaded = -1
    for p in range(len(left)):
        if not begin <= right[p] < end:
            continue
        if left[p] != loaded:
            loaded = left[p]
            tally[:] = 0
            for i in range(bounds[loaded], bounds[loaded + 1]):
                bits = table[cell_of_value(table, np.uint64(values[i]), last) + _ONE]
                while bits:
                    tally[lowest_bit(bits)] += 1
                    bits &= bits - _ONE
        found = tally[numbers[right[p]]]
        common[p] = found if found >= needed[p] else -1


@kernel
def slices_by_sets(a, b, size_a, size_b, most):  # type: ignore[no-untyped-def]
    """Return where to cut rows of pairs, so that the different sets of a slice have `most` values.

    Sets are numbered from 0. The first row of a slice is in it whatever its sets have.
    """
    seen = np.full(max(highest(a), highest(b)) + 1, -1, np.int64)
    cuts = [np.int64(0)]
    held = np.int64(0)
    for row in range(len(a)):
        begin = cuts[-1]
        more = size_a[row] if seen[a[row]] < begin else np.int64(0)
        more += size_b[row] if seen[b[row]] < begin else np.int64(0)
        if held + more > most and row > begin:
            cuts.append(np.int64(row))
            held, more = np.int64(0), size_a[row] + size_b[row]
        held += more
        seen[a[row]] = seen[b[row]] = row
    cuts.append(np.int64(len(a)))
    return np.array(cuts)
