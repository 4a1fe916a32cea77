"""How many values two sets have in common: exactly, or until it is clear that they are too few."""

import numpy as np

from neardup.kernels.arrays import room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.shingles import table_size


@kernel
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
        spare = end - begin - needed[p]  # this many may miss
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


@kernel
def match_words(a, b, in_a, in_b):  # type: ignore[no-untyped-def]
    """Mark the words that two runs have in common, each as often as it occurs in both; return how many.

    What both begin and end with is the same in any case; of the words between, the first ones that the
    other run has are marked, in any order.
    """
    most = min(len(a), len(b))
    first = 0
    while first < most and a[first] == b[first]:
        in_a[first] = in_b[first] = True
        first += 1
    behind = 0
    while behind < most - first and a[len(a) - 1 - behind] == b[len(b) - 1 - behind]:
        in_a[len(a) - 1 - behind] = in_b[len(b) - 1 - behind] = True
        behind += 1
    a, in_a = a[first : len(a) - behind], in_a[first : len(a) - behind]
    b, in_b = b[first : len(b) - behind], in_b[first : len(b) - behind]
    if len(a) == 0 or len(b) == 0:
        return first + behind
    mark_words(b, a, in_a)
    return first + behind + mark_words(a, b, in_b)


@kernel
def mark_words(there, words, marked):  # type: ignore[no-untyped-def]
    """Mark words of a run that are `there`, too, each as often as there; return how many."""
    table = np.empty(table_size(len(there) + 1), np.uint64)
    counts = np.full(len(table), -1, np.int64)  # of cells that hold no word
    last = np.uint64(len(table) - 1)
    for i in range(len(there)):
        cell = there[i] & last
        while counts[cell] >= 0 and table[cell] != there[i]:
            cell = (cell + np.uint64(1)) & last
        table[cell] = there[i]
        counts[cell] = max(counts[cell], 0) + 1
    common = 0
    for i in range(len(words)):
        cell = words[i] & last
        while counts[cell] >= 0 and table[cell] != words[i]:
            cell = (cell + np.uint64(1)) & last
        if counts[cell] > 0:
            counts[cell] -= 1
            marked[i] = True
            common += 1
    return common


@kernel
def with_runs(runs, total, marked, first):  # type: ignore[no-untyped-def]
    """Write the runs (start, end) of marked words, of which one is the first, behind `total` numbers."""
    runs = room_for(runs, total, len(marked) + 1)
    for i in range(len(marked)):
        if marked[i]:
            if i == 0 or not marked[i - 1]:
                runs[total] = first + i
                total += 1
            if i + 1 == len(marked) or not marked[i + 1]:
                runs[total] = first + i + 1
                total += 1
    return runs, total


@kernel
def same_words(a, b):  # type: ignore[no-untyped-def]
    """Return whether two runs have the same words in the same order."""
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    return same == len(a) and same == len(b)
