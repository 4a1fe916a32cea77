"""Texts that are alike in other words: letters and words in common, weighed by how rare they are.

A text is made of runs of letters and of words, each in one of `CELLS` cells. It may come in parts, each
compared with the same part of others.
"""

import numpy as np

from neardup.kernels.arrays import longest, room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import cell_of
from neardup.kernels.hashing import mix
from neardup.kernels.shingles import roll
from neardup.kernels.token_hashes import room_for_stretch, token_hashes
from neardup.kernels.tokens import characters

CELLS = 1 << 20
LETTERS = 4  # of a run
SCALE = 65535  # a weight of 1
ROOT = 255  # the same in a list, which has square roots, so that small weights are told apart, too
MOST_COUNTED = 255


@kernel
def count_cells_of(data, offsets, parts, letters, unicode):  # type: ignore[no-untyped-def]
    """Return the cells of each text, ascending, how often it has each, and where each text's begin.

    Texts are data[offsets[t]:offsets[t + 1]], and every `parts` of them belong together. Without
    `letters`, only words count.
    """
    texts = len(offsets) - 1
    most = longest(offsets)
    hashes, heads = np.empty(most + 1, np.uint64), np.empty(most + 1, np.int64)
    found = np.empty(2 * most + 2, np.uint64)
    room = room_for_stretch()
    cells, counts = np.empty(1024, np.uint32), np.empty(1024, np.uint8)
    bounds = np.zeros(texts + 1, np.int64)
    for t in range(texts):
        words, _ = token_hashes(data, offsets[t], offsets[t + 1], unicode, found, room)
        count = words
        if letters:
            length, _, _ = characters(data, offsets[t], offsets[t + 1], unicode, hashes, heads)
            count += roll(hashes, length, LETTERS, found[words:])
        for i in range(count):
            found[i] = cell_of(mix(found[i] + np.uint64(t % parts)), np.uint64(CELLS))
        own = found[:count]
        sort(own)
        cells, counts = room_for(cells, bounds[t], count), room_for(counts, bounds[t], count)
        at = bounds[t] - 1
        for i in range(count):
            if i == 0 or own[i] != own[i - 1]:
                at += 1
                cells[at], counts[at] = own[i], 1
            elif counts[at] < MOST_COUNTED:
                counts[at] += 1
        bounds[t + 1] = at + 1
    return cells[: bounds[texts]].copy(), counts[: bounds[texts]].copy(), bounds


@kernel
def weigh(cells, counts, bounds, shares, rarity, weights):  # type: ignore[no-untyped-def]
    """Write the weight of each cell of texts: by how often it is in the text, and how rare elsewhere.

    The weights of part p of a text are a vector of the length √shares[p], so that the sum of products is
    a sum of cosines. Weights are whole numbers of 1 / SCALE.
    """
    for t in range(len(bounds) - 1):
        total = 0.0
        for i in range(bounds[t], bounds[t + 1]):
            total += ((1 + np.log(counts[i])) * rarity[cells[i]]) ** 2
        scale = np.sqrt(shares[t % len(shares)] / total) * SCALE if total > 0 else 0.0
        for i in range(bounds[t], bounds[t + 1]):
            weights[i] = np.uint16((1 + np.log(counts[i])) * rarity[cells[i]] * scale)


@kernel
def fill_weights(cells, weights, bounds, starts, ends, low, high, postings, there):  # type: ignore[no-untyped-def]
    """Write threads and weights to the lists of cells from `low` to `high`, as `fill_postings` does.

    A list that begins where the next one does is left out.
    """
    for t in range(len(bounds) - 2, -1, -1):
        for i in range(bounds[t], bounds[t + 1]):
            cell = cells[i]
            if low <= cell < high and starts[cell] < starts[cell + 1]:
                ends[cell] -= 1
                postings[ends[cell]] = t
                there[ends[cell]] = np.uint8(np.sqrt(weights[i] / SCALE) * ROOT + 0.5)


@kernel
def nearest(cells, weights, starts, postings, there, gone, top, sums):  # type: ignore[no-untyped-def]
    """Return the `top` threads that share the most, best first, and their sums of products.

    Those that are gone are left out. `sums` is scratch space, all zeros.
    """
    most = np.int64(0)
    for k in range(len(cells)):
        most += np.int64(starts[cells[k] + 1]) - np.int64(starts[cells[k]])
    touched = np.empty(most, np.int64)
    found = 0
    for k in range(len(cells)):
        for i in range(np.int64(starts[cells[k]]), np.int64(starts[cells[k] + 1])):
            if sums[postings[i]] == 0:
                touched[found] = postings[i]
                found += 1
            sums[postings[i]] += np.int64(weights[k]) * np.int64(there[i]) * np.int64(there[i])
    numbers, values = np.full(top, -1, np.int64), np.zeros(top, np.float64)
    for t in touched[:found]:
        value = sums[t] / (SCALE * ROOT * ROOT)
        sums[t] = 0
        if gone[t]:
            continue
        place = top
        while place > 0 and (
            value > values[place - 1] or (value == values[place - 1] and t < numbers[place - 1])
        ):
            place -= 1
        for other in range(top - 1, place, -1):
            numbers[other], values[other] = numbers[other - 1], values[other - 1]
        if place < top:
            numbers[place], values[place] = t, value
    return numbers, values


@kernel
def having(cells, starts, postings, number):  # type: ignore[no-untyped-def]
    """Return whether a thread is in the list of each cell."""
    found = np.zeros(len(cells), np.bool_)
    for k in range(len(cells)):
        low, high = np.int64(starts[cells[k]]), np.int64(starts[cells[k] + 1])
        end = high
        while low < high:
            middle = (low + high) // 2
            if postings[middle] < number:
                low = middle + 1
            else:
                high = middle
        found[k] = low < end and postings[low] == number
    return found
