"""Whether words are the same in another spelling: the slow parts of the kinds of change of sentences.

A word is a number; what is known of it by itself is in a table, and so is its folded text, as characters
with what they are (`DIGIT`, `DECIMAL`, `LETTER`) in bits above the highest one of Unicode.
"""

from typing import Any, NamedTuple

from neardup.kernels.compiled import kernel

DIGIT, DECIMAL, LETTER = 1 << 24, 1 << 25, 1 << 26
COMMA, POINT = ord(","), ord(".")
UN = ord("u") | LETTER, ord("n") | LETTER

# Columns of what is known of words; those from FOLDED to OWNER are numbers of texts.
FLAGS, TYPE, OPPOSITE, DIGITS, FOLDED, NUMBER_TEXT, SHORT, OWNER = range(8)
# Flags: of the word as it is written,
LOUD, PLAIN, UPPER, ERA, SOLO, SOLO_NUMBER, CLAUSE, ORDER, DIGIT_FIRST, VERB = (
    1 << k for k in range(10)
)
# and of the folded word.
FUNCTION, ARTICLE, DENIES, MONTH, CROSS, PAGE, SPELT_NUMBER, ORDINAL, DIGITAL = (
    1 << k for k in range(10, 19)
)
OTHER, NAME, NUMBER, DATE, MARK, SPELT = range(6)  # types of words, and of blocks but for the last

SPELLING = 0.34  # of a word's letters may differ if it is another spelling of it
NAME_SPELLING = 0.25
CUT = 3  # letters, at most, of a name that is cut short: St. for Street


class Words(NamedTuple):
    """What is known of words: their traits, and texts as characters; lists begin and end at bounds."""

    traits: Any  # int64, a row a word
    codes: Any
    bounds: Any
    parts: Any  # the folded texts between the hyphens of each word
    part_bounds: Any
    opposites: Any  # whether the words of two rows are opposites
    numbers: Any  # the texts of numbers in letters, and those of the same in digits


@kernel
def write_joined(side, words, out):  # type: ignore[no-untyped-def]
    """Write the folded words of a side end to end; return how many characters these are."""
    size = 0
    for word in side:
        for code in text_of(word, words):
            out[size] = code
            size += 1
    return size


@kernel
def text_of(word, words):  # type: ignore[no-untyped-def]
    """Return the folded text of a word."""
    text = words.traits[word, FOLDED]
    return words.codes[words.bounds[text] : words.bounds[text + 1]]


@kernel
def is_equal(one, other):  # type: ignore[no-untyped-def]
    """Return whether two texts are the same."""
    if len(one) != len(other):
        return False
    at = 0
    while at < len(one) and one[at] == other[at]:
        at += 1
    return at == len(one)


@kernel
def distance(one, other, row):  # type: ignore[no-untyped-def]
    """Return the edit distance of two texts; `row` has more cells than the other one has characters."""
    for j in range(len(other) + 1):
        row[j] = j
    for i in range(len(one)):
        before = row[0]
        row[0] = i + 1
        for j in range(len(other)):
            above = row[j + 1]
            cost = before if one[i] == other[j] else min(before, above, row[j]) + 1
            before = above
            row[j + 1] = cost
    return row[len(other)]


@kernel
def is_within(one, other, limit, row):  # type: ignore[no-untyped-def]
    """Return whether the edit distance of two texts is at most this share of the longer one."""
    longer = max(len(one), len(other))
    if abs(len(one) - len(other)) / longer > limit:
        return False
    return distance(one, other, row) / longer <= limit


@kernel
def has_same_digits(one, other):  # type: ignore[no-untyped-def]
    """Return whether two texts have the same digits in the same order."""
    j = 0
    for code in one:
        if code & DIGIT:
            while j < len(other) and not other[j] & DIGIT:
                j += 1
            if j == len(other) or other[j] != code:
                return False
            j += 1
    while j < len(other) and not other[j] & DIGIT:
        j += 1
    return j == len(other)


@kernel
def is_respelt(one, other, name, row):  # type: ignore[no-untyped-def]
    """Return whether several words, end to end, are others in another spelling, as in OCR."""
    if min(len(one), len(other)) < 5 or not has_same_digits(one, other):
        return False
    return is_within(one, other, NAME_SPELLING if name else SPELLING, row)


@kernel
def has_letters_only(text):  # type: ignore[no-untyped-def]
    """Return whether a text has letters, and nothing else."""
    for code in text:
        if not code & LETTER:
            return False
    return len(text) > 0


@kernel
def is_misspelt(one, other, row):  # type: ignore[no-untyped-def]
    """Return whether a letter within a folded word is wrong: no other ending, no other word."""
    least = min(len(one), len(other))
    if least < 4 or abs(len(one) - len(other)) > 2 or is_equal(one, other):
        return False
    if not (has_letters_only(one) or has_letters_only(other)):
        return False
    alike = 0
    while alike < least and one[alike] == other[alike]:
        alike += 1
    if least == 4:
        return len(one) == len(other) and is_equal(one[alike + 1 :], other[alike + 1 :])
    last = one[len(one) - 1] == other[len(other) - 1]
    return (alike < least - 2 or last) and is_respelt(one, other, False, row)


@kernel
def is_a_letter_off(one, other):  # type: ignore[no-untyped-def]
    """Return whether two texts differ by at most one letter, or by two that have changed places."""
    first, last, least = 0, 0, min(len(one), len(other))
    while first < least and one[first] == other[first]:
        first += 1
    while last < least - first and one[len(one) - 1 - last] == other[len(other) - 1 - last]:
        last += 1
    more, most = len(one) - first - last, len(other) - first - last
    if more == most == 2:
        return one[first] == other[first + 1] and one[first + 1] == other[first]
    return max(more, most) <= 1


@kernel
def is_undone(one, other):  # type: ignore[no-untyped-def]
    """Return whether one word is the other one with `un` before it."""
    if len(one) > len(other):
        one, other = other, one
    if len(one) <= 3 or len(one) + 2 != len(other) or not is_equal(one, other[2:]):
        return False
    return other[0] == UN[0] and other[1] == UN[1]


@kernel
def is_spelling(a, b, name, words, row):  # type: ignore[no-untyped-def]
    """Return whether two words are one word: spelt in another way, inflected or abbreviated."""
    x, y = words.traits[a], words.traits[b]
    if x[NUMBER_TEXT] == y[NUMBER_TEXT] or x[SHORT] == y[SHORT]:
        return True
    if x[FLAGS] & y[FLAGS] & SPELT_NUMBER or (x[FLAGS] | y[FLAGS]) & DIGITAL:
        return False
    if x[OPPOSITE] >= 0 and y[OPPOSITE] >= 0 and words.opposites[x[OPPOSITE], y[OPPOSITE]]:
        return False
    one, other = text_of(a, words), text_of(b, words)
    if (x[FLAGS] | y[FLAGS]) & MONTH:
        return is_equal(one[:3], other[:3])
    least = min(len(one), len(other))
    if name and least == 1:
        return one[0] == other[0]
    if name and least <= CUT and is_equal(one[:least], other[:least]):
        return True
    return max(len(one), len(other)) > 3 and is_within(
        one, other, NAME_SPELLING if name else SPELLING, row
    )


@kernel
def write_number(text, words, out):  # type: ignore[no-untyped-def]
    """Write a number in digits, whatever separates its thousands, any other text as it is."""
    size, found = 0, -1
    for k in range(len(words.numbers)):
        key = words.numbers[k, 0]
        if is_equal(text, words.codes[words.bounds[key] : words.bounds[key + 1]]):
            found = words.numbers[k, 1]
    if found >= 0:
        text = words.codes[words.bounds[found] : words.bounds[found + 1]]
    for i in range(len(text)):
        separates = found < 0 and text[0] & DIGIT and (text[i] == COMMA or text[i] == POINT)
        if separates and i + 3 < len(text) and text[i + 1] & text[i + 2] & text[i + 3] & DECIMAL:
            separates = i + 4 == len(text) or not text[i + 4] & DECIMAL
        else:
            separates = False
        if not separates:
            out[size] = text[i]
            size += 1
    return size


@kernel
def is_initials(side, text, words):  # type: ignore[no-untyped-def]
    """Return whether a text is made of the first letters of several words."""
    if len(side) < 2 or len(side) != len(text):
        return False
    at = 0
    while at < len(side) and text[at] == text_of(side[at], words)[0]:
        at += 1
    return at == len(side)


@kernel
def without_article(side, words):  # type: ignore[no-untyped-def]
    """Return words without the article before them: *the World Health Organization* is *WHO*."""
    begins = len(side) > 1 and words.traits[side[0], FLAGS] & ARTICLE
    return side[1:] if begins else side


@kernel
def is_same_text(a, b, name, words, room):  # type: ignore[no-untyped-def]
    """Return whether words on both sides are the same words or values, written in another way."""
    row = room[2]
    if len(a) == len(b) == 1:
        return is_spelling(a[0], b[0], name, words, row)
    a, b = without_article(a, words), without_article(b, words)
    one, other = room[0][: write_joined(a, words, room[0])], room[1][: write_joined(b, words, room[1])]
    if is_equal(one, other) or is_initials(a, other, words) or is_initials(b, one, words):
        return True
    if is_respelt(one, other, name, row):
        return True
    if len(a) != len(b):
        digits = row[: write_number(one, words, row)]
        return is_equal(digits, room[0][: write_number(other, words, room[0])])
    at = 0
    while at < len(a) and is_spelling(a[at], b[at], name, words, row):
        at += 1
    return at == len(a)
