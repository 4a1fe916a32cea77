"""Wikitext to plain text: paragraphs and list items with an empty line between them, links by their
labels, and nothing of templates, tables, references, files and headings.

Time grows with the text, whatever is in it.
"""

import numpy as np
from numba import njit

from neardup.kernels.wikitext_structure import (
    BREAK,
    C_AMP,
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
    LINK,
    OPEN,
    RAW,
    TABLE,
    TEMPLATE,
    found_in,
    is_at,
    is_letter,
    line_end,
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


@njit(nogil=True, cache=True)
def label_of(data, i, end, dropped):  # type: ignore[no-untyped-def]
    """Return where the text of the link at i begins, or where the link ends if it has none.

    `dropped` are the sorted hashes of namespaces whose links are not shown, such as files.
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
        if found_in(dropped, dropped, name_hash(data, begin, colon)):
            return end
        small = True
        for k in range(begin, colon):
            small = small and (97 <= data[k] <= 122 or data[k] == C_MINUS)
        if small and not bar and (colon - begin < 4 or data[begin + 2] == C_MINUS):
            return end  # the same article in another language
    return bar + 1 if bar and bar + 1 < end - 2 else begin


@njit(nogil=True, cache=True)
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


@njit(nogil=True, cache=True)
def shown_argument(data, begin, end, names, actions):  # type: ignore[no-untyped-def]
    """Return what of a template is text: where it begins and ends, and where a unit of measure does."""
    inner = end - 2
    if end - begin > LONGEST_INLINE:
        return 0, 0, 0, 0
    bar = begin + 2
    while bar < inner and bar - begin < LONGEST_NAME and data[bar] != C_BAR:
        bar += 1
    action = found_in(names, actions, name_hash(data, begin + 2, bar))
    if not action:
        return 0, 0, 0, 0
    start, stop = argument_bounds(data, begin + 2, inner, 2 if action == SECOND else 1)
    unit, unit_end = 0, 0
    if action == MEASURE:
        unit, unit_end = argument_bounds(data, begin + 2, inner, 2)
    return start, stop, unit, unit_end


@njit(nogil=True, cache=True)
def put(out, state, c):  # type: ignore[no-untyped-def]
    """Append a byte to the text, with the space or break before it that is due.

    `state` holds: bytes written, a space is due, a break is due, something was left out just before.
    """
    size = state[0]
    if state[2]:
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
                state[0], state[1] = size, 1
                return
            if state[3] and c in (C_COMMA, C_SEMI):
                return
        elif state[1] and before != C_LF:
            closing = c in (C_COMMA, C_STOP, C_SEMI, C_COLON, C_KET)
            if not (state[3] and closing):
                out[size] = C_SPACE
                size += 1
    out[size] = c
    state[0], state[1], state[2], state[3] = size + 1, 0, 0, 0


@njit(nogil=True, cache=True)
def next_stop(n, stops, shown, begins, element):  # type: ignore[no-untyped-def]
    """Return up to where nothing special can happen."""
    last = n
    if shown:
        last = min(last, stops[shown - 1])
    return min(last, begins[element]) if element < len(begins) else last


@njit(nogil=True, cache=True)
def copy_plain(data, i, last, out, state):  # type: ignore[no-untyped-def]
    """Copy letters and digits up to the next byte that is none; return where that is."""
    size = state[0]
    while i < last and IS_PLAIN[data[i]]:
        out[size] = data[i]
        size += 1
        i += 1
    state[0] = size
    return i


@njit(nogil=True, cache=True)
def plain_text(data, tags, tag_actions, templates, template_actions, dropped):  # type: ignore[no-untyped-def]
    """Return the text of an article as bytes.

    `tags` and `templates` are sorted hashes of names, each with its action; `dropped` those of the
    namespaces whose links are not shown. A list item that is nothing but links is left out.
    """
    elements = structure(data, tags, tag_actions)
    out = np.empty(2 * len(data) + 2, np.uint8)
    size = write_text(
        data,
        *elements,
        tags,
        tag_actions,
        templates,
        template_actions,
        dropped,
        out,
        np.zeros(4, np.int64),
        np.empty(len(elements[0]) + 1, np.int64),
        np.empty(len(elements[0]) + 1, np.int64),
    )
    return out[:size]


@njit(nogil=True, cache=True)
def write_text(  # type: ignore[no-untyped-def]
    data,
    kinds,
    begins,
    ends,
    tags,
    tag_actions,
    templates,
    template_actions,
    dropped,
    out,
    state,
    stops,
    resumes,
):
    """Write the text of an article to `out`, see `plain_text`; return its size.

    It makes no arrays itself: so none has to be counted in the loop.
    """
    n = len(data)
    shown = element = 0  # links and arguments that are being shown
    fresh, item = True, -1  # at the beginning of a line; where the text of a list item begins
    own = False  # the item has letters outside links
    outside = False  # in the label of a link to another site
    i = 0
    while True:
        if shown and i >= stops[shown - 1]:
            shown -= 1
            i = max(i, resumes[shown])
            continue
        if i >= n or data[i] == C_LF:
            if item >= 0:
                if not own:
                    state[0] = item
                item = -1
                state[2] = 1
            if i >= n:
                break
            outside, fresh = False, True
            state[1] = 1
            i += 1
            if i < n and data[i] == C_LF:
                state[2] = 1
            continue
        while element < len(kinds) and begins[element] < i:
            element += 1
        if element < len(kinds) and begins[element] == i:
            kind, end = kinds[element], ends[element]
            if kind == LINK:
                fresh = False
                start = i + 2 if end == OPEN else label_of(data, i, end, dropped)
                if start == end:
                    state[3] = 1
                elif end != OPEN:
                    stops[shown], resumes[shown] = end - 2, end
                    shown += 1
                i = start
                continue
            if kind == RAW:
                i = tag_at(data, i)[2]
                while i < end and data[i] != C_LESS:
                    if data[i] <= C_SPACE:
                        state[1] = 1
                    else:
                        put(out, state, data[i])
                        own = True
                    i += 1
                i = end
                continue
            state[3] = 1
            if kind == TABLE:
                state[2] = 1
            if kind == TEMPLATE and end != OPEN:
                start, stop, unit, unit_end = shown_argument(data, i, end, templates, template_actions)
                if stop > start:
                    fresh = False
                    if unit_end > unit:
                        for k in range(start, stop):
                            put(out, state, data[k])
                        state[1] = 1
                        for k in range(unit, unit_end):
                            put(out, state, data[k])
                        own = True
                    else:
                        stops[shown], resumes[shown] = stop, end
                        shown += 1
                        i = start
                        continue
            i = paragraph_end(data, i) if end == OPEN else end
            continue
        c = data[i]
        if not fresh and IS_PLAIN[c]:
            own = own or (not shown and not outside)
            put(out, state, c)
            i = copy_plain(data, i + 1, next_stop(n, stops, shown, begins, element), out, state)
            continue
        if fresh:
            fresh = False
            if c == C_EQUAL and is_heading(data, i):
                state[2] = 1
                i = line_end(data, i)
                continue
            if c in (C_BAR, C_BANG) and not shown:  # a row of a table that has no beginning
                state[2] = 1
                i = line_end(data, i)
                continue
            if c in (C_STAR, C_HASH, C_COLON, C_SEMI):
                while i < n and data[i] in (C_STAR, C_HASH, C_COLON, C_SEMI):
                    i += 1
                state[2] = 1
                item, own = state[0], False
                if is_at(data, i, C_BEGIN, C_BAR):
                    fresh = True
                continue
            if c == C_MINUS and run_of(data, i) >= 4:
                state[2] = 1
                i += run_of(data, i)
                continue
            if c == C_SPACE:
                fresh = True
        if c == C_QUOTE and is_at(data, i, C_QUOTE, C_QUOTE):
            run = run_of(data, i)
            for _ in range(1 if run == 4 else max(run - 5, 0)):
                put(out, state, c)
            i += run
            continue
        if c == C_LESS:
            begin, end, after = tag_at(data, i)
            if after:
                if found_in(tags, tag_actions, name_hash(data, begin, end)) == BREAK:
                    state[2] = 1
                i = after
                continue
        elif c == C_OPEN and not outside:
            label = site_label(data, i)
            if label:
                outside = data[label - 1] != C_CLOSE
                state[3] = 1
                i = label
                continue
        elif c == C_CLOSE and outside:
            outside = False
            i += 1
            continue
        elif c == C_LINE and is_at(data, i, C_LINE, C_LINE):
            end = magic_word(data, i)
            if end:
                i = end
                continue
        elif c == C_AMP and is_space_entity(data, i):
            state[1] = 1
            i += 6
            continue
        elif c == 0xC2 and i + 1 < n and data[i + 1] == 0xA0:
            state[1] = 1
            i += 2
            continue
        if c <= C_SPACE:
            state[1] = 1
        else:
            put(out, state, c)
            own = own or (not shown and not outside and (is_letter(c) or c >= 128))
        i += 1
    return state[0]


@njit(nogil=True, cache=True)
def is_heading(data, i):  # type: ignore[no-untyped-def]
    """Say whether the line at i is a heading: there is = again behind its text."""
    run = run_of(data, i)
    k = begin = i + run
    while k < len(data) and data[k] != C_LF:
        if data[k] == C_EQUAL and k > begin and (run == 1 or is_at(data, k, C_EQUAL, C_EQUAL)):
            return True
        k += 1
    return False


@njit(nogil=True, cache=True)
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


@njit(nogil=True, cache=True)
def magic_word(data, i):  # type: ignore[no-untyped-def]
    """Return where a word such as __NOTOC__ ends, or 0."""
    k = i + 2
    while k < len(data) and (65 <= data[k] <= 90 or data[k] >= 128):
        k += 1
    return k + 2 if k > i + 2 and is_at(data, k, C_LINE, C_LINE) else 0


@njit(nogil=True, cache=True)
def is_space_entity(data, i):  # type: ignore[no-untyped-def]
    """Say whether &nbsp; stands at a place."""
    if i + 5 >= len(data) or data[i + 1] != 110 or data[i + 2] != 98:
        return False
    return data[i + 3] == 115 and data[i + 4] == 112 and data[i + 5] == C_SEMI
