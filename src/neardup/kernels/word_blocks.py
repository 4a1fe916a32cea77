"""Where two sentences differ: their words aligned, and blocks of words that stand for each other.

Sentences are lists of numbers of words. A block is a row: where its words begin and end in one list and
in the other, where it begins in both sentences, and its type. What is left of the blocks of a pair, once
what says nothing is left out, is kept in a list of its own.
"""

from typing import Any, NamedTuple

import numpy as np

from neardup.kernels.arrays import room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.spellings import (
    CLAUSE,
    CROSS,
    DATE,
    ERA,
    FLAGS,
    FOLDED,
    LOUD,
    MARK,
    NAME,
    NUMBER,
    ORDER,
    OTHER,
    SOLO,
    SOLO_NUMBER,
    SPELT,
    TYPE,
)

MOST_CELLS = 1 << 22  # of the table of distances of two sentences: what is larger is not aligned here
NONE = -1
BEGIN_A, END_A, BEGIN_B, END_B, AT_A, AT_B, KIND = range(7)


@kernel
def alignments(left, right, tokens, bounds):  # type: ignore[no-untyped-def]
    """Return where the words of pairs differ: rows, where each pair's begin, and which are too large.

    What both sentences begin and end with is passed over first.
    """
    rows, ends, count = np.empty((len(left) + 1, 4), np.int64), np.zeros(len(left) + 1, np.int64), 0
    large = np.zeros(len(left), np.bool_)
    table = np.empty(1 << 10, np.int32)
    for pair in range(len(left)):
        a = tokens[bounds[left[pair]] : bounds[left[pair] + 1]]
        b = tokens[bounds[right[pair]] : bounds[right[pair] + 1]]
        first, last, least = 0, 0, min(len(a), len(b))
        while first < least and a[first] == b[first]:
            first += 1
        while last < least - first and a[len(a) - 1 - last] == b[len(b) - 1 - last]:
            last += 1
        a, b = a[first : len(a) - last], b[first : len(b) - last]
        if count + min(len(a), len(b)) + 1 > len(rows):
            longer = np.empty((len(rows) * 3 // 2 + min(len(a), len(b)) + 1, 4), np.int64)
            for i in range(count):
                for k in range(4):
                    longer[i, k] = rows[i, k]
            rows = longer
        large[pair] = len(a) * len(b) > MOST_CELLS
        if len(a) == len(b) == 1 or min(len(a), len(b)) == 0:
            added = write_span(0, len(a), 0, len(b), rows[count:], 0)
        elif large[pair]:
            added = 0
        else:
            table = room_for(table, 0, (len(a) + 1) * (len(b) + 1))
            added = write_spans(a, b, table, rows[count:])
        for i in range(count, count + added):
            for k in range(4):
                rows[i, k] += first
        count += added
        ends[pair + 1] = count
    return rows[:count], ends, large


@kernel
def write_span(i, j, k, m, rows, count):  # type: ignore[no-untyped-def]
    """Write where words differ, if there are any; return how many rows there are now."""
    if i == j and k == m:
        return count
    rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = i, j, k, m
    return count + 1


@kernel
def write_spans(a, b, table, rows):  # type: ignore[no-untyped-def]
    """Write where two lists differ by the fewest words, the first ones first; return in how many places.

    Of the ways through the table of distances that are as short, the one that RapidFuzz takes.
    """
    width = len(b) + 1
    for j in range(width):
        table[j] = j
    for i in range(len(a)):
        own, before = (i + 1) * width, i * width
        table[own] = i + 1
        for j in range(len(b)):
            if a[i] == b[j]:
                table[own + j + 1] = table[before + j]
            else:
                table[own + j + 1] = 1 + min(table[before + j], table[before + j + 1], table[own + j])
    count, i, j, end_i, end_j = 0, len(a), len(b), len(a), len(b)
    while i and j:
        if table[i * width + j] == table[(i - 1) * width + j] + 1:
            i -= 1
            continue
        j -= 1
        if j and table[i * width + j] == table[(i - 1) * width + j] - 1:
            continue
        i -= 1
        if a[i] == b[j]:
            count = write_span(i + 1, end_i, j + 1, end_j, rows, count)
            end_i, end_j = i, j
    count = write_span(0, end_i, 0, end_j, rows, count)
    for first in range(count // 2):
        for k in range(4):
            other = count - 1 - first
            rows[first, k], rows[other, k] = rows[other, k], rows[first, k]
    return count


@kernel
def type_of(side, a, begin, end, words):  # type: ignore[no-untyped-def]
    """Return the type of some words; what is near is before and behind a block of the first sentence."""
    typed, numbers, spelt, names, loud = 0, 0, 0, 0, True
    for word in side:
        kind = words.traits[word, TYPE]
        loud = loud and words.traits[word, FLAGS] & LOUD != 0
        typed += kind != MARK
        numbers += kind == NUMBER
        spelt += kind == SPELT
        names += kind == NAME
        if kind == DATE:
            return DATE
    if typed == 0:
        return NONE
    near = 0
    for i in range(max(begin - 1, 0), min(end + 2, len(a))):
        if i < begin or i >= end:
            near |= words.traits[a[i], FLAGS]
    if numbers or (spelt and 2 * spelt >= typed):
        return DATE if near & ERA else NUMBER
    if loud and near & LOUD:
        return OTHER  # capitals all around tell no names
    return NAME if names and 2 * names >= typed else OTHER


@kernel
def type_of_block(a, b, span, shouts, words):  # type: ignore[no-untyped-def]
    """Return the type of a block; `shouts` are sentences whose capitals tell no names."""
    i, j, k, m = span
    own, other = type_of(a[i:j], a, i, j, words), type_of(b[k:m], a, i, j, words)
    if own == other == NONE:
        return MARK
    kind = max(own, other)
    if min(own, other) != NONE and own != other:
        if min(own, other) <= NAME:
            return OTHER  # a value for none: he for a name
        kind = DATE if names_time(a[i:j], words) or names_time(b[k:m], words) else NUMBER
    if kind == NAME and shouts:
        return OTHER
    if kind == NUMBER and is_cross_reference(a, i, j, words) and is_cross_reference(b, k, m, words):
        return MARK
    return kind


@kernel
def names_time(side, words):  # type: ignore[no-untyped-def]
    """Return whether there is a month, a day or a sign of dates: without, 2000 may be any number."""
    flags = 0
    for word in side:
        flags |= words.traits[word, FLAGS]
    return flags & ERA != 0


@kernel
def is_cross_reference(side, begin, end, words):  # type: ignore[no-untyped-def]
    """Return whether a number names a part of the text itself: Section 3, 第四条."""
    flags = words.traits[:, FLAGS]
    if end < len(side) and flags[side[max(end - 1, begin)]] & SOLO:
        while begin and flags[side[begin - 1]] & SOLO_NUMBER:
            begin -= 1
        while end < len(side) - 1 and flags[side[end]] & SOLO_NUMBER:
            end += 1
        return begin > 0 and flags[side[begin - 1]] & ORDER != 0 and flags[side[end]] & CLAUSE != 0
    return begin > 0 and flags[side[begin - 1]] & CROSS != 0


class Left(NamedTuple):
    """What is left of the blocks of a pair: words of both sides, and rows of where these stand."""

    a: Any
    b: Any
    rows: Any


@kernel
def side_of(left, block, side):  # type: ignore[no-untyped-def]
    """Return the words that are left of a block, of one sentence or the other."""
    row = left.rows[block]
    return left.b[row[BEGIN_B] : row[END_B]] if side else left.a[row[BEGIN_A] : row[END_A]]


@kernel
def is_exchange(row):  # type: ignore[no-untyped-def]
    """Return whether something stands on both sides of what is left of a block."""
    return row[END_A] > row[BEGIN_A] and row[END_B] > row[BEGIN_B]


@kernel
def leave_out_marks(spans, types, a, b, words, left):  # type: ignore[no-untyped-def]
    """Keep of each block what does not only number something."""
    held_a, held_b, rows = left
    count, at_a, at_b = 0, 0, 0
    for block in range(len(spans)):
        i, j, k, m = spans[block]
        if types[block] == MARK:
            continue
        row = rows[count]
        row[BEGIN_A], row[BEGIN_B] = at_a, at_b
        for word in a[i:j]:
            if words.traits[word, TYPE] != MARK:
                held_a[at_a] = word
                at_a += 1
        for word in b[k:m]:
            if words.traits[word, TYPE] != MARK:
                held_b[at_b] = word
                at_b += 1
        row[END_A], row[END_B], row[AT_A], row[AT_B], row[KIND] = at_a, at_b, i, k, types[block]
        count += at_a > row[BEGIN_A] or at_b > row[BEGIN_B]
    return count


@kernel
def leave_out_moved(count, words, left, spare):  # type: ignore[no-untyped-def]
    """Keep of each block what does not only stand in another place; `spare` is all 0."""
    held_a, held_b, rows = left
    spare_a, spare_b = spare[0], spare[1]
    if count == 0 or (count == 1 and rows[0, END_A] + rows[0, END_B] <= 2):
        return count
    all_a, all_b = held_a[: rows[count - 1, END_A]], held_b[: rows[count - 1, END_B]]
    folded = words.traits[:, FOLDED]
    for word in all_a:
        spare_a[folded[word]] += 1
    for word in all_b:
        spare_b[folded[word]] += 1
    for word in all_a:
        text = folded[word]
        spare_a[text] = spare_b[text] = min(spare_a[text], spare_b[text])
    for word in all_b:
        text = folded[word]
        spare_a[text] = spare_b[text] = min(spare_a[text], spare_b[text])
    kept, at_a, at_b = 0, 0, 0
    for block in range(count):
        begin_a, begin_b = at_a, at_b
        at_a = write_rest(held_a, rows[block, BEGIN_A], rows[block, END_A], at_a, folded, spare_a)
        at_b = write_rest(held_b, rows[block, BEGIN_B], rows[block, END_B], at_b, folded, spare_b)
        row = rows[kept]
        row[AT_A], row[AT_B], row[KIND] = rows[block, AT_A], rows[block, AT_B], rows[block, KIND]
        row[BEGIN_A], row[END_A], row[BEGIN_B], row[END_B] = begin_a, at_a, begin_b, at_b
        kept += at_a > begin_a or at_b > begin_b
    return kept


@kernel
def write_rest(held, begin, end, at, folded, spare):  # type: ignore[no-untyped-def]
    """Move the words that are not among the spare ones to a place before them; these are used up."""
    for i in range(begin, end):
        word = held[i]
        if spare[folded[word]] > 0:
            spare[folded[word]] -= 1
        else:
            held[at] = word
            at += 1
    return at
