"""Runs of equal tokens in two sequences, found through a hash index of short windows."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.shingles import roll, table_size


@kernel
def matching_runs(a, b, width):  # type: ignore[no-untyped-def]
    """Return rows (start in a, start in b, length) of maximal runs of at least `width` tokens.

    Going through `a` from the left, each place takes the longest run that starts with its window
    somewhere in `b` (the first such, where several are as long) and goes on behind it.
    """
    runs = np.empty((len(a) // max(width, 1) + 1, 3), np.int64)
    found = 0
    if width < 1 or len(a) < width or len(b) < width:
        return runs[:0]
    windows_a = np.empty(len(a), np.uint64)
    windows_b = np.empty(len(b), np.uint64)
    count_a = roll(a, len(a), width, windows_a)
    count_b = roll(b, len(b), width, windows_b)
    head, following, last = index_of(windows_b, count_b)
    i = 0
    while i < count_a:
        best, where, tried = 0, -1, 0
        j = head[windows_a[i] & last]
        while j >= 0 and tried < 64:
            if windows_b[j] == windows_a[i]:
                tried += 1
                n = 0
                while i + n < len(a) and j + n < len(b) and a[i + n] == b[j + n]:
                    n += 1
                if n > best:
                    best, where = n, j
            j = following[j]
        if best >= width:
            runs[found] = (i, where, best)
            found += 1
            i += best
        else:
            i += 1
    return runs[:found]


@kernel
def index_of(windows, count):  # type: ignore[no-untyped-def]
    """Chain the places of equal windows, first places first."""
    size = table_size(count)
    last = np.uint64(size - 1)
    head = np.full(size, -1, np.int64)
    following = np.full(count, -1, np.int64)
    for j in range(count - 1, -1, -1):
        cell = windows[j] & last
        following[j] = head[cell]
        head[cell] = j
    return head, following, last
