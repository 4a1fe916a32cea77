"""Sentences as they are compared: cut out of their texts, with single spaces, if within the limits."""

import numpy as np

from neardup.kernels.arrays import copy, room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.texts import character

SPACE, DELETE = np.uint8(32), np.uint8(127)
SHORT, LONG, DEEP, NESTED, KEPT = range(5)  # what may become of a sentence


@kernel(inline="always")
def is_space(code):  # type: ignore[no-untyped-def]
    """Return whether a character is white space, as Python does."""
    if code < 128:
        return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
    if code < 0x2000:
        return code in (0x85, 0xA0, 0x1680)
    return code <= 0x200A or code in (0x2028, 0x2029, 0x202F, 0x205F, 0x3000)


@kernel
def breaks(data, offsets, paragraphs):  # type: ignore[no-untyped-def]
    """Return where the lines of texts begin, or the paragraphs, in characters; first of all at 0.

    Between paragraphs are one or more lines of blanks. Returns these places of all texts end to end, and
    where those of each text begin.
    """
    texts = len(offsets) - 1
    begins, bounds = np.empty(1024, np.int64), np.zeros(texts + 1, np.int64)
    total = 0
    for t in range(texts):
        begins = room_for(begins, total, 1)
        begins[total] = 0
        total += 1
        i, end, place = offsets[t], offsets[t + 1], 0
        while i < end:
            at = i
            while at < end and data[at] != 10 and data[at] != 13:
                at += 1
            for k in range(i, at):
                place += data[k] & 0xC0 != 0x80  # else another byte of the same character
            i, lines = at, 0
            while at < end:
                width = _line_break(data, at, end)
                if not width:
                    break
                at += width
                i, place, lines = at, place + at - i, lines + 1
                while paragraphs and at < end and (data[at] == 32 or data[at] == 9):
                    at += 1
                if not paragraphs:
                    break
            if lines > paragraphs:
                begins = room_for(begins, total, 1)
                begins[total] = place
                total += 1
        bounds[t + 1] = total
    return begins[:total].copy(), bounds


@kernel(inline="always")
def _line_break(data, at, end):  # type: ignore[no-untyped-def]
    """Return of how many bytes the line break at a byte is; 0 if there is none."""
    if at >= end or (data[at] != 10 and data[at] != 13):
        return 0
    return 2 if data[at] == 13 and at + 1 < end and data[at + 1] == 10 else 1


@kernel
def cut_sentences(  # type: ignore[no-untyped-def]
    data, offsets, begins, bounds, heading_starts, heading_levels, heading_bounds, unit, limits
):
    """Return the sentences of texts data[offsets[t]:offsets[t + 1]] that are within the limits.

    Text t is cut at the characters begins[bounds[t]:bounds[t + 1]]; a piece of nothing but white space
    is left out, and each `unit` of those that follow each other are a sentence. Over it is the last of
    the headings heading_bounds[t] to heading_bounds[t + 1] that starts before it; the first of them is
    before the text. The limits are characters at least and at most, how far down in its text a sentence
    starts, as a share, and the deepest level of its heading. `begins` is changed.

    Returns a row (number in its text, start and end in characters, level, heading) a sentence, their
    texts end to end, where each of these begins, where each text's sentences begin, the characters of
    each text, and for each text how many sentences became what.
    """
    texts = len(offsets) - 1
    rows = np.empty((len(begins), 5), np.int32)
    written = np.empty(offsets[texts] - offsets[0], np.uint8)
    ends, kept_bounds = np.zeros(len(begins) + 1, np.int64), np.zeros(texts + 1, np.int64)
    characters, fates = np.empty(texts, np.int64), np.zeros((texts, 5), np.int64)
    kept, used = 0, 0
    for t in range(texts):
        own = begins[bounds[t] : bounds[t + 1]]
        places = np.empty(len(own) + 1, np.int64)
        characters[t] = _places(data, offsets[t], offsets[t + 1], own, places)
        count = _without_blanks(data, own, places)
        heading = heading_bounds[t]
        for first in range(max(count - unit + 1, min(count, 1))):
            begin, end = places[first], places[min(first + unit, count)]
            written = room_for(written, used, end - begin)
            size, length, leading, trailing = _write(data, begin, end, written[used:])
            start = own[first] + leading
            while heading + 1 < heading_bounds[t + 1] and heading_starts[heading + 1] <= start:
                heading += 1
            fate = _fate(length, start, heading_levels[heading], characters[t], limits)
            fates[t, fate] += 1
            if fate == KEPT:
                rows[kept, 0], rows[kept, 1], rows[kept, 2] = first, start, own[first] + trailing
                rows[kept, 3], rows[kept, 4] = heading_levels[heading], heading
                used += size
                kept += 1
                ends[kept] = used
        kept_bounds[t + 1] = kept
    return rows[:kept], written[:used], ends[: kept + 1], kept_bounds, characters, fates


@kernel(inline="always")
def _fate(length, start, level, characters, limits):  # type: ignore[no-untyped-def]
    """Say what becomes of a sentence."""
    if length < limits[0]:
        return SHORT
    if length > limits[1]:
        return LONG
    if start > limits[2] * characters:
        return DEEP
    return NESTED if level > limits[3] else KEPT


@kernel
def _places(data, begin, end, wanted, places):  # type: ignore[no-untyped-def]
    """Write at which bytes of a text these characters are, and its end; return its characters."""
    i, place = begin, 0
    for k in range(len(wanted)):
        while place < wanted[k] or (i < end and data[i] & 0xC0 == 0x80):
            place += data[i] & 0xC0 != 0x80  # else another byte of the same character
            i += 1
        places[k] = i
    places[len(wanted)] = end
    for k in range(i, end):
        place += data[k] & 0xC0 != 0x80
    return place


@kernel
def _without_blanks(data, begins, places):  # type: ignore[no-untyped-def]
    """Leave out the pieces that are white space, in place; return how many are left."""
    count, end = 0, places[len(begins)]
    for k in range(len(begins)):
        i = places[k]
        while i < places[k + 1]:
            code, width = character(data, i)
            if not is_space(code):
                break
            i += width
        if i < places[k + 1] or places[k] == places[k + 1]:
            begins[count], places[count] = begins[k], places[k]
            count += 1
    places[count] = end
    return count


@kernel
def _write(data, begin, end, out):  # type: ignore[no-untyped-def]
    """Write a text with single spaces and none around it.

    Returns its bytes and characters, and where it began and ended, in characters of the original.
    """
    i, last, leading = begin, end, 0
    while i < last and data[i] < 128 and is_space(data[i]):
        i, leading = i + 1, leading + 1
    while i < last and data[last - 1] < 128 and is_space(data[last - 1]):
        last -= 1
    if _is_plain(data[i:last]):
        size = last - i
        copy(data[i:], size, out)
        return size, size, leading, leading + size
    place, trailing = leading, leading
    size, length = 0, 0
    while i < last:
        code, width = character(data, i)
        if not is_space(code):
            if length == 0:
                leading = place
            elif place > trailing:
                out[size] = SPACE
                size, length = size + 1, length + 1
            for k in range(width):
                out[size + k] = data[i + k]
            size, length, trailing = size + width, length + 1, place + 1
        i, place = i + width, place + 1
    return size, length, leading, trailing


@kernel
def _is_plain(text):  # type: ignore[no-untyped-def]
    """Return whether a text is printable ASCII with single spaces: a loop of no branches."""
    marks, doubled = 0, 0
    for byte in text:
        marks += (byte < SPACE) | (byte >= DELETE)
    for i in range(1, len(text)):
        doubled += (text[i] == SPACE) & (text[i - 1] == SPACE)
    return marks == 0 and doubled == 0
