"""Runs of matching sentences: the diagonals of the matrix of two documents, with gaps."""

import numpy as np

from neardup.kernels.arrays import longest
from neardup.kernels.compiled import kernel
from neardup.kernels.graphs import root
from neardup.kernels.overlap import match_words, same_words, with_runs


@kernel
def diagonals(rows, columns, bounds, inside, gap, least):  # type: ignore[no-untyped-def]
    """Return the runs of each matrix: their first and last cells, and how many cells they have.

    The cells of matrix m are rows and columns[bounds[m]:bounds[m + 1]], distinct and sorted. A run goes
    from a cell to one that is 1 to 1 + `gap` rows and as many columns further on. The longest run is
    taken first, then its cells are gone; the last one has `least` cells. Of runs as long, the first
    counts; of steps as good, the shortest. With inside[m], both sides are the same document: a run ends
    before its rows reach its first column.
    """
    found = np.empty((64, 3), np.int64)
    total = 0
    room = longest(bounds)
    best = np.empty(room, np.int64)
    following = np.empty(room, np.int64)
    component = np.empty(room, np.int64)
    for m in range(len(bounds) - 1):
        own_rows, own_columns = rows[bounds[m] : bounds[m + 1]], columns[bounds[m] : bounds[m + 1]]
        alive = np.arange(len(own_rows))
        while len(alive) >= least:
            link(own_rows, own_columns, alive, gap, best, following, component)
            tops = top_cells(alive, best, component, least)
            for top in tops:
                cell, count, last = top, 0, top
                while cell >= 0 and (cell == top or not inside[m] or own_rows[cell] < own_columns[top]):
                    best[cell] = -1  # used
                    cell, count, last = following[cell], count + 1, cell
                if count >= least:
                    if total == len(found):
                        more = np.empty((2 * total, 3), np.int64)
                        for r in range(total):
                            for c in range(3):
                                more[r, c] = found[r, c]
                        found = more
                    found[total] = bounds[m] + top, bounds[m] + last, count
                    total += 1
            alive = left_over(alive, best, component, tops)
    return found[:total].copy()


@kernel
def link(rows, columns, alive, gap, best, following, component):  # type: ignore[no-untyped-def]
    """Find the longest run from each cell that is alive, its next cell, and what is connected."""
    for cell in alive:
        component[cell] = cell
    for k in range(len(alive) - 1, -1, -1):
        cell = alive[k]
        best[cell], following[cell] = 1, -1
        shortest = 0
        low, high = columns[cell] + 1, columns[cell] + 1 + gap
        at = first_from(rows, columns, alive, k + 1, rows[cell] + 1, low)
        while at < len(alive) and rows[alive[at]] <= rows[cell] + 1 + gap:
            other = alive[at]
            if columns[other] < low:
                at = first_from(rows, columns, alive, at, rows[other], low)
            elif columns[other] > high:
                at = first_from(rows, columns, alive, at, rows[other] + 1, low)
            else:
                step = rows[other] - rows[cell] + columns[other] - columns[cell]
                longer = best[other] + 1 - best[cell]
                if longer > 0 or (longer == 0 and step < shortest):
                    best[cell], following[cell], shortest = best[other] + 1, other, step
                one, two = root(component, cell), root(component, other)
                component[max(one, two)] = min(one, two)
                at += 1


@kernel
def first_from(rows, columns, alive, begin, row, column):  # type: ignore[no-untyped-def]
    """Return the place of the first living cell from `begin` on that is not before (row, column)."""
    end = len(alive)
    while begin < end:
        middle = (begin + end) // 2
        cell = alive[middle]
        if rows[cell] < row or (rows[cell] == row and columns[cell] < column):
            begin = middle + 1
        else:
            end = middle
    return begin


@kernel
def top_cells(alive, best, component, least):  # type: ignore[no-untyped-def]
    """Return the cell that begins the longest run of each component, if that has `least` cells."""
    top = np.full(alive[-1] + 1, -1, np.int64)
    for cell in alive:
        own = root(component, cell)
        if best[cell] >= least and (top[own] < 0 or best[cell] > best[top[own]]):
            top[own] = cell
    return top[top >= 0]


@kernel
def left_over(alive, best, component, tops):  # type: ignore[no-untyped-def]
    """Return the unused cells of all components in which a run was taken: there may be another."""
    taken = np.zeros(alive[-1] + 1, np.bool_)
    for top in tops:
        taken[root(component, top)] = True
    kept = np.empty(len(alive), np.int64)
    total = 0
    for cell in alive:
        if best[cell] > 0 and taken[root(component, cell)]:
            kept[total] = cell
            total += 1
    return kept[:total].copy()


@kernel
def compared_spans(words, begin_a, end_a, begin_b, end_b):  # type: ignore[no-untyped-def]
    """Count the words that two spans have in common, and say whether they are the same in order.

    Then follow, for either side, the runs of these words and where those of each span begin.
    """
    common = np.empty(len(begin_a), np.int64)
    same = np.empty(len(begin_a), np.bool_)
    runs_a, runs_b = np.empty(1024, np.int32), np.empty(1024, np.int32)
    bounds_a, bounds_b = np.zeros(len(common) + 1, np.int64), np.zeros(len(common) + 1, np.int64)
    for p in range(len(common)):
        a, b = words[begin_a[p] : end_a[p]], words[begin_b[p] : end_b[p]]
        in_a, in_b = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
        common[p], same[p] = match_words(a, b, in_a, in_b), same_words(a, b)
        runs_a, bounds_a[p + 1] = with_runs(runs_a, bounds_a[p], in_a, begin_a[p])
        runs_b, bounds_b[p + 1] = with_runs(runs_b, bounds_b[p], in_b, begin_b[p])
    return common, same, runs_a[: bounds_a[-1]].copy(), bounds_a, runs_b[: bounds_b[-1]].copy(), bounds_b
