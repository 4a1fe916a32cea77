"""Kinds of change: what an editor would say of two similar sentences, and by which rules.

The words of both are aligned; what differs is a list of changes, each of a type: `number`, `date`,
`name` or `other`. Then the first rule that fits gives the kind:

1. identical: the texts are the same, character by character.
2. reference: both are citations (`is_reference`).
3. other: so many words were exchanged that it is not the same sentence, or it is hardly one at all.
4. template: the same frame about something else. The subject, two names, or several values differ; or
   each names what its own article is about.
5. factual drift: a number, date or name differs, or a word and its opposite; or a negation was added.
6. copy edit: all the rest: spelling, punctuation, word order, words added, dropped or exchanged.

A value that is only written in another way (`5` and `five`, `Sheth` and `Seth`, `U.S.` and `United
States`) does not count as different. Names are told by capital letters, so scripts without them have
none, and German has many. `lexicon` has the few words that depend on a language.
"""

import hashlib
import re
import unicodedata
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
    FUNCTION_WORDS,
    MONTHS,
    NEGATIONS,
    NUMBERS,
    OPPOSITES,
    VERBS,
)

IDENTICAL, COPY_EDIT, DRIFT = "identical", "copy edit", "factual drift"
TEMPLATE, REFERENCE, OTHER = "template", "reference", "other"
KINDS = (IDENTICAL, COPY_EDIT, DRIFT, TEMPLATE, REFERENCE, OTHER)

# Scripts that are written without spaces: a character is a word.
SOLO = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
NUMBER = r"\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s\b)?"
TOKEN = re.compile(rf"[^\W\d_{SOLO}]+(?:['’\-][^\W\d_{SOLO}]+)*|{NUMBER}|[{SOLO}]|[%$€£¥°−]")
ASCII_TOKEN = re.compile(rf"[A-Za-z]+(?:['\-][A-Za-z]+)*|{NUMBER}|[%$]")  # the same, and much faster
YEAR = re.compile(r"(1\d|20)\d\d(s|–\d+|/\d+)?")
DIGIT = re.compile(r"\d")
THOUSANDS = re.compile(r"[.,](?=\d{3}(\D|$))")
ERA_SIGNS = frozenset("年月日")
FIRST_SOLO = "\u0e00"
SUBJECT, LONGEST_SUBJECT = 3, 8  # words of a subject, without and with a known verb behind it
SPELLING = 0.34  # of a word's letters may differ if it is another spelling of it
NAME_SPELLING = 0.25
UNLIKE = 0.45  # of the words differ: not the same sentence any more
MANY_VALUES = 3
GAP = "…"


class Change(NamedTuple):
    """What stands in one sentence and what in the other, in the same place; one may be empty."""

    type: str
    words_a: str
    words_b: str


class Description(NamedTuple):
    """The kind of change of a pair, its changes in order, and of drift, in which frame they are."""

    kind: str
    changes: tuple[Change, ...]
    frame: int | None = None


class Block(NamedTuple):
    """Words of one sentence in the place of words of the other, and where they begin in both."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    at_a: int
    at_b: int
    type: str

    @property
    def is_exchange(self) -> bool:
        """Say whether something stands on both sides."""
        return bool(self.a and self.b)


def describe(a: str, b: str, title_a: str | None = None, title_b: str | None = None) -> Description:
    """Return the kind of change between two sentences, with the words that differ.

    >>> kind, changes, _ = describe("The tower is 80 m high.", "The tower is 82 m high.")
    >>> kind, changes
    ('factual drift', (Change(type='number', words_a='80', words_b='82'),))
    """
    if a == b:
        return Description(IDENTICAL, ())
    words_a, words_b = words_of(a), words_of(b)
    blocks = aligned(words_a, words_b)
    changes = tuple(Change(k.type, shown(k.a), shown(k.b)) for k in blocks)
    kind = kind_of(a, b, words_a, words_b, blocks, (title_a, title_b))
    return Description(kind, changes, frame_of(words_a, blocks) if kind == DRIFT and changes else None)


def frame_of(words: list[str], blocks: Sequence[Block]) -> int:
    """Return the hash of what two sentences have in common, with gaps in place of what differs."""
    frame, at = list[str](), 0
    for block in blocks:
        frame += [*words[at : block.at_a], GAP]
        at = block.at_a + len(block.a)
    digest = hashlib.blake2b(" ".join(frame + words[at:]).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


@lru_cache(1 << 13)
def words_of(text: str) -> list[str]:
    """Return the words, numbers and signs with a meaning of a text."""
    return (ASCII_TOKEN if text.isascii() else TOKEN).findall(text)


def kind_of(
    a: str,
    b: str,
    words_a: Sequence[str],
    words_b: Sequence[str],
    blocks: Sequence[Block],
    titles: tuple[str | None, str | None],
) -> str:
    """Return the first kind whose rule fits."""
    if is_reference(a) and is_reference(b):
        return REFERENCE
    differing = [block for block in without_moved(blocks) if not is_same_value(block)]
    if has_few_letters(a) or is_unlike(differing, len(words_a) + len(words_b)):
        return OTHER
    values = [block for block in differing if block.is_exchange and block.type != "other"]
    if is_template(differing, values, words_a, words_b, titles):
        return TEMPLATE
    return DRIFT if values or any(map(is_contrary, differing)) else COPY_EDIT


def is_template(
    differing: Sequence[Block],
    values: Sequence[Block],
    words_a: Sequence[str],
    words_b: Sequence[str],
    titles: tuple[str | None, str | None],
) -> bool:
    """Say whether two sentences are the same frame, filled in for different subjects."""
    if any(is_own_subject(block, titles) for block in differing if block.is_exchange):
        return True
    if not differing or (min(block.at_a for block in differing) >= LONGEST_SUBJECT and len(values) < 2):
        return False
    head = min(subject_end(words_a), subject_end(words_b))
    if any(is_subject(block, head, words_a) for block in differing if block.is_exchange):
        return True
    if len(values) >= 2 and any(is_numbered_subject(block, words_a) for block in values):
        return True
    types = [block.type for block in values]
    if types.count("name") >= 2 or len(types) >= MANY_VALUES:
        return True
    return len(differing) == types.count("number") >= 2


def subject_end(words: Sequence[str]) -> int:
    """Return up to where the subject may be: the first verb that is known, or a few words."""
    known = (place for place, word in enumerate(words[:LONGEST_SUBJECT]) if word in VERBS)
    return next(known, SUBJECT)


def is_own_subject(block: Block, titles: tuple[str | None, str | None]) -> bool:
    """Say whether each side names what its article is about, and the other article is not."""
    if not titles[0] or not titles[1] or titles[0] == titles[1]:
        return False
    own_a, own_b = set(words_of(titles[0])), set(words_of(titles[1]))
    return bool(own_a - own_b & set(block.a)) and bool(own_b - own_a & set(block.b))


def is_subject(block: Block, head: int, words: Sequence[str]) -> bool:
    """Say whether a name stands where subjects do; or the second word of a name, as in Panthera leo."""
    if block.at_a >= head or block.at_b >= head:
        return False
    if block.type == "name":
        return True
    latin = len(block.a) == len(block.b) == block.at_a == block.at_b == 1 and head == 2
    return latin and block.type == "other" and is_name(words[0], 0)


def is_numbered_subject(block: Block, words: Sequence[str]) -> bool:
    """Say whether a number is part of a subject: Psalm 12, the 47th season."""
    if block.type == "name" or not 1 <= block.at_a == block.at_b <= 2:
        return False
    before = words[block.at_a - 1]
    return is_name(before, block.at_a - 1) or (block.at_a == 1 and folded(before) in ARTICLES)


@lru_cache(1 << 13)
def has_few_letters(text: str) -> bool:
    """Say whether there are hardly any words in a text."""
    words = words_of(text)
    letters = "".join(filter(str.isalpha, words))
    return len(letters) < 2 * len(words) and not any(letter >= FIRST_SOLO for letter in letters)


def is_unlike(differing: Sequence[Block], words: int) -> bool:
    """Say whether too many of the words were exchanged."""
    exchanged = sum(len(k.a) + len(k.b) for k in differing if k.type == "other" and k.a and k.b)
    return exchanged >= UNLIKE * words


def is_contrary(block: Block) -> bool:
    """Say whether a negation was added or dropped, or a word exchanged for its opposite."""
    a, b = [folded(word) for word in block.a], [folded(word) for word in block.b]
    denies = any(map(is_negation, a)) != any(map(is_negation, b))
    if denies and not (a and b and min(*a, *b) >= FIRST_SOLO):  # there, it may be part of a word
        return True
    if not a or not b:
        return any(word in NUMBERS and word.endswith(("nd", "rd", "th")) for word in a or b)
    return any(other in OPPOSITES.get(one, ()) for one in a for other in b)


@lru_cache(1 << 14)
def is_negation(word: str) -> bool:
    """Say whether a folded word denies something."""
    return (
        word in NEGATIONS
        or (word.startswith("un") and len(word) > 6)
        or (
            word.endswith("nt")
            and (word.removesuffix("nt") in VERBS or word in ("cant", "wont", "dont"))
        )
    )


@lru_cache(1 << 13)
def is_reference(text: str) -> bool:
    """Say whether a sentence is a citation: it has two marks of one.

    >>> is_reference("Neotropical Ichthyology 11 (1): 73-80.")
    True
    """
    if not DIGIT.search(text) or not ANY_MARK.search(text):
        return False
    return sum(weight for mark, weight in CITATION if mark.search(text)) >= 2


def aligned(a: Sequence[str], b: Sequence[str]) -> list[Block]:
    """Return where the words differ; what both begin and end with is passed over first."""
    from rapidfuzz.distance import Levenshtein

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
    return [block_of(a, b, (first + i, first + j, first + k, first + m)) for i, j, k, m in spans]


def alike(a: Sequence[str], b: Sequence[str]) -> int:
    """Return how many words both begin with."""
    return next(compress(count(), map(ne, a, b)), min(len(a), len(b)))


def block_of(a: Sequence[str], b: Sequence[str], span: tuple[int, int, int, int]) -> Block:
    """Return the block of a span, with its type."""
    i, j, k, m = span
    own, other = tuple(a[i:j]), tuple(b[k:m])
    near = (*a[max(i - 1, 0) : i], *a[j : j + 2])
    types = [type_of(own, i == 0, near), type_of(other, k == 0, near)]
    kind = next((t for t in ("date", "number", "name") if t in types), "other")
    if "other" in types and own and other:
        kind = "other"  # a value for none: he for a name, several for a number
    return Block(own, other, i, k, kind)


@lru_cache(1 << 13)
def type_of(words: tuple[str, ...], is_first: bool, near: tuple[str, ...]) -> str:
    """Return the type of some words, maybe a sentence's first, by themselves and what is near."""
    if not words:
        return "other"
    types = [type_of_word(word) for word in words]
    if "date" in types:
        return "date"
    spelt = types.count("spelt")
    if "number" in types or (spelt and 2 * spelt >= len(words)):
        return "date" if any(is_month(word) or word in ERA_SIGNS for word in near) else "number"
    names = types.count("name")
    if is_first and names and not is_name(words[0], 0):
        names -= 1
    return "name" if names and 2 * names >= len(words) else "other"


@lru_cache(1 << 16)
def type_of_word(word: str) -> str:
    """Return the type of a word by itself; `spelt` is a number in letters."""
    if word[0].isdigit():
        return "date" if YEAR.fullmatch(word) else "number"
    if is_month(word):
        return "date"
    if folded(word) in NUMBERS:
        return "spelt"
    return "name" if word[0].isupper() else "other"


def is_month(word: str) -> bool:
    """Say whether a word is the name of a month or a day; `may` and `march` are none."""
    return folded(word) in MONTHS and (word[0].isupper() or folded(word) not in ("may", "march"))


def is_name(word: str, place: int) -> bool:
    """Say whether a word is a name: with a capital, and at the beginning no word of all sentences."""
    return word[0].isupper() and not (place == 0 and folded(word) in FUNCTION_WORDS)


def without_moved(blocks: Sequence[Block]) -> Sequence[Block]:
    """Leave out of each block the words that only stand in another place."""
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
    """Say whether both sides are the same words or values, written in another way."""
    if not block.a or not block.b:
        return False
    if len(block.a) == len(block.b) == 1:
        return is_spelling(folded(block.a[0]), folded(block.b[0]), block.type)
    a, b = (without_article([folded(word) for word in words]) for words in (block.a, block.b))
    one, other = "".join(a), "".join(b)
    if one == other or initials(a) == other or initials(b) == one:
        return True
    if len(a) != len(b):
        return number_text(one) == number_text(other)
    return all(is_spelling(x, y, block.type) for x, y in zip(a, b, strict=True))


def without_article(words: list[str]) -> list[str]:
    """Return words without the article before them: *the World Health Organization* is *WHO*."""
    return words[1:] if len(words) > 1 and words[0] in ARTICLES else words


def number_text(word: str) -> str:
    """Return a number in digits, whatever separates its thousands; any other word as it is."""
    return THOUSANDS.sub("", word) if word[0].isdigit() else NUMBERS.get(word, word)


def initials(words: Sequence[str]) -> str:
    """Return the first letters of several words."""
    return "".join(word[0] for word in words) if len(words) > 1 else ""


@lru_cache(1 << 14)
def is_spelling(a: str, b: str, kind: str) -> bool:
    """Say whether two folded words are one word: spelt in another way, inflected or abbreviated."""
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
    limit = NAME_SPELLING if kind == "name" else SPELLING
    return len(longer) > 3 and Levenshtein.normalized_distance(a, b) <= limit


@lru_cache(1 << 16)
def folded(word: str) -> str:
    """Return a word without case, accents, hyphens and points.

    >>> folded("Saint-Étienne")
    'saintetienne'
    """
    plain = unicodedata.normalize("NFKD", word.casefold())
    kept = "".join(c for c in plain if not unicodedata.combining(c) and c not in "-’'")
    return kept.replace(".", "") or word if not word[0].isdigit() else kept


def shown(words: Sequence[str]) -> str:
    """Return words as a reader likes to see them."""
    return ("" if words and min(words) >= FIRST_SOLO else " ").join(words)
