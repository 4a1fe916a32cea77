"""What many kernels do with arrays, in words that compile fast.

Numba compiles a NumPy function anew for every kernel that calls it, with all that it may be asked; a
kernel of our own is kept. And an assignment to a slice brings in the wording of its errors: the loops
here become the same machine code without.
"""

import numpy as np

from neardup.kernels.compiled import kernel


@kernel
def copy(values, count, out):  # type: ignore[no-untyped-def]
    """Write the first values of an array to the beginning of another."""
    for i in range(count):
        out[i] = values[i]


@kernel
def room_for(array, used, more):  # type: ignore[no-untyped-def]
    """Return the array, or a longer copy of its used part if `more` values do not fit in."""
    if used + more <= len(array):
        return array
    longer = np.empty(max(used + more, len(array) * 3 // 2), array.dtype)
    copy(array, used, longer)
    return longer


@kernel
def doubled(array):  # type: ignore[no-untyped-def]
    """Return a copy of an array with as much room again."""
    longer = np.empty(2 * len(array), array.dtype)
    copy(array, len(array), longer)
    return longer


@kernel
def sort(values):  # type: ignore[no-untyped-def]
    """Sort an array in place."""
    values.sort()


@kernel
def ascending(values):  # type: ignore[no-untyped-def]
    """Return the places of the values from the lowest to the highest; of equal ones, the first first."""
    return np.argsort(values, kind="mergesort")


@kernel
def highest(values):  # type: ignore[no-untyped-def]
    """Return the highest of signed numbers, -1 if that is higher or there is none."""
    found = np.int64(-1)
    for i in range(len(values)):
        found = max(found, values[i])
    return found


@kernel
def longest(bounds):  # type: ignore[no-untyped-def]
    """Return the size of the longest list, of those that begin and end at these bounds."""
    found = np.int64(0)
    for i in range(1, len(bounds)):
        found = max(found, bounds[i] - bounds[i - 1])
    return found
