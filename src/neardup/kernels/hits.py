"""Hits: the places in two texts where they have the same run of words, and whether they lie together.

A mark is a run of words as one number: the upper half of its hash, and its place. A hit is two places as
one number: that in the first text, and that in the second. Both are made to be sorted.
"""

import numpy as np

from neardup.kernels.arrays import ascending, copy, doubled, room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.lists import values_32, values_64
from neardup.kernels.shingles import table_size

LOOK_BACK = 32  # hits
PHRASE = 10  # words: fewer in a row that very many texts have are a phrase, and no boilerplate
HALF = np.uint64(32)  # bits
TOP = np.uint64(58)
PLACE = np.uint64(0xFFFFFFFF)
MASKED = np.uint64(0xFA57) << np.uint64(
    48
)  # the highest bits of what stands for a word that does not count


@kernel
def marks_of(keys, places, bounds, common):  # type: ignore[no-untyped-def]
    """Return the sorted marks of the runs of each text, and where each text's begin.

    Runs whose keys are among the common ones, which are sorted, are left out.
    """
    starts = np.zeros(len(bounds), np.int64)
    marks = np.empty(len(keys), np.uint64)
    total = 0
    for t in range(len(bounds) - 1):
        for i in range(bounds[t], bounds[t + 1]):
            key = np.uint64(keys[i])
            at = np.searchsorted(common, key)
            if at == len(common) or common[at] != key:
                marks[total] = (key & ~PLACE) | np.uint64(places[i])
                total += 1
        sort(marks[starts[t] : total])
        starts[t + 1] = total
    return marks[:total].copy(), starts


@kernel
def common_runs(keys, places, bounds, common, width, window, least):  # type: ignore[no-untyped-def]
    """Return the runs (start, end) of words of each text that common keys cover, and where each begins.

    As `marks_of`; keys are those of runs of `width` words, of which one in every `window` is kept: what
    lies between two that are no farther apart is covered, too; of fewer words than `least` in a row,
    nothing is. The words covered of each text come last; a text of fewer words than `width` has one run
    that is longer than itself.
    """
    starts = np.zeros(len(bounds), np.int64)
    covered = np.zeros(len(bounds) - 1, np.int64)
    runs = np.empty(1024, np.int32)
    total = 0
    for t in range(len(bounds) - 1):
        last = np.int64(-1) - width - window  # the place of the last common key
        for i in range(bounds[t], bounds[t + 1]):
            key = np.uint64(keys[i])
            at = np.searchsorted(common, key)
            if at == len(common) or common[at] != key:
                continue
            place = np.int64(places[i])
            if place - last > max(width, window):
                total -= 2 * (total > starts[t] and runs[total - 1] - runs[total - 2] < least)
                runs = room_for(runs, total, 2)
                runs[total] = place
                total += 2
            runs[total - 1] = place + width
            last = place
        total -= 2 * (total > starts[t] and runs[total - 1] - runs[total - 2] < least)
        for r in range(starts[t], total, 2):
            covered[t] += runs[r + 1] - runs[r]
        starts[t + 1] = total
    return runs[:total].copy(), starts, covered


@kernel
def mask_words(words, runs, first):  # type: ignore[no-untyped-def]
    """Put numbers that no word has, from the first on, in the place of the words of some runs."""
    for r in range(0, len(runs), 2):
        for i in range(runs[r], min(runs[r + 1], len(words))):
            words[i] = MASKED | np.uint64(first + i)


@kernel(inline="always")
def unmasked(word):  # type: ignore[no-untyped-def]
    """Return a word, or 0 for one that is masked: what stands for it depends on its text."""
    return np.uint64(0) if word >> np.uint64(48) == MASKED >> np.uint64(48) else word


@kernel
def masked_in(words):  # type: ignore[no-untyped-def]
    """Count the words of a run that are masked."""
    count = 0
    for i in range(len(words)):
        count += words[i] >> np.uint64(48) == MASKED >> np.uint64(48)
    return count


@kernel
def masked_texts(words, runs, first):  # type: ignore[no-untyped-def]
    """Return copies of lists of words end to end, masked, and where each begins; runs are lists, too."""
    bounds = np.zeros(len(words.sizes) + 1, np.int64)
    for t in range(len(words.sizes)):
        bounds[t + 1] = bounds[t] + words.sizes[t]
    copies = np.empty(bounds[-1], np.uint64)
    for t in range(len(words.sizes)):
        own = copies[bounds[t] : bounds[t + 1]]
        copy(values_64(words, t), len(own), own)
        mask_words(own, values_32(runs, t), first)
    return copies, bounds


@kernel
def hits_of_pairs(a, b, itself, least, reach):  # type: ignore[no-untyped-def]
    """Return the sorted hits of pairs of texts, and where each pair's begin.

    Pair p are the marks of list p of a and of list p of b; itself[p] says that both are the same text.
    A pair of which no `least` hits lie within `reach` words in both texts has none. Pairs with the same
    first text should follow each other.
    """
    starts = np.zeros(len(itself) + 1, np.int64)
    hits = np.empty(4096, np.uint64)
    seen = np.zeros(1, np.uint64)
    for p in range(len(itself)):
        one, other = values_64(a, p), values_64(b, p)
        if p == 0 or a.addresses[p] != a.addresses[p - 1] or a.sizes[p] != a.sizes[p - 1]:
            seen = filter_of(one)
        begin = starts[p]
        hits, end = with_hits(one, seen, other, itself[p], hits, begin)
        sort(hits[begin:end])
        starts[p + 1] = end if lie_together(hits[begin:end], least, reach) else begin
    return hits[: starts[-1]].view(np.int64).copy(), starts


@kernel
def filter_of(marks):  # type: ignore[no-untyped-def]
    """Return bits of which those are set that the hashes of some marks choose; mostly few are."""
    bits = np.zeros(table_size(len(marks) // 4 + 1), np.uint64)
    last = np.uint64(len(bits) - 1)
    for i in range(len(marks)):
        bits[(marks[i] >> HALF) & last] |= np.uint64(1) << (marks[i] >> TOP)
    return bits


@kernel
def with_hits(a, seen, b, itself, hits, total):  # type: ignore[no-untyped-def]
    """Write the hits of two lists of marks behind the first `total`; return them and the new total.

    `seen` is the filter of the first list: most marks of b that a does not have need not be looked for.
    """
    last = np.uint64(len(seen) - 1)
    i = 0
    for j in range(len(b)):
        run = b[j] >> HALF
        if not (seen[run & last] >> (b[j] >> TOP)) & np.uint64(1):
            continue
        while i < len(a) and a[i] >> HALF < run:
            i += 1
        k = i
        while k < len(a) and a[k] >> HALF == run:
            if not itself or a[k] < b[j]:
                if total == len(hits):
                    hits = doubled(hits)
                hits[total] = (a[k] << HALF) | (b[j] & PLACE)
                total += 1
            k += 1
    return hits, total


@kernel
def lie_together(hits, least, reach):  # type: ignore[no-untyped-def]
    """Return whether a hit and its neighbours, within `reach` words in both texts, are `least` or more.

    The hits are sorted; as only so many before each are looked at, either text may come first.
    """
    if is_crowded(hits, least, reach):
        return True
    return len(hits) > LOOK_BACK and is_crowded(turned(hits), least, reach)


@kernel
def is_crowded(hits, least, reach):  # type: ignore[no-untyped-def]
    """Return whether one of some sorted hits has `least` - 1 neighbours."""
    near = np.ones(len(hits), np.int64)
    for k in range(len(hits)):
        a, b = places_of(hits[k])
        for j in range(k - 1, max(k - 1 - LOOK_BACK, -1), -1):
            other_a, other_b = places_of(hits[j])
            if a - other_a > reach:
                break
            if abs(b - other_b) <= reach:
                near[k] += 1
                near[j] += 1
                if near[j] >= least:
                    return True
        if near[k] >= least:
            return True
    return False


@kernel
def turned(hits):  # type: ignore[no-untyped-def]
    """Return sorted hits with the second text first."""
    found = np.empty(len(hits), np.uint64)
    for k in range(len(hits)):
        a, b = places_of(hits[k])
        found[k] = hit_of(b, a)
    sort(found)
    return found


@kernel(inline="always")
def places_of(hit):  # type: ignore[no-untyped-def]
    """Return the place in the first text and that in the second."""
    return np.int64(np.uint64(hit) >> HALF), np.int64(np.uint64(hit) & PLACE)


@kernel(inline="always")
def hit_of(a, b):  # type: ignore[no-untyped-def]
    """Return two places as one number."""
    return np.uint64(a) << HALF | np.uint64(b)


@kernel
def extended_runs(a, b, hits, same):  # type: ignore[no-untyped-def]
    """Return rows (start in a, start in b, length) of the maximal equal runs around sorted hits.

    A run is left out if its words lie inside another run's in a, and inside another run's in b: so all
    copies of a text are found, wherever it is repeated, and not each of them with each. With `same`,
    runs do not overlap their own copy.
    """
    runs = np.empty((len(hits), 3), np.int64)
    count = 0
    reached_on = np.zeros(len(a) + len(b), np.int32)  # the end of the last run on each diagonal, in a
    for k in range(len(hits)):
        i, j = places_of(hits[k])
        diagonal = j - i
        first = np.int64(reached_on[len(a) + diagonal])
        if i < first:
            continue
        if same:
            first = max(first, i - diagonal + 1)
        begin = i
        while begin > first and begin + diagonal > 0 and a[begin - 1] == b[begin - 1 + diagonal]:
            begin -= 1
        end = i
        most = min(len(a), len(b) - diagonal, begin + diagonal if same else len(a))
        while end < most and a[end] == b[end + diagonal]:
            end += 1
        if end > begin:
            runs[count, 0], runs[count, 1], runs[count, 2] = begin, begin + diagonal, end - begin
            count += 1
        reached_on[len(a) + diagonal] = max(end, i + 1)
    return outermost(runs[:count])


@kernel
def outermost(runs):  # type: ignore[no-untyped-def]
    """Return the runs that are inside no other one in a, or in none in b, by their starts in a and b.

    Of those with the same words in a, the first in b is inside no other one, and so in b.
    """
    inside = np.ones(len(runs), np.bool_)
    for side in range(2):
        order = longest_first(runs, side)
        reached = np.int64(-1)
        for k in order:
            end = runs[k, side] + runs[k, 2]
            if end > reached:
                inside[k] = False
                reached = end
    kept = np.empty((len(runs), 3), np.int64)
    total = 0
    for k in longest_first(runs, 0):
        if not inside[k]:
            kept[total, 0], kept[total, 1], kept[total, 2] = runs[k, 0], runs[k, 1], runs[k, 2]
            total += 1
    return kept[:total]


@kernel
def longest_first(runs, side):  # type: ignore[no-untyped-def]
    """Return the order of runs by their starts on a side, the longest first, then by the other side."""
    order = ascending(runs[:, 1 - side].copy())
    keys = np.empty(len(runs), np.int64)
    for k in range(len(runs)):
        keys[k] = runs[order[k], side] * (1 << 31) - runs[order[k], 2]
    return order[ascending(keys)]
