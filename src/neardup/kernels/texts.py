"""Whole batches of texts: tokens with their places, closing marks, and sentences by simple rules."""

import numpy as np

from neardup.kernels.arrays import longest, room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.token_hashes import room_for_stretch, token_places
from neardup.kernels.tokens import decode

# What lies between two words, as far as it says that a sentence ends there.
NOTHING, STOP, END = range(3)
# This many line feeds end a sentence: each line is one, or an empty line ends it. By marks, so does
# each line and each end mark, whatever follows it. Each line does, unless lines are wrapped: as asked.
MARKS, LINES, PARAGRAPHS, UNWRAPPED = range(4)
# Wrapped lines: characters of the widest one, and of the next word; lines that must be full.
NARROWEST, WIDEST, LONGEST_WORD, LEAST_LINES, MOST_FULL = 40, 120, 16, 3, 0.8


@kernel(inline="always")
def end_mark(code):  # type: ignore[no-untyped-def]
    """Say what a character says about the end of a sentence.

    A full stop needs a space behind it; ideographic marks and those of Indic, Arabic, Armenian and
    Ethiopic scripts do not, nor are they used in numbers or abbreviations.
    """
    if code == 46:
        return STOP
    if code < 128:
        return END if code in (33, 63) else NOTHING
    if code in (0x3002, 0xFF01, 0xFF1F, 0x0964, 0x0965, 0x061F, 0x06D4, 0x0589, 0x1362, 0x2026):
        return END
    return NOTHING


@kernel(inline="always")
def closes(code):  # type: ignore[no-untyped-def]
    """Return whether a character may close a sentence: full stops, quotation marks, brackets."""
    if code < 128:
        return code in (33, 34, 39, 41, 46, 63, 93, 125)
    if 0x3002 <= code <= 0x3011:
        return code == 0x3002 or (code >= 0x3009 and code & 1 == 1)
    return code in (0xBB, 0x2019, 0x201D, 0x203A, 0xFF09) or end_mark(code) != NOTHING


@kernel(inline="always")
def is_break(mark, spaced, feeds, letters, small):  # type: ignore[no-untyped-def]
    """Return whether a sentence ends between two words."""
    if feeds:
        return True
    if mark == NOTHING or not spaced or small:
        return False
    return mark == END or letters > 1


@kernel(inline="always")
def character(data, i):  # type: ignore[no-untyped-def]
    """Return the code point at byte i and its length in bytes."""
    if data[i] < 128:
        return np.uint32(data[i]), 1
    return decode(data, i)


@kernel
def scan_gaps(data, begin, end, chars, starts, ends, count, sentences, feeds):  # type: ignore[no-untyped-def]
    """Take closing marks into the ends of tokens, and write the tokens with which sentences begin.

    A sentence ends at an end mark with a space behind it, unless the next word begins with a small
    letter or the last one is a single letter (an initial); and always at so many line feeds: 2 are an
    empty line. With 0, each end mark ends one, too. Returns the number of sentences. The text has so
    many characters; only what is between tokens is looked at.
    """
    plain = chars == end - begin  # each character is a byte
    i, place = begin, 0
    found, letters = 0, 0
    for token in range(count):
        mark, spaced, lines, closing = NOTHING, False, 0, token > 0
        while place < starts[token]:
            if data[i] == 32:  # as most of them are
                spaced, closing = True, False
                place += 1
                i += 1
                continue
            code, width = character(data, i)
            closing = closing and closes(code)
            if closing:
                ends[token - 1] += 1
            meaning = end_mark(code)
            if meaning:
                mark, spaced = max(mark, meaning), bool(code > 127)
            elif code == 10 or code == 13 or code == 9 or code == 0xA0:
                spaced = True
                lines += code == 10
            elif lines < feeds:
                lines = 0
            place += 1
            i += width
        ended = lines >= feeds if feeds else lines > 0 or mark == END or (mark == STOP and spaced)
        if token == 0 or is_break(mark, spaced, ended, letters, 97 <= data[i] <= 122):
            sentences[found] = token
            found += 1
        letters = ends[token] - starts[token]
        if plain:
            i += letters
            place += letters
        else:
            while place < ends[token]:
                i += character(data, i)[1]
                place += 1
    while count and i < end and closes(character(data, i)[0]):
        ends[count - 1] += 1
        i += character(data, i)[1]
    return found


@kernel
def line_of(data, i, end):  # type: ignore[no-untyped-def]
    """Return the indent of a line, its characters, those of its first word, and where it ends."""
    indent, size, word, chars = 0, 0, 0, 0
    while i < end and data[i] != 10:
        begins = data[i] & 0xC0 != 0x80
        chars += begins
        if data[i] in (9, 13, 32):
            indent += size == 0
        else:
            word += begins and chars - 1 - indent == word
            size = chars
        i += 1
    return indent, size, word, i + 1


@kernel
def is_wrapped(data, begin, end):  # type: ignore[no-untyped-def]
    """Return whether the lines of a text were broken to fit a width, not where something ends.

    Hardly any of them has room for the first word of the next one. A line with a larger indent than the
    one before begins a paragraph.
    """
    i, widest = begin, 0
    while i < end and widest <= WIDEST:
        _, size, _, i = line_of(data, i, end)
        widest = max(widest, size)
    if not NARROWEST <= widest <= WIDEST:
        return False
    i, indent, size, joined, full = begin, 0, 0, 0, 0
    while i < end:
        before, filled = indent, size
        indent, size, word, i = line_of(data, i, end)
        if filled and size and indent <= before:
            joined += 1
            full += filled + 1 + min(word, LONGEST_WORD) > widest
    return joined >= LEAST_LINES and full >= MOST_FULL * joined


@kernel
def split_texts(data, offsets, table, feeds):  # type: ignore[no-untyped-def]
    """Return the tokens and sentences of texts data[offsets[t]:offsets[t + 1]] end to end.

    How many line feeds end a sentence: see `scan_gaps`. Returns hashes, starts, ends, where each text's
    tokens begin, the tokens with which sentences begin, where each text's sentences begin, and each
    text's characters.
    """
    texts = len(offsets) - 1
    room = (offsets[texts] - offsets[0]) // 5 + longest(offsets) // 2 + 1
    hashes, starts, ends = np.empty(room, np.uint64), np.empty(room, np.int32), np.empty(room, np.int32)
    sentences = np.empty(room // 4 + 1, np.int32)
    bounds, sentence_bounds = np.zeros(texts + 1, np.int64), np.zeros(texts + 1, np.int64)
    chars, scratch = np.zeros(texts, np.int64), room_for_stretch()
    for t in range(texts):
        first, last, used = offsets[t], offsets[t + 1], bounds[t]
        most = (last - first) // 2 + 1
        hashes = room_for(hashes, used, most)
        starts, ends = room_for(starts, used, most), room_for(ends, used, most)
        own_starts, own_ends = starts[used:], ends[used:]
        places = own_starts, own_ends, scratch
        count, chars[t] = token_places(data, first, last, table, hashes[used:], *places)
        sentences = room_for(sentences, sentence_bounds[t], count)
        own = sentences[sentence_bounds[t] :]
        ends_at = feeds
        if feeds == UNWRAPPED:
            ends_at = PARAGRAPHS if is_wrapped(data, first, last) else LINES
        parts = scan_gaps(data, first, last, chars[t], own_starts, own_ends, count, own, ends_at)
        bounds[t + 1] = used + count
        sentence_bounds[t + 1] = sentence_bounds[t] + parts
    total = bounds[texts]
    return (
        hashes[:total].copy(),
        starts[:total].copy(),
        ends[:total].copy(),
        bounds,
        sentences[: sentence_bounds[texts]].copy(),
        sentence_bounds,
        chars,
    )
