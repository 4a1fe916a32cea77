"""The slow twin of the kernels of blocks and spellings: words aligned, and when they are the same."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress, count
from operator import ne
from typing import Any, NamedTuple

from neardup.methods.sentences.lexicon import (
    ABBREVIATIONS,
    ANY_MARK,
    ARTICLES,
    CITATION,
    CROSS_REFERENCES,
    GERMAN,
    MONTHS,
    NEGATIONS,
    NUMBERS,
    OPPOSITES,
    SPEECH,
    VERBS,
)
from neardup.methods.sentences.words import (
    FIRST_SOLO,
    SOLO_NUMBERS,
    folded,
    is_loud,
    is_month,
    number_text,
    type_of_word,
    words_of,
)

SPELLING = 0.34
NAME_SPELLING = 0.25
CUT = 3
ERA_SIGNS = frozenset("年月日")
CLAUSE_SIGNS = frozenset("条款项章节编")
LEADER = re.compile(r"(?:\. ?){5,}\s*\d+$")
LOWER = 0.3  # of the words begin with a small letter, or capitals tell no names


class Block(NamedTuple):
    """Words of one sentence in the place of words of the other, and where they begin in both."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    at_a: int
    at_b: int
    type: str

    @property
    def is_exchange(self) -> bool:
        """Return whether something stands on both sides."""
        return bool(self.a and self.b)


class Sentence(NamedTuple):
    """What the rules know of a sentence by itself."""

    words: list[str]
    cites: int  # how much says that it is a citation
    hardly: bool  # it is a drawing, a table, or has hardly any words
    drawn: bool
    leads: bool  # it is a row of a table of contents
    shouts: bool  # its capitals tell no names


@lru_cache(1 << 13)
def sentence_of(text: str) -> Sentence:
    """Return what the rules know of a sentence by itself."""
    words = words_of(text)
    letters = [word for word in words if word[0].isalpha() and word[0] < FIRST_SOLO]
    small = sum(word[0].islower() for word in letters)
    shouts = len(letters) > 1 and small < LOWER * len(letters)
    shouts = shouts or len(GERMAN.intersection(words)) > 1  # whose nouns all have capitals
    drawn = is_drawn(text)
    return Sentence(words, citing(text), drawn or has_few_letters(words), drawn, is_leader(text), shouts)


def citing(text: str) -> int:
    """Return how much says that a sentence is a citation; 2 is enough.

    >>> citing("Neotropical Ichthyology 11 (1): 73-80.")
    2
    """
    if not ANY_MARK.search(text):
        return 0
    return sum(weight for mark, weight in CITATION if mark.search(text)) - bool(SPEECH.search(text))


def has_few_letters(words: Sequence[str]) -> bool:
    """Return whether there are hardly any words in a text."""
    letters = "".join(filter(str.isalpha, words))
    return len(letters) < 2 * len(words) and not any(letter >= FIRST_SOLO for letter in letters)


def is_drawn(text: str) -> bool:
    """Return whether a text is a drawing: lines, boxes."""
    return text.count("|") >= 4 or "+-+-" in text or "-----" in text


def is_leader(text: str) -> bool:
    """Return whether dots lead from a title to its page."""
    return LEADER.search(text) is not None


def aligned(one: Sentence, other: Sentence) -> list[Block]:
    """Return where the words differ; what both begin and end with is passed over first."""
    from rapidfuzz.distance import Levenshtein

    a, b = one.words, other.words
    first = alike(a, b)
    last = alike(a[first:][::-1], b[first:][::-1])
    inner_a, inner_b = a[first : len(a) - last], b[first : len(b) - last]
    if not inner_a or not inner_b or len(inner_a) == len(inner_b) == 1:
        spans = [(0, len(inner_a), 0, len(inner_b))] if inner_a or inner_b else []
    else:
        spans = []
        opcodes: Any = Levenshtein.opcodes(inner_a, inner_b)
        for tag, i, j, k, m in opcodes.as_list():
            if tag == "equal":
                continue
            if spans and spans[-1][1] == i and spans[-1][3] == k:
                i, _, k, _ = spans.pop()
            spans.append((i, j, k, m))
    shouts = one.shouts or other.shouts
    return [block_of(a, b, (first + i, first + j, first + k, first + m), shouts) for i, j, k, m in spans]


def alike(a: Sequence[str], b: Sequence[str]) -> int:
    """Return how many words both begin with."""
    return next(compress(count(), map(ne, a, b)), min(len(a), len(b)))


def block_of(a: Sequence[str], b: Sequence[str], span: tuple[int, int, int, int], shouts: bool) -> Block:
    """Return the block of a span, with its type."""
    i, j, k, m = span
    own, other = tuple(a[i:j]), tuple(b[k:m])
    near = (*a[max(i - 1, 0) : i], *a[j : j + 2])
    types = {type_of(own, near), type_of(other, near)} - {""}
    if not types:
        kind = "mark"
    elif "other" in types and own and other:
        kind = "other"  # a value for none: he for a name, several for a number
    elif types == {"date", "number"} and own and other and not any(map(names_time, own + other)):
        kind = "number"  # 500 for 2000
    else:
        kind = next((t for t in ("date", "number", "name") if t in types), "other")
    if (kind == "name" and shouts) or {"name", kind} == types != {"name"}:
        kind = "other"
    if kind == "number" and is_cross_reference(a, i, j) and is_cross_reference(b, k, m):
        kind = "mark"
    return Block(own, other, i, k, kind)


def is_cross_reference(words: Sequence[str], begin: int, end: int) -> bool:
    """Return whether a number names a part of the text itself: Section 3, 第四条."""
    if end < len(words) and words[end - 1 if end > begin else end][0] >= FIRST_SOLO:
        while begin and words[begin - 1] in SOLO_NUMBERS:
            begin -= 1
        while end < len(words) - 1 and words[end] in SOLO_NUMBERS:
            end += 1
        return begin > 0 and words[begin - 1] == "第" and words[end] in CLAUSE_SIGNS
    return begin > 0 and folded(words[begin - 1]) in CROSS_REFERENCES


def names_time(word: str) -> bool:
    """Return whether a word is a month, a day or a sign of dates."""
    return is_month(word) or word in ERA_SIGNS


@lru_cache(1 << 13)
def type_of(words: tuple[str, ...], near: tuple[str, ...]) -> str:
    """Return the type of some words by themselves and what is near."""
    types = [kind for kind in map(type_of_word, words) if kind != "mark"]
    if not types:
        return ""
    if "date" in types:
        return "date"
    spelt = types.count("spelt")
    if "number" in types or (spelt and 2 * spelt >= len(types)):
        return "date" if any(map(names_time, near)) else "number"
    if all(map(is_loud, words)) and any(map(is_loud, near)):
        return "other"  # capitals all around tell no names
    names = types.count("name")
    return "name" if names and 2 * names >= len(types) else "other"


def unmarked(blocks: Sequence[Block]) -> list[Block]:
    """Leave out of each block what only numbers something."""
    left = []
    for block in blocks:
        if block.type == "mark":
            continue
        if "mark" not in map(type_of_word, block.a + block.b):
            left.append(block)
            continue
        a, b = (tuple(w for w in words if type_of_word(w) != "mark") for words in (block.a, block.b))
        if a or b:
            left.append(block._replace(a=a, b=b))
    return left


def without_moved(blocks: Sequence[Block]) -> Sequence[Block]:
    """Leave out of each block the words that only stand in another place."""
    if len(blocks) == 1 and len(blocks[0].a) + len(blocks[0].b) <= 2:
        return blocks
    gone = {folded(word) for block in blocks for word in block.a}
    if gone.isdisjoint(folded(word) for block in blocks for word in block.b):
        return blocks
    come = Counter(folded(word) for block in blocks for word in block.b)
    moved = come & Counter(folded(word) for block in blocks for word in block.a)
    spare_a, spare_b = moved.copy(), moved.copy()
    left = [block._replace(a=rest(block.a, spare_a), b=rest(block.b, spare_b)) for block in blocks]
    return [block for block in left if block.a or block.b]


def rest(words: Sequence[str], spare: Counter[str]) -> tuple[str, ...]:
    """Return the words that are not among the spare ones, which are used up."""
    left = []
    for word in words:
        if spare[folded(word)] > 0:
            spare[folded(word)] -= 1
        else:
            left.append(word)
    return tuple(left)


def is_same_value(block: Block) -> bool:
    """Return whether both sides are the same words or values, written in another way."""
    if not block.is_exchange:
        return False
    a, b = (tuple(folded(word) for word in words) for words in (block.a, block.b))
    return is_same_text(a, b, block.type)


def is_garbled(blocks: Sequence[Block]) -> bool:
    """Return whether several words are misspelt or torn apart, as where print was recognised badly."""
    if len(blocks) < 2:
        return False
    wrong = 0
    for block in blocks:
        if block.is_exchange and block.type != "mark":
            one, other = ("".join(map(folded, words)) for words in (block.a, block.b))
            torn = one == other and len(block.a) != len(block.b)
            wrong += torn or is_misspelt(one, other)
    return wrong >= 2 or (wrong == 1 and len(blocks) > 2)


def is_plain(words: Sequence[str]) -> bool:
    """Return whether there is one word, whose first letter alone is a capital."""
    return len(words) == 1 and words[0][0].isupper() and words[0][1:].islower()


@lru_cache(1 << 14)
def is_negation(word: str) -> bool:
    """Return whether a folded word denies something."""
    return word in NEGATIONS or (
        word.endswith("nt") and (word.removesuffix("nt") in VERBS or word in ("cant", "wont", "dont"))
    )


def is_same_text(a: Sequence[str], b: Sequence[str], kind: str) -> bool:
    """Return whether folded words on both sides are the same words or values, written in another way."""
    if len(a) == len(b) == 1:
        return is_spelling(a[0], b[0], kind)
    a, b = without_article(a), without_article(b)
    one, other = "".join(a), "".join(b)
    if one == other or initials(a) == other or initials(b) == one or is_respelt(one, other, kind):
        return True
    if len(a) != len(b):
        return number_text(one) == number_text(other)
    return all(is_spelling(x, y, kind) for x, y in zip(a, b, strict=True))


@lru_cache(1 << 14)
def is_respelt(one: str, other: str, kind: str) -> bool:
    """Return whether several words, end to end, are others in another spelling, as in OCR."""
    from rapidfuzz.distance import Levenshtein

    if min(len(one), len(other)) < 5 or digits_of(one) != digits_of(other):
        return False
    limit = NAME_SPELLING if kind == "name" else SPELLING
    return Levenshtein.normalized_distance(one, other) <= limit


@lru_cache(1 << 14)
def is_misspelt(a: str, b: str) -> bool:
    """Return whether a letter within a folded word is wrong: no other ending, no other word."""
    least = min(len(a), len(b))
    if a == b or least < 4 or abs(len(a) - len(b)) > 2 or not (a.isalpha() or b.isalpha()):
        return False
    if least == 4:
        return len(a) == len(b) and sum(map(ne, a, b)) == 1
    alike = next((at for at in range(least) if a[at] != b[at]), least)
    return (alike < least - 2 or a[-1] == b[-1]) and is_respelt(a, b, "other")


def digits_of(text: str) -> str:
    """Return the digits of a text."""
    return "".join(filter(str.isdigit, text))


def without_article(words: Sequence[str]) -> Sequence[str]:
    """Return words without the article before them: *the World Health Organization* is *WHO*."""
    return words[1:] if len(words) > 1 and words[0] in ARTICLES else words


def initials(words: Sequence[str]) -> str:
    """Return the first letters of several words."""
    return "".join(word[0] for word in words) if len(words) > 1 else ""


@lru_cache(1 << 14)
def is_spelling(a: str, b: str, kind: str) -> bool:
    """Return whether two folded words are one word: spelt in another way, inflected or abbreviated."""
    from rapidfuzz.distance import Levenshtein

    if number_text(a) == number_text(b) or ABBREVIATIONS.get(a, a) == ABBREVIATIONS.get(b, b):
        return True
    if a in NUMBERS and b in NUMBERS:
        return False
    if a[0].isdigit() or b[0].isdigit() or b in OPPOSITES.get(a, ()):
        return False
    if a in MONTHS or b in MONTHS:
        return a[:3] == b[:3]
    shorter, longer = sorted((a, b), key=len)
    if len(shorter) == 1 and kind == "name":
        return longer[0] == shorter
    if kind == "name" and 1 < len(shorter) <= CUT and longer.startswith(shorter):
        return True
    limit = NAME_SPELLING if kind == "name" else SPELLING
    return len(longer) > 3 and Levenshtein.normalized_distance(a, b) <= limit
