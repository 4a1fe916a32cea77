"""Repeated spans: runs of words that stand word for word somewhere before, found in linear work.

For each window of `span` words stands one run of `width` words in it: that of the lowest hash, the last
of equal ones. Windows of the same words have the same run, so that all others need not be compared.
"""

import numpy as np

from neardup.kernels.arrays import longest, room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import count_of
from neardup.kernels.hashing import mix
from neardup.kernels.shingles import cell_for, roll, table_size
from neardup.kernels.texts import character, closes
from neardup.kernels.token_hashes import room_for_stretch, token_hashes, token_places
from neardup.kernels.word_digests import digests

_ONE = np.uint64(1)
USUAL = 1 << 12  # cells of a table; few runs have more windows that differ, however common they are


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
    most = longest(offsets) // 2 + 1
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
def repeated_windows(keys, docs, firsts, bounds, values, order, span, most):  # type: ignore[no-untyped-def]
    """Return the windows that stood `most` times before: document, first one, how many, where first.

    Rows in `order` are sorted by key, then from the best document to the worst, then by place. Windows
    that overlap the last of the places where their words stay are no repeats.
    """
    found = np.empty((1024, 5), np.int64)
    table, places = np.empty(USUAL, np.uint64), np.empty((USUAL, 5), np.int64)
    total, begin = 0, 0
    while begin < len(order):
        end, size = begin, 0
        while end < len(order) and keys[order[end]] == keys[order[begin]]:
            size += bounds[order[end] + 1] - bounds[order[end]]
            end += 1
        known, cells = 0, min(table_size(size + 1), USUAL)
        table[:cells] = 0
        for at in range(begin, end if end - begin > 1 else begin):
            row = order[at]
            own = values[bounds[row] : bounds[row + 1]]
            if table_size(known + len(own) + 1) > cells:
                table, places = spread(table[:cells], places, table_size(2 * (known + len(own))))
                cells = len(table)
            if total + len(own) > len(found):
                grown = np.empty((2 * (total + len(own)), 5), np.int64)
                grown[:total] = found[:total]
                found = grown
            room = table[:cells], places, found[total:]
            new, repeated = seen_windows(own, docs[row], firsts[row], span, most, *room)
            known, total = known + new, total + repeated
        begin = end
    return found[:total].copy()


@kernel
def seen_windows(values, doc, first, span, most, table, places, found):  # type: ignore[no-untyped-def]
    """Write which windows of a row stood before, those that follow each other in both places as one.

    Returns how many words are new to the table, and how many rows were written. `places`: the document
    and window where words stood first, how many copies of them stay, and the place of the last one.
    """
    new, total = 0, 0
    for w in range(len(values)):
        value = values[w] if values[w] != 0 else _ONE
        cell = cell_for(table, value)
        window = first + w
        if table[cell] == 0:
            table[cell] = value
            places[cell, 0], places[cell, 1], places[cell, 2] = doc, window, 0
            new += 1
        elif places[cell, 3] == doc and window - places[cell, 4] < span:
            continue
        if places[cell, 2] < most:
            places[cell, 2] += 1
            places[cell, 3], places[cell, 4] = doc, window
            continue
        keeper, stood = places[cell, 0], places[cell, 1]
        before = found[total - 1]
        follows = total > 0 and before[1] + before[2] == window and before[4] + before[2] == stood
        if follows and before[3] == keeper:
            found[total - 1, 2] += 1
            continue
        found[total, 0], found[total, 1], found[total, 2] = doc, window, 1
        found[total, 3], found[total, 4] = keeper, stood
        total += 1
    return new, total


@kernel
def spread(table, places, size):  # type: ignore[no-untyped-def]
    """Return a table of values and their places in one of more cells."""
    larger, moved = np.zeros(size, np.uint64), np.empty((size, places.shape[1]), np.int64)
    for old in np.flatnonzero(table):
        cell = cell_for(larger, table[old])
        larger[cell], moved[cell] = table[old], places[old]
    return larger, moved


@kernel
def joined_windows(docs, windows, counts, keepers, stood, order, span):  # type: ignore[no-untyped-def]
    """Return the words that repeated windows cover: document, first, end, keeper, first word there.

    Rows in `order` are sorted by document and window. No word is in two of what is returned: of rows
    that overlap, those are taken that reach the farthest.
    """
    found = np.empty((len(order), 5), np.int64)
    total, at = 0, 0
    while at < len(order):
        doc, first = docs[order[at]], windows[order[at]]
        if total and found[total - 1, 0] == doc:
            first = max(first, found[total - 1, 2])
        best, end = -1, first
        while at < len(order) and docs[order[at]] == doc and windows[order[at]] <= first:
            row = order[at]
            own = windows[row] + counts[row] - 1 + span
            if own > end:
                best, end = row, own
            at += 1
        if best < 0:
            continue
        begin = stood[best] + first - windows[best]
        before = found[total - 1]
        follows = total > 0 and before[0] == doc and before[2] == first and before[3] == keepers[best]
        if follows and before[4] + first - before[1] == begin:
            found[total - 1, 2] = end
            continue
        found[total, 0], found[total, 1], found[total, 2] = doc, first, end
        found[total, 3], found[total, 4] = keepers[best], begin
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
        begin, end = offsets[text], offsets[text + 1]
        words, characters = token_places(data, begin, end, unicode, hashes, starts, ends, room)
        starts[words] = characters
        plain, place = characters == end - begin, 0  # `place` is the character at byte `begin`
        while row < len(owners) and owners[row] == text:
            first, last = min(firsts[row], words), min(lasts[row], words)
            if place > starts[first]:
                begin, place = offsets[text], 0
            begin, place = forward(data, begin, place, starts[first], plain)
            at, close = forward(data, begin, place, ends[last - 1] if last else 0, plain)
            while close < starts[last] and closes(character(data, at)[0]):
                at += character(data, at)[1]
                close += 1
            found[row, 0], found[row, 1] = starts[first], close
            found[row, 2], found[row, 3] = digests(hashes, first, last)
            row += 1
    return found


@kernel
def forward(data, at, place, wanted, plain):  # type: ignore[no-untyped-def]
    """Go on from a byte, with the character there, to a later character; `plain`: of a byte each."""
    if plain and place < wanted:
        return at + wanted - place, wanted
    while place < wanted:
        at += character(data, at)[1]
        place += 1
    return at, place
