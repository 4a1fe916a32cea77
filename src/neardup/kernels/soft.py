"""Soft evidence: sentences of two texts that share rare words, and the passages they make up.

Sentences are weighted by tf-isf: how often a word occurs in the sentence, times the logarithm of how
many sentences there are for each of its occurrences, in the collection or nearby, whichever is less.
Follows Sanchez-Perez, Sidorov and Gelbukh (PAN 2014), with seeds
looked for only near runs of words that both texts have, and connected in the plane.
"""

import math

import numpy as np
from numba import njit

from neardup.kernels.counters import cell_of
from neardup.kernels.graphs import root
from neardup.kernels.shingles import table_size

LARGEST_BOX = 256  # sentences
LOOK_BACK = 64  # anchors


@njit(nogil=True, cache=True)
def weighed_words(a, b, counts, sentences, nearby):  # type: ignore[no-untyped-def]
    """Give the distinct words of two runs numbers from 0; return those of each run, and their weights.

    A word's weight is the logarithm of the sentences for each of its occurrences, in the collection or
    in these runs (`nearby` sentences), whichever is less: what a text always speaks of says little.
    """
    table = np.zeros(table_size(len(a) + len(b) + 1), np.uint64)
    numbers = np.empty(len(table), np.int32)
    last, cells = np.uint64(len(table) - 1), np.uint64(len(counts))
    in_a, in_b = np.empty(len(a), np.int32), np.empty(len(b), np.int32)
    weights = np.empty(len(a) + len(b), np.float64)
    often = np.empty(len(a) + len(b), np.int64)
    count = 0
    for i in range(len(a) + len(b)):
        word = a[i] if i < len(a) else b[i - len(a)]
        key = word if word != 0 else np.uint64(1)
        cell = key & last
        while table[cell] != 0 and table[cell] != key:
            cell = (cell + np.uint64(1)) & last
        if table[cell] == 0:
            table[cell] = key
            numbers[cell] = count
            weights[count] = max(counts[cell_of(word, cells)], 1) / sentences
            often[count] = 0
            count += 1
        often[numbers[cell]] += 1
        if i < len(a):
            in_a[i] = numbers[cell]
        else:
            in_b[i - len(a)] = numbers[cell]
    for k in range(count):
        weights[k] = -math.log(min(max(weights[k], often[k] / nearby), 1.0))
    return in_a, in_b, weights[:count]


@njit(nogil=True, cache=True)
def joined_sentences(sentences, words, least):  # type: ignore[no-untyped-def]
    """Return where sentences begin and the last one ends, each of at least `least` words."""
    bounds = np.empty(len(sentences) + 1, np.int64)
    bounds[0] = 0
    count = 0
    for s in range(len(sentences)):
        end = sentences[s + 1] if s + 1 < len(sentences) else words
        if end - bounds[count] >= least:
            count += 1
            bounds[count] = end
    if count == 0:
        count = 1
    bounds[count] = words  # what is left over belongs to the last sentence
    return bounds[: count + 1]


@njit(nogil=True, cache=True)
def boxes_of(anchors, reach, least, margin, rows, columns):  # type: ignore[no-untyped-def]
    """Return boxes (first row, last row, first column, last column) around anchors that lie together.

    Anchors (row, column) are sorted. Two belong together when both distances are at most `reach`; fewer
    than `least` make no box. Boxes are widened by the margin, and never larger than LARGEST_BOX before.
    """
    count = len(anchors)
    parents = np.arange(count)
    extent = np.empty((count, 4), np.int64)
    sizes = np.ones(count, np.int64)
    for k in range(count):
        extent[k] = (anchors[k, 0], anchors[k, 0], anchors[k, 1], anchors[k, 1])
        for j in range(k - 1, max(k - 1 - LOOK_BACK, -1), -1):
            if anchors[k, 0] - anchors[j, 0] > reach:
                break
            if abs(anchors[k, 1] - anchors[j, 1]) > reach:
                continue
            x, y = root(parents, j), root(parents, k)
            if x == y:
                continue
            top, bottom = min(extent[x, 0], extent[y, 0]), max(extent[x, 1], extent[y, 1])
            left, right = min(extent[x, 2], extent[y, 2]), max(extent[x, 3], extent[y, 3])
            if bottom - top < LARGEST_BOX and right - left < LARGEST_BOX:
                parents[y] = x
                sizes[x] += sizes[y]
                extent[x] = (top, bottom, left, right)
    found = np.empty((count, 4), np.int64)
    total = 0
    for k in range(count):
        if parents[k] == k and sizes[k] >= least:
            found[total, 0] = max(extent[k, 0] - margin, 0)
            found[total, 1] = min(extent[k, 1] + margin, rows - 1)
            found[total, 2] = max(extent[k, 2] - margin, 0)
            found[total, 3] = min(extent[k, 3] + margin, columns - 1)
            total += 1
    return found[:total]


@njit(nogil=True, cache=True)
def counted_words(numbers, bounds, weights):  # type: ignore[no-untyped-def]
    """Return the distinct words of sentences: words, weights tf-isf, where each one's begin, norms."""
    sentences = len(bounds) - 1
    words = np.empty(len(numbers), np.int32)
    values = np.empty(len(numbers), np.float64)
    starts = np.zeros(sentences + 1, np.int64)
    norms = np.zeros(sentences, np.float64)
    total = 0
    for s in range(sentences):
        own = np.sort(numbers[bounds[s] - bounds[0] : bounds[s + 1] - bounds[0]])
        i = 0
        while i < len(own):
            j = i
            while j < len(own) and own[j] == own[i]:
                j += 1
            words[total] = own[i]
            values[total] = (j - i) * weights[own[i]]
            norms[s] += values[total] ** 2
            total += 1
            i = j
        starts[s + 1] = total
        norms[s] = math.sqrt(norms[s])
    return words[:total], values[:total], starts, norms


@njit(nogil=True, cache=True)
def soft_seeds(left, right, head, least_cosine, least_dice):  # type: ignore[no-untyped-def]
    """Return the sentence pairs (i, j) whose cosine and Dice coefficient both exceed their limits.

    Each side is what `counted_words` returned; `head` has a -1 for each word, and again at the end.
    """
    words_a, values_a, starts_a, norms_a = left
    words_b, values_b, starts_b, norms_b = right
    following = np.empty(len(words_b), np.int64)
    owner = np.empty(len(words_b), np.int64)
    for j in range(len(starts_b) - 1):
        for k in range(starts_b[j], starts_b[j + 1]):
            owner[k] = j
            following[k] = head[words_b[k]]
            head[words_b[k]] = k
    dots = np.zeros(len(norms_b), np.float64)
    shared = np.zeros(len(norms_b), np.int64)
    seeds = np.empty((64, 2), np.int64)
    total = 0
    for i in range(len(starts_a) - 1):
        size = starts_a[i + 1] - starts_a[i]
        for k in range(starts_a[i], starts_a[i + 1]):
            at = head[words_a[k]]
            while at >= 0:
                dots[owner[at]] += values_a[k] * values_b[at]
                shared[owner[at]] += 1
                at = following[at]
        for j in range(len(norms_b)):
            if shared[j]:
                norm = norms_a[i] * norms_b[j]
                dice = 2 * shared[j] / (size + starts_b[j + 1] - starts_b[j])
                if norm > 0 and dots[j] > least_cosine * norm and dice > least_dice:
                    if total == len(seeds):
                        more = np.empty((2 * total, 2), np.int64)
                        more[:total] = seeds
                        seeds = more
                    seeds[total, 0], seeds[total, 1] = i, j
                    total += 1
                dots[j] = 0
                shared[j] = 0
    for k in range(len(words_b)):
        head[words_b[k]] = -1
    return seeds[:total]


@njit(nogil=True, cache=True)
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


@njit(nogil=True, cache=True)
def whole_cosine(left, right, box, sums):  # type: ignore[no-untyped-def]
    """Return the cosine of the words of sentences box[0] to box[1] and box[2] to box[3].

    `sums` has a zero for each word, and again at the end.
    """
    words_a, values_a, starts_a, _ = left
    words_b, values_b, starts_b, _ = right
    begin, end = starts_a[box[0]], starts_a[box[1] + 1]
    for k in range(begin, end):
        sums[words_a[k]] += values_a[k]
    norm_a = 0.0
    dot = 0.0
    for k in range(begin, end):
        norm_a += sums[words_a[k]] * values_a[k]
    for k in range(starts_b[box[2]], starts_b[box[3] + 1]):
        dot += sums[words_b[k]] * values_b[k]
    for k in range(begin, end):
        sums[words_a[k]] = 0
    begin, end = starts_b[box[2]], starts_b[box[3] + 1]
    for k in range(begin, end):
        sums[words_b[k]] += values_b[k]
    norm_b = 0.0
    for k in range(begin, end):
        norm_b += sums[words_b[k]] * values_b[k]
    for k in range(begin, end):
        sums[words_b[k]] = 0
    return dot / math.sqrt(norm_a * norm_b) if norm_a * norm_b > 0 else 0.0


@njit(nogil=True, cache=True)
def grouped_seeds(left, right, seeds, sums, gap, least_gap, least):  # type: ignore[no-untyped-def]
    """Return boxes (i0, i1, j0, j1) of seeds that lie together and whose whole words are similar.

    A group that is not similar enough as a whole is tried again with a smaller gap.
    """
    found = np.empty((len(seeds), 4), np.int64)
    scores = np.empty(len(seeds), np.float64)
    total = 0
    waiting = [seeds]
    gaps = [gap]
    while len(waiting):
        own = waiting.pop()
        width = gaps.pop()
        roots = connected(own, width)
        for r in range(len(own)):
            if roots[r] != r:
                continue
            members = own[roots == r]
            box = np.array(
                [members[:, 0].min(), members[:, 0].max(), members[:, 1].min(), members[:, 1].max()]
            )
            score = whole_cosine(left, right, box, sums)
            if score > least:
                found[total] = box
                scores[total] = score
                total += 1
            elif width > least_gap:
                waiting.append(members)
                gaps.append(width - 1)
    return found[:total], scores[:total]
