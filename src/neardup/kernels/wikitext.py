"""Wikitext to plain text: paragraphs and list items with an empty line between them, links by their
labels, and nothing of templates, tables, references, files and headings.

Time grows with the text, whatever is in it.
"""

from typing import NamedTuple

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.wikitext_structure import (
    BEGIN,
    BREAK,
    C_BANG,
    C_BAR,
    C_BEGIN,
    C_BRA,
    C_CLOSE,
    C_COLON,
    C_COMMA,
    C_END,
    C_EQUAL,
    C_HASH,
    C_KET,
    C_LESS,
    C_LF,
    C_LINE,
    C_MINUS,
    C_OPEN,
    C_QUOTE,
    C_SEMI,
    C_SLASH,
    C_SPACE,
    C_STAR,
    C_STOP,
    END,
    KIND,
    LINK,
    RAW,
    STACK,
    STOP,
    TABLE,
    TEMPLATE,
    Names,
    action_of,
    is_at,
    is_heading,
    is_letter,
    line_end,
    magic_word,
    name_hash,
    paragraph_end,
    run_of,
    structure,
    tag_at,
)

FIRST, SECOND, MEASURE = range(1, 4)  # which arguments of a template are text
LONGEST_TITLE = 600  # bytes: MediaWiki allows 255
LONGEST_NAME = 80
LONGEST_INLINE = 600
LONGEST_URL = 4000
# letters and digits, and all that is not ASCII but for the first byte of a no-break space
IS_PLAIN = np.array([chr(c).isalnum() if c < 128 else c != 0xC2 for c in range(256)], np.bool_)

# The state of the writing: the bytes written; whether a space or a break is due, and whether something
# was left out, before the next one; how many elements the place is in and shows, and which comes next;
# whether it is at the beginning of a line, or in the label of a link to another site; where the text of
# a list item begins, and whether it has letters of its own, outside links; and how many headings came.
SIZE, SPACE_DUE, BREAK_DUE, LEFT_OUT, SHOWN, ELEMENT, FRESH, OUTSIDE, ITEM, OWN, HEADINGS = range(11)
NO_ITEM = -1
NO_BREAK, SPACE_ENTITY = np.array([*b"\xc2\xa0"], np.uint8), np.array([*b"&nbsp;"], np.uint8)


class Known(NamedTuple):
    """The names of tags and templates that something is done about, and of links that are not shown."""

    tags: Names
    templates: Names
    dropped: Names


@kernel(_nrt=False)
def label_of(data, i, end, dropped):  # type: ignore[no-untyped-def]
    """Return where the text of the link at i begins, or where the link ends if it has none.

    `dropped` are the namespaces whose links are not shown, such as files.
    """
    begin = i + 2
    mention = data[begin] == C_COLON  # a link to a file or category, not the thing itself
    begin += mention
    last = min(begin + LONGEST_TITLE, end - 2)
    colon = bar = 0
    for k in range(begin, last):
        if data[k] == C_COLON and not colon:
            colon = k
        if data[k] == C_BAR:
            bar = k
            break
    if colon and not mention and (not bar or colon < bar):
        if action_of(dropped, name_hash(data, begin, colon)):
            return end
        small = True
        for k in range(begin, colon):
            small = small and (97 <= data[k] <= 122 or data[k] == C_MINUS)
        if small and not bar and (colon - begin < 4 or data[begin + 2] == C_MINUS):
            return end  # the same article in another language
    return bar + 1 if bar and bar + 1 < end - 2 else begin


@kernel(_nrt=False)
def argument_bounds(data, begin, end, wanted):  # type: ignore[no-untyped-def]
    """Return where an argument of a short template begins and ends; 0 if it has none of that number."""
    number = depth = 0
    start = 0
    for k in range(begin, end):
        c = data[k]
        depth += (c in (C_BEGIN, C_OPEN)) - (c in (C_END, C_CLOSE))
        if c == C_EQUAL and number == wanted and not depth:
            return 0, 0  # it has a name: no text
        if c == C_BAR and not depth:
            if number == wanted:
                return start, k
            number += 1
            start = k + 1
    return (start, end) if number == wanted else (0, 0)


@kernel(_nrt=False)
def shown_argument(data, begin, end, templates):  # type: ignore[no-untyped-def]
    """Return what of a template is text: where it begins and ends, and where a unit of measure does."""
    inner = end - 2
    if end - begin > LONGEST_INLINE:
        return 0, 0, 0, 0
    bar = begin + 2
    while bar < inner and bar - begin < LONGEST_NAME and data[bar] != C_BAR:
        bar += 1
    action = action_of(templates, name_hash(data, begin + 2, bar))
    if not action:
        return 0, 0, 0, 0
    start, stop = argument_bounds(data, begin + 2, inner, 2 if action == SECOND else 1)
    unit, unit_end = 0, 0
    if action == MEASURE:
        unit, unit_end = argument_bounds(data, begin + 2, inner, 2)
    return start, stop, unit, unit_end


@kernel
def plain_text(data, tags, templates, dropped):  # type: ignore[no-untyped-def]
    """Return the text of a page as bytes, and rows (bytes of text before it, begin, end) of headings.

    A list item that is nothing but links is left out.
    """
    out, state = np.empty(2 * len(data) + 2, np.uint8), np.zeros(HEADINGS + 1, np.int64)
    headings = np.empty((count_of(data, C_EQUAL) // 2, 3), np.int64)  # = stands at both ends of each
    write_text(data, structure(data, tags), Known(tags, templates, dropped), out, headings, state)
    return out[: state[SIZE]], headings[: state[HEADINGS]]


@kernel(_nrt=False)
def count_of(data, c):  # type: ignore[no-untyped-def]
    """Return how often a byte occurs."""
    count = 0
    for k in range(len(data)):
        count += data[k] == c
    return count


@kernel(_nrt=False)
def write_text(data, elements, known, out, headings, state):  # type: ignore[no-untyped-def]
    """Write the text of a page, see `plain_text`."""
    state[FRESH], state[ITEM] = 1, NO_ITEM
    i = 0
    while i < len(data):
        begin = next_element(elements, state, i, len(data))
        stop = stop_of(elements, state) if state[SHOWN] else len(data)
        if i >= stop:
            i = end_shown(elements, state, i)
        elif data[i] == C_LF:
            i = end_line(data, i, state)
        elif i == begin:
            i = write_element(data, i, elements, known, out, state)
        elif data[i] <= C_SPACE:
            state[FRESH] &= data[i] == C_SPACE
            state[SPACE_DUE] = 1
            i += 1
        elif IS_PLAIN[data[i]] and not state[FRESH]:
            i = write_word(data, i, min(begin, stop), out, state)
        else:
            after = line_mark(data, i, headings, state) if state[FRESH] else 0
            i = after or inline_mark(data, i, known.tags, out, state) or write_byte(data, i, out, state)
    end_item(state)


@kernel(_nrt=False)
def next_element(elements, state, i, n):  # type: ignore[no-untyped-def]
    """Return where the next element begins, from i on, or where the page of n bytes ends."""
    number = state[ELEMENT]
    while number < len(elements) and elements[number, BEGIN] < i:
        number += 1
    state[ELEMENT] = number
    return elements[number, BEGIN] if number < len(elements) else n


@kernel(_nrt=False)
def stop_of(elements, state):  # type: ignore[no-untyped-def]
    """Return where that stops which is being shown of the innermost element."""
    return elements[elements[state[SHOWN] - 1, STACK], STOP]


@kernel(_nrt=False)
def end_shown(elements, state, i):  # type: ignore[no-untyped-def]
    """Note that the innermost element is shown; return where to go on, from i or its end."""
    state[SHOWN] -= 1
    return max(i, elements[elements[state[SHOWN], STACK], END])


@kernel(_nrt=False)
def end_line(data, i, state):  # type: ignore[no-untyped-def]
    """Note that a line ends; return where the next begins."""
    end_item(state)
    state[OUTSIDE], state[FRESH], state[SPACE_DUE] = 0, 1, 1
    if is_at(data, i, C_LF, C_LF):
        state[BREAK_DUE] = 1
    return i + 1


@kernel(_nrt=False)
def end_item(state):  # type: ignore[no-untyped-def]
    """Note that a list item ends, if one does; take it back if it has no letters of its own."""
    if state[ITEM] != NO_ITEM:
        if not state[OWN]:
            state[SIZE] = state[ITEM]
        state[ITEM], state[BREAK_DUE] = NO_ITEM, 1


@kernel(_nrt=False)
def write_element(data, i, elements, known, out, state):  # type: ignore[no-untyped-def]
    """Write what is text of the element at i, or begin to show it; return where to go on."""
    kind, end = elements[state[ELEMENT], KIND], elements[state[ELEMENT], END]
    if kind == LINK:
        return write_link(data, i, elements, known.dropped, state)
    if kind == RAW:
        return write_raw(data, i, end, out, state)
    state[LEFT_OUT] = 1
    if kind == TABLE:
        state[BREAK_DUE] = 1
    if end < 0:
        return paragraph_end(data, i)
    if kind == TEMPLATE:
        return write_template(data, i, elements, known.templates, out, state)
    return end


@kernel(_nrt=False)
def write_link(data, i, elements, dropped, state):  # type: ignore[no-untyped-def]
    """Begin to show the label of a link, if it has one; return where to go on."""
    end = elements[state[ELEMENT], END]
    state[FRESH] = 0
    if end < 0:
        return i + 2
    label = label_of(data, i, end, dropped)
    if label == end:
        state[LEFT_OUT] = 1
    else:
        show(elements, state, end - 2)
    return label


@kernel(_nrt=False)
def show(elements, state, stop):  # type: ignore[no-untyped-def]
    """Begin to show the text of the next element, up to where it stops."""
    elements[state[ELEMENT], STOP] = stop
    elements[state[SHOWN], STACK] = state[ELEMENT]
    state[SHOWN] += 1


@kernel(_nrt=False)
def write_raw(data, i, end, out, state):  # type: ignore[no-untyped-def]
    """Write the content of a tag as it is; return where the tag ends."""
    i = tag_at(data, i)[2]
    while i < end and data[i] != C_LESS:
        if data[i] <= C_SPACE:
            state[SPACE_DUE] = 1
        else:
            put(out, state, data[i])
            state[OWN] = 1
        i += 1
    return end


@kernel(_nrt=False)
def write_template(data, i, elements, templates, out, state):  # type: ignore[no-untyped-def]
    """Write a measure, or begin to show the argument that is text; return where to go on."""
    end = elements[state[ELEMENT], END]
    start, stop, unit, unit_end = shown_argument(data, i, end, templates)
    if stop <= start:
        return end
    state[FRESH] = 0
    if unit_end <= unit:
        show(elements, state, stop)
        return start
    for k in range(start, stop):
        put(out, state, data[k])
    state[SPACE_DUE] = 1
    for k in range(unit, unit_end):
        put(out, state, data[k])
    state[OWN] = 1
    return end


@kernel(_nrt=False)
def write_word(data, i, last, out, state):  # type: ignore[no-untyped-def]
    """Write letters and digits, up to `last` at most; return where something else comes."""
    if not state[SHOWN] and not state[OUTSIDE]:
        state[OWN] = 1
    put(out, state, data[i])
    i += 1
    size = state[SIZE]
    while i < last and IS_PLAIN[data[i]]:
        out[size] = data[i]
        size += 1
        i += 1
    state[SIZE] = size
    return i


@kernel(_nrt=False)
def line_mark(data, i, headings, state):  # type: ignore[no-untyped-def]
    """Return where a mark that only counts at the beginning of a line ends, or 0.

    A heading is one with its text, and so is a row of a table that has no beginning.
    """
    c = data[i]
    state[FRESH] = 0
    row = c in (C_BAR, C_BANG) and not state[SHOWN]
    heading = c == C_EQUAL and is_heading(data, i)
    if row or heading:
        end = line_end(data, i)
        if heading:
            note_heading(headings, state, i, end)
        state[BREAK_DUE] = 1
        return end
    if c == C_MINUS and run_of(data, i) >= 4:
        state[BREAK_DUE] = 1
        return i + run_of(data, i)
    if c not in (C_STAR, C_HASH, C_COLON, C_SEMI):
        return 0
    while i < len(data) and data[i] in (C_STAR, C_HASH, C_COLON, C_SEMI):
        i += 1
    state[BREAK_DUE] = 1
    state[ITEM], state[OWN] = state[SIZE], 0
    state[FRESH] = is_at(data, i, C_BEGIN, C_BAR)
    return i


@kernel(_nrt=False)
def note_heading(headings, state, begin, end):  # type: ignore[no-untyped-def]
    """Note where a heading is in the page, and how much text comes before it."""
    number = state[HEADINGS]
    headings[number, 0], headings[number, 1], headings[number, 2] = state[SIZE], begin, end
    state[HEADINGS] = number + 1


@kernel(_nrt=False)
def inline_mark(data, i, tags, out, state):  # type: ignore[no-untyped-def]
    """Return where a mark within a line ends, or a space that is written as one, or 0."""
    c = data[i]
    if c == C_QUOTE and is_at(data, i, C_QUOTE, C_QUOTE):
        return i + write_quotes(out, state, run_of(data, i))
    if c == C_LESS:
        begin, end, after = tag_at(data, i)
        if after and action_of(tags, name_hash(data, begin, end)) == BREAK:
            state[BREAK_DUE] = 1
        return after
    if c == C_OPEN and not state[OUTSIDE]:
        label = site_label(data, i)
        if label:
            state[OUTSIDE], state[LEFT_OUT] = data[label - 1] != C_CLOSE, 1
        return label
    if c == C_CLOSE and state[OUTSIDE]:
        state[OUTSIDE] = 0
        return i + 1
    if c == C_LINE and is_at(data, i, C_LINE, C_LINE):
        return magic_word(data, i)
    space = space_end(data, i)
    if space:
        state[SPACE_DUE] = 1
    return space


@kernel(_nrt=False)
def write_quotes(out, state, run):  # type: ignore[no-untyped-def]
    """Write those of a run of quotes that are text, not marks of bold and italics; return the run."""
    for _ in range(1 if run == 4 else max(run - 5, 0)):
        put(out, state, C_QUOTE)
    return run


@kernel(_nrt=False)
def write_byte(data, i, out, state):  # type: ignore[no-untyped-def]
    """Write a byte that is not a mark; return where the next one is."""
    put(out, state, data[i])
    if not state[SHOWN] and not state[OUTSIDE] and (is_letter(data[i]) or data[i] >= 128):
        state[OWN] = 1
    return i + 1


@kernel(_nrt=False)
def put(out, state, c):  # type: ignore[no-untyped-def]
    """Append a byte to the text, with the space or break before it that is due."""
    size = state[SIZE]
    if state[BREAK_DUE]:
        if size:
            out[size], out[size + 1] = C_LF, C_LF
            size += 2
    elif size:
        before = out[size - 1]
        if before == C_BRA:
            if c == C_KET:  # nothing is left between brackets
                size -= 1
                if size and out[size - 1] == C_SPACE:
                    size -= 1
                state[SIZE], state[SPACE_DUE] = size, 1
                return
            if state[LEFT_OUT] and c in (C_COMMA, C_SEMI):
                return
        elif state[SPACE_DUE] and before != C_LF:
            closing = c in (C_COMMA, C_STOP, C_SEMI, C_COLON, C_KET)
            if not (state[LEFT_OUT] and closing):
                out[size] = C_SPACE
                size += 1
    out[size] = c
    state[SIZE] = size + 1
    state[SPACE_DUE] = state[BREAK_DUE] = state[LEFT_OUT] = 0


@kernel(_nrt=False)
def site_label(data, i):  # type: ignore[no-untyped-def]
    """Return where the label of a link to another site begins, behind it if it has none, or 0."""
    n = len(data)
    k = i + 1
    while k < n and is_letter(data[k]):
        k += 1
    slashes = is_at(data, k, C_SLASH, C_SLASH) or (is_at(data, k, C_COLON, C_SLASH) and k > i + 1)
    mail = k - i == 7 and k < n and data[k] == C_COLON
    if not slashes and not mail:
        return 0
    last = min(n, k + LONGEST_URL)
    while k < last and data[k] > C_SPACE and data[k] != C_CLOSE:
        k += 1
    return k + 1 if k < last and data[k] != C_LF else 0


@kernel(_nrt=False)
def space_end(data, i):  # type: ignore[no-untyped-def]
    """Return where a no-break space ends, as a character or as &nbsp;, or 0."""
    space = NO_BREAK if data[i] == NO_BREAK[0] else SPACE_ENTITY
    for k in range(len(space)):
        if i + k >= len(data) or data[i + k] != space[k]:
            return 0
    return i + len(space)
