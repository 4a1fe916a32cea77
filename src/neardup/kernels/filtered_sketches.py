"""The filtered sketches of two pages: what lies in windows that both have, and how much that is."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import BASE, SEED, mix
from neardup.kernels.shingles import cell_for, table_size

INVERSE = np.uint64(0x939C72E4AF1E62CF)  # of BASE, modulo 2 ** 64


@kernel
def windows(words, sizes, least):  # type: ignore[no-untyped-def]
    """Return for each word the window that begins there: its fingerprint and the word behind it.

    A window has the fewest words that make up `least` characters. Where the text ends before, there is
    none (its end is its beginning), unless the whole text is that short.
    """
    count = len(words)
    hashes, stops = np.empty(count, np.uint64), np.empty(count, np.int64)
    stop, size, state, power = 0, 0, np.uint64(0), np.uint64(1)
    for i in range(count):
        while stop < count and size < least:
            size += sizes[stop]
            state = state * BASE + words[stop]
            power *= BASE
            stop += 1
        whole = i == 0 and stop == count
        stops[i] = stop if size >= least or whole else i
        hashes[i] = mix(state ^ mix(SEED + np.uint64(stop - i)))
        # the word that leaves was multiplied by BASE ** (stop - i - 1)
        power *= INVERSE
        state -= words[i] * power
        size -= sizes[i]
    return hashes, stops


@kernel
def _covered(words, hashes, stops, table):  # type: ignore[no-untyped-def]
    """Mark the words in windows whose fingerprints are in a table."""
    marks = np.zeros(len(words), np.bool_)
    done = 0
    for i in range(len(words)):
        if stops[i] > i and table[cell_for(table, hashes[i])] != 0:
            for w in range(max(i, done), stops[i]):
                marks[w] = True
            done = max(done, stops[i])
    return marks


@kernel
def _filled(hashes, stops):  # type: ignore[no-untyped-def]
    """Put the fingerprints of windows into a hash table; none is 0, for all that matters."""
    table = np.zeros(table_size(2 * len(hashes) + 1), np.uint64)
    for i in range(len(hashes)):
        if stops[i] > i:
            table[cell_for(table, hashes[i])] = hashes[i]
    return table


@kernel
def sketches(words_a, sizes_a, words_b, sizes_b, least):  # type: ignore[no-untyped-def]
    """Return which words of two texts lie in windows that both have."""
    hashes_a, stops_a = windows(words_a, sizes_a, least)
    hashes_b, stops_b = windows(words_b, sizes_b, least)
    marks_a = _covered(words_a, hashes_a, stops_a, _filled(hashes_b, stops_b))
    marks_b = _covered(words_b, hashes_b, stops_b, _filled(hashes_a, stops_a))
    return marks_a, marks_b


@kernel
def sketched(sizes, weights, marks, edge):  # type: ignore[no-untyped-def]
    """Return the characters in a sketch, the weighed ones outside, and which ends are mostly in it.

    An end is the fewest words that make up `edge` characters.
    """
    inside, outside = 0, 0.0
    for w in range(len(sizes)):
        if marks[w]:
            inside += sizes[w]
        else:
            outside += sizes[w] * weights[w]
    last = len(sizes) - 1
    return (
        inside,
        outside,
        _is_end_in(sizes, marks, 0, 1, edge),
        _is_end_in(sizes, marks, last, -1, edge),
    )


@kernel
def _is_end_in(sizes, marks, first, step, edge):  # type: ignore[no-untyped-def]
    """Return whether most characters at one end of a page are marked."""
    all_there = marked = 0
    for n in range(len(sizes)):
        w = first + n * step
        all_there += sizes[w]
        marked += sizes[w] * marks[w]
        if all_there >= edge:
            break
    return 2 * marked > all_there


@kernel
def in_prose(starts, bounds, sentences, sentence_bounds, least):  # type: ignore[no-untyped-def]
    """Mark the words of sentences with at least `least` words; a sentence ends with its line."""
    marks = np.zeros(len(starts), np.bool_)
    for page in range(len(bounds) - 1):
        first, sentence = bounds[page], sentence_bounds[page]
        for w in range(bounds[page], bounds[page + 1] + 1):
            ends = w == bounds[page + 1]
            while not ends and sentence < sentence_bounds[page + 1] and sentences[sentence] <= starts[w]:
                sentence += 1
                ends = True
            if ends:
                marks[first:w] = w - first >= least
                first = w
    return marks
