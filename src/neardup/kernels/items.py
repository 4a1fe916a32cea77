"""Test items in long texts: looked up by runs of three words, then aligned word by word."""

from typing import NamedTuple

import numpy as np

from neardup.arrays import Hashes, Integers, Places
from neardup.kernels.arrays import doubled, longest
from neardup.kernels.compiled import kernel
from neardup.kernels.item_words import RUN, bit_of, join_numbers, key_of
from neardup.kernels.shingles import cell_for
from neardup.kernels.tokens import tokenise

EXTRA = 16  # what a word costs that only the text has; those of items cost what they weigh
COLUMNS = 6  # of what is found: text, part, its first and last character, cost, are all words the same
MOST_PLACES = 64  # of a part in one window
LAST_FIELD = 3  # the answer
FEW, FAR = 2, 12  # an answer of so few words is looked for in so many, or chance would find it

_ONE = np.uint64(1)


class Parts(NamedTuple):
    """The parts of all items (questions, single options, answers), and where their runs of words stand.

    Part p has words[bounds[p]:bounds[p + 1]] with numbers made one, each of some weight, and the words
    raw[raw_bounds[p]:raw_bounds[p + 1]] as they are. It may cost `limits[p]` at most; below 0, all words
    must be the same. It is aligned where `needs[p]` of its runs are found; 0: it is looked for only
    beside others of its item, items[p], that are parts firsts[i] to firsts[i + 1].
    """

    words: Hashes
    bounds: Integers
    weights: Integers
    raw: Hashes
    raw_bounds: Integers
    limits: Integers
    needs: Integers
    items: Integers
    firsts: Integers
    fields: Integers
    table: Hashes  # the keys of runs, hashed; 0: an empty cell
    cells: Places  # where the postings of a cell's key begin
    owners: Places  # the part of each posting; the last of a key is followed by -1
    places: Places  # and the place of the run in it
    filter: Hashes  # bits of keys that are there


@kernel
def align(words, low, high, own, weights, limit, costs, begins, found):  # type: ignore[no-untyped-def]
    """Write where a part lies in words[low:high]: rows of begin, end and cost, none overlapping.

    The cost is that of the words which are not the same, or one too many, at the best place (Sellers,
    1980); of places that overlap, the cheapest, and of those the first, counts.
    """
    size, rows = len(own), 0
    costs[0], begins[0] = 0, low
    for i in range(size):
        costs[i + 1], begins[i + 1] = costs[i] + weights[i], low
    begin, end, cost = -1, -1, limit + 1
    for j in range(low, high):
        word = words[j]
        before, before_begin = costs[0], j
        begins[0] = j + 1
        for i in range(size):
            above, above_begin = costs[i + 1], begins[i + 1]
            best, best_begin = before, before_begin
            if own[i] != word:
                best += weights[i]
            if costs[i] + weights[i] < best:
                best, best_begin = costs[i] + weights[i], begins[i]
            if above + EXTRA < best:
                best, best_begin = above + EXTRA, above_begin
            before, before_begin = above, above_begin
            costs[i + 1], begins[i + 1] = best, best_begin
        if costs[size] > limit:
            continue
        if end >= 0 and begins[size] >= end:
            if rows < len(found):
                found[rows, 0], found[rows, 1], found[rows, 2] = begin, end, cost
                rows += 1
            cost = limit + 1
        if costs[size] < cost:
            begin, end, cost = begins[size], j + 1, costs[size]
    if end >= 0 and cost <= limit and rows < len(found):
        found[rows, 0], found[rows, 1], found[rows, 2] = begin, end, cost
        rows += 1
    return rows


@kernel
def may_fit(words, low, high, own, weights, limit):  # type: ignore[no-untyped-def]
    """Return whether a part may lie in words[low:high]: words that are not there at all cost so much.

    Most that is proposed ends here, as the first few words are not there.
    """
    cost = 0
    for i in range(len(own)):
        there = False
        for j in range(low, high):
            there |= words[j] == own[i]
        if not there:
            cost += weights[i]
            if cost > limit:
                return False
    return True


@kernel
def same(left, begin, right, right_begin, count):  # type: ignore[no-untyped-def]
    """Return whether two arrays have the same values from two places on."""
    i = 0
    while i < count and left[begin + i] == right[right_begin + i]:
        i += 1
    return i == count


@kernel(inline="always")
def slack(size):  # type: ignore[no-untyped-def]
    """Return how far beyond its place a part of so many words is looked for."""
    return size // 4 + 2


class Text(NamedTuple):
    """One text: its words with numbers made one, the first token of each, and all tokens."""

    words: Hashes
    heads: Integers
    hashes: Hashes
    starts: Places
    ends: Places


class Scratch(NamedTuple):
    """Space to align in."""

    costs: Integers
    begins: Integers
    found: Integers
    even: Integers  # weights of words that all weigh the same


@kernel
def verify(number, text, parts, part, low, high, after, scratch, out, count):  # type: ignore[no-untyped-def]
    """Align a part with a window of a text; add what is found at or behind a token to the rows of `out`.

    Returns the rows, their number, and the token behind the last place.
    """
    begin, end = parts.bounds[part], parts.bounds[part + 1]
    own, weights = parts.words[begin:end], parts.weights[begin:end]
    limit = max(parts.limits[part], 0)
    costs, begins, found = scratch.costs, scratch.begins, scratch.found
    if not may_fit(text.words, low, high, own, weights, limit):
        return out, count, after
    rows = align(text.words, low, high, own, weights, limit, costs, begins, found)
    raw, size = parts.raw_bounds[part], parts.raw_bounds[part + 1] - parts.raw_bounds[part]
    for row in range(rows):
        first, last = text.heads[found[row, 0]], text.heads[found[row, 1]]
        if first < after:
            continue
        all_same = (
            found[row, 2] == 0
            and last - first == size
            and same(text.hashes, first, parts.raw, raw, size)
        )
        if parts.limits[part] < 0 and not all_same:
            continue
        cost = found[row, 2]
        out, count = add(
            out, count, number, part, text.starts[first], text.ends[last - 1], cost, all_same
        )
        out, count = beside(number, text, parts, part, first, last, scratch, out, count)
        after = last
    return out, count, after


@kernel
def add(out, count, number, part, start, end, cost, all_same):  # type: ignore[no-untyped-def]
    """Add a row to what was found."""
    if (count + 1) * COLUMNS > len(out):
        out = doubled(out)
    at = count * COLUMNS
    out[at], out[at + 1], out[at + 2], out[at + 3] = number, part, start, end
    out[at + 4], out[at + 5] = cost, all_same
    return out, count + 1


@kernel
def beside(number, text, parts, part, first, last, scratch, out, count):  # type: ignore[no-untyped-def]
    """Add the short parts of an item that stand near one which was found at tokens first to last.

    Those of an earlier field are looked for before it, of a later field behind it; a last field behind
    all that was found of those before it. Here all words count, and numbers are words.
    """
    item = parts.items[part]
    begin, end = parts.firsts[item], parts.firsts[item + 1]
    size = parts.raw_bounds[end] - parts.raw_bounds[begin]
    reach = 2 * size + 8 * (end - begin) + 16
    total = text.heads[len(text.words)]
    behind = last
    field, field_behind = parts.fields[part], last
    costs, begins, found = scratch.costs, scratch.begins, scratch.found[:1]
    for other in range(begin, end):
        if parts.needs[other] > 0 or other == part:
            continue
        if parts.fields[other] > field:
            field, behind = parts.fields[other], max(behind, field_behind)
        low, high = behind, min(last + reach, total)
        if parts.fields[other] < parts.fields[part]:
            low, high = max(first - reach, 0), first
        own = parts.raw[parts.raw_bounds[other] : parts.raw_bounds[other + 1]]
        if len(own) == 0:
            continue
        if len(own) <= FEW and low == behind and parts.fields[other] == LAST_FIELD:
            high = min(behind + FAR, high)
        even = scratch.even[: len(own)]
        limit = even[0] * (len(own) // 4)
        if align(text.hashes, low, high, own, even, limit, costs, begins, found) == 0:
            continue
        out, count = add(
            out,
            count,
            number,
            other,
            text.starts[found[0, 0]],
            text.ends[found[0, 1] - 1],
            found[0, 2],
            found[0, 2] == 0,
        )
        field_behind = max(field_behind, found[0, 1])
    return out, count


@kernel
def find_parts(data, offsets, unicode, parts):  # type: ignore[no-untyped-def]
    """Return where parts of items stand in texts data[offsets[t]:offsets[t + 1]].

    Rows of COLUMNS values end to end, and the number of tokens and characters of each text.
    """
    texts = len(offsets) - 1
    room = longest(offsets) // 2 + 2
    hashes, words = np.empty(room, np.uint64), np.empty(room, np.uint64)
    starts, ends, heads = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int64)
    most = 0
    for p in range(len(parts.needs)):
        most = max(most, parts.raw_bounds[p + 1] - parts.raw_bounds[p])
    scratch = Scratch(
        np.empty(most + 1, np.int64),
        np.empty(most + 1, np.int64),
        np.empty((MOST_PLACES, 3), np.int64),
        np.full(most + 1, 4 * EXTRA, np.int64),
    )
    windows = np.zeros((len(parts.needs), 5), np.int32)
    touched = np.empty(len(parts.needs), np.int64)
    sizes, chars = np.zeros(texts, np.int64), np.zeros(texts, np.int64)
    out, count = np.empty(64 * COLUMNS, np.int64), 0
    for t in range(texts):
        sizes[t], chars[t] = tokenise(data, offsets[t], offsets[t + 1], unicode, hashes, starts, ends)
        joined = join_numbers(
            data, offsets[t], chars[t], offsets[t + 1], starts, ends, hashes, sizes[t], words, heads
        )
        text = Text(words[:joined], heads, hashes, starts, ends)
        out, count = find_in(t, text, parts, windows, touched, scratch, out, count)
    return out[: count * COLUMNS].copy(), sizes, chars


# Of a part, while a text is read: how many of its runs were found since one that began a window, where
# that is, the lowest and highest place at which the part would begin, and 1 more than the token behind
# what was found last; 0: none of its runs was found.
HITS, OPENED, LOW, HIGH, AFTER = range(5)


@kernel
def find_in(number, text, parts, windows, touched, scratch, out, count):  # type: ignore[no-untyped-def]
    """Add where parts stand in one text; `windows` is all zeros, before and after."""
    seen = 0
    words = text.words
    for place in range(len(words) - RUN + 1):
        key = key_of(words[place], words[place + 1], words[place + 2])
        bit = bit_of(key, parts.filter)
        if not (parts.filter[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & _ONE:
            continue
        cell = cell_for(parts.table, key)
        if parts.table[cell] == 0:
            continue
        posting = parts.cells[cell]
        while parts.owners[posting] >= 0:
            part = parts.owners[posting]
            window = windows[part]
            begin = place - np.int64(parts.places[posting])
            posting += 1
            size = parts.bounds[part + 1] - parts.bounds[part]
            if window[HITS] and place - window[OPENED] > 2 * size + 16:
                out, count = close(number, text, parts, part, window, scratch, out, count)
            if window[HITS] == 0:
                if window[AFTER] == 0:
                    window[AFTER] = 1
                    touched[seen] = part
                    seen += 1
                window[OPENED], window[LOW], window[HIGH] = place, begin, begin
            window[HITS] += 1
            window[LOW], window[HIGH] = min(window[LOW], begin), max(window[HIGH], begin)
    for i in range(seen):
        window = windows[touched[i]]
        out, count = close(number, text, parts, touched[i], window, scratch, out, count)
        window[AFTER] = 0
    return out, count


@kernel
def close(number, text, parts, part, window, scratch, out, count):  # type: ignore[no-untyped-def]
    """Look at a window of a text, if enough runs of a part were found in it, and forget it."""
    if window[HITS] >= parts.needs[part]:
        size = parts.bounds[part + 1] - parts.bounds[part]
        low = max(window[LOW] - slack(size), 0)
        high = min(window[HIGH] + size + slack(size), len(text.words))
        after = np.int64(window[AFTER]) - 1
        out, count, after = verify(number, text, parts, part, low, high, after, scratch, out, count)
        window[AFTER] = after + 1
    window[HITS] = 0
    return out, count
