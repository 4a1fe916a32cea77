"""Two pages side by side: their edit curve, the trustable regions, and where in the texts these are."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.shingles import table_size
from neardup.kernels.subsequence import common_subsequence

BLOCKS = (20, 80, 320)  # into which a page is cut to find its trustable region; more if there is none


@kernel
def trusted_regions(  # type: ignore[no-untyped-def]
    words_a, sizes_a, marks_a, words_b, sizes_b, marks_b, least, slope, rounds
):
    """Return the words of two texts that match in one trustable region after the other.

    Only marked words are compared; each round searches what the ones before left over, as long as
    regions of at least `least` characters are found. Returns the words of both, where each region begins
    among them, and the edit curve of the first round: places, edits, and the two ends of its region.
    """
    left_a, left_b = np.arange(len(words_a)), np.arange(len(words_b))
    matched_a = np.empty(min(len(words_a), len(words_b)), np.int64)
    matched_b = np.empty(len(matched_a), np.int64)
    bounds = np.zeros(rounds + 1, np.int64)
    places = edits = bounds[:1]
    first = last = 0
    found = 0
    while found < rounds:
        if min(_chars(sizes_a, marks_a, left_a), _chars(sizes_b, marks_b, left_b)) < least:
            break
        own_sizes = _sizes_at(sizes_a, left_a)
        matched = _matches(words_a, marks_a, left_a, words_b, marks_b, left_b)
        curve = edit_curve(own_sizes, matched, _sizes_at(sizes_b, left_b))
        begin, end = _region_of(curve, slope, least)
        chars, begin, end = _within(own_sizes, matched, begin, end)
        if chars < least:
            break
        if found == 0:
            places, edits, first, last = curve[0], curve[1], begin, end
        at = bounds[found]
        for i in range(begin, end):
            if matched[i] >= 0:
                matched_a[at], matched_b[at] = left_a[i], left_b[matched[i]]
                left_b[matched[i]] = -1
                at += 1
        for i in range(begin, end):
            left_a[i] = -1
        left_a, left_b = _without_gaps(left_a), _without_gaps(left_b)
        found += 1
        bounds[found] = at
    taken = bounds[found]
    return matched_a[:taken], matched_b[:taken], bounds[: found + 1], (places, edits, first, last)


@kernel
def _chars(sizes, marks, left):  # type: ignore[no-untyped-def]
    """Count the characters of the marked words that are left."""
    chars = 0
    for w in left:
        chars += sizes[w] * marks[w]
    return chars


@kernel
def _sizes_at(sizes, left):  # type: ignore[no-untyped-def]
    """Return the sizes of the words that are left."""
    own = np.empty(len(left), np.int64)
    for i in range(len(left)):
        own[i] = sizes[left[i]]
    return own


@kernel
def _without_gaps(left):  # type: ignore[no-untyped-def]
    """Return the words that are still left: all but -1."""
    kept = np.empty(len(left), np.int64)
    count = 0
    for w in left:
        kept[count] = w
        count += w >= 0
    return kept[:count]


@kernel
def _matches(words_a, marks_a, left_a, words_b, marks_b, left_b):  # type: ignore[no-untyped-def]
    """Return for each word left in a the one left in b that it is in the marked words' LCS, or -1."""
    own_a, marked_a = _marked(words_a, marks_a, left_a)
    own_b, marked_b = _marked(words_b, marks_b, left_b)
    codes_a, codes_b = symbols(marked_a, marked_b)
    partners = common_subsequence(codes_a, codes_b)
    matched = np.full(len(left_a), -1, np.int64)
    for i in range(len(own_a)):
        if partners[i] >= 0:
            matched[own_a[i]] = own_b[partners[i]]
    return matched


@kernel
def _marked(words, marks, left):  # type: ignore[no-untyped-def]
    """Return which of the words that are left are marked, and these words."""
    own, marked = np.empty(len(left), np.int64), np.empty(len(left), np.uint64)
    count = 0
    for i in range(len(left)):
        if marks[left[i]]:
            own[count], marked[count] = i, words[left[i]]
            count += 1
    return own[:count], marked[:count]


@kernel
def symbols(words_a, words_b):  # type: ignore[no-untyped-def]
    """Return two runs of words as numbers: the same for the same word, as few as there are words."""
    table = np.zeros(table_size(2 * (len(words_a) + len(words_b)) + 1), np.uint64)
    codes = np.full(len(table), -1, np.int64)
    last = np.uint64(len(table) - 1)
    found_a, found_b = np.empty(len(words_a), np.int64), np.empty(len(words_b), np.int64)
    known = 0
    for words, found in ((words_a, found_a), (words_b, found_b)):
        for i in range(len(words)):
            cell = words[i] & last
            while codes[cell] >= 0 and table[cell] != words[i]:
                cell = (cell + np.uint64(1)) & last
            if codes[cell] < 0:
                table[cell], codes[cell] = words[i], known
                known += 1
            found[i] = codes[cell]
    return found_a, found_b


@kernel
def _region_of(curve, slope, least):  # type: ignore[no-untyped-def]
    """Return the first and the last word, excluded, of the trustable region of an edit curve."""
    begin = end = 0
    for blocks in BLOCKS:
        begin, end = trustable_region(curve[0], curve[1], curve[2], blocks, slope)
        if curve[0][end] - curve[0][begin] >= least:
            break
    return begin, end


@kernel
def _within(sizes, matched, begin, end):  # type: ignore[no-untyped-def]
    """Return the characters that match in a region, and this without what is edited at its ends."""
    chars, first, last = 0, end, end
    for i in range(begin, end):
        if matched[i] >= 0:
            first, last = min(first, i), i + 1
            chars += sizes[i]
    return chars, first, last


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
        cuts[b] = cuts[b - 1]
        while places[cuts[b]] * blocks < length * b:
            cuts[b] += 1
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


@kernel
def in_common(sizes_a, weights_a, matched_a, sizes_b, weights_b, matched_b):  # type: ignore[no-untyped-def]
    """Return the weighed characters that match, and those of both texts.

    A word that matches counts as much in both as in the text where it counts more.
    """
    common, chars_a, chars_b = 0.0, _weighed(sizes_a, weights_a), _weighed(sizes_b, weights_b)
    for n in range(len(matched_a)):
        a, b = matched_a[n], matched_b[n]
        common += sizes_a[a] * max(weights_a[a], weights_b[b])
        chars_a -= sizes_a[a] * weights_a[a]
        chars_b -= sizes_b[b] * weights_b[b]
    return common, chars_a + common, chars_b + common


@kernel
def _weighed(sizes, weights):  # type: ignore[no-untyped-def]
    """Return the weighed characters of all words."""
    chars = 0.0
    for w in range(len(sizes)):
        chars += sizes[w] * weights[w]
    return chars


@kernel
def passages_of(  # type: ignore[no-untyped-def]
    matched_a, matched_b, bounds, starts_a, ends_a, sentences, starts_b, ends_b, far
):
    """Return where regions are in both texts: start and end in each, sentences, words, words of both.

    A region with more than `far` words between two matching ones is more than one passage.
    """
    rows = np.empty((len(matched_a), 7), np.int64)
    found = 0
    for region in range(len(bounds) - 1):
        begin = bounds[region]
        for i in range(begin, bounds[region + 1]):
            goes_on = i + 1 < bounds[region + 1]
            if goes_on and max(matched_a[i + 1] - matched_a[i], matched_b[i + 1] - matched_b[i]) <= far:
                continue
            start, stop = starts_a[matched_a[begin]], ends_a[matched_a[i]]
            rows[found, 0], rows[found, 1] = start, stop
            rows[found, 2], rows[found, 3] = starts_b[matched_b[begin]], ends_b[matched_b[i]]
            rows[found, 4] = max(_between(sentences, start, stop), 1)
            rows[found, 5] = i + 1 - begin
            rows[found, 6] = matched_a[i] - matched_a[begin] + matched_b[i] - matched_b[begin] + 2
            begin = i + 1
            found += 1
    return rows[:found]


@kernel
def _between(places, start, stop):  # type: ignore[no-untyped-def]
    """Count the places from `start` on and before `stop`."""
    count = 0
    for place in places:
        count += start <= place < stop
    return count
