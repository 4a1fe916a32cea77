"""Two pages side by side: their filtered sketches, the edit curve, and the trustable region."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import BASE, SEED, mix
from neardup.kernels.shingles import table_size

INVERSE = np.uint64(0x939C72E4AF1E62CF)  # of BASE, modulo 2 ** 64
SURROGATES = 0xD800  # code points that no text may have


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
def in_prose(starts, sentences, least):  # type: ignore[no-untyped-def]
    """Mark the words of sentences with at least `least` words; a sentence ends with its line."""
    marks = np.zeros(len(starts), np.bool_)
    first = sentence = 0
    for w in range(len(starts) + 1):
        ends = w == len(starts)
        while not ends and sentence < len(sentences) and sentences[sentence] <= starts[w]:
            sentence += 1
            ends = True
        if ends:
            marks[first:w] = w - first >= least
            first = w
    return marks


@kernel
def _covered(words, hashes, stops, table):  # type: ignore[no-untyped-def]
    """Mark the words in windows whose fingerprints are in a table."""
    marks = np.zeros(len(words), np.bool_)
    last = np.uint64(len(table) - 1)
    done = 0
    for i in range(len(words)):
        if stops[i] > i:
            cell = hashes[i] & last
            while table[cell] != 0 and table[cell] != hashes[i]:
                cell = (cell + np.uint64(1)) & last
            if table[cell] != 0:
                for w in range(max(i, done), stops[i]):
                    marks[w] = True
                done = max(done, stops[i])
    return marks


@kernel
def _filled(hashes, stops):  # type: ignore[no-untyped-def]
    """Put the fingerprints of windows into a hash table; none is 0, for all that matters."""
    table = np.zeros(table_size(2 * len(hashes) + 1), np.uint64)
    last = np.uint64(len(table) - 1)
    for i in range(len(hashes)):
        if stops[i] > i:
            cell = hashes[i] & last
            while table[cell] != 0 and table[cell] != hashes[i]:
                cell = (cell + np.uint64(1)) & last
            table[cell] = hashes[i]
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
def symbols(words_a, words_b):  # type: ignore[no-untyped-def]
    """Return two runs of words as code points: the same for the same word, as few as there are words."""
    table = np.zeros(table_size(2 * (len(words_a) + len(words_b)) + 1), np.uint64)
    codes = np.zeros(len(table), np.uint32)
    last = np.uint64(len(table) - 1)
    found_a, found_b = np.empty(len(words_a), np.uint32), np.empty(len(words_b), np.uint32)
    known = np.uint32(0)
    for words, found in ((words_a, found_a), (words_b, found_b)):
        for i in range(len(words)):
            cell = words[i] & last
            while codes[cell] != 0 and table[cell] != words[i]:
                cell = (cell + np.uint64(1)) & last
            if codes[cell] == 0:
                known += np.uint32(1)
                table[cell] = words[i]
                codes[cell] = known if known < SURROGATES else known + np.uint32(0x800)
            found[i] = codes[cell]
    return found_a, found_b


@kernel
def edit_curve(sizes_a, matched, sizes_b):  # type: ignore[no-untyped-def]
    """Return the edits that turn text a into b, up to each word of a.

    matched[i] is the word of b that word i of a stays as, or -1. Returns the characters of a before
    each word, and the edits before each word without and with what is inserted right before it.
    """
    count = len(sizes_a)
    places, before = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    behind = np.zeros(count + 1, np.int64)
    at = 0
    for i in range(count):
        behind[i] = before[i]
        places[i + 1] = places[i] + sizes_a[i]
        if matched[i] < 0:
            before[i + 1] = behind[i] + sizes_a[i]
            continue
        for j in range(at, matched[i]):
            behind[i] += sizes_b[j]
        at = matched[i] + 1
        before[i + 1] = behind[i]
    behind[count] = before[count]
    return places, before, behind


@kernel
def trustable_region(places, before, behind, blocks, slope):  # type: ignore[no-untyped-def]
    """Return the first and the last word, excluded, of the trustable region of a text.

    The text is cut into blocks. Of the runs of blocks with at most `slope` edits a character, those of
    the largest weight, which falls from the centre outwards, and then of the fewest blocks, are moved
    outwards at both ends as far as the slope allows; the longer one is returned.
    """
    count = len(places) - 1
    length = places[count]
    cuts = np.zeros(blocks + 1, np.int64)
    for b in range(1, blocks + 1):
        cuts[b] = np.searchsorted(places, (length * b + blocks - 1) // blocks)
    heaviest, fewest = 0, blocks + 1
    begin = end = 0
    for first in range(blocks):
        weight = 0
        for last in range(first, blocks):
            weight += min(last, blocks - 1 - last) + 1
            i, j = cuts[first], cuts[last + 1]
            if i >= j or before[j] - behind[i] > slope * (places[j] - places[i]):
                continue
            if weight < heaviest or (weight == heaviest and last - first > fewest):
                continue
            low = cuts[first - 1] if first else 0
            high = cuts[last + 2] if last + 2 <= blocks else count
            i, j = _moved(places, before, behind, slope, i, j, low, high)
            better = weight > heaviest or last - first < fewest
            if better or places[j] - places[i] > places[end] - places[begin]:
                begin, end = i, j
            heaviest, fewest = weight, last - first
    return begin, end


@kernel
def _moved(places, before, behind, slope, i, j, low, high):  # type: ignore[no-untyped-def]
    """Move the ends of a region outwards, not beyond `low` and `high`, as far as the slope allows."""
    for first in range(low, i):
        if before[j] - behind[first] <= slope * (places[j] - places[first]):
            i = first
            break
    for last in range(high, j, -1):
        if before[last] - behind[i] <= slope * (places[last] - places[i]):
            j = last
            break
    return i, j
