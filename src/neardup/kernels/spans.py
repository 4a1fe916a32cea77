"""Repeated spans: runs of words that stand word for word somewhere before, found in linear work.

For each window of `span` words stands one run of `width` words in it: that of the lowest hash, the last
of equal ones. Windows of the same words have the same run, so that all others need not be compared.
"""

import numpy as np

from neardup.kernels.arrays import room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import count_of
from neardup.kernels.hashing import mix
from neardup.kernels.shingles import roll, table_size
from neardup.kernels.texts import character, closes
from neardup.kernels.token_hashes import room_for_stretch, token_hashes, token_places
from neardup.kernels.word_digests import digests

_ONE = np.uint64(1)


@kernel
def runs_of_windows(words, count, span, width, hashes, runs, firsts):  # type: ignore[no-untyped-def]
    """Write the runs that stand for the windows of a text, and the first window of each.

    Returns how many there are; of a text with less than `span` words, none.
    """
    if count < span:
        return 0
    roll(words, count, width, hashes)
    apart = span - width
    found, best = 0, -1
    for window in range(count - span + 1):
        last = window + apart
        if best < window:  # the lowest one has left the window
            best = window
            for i in range(window + 1, last + 1):
                if hashes[i] <= hashes[best]:
                    best = i
        elif hashes[last] <= hashes[best]:
            best = last
        else:
            continue
        runs[found], firsts[found] = hashes[best], window
        found += 1
    return found


@kernel
def window_runs(data, offsets, span, width, unicode, counters):  # type: ignore[no-untyped-def]
    """Return the runs that stand for the windows of texts, with hashes of the windows themselves.

    Of each run: its hash, its text, the first window and where the hashes of its windows begin; then
    all these hashes. With any counters, only runs that occur twice or more, else no hashes of windows.
    """
    texts = len(offsets) - 1
    longest = 0
    for t in range(texts):
        longest = max(longest, offsets[t + 1] - offsets[t])
    most = longest // 2 + 1
    words, hashes, windows = (
        np.empty(most, np.uint64),
        np.empty(most, np.uint64),
        np.empty(most, np.uint64),
    )
    runs, firsts = np.empty(most, np.uint64), np.empty(most, np.int64)
    room = room_for_stretch()
    keys, owners, begins = np.empty(1024, np.uint64), np.empty(1024, np.int64), np.empty(1024, np.int64)
    bounds, values = np.zeros(1025, np.int64), np.empty(1024, np.uint64)
    total = 0
    for t in range(texts):
        count, _ = token_hashes(data, offsets[t], offsets[t + 1], unicode, words, room)
        found = runs_of_windows(words, count, span, width, hashes, runs, firsts)
        if found and len(counters):
            roll(words, count, span, windows)
        keys, owners = room_for(keys, total, found), room_for(owners, total, found)
        begins, bounds = room_for(begins, total, found), room_for(bounds, total + 1, found)
        for r in range(found):
            size, key = 0, mix(runs[r])  # spread again: runs were chosen for being low
            if len(counters):
                if count_of(counters, key) < 2:
                    continue
                size = (firsts[r + 1] if r + 1 < found else count - span + 1) - firsts[r]
                values = room_for(values, bounds[total], size)
                values[bounds[total] : bounds[total] + size] = windows[firsts[r] : firsts[r] + size]
            keys[total], owners[total], begins[total] = key, t, firsts[r]
            bounds[total + 1] = bounds[total] + size
            total += 1
    return (
        keys[:total].copy(),
        owners[:total].copy(),
        begins[:total].copy(),
        bounds[: total + 1].copy(),
        values[: bounds[total]].copy(),
    )


@kernel
def repeated_windows(keys, docs, firsts, bounds, values, order, span):  # type: ignore[no-untyped-def]
    """Return the windows that stood before: document, first one, how many, and where they stood first.

    Rows in `order` are sorted by key, then from the best document to the worst, then by place. Windows
    that overlap the place where their words stood first are no repeats.
    """
    found = np.empty((1024, 5), np.int64)
    table, places = np.empty(1024, np.uint64), np.empty((1024, 2), np.int64)
    total, begin = 0, 0
    while begin < len(order):
        end, size = begin, 0
        while end < len(order) and keys[order[end]] == keys[order[begin]]:
            size += bounds[order[end] + 1] - bounds[order[end]]
            end += 1
        if end - begin > 1:
            cells = table_size(size + 1)
            if cells > len(table):
                table, places = np.empty(cells, np.uint64), np.empty((cells, 2), np.int64)
            table[:cells] = 0
            for at in range(begin, end):
                row = order[at]
                most = bounds[row + 1] - bounds[row]
                if total + most > len(found):
                    grown = np.empty((2 * (total + most), 5), np.int64)
                    grown[:total] = found[:total]
                    found = grown
                own = values[bounds[row] : bounds[row + 1]]
                total += seen_windows(
                    own, docs[row], firsts[row], span, table[:cells], places, found[total:]
                )
        begin = end
    return found[:total].copy()


@kernel
def seen_windows(values, doc, first, span, table, places, found):  # type: ignore[no-untyped-def]
    """Write which windows of a row stood before, those that follow each other in both places as one."""
    last = np.uint64(len(table) - 1)
    total = 0
    for w in range(len(values)):
        value = values[w] if values[w] != 0 else _ONE
        cell = value & last
        while table[cell] != 0 and table[cell] != value:
            cell = (cell + _ONE) & last
        window = first + w
        if table[cell] == 0:
            table[cell] = value
            places[cell, 0], places[cell, 1] = doc, window
            continue
        keeper, stood = places[cell, 0], places[cell, 1]
        if keeper == doc and window - stood < span:
            continue
        before = found[total - 1]
        follows = total > 0 and before[1] + before[2] == window and before[4] + before[2] == stood
        if follows and before[3] == keeper:
            found[total - 1, 2] += 1
            continue
        found[total, 0], found[total, 1], found[total, 2] = doc, window, 1
        found[total, 3], found[total, 4] = keeper, stood
        total += 1
    return total


@kernel
def joined_windows(docs, windows, counts, keepers, stood, order, span):  # type: ignore[no-untyped-def]
    """Return the words that repeated windows cover: document, first, end, keeper, first word there.

    Rows in `order` are sorted by document and window. No word is in two of what is returned.
    """
    found = np.empty((len(order), 5), np.int64)
    total = 0
    for at in range(len(order)):
        row = order[at]
        first, end = windows[row], windows[row] + counts[row] - 1 + span
        if total and found[total - 1, 0] == docs[row] and found[total - 1, 2] >= first:
            before = found[total - 1]
            same_place = before[4] - before[1] == stood[row] - windows[row]
            if before[3] == keepers[row] and same_place:
                found[total - 1, 2] = end
                continue
            first = before[2]
        found[total, 0], found[total, 1], found[total, 2] = docs[row], first, end
        found[total, 3], found[total, 4] = keepers[row], stood[row] + first - windows[row]
        total += 1
    return found[:total].copy()


@kernel
def places_of_runs(data, offsets, owners, firsts, lasts, unicode):  # type: ignore[no-untyped-def]
    """Return where runs of words begin and end in their texts, with two digests of their words.

    They are in the order of their texts, `owners`. Marks that close a sentence belong to the last word.
    """
    most = 0
    for t in range(len(offsets) - 1):
        most = max(most, offsets[t + 1] - offsets[t])
    hashes = np.empty(most // 2 + 2, np.uint64)
    starts, ends = np.empty(most // 2 + 2, np.int32), np.empty(most // 2 + 2, np.int32)
    room, found = room_for_stretch(), np.empty((len(owners), 4), np.int64)
    row = 0
    while row < len(owners):
        text = owners[row]
        at, end = offsets[text], offsets[text + 1]
        words, characters = token_places(data, at, end, unicode, hashes, starts, ends, room)
        starts[words] = characters
        plain, place = characters == end - at, 0  # `place` is the character at byte `at`
        while row < len(owners) and owners[row] == text:
            first, last = min(firsts[row], words), min(lasts[row], words)
            close = ends[last - 1] if last else 0
            if place > close:
                at, place = offsets[text], 0
            while place < close:
                width = close - place if plain else character(data, at)[1]
                at += width
                place += width if plain else 1
            while place < starts[last] and closes(character(data, at)[0]):
                at += character(data, at)[1]
                place += 1
            found[row, 0], found[row, 1] = starts[first], place
            found[row, 2], found[row, 3] = digests(hashes, first, last)
            row += 1
    return found
