"""Soft evidence: sentences of two texts that share rare words, and the passages they make up.

Sentences are weighted by tf-isf: how often a word occurs in the sentence, times the logarithm of how
many sentences there are for each of its occurrences, in the collection or nearby, whichever is less.
Follows Sanchez-Perez, Sidorov and Gelbukh (PAN 2014), with seeds
looked for only near runs of words that both texts have, and connected in the plane.
"""

import math

import numpy as np

from neardup.kernels.arrays import doubled
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import cell_of
from neardup.kernels.graphs import root
from neardup.kernels.hits import MASKED, places_of
from neardup.kernels.shingles import cell_for, table_size

LARGEST_BOX = 256  # sentences
LOOK_BACK = 64  # anchors
KNOWN_LOGARITHMS = 16
ROUNDED = 1e-9  # more than what sums in another order differ by


@kernel
def weighed_words(a, b, counts, sentences, nearby):  # type: ignore[no-untyped-def]
    """Give the distinct words of two runs numbers from 0; return those of each run, and their weights.

    A word's weight is the logarithm of the sentences for each of its occurrences, in the collection or
    in these runs (`nearby` sentences), whichever is less: what a text always speaks of says little.
    """
    table = np.zeros(table_size(len(a) + len(b) + 1), np.uint64)
    numbers = np.empty(len(table), np.int64)
    cells = np.uint64(len(counts))
    in_a, in_b = np.empty(len(a), np.int64), np.empty(len(b), np.int64)
    words = np.empty(len(a) + len(b), np.uint64)
    often = np.empty(len(a) + len(b), np.int64)
    count = 0
    for i in range(len(a) + len(b)):
        word = a[i] if i < len(a) else b[i - len(a)]
        key = word if word != 0 else np.uint64(1)
        cell = cell_for(table, key)
        if table[cell] == 0:
            table[cell] = key
            numbers[cell] = count
            words[count], often[count] = word, 0
            count += 1
        often[numbers[cell]] += 1
        if i < len(a):
            in_a[i] = numbers[cell]
        else:
            in_b[i - len(a)] = numbers[cell]
    weights = np.empty(count, np.float64)
    for k in range(count):  # nothing but look-ups, so that the processor waits for many at a time
        masked = words[k] >> np.uint64(48) == MASKED >> np.uint64(48)  # which weighs nothing
        weights[k] = 1.0 if masked else max(counts[cell_of(words[k], cells)], 1) / sentences
    weigh(weights, often, nearby)
    return in_a, in_b, weights


@kernel
def weigh(shares, often, nearby):  # type: ignore[no-untyped-def]
    """Turn shares of sentences into weights: their logarithms, or those of what is nearby, if more.

    Most words are not frequent but a few times nearby: the logarithms of these are kept.
    """
    known = np.zeros(KNOWN_LOGARITHMS, np.float64)
    for k in range(len(shares)):
        near = often[k] / nearby
        if near <= shares[k] or often[k] >= len(known):
            shares[k] = -math.log(min(max(shares[k], near), 1.0))
            continue
        if known[often[k]] == 0:
            known[often[k]] = -math.log(min(near, 1.0))
        shares[k] = known[often[k]]


@kernel
def joined_sentences(sentences, words, least, most):  # type: ignore[no-untyped-def]
    """Return where sentences begin and the last one ends, each of at least `least` words.

    Those of more than `most` words are cut into equal parts.
    """
    bounds = np.empty(len(sentences) + words // most + 2, np.int64)
    bounds[0] = 0
    count = 0
    for s in range(len(sentences)):
        end = sentences[s + 1] if s + 1 < len(sentences) else words
        begin = bounds[count]
        if end - begin < least:
            continue
        if end - begin > most:
            parts = (end - begin + most - 1) // most
            for part in range(1, parts):
                count += 1
                bounds[count] = begin + (end - begin) * part // parts
        count += 1
        bounds[count] = end
    if count == 0:
        count = 1
    bounds[count] = words  # what is left over belongs to the last sentence
    return bounds[: count + 1]


@kernel
def boxes_of(anchors, reach, least, margin, last_row, last_column):  # type: ignore[no-untyped-def]
    """Return boxes (first row, last row, first column, last column) around anchors that lie together.

    Anchors are sorted hits. Two belong together when both distances are at most `reach`; fewer
    than `least` make no box. Boxes are widened by the margin, and never larger than LARGEST_BOX before.
    """
    count = len(anchors)
    parents = np.arange(count)
    extent = np.empty((count, 4), np.int64)
    sizes = np.ones(count, np.int64)
    for k in range(count):
        row, column = places_of(anchors[k])
        extent[k, 0], extent[k, 1], extent[k, 2], extent[k, 3] = row, row, column, column
        for j in range(k - 1, max(k - 1 - LOOK_BACK, -1), -1):
            other_row, other_column = places_of(anchors[j])
            if row - other_row > reach:
                break
            if abs(column - other_column) > reach:
                continue
            x, y = root(parents, j), root(parents, k)
            if x == y:
                continue
            top, bottom = min(extent[x, 0], extent[y, 0]), max(extent[x, 1], extent[y, 1])
            left, right = min(extent[x, 2], extent[y, 2]), max(extent[x, 3], extent[y, 3])
            if bottom - top < LARGEST_BOX and right - left < LARGEST_BOX:
                parents[y] = x
                sizes[x] += sizes[y]
                extent[x, 0], extent[x, 1], extent[x, 2], extent[x, 3] = top, bottom, left, right
    found = np.empty((count, 4), np.int64)
    total = 0
    for k in range(count):
        if parents[k] == k and sizes[k] >= least:
            found[total, 0] = max(extent[k, 0] - margin, 0)
            found[total, 1] = min(extent[k, 1] + margin, last_row)
            found[total, 2] = max(extent[k, 2] - margin, 0)
            found[total, 3] = min(extent[k, 3] + margin, last_column)
            total += 1
    return found[:total]


@kernel
def counted_words(numbers, bounds, weights):  # type: ignore[no-untyped-def]
    """Return the distinct words of sentences: words, weights tf-isf, where each one's begin, norms."""
    sentences = len(bounds) - 1
    words = np.empty(len(numbers), np.int64)
    values = np.empty(len(numbers), np.float64)
    starts = np.zeros(sentences + 1, np.int64)
    norms = np.zeros(sentences, np.float64)
    places = np.full(len(weights), -1, np.int64)  # where a word is in the last sentence that has it
    total = 0
    for s in range(sentences):
        for k in range(bounds[s] - bounds[0], bounds[s + 1] - bounds[0]):
            word = numbers[k]
            if places[word] < starts[s]:
                places[word] = total
                words[total], values[total] = word, 0.0
                total += 1
            values[places[word]] += weights[word]
        starts[s + 1] = total
        for k in range(starts[s], total):
            norms[s] += values[k] ** 2
        norms[s] = math.sqrt(norms[s])
    return words[:total], values[:total], starts, norms


@kernel
def soft_seeds(left, right, distinct, closed_a, closed_b, ahead, least_cosine, least_dice):  # type: ignore[no-untyped-def]
    """Return the sentence pairs (i, j) whose cosine and Dice coefficient both exceed their limits.

    Each side is what `counted_words` returned, with so many distinct words in both. No closed sentence
    is in a pair, and j is `ahead` of i at least.
    """
    words_a, values_a, starts_a, norms_a = left
    words_b, values_b, starts_b, norms_b = right
    head, following, owner = chained_words(words_b, starts_b, closed_b, distinct)
    dots = np.zeros(len(norms_b), np.float64)
    places = np.full(distinct, -1, np.int64)
    seeds = np.empty(128, np.int64)
    total = 0
    for i in range(len(starts_a) - 1):
        if closed_a[i] or norms_a[i] == 0:
            continue
        begin, end = starts_a[i], starts_a[i + 1]
        little = least_cosine * norms_a[i] / math.sqrt(end - begin)
        rest = 0.0
        for k in range(begin, end):
            if values_a[k] <= little:  # nearly all sentences have it: what it adds is at most the rest
                rest += values_a[k] ** 2
                continue
            at = head[words_a[k]]
            while at >= 0:
                dots[owner[at]] += values_a[k] * values_b[at]
                at = following[at]
        enough = max((least_cosine - ROUNDED) * norms_a[i] - math.sqrt(rest), 0.0)
        for j in range(len(norms_b)):
            if dots[j] > enough * norms_b[j] and j - i >= ahead:
                dot, shared = in_common(left, i, right, j, places)
                dice = 2 * shared / (end - begin + starts_b[j + 1] - starts_b[j])
                if dot > least_cosine * (norms_a[i] * norms_b[j]) and dice > least_dice:
                    if 2 * total == len(seeds):
                        seeds = doubled(seeds)
                    seeds[2 * total], seeds[2 * total + 1] = i, j
                    total += 1
            dots[j] = 0
    return seeds[: 2 * total].reshape(-1, 2)


@kernel
def chained_words(words, starts, closed, distinct):  # type: ignore[no-untyped-def]
    """Return the last place of each word in open sentences, the places before, and their sentences."""
    head = np.full(distinct, -1, np.int64)
    following, owner = np.empty(len(words), np.int64), np.empty(len(words), np.int64)
    for sentence in range(len(starts) - 1):
        if closed[sentence]:
            continue
        for k in range(starts[sentence], starts[sentence + 1]):
            owner[k] = sentence
            following[k] = head[words[k]]
            head[words[k]] = k
    return head, following, owner


@kernel
def in_common(left, i, right, j, places):  # type: ignore[no-untyped-def]
    """Return the product of two sentences, and how many words they share; `places` is -1 throughout."""
    words_a, values_a, starts_a, _ = left
    words_b, values_b, starts_b, _ = right
    for k in range(starts_b[j], starts_b[j + 1]):
        places[words_b[k]] = k
    dot, shared = 0.0, 0
    for k in range(starts_a[i], starts_a[i + 1]):
        at = places[words_a[k]]
        if at >= 0:
            dot += values_a[k] * values_b[at]
            shared += 1
    for k in range(starts_b[j], starts_b[j + 1]):
        places[words_b[k]] = -1
    return dot, shared


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
def whole_cosine(left, right, i0, i1, j0, j1, sums):  # type: ignore[no-untyped-def]
    """Return the cosine of the words of sentences i0 to i1 and j0 to j1.

    `sums` has a zero for each word, and again at the end.
    """
    words_a, values_a, starts_a, _ = left
    words_b, values_b, starts_b, _ = right
    begin, end = starts_a[i0], starts_a[i1 + 1]
    norm_a = norm_of(words_a, values_a, begin, end, sums)
    dot = 0.0
    for k in range(starts_b[j0], starts_b[j1 + 1]):
        dot += sums[words_b[k]] * values_b[k]
    for k in range(begin, end):
        sums[words_a[k]] = 0
    begin, end = starts_b[j0], starts_b[j1 + 1]
    norm_b = norm_of(words_b, values_b, begin, end, sums)
    for k in range(begin, end):
        sums[words_b[k]] = 0
    return dot / math.sqrt(norm_a * norm_b) if norm_a * norm_b > 0 else 0.0


@kernel
def norm_of(words, values, begin, end, sums):  # type: ignore[no-untyped-def]
    """Add the values of some words up in `sums`; return the square of their norm."""
    for k in range(begin, end):
        sums[words[k]] += values[k]
    norm = 0.0
    for k in range(begin, end):
        norm += sums[words[k]] * values[k]
    return norm


@kernel
def trimmed(words, others, weights, penalty):  # type: ignore[no-untyped-def]
    """Return the start and end of the part of a run of words for which most speaks.

    A word that the other run has, too, speaks for it by its weight, any other one against it by a share
    of that.
    """
    there = np.zeros(len(weights), np.bool_)
    for k in range(len(others)):
        there[others[k]] = True
    best, first, last = 0.0, 0, 0
    total, begin = 0.0, 0
    for k in range(len(words)):
        if total <= 0:
            total, begin = 0.0, k
        weight = weights[words[k]]
        total += weight if there[words[k]] else -penalty * weight
        if total > best:
            best, first, last = total, begin, k + 1
    return first, last


@kernel
def common_weights(a, b, weights):  # type: ignore[no-untyped-def]
    """Return what the words weigh that two runs have in common, and the share of all that is.

    A word counts once, however often it is there: that both speak of the same thing is one fact.
    """
    sides = np.zeros(len(weights), np.int8)
    whole = common = 0.0
    for k in range(len(a)):
        if sides[a[k]] == 0:
            sides[a[k]] = 1
            whole += weights[a[k]]
    for k in range(len(b)):
        if sides[b[k]] < 2:
            common += weights[b[k]] * sides[b[k]]
            whole += weights[b[k]]
            sides[b[k]] = 2
    return common, 2 * common / whole if whole > 0 else 0.0


@kernel
def grouped_seeds(left, right, seeds, distinct, gap, least_gap, least):  # type: ignore[no-untyped-def]
    """Return boxes (i0, i1, j0, j1) of seeds that lie together and whose whole words are similar.

    A group that is not similar enough as a whole is tried again with a smaller gap.
    """
    sums = np.zeros(distinct, np.float64)
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
                score = whole_cosine(left, right, i0, i1, j0, j1, sums)
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
