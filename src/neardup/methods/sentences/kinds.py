"""Kinds of change: what an editor would say of two similar sentences, and by which rules.

The words of both are aligned; what differs is a list of changes, each of a type: `number`, `date`,
`name`, `mark` (what numbers a clause, an item or a citation) or `other`. Then the first rule that fits
gives the kind:

1. identical: the texts are the same, character by character.
2. reference: both are citations (`is_reference`).
3. other: so many words were exchanged that it is not the same sentence, or it is hardly one at all.
4. template: the same frame about something else. The subject, two names, or several values differ; or
   each names what its own article is about; or one text says it twice, nearly; or, though a value
   differs, the sentences stand among others that are not alike (`Place`).
5. factual drift: a number, date or name differs, or a word and its opposite; a name was qualified; or a
   negation was added.
6. copy edit: all the rest: spelling, punctuation, marks, word order, words added, dropped or exchanged.

What a corpus knows of frames and of names comes after that (`drift`).

A value that is only written in another way (`5` and `five`, `Sheth` and `Seth`, `U.S.` and `United
States`) does not count as different. Names are told by capital letters, so scripts without them have
none, and German has many. `lexicon` has the few words that depend on a language.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import compress, count
from operator import ne
from typing import Any, NamedTuple

from neardup.methods.sentences.lexicon import (
    ANY_MARK,
    ARTICLES,
    CITATION,
    CROSS_REFERENCES,
    FUNCTION_WORDS,
    NUMBERS,
    OPPOSITES,
    SPEECH,
    VERBS,
)
from neardup.methods.sentences.words import (
    FIRST_SOLO,
    SOLO_NUMBERS,
    digits_of,
    folded,
    is_loud,
    is_misspelt,
    is_month,
    is_negation,
    is_same_text,
    shown,
    type_of_word,
    words_of,
)

IDENTICAL, COPY_EDIT, DRIFT = "identical", "copy edit", "factual drift"
TEMPLATE, REFERENCE, OTHER = "template", "reference", "other"
KINDS = (IDENTICAL, COPY_EDIT, DRIFT, TEMPLATE, REFERENCE, OTHER)

ERA_SIGNS = frozenset("年月日")
CLAUSE_SIGNS = frozenset("条款项章节编")
SUBJECT, LONGEST_SUBJECT = 3, 8  # words of a subject, without and with a known verb behind it
UNLIKE = 0.45  # of the words differ: not the same sentence any more
MANY_VALUES = 3
WIDE_VALUE = 4  # words: more than one value in a row
ALIKE = 0.45  # of the words around both sentences are the same: they are about the same thing
FAR, LONG = 100, 12  # sentences apart, and words of one: what is said so again was reworded
LOWER = 0.3  # of the words begin with a small letter, or capitals tell no names
GAP = "…"


class Change(NamedTuple):
    """What stands in one sentence and what in the other, in the same place; one may be empty."""

    type: str
    words_a: str
    words_b: str


class Place(NamedTuple):
    """Where two sentences stand: how far apart, if in one text, and how alike it is around them.

    Below 0, it is not in one text, or not known.
    """

    apart: int = -1
    alike: float = -1.0


class Verdict(NamedTuple):
    """A kind, how sure it is, and what a corpus may still say of it.

    `framed`: other words fill the same frame. `style` is the hash of two names, if nothing but these
    makes drift of a pair.
    """

    kind: str
    confidence: float
    framed: bool = False
    style: int | None = None


class Description(NamedTuple):
    """The verdict on a pair, its changes in order, and the hash of the frame that these fill."""

    kind: str
    changes: tuple[Change, ...]
    frame: int | None = None
    style: int | None = None
    confidence: float = 1.0


NOT_DESCRIBED = Description("", ())  # of pairs that are beyond the distance


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


class Sentence(NamedTuple):
    """What the rules know of a sentence by itself."""

    words: list[str]
    cites: int  # how much says that it is a citation
    hardly: bool  # it is a drawing, a table, or has hardly any words
    shouts: bool  # its capitals tell no names


@lru_cache(1 << 13)
def sentence_of(text: str) -> Sentence:
    """Return what the rules know of a sentence by itself."""
    words = words_of(text)
    letters = [word for word in words if word[0].isalpha() and word[0] < FIRST_SOLO]
    small = sum(word[0].islower() for word in letters)
    shouts = len(letters) > 1 and small < LOWER * len(letters)
    return Sentence(words, citing(text), is_drawn(text) or has_few_letters(words), shouts)


def describe(
    a: str, b: str, title_a: str | None = None, title_b: str | None = None, place: Place = Place()
) -> Description:
    """Return the kind of change between two sentences, with the words that differ.

    >>> kind, changes, *_ = describe("The tower is 80 m high.", "The tower is 82 m high.")
    >>> kind, changes
    ('factual drift', (Change(type='number', words_a='80', words_b='82'),))
    """
    if a == b:
        return Description(IDENTICAL, ())
    one, other = sentence_of(a), sentence_of(b)
    blocks = aligned(one, other)
    changes = tuple(Change(k.type, shown(k.a), shown(k.b)) for k in blocks)
    kind, confidence, framed, style = verdict(one, other, blocks, (title_a, title_b), place)
    frame = frame_of(one.words, blocks) if framed else None
    return Description(kind, changes, frame, style, confidence)


def hashed(words: Sequence[str]) -> int:
    """Return the hash of some words."""
    digest = hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def frame_of(words: list[str], blocks: Sequence[Block]) -> int:
    """Return the hash of what two sentences have in common, with gaps in place of what differs."""
    frame, at = list[str](), 0
    for block in blocks:
        frame += [*words[at : block.at_a], GAP]
        at = block.at_a + len(block.a)
    return hashed(frame + words[at:])


def verdict(
    one: Sentence,
    other: Sentence,
    blocks: Sequence[Block],
    titles: tuple[str | None, str | None],
    place: Place,
) -> Verdict:
    """Return the first kind whose rule fits."""
    if min(one.cites, other.cites) >= 1 and max(one.cites, other.cites) >= 2:
        return Verdict(REFERENCE, 0.9)
    garbled = is_garbled(blocks)
    doubts = partial(is_doubtful, garbled=garbled, known=place.alike >= 0)
    differing = [
        k._replace(type="other") if doubts(k) else k
        for k in without_moved(unmarked(blocks))
        if not is_same_value(k)
    ]
    total = len(one.words) + len(other.words)
    if one.hardly or other.hardly:
        return Verdict(OTHER, 0.7)
    if is_unlike(differing, total) and not garbled:
        return Verdict(TEMPLATE, 0.7) if place.apart >= 0 else Verdict(OTHER, 0.6)
    exchanged = [block for block in differing if block.is_exchange]
    values = [block for block in exchanged if block.type != "other"]
    if is_template(differing, values, one.words, other.words, titles):
        return Verdict(TEMPLATE, 0.8)
    contrary = not garbled and is_contrary(differing)
    qualified = not garbled and any(is_qualifier(block, one, other) for block in differing)
    drifted = bool(values) or contrary or qualified
    content = not garbled and any(map(has_content, exchanged))
    framed = content or any(k.type == "mark" and k.is_exchange and k.at_a for k in blocks)
    if place.apart >= 0:
        far = place.apart >= FAR and total >= 2 * LONG
        if drifted or turns_page(blocks, one.words) or (content and not far):
            return Verdict(TEMPLATE, 0.9)
        return Verdict(COPY_EDIT, 0.8, framed)
    if not drifted:
        return Verdict(COPY_EDIT, 0.8 if content else 0.95, framed)
    if 0 <= place.alike < ALIKE:
        return Verdict(TEMPLATE, 0.7)
    names = {tuple(sorted(map(named, (k.a, k.b)))) for k in values}
    only = len(names) == 1 and not contrary and not qualified and values[0].type == "name"
    sure = (0.6 if place.alike < 0 else place.alike) * (0.9 if only else 1.0) * (1.0 if values else 0.8)
    return Verdict(DRIFT, sure, True, hashed(names.pop()) if only else None)


def is_garbled(blocks: Sequence[Block]) -> bool:
    """Say whether several words are misspelt or torn apart, as where print was recognised badly."""
    wrong = 0
    for block in blocks:
        if block.is_exchange and block.type != "mark":
            one, other = ("".join(map(folded, words)) for words in (block.a, block.b))
            torn = one == other and len(block.a) != len(block.b)
            wrong += torn or is_misspelt(one, other)
    return wrong >= 2 or (wrong == 1 and len(blocks) > 2)


def is_doubtful(block: Block, *, garbled: bool, known: bool) -> bool:
    """Say whether what looks like another value may be none.

    Where much is garbled, all may be but numbers of as many digits on both sides. A first word has a
    capital anyway: if more is known of the corpus, that says whether it is a subject.
    """
    if not garbled:
        return known and block.at_a == block.at_b == 0 and is_plain(block.a) and is_plain(block.b)
    if block.type == "name" or not all(word[0].isdigit() for word in block.a + block.b):
        return True
    return len(digits_of("".join(block.a))) != len(digits_of("".join(block.b)))


def named(words: Sequence[str]) -> str:
    """Return a name without its article, and without the letter of the owner."""
    own = [re.sub(r"['’]s$", "", word) for word in words if folded(word) not in ARTICLES]
    return " ".join(own)


def has_content(block: Block) -> bool:
    """Say whether more was exchanged than words such as articles and prepositions."""
    return any(folded(word) not in FUNCTION_WORDS for word in block.a) and any(
        folded(word) not in FUNCTION_WORDS for word in block.b
    )


def turns_page(blocks: Sequence[Block], words: Sequence[str]) -> bool:
    """Say whether a page number differs: heads of pages."""
    return any(k.type == "mark" and k.at_a and folded(words[k.at_a - 1]) == "page" for k in blocks)


def is_qualifier(block: Block, one: Sentence, other: Sentence) -> bool:
    """Say whether a name has more words in one of the sentences: the [Lesser] General Public License."""
    if block.is_exchange or block.type != "name":
        return False
    (words, at), shouts = (
        ((one.words, block.at_a), one.shouts) if block.a else ((other.words, block.at_b), other.shouts)
    )
    size = len(block.a or block.b)
    if any(map(is_loud, block.a or block.b)) or shouts or at == 0 or at + size >= len(words):
        return False
    return at > 1 and type_of_word(words[at - 1]) == type_of_word(words[at + size]) == "name"


def unmarked(blocks: Sequence[Block]) -> list[Block]:
    """Leave out of each block what only numbers something."""
    left = []
    for block in blocks:
        if block.type == "mark":
            continue
        a, b = (tuple(w for w in words if type_of_word(w) != "mark") for words in (block.a, block.b))
        if a or b:
            left.append(block._replace(a=a, b=b))
    return left


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
    if any(min(len(block.a), len(block.b)) >= WIDE_VALUE for block in values):
        return True
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


def has_few_letters(words: Sequence[str]) -> bool:
    """Say whether there are hardly any words in a text."""
    letters = "".join(filter(str.isalpha, words))
    return len(letters) < 2 * len(words) and not any(letter >= FIRST_SOLO for letter in letters)


def is_drawn(text: str) -> bool:
    """Say whether a text is a drawing: lines, boxes."""
    return text.count("|") >= 4 or "+-+-" in text or "-----" in text


def is_unlike(differing: Sequence[Block], words: int) -> bool:
    """Say whether too many of the words were exchanged."""
    exchanged = sum(len(k.a) + len(k.b) for k in differing if k.type == "other" and k.a and k.b)
    return exchanged >= UNLIKE * words


def is_contrary(differing: Sequence[Block]) -> bool:
    """Say whether a negation was added or dropped, or a word exchanged for its opposite."""
    denies = [any(is_negation(folded(w)) for k in differing for w in side(k)) for side in (left, right)]
    if denies[0] != denies[1] and not any(
        k.a and k.b and min(*k.a, *k.b) >= FIRST_SOLO for k in differing
    ):
        return True  # there, it may be part of a word
    return any(map(is_opposite, differing))


def left(block: Block) -> tuple[str, ...]:
    """Return what stands in the first sentence."""
    return block.a


def right(block: Block) -> tuple[str, ...]:
    """Return what stands in the second sentence."""
    return block.b


def is_opposite(block: Block) -> bool:
    """Say whether a word was exchanged for its opposite, or an ordinal number added."""
    a, b = [folded(word) for word in block.a], [folded(word) for word in block.b]
    if not a or not b:
        return any(NUMBERS.get(word, "").endswith(("nd", "rd", "th")) for word in a or b)
    for x, y in ((x, y) for x in a for y in b):
        if y in OPPOSITES.get(x, ()) or (
            min(len(x), len(y)) > 3 and x != y and max(x, y, key=len) == f"un{min(x, y, key=len)}"
        ):
            return True
    return False


def citing(text: str) -> int:
    """Return how much says that a sentence is a citation; 2 is enough.

    >>> citing("Neotropical Ichthyology 11 (1): 73-80.")
    3
    """
    if not ANY_MARK.search(text):
        return 0
    return sum(weight for mark, weight in CITATION if mark.search(text)) - bool(SPEECH.search(text))


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
    types = {type_of(own, i == 0, near), type_of(other, k == 0, near)} - {""}
    if not types:
        kind = "mark"
    elif "other" in types and own and other:
        kind = "other"  # a value for none: he for a name, several for a number
    else:
        kind = next((t for t in ("date", "number", "name") if t in types), "other")
    if kind == "name" and shouts or {"name", kind} == types != {"name"}:
        kind = "other"
    if kind == "number" and is_cross_reference(a, i, j) and is_cross_reference(b, k, m):
        kind = "mark"
    return Block(own, other, i, k, kind)


def is_plain(words: Sequence[str]) -> bool:
    """Say whether there is one word, whose first letter alone is a capital."""
    return len(words) == 1 and words[0][0].isupper() and words[0][1:].islower()


def is_cross_reference(words: Sequence[str], begin: int, end: int) -> bool:
    """Say whether a number names a part of the text itself: Section 3, 第四条."""
    if end < len(words) and words[end - 1 if end > begin else end][0] >= FIRST_SOLO:
        while begin and words[begin - 1] in SOLO_NUMBERS:
            begin -= 1
        while end < len(words) - 1 and words[end] in SOLO_NUMBERS:
            end += 1
        return begin > 0 and words[begin - 1] == "第" and words[end] in CLAUSE_SIGNS
    return begin > 0 and folded(words[begin - 1]) in CROSS_REFERENCES


@lru_cache(1 << 13)
def type_of(words: tuple[str, ...], is_first: bool, near: tuple[str, ...]) -> str:
    """Return the type of some words, maybe a sentence's first, by themselves and what is near."""
    types = [kind for kind in map(type_of_word, words) if kind != "mark"]
    if not types:
        return ""
    if "date" in types:
        return "date"
    spelt = types.count("spelt")
    if "number" in types or (spelt and 2 * spelt >= len(types)):
        return "date" if any(is_month(word) or word in ERA_SIGNS for word in near) else "number"
    if all(map(is_loud, words)) and any(map(is_loud, near)):
        return "other"  # capitals all around tell no names
    names = types.count("name")
    return "name" if names and 2 * names >= len(types) else "other"


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
    if not block.is_exchange:
        return False
    a, b = (tuple(folded(word) for word in words) for words in (block.a, block.b))
    return is_same_text(a, b, block.type)
