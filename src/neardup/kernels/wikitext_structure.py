"""What belongs together in wikitext: templates, tables, links, comments and the contents of tags.

Found in one pass over the bytes, nested in any way, without recursion; what is never closed stays open.
"""

import numpy as np
from numba import njit

from neardup.kernels.hashing import SEED, STEP, mix

TEMPLATE, TABLE, LINK, SKIPPED, RAW = range(1, 6)
# What is done about a tag, by the hash of its name; any other tag is left away, its content stays.
DROP_CONTENT, KEEP_RAW, BREAK = range(1, 4)
OPEN, TRIPLE = -1, -2  # ends of what is not closed; of a parameter, {{{…}}}
LONGEST_TAG = 2000

C_LF, C_SPACE, C_BANG, C_HASH, C_AMP, C_QUOTE, C_BRA, C_KET = 10, 32, 33, 35, 38, 39, 40, 41
C_STAR, C_COMMA, C_MINUS, C_STOP, C_SLASH, C_COLON, C_SEMI = 42, 44, 45, 46, 47, 58, 59
C_LESS, C_EQUAL, C_MORE, C_OPEN, C_CLOSE, C_LINE, C_BEGIN, C_BAR, C_END = (
    60,
    61,
    62,
    91,
    93,
    95,
    123,
    124,
    125,
)


@njit(nogil=True, cache=True)
def name_hash(data, begin, end):  # type: ignore[no-untyped-def]
    """Return the hash of a name: ASCII letters in lower case, no space around it, _ for a space."""
    while begin < end and (data[begin] == C_SPACE or data[begin] == C_LF or data[begin] == C_LINE):
        begin += 1
    while end > begin and (data[end - 1] == C_SPACE or data[end - 1] == C_LF or data[end - 1] == C_LINE):
        end -= 1
    state = SEED
    for i in range(begin, end):
        c = data[i]
        if 65 <= c <= 90:
            c += 32
        elif c == C_LINE:
            c = C_SPACE
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
    """Return where the name of the tag at `<` begins and ends, and the tag itself; 0 if it is none."""
    n = len(data)
    begin = i + 1
    if begin < n and data[begin] == C_SLASH:
        begin += 1
    if begin >= n or not is_letter(data[begin]):
        return 0, 0, 0
    end = begin
    while end < n and (is_letter(data[end]) or 48 <= data[end] <= 57 or data[end] == C_MINUS):
        end += 1
    for k in range(end, min(end + LONGEST_TAG, n)):
        if data[k] == C_MORE:
            return begin, end, k + 1
        if data[k] == C_LESS:
            break
    return 0, 0, 0


@njit(nogil=True, cache=True)
def closing_tag(data, i, name):  # type: ignore[no-untyped-def]
    """Return where the next closing tag of this name begins, from i on, and where it ends."""
    n = len(data)
    while i < n - 2:
        if data[i] == C_LESS and data[i + 1] == C_SLASH:
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
    while i < len(data) and data[i] != C_LF:
        i += 1
    return i


@njit(nogil=True, cache=True)
def paragraph_end(data, i):  # type: ignore[no-untyped-def]
    """Return where an empty line or a heading follows, from i on."""
    while i < len(data):
        if data[i] == C_LF and i + 1 < len(data) and (data[i + 1] == C_LF or data[i + 1] == C_EQUAL):
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
    if i + 3 < n and data[i + 1] == C_BANG and data[i + 2] == C_MINUS and data[i + 3] == C_MINUS:
        k = i + 4
        while k + 2 < n and not (
            data[k] == C_MINUS and data[k + 1] == C_MINUS and data[k + 2] == C_MORE
        ):
            k += 1
        return SKIPPED, (k + 3 if k + 2 < n else n)
    begin, end, after = tag_at(data, i)
    if not after or data[i + 1] == C_SLASH:
        return 0, 0
    name = name_hash(data, begin, end)
    at = np.searchsorted(names, name)
    if at == len(names) or names[at] != name or actions[at] == BREAK:
        return 0, 0
    if data[after - 2] == C_SLASH:
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
        if c == C_LF:
            outside, fresh = False, True
            i += 1
            if i < n and (data[i] == C_LF or data[i] == C_EQUAL):
                while depth and kinds[stack[depth - 1]] == LINK:
                    depth -= 1
            continue
        if c == C_LESS:
            kind, end = skipped_at(data, i, names, actions, closings)
            width = max(end - i, 1)
        elif c == C_BEGIN:
            if is_at(data, i, C_BEGIN, C_BEGIN):
                kind = TEMPLATE
                width = 2
                is_first = i == 0 or data[i - 1] != C_BEGIN
                if is_first and run_of(data, i) % 2:  # {{{ is a parameter: it comes first
                    width, end = 3, TRIPLE
            elif fresh and is_at(data, i, C_BEGIN, C_BAR):
                kind, width = TABLE, 2
        elif c == C_OPEN:
            if is_at(data, i, C_OPEN, C_OPEN):
                kind, width = LINK, 2
            else:
                outside = True
        elif c == C_CLOSE:
            pair = is_at(data, i, C_CLOSE, C_CLOSE)
            three = pair and i + 2 < n and data[i + 2] == C_CLOSE
            if pair and not (three and outside) and depth and kinds[stack[depth - 1]] == LINK:
                depth -= 1
                ends[stack[depth]] = i + 2
                width = 2
            else:
                outside = False
        elif c == C_END and templates and is_at(data, i, C_END, C_END):
            while kinds[stack[depth - 1]] != TEMPLATE:
                depth -= 1
                tables -= kinds[stack[depth]] == TABLE
            depth -= 1
            templates -= 1
            three = ends[stack[depth]] == TRIPLE and i + 2 < n and data[i + 2] == C_END
            width = 3 if three else 2
            ends[stack[depth]] = i + width
        elif c == C_BAR and fresh and tables and is_at(data, i, C_BAR, C_END):
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
        fresh = fresh and (c in (C_SPACE, C_COLON) or kind == SKIPPED)
        i += width
    return kinds[:count].copy(), begins[:count].copy(), np.maximum(ends[:count], OPEN)
