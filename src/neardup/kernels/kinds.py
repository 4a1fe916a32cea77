"""Kinds of change of pairs of sentences: what `methods/sentences/kinds` tells, on numbers of words."""

from typing import Any, NamedTuple

import numpy as np

from neardup.kernels.arrays import longest, room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.spellings import (
    ARTICLE,
    DATE,
    DENIES,
    DIGIT_FIRST,
    DIGITS,
    FLAGS,
    FOLDED,
    FUNCTION,
    LOUD,
    MARK,
    NAME,
    NUMBER,
    OPPOSITE,
    ORDINAL,
    OTHER,
    OWNER,
    PAGE,
    PLAIN,
    SOLO,
    TYPE,
    is_a_letter_off,
    is_equal,
    is_misspelt,
    is_same_text,
    is_undone,
    text_of,
    write_joined,
)
from neardup.kernels.templates import is_own_subject, is_template, style_of
from neardup.kernels.word_blocks import (
    AT_A,
    AT_B,
    BEGIN_A,
    BEGIN_B,
    END_A,
    END_B,
    KIND,
    Left,
    is_exchange,
    leave_out_marks,
    leave_out_moved,
    side_of,
    type_of_block,
)

IDENTICAL, COPY_EDIT, DRIFT, TEMPLATE, REFERENCE, NO_KIND, VERSIONED = range(7)
CITES, HARDLY, DRAWN, LEADS, SHOUTS = range(5)  # columns of what is known of sentences

UNLIKE = 0.45  # of the words differ: not the same sentence any more
ALIKE, LIKE = 0.3, 0.6  # of the words around both are the same: about the same thing, perhaps; surely
ROWS = 20  # sentences apart, in which lists have their rows
FAR, LONG = 100, 12  # sentences apart, and words of one: what is said so again was reworded
CLEAR, NARROW = 15, 3  # words of a sentence that says by itself what it is about, and of what differs
MOST_ADDED = 8  # characters that a number has more in digits than in letters


class Sentences(NamedTuple):
    """Sentences as numbers of words, that begin and end at bounds, and what is known of each."""

    tokens: Any
    bounds: Any
    traits: Any  # int64, a row a sentence


class Titles(NamedTuple):
    """The folded parts of the words of titles, that begin and end at bounds."""

    parts: Any
    bounds: Any


class Pairs(NamedTuple):
    """Two sentences each: the names of their documents, where they stand, and where they differ."""

    left: Any
    right: Any
    title_a: Any  # the number of a title, -1 if there is none
    title_b: Any
    apart: Any
    alike: Any
    cited: Any
    titled: Any  # whether both names are titles, not ids
    spans: Any
    bounds: Any


class Pair(NamedTuple):
    """One of the pairs: the words of both, where they differ and by which types."""

    a: Any
    b: Any
    spans: Any
    types: Any


class Room(NamedTuple):
    """Room for joined texts, and for how often which word may be left out."""

    texts: Any
    spare: Any


@kernel
def judged(pairs, sentences, titles, words):  # type: ignore[no-untyped-def]
    """Return the kind of each pair, how sure it is, and whether other words may fill its frame.

    And the type of each block, and the names of pairs that nothing but these makes drift: a pair, a side
    and a text at a time; -1 for articles.
    """
    count = len(pairs.left)
    kinds, sure, framed = np.zeros(count, np.int8), np.ones(count), np.zeros(count, np.bool_)
    types = np.empty(len(pairs.spans), np.int8)
    names, named = np.empty(48, np.int64), 0
    left, room = rooms(sentences, words)
    for number in range(count):
        x, y = pairs.left[number], pairs.right[number]
        if x == y:
            continue
        a = sentences.tokens[sentences.bounds[x] : sentences.bounds[x + 1]]
        b = sentences.tokens[sentences.bounds[y] : sentences.bounds[y + 1]]
        own = slice(pairs.bounds[number], pairs.bounds[number + 1])
        pair = Pair(a, b, pairs.spans[own], types[own])
        shouts = (sentences.traits[x, SHOUTS] | sentences.traits[y, SHOUTS]) != 0
        for block in range(len(pair.spans)):
            pair.types[block] = type_of_block(a, b, pair.spans[block], shouts, words)
        kind, confidence, frame, style = verdict(
            number, pair, pairs, sentences.traits[x], sentences.traits[y], titles, words, left, room
        )
        kinds[number], sure[number], framed[number] = kind, confidence, frame
        if style >= 0:
            names = room_for(names, named, 3 * (len(a) + len(b)))
            for side in range(2):
                for word in side_of(left, style, side):
                    article = words.traits[word, FLAGS] & ARTICLE
                    names[named], names[named + 1] = number, side
                    names[named + 2] = -1 if article else words.traits[word, OWNER]
                    named += 3
    return kinds, sure, framed, types, names[:named]


@kernel
def rooms(sentences, words):  # type: ignore[no-untyped-def]
    """Return room for what is left of the blocks of a pair, and for the texts of its words."""
    size = longest(sentences.bounds) + 1
    letters = 0
    for sentence in range(len(sentences.bounds) - 1):
        own = 0
        for at in range(sentences.bounds[sentence], sentences.bounds[sentence + 1]):
            text = words.traits[sentences.tokens[at], FOLDED]
            own += words.bounds[text + 1] - words.bounds[text]
        letters = max(letters, own)
    sides = np.empty((2, size), np.int32)
    left = Left(sides[0], sides[1], np.empty((size, 7), np.int64))
    texts, spare = (
        np.empty((3, letters + MOST_ADDED), np.int32),
        np.zeros((2, len(words.bounds)), np.int32),
    )
    return left, Room(texts, spare)


@kernel
def verdict(number, pair, pairs, one, other, titles, words, left, room):  # type: ignore[no-untyped-def]
    """Return the first kind whose rule fits, how sure it is, if it is framed, and a block of names.

    What is VERSIONED is drift between versions of one text, and else a template.
    """
    apart, alike = pairs.apart[number], pairs.alike[number]
    if pairs.cited[number] or (
        min(one[CITES], other[CITES]) >= 1 and max(one[CITES], other[CITES]) >= 2
    ):
        return REFERENCE, 0.9, False, -1
    if one[LEADS] and other[LEADS]:
        return TEMPLATE, 0.9, False, -1
    if one[HARDLY] or other[HARDLY]:
        drawn = one[DRAWN] or other[DRAWN]
        row = not drawn and (apart >= 0 or differing_share(pair) < UNLIKE)
        return TEMPLATE if row else NO_KIND, 0.7, False, -1
    garbled = is_garbled(pair, words, room.texts)
    count = leave_out(pair, garbled, alike >= 0, words, left, room)
    total = len(pair.a) + len(pair.b)
    if not garbled and is_unlike(left, count, total):
        return (TEMPLATE, 0.7, False, -1) if apart >= 0 else (NO_KIND, 0.6, False, -1)
    style = style_of(left, count, words)
    if is_own_subject(left, count, pairs.title_a[number], pairs.title_b[number], titles, words):
        return TEMPLATE, 0.8, style >= 0, style
    values = 0
    for row in left.rows[:count]:
        values += is_exchange(row) and row[KIND] != OTHER
    form = is_template(pair, left, count, words)
    if form and (apart >= 0 or alike < LIKE or values == 0):
        return TEMPLATE, 0.8, style >= 0, style
    if 0 <= apart < ROWS and has_another(pair, words, room.texts):
        return TEMPLATE, 0.8, False, -1
    contrary = not garbled and is_contrary(left, count, words)
    qualified = not garbled and is_qualified(pair, left, count, words, one[SHOUTS], other[SHOUTS])
    content = not garbled and has_exchanged_content(left, count, words)
    framed = content or has_inner_mark(pair)
    drifted = values > 0 or contrary or qualified
    if apart >= 0:
        far = apart >= FAR and total >= 2 * LONG
        if drifted or turns_page(pair, words) or (content and not far):
            return TEMPLATE, 0.9, False, -1
        return COPY_EDIT, 0.8, framed, -1
    if not drifted:
        return COPY_EDIT, 0.8 if content else 0.95, framed, -1
    known = is_clear(pair, left, count) or (
        values > 0
        and pairs.titled[number]
        and is_about_same(pairs.title_a[number], pairs.title_b[number], titles)
    )
    strange = 0 <= alike < LIKE and not known
    if strange and not (values or qualified):
        return COPY_EDIT, 0.7, framed, -1
    if strange and alike < ALIKE:
        return TEMPLATE, 0.7, framed, -1
    if contrary or qualified:
        style = -1
    only = 1.0 if style < 0 else 0.9
    sure = (0.6 if alike < 0 else max(alike, ALIKE)) * only * (1.0 if values else 0.8)
    return VERSIONED if form or strange else DRIFT, sure, True, style


@kernel
def differing_share(pair):  # type: ignore[no-untyped-def]
    """Return which share of the words of both sentences differs."""
    differing = 0
    for i, j, k, m in pair.spans:
        differing += j - i + m - k
    return differing / (len(pair.a) + len(pair.b))


@kernel
def is_clear(pair, left, count):  # type: ignore[no-untyped-def]
    """Return whether two long sentences are the same but for one number or date inside of them."""
    if count != 1 or len(pair.spans) != 1 or min(len(pair.a), len(pair.b)) < CLEAR:
        return False
    row = left.rows[0]
    if not is_exchange(row) or (row[KIND] != NUMBER and row[KIND] != DATE):
        return False
    widest = max(row[END_A] - row[BEGIN_A], row[END_B] - row[BEGIN_B])
    return widest <= NARROW and min(row[AT_A], row[AT_B]) > 0


@kernel
def is_about_same(title_a, title_b, titles):  # type: ignore[no-untyped-def]
    """Return whether all words of one title are in the other one: Angola, and Politics of Angola."""
    if title_a < 0 or title_b < 0:
        return False
    a = titles.parts[titles.bounds[title_a] : titles.bounds[title_a + 1]]
    b = titles.parts[titles.bounds[title_b] : titles.bounds[title_b + 1]]
    if len(a) > len(b):
        a, b = b, a
    for part in a:
        found = False
        for other in b:
            found = found or part == other
        if not found:
            return False
    return len(a) > 0


@kernel
def is_garbled(pair, words, texts):  # type: ignore[no-untyped-def]
    """Return whether several words are misspelt or torn apart, as where print was recognised badly."""
    if len(pair.spans) < 2:
        return False
    wrong = 0
    for block in range(len(pair.spans)):
        i, j, k, m = pair.spans[block]
        if i < j and k < m and pair.types[block] != MARK:
            one = texts[0, : write_joined(pair.a[i:j], words, texts[0])]
            other = texts[1, : write_joined(pair.b[k:m], words, texts[1])]
            torn = j - i != m - k and is_equal(one, other)
            wrong += torn or is_misspelt(one, other, texts[2])
    return wrong >= 2 or (wrong == 1 and len(pair.spans) > 2)


@kernel
def leave_out(pair, garbled, known, words, left, room):  # type: ignore[no-untyped-def]
    """Keep of the blocks what differs indeed; values that may be none become other words."""
    count = leave_out_marks(pair.spans, pair.types, pair.a, pair.b, words, left)
    count = leave_out_moved(count, words, left, room.spare)
    kept = 0
    for block in range(count):
        row = left.rows[block]
        a, b = side_of(left, block, 0), side_of(left, block, 1)
        if is_exchange(row):
            if is_same_text(a, b, row[KIND] == NAME, words, room.texts):
                continue
            if is_doubtful(row, a, b, garbled, known, words):
                row[KIND] = OTHER
        for column in range(len(row)):
            left.rows[kept, column] = row[column]
        kept += 1
    return kept


@kernel
def is_doubtful(row, a, b, garbled, known, words):  # type: ignore[no-untyped-def]
    """Return whether what looks like another value may be none.

    Where much is garbled, all may be but numbers of as many digits on both sides. A first word has a
    capital anyway: if more is known of the corpus, that says whether it is a subject.
    """
    traits = words.traits
    if not garbled:
        if not known or row[AT_A] or row[AT_B] or len(a) != 1 or len(b) != 1:
            return False
        return traits[a[0], FLAGS] & traits[b[0], FLAGS] & PLAIN != 0
    digits = 0
    for word in a:
        digits += traits[word, DIGITS]
        if not traits[word, FLAGS] & DIGIT_FIRST:
            return True
    for word in b:
        digits -= traits[word, DIGITS]
        if not traits[word, FLAGS] & DIGIT_FIRST:
            return True
    return row[KIND] == NAME or digits != 0


@kernel
def is_unlike(left, count, total):  # type: ignore[no-untyped-def]
    """Return whether too many of the words were exchanged."""
    exchanged = 0
    for row in left.rows[:count]:
        if row[KIND] == OTHER and is_exchange(row):
            exchanged += row[END_A] - row[BEGIN_A] + row[END_B] - row[BEGIN_B]
    return exchanged >= UNLIKE * total


@kernel
def has_content(side, words):  # type: ignore[no-untyped-def]
    """Return whether there is more than words such as articles and prepositions."""
    at = 0
    while at < len(side) and words.traits[side[at], FLAGS] & FUNCTION:
        at += 1
    return at < len(side)


@kernel
def has_exchanged_content(left, count, words):  # type: ignore[no-untyped-def]
    """Return whether more was exchanged than words such as articles and prepositions."""
    for block in range(count):
        if has_content(side_of(left, block, 0), words) and has_content(side_of(left, block, 1), words):
            return True
    return False


@kernel
def has_another(pair, words, texts):  # type: ignore[no-untyped-def]
    """Return whether words differ by more than a letter: in a list, these are other things."""
    for block in range(len(pair.spans)):
        i, j, k, m = pair.spans[block]
        a, b = pair.a[i:j], pair.b[k:m]
        if i == j or k == m:
            if has_content(a, words) or has_content(b, words):
                return True
        elif has_content(a, words) and has_content(b, words):
            one = texts[0, : write_joined(a, words, texts[0])]
            if not is_a_letter_off(one, texts[1, : write_joined(b, words, texts[1])]):
                return True
    return False


@kernel
def has_inner_mark(pair):  # type: ignore[no-untyped-def]
    """Return whether a mark behind the first word was exchanged."""
    for block in range(len(pair.spans)):
        i, j, k, m = pair.spans[block]
        if pair.types[block] == MARK and 0 < i < j and k < m:
            return True
    return False


@kernel
def turns_page(pair, words):  # type: ignore[no-untyped-def]
    """Return whether a page number differs: heads of pages."""
    for block in range(len(pair.spans)):
        at = pair.spans[block, 0]
        if pair.types[block] == MARK and at and words.traits[pair.a[at - 1], FLAGS] & PAGE:
            return True
    return False


@kernel
def is_qualified(pair, left, count, words, shouts_a, shouts_b):  # type: ignore[no-untyped-def]
    """Return whether a name has more words in one sentence: the [Lesser] General Public License."""
    for block in range(count):
        row = left.rows[block]
        if row[KIND] != NAME or is_exchange(row):
            continue
        side = 0 if row[END_A] > row[BEGIN_A] else 1
        added, at = side_of(left, block, side), row[AT_B] if side else row[AT_A]
        around, shouts = (pair.b, shouts_b) if side else (pair.a, shouts_a)
        end = at + len(added)
        for word in added:
            shouts |= words.traits[word, FLAGS] & LOUD
        if shouts or at <= 1 or end >= len(around):
            continue
        if words.traits[around[at - 1], TYPE] == words.traits[around[end], TYPE] == NAME:
            return True
    return False


@kernel
def is_contrary(left, count, words):  # type: ignore[no-untyped-def]
    """Return whether a negation was added or dropped, or a word exchanged for its opposite.

    Where there are no spaces, a negation may be part of a word.
    """
    denies, spaced = np.zeros(2, np.int64), True
    for block in range(count):
        solo = SOLO if is_exchange(left.rows[block]) else 0
        for side in range(2):
            for word in side_of(left, block, side):
                denies[side] |= words.traits[word, FLAGS] & DENIES
                solo &= words.traits[word, FLAGS]
        spaced = spaced and not solo
    if denies[0] != denies[1] and spaced:
        return True
    for block in range(count):
        if is_opposite(side_of(left, block, 0), side_of(left, block, 1), words):
            return True
    return False


@kernel
def is_opposite(a, b, words):  # type: ignore[no-untyped-def]
    """Return whether a word was exchanged for its opposite, or an ordinal number added."""
    if len(a) == 0 or len(b) == 0:
        added = a if len(a) else b
        return len(added) == 1 and words.traits[added[0], FLAGS] & ORDINAL != 0
    for x in a:
        for y in b:
            one, other = words.traits[x, OPPOSITE], words.traits[y, OPPOSITE]
            if one >= 0 and other >= 0 and words.opposites[one, other]:
                return True
            if is_undone(text_of(x, words), text_of(y, words)):
                return True
    return False
