"""From posting lists (who has this key?) to the distinct pairs of those who share a key."""

import numpy as np

from neardup.kernels.arrays import highest, room_for, sort
from neardup.kernels.compiled import kernel

SHORT = 12
OF_A_COUNT = 1e-6  # by which rounding may make a bound too low


@kernel
def posting_pairs(members, bounds, lists, list_bounds, cap, hubs, ordered):  # type: ignore[no-untyped-def]
    """Return the distinct pairs of an asker and a member of one of its posting lists.

    List l is members[bounds[l]:bounds[l + 1]], ascending; askers and members share one numbering from
    0. The lists of asker a are lists[list_bounds[a]:list_bounds[a + 1]]. In a list of over `cap`
    members only the first `hubs` are paired with all others. With `ordered`, every asker is a member
    too, and each pair comes once, as (a < b).
    """
    askers = len(list_bounds) - 1
    seen = np.full(highest(members) + 1, -1, np.int64)
    left = np.empty(1024, np.int64)
    right = np.empty(1024, np.int64)
    total = 0
    for a in range(askers):
        first = total
        for k in range(list_bounds[a], list_bounds[a + 1]):
            begin, end = bounds[lists[k]], bounds[lists[k] + 1]
            start = begin
            if ordered:
                start += np.searchsorted(members[begin:end], a, side="right")
            if end - begin > cap:
                if not ordered:
                    end = begin + hubs
                elif start - begin > hubs:
                    continue
            left = room_for(left, total, end - start)
            right = room_for(right, total, end - start)
            for i in range(start, end):
                b = members[i]
                if seen[b] != a and b != a:
                    seen[b] = a
                    left[total] = a
                    right[total] = b
                    total += 1
        sort(right[first:total])
    return left[:total].copy(), right[:total].copy()


@kernel
def counted_pairs(members, bounds, lists, list_bounds, cap, hubs, sizes, missing, threshold, limit):  # type: ignore[no-untyped-def]
    """Return the ordered pairs of `posting_pairs` that are in reach, and what each has in common.

    Lists are of the rarest values of sets, in one order for all: all values of a set of `sizes` but a
    share of at most `threshold`. How many of these lists are not here, or too long, is `missing`. So two
    sets have in common at most what is counted, what may be missing in both, and what was left out of
    that one whose lists end first. A pair needs enough for a resemblance of `limit`.
    """
    common = np.zeros(len(sizes), np.int64)
    seen = np.empty(len(sizes), np.int64)
    left, right, counts = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64)
    total = 0
    for a in range(len(list_bounds) - 1):
        met = 0
        for k in range(list_bounds[a], list_bounds[a + 1]):
            begin, end = bounds[lists[k]], bounds[lists[k] + 1]
            start = begin + np.searchsorted(members[begin:end], a, side="right")
            if end - begin > cap and start - begin > hubs:
                continue
            for i in range(start, end):
                b = members[i]
                if common[b] == 0:
                    seen[met] = b
                    met += 1
                common[b] += 1
        left, right = room_for(left, total, met), room_for(right, total, met)
        counts = room_for(counts, total, met)
        first = total
        for i in range(met):
            b = seen[i]
            most = common[b] + min(missing[a], missing[b]) + threshold * max(sizes[a], sizes[b])
            if most >= limit / (1 + limit) * (sizes[a] + sizes[b]) - OF_A_COUNT:
                left[total], right[total] = a, b
                total += 1
        sort(right[first:total])
        for i in range(first, total):
            counts[i] = common[right[i]]
        for i in range(met):
            common[seen[i]] = 0
    return left[:total].copy(), right[:total].copy(), counts[:total].copy()


@kernel
def sort_lists(members, bounds):  # type: ignore[no-untyped-def]
    """Sort each list in place; most are short, and best sorted by hand."""
    for p in range(len(bounds) - 1):
        begin, end = bounds[p], bounds[p + 1]
        if end - begin > SHORT:
            sort(members[begin:end])
            continue
        for i in range(begin + 1, end):
            value, at = members[i], i
            while at > begin and members[at - 1] > value:
                members[at] = members[at - 1]
                at -= 1
            members[at] = value


@kernel
def lists_of_members(members, bounds, count):  # type: ignore[no-untyped-def]
    """Turn posting lists around: the lists of each member, end to end, and where each begins."""
    starts = np.zeros(count + 1, np.int64)
    for i in range(len(members)):
        starts[members[i] + 1] += 1
    for m in range(count):
        starts[m + 1] += starts[m]
    fill = starts[:-1].copy()
    lists = np.empty(len(members), np.int64)
    for p in range(len(bounds) - 1):
        for i in range(bounds[p], bounds[p + 1]):
            lists[fill[members[i]]] = p
            fill[members[i]] += 1
    return lists, starts
