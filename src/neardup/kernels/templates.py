"""Whether sentences are the same frame, filled in for different subjects: lists, names, own articles."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.spellings import ARTICLE, FLAGS, FUNCTION, NAME, NUMBER, OTHER, OWNER, UPPER, VERB
from neardup.kernels.word_blocks import (
    AT_A,
    AT_B,
    BEGIN_A,
    BEGIN_B,
    END_A,
    END_B,
    KIND,
    is_exchange,
    side_of,
)

SUBJECT, LONGEST_SUBJECT = 3, 8  # words of a subject, without and with a known verb behind it
MANY_VALUES = 3
WIDE_VALUE = 4  # words: more than one value in a row


@kernel
def style_of(left, count, words):  # type: ignore[no-untyped-def]
    """Return a block of two names, if these are the only value that differs, or -1."""
    found = -1
    for block in range(count):
        row = left.rows[block]
        if not is_exchange(row) or row[KIND] == OTHER:
            continue
        if row[KIND] != NAME:
            return -1
        if found < 0:
            found = block
            continue
        same, turned = True, True
        for side in range(2):
            own = side_of(left, block, side)
            same = same and is_same_name(own, side_of(left, found, side), words)
            turned = turned and is_same_name(own, side_of(left, found, 1 - side), words)
        if not (same or turned):
            return -1
    return found


@kernel
def is_same_name(one, other, words):  # type: ignore[no-untyped-def]
    """Return whether two names are the same, without their articles and the letter of the owner."""
    i = j = 0
    while True:
        while i < len(one) and words.traits[one[i], FLAGS] & ARTICLE:
            i += 1
        while j < len(other) and words.traits[other[j], FLAGS] & ARTICLE:
            j += 1
        if i == len(one) or j == len(other):
            return i == len(one) and j == len(other)
        if words.traits[one[i], OWNER] != words.traits[other[j], OWNER]:
            return False
        i, j = i + 1, j + 1


@kernel
def is_own_subject(left, count, title_a, title_b, titles, words):  # type: ignore[no-untyped-def]
    """Return whether each side names what its article is about, and the other article is not."""
    if title_a < 0 or title_b < 0 or title_a == title_b:
        return False
    own_a = titles.parts[titles.bounds[title_a] : titles.bounds[title_a + 1]]
    own_b = titles.parts[titles.bounds[title_b] : titles.bounds[title_b + 1]]
    for block in range(count):
        if is_exchange(left.rows[block]):
            a, b = side_of(left, block, 0), side_of(left, block, 1)
            if names_one(a, own_a, own_b, words) and names_one(b, own_b, own_a, words):
                return True
    return False


@kernel
def names_one(side, own, others, words):  # type: ignore[no-untyped-def]
    """Return whether a part of a word is one of its own title's, and not of the other one's."""
    for word in side:
        for at in range(words.part_bounds[word], words.part_bounds[word + 1]):
            found = False
            for part in own:
                found = found or part == words.parts[at]
            for part in others:
                found = found and part != words.parts[at]
            if found:
                return True
    return False


@kernel
def is_template(pair, left, count, words):  # type: ignore[no-untyped-def]
    """Return whether two sentences are the same frame, filled in for different subjects."""
    values, names, numbers, wide, first = 0, 0, 0, False, np.int64(LONGEST_SUBJECT)
    for row in left.rows[:count]:
        first = min(first, row[AT_A])
        if is_exchange(row) and row[KIND] != OTHER:
            values += 1
            names += row[KIND] == NAME
            numbers += row[KIND] == NUMBER
            wide = wide or min(row[END_A] - row[BEGIN_A], row[END_B] - row[BEGIN_B]) >= WIDE_VALUE
    if count == 0 or (first >= LONGEST_SUBJECT and values < 2):
        return False
    head = min(subject_end(pair.a, words), subject_end(pair.b, words))
    for row in left.rows[:count]:
        if is_exchange(row):
            if is_subject(row, head, pair.a, words):
                return True
            if values >= 2 and row[KIND] != OTHER and is_numbered_subject(row, pair.a, words):
                return True
    return wide or names >= 2 or values >= MANY_VALUES or count == numbers >= 2


@kernel
def subject_end(side, words):  # type: ignore[no-untyped-def]
    """Return up to where the subject may be: the first verb that is known, or a few words."""
    for at in range(min(len(side), LONGEST_SUBJECT)):
        if words.traits[side[at], FLAGS] & VERB:
            return at
    return SUBJECT


@kernel
def is_name(word, place, words):  # type: ignore[no-untyped-def]
    """Return whether a word is a name: with a capital, and at the beginning no word of all sentences."""
    flags = words.traits[word, FLAGS]
    return flags & UPPER != 0 and not (place == 0 and flags & FUNCTION)


@kernel
def is_subject(row, head, side, words):  # type: ignore[no-untyped-def]
    """Return whether a name stands where subjects do; or its second word, as in Panthera leo."""
    if row[AT_A] >= head or row[AT_B] >= head:
        return False
    if row[KIND] != OTHER:
        return row[KIND] == NAME
    single = row[END_A] - row[BEGIN_A] == row[END_B] - row[BEGIN_B] == 1
    return single and row[AT_A] == row[AT_B] == 1 and head == 2 and is_name(side[0], 0, words)


@kernel
def is_numbered_subject(row, side, words):  # type: ignore[no-untyped-def]
    """Return whether a number is part of a subject: Psalm 12, the 47th season."""
    at = row[AT_A]
    if row[KIND] == NAME or at != row[AT_B] or not 1 <= at <= 2:
        return False
    before = side[at - 1]
    return is_name(before, at - 1, words) or (at == 1 and words.traits[before, FLAGS] & ARTICLE != 0)
