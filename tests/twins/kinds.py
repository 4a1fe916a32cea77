"""The slow twin of the kernels of kinds: a pair of sentences at a time, rule by rule."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tests.twins.word_blocks import (
    Block,
    Sentence,
    aligned,
    digits_of,
    is_garbled,
    is_negation,
    is_plain,
    is_same_value,
    sentence_of,
    unmarked,
    without_moved,
)

from neardup.methods.sentences.kinds import (
    COPY_EDIT,
    DRIFT,
    GAP,
    IDENTICAL,
    OTHER,
    REFERENCE,
    TEMPLATE,
    VERSIONED,
    hashed,
)
from neardup.methods.sentences.lexicon import ARTICLES, FUNCTION_WORDS, NUMBERS, OPPOSITES, VERBS
from neardup.methods.sentences.words import (
    FIRST_SOLO,
    folded,
    is_loud,
    shown,
    type_of_word,
    words_of,
)

SUBJECT, LONGEST_SUBJECT = 3, 8  # words of a subject, without and with a known verb behind it
UNLIKE = 0.45  # of the words differ: not the same sentence any more
MANY_VALUES = 3
WIDE_VALUE = 4  # words: more than one value in a row
ALIKE, LIKE = 0.3, 0.6  # of the words around both are the same: about the same thing, perhaps; surely
ROWS = 20  # sentences apart, in which lists have their rows
CLEAR, NARROW = 15, 3  # words of a sentence that says by itself what it is about, and of what differs
FAR, LONG = 100, 12  # sentences apart, and words of one: what is said so again was reworded


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
    cited: bool = False  # both under a heading of references
    titled: bool = True  # what names both documents are titles, not ids


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


def describe(
    a: str, b: str, title_a: str | None = None, title_b: str | None = None, place: Place | None = None
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
    kind, confidence, framed, style = verdict(one, other, blocks, (title_a, title_b), place or Place())
    frame = frame_of(one.words, blocks) if framed else None
    return Description(kind, changes, frame, style, confidence)


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
    if place.cited or (min(one.cites, other.cites) >= 1 and max(one.cites, other.cites) >= 2):
        return Verdict(REFERENCE, 0.9)
    if one.leads and other.leads:
        return Verdict(TEMPLATE, 0.9)
    if one.hardly or other.hardly:
        drawn, total = one.drawn or other.drawn, len(one.words) + len(other.words)
        share = sum(len(k.a) + len(k.b) for k in blocks) / max(total, 1)
        row = not drawn and (place.apart >= 0 or share < UNLIKE)
        return Verdict(TEMPLATE if row else OTHER, 0.7)
    garbled = is_garbled(blocks)
    doubts = partial(is_doubtful, garbled=garbled, known=place.alike >= 0)
    differing = [
        k._replace(type="other") if k.is_exchange and doubts(k) else k
        for k in without_moved(unmarked(blocks))
        if not is_same_value(k)
    ]
    total = len(one.words) + len(other.words)
    if is_unlike(differing, total) and not garbled:
        return Verdict(TEMPLATE, 0.7) if place.apart >= 0 else Verdict(OTHER, 0.6)
    exchanged = [block for block in differing if block.is_exchange]
    values = [block for block in exchanged if block.type != "other"]
    names = {tuple(sorted(map(named, (k.a, k.b)))) for k in values if k.type == "name"}
    style = hashed(names.pop()) if len(names) == 1 and all(k.type == "name" for k in values) else None
    if any(is_own_subject(block, titles) for block in exchanged):
        return Verdict(TEMPLATE, 0.8, style is not None, style)
    form = is_template(differing, values, one.words, other.words)
    if form and (place.apart >= 0 or place.alike < LIKE or not values):
        return Verdict(TEMPLATE, 0.8, style is not None, style)
    if 0 <= place.apart < ROWS and any(map(is_another, blocks)):
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
    same = bool(values) and place.titled and is_about_same(titles)
    known = same or is_clear(differing, blocks, one, other)
    strange = 0 <= place.alike < LIKE and not known
    if strange and not (values or qualified):
        return Verdict(COPY_EDIT, 0.7, framed)
    if strange and place.alike < ALIKE:
        return Verdict(TEMPLATE, 0.7, framed)
    if contrary or qualified:
        style = None
    only = 1.0 if style is None else 0.9
    sure = (0.6 if place.alike < 0 else max(place.alike, ALIKE)) * only * (1.0 if values else 0.8)
    return Verdict(VERSIONED if form or strange else DRIFT, sure, True, style)


def is_clear(
    differing: Sequence[Block], blocks: Sequence[Block], one: Sentence, other: Sentence
) -> bool:
    """Return whether two long sentences are the same but for one number or date inside of them."""
    if len(differing) != 1 or len(blocks) != 1 or min(len(one.words), len(other.words)) < CLEAR:
        return False
    [block] = differing
    narrow = block.is_exchange and max(len(block.a), len(block.b)) <= NARROW
    return narrow and block.type in ("number", "date") and block.at_a > 0 and block.at_b > 0


def is_about_same(titles: tuple[str | None, str | None]) -> bool:
    """Return whether all words of one title are in the other one: Angola, and Politics of Angola."""
    if titles[0] is None or titles[1] is None:
        return False
    a, b = (list(parts_of(words_of(title))) for title in titles if title is not None)
    shorter, longer = (b, a) if len(a) > len(b) else (a, b)
    return len(shorter) > 0 and set(shorter) <= set(longer)


def is_doubtful(block: Block, *, garbled: bool, known: bool) -> bool:
    """Return whether what looks like another value may be none.

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
    """Return whether more was exchanged than words such as articles and prepositions."""
    return any(folded(word) not in FUNCTION_WORDS for word in block.a) and any(
        folded(word) not in FUNCTION_WORDS for word in block.b
    )


def is_another(block: Block) -> bool:
    """Return whether words differ by more than a letter: in a list, these are other things."""
    from rapidfuzz.distance import OSA

    if block.is_exchange:
        a, b = ("".join(map(folded, words)) for words in (block.a, block.b))
        return has_content(block) and OSA.distance(a, b, score_cutoff=1) > 1
    return any(folded(word) not in FUNCTION_WORDS for word in block.a or block.b)


def turns_page(blocks: Sequence[Block], words: Sequence[str]) -> bool:
    """Return whether a page number differs: heads of pages."""
    return any(k.type == "mark" and k.at_a and folded(words[k.at_a - 1]) == "page" for k in blocks)


def is_qualifier(block: Block, one: Sentence, other: Sentence) -> bool:
    """Return whether a name has more words in one sentence: the [Lesser] General Public License."""
    if block.is_exchange or block.type != "name":
        return False
    (words, at), shouts = (
        ((one.words, block.at_a), one.shouts) if block.a else ((other.words, block.at_b), other.shouts)
    )
    size = len(block.a or block.b)
    if any(map(is_loud, block.a or block.b)) or shouts or at == 0 or at + size >= len(words):
        return False
    return at > 1 and type_of_word(words[at - 1]) == type_of_word(words[at + size]) == "name"


def is_template(
    differing: Sequence[Block],
    values: Sequence[Block],
    words_a: Sequence[str],
    words_b: Sequence[str],
) -> bool:
    """Return whether two sentences are the same frame, filled in for different subjects."""
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
    """Return whether each side names what its article is about, and the other article is not."""
    if not titles[0] or not titles[1] or titles[0] == titles[1]:
        return False
    own_a, own_b = (set(parts_of(words_of(title))) for title in titles if title)
    return not (own_a - own_b).isdisjoint(parts_of(block.a)) and not (own_b - own_a).isdisjoint(
        parts_of(block.b)
    )


def parts_of(words: Sequence[str]) -> Iterator[str]:
    """Yield the folded parts of words between their hyphens."""
    return (folded(part) for word in words for part in word.split("-") if part)


def is_subject(block: Block, head: int, words: Sequence[str]) -> bool:
    """Return whether a name stands where subjects do; or its second word, as in Panthera leo."""
    if block.at_a >= head or block.at_b >= head:
        return False
    if block.type == "name":
        return True
    latin = len(block.a) == len(block.b) == block.at_a == block.at_b == 1 and head == 2
    return latin and block.type == "other" and is_name(words[0], 0)


def is_numbered_subject(block: Block, words: Sequence[str]) -> bool:
    """Return whether a number is part of a subject: Psalm 12, the 47th season."""
    if block.type == "name" or not 1 <= block.at_a == block.at_b <= 2:
        return False
    before = words[block.at_a - 1]
    return is_name(before, block.at_a - 1) or (block.at_a == 1 and folded(before) in ARTICLES)


def is_unlike(differing: Sequence[Block], words: int) -> bool:
    """Return whether too many of the words were exchanged."""
    exchanged = sum(len(k.a) + len(k.b) for k in differing if k.type == "other" and k.a and k.b)
    return exchanged >= UNLIKE * words


def is_contrary(differing: Sequence[Block]) -> bool:
    """Return whether a negation was added or dropped, or a word exchanged for its opposite."""
    sides = [w for k in differing for w in k.a], [w for k in differing for w in k.b]
    denies = [any(is_negation(folded(word)) for word in words) for words in sides]
    if denies[0] != denies[1] and not any(
        k.a and k.b and min(*k.a, *k.b) >= FIRST_SOLO for k in differing
    ):
        return True  # there, it may be part of a word
    return any(map(is_opposite, differing))


def is_opposite(block: Block) -> bool:
    """Return whether a word was exchanged for its opposite, or an ordinal number added."""
    a, b = [folded(word) for word in block.a], [folded(word) for word in block.b]
    if not a or not b:
        return len(a or b) == 1 and NUMBERS.get((a or b)[0], "").endswith(("nd", "rd", "th"))
    for x, y in ((x, y) for x in a for y in b):
        if y in OPPOSITES.get(x, ()) or (
            min(len(x), len(y)) > 3 and x != y and max(x, y, key=len) == f"un{min(x, y, key=len)}"
        ):
            return True
    return False


def is_name(word: str, place: int) -> bool:
    """Return whether a word is a name: with a capital, and at the beginning no word of all sentences."""
    return word[0].isupper() and not (place == 0 and folded(word) in FUNCTION_WORDS)
