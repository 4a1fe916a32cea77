"""Sentences of two texts that share rare words, in boxes, and groups of them that lie together."""

import math
from typing import Any, NamedTuple

import numpy as np

from neardup.kernels.arrays import room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.graphs import root
from neardup.kernels.hits import hit_of, places_of
from neardup.kernels.soft import words_of

COLUMNS = 64  # sentences that are counted at a time: one a bit
HIGHEST = 63  # of six bits, which are enough: a sentence has 42 words at most
ROUNDED = 1e-9  # more than what sums in another order differ by
ONE, ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)


class Sentences(NamedTuple):
    """The distinct words of the sentences of a text, as numbers, and how often each is there."""

    words: Any
    times: Any
    starts: Any  # of the words of each sentence
    closed: Any  # which sentences no seed may have


class Room(NamedTuple):
    """What is used for one box after the other, with a place for each word: zeros between uses."""

    masks: Any
    often: Any
    sums: Any
    weights: Any  # those of the last box
    shares: Any  # of the sentences of the collection, and their logarithms
    near: Any  # of so many sentences nearby, and their logarithms


@kernel
def distinct_words(numbers, bounds, some, taken, distinct):  # type: ignore[no-untyped-def]
    """Return the distinct words of some sentences; those are closed of which a word is taken."""
    count = len(some)
    size = words_of(bounds, some)
    words, times = np.empty(size, np.int32), np.empty(size, np.int32)
    starts, closed = np.zeros(count + 1, np.int64), np.zeros(count, np.bool_)
    places = np.full(distinct, -1, np.int32)  # where a word is in the last sentence that has it
    total = 0
    for s in range(count):
        if some[s]:
            for k in range(bounds[s], bounds[s + 1]):
                word = numbers[k]
                if places[word] < starts[s]:
                    places[word] = total
                    words[total], times[total] = word, 0
                    total += 1
                times[places[word]] += 1
                closed[s] |= taken[k]
        starts[s + 1] = total
    return Sentences(words, times, starts, closed)


@kernel
def room_of(shares, nearby):  # type: ignore[no-untyped-def]
    """Return room for words of these shares, in boxes of which so many sentences count at most.

    Shares lower than those of any word in a box need no logarithms.
    """
    count = len(shares)
    both = np.zeros((count, 2), np.float64)
    for k in range(count):
        both[k, 0] = shares[k]
        if shares[k] >= 1 / nearby:
            both[k, 1] = -math.log(min(shares[k], 1.0))
    return Room(
        np.zeros(count, np.uint64),
        np.zeros(count, np.int32),
        np.zeros(count, np.float64),
        np.empty(count, np.float64),
        both,
        np.zeros((nearby + 1, nearby + 1, 2), np.float64),
    )


@kernel
def shares_nearby(near, nearby):  # type: ignore[no-untyped-def]
    """Return the shares of so many sentences that 0 to `nearby` are, and their logarithms."""
    own = near[nearby]
    if own[nearby, 0] == 0:
        for often in range(1, nearby + 1):
            own[often, 0] = often / nearby
            own[often, 1] = -math.log(own[often, 0])
    return own


@kernel
def alike_sentences(left, right, box, itself, least_dice, room):  # type: ignore[no-untyped-def]
    """Return the sorted pairs (i, j) of open sentences of a box whose Dice coefficient exceeds a limit.

    With `itself`, j is behind i.
    """
    pairs = np.empty(64, np.int64)
    total = 0
    for j0 in range(box[2], box[3] + 1, COLUMNS):
        j1 = min(j0 + COLUMNS - 1, box[3])
        pairs, total = with_alike(left, right, (box[0], box[1], j0, j1), least_dice, room, pairs, total)
    found = np.empty((total, 2), np.int64)
    count = 0
    if box[3] - box[2] >= COLUMNS:
        sort(pairs[:total])
    for k in range(total):
        found[count, 0], found[count, 1] = places_of(pairs[k])
        count += not itself or found[count, 0] < found[count, 1]
    return found[:count]


@kernel
def needed_words(side, sentence, least_dice):  # type: ignore[no-untyped-def]
    """Return how many of the words that two sentences share one of them asks for, and no more."""
    return int(least_dice * (side.starts[sentence + 1] - side.starts[sentence]) / 2 - ROUNDED)


@kernel
def with_alike(left, right, box, least_dice, room, pairs, total):  # type: ignore[no-untyped-def]
    """Write the alike sentences of a box of few columns behind the first `total` pairs.

    A column is a bit. The words that a sentence shares with each column are counted for all columns at
    once, in numbers whose bits are apart: those that reach 64 share more than both ask for.
    """
    i0, i1, j0, j1 = box
    masks = room.masks
    most = 0
    for i in range(i0, i1 + 1):
        most = max(most, needed_words(left, i, least_dice))
    starts = np.zeros(6, np.uint64)
    for j in range(j0, j1 + 1):
        if right.closed[j]:
            continue
        column = np.uint64(1) << np.uint64(j - j0)
        first = HIGHEST - most - needed_words(right, j, least_dice)
        for bit in range(6):
            starts[bit] |= column * np.uint64(first >> bit & 1)
        for k in range(right.starts[j], right.starts[j + 1]):
            masks[right.words[k]] |= column
    for i in range(i0, i1 + 1):
        if left.closed[i]:
            continue
        begin, end = left.starts[i], left.starts[i + 1]
        needed = needed_words(left, i, least_dice)
        b0, b1, b2, b3, b4, b5 = starts[0], starts[1], starts[2], starts[3], starts[4], starts[5]
        reached = np.uint64(0)
        for k in range(begin - most + needed, end):
            more = masks[left.words[k]] if k >= begin else ALL
            b0, more = b0 ^ more, b0 & more
            b1, more = b1 ^ more, b1 & more
            b2, more = b2 ^ more, b2 & more
            b3, more = b3 ^ more, b3 & more
            b4, more = b4 ^ more, b4 & more
            b5, more = b5 ^ more, b5 & more
            reached |= more
        if reached == 0:
            continue
        pairs = room_for(pairs, total, COLUMNS)
        for j in range(j0, j1 + 1):
            column = np.uint64(j - j0)
            if reached >> column & ONE:
                shared = needed + needed_words(right, j, least_dice) + 1
                for bit, columns in enumerate((b0, b1, b2, b3, b4, b5)):
                    shared += np.int64(columns >> column & ONE) << bit
                dice = 2 * shared / (end - begin + right.starts[j + 1] - right.starts[j])
                pairs[total] = np.int64(hit_of(i, j))
                total += dice > least_dice
    for k in range(right.starts[j0], right.starts[j1 + 1]):
        masks[right.words[k]] = 0
    return pairs, total


@kernel
def counted_words(side, begin, end, often, words, count):  # type: ignore[no-untyped-def]
    """Count how often some words of sentences are there; write new ones behind the first `count`."""
    for k in range(begin, end):
        words[count] = side.words[k]
        count += often[side.words[k]] == 0
        often[side.words[k]] += side.times[k]
    return count


@kernel
def weigh_box(left, right, box, nearby, room):  # type: ignore[no-untyped-def]
    """Weigh the words of the sentences of a box; `nearby` as in `weighed_words`."""
    near = shares_nearby(room.near, nearby)
    often, shares = room.often, room.shares
    begin_a, end_a = left.starts[box[0]], left.starts[box[1] + 1]
    begin_b, end_b = right.starts[box[2]], right.starts[box[3] + 1]
    words = np.empty(end_a - begin_a + end_b - begin_b, np.int32)
    count = counted_words(left, begin_a, end_a, often, words, 0)
    count = counted_words(right, begin_b, end_b, often, words, count)
    for k in range(count):
        word = words[k]
        there = min(often[word], nearby)
        room.weights[word] = shares[word, 1] if near[there, 0] <= shares[word, 0] else near[there, 1]
        often[word] = 0


@kernel(inline="always")
def value_of(side, k, weights):  # type: ignore[no-untyped-def]
    """Return the tf-isf of a word of a sentence."""
    weight = weights[side.words[k]]
    value = weight
    for _ in range(1, side.times[k]):
        value += weight
    return value


@kernel
def norm_of(side, sentence, weights):  # type: ignore[no-untyped-def]
    """Return the norm of a sentence."""
    norm = 0.0
    for k in range(side.starts[sentence], side.starts[sentence + 1]):
        norm += value_of(side, k, weights) ** 2
    return math.sqrt(norm)


@kernel
def soft_seeds(left, right, box, pairs, least_cosine, room):  # type: ignore[no-untyped-def]
    """Return those pairs of sentences of a box whose cosine exceeds a limit."""
    weights, values = room.weights, room.sums
    seeds = np.empty((len(pairs), 2), np.int64)
    norms = np.full(box[3] - box[2] + 1, -1.0)
    norm = 0.0
    total = 0
    for p in range(len(pairs)):
        i, j = pairs[p, 0], pairs[p, 1]
        if p == 0 or i != pairs[p - 1, 0]:
            norm = norm_of(left, i, weights)
        if norms[j - box[2]] < 0:
            norms[j - box[2]] = norm_of(right, j, weights)
        for k in range(right.starts[j], right.starts[j + 1]):
            values[right.words[k]] = value_of(right, k, weights)
        dot = 0.0
        for k in range(left.starts[i], left.starts[i + 1]):
            dot += value_of(left, k, weights) * values[left.words[k]]
        for k in range(right.starts[j], right.starts[j + 1]):
            values[right.words[k]] = 0
        if dot > least_cosine * (norm * norms[j - box[2]]):
            seeds[total, 0], seeds[total, 1] = i, j
            total += 1
    return seeds[:total]


@kernel
def whole_cosine(left, right, i0, i1, j0, j1, room):  # type: ignore[no-untyped-def]
    """Return the cosine of the words of sentences i0 to i1 and j0 to j1."""
    weights, sums = room.weights, room.sums
    begin, end = left.starts[i0], left.starts[i1 + 1]
    norm_a = summed(left, begin, end, weights, sums)
    dot = 0.0
    for k in range(right.starts[j0], right.starts[j1 + 1]):
        dot += sums[right.words[k]] * value_of(right, k, weights)
    for k in range(begin, end):
        sums[left.words[k]] = 0
    begin, end = right.starts[j0], right.starts[j1 + 1]
    norm_b = summed(right, begin, end, weights, sums)
    for k in range(begin, end):
        sums[right.words[k]] = 0
    return dot / math.sqrt(norm_a * norm_b) if norm_a * norm_b > 0 else 0.0


@kernel
def summed(side, begin, end, weights, sums):  # type: ignore[no-untyped-def]
    """Add the values of some words up in `sums`; return the square of their norm."""
    for k in range(begin, end):
        sums[side.words[k]] += value_of(side, k, weights)
    norm = 0.0
    for k in range(begin, end):
        norm += sums[side.words[k]] * value_of(side, k, weights)
    return norm


@kernel
def grouped_seeds(left, right, seeds, gap, least_gap, least, room):  # type: ignore[no-untyped-def]
    """Return boxes (i0, i1, j0, j1) of seeds that lie together and whose whole words are similar.

    A group that is not similar enough as a whole is tried again with a smaller gap.
    """
    found = np.empty((len(seeds), 4), np.int64)
    scores = np.empty(len(seeds), np.float64)
    total = 0
    seeds = seeds.copy()
    waiting = len(seeds)
    for width in range(gap, min(gap, least_gap) - 1, -1):
        roots = connected(seeds[:waiting], width)
        boxes = boxes_around(seeds[:waiting], roots)
        similar = np.zeros(waiting, np.bool_)
        for r in range(waiting):
            if roots[r] == r:
                i0, i1, j0, j1 = boxes[r, 0], boxes[r, 1], boxes[r, 2], boxes[r, 3]
                score = whole_cosine(left, right, i0, i1, j0, j1, room)
                similar[r] = score > least
                if similar[r]:
                    found[total, 0], found[total, 1], found[total, 2], found[total, 3] = i0, i1, j0, j1
                    scores[total] = score
                    total += 1
        left_over = 0
        for k in range(waiting):
            if not similar[roots[k]]:
                seeds[left_over, 0], seeds[left_over, 1] = seeds[k, 0], seeds[k, 1]
                left_over += 1
        waiting = left_over
    return found[:total], scores[:total]


@kernel
def connected(seeds, gap):  # type: ignore[no-untyped-def]
    """Return for each seed the first one of its group; at most `gap` sentences lie between neighbours.

    Seeds are sorted by their first sentence.
    """
    parents = np.arange(len(seeds))
    for k in range(len(seeds)):
        for j in range(k - 1, -1, -1):
            if seeds[k, 0] - seeds[j, 0] > gap + 1:
                break
            if abs(seeds[k, 1] - seeds[j, 1]) <= gap + 1:
                x, y = root(parents, j), root(parents, k)
                parents[max(x, y)] = min(x, y)
    for k in range(len(seeds)):
        parents[k] = root(parents, k)
    return parents


@kernel
def boxes_around(seeds, roots):  # type: ignore[no-untyped-def]
    """Return for each root the box (i0, i1, j0, j1) of its seeds; a root is the first one of them."""
    boxes = np.empty((len(seeds), 4), np.int64)
    for k in range(len(seeds)):
        r, i, j = roots[k], seeds[k, 0], seeds[k, 1]
        if r == k:
            boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3] = i, i, j, j
        boxes[r, 0], boxes[r, 1] = min(boxes[r, 0], i), max(boxes[r, 1], i)
        boxes[r, 2], boxes[r, 3] = min(boxes[r, 2], j), max(boxes[r, 3], j)
    return boxes
