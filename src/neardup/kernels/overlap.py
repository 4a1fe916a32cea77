"""How many values two sets have in common: exactly, or until it is clear that they are too few."""

import numpy as np
from numba import njit

from neardup.kernels.shingles import table_size


@njit(nogil=True, cache=True)
def overlaps(values, bounds, left, right, needed):  # type: ignore[no-untyped-def]
    """Return the number of common values of the sets left[p] and right[p] for each pair p.

    Set s is values[bounds[s]:bounds[s + 1]]; the values of a set are distinct and not 0. A pair that
    cannot reach needed[p] gets -1. Pairs with the same left set should follow each other.
    """
    common = np.full(len(left), -1, np.int64)
    table = np.empty(0, np.uint64)
    loaded = -1
    last = np.uint64(0)
    for p in range(len(left)):
        if left[p] != loaded:
            loaded = left[p]
            begin, end = bounds[loaded], bounds[loaded + 1]
            size = table_size(2 * (end - begin))
            if size > len(table):
                table = np.empty(size, np.uint64)
            table[:size] = np.uint64(0)
            last = np.uint64(size - 1)
            for i in range(begin, end):
                value = np.uint64(values[i])
                cell = value & last
                while table[cell] != 0:
                    cell = (cell + np.uint64(1)) & last
                table[cell] = value
        begin, end = bounds[right[p]], bounds[right[p] + 1]
        spare = end - begin - needed[p]  # so many may miss
        hits = 0
        for i in range(begin, end):
            value = np.uint64(values[i])
            cell = value & last
            while table[cell] != 0 and table[cell] != value:
                cell = (cell + np.uint64(1)) & last
            if table[cell] == value:
                hits += 1
            else:
                spare -= 1
                if spare < 0:
                    break
        if spare >= 0:
            common[p] = hits
    return common
