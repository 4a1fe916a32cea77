"""Signatures of sentences, from the hashes of their words: I-Match, shingles and SpotSigs.

Sentence s is words[bounds[s]:bounds[s + 1]]. Every kind returns the values of all sentences end to
end, and where each sentence's begin; no value is 0. How often a word occurs is in a table of hashed
counters: a count is never too low, and words that share a counter count as one.
"""

import numpy as np

from neardup.kernels.arrays import copy, room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import cell_of
from neardup.kernels.hashing import BASE, SEED, mix
from neardup.kernels.shingles import distinct, roll, table_size

_ONE = np.uint64(1)
_FULL = np.uint32(0xFFFFFFFF)


@kernel
def count_words(counts, words, bounds, once):  # type: ignore[no-untyped-def]
    """Count the words of each document words[bounds[d]:bounds[d + 1]], or each word `once` a document.

    Counters stop where they are full.
    """
    cells = np.uint64(len(counts))
    own = np.empty(0, np.uint64)
    table = np.empty(0, np.uint64)
    for d in range(len(bounds) - 1):
        total = bounds[d + 1] - bounds[d]
        own = room_for(own, 0, total)
        copy(words[bounds[d] :], total, own)
        if once:
            size = table_size(total)
            table = room_for(table, 0, size)
            total = distinct(own, total, table[:size])
        for i in range(total):
            cell = cell_of(own[i], cells)
            counts[cell] += np.uint32(counts[cell] < _FULL)


@kernel
def add_counts(counts, others):  # type: ignore[no-untyped-def]
    """Add a second table to the first; counters stop where they are full."""
    for i in range(len(counts)):
        counts[i] += min(others[i], _FULL - counts[i])


@kernel
def imatch(words, bounds, counts, fewest, most, least):  # type: ignore[no-untyped-def]
    """Return one hash of each sentence's distinct words that `fewest` to `most` documents have, sorted.

    A sentence with fewer than `least` such words has no signature.
    """
    cells = np.uint64(len(counts))
    sentences = len(bounds) - 1
    values = np.empty(sentences, np.uint64)
    starts = np.zeros(sentences + 1, np.int64)
    kept = np.empty(0, np.uint64)
    for s in range(sentences):
        kept = room_for(kept, 0, bounds[s + 1] - bounds[s])
        total = 0
        for i in range(bounds[s], bounds[s + 1]):
            if fewest <= counts[cell_of(words[i], cells)] <= most:
                kept[total] = words[i]
                total += 1
        sort(kept[:total])
        different = 0
        for i in range(total):
            if i == 0 or kept[i] != kept[i - 1]:
                kept[different] = kept[i]
                different += 1
        starts[s + 1] = starts[s]
        if different >= max(least, 1):
            roll(kept, different, different, values[starts[s] :])
            values[starts[s]] = max(values[starts[s]], _ONE)
            starts[s + 1] += 1
    return values[: starts[sentences]].copy(), starts


@kernel
def sentence_shingles(words, bounds, width, least):  # type: ignore[no-untyped-def]
    """Return the distinct runs of `width` words of each sentence; of all its words, if they are fewer.

    A sentence with fewer than `least` words has no signature.
    """
    sentences = len(bounds) - 1
    values = np.empty(len(words) + 1, np.uint64)
    starts = np.zeros(sentences + 1, np.int64)
    table = np.empty(0, np.uint64)
    for s in range(sentences):
        begin, total = starts[s], bounds[s + 1] - bounds[s]
        starts[s + 1] = begin
        if total >= least:
            count = roll(words[bounds[s] : bounds[s + 1]], total, width, values[begin:])
            size = table_size(count)
            table = room_for(table, 0, size)
            starts[s + 1] += distinct(values[begin:], count, table[:size])
    return values[: starts[sentences]].copy(), starts


@kernel(inline="always")
def spot_distance(word, marks, stops, distance, listed, distances):  # type: ignore[no-untyped-def]
    """Return the distance of an antecedent, 0 for another word, and whether chains skip it."""
    if len(listed):
        at = np.searchsorted(listed, word)
        known = at < len(listed) and listed[at] == word
        return (distances[at] if known else 0), known
    cell = cell_of(word, np.uint64(len(marks)))
    return (distance if marks[cell] else 0), stops[cell]


@kernel
def spots(  # type: ignore[no-untyped-def]
    words, bounds, marks, stops, distance, listed, distances, chain, least
):
    """Return the distinct spot signatures of each sentence.

    `marks` has the cells of the words that are antecedents, all with one distance, and `stops` those of
    stop words, which chains skip. Or they are `listed`, sorted, with a distance each: those of 0 are no
    antecedents, and chains skip all of them. At each antecedent, the signature is the hash of it and of
    `chain` of the words that follow and are not skipped, one for each of its distance. Where the
    sentence ends before the chain is complete, there is none, nor in a sentence of fewer than `least`
    words.
    """
    sentences = len(bounds) - 1
    values = np.empty(len(words) + 1, np.uint64)
    starts = np.zeros(sentences + 1, np.int64)
    others = np.empty(0, np.uint64)
    table = np.empty(0, np.uint64)
    length = mix(SEED + np.uint64(chain + 1))
    for s in range(sentences):
        total = bounds[s + 1] - bounds[s]
        others = room_for(others, 0, total)
        first, count = total, 0  # others[first:total] are the words after i that are not skipped
        begin = bounds[s] if total >= least else bounds[s + 1]
        for i in range(bounds[s + 1] - 1, begin - 1, -1):
            step, skipped = spot_distance(words[i], marks, stops, distance, listed, distances)
            if step and first + chain * step <= total:
                state = words[i]
                for c in range(1, chain + 1):
                    state = state * BASE + others[first + c * step - 1]
                values[starts[s] + count] = mix(state ^ length)
                count += 1
            if not skipped:
                first -= 1
                others[first] = words[i]
        size = table_size(count)
        table = room_for(table, 0, size)
        starts[s + 1] = starts[s] + distinct(values[starts[s] :], count, table[:size])
    return values[: starts[sentences]].copy(), starts


@kernel
def places(bounds, documents, least, passed):  # type: ignore[no-untyped-def]
    """Return the place of each sentence in its document, where tiny sentences do not count.

    Document d has the sentences documents[d] to documents[d + 1]. A sentence of fewer than `least` words
    is tiny: it has the place of the sentence after it. Of more than `passed` of them in a row, those
    from there on count.
    """
    found = np.zeros(len(bounds) - 1, np.int32)
    for d in range(len(documents) - 1):
        place, tiny = 0, 0
        for s in range(documents[d], documents[d + 1]):
            found[s] = place
            if bounds[s + 1] - bounds[s] >= least:
                place, tiny = place + 1, 0
            else:
                tiny += 1
                place += tiny > passed
    return found
