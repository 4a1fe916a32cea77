"""Soft evidence: sentences of two texts that share rare words, and the passages they make up.

Sentences are weighted by tf-isf: how often a word occurs in the sentence, times the logarithm of how
many sentences there are for each of its occurrences, in the collection or nearby, whichever is less.
Follows Sanchez-Perez, Sidorov and Gelbukh (PAN 2014), with seeds
looked for only near runs of words that both texts have, and connected in the plane.
"""

import math

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.counters import cell_of
from neardup.kernels.graphs import root
from neardup.kernels.hits import MASKED, places_of
from neardup.kernels.shingles import cell_for, table_size

LARGEST_BOX = 256  # sentences
LOOK_BACK = 64  # anchors
KNOWN_LOGARITHMS = 16


@kernel
def weighed_words(a, b, counts, sentences, nearby):  # type: ignore[no-untyped-def]
    """Give the distinct words of two runs numbers from 0; return those of each run, and their weights.

    A word's weight is the logarithm of the sentences for each of its occurrences, in the collection or
    in these runs (`nearby` sentences), whichever is less: what a text always speaks of says little.
    """
    every = np.ones(1, np.bool_)
    runs = np.array([0, len(a)]), np.array([0, len(b)])
    in_a, in_b, weights = numbered_words(a, runs[0], every, b, runs[1], every, counts, sentences)
    often = np.zeros(len(weights), np.int64)
    for k in range(len(a)):
        often[in_a[k]] += 1
    for k in range(len(b)):
        often[in_b[k]] += 1
    weigh(weights, often, nearby)
    return in_a, in_b, weights


@kernel
def numbered_words(a, bounds_a, some_a, b, bounds_b, some_b, counts, sentences):  # type: ignore[no-untyped-def]
    """Give the distinct words of some sentences of two texts numbers from 0.

    Returns those of each text, what stands for words of other sentences being anything, and the share
    of the collection's sentences that has each.
    """
    size = words_of(bounds_a, some_a) + words_of(bounds_b, some_b)
    table = np.zeros(table_size(size + 1), np.uint64)
    numbers = np.empty(len(table), np.int32)
    words = np.empty(size, np.uint64)
    in_a, in_b = np.empty(len(a), np.int32), np.empty(len(b), np.int32)
    count = 0
    for own, bounds, some, found in ((a, bounds_a, some_a, in_a), (b, bounds_b, some_b, in_b)):
        for s in range(len(some)):
            if not some[s]:
                continue
            for i in range(bounds[s], bounds[s + 1]):
                key = own[i] if own[i] != 0 else np.uint64(1)
                cell = cell_for(table, key)
                if table[cell] == 0:
                    table[cell], numbers[cell], words[count] = key, count, own[i]
                    count += 1
                found[i] = numbers[cell]
    cells = np.uint64(len(counts))
    shares = np.empty(count, np.float64)
    for k in range(count):  # nothing but look-ups, so that the processor waits for many at a time
        masked = words[k] >> np.uint64(48) == MASKED >> np.uint64(48)  # which weighs nothing
        shares[k] = 1.0 if masked else max(counts[cell_of(words[k], cells)], 1) / sentences
    return in_a, in_b, shares


@kernel
def words_of(bounds, some):  # type: ignore[no-untyped-def]
    """Count the words of some sentences."""
    count = 0
    for s in range(len(some)):
        count += (bounds[s + 1] - bounds[s]) * some[s]
    return count


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
            if abs(column - other_column) > reach or parents[j] == parents[k]:
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
