"""Wikitext to plain text in two passes over its bytes, without recursion; time grows with the text.

The first pass finds what belongs together: templates, tables, links, comments and the contents of
tags, nested in any way; what is never closed stays open. The second writes the text: paragraphs and
list items with an empty line between them, links by their labels, nothing of the rest.
"""

import numpy as np
from numba import njit

from neardup.kernels.hashing import SEED, STEP, mix

TEMPLATE, TABLE, LINK, SKIPPED, RAW = range(1, 6)
# What is done about a tag, by the hash of its name; any other tag is left away, its content stays.
DROP_CONTENT, KEEP_RAW, BREAK = range(1, 4)
FIRST, SECOND, MEASURE = range(1, 4)  # which arguments of a template are text
OPEN, TRIPLE = -1, -2  # ends of what is not closed; of a parameter, {{{…}}}
LONGEST_TAG = 2000
LONGEST_TITLE = 600  # bytes: MediaWiki allows 255
LONGEST_NAME = 80
LONGEST_INLINE = 600
LONGEST_URL = 4000

IS_PLAIN = np.array(
    [chr(c).isalnum() and c < 128 or c > 0xC2 or 128 <= c < 0xC2 for c in range(256)], np.bool_
)
_LF, _SPACE, _BANG, _AMP, _QUOTE = 10, 32, 33, 38, 39
_BRA, _KET, _STAR, _COMMA, _MINUS, _STOP, _SLASH = 40, 41, 42, 44, 45, 46, 47
_COLON, _SEMI, _LESS, _EQUAL, _MORE, _HASH = 58, 59, 60, 61, 62, 35
_OPEN, _CLOSE, _LINE, _BEGIN, _BAR, _END = 91, 93, 95, 123, 124, 125


@njit(nogil=True, cache=True)
def name_hash(data, begin, end):  # type: ignore[no-untyped-def]
    """Return the hash of a name: ASCII letters in lower case, no space around it, _ for a space."""
    while begin < end and (data[begin] == _SPACE or data[begin] == _LF or data[begin] == _LINE):
        begin += 1
    while end > begin and (data[end - 1] == _SPACE or data[end - 1] == _LF or data[end - 1] == _LINE):
        end -= 1
    state = SEED
    for i in range(begin, end):
        c = data[i]
        if 65 <= c <= 90:
            c += 32
        elif c == _LINE:
            c = _SPACE
        state = (state ^ np.uint64(c)) * STEP
    return mix(state)


@njit(nogil=True, cache=True)
def is_letter(c):  # type: ignore[no-untyped-def]
    """Say whether a byte is an ASCII letter."""
    return 97 <= (c | 32) <= 122


@njit(nogil=True, cache=True)
def found_in(names, actions, name):  # type: ignore[no-untyped-def]
    """Return the action of a name among sorted ones, 0 if it is not there."""
    at = np.searchsorted(names, name)
    return actions[at] if at < len(names) and names[at] == name else 0


@njit(nogil=True, cache=True)
def tag_at(data, i):  # type: ignore[no-untyped-def]
    """Return where the name of the tag at `<` begins and ends, and where the tag does; 0 if it is none."""
    n = len(data)
    begin = i + 1
    if begin < n and data[begin] == _SLASH:
        begin += 1
    if begin >= n or not is_letter(data[begin]):
        return 0, 0, 0
    end = begin
    while end < n and (is_letter(data[end]) or 48 <= data[end] <= 57 or data[end] == _MINUS):
        end += 1
    for k in range(end, min(end + LONGEST_TAG, n)):
        if data[k] == _MORE:
            return begin, end, k + 1
        if data[k] == _LESS:
            break
    return 0, 0, 0


@njit(nogil=True, cache=True)
def closing_tag(data, i, name):  # type: ignore[no-untyped-def]
    """Return where the next closing tag of this name begins, from i on, and where it ends."""
    n = len(data)
    while i < n - 2:
        if data[i] == _LESS and data[i + 1] == _SLASH:
            begin, end, after = tag_at(data, i)
            if after and name_hash(data, begin, end) == name:
                return i, after
        i += 1
    return n, n


@njit(nogil=True, cache=True)
def is_at(data, i, first, second):  # type: ignore[no-untyped-def]
    """Say whether two bytes stand at a place."""
    return i + 1 < len(data) and data[i] == first and data[i + 1] == second


@njit(nogil=True, cache=True)
def run_of(data, i):  # type: ignore[no-untyped-def]
    """Return how often the byte at a place is repeated."""
    k = i
    while k < len(data) and data[k] == data[i]:
        k += 1
    return k - i


@njit(nogil=True, cache=True)
def line_end(data, i):  # type: ignore[no-untyped-def]
    """Return where the line ends."""
    while i < len(data) and data[i] != _LF:
        i += 1
    return i


@njit(nogil=True, cache=True)
def paragraph_end(data, i):  # type: ignore[no-untyped-def]
    """Return where an empty line or a heading follows, from i on."""
    while i < len(data):
        if data[i] == _LF and i + 1 < len(data) and (data[i + 1] == _LF or data[i + 1] == _EQUAL):
            return i
        i += 1
    return i


@njit(nogil=True, cache=True)
def skipped_at(data, i, names, actions, closings):  # type: ignore[no-untyped-def]
    """Return the kind and end of a comment, or of a tag with its content, at `<`; 0 if there is none.

    `closings` remembers, for each name, the next closing tag: however often it is looked for, the text
    is searched once.
    """
    n = len(data)
    if i + 3 < n and data[i + 1] == _BANG and data[i + 2] == _MINUS and data[i + 3] == _MINUS:
        k = i + 4
        while k + 2 < n and not (data[k] == _MINUS and data[k + 1] == _MINUS and data[k + 2] == _MORE):
            k += 1
        return SKIPPED, (k + 3 if k + 2 < n else n)
    begin, end, after = tag_at(data, i)
    if not after or data[i + 1] == _SLASH:
        return 0, 0
    name = name_hash(data, begin, end)
    at = np.searchsorted(names, name)
    if at == len(names) or names[at] != name or actions[at] == BREAK:
        return 0, 0
    if data[after - 2] == _SLASH:
        return SKIPPED, after
    if closings[at, 0] < after:
        closings[at, 0], closings[at, 1] = closing_tag(data, after, name)
    if closings[at, 0] == n:
        return SKIPPED, line_end(data, after)
    return (SKIPPED if actions[at] == DROP_CONTENT else RAW), closings[at, 1]


@njit(nogil=True, cache=True)
def structure(data, names, actions):  # type: ignore[no-untyped-def]
    """Return the kinds, beginnings and ends of all elements, in the order of their beginnings.

    An element that is never closed ends at OPEN.
    """
    n = len(data)
    # room for all that there can be: arrays that grow in the loop would make it ten times slower
    most = n // 2 + 1
    kinds, begins = np.empty(most, np.uint8), np.empty(most, np.int32)
    ends, stack = np.empty(most, np.int32), np.empty(most, np.int32)
    closings = np.full((len(names), 2), -1, np.int64)
    count = depth = templates = tables = 0
    outside = False  # inside a link to another site, [http://…]
    fresh = True  # at the beginning of a line
    i = 0
    while i < n:
        c = data[i]
        kind, width, end = 0, 1, OPEN
        if c == _LF:
            outside, fresh = False, True
            i += 1
            if i < n and (data[i] == _LF or data[i] == _EQUAL):
                while depth and kinds[stack[depth - 1]] == LINK:
                    depth -= 1
            continue
        if c == _LESS:
            kind, end = skipped_at(data, i, names, actions, closings)
            width = max(end - i, 1)
        elif c == _BEGIN:
            if is_at(data, i, _BEGIN, _BEGIN):
                kind = TEMPLATE
                width = 2
                is_first = i == 0 or data[i - 1] != _BEGIN
                if is_first and run_of(data, i) % 2:  # {{{ is a parameter: it comes first
                    width, end = 3, TRIPLE
            elif fresh and is_at(data, i, _BEGIN, _BAR):
                kind, width = TABLE, 2
        elif c == _OPEN:
            if is_at(data, i, _OPEN, _OPEN):
                kind, width = LINK, 2
            else:
                outside = True
        elif c == _CLOSE:
            pair = is_at(data, i, _CLOSE, _CLOSE)
            three = pair and i + 2 < n and data[i + 2] == _CLOSE
            if pair and not (three and outside) and depth and kinds[stack[depth - 1]] == LINK:
                depth -= 1
                ends[stack[depth]] = i + 2
                width = 2
            else:
                outside = False
        elif c == _END and templates and is_at(data, i, _END, _END):
            while kinds[stack[depth - 1]] != TEMPLATE:
                depth -= 1
                tables -= kinds[stack[depth]] == TABLE
            depth -= 1
            templates -= 1
            three = ends[stack[depth]] == TRIPLE and i + 2 < n and data[i + 2] == _END
            width = 3 if three else 2
            ends[stack[depth]] = i + width
        elif c == _BAR and fresh and tables and is_at(data, i, _BAR, _END):
            braces = run_of(data, i + 1)
            if braces != 2 or kinds[stack[depth - 1]] == TABLE:
                while kinds[stack[depth - 1]] != TABLE:
                    depth -= 1
                    templates -= kinds[stack[depth]] == TEMPLATE
                depth -= 1
                tables -= 1
                ends[stack[depth]] = i + 2
                width = 2
        if kind:
            kinds[count], begins[count], ends[count] = kind, i, end
            if end < 0:
                stack[depth] = count
                depth += 1
                templates += kind == TEMPLATE
                tables += kind == TABLE
            count += 1
        fresh = fresh and (c == _SPACE or c == _COLON or kind == SKIPPED)
        i += width
    return kinds[:count].copy(), begins[:count].copy(), np.maximum(ends[:count], OPEN)


@njit(nogil=True, cache=True)
def label_of(data, i, end, dropped):  # type: ignore[no-untyped-def]
    """Return where the text of the link at i begins, or where the link ends if it has none.

    `dropped` are the sorted hashes of namespaces whose links are not shown, such as files.
    """
    begin = i + 2
    mention = data[begin] == _COLON  # a link to a file or category, not the thing itself
    begin += mention
    last = min(begin + LONGEST_TITLE, end - 2)
    colon = bar = 0
    for k in range(begin, last):
        if data[k] == _COLON and not colon:
            colon = k
        if data[k] == _BAR:
            bar = k
            break
    if colon and not mention and (not bar or colon < bar):
        if found_in(dropped, dropped, name_hash(data, begin, colon)):
            return end
        small = True
        for k in range(begin, colon):
            small = small and (97 <= data[k] <= 122 or data[k] == _MINUS)
        if small and not bar and (colon - begin < 4 or data[begin + 2] == _MINUS):
            return end  # the same article in another language
    return bar + 1 if bar and bar + 1 < end - 2 else begin


@njit(nogil=True, cache=True)
def argument_bounds(data, begin, end, wanted):  # type: ignore[no-untyped-def]
    """Return where an argument of a short template begins and ends; 0 if it has none of that number."""
    number = depth = 0
    start = 0
    for k in range(begin, end):
        c = data[k]
        depth += (c == _BEGIN or c == _OPEN) - (c == _END or c == _CLOSE)
        if c == _EQUAL and number == wanted and not depth:
            return 0, 0  # it has a name: no text
        if c == _BAR and not depth:
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
    while bar < inner and bar - begin < LONGEST_NAME and data[bar] != _BAR:
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
            out[size], out[size + 1] = _LF, _LF
            size += 2
    elif size:
        before = out[size - 1]
        if before == _BRA:
            if c == _KET:  # nothing is left between brackets
                size -= 1
                if size and out[size - 1] == _SPACE:
                    size -= 1
                state[0], state[1] = size, 1
                return
            if state[3] and (c == _COMMA or c == _SEMI):
                return
        elif state[1] and before != _LF:
            closing = c == _COMMA or c == _STOP or c == _SEMI or c == _COLON or c == _KET
            if not (state[3] and closing):
                out[size] = _SPACE
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
        data, *elements, tags, tag_actions, templates, template_actions, dropped, out,
        np.zeros(4, np.int64),
        np.empty(len(elements[0]) + 1, np.int64),
        np.empty(len(elements[0]) + 1, np.int64),
    )
    return out[:size]


@njit(nogil=True, cache=True)
def write_text(  # type: ignore[no-untyped-def]
    data, kinds, begins, ends, tags, tag_actions, templates, template_actions, dropped,
    out, state, stops, resumes
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
        if i >= n or data[i] == _LF:
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
            if i < n and data[i] == _LF:
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
                while i < end and data[i] != _LESS:
                    if data[i] <= _SPACE:
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
            if c == _EQUAL and is_heading(data, i):
                state[2] = 1
                i = line_end(data, i)
                continue
            if (c == _BAR or c == _BANG) and not shown:  # a row of a table that has no beginning
                state[2] = 1
                i = line_end(data, i)
                continue
            if c == _STAR or c == _HASH or c == _COLON or c == _SEMI:
                while i < n and (data[i] in (_STAR, _HASH, _COLON, _SEMI)):
                    i += 1
                state[2] = 1
                item, own = state[0], False
                if is_at(data, i, _BEGIN, _BAR):
                    fresh = True
                continue
            if c == _MINUS and run_of(data, i) >= 4:
                state[2] = 1
                i += run_of(data, i)
                continue
            if c == _SPACE:
                fresh = True
        if c == _QUOTE and is_at(data, i, _QUOTE, _QUOTE):
            run = run_of(data, i)
            for _ in range(1 if run == 4 else max(run - 5, 0)):
                put(out, state, c)
            i += run
            continue
        if c == _LESS:
            begin, end, after = tag_at(data, i)
            if after:
                if found_in(tags, tag_actions, name_hash(data, begin, end)) == BREAK:
                    state[2] = 1
                i = after
                continue
        elif c == _OPEN and not outside:
            label = site_label(data, i)
            if label:
                outside = data[label - 1] != _CLOSE
                state[3] = 1
                i = label
                continue
        elif c == _CLOSE and outside:
            outside = False
            i += 1
            continue
        elif c == _LINE and is_at(data, i, _LINE, _LINE):
            end = magic_word(data, i)
            if end:
                i = end
                continue
        elif c == _AMP and is_space_entity(data, i):
            state[1] = 1
            i += 6
            continue
        elif c == 0xC2 and i + 1 < n and data[i + 1] == 0xA0:
            state[1] = 1
            i += 2
            continue
        if c <= _SPACE:
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
    while k < len(data) and data[k] != _LF:
        if data[k] == _EQUAL and k > begin and (run == 1 or is_at(data, k, _EQUAL, _EQUAL)):
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
    slashes = is_at(data, k, _SLASH, _SLASH) or (is_at(data, k, _COLON, _SLASH) and k > i + 1)
    mail = k - i == 7 and k < n and data[k] == _COLON
    if not slashes and not mail:
        return 0
    last = min(n, k + LONGEST_URL)
    while k < last and data[k] > _SPACE and data[k] != _CLOSE:
        k += 1
    return k + 1 if k < last and data[k] != _LF else 0


@njit(nogil=True, cache=True)
def magic_word(data, i):  # type: ignore[no-untyped-def]
    """Return where a word such as __NOTOC__ ends, or 0."""
    k = i + 2
    while k < len(data) and (65 <= data[k] <= 90 or data[k] >= 128):
        k += 1
    return k + 2 if k > i + 2 and is_at(data, k, _LINE, _LINE) else 0


@njit(nogil=True, cache=True)
def is_space_entity(data, i):  # type: ignore[no-untyped-def]
    """Say whether &nbsp; stands at a place."""
    if i + 5 >= len(data) or data[i + 1] != 110 or data[i + 2] != 98:
        return False
    return data[i + 3] == 115 and data[i + 4] == 112 and data[i + 5] == _SEMI
