"""The passages that two texts share in other words: runs of sentences that share rare words."""

import numpy as np

from neardup.kernels.arrays import ascending, doubled, room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.hits import hit_of, places_of
from neardup.kernels.overlap import match_words
from neardup.kernels.passages import (
    PART,
    REWRITTEN,
    ROW,
    VERBATIM,
    are_long,
    hits_in_order,
    in_order,
    text_of,
    turn_rows,
    with_row,
)
from neardup.kernels.soft import (
    boxes_of,
    common_weights,
    joined_sentences,
    numbered_words,
    trimmed,
)
from neardup.kernels.soft_sentences import (
    alike_sentences,
    distinct_words,
    grouped_seeds,
    room_of,
    soft_seeds,
    weigh_box,
)
from neardup.kernels.summaries import with_summary


@kernel
def free_hits(hits, taken_a, taken_b):  # type: ignore[no-untyped-def]
    """Return the hits in words that are not taken."""
    found = np.empty(len(hits), np.uint64)
    total = 0
    for k in range(len(hits)):
        i, j = places_of(hits[k])
        found[total] = hits[k]
        total += not taken_a[i] and not taken_b[j]
    return found[:total]


@kernel
def anchors_of(hits, bounds_a, bounds_b):  # type: ignore[no-untyped-def]
    """Return the sorted hits in sentences of some sorted hits in words."""
    found = np.empty(len(hits), np.uint64)
    sentence = 0
    for k in range(len(hits)):
        i, j = places_of(hits[k])
        while bounds_a[sentence + 1] <= i:
            sentence += 1
        found[k] = hit_of(sentence, np.searchsorted(bounds_b, j, "right") - 1)
    sort(found)
    return found


@kernel
def in_boxes(boxes, side, count):  # type: ignore[no-untyped-def]
    """Say of each sentence whether a box has it, on the side that begins there."""
    found = np.zeros(count, np.bool_)
    for k in range(len(boxes)):
        found[boxes[k, side] : boxes[k, side + 1] + 1] = True
    return found


@kernel
def least_evidence(options):  # type: ignore[no-untyped-def]
    """Return what the words that both runs of a passage have weigh at least."""
    return options.evidence * options.least_length


@kernel
def evident(a, b, weights, options):  # type: ignore[no-untyped-def]
    """Return the parts (start and end in a, in b) of two runs of words that are evidently the same.

    They are empty if the words that both have weigh too little, or too little of both.
    """
    begin_a, end_a = trimmed(a, b, weights, options.trim)
    a = a[begin_a:end_a]
    begin_b, end_b = trimmed(b, a, weights, options.trim)
    common, alike = common_weights(a, b[begin_b:end_b], weights)
    if common < least_evidence(options) or alike < options.alike:
        return 0, 0, 0, 0
    return begin_a, end_a, begin_b, end_b


@kernel
def soft_passages(text_a, text_b, itself, hits, taken_a, taken_b, options, counts, sentences):  # type: ignore[no-untyped-def]
    """Return rows (start in a, end in a, start in b, end in b) of similar sentences, best first."""
    a, b = text_a.words, text_b.words
    rows = np.empty(256, np.int64)
    free = free_hits(hits, taken_a, taken_b)
    if len(free) < options.anchors:
        return rows[:0].reshape(-1, 4)
    bounds_a = joined_sentences(text_a.sentences, len(a), options.sentence, options.longest)
    bounds_b = joined_sentences(text_b.sentences, len(b), options.sentence, options.longest)
    anchors = anchors_of(free, bounds_a, bounds_b)
    last_a, last_b = len(bounds_a) - 2, len(bounds_b) - 2
    boxes = boxes_of(anchors, options.reach, options.anchors, options.gap, last_a, last_b)
    some_a, some_b = in_boxes(boxes, 0, last_a + 1), in_boxes(boxes, 2, last_b + 1)
    in_a, in_b, shares = numbered_words(a, bounds_a, some_a, b, bounds_b, some_b, counts, sentences)
    left = distinct_words(in_a, bounds_a, some_a, taken_a, len(shares))
    right = distinct_words(in_b, bounds_b, some_b, taken_b, len(shares))
    room = room_of(shares, options.nearby)
    scores = np.empty(64, np.int64)  # the best are the lowest
    total = 0
    for k in range(len(boxes)):
        box = boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3]
        pairs = alike_sentences(left, right, box, itself, options.dice, room)
        if len(pairs) == 0:
            continue
        nearby = min(box[1] - box[0] + box[3] - box[2] + 2, options.nearby)
        weigh_box(left, right, box, nearby, room)
        seeds = soft_seeds(left, right, box, pairs, options.cosine, room)
        if len(seeds) == 0:
            continue
        limits = options.gap, options.least_gap, options.whole
        groups, cosines = grouped_seeds(left, right, seeds, *limits, room)
        for g in range(len(groups)):
            x0, x1 = bounds_a[groups[g, 0]], bounds_a[groups[g, 1] + 1]
            y0, y1 = bounds_b[groups[g, 2]], bounds_b[groups[g, 3] + 1]
            u0, u1, v0, v1 = evident(in_a[x0:x1], in_b[y0:y1], room.weights, options)
            x0, x1, y0, y1 = x0 + u0, x0 + u1, y0 + v0, y0 + v1
            if u0 < u1 and (not itself or x1 <= y0):
                if total == len(scores):
                    rows, scores = doubled(rows), doubled(scores)
                rows[4 * total], rows[4 * total + 1] = x0, x1
                rows[4 * total + 2], rows[4 * total + 3] = y0, y1
                scores[total] = np.int64(-1_000_000 * cosines[g] * (x1 - x0))
                total += 1
    return rows[: 4 * total].reshape(-1, 4)[ascending(scores[:total].copy())]


@kernel
def take(taken, runs, bounds, pair):  # type: ignore[no-untyped-def]
    """Mark the words of the runs (start, end) of a pair as taken."""
    for k in range(bounds[pair], bounds[pair + 1], 2):
        for w in range(runs[k], runs[k + 1]):
            taken[w] = True


@kernel
def soft_pairs(a, b, itself, hits, bounds, lists, verbatim, options, counts, sentences):  # type: ignore[no-untyped-def]
    """Return rows as `verbatim_pairs` does, of what is rewritten: REWRITTEN or SUMMARY; and parts.

    `verbatim` is what that returned, of which parts are evidence of what is rewritten, too; `lists` are
    the reference lists of both sides, in which nothing is looked for (runs, and where those of each pair
    begin), and `counts` how often each word occurs in the collection, which has so many sentences. No
    passage overlaps another one in the longer text, but for parts.
    Summaries are among them.
    """
    rows = np.empty(1024, np.int64)
    total = 0
    v = 0
    for p in range(len(itself)):
        one, other, swapped = in_order(text_of(a, p), text_of(b, p))
        own = hits_in_order(hits[bounds[p] : bounds[p + 1]], swapped)
        taken_a, taken_b = np.zeros(len(one.words), np.bool_), np.zeros(len(other.words), np.bool_)
        x, y = (3, 1) if swapped else (1, 3)
        begin = v
        while v < len(verbatim) and verbatim[v, 0] == p:
            if verbatim[v, 5] == VERBATIM:
                taken_a[verbatim[v, x] : verbatim[v, x + 1]] = True
                taken_b[verbatim[v, y] : verbatim[v, y + 1]] = True
            v += 1
        if swapped:
            take(taken_b, lists[0], lists[1], p)
            take(taken_a, lists[2], lists[3], p)
        else:
            take(taken_a, lists[0], lists[1], p)
            take(taken_b, lists[2], lists[3], p)
        verbatim_a = taken_a.copy()
        first = total
        soft = soft_passages(one, other, itself[p], own, taken_a, taken_b, options, counts, sentences)
        for s in range(len(soft)):
            x0, x1, y0, y1 = soft[s, 0], soft[s, 1], soft[s, 2], soft[s, 3]
            if taken_a[x0:x1].any():
                continue
            if are_long(one, x0, x1, other, y0, y1, options.least_length):
                rows = with_row(rows, total, p, x0, x1, y0, y1, REWRITTEN)
                total += ROW
                taken_a[x0:x1] = True
        if not itself[p]:
            rows, total = with_summary(
                rows, first, total, p, one, other, own, verbatim_a, taken_b, options, counts, sentences
            )
        if swapped:
            turn_rows(rows, first, total)
        rows, total = with_parts(
            rows, first, total, verbatim[begin:v], text_of(a, p), text_of(b, p), options
        )
    return rows[:total].reshape(-1, ROW)


@kernel
def with_parts(rows, first, total, verbatim, a, b, options):  # type: ignore[no-untyped-def]
    """Put parts that are verbatim in the place of rewritten passages of which they are most.

    A part of which half or more lies in passages that stay, in both texts, is no passage of its own, and
    then none goes for it: so what one of both had is in one of both.
    """
    parts = verbatim[verbatim[:, 5] == PART]
    if len(parts) == 0:
        return rows, total
    own = rows[first:total].copy().reshape(-1, ROW)
    numbers_a, bounds_a = parts_met(own, parts, 1)
    numbers_b, bounds_b = parts_met(own, parts, 3)
    stays = np.zeros(len(own), np.bool_)
    is_left = np.ones(len(parts), np.bool_)
    held = np.zeros(len(parts), np.int64)  # words of each in passages that stay
    changed = True
    while changed:
        changed = False
        for r in range(len(own)):
            if stays[r]:
                continue
            in_a, in_b = (
                numbers_a[bounds_a[r] : bounds_a[r + 1]],
                numbers_b[bounds_b[r] : bounds_b[r + 1]],
            )
            left_a, left_b = parts[in_a[is_left[in_a]]], parts[in_b[is_left[in_b]]]
            if is_made_of(own[r], left_a, left_b, a, b, options):
                continue
            stays[r] = changed = True
            for k in in_a:
                held[k] += min(common_words(own[r], parts[k], 1), common_words(own[r], parts[k], 3))
                size = max(parts[k, 2] - parts[k, 1], parts[k, 4] - parts[k, 3])
                is_left[k] = 2 * held[k] < size
    total = first
    for r in range(len(own)):
        if stays[r]:
            rows[total : total + ROW] = own[r]
            total += ROW
    for k in range(len(parts)):
        if is_left[k]:
            x0, x1, y0, y1 = parts[k, 1], parts[k, 2], parts[k, 3], parts[k, 4]
            rows = with_row(rows, total, parts[k, 0], x0, x1, y0, y1, VERBATIM)
            total += ROW
    return rows, total


@kernel
def parts_met(rows, parts, side):  # type: ignore[no-untyped-def]
    """Return the numbers of the parts that each row meets on a side, and where those of each begin."""
    order = ascending(parts[:, side].copy())
    starts, reached = parts[order, side], parts[order, side + 1]
    for k in range(1, len(reached)):
        reached[k] = max(reached[k], reached[k - 1])
    numbers = np.empty(64, np.int64)
    bounds = np.zeros(len(rows) + 1, np.int64)
    total = 0
    for r in range(len(rows)):
        begin = np.searchsorted(reached, rows[r, side], "right")
        for k in order[begin : np.searchsorted(starts, rows[r, side + 1])]:
            if common_words(rows[r], parts[k], side) > 0:
                numbers = room_for(numbers, total, 1)
                numbers[total] = k
                total += 1
        bounds[r + 1] = total
    return numbers[:total], bounds


@kernel
def is_made_of(own, parts_a, parts_b, a, b, options):  # type: ignore[no-untyped-def]
    """Return whether a passage is rewritten as a whole, and two thirds of it, in a text, are parts."""
    x0, x1, y0, y1 = own[1], own[2], own[3], own[4]
    words_a, words_b = covered_words(own, parts_a, 1), covered_words(own, parts_b, 3)
    if own[5] != REWRITTEN or (3 * words_a < 2 * (x1 - x0) and 3 * words_b < 2 * (y1 - y0)):
        return False
    in_a, in_b = np.zeros(x1 - x0, np.bool_), np.zeros(y1 - y0, np.bool_)
    common = match_words(a.words[x0:x1], b.words[y0:y1], in_a, in_b)
    return 2 * common < options.edited * (x1 - x0 + y1 - y0)


@kernel
def covered_words(own, parts, side):  # type: ignore[no-untyped-def]
    """Return how many words of a row lie in any of some parts, on the side that begins there."""
    covered = np.zeros(own[side + 1] - own[side], np.bool_)
    for k in range(len(parts)):
        begin = max(parts[k, side] - own[side], 0)
        covered[begin : begin + common_words(own, parts[k], side)] = True
    return covered.sum()


@kernel
def common_words(one, other, side):  # type: ignore[no-untyped-def]
    """Return how many words two rows have in common, on the side that begins there."""
    return max(min(one[side + 1], other[side + 1]) - max(one[side], other[side]), 0)
