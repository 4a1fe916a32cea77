"""What belongs together in wikitext: templates, tables, links, comments and the contents of tags.

Found in one pass over the bytes, nested in any way, without recursion; what is never closed stays open.

A function that makes no arrays has no part in counting who holds them (`_nrt=False`): done at each call,
that would take longer than the work itself.
"""

from typing import NamedTuple

import numpy as np

from neardup.arrays import Bytes, Hashes
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, STEP, mix

TEMPLATE, TABLE, LINK, SKIPPED, RAW = range(1, 6)
# What is done about a tag, by the hash of its name; any other tag is left away, its content stays.
DROP_CONTENT, KEEP_RAW, BREAK = range(1, 4)
OPEN, TRIPLE = -1, -2  # ends of what is not closed; of a parameter, {{{…}}}
LONGEST_TAG = 2000
# The columns of the elements: where one begins and ends, and what of it is shown does; the last is a
# stack of those that the place is in.
KIND, BEGIN, END, STOP, STACK = range(5)
# The state of the search: whether the place is at the beginning of a line, or in a link to another site,
# [http://…]; how many elements are found, how many are open, and from there on how many of each kind.
FRESH, OUTSIDE, COUNT, DEPTH = range(4)

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
IS_MARK = np.array([chr(c) in "\n<{[]}|" for c in range(256)], np.bool_)


class Names(NamedTuple):
    """Names as hashes, sorted, and what is done about each."""

    hashes: Hashes
    actions: Bytes


@kernel
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


@kernel(_nrt=False)
def is_letter(c):  # type: ignore[no-untyped-def]
    """Return whether a byte is an ASCII letter."""
    return 97 <= (c | 32) <= 122


@kernel(_nrt=False)
def action_of(names, name):  # type: ignore[no-untyped-def]
    """Return the action of a name, given as its hash; 0 if it is not there."""
    at = np.searchsorted(names.hashes, name)
    return names.actions[at] if at < len(names.hashes) and names.hashes[at] == name else 0


@kernel(_nrt=False)
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


@kernel(_nrt=False)
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


@kernel(_nrt=False)
def is_at(data, i, first, second):  # type: ignore[no-untyped-def]
    """Return whether two bytes stand at a place."""
    return i + 1 < len(data) and data[i] == first and data[i + 1] == second


@kernel(_nrt=False)
def run_of(data, i):  # type: ignore[no-untyped-def]
    """Return how often the byte at a place is repeated."""
    k = i
    while k < len(data) and data[k] == data[i]:
        k += 1
    return k - i


@kernel(_nrt=False)
def line_end(data, i):  # type: ignore[no-untyped-def]
    """Return where the line ends."""
    while i < len(data) and data[i] != C_LF:
        i += 1
    return i


@kernel(_nrt=False)
def paragraph_end(data, i):  # type: ignore[no-untyped-def]
    """Return where an empty line or a heading follows, from i on."""
    while i < len(data):
        if data[i] == C_LF and i + 1 < len(data) and (data[i + 1] == C_LF or data[i + 1] == C_EQUAL):
            return i
        i += 1
    return i


@kernel(_nrt=False)
def comment_end(data, i):  # type: ignore[no-untyped-def]
    """Return where the comment at `<` ends, 0 if there is none."""
    n = len(data)
    if not (is_at(data, i, C_LESS, C_BANG) and is_at(data, i + 2, C_MINUS, C_MINUS)):
        return 0
    for k in range(i + 4, n - 2):
        if is_at(data, k, C_MINUS, C_MINUS) and data[k + 2] == C_MORE:
            return k + 3
    return n


@kernel(_nrt=False)
def skipped_at(data, i, tags, closings):  # type: ignore[no-untyped-def]
    """Return the kind and end of a comment, or of a tag with its content, at `<`; 0 if there is none.

    `closings` remembers, for each name, the next closing tag: however often it is looked for, the text
    is searched once.
    """
    comment = comment_end(data, i)
    if comment:
        return SKIPPED, comment
    begin, end, after = tag_at(data, i)
    if not after or data[i + 1] == C_SLASH:
        return 0, 0
    name = name_hash(data, begin, end)
    action = action_of(tags, name)
    if action in (0, BREAK):
        return 0, 0
    if data[after - 2] == C_SLASH:
        return SKIPPED, after
    closing = closings[np.searchsorted(tags.hashes, name)]
    if closing[0] < after:
        closing[0], closing[1] = closing_tag(data, after, name)
    if closing[0] == len(data):
        return SKIPPED, line_end(data, after)
    return (SKIPPED if action == DROP_CONTENT else RAW), closing[1]


@kernel
def structure(data, tags):  # type: ignore[no-untyped-def]
    """Return all elements in the order of their beginnings; one that is never closed ends below 0."""
    # room for all that there can be: arrays that grow in the loop would make it ten times slower
    elements = np.empty((len(data) // 2 + 1, STACK + 1), np.int32)
    closings = np.full((len(tags.hashes), 2), -1, np.int64)
    state = np.zeros(DEPTH + RAW + 1, np.int64)
    find_elements(data, tags, closings, elements, state)
    return elements[: state[COUNT]]


@kernel(_nrt=False)
def find_elements(data, tags, closings, elements, state):  # type: ignore[no-untyped-def]
    """Find all elements, see `structure`."""
    state[FRESH] = 1
    i = 0
    while i < len(data):
        c = data[i]
        if not IS_MARK[c]:
            if state[FRESH]:
                state[FRESH] = c in (C_SPACE, C_COLON)
            i += 1
        elif c == C_LF:
            i = next_line(data, i, elements, state)
        else:
            if c == C_LESS:
                kind, end = skipped_at(data, i, tags, closings)
                width = end - i
            else:
                kind, end, width = opening(data, i, state)
            if kind:
                add(elements, state, kind, i, end)
            else:
                width = close(data, i, elements, state)
            state[FRESH] &= kind == SKIPPED
            i += width


@kernel(_nrt=False)
def next_line(data, i, elements, state):  # type: ignore[no-untyped-def]
    """Return where the next line begins; no link goes over an empty line or a heading."""
    state[OUTSIDE], state[FRESH] = 0, 1
    if is_at(data, i, C_LF, C_LF) or is_at(data, i, C_LF, C_EQUAL):
        while innermost(elements, state) == LINK:
            leave(elements, state)
    return i + 1


@kernel(_nrt=False)
def opening(data, i, state):  # type: ignore[no-untyped-def]
    """Return which kind of element begins at a place, 0 for none, its end and the width of the mark."""
    if is_at(data, i, C_BEGIN, C_BEGIN):
        is_first = i == 0 or data[i - 1] != C_BEGIN
        if is_first and run_of(data, i) % 2:  # {{{ is a parameter: it comes first
            return TEMPLATE, TRIPLE, 3
        return TEMPLATE, OPEN, 2
    if is_at(data, i, C_BEGIN, C_BAR) and state[FRESH]:
        return TABLE, OPEN, 2
    if is_at(data, i, C_OPEN, C_OPEN):
        return LINK, OPEN, 2
    return 0, OPEN, 1


@kernel(_nrt=False)
def add(elements, state, kind, begin, end):  # type: ignore[no-untyped-def]
    """Note that an element begins; it is open if its end is not known."""
    number = state[COUNT]
    elements[number, KIND], elements[number, BEGIN], elements[number, END] = kind, begin, end
    if end < 0:
        elements[state[DEPTH], STACK] = number
        state[DEPTH] += 1
        state[DEPTH + kind] += 1
    state[COUNT] += 1


@kernel(_nrt=False)
def innermost(elements, state):  # type: ignore[no-untyped-def]
    """Return the kind of the innermost element that is open, 0 if none is."""
    depth = state[DEPTH]
    return elements[elements[depth - 1, STACK], KIND] if depth else 0


@kernel(_nrt=False)
def leave(elements, state):  # type: ignore[no-untyped-def]
    """Leave the innermost element that is open; return its number."""
    state[DEPTH + innermost(elements, state)] -= 1
    state[DEPTH] -= 1
    return elements[state[DEPTH], STACK]


@kernel(_nrt=False)
def leave_kind(elements, state, kind):  # type: ignore[no-untyped-def]
    """Leave the innermost element of a kind, and all that are open in it; return its number."""
    while innermost(elements, state) != kind:
        leave(elements, state)
    return leave(elements, state)


@kernel(_nrt=False)
def close(data, i, elements, state):  # type: ignore[no-untyped-def]
    """Close the element that ends with the mark at a place, if one does; return the mark's width."""
    c = data[i]
    if c == C_OPEN:
        state[OUTSIDE] = 1
    elif c == C_CLOSE:
        if ends_link(data, i, state) and innermost(elements, state) == LINK:
            elements[leave(elements, state), END] = i + 2
            return 2
        state[OUTSIDE] = 0
    elif c == C_END and state[DEPTH + TEMPLATE] and is_at(data, i, C_END, C_END):
        number = leave_kind(elements, state, TEMPLATE)
        triple = elements[number, END] == TRIPLE and is_at(data, i + 1, C_END, C_END)
        elements[number, END] = i + (3 if triple else 2)
        return 3 if triple else 2
    elif c == C_BAR and ends_table(data, i, elements, state):
        elements[leave_kind(elements, state, TABLE), END] = i + 2
        return 2
    return 1


@kernel(_nrt=False)
def ends_link(data, i, state):  # type: ignore[no-untyped-def]
    """Return whether ]] stands at a place; the first of ]]] ends a link to another site."""
    pair = is_at(data, i, C_CLOSE, C_CLOSE)
    return pair and not (state[OUTSIDE] and is_at(data, i + 1, C_CLOSE, C_CLOSE))


@kernel(_nrt=False)
def ends_table(data, i, elements, state):  # type: ignore[no-untyped-def]
    """Return whether the |} at a place ends a table; that of |}} may belong to a template in it."""
    if not (state[FRESH] and state[DEPTH + TABLE] and is_at(data, i, C_BAR, C_END)):
        return False
    return run_of(data, i + 1) != 2 or innermost(elements, state) == TABLE


@kernel(_nrt=False)
def is_heading(data, i):  # type: ignore[no-untyped-def]
    """Return whether the line at i is a heading: there is = again behind its text."""
    run = run_of(data, i)
    k = begin = i + run
    while k < len(data) and data[k] != C_LF:
        if data[k] == C_EQUAL and k > begin and (run == 1 or is_at(data, k, C_EQUAL, C_EQUAL)):
            return True
        k += 1
    return False


@kernel(_nrt=False)
def magic_word(data, i):  # type: ignore[no-untyped-def]
    """Return where a word such as __NOTOC__ ends, or 0."""
    k = i + 2
    while k < len(data) and (65 <= data[k] <= 90 or data[k] >= 128):
        k += 1
    return k + 2 if k > i + 2 and is_at(data, k, C_LINE, C_LINE) else 0
