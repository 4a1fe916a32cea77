"""How many values each two sets have in common, counted over all pairs that share one.

Posting lists end to end: list l is members[bounds[l]:bounds[l + 1]], its sets ascending.
"""

import numpy as np

from neardup.kernels.arrays import room_for
from neardup.kernels.compiled import kernel


@kernel
def places_of_sets(members, count):  # type: ignore[no-untyped-def]
    """Return where in `members` each set occurs, one set after the other, and where each begins."""
    starts = np.zeros(count + 1, np.int64)
    for i in range(len(members)):
        starts[members[i] + 1] += 1
    for s in range(count):
        starts[s + 1] += starts[s]
    fill = starts[:-1].copy()
    places = np.empty(len(members), np.int64)
    for i in range(len(members)):
        places[fill[members[i]]] = i
        fill[members[i]] += 1
    return places, starts


@kernel
def resembling(members, ends, places, starts, sizes, least, first, step):  # type: ignore[no-untyped-def]
    """Return the pairs that resemble each other, and the highest resemblance of each set.

    Looks at the sets first, first + step, …, each with all later ones that share a value with it;
    ends[i] is where the list of members[i] ends. Returns the left and right sets of pairs with a
    resemblance of at least `least`, and for every set its highest resemblance in any pair seen.
    """
    count = len(sizes)
    common = np.zeros(count, np.int64)
    met = np.empty(count, np.int64)
    best = np.zeros(count, np.float64)
    left = np.empty(1024, np.int64)
    right = np.empty(1024, np.int64)
    total = 0
    for a in range(first, count, step):
        others = 0
        for k in range(starts[a], starts[a + 1]):
            for i in range(places[k] + 1, ends[places[k]]):
                b = members[i]
                if common[b] == 0:
                    met[others] = b
                    others += 1
                common[b] += 1
        left = room_for(left, total, others)
        right = room_for(right, total, others)
        for j in range(others):
            b = met[j]
            rate = common[b] / (sizes[a] + sizes[b] - common[b])
            common[b] = 0
            best[a] = max(best[a], rate)
            best[b] = max(best[b], rate)
            if rate >= least:
                left[total] = a
                right[total] = b
                total += 1
    return left[:total].copy(), right[:total].copy(), best
