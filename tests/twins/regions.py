"""Trustable regions of two pages, slowly: Python's lists, and a library's common subsequence."""

from collections.abc import Callable, Sequence
from itertools import pairwise

Curve = tuple[list[int], list[int], list[int]]
Trusted = Callable[[Curve, int], tuple[int, int]]


def common_subsequence(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Return for each number of a its partner in b, or -1, by the table of all beginnings' lengths."""
    first = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    ends = list(zip(a[first:][::-1], b[first:][::-1], strict=False))
    last = next((n for n, (x, y) in enumerate(ends) if x != y), len(ends))
    own, other = a[first : len(a) - last], b[first : len(b) - last]
    partners = [*range(first), *[-1] * len(own), *range(len(b) - last, len(b))]
    lengths = [[0] * (len(own) + 1) for _ in range(len(other) + 1)]
    for j, i in ((j, i) for j in range(len(other)) for i in range(len(own))):
        same = own[i] == other[j]
        lengths[j + 1][i + 1] = lengths[j][i] + 1 if same else max(lengths[j][i + 1], lengths[j + 1][i])
    i, j = len(own), len(other)
    while lengths[j][i]:
        if lengths[j][i - 1] == lengths[j][i]:
            i -= 1
        elif lengths[j - 1][i] == lengths[j][i]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            partners[first + i] = first + j
    return partners


def rounds(
    a: Sequence[tuple[int, int, bool]],
    b: Sequence[tuple[int, int, bool]],
    least: float,
    most: int,
    curve_of: Callable[[list[int], list[int], list[int]], Curve],
    trusted: Trusted,
) -> list[list[tuple[int, int]]]:
    """Return the words that match in each region of two texts: of (word, size, whether it is marked)."""
    left_a, left_b = list(range(len(a))), list(range(len(b)))
    found: list[list[tuple[int, int]]] = []
    while len(found) < most:
        own_a, own_b = ([i for i in left if t[i][2]] for left, t in ((left_a, a), (left_b, b)))
        if min(sum(a[i][1] for i in own_a), sum(b[j][1] for j in own_b)) < least:
            break
        partners = common_subsequence([a[i][0] for i in own_a], [b[j][0] for j in own_b])
        pairs = {i: own_b[p] for i, p in zip(own_a, partners, strict=True) if p >= 0}
        matched = [left_b.index(pairs[i]) if i in pairs else -1 for i in left_a]
        curve = curve_of([a[i][1] for i in left_a], matched, [b[j][1] for j in left_b])
        for blocks in (20, 80, 320):
            begin, end = trusted(curve, blocks)
            if curve[0][end] - curve[0][begin] >= least:
                break
        region = [(i, pairs[i]) for i in left_a[begin:end] if i in pairs]
        if sum(a[i][1] for i, _ in region) < least:
            break
        found.append(region)
        left_a = [i for i in left_a if not region[0][0] <= i <= region[-1][0]]
        left_b = [j for j in left_b if j not in {b for _, b in region}]
    return found


def passages(
    regions: Sequence[Sequence[tuple[int, int]]],
    places_a: Sequence[tuple[int, int]],
    sentences: Sequence[int],
    places_b: Sequence[tuple[int, int]],
    far: int,
) -> list[list[int]]:
    """Return where regions are in both texts, cut where words that match are far from each other."""
    found = []
    for region in regions:
        cuts = [
            n + 1 for n, (p, q) in enumerate(pairwise(region)) if max(q[0] - p[0], q[1] - p[1]) > far
        ]
        for begin, end in pairwise([0, *cuts, len(region)]):
            (a, b), (last_a, last_b) = region[begin], region[end - 1]
            start, stop = places_a[a][0], places_a[last_a][1]
            inside = sum(start <= s < stop for s in sentences)
            there = [start, stop, places_b[b][0], places_b[last_b][1]]
            found.append([*there, max(inside, 1), end - begin, last_a - a + last_b - b + 2])
    return found
