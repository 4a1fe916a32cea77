"""What the rules of `kinds` know of words, sentences and titles by themselves, as arrays for kernels.

A rule is arithmetic on numbers of words then: what is asked of a word's letters is asked once of each
distinct word.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
import pyarrow as pa

from neardup.arrays import Integers, Places
from neardup.kernels import spellings as flag
from neardup.kernels.kinds import Sentences, Titles
from neardup.kernels.spellings import Words
from neardup.methods.sentences import lexicon
from neardup.methods.sentences.lexicon import ABBREVIATIONS, NUMBERS, OPPOSITES
from neardup.methods.sentences.single import traits_of
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

ERA_SIGNS = frozenset("年月日")
CLAUSE_SIGNS = frozenset("条款项章节编")
TYPES = ("other", "name", "number", "date", "mark", "spelt")  # in the order of the kernels
OWNER = re.compile(r"['’]s$")
ROW_OF_OPPOSITE = {word: row for row, word in enumerate(OPPOSITES)}


def _flags_of_folded() -> dict[str, int]:
    """Return what the lexicon says of folded words."""
    found: dict[str, int] = {}
    ordinals = [word for word, value in NUMBERS.items() if value.endswith(("nd", "rd", "th"))]
    denying = {*lexicon.NEGATIONS, "cant", "wont", "dont", *(f"{verb}nt" for verb in lexicon.VERBS)}
    for words, bit in (
        (lexicon.FUNCTION_WORDS, flag.FUNCTION),
        (lexicon.ARTICLES, flag.ARTICLE),
        (denying, flag.DENIES),
        (lexicon.MONTHS, flag.MONTH),
        (lexicon.CROSS_REFERENCES, flag.CROSS),
        (("page",), flag.PAGE),
        (NUMBERS, flag.SPELT_NUMBER),
        (ordinals, flag.ORDINAL),
    ):
        for word in words:
            found[word] = found.get(word, 0) | bit
    return found


FLAGS_OF_FOLDED = _flags_of_folded()


class Numbered(dict[str, int]):
    """Texts, numbered in the order in which they are first asked for."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number

    def of(self, texts: Iterable[str]) -> Places:
        """Return the numbers of texts."""
        return np.fromiter(map(self.__getitem__, texts), np.int32)


@lru_cache(1 << 16)
def traits(word: str) -> tuple[int, int, int, int, str, str, str, str]:
    """Return the traits of a word: flags, type, row among opposites and digits, and its four texts."""
    plain, first = folded(word), word[0]
    flags = FLAGS_OF_FOLDED.get(plain, 0)
    if first.isupper():
        flags |= flag.UPPER | (flag.PLAIN if word[1:].islower() else 0)
    for holds, bit in (
        (is_loud(word), flag.LOUD),
        (is_month(word) or word in ERA_SIGNS, flag.ERA),
        (first >= FIRST_SOLO, flag.SOLO),
        (word in SOLO_NUMBERS, flag.SOLO_NUMBER),
        (word in CLAUSE_SIGNS, flag.CLAUSE),
        (word == "第", flag.ORDER),
        (first.isdigit(), flag.DIGIT_FIRST),
        (plain[0].isdigit(), flag.DIGITAL),
        (word in lexicon.VERBS, flag.VERB),
    ):
        if holds:
            flags |= bit
    digits = sum(map(str.isdigit, word)) if flags & flag.DIGIT_FIRST else 0
    short, own = ABBREVIATIONS.get(plain, plain), OWNER.sub("", word) if word[-1] == "s" else word
    row = ROW_OF_OPPOSITE.get(plain, -1)
    return flags, TYPES.index(type_of_word(word)), row, digits, plain, number_text(plain), short, own


def known_words(words: Sequence[str], texts: Numbered) -> Words:
    """Return what is known of words; their texts get numbers."""
    numbers = np.array([(texts[word], texts[digits]) for word, digits in NUMBERS.items()], np.int64)
    rows = [(*row[:4], *map(texts.__getitem__, row[4:])) for row in map(traits, words)]
    parts = [[texts[part] for part in parts_of(word)] for word in words]
    opposites = np.zeros((len(OPPOSITES), len(OPPOSITES)), np.bool_)
    for word, others in OPPOSITES.items():
        for other in others:
            opposites[ROW_OF_OPPOSITE[word], ROW_OF_OPPOSITE[other]] = True
    return Words(
        np.array(rows, np.int64).reshape(-1, 8),
        *characters(list(texts)),
        np.array(list(chain.from_iterable(parts)), np.int32),
        bounds_of(parts),
        opposites,
        numbers,
    )


def characters(texts: Sequence[str]) -> tuple[Places, Integers]:
    """Return the characters of texts, with what each is in its high bits, and where texts begin."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.int32)
    distinct, places = np.unique(codes, return_inverse=True)
    known = [
        code
        | (flag.DIGIT if char.isdigit() else 0)
        | (flag.DECIMAL if char.isdecimal() else 0)
        | (flag.LETTER if char.isalpha() else 0)
        for code, char in ((code, chr(code)) for code in distinct.tolist())
    ]
    return np.array(known, np.int32)[places], bounds_of(texts)


def bounds_of(lists: Sequence[Sequence[object]]) -> Integers:
    """Return where lists begin and end if they follow each other."""
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)


@lru_cache(1 << 16)
def parts_of(word: str) -> tuple[str, ...]:
    """Return the folded parts of a word between its hyphens."""
    return tuple(folded(part) for part in word.split("-") if part)


def known_sentences(texts: pa.Array, own: Sequence[list[str]], words: Numbered) -> Sentences:
    """Return what is known of sentences; their words get numbers."""
    tokens = words.of(chain.from_iterable(own))
    return Sentences(tokens, bounds_of(own), traits_of(texts, own))


def known_titles(titles: Sequence[str], texts: Numbered) -> Titles:
    """Return the parts of the words of titles, which get numbers."""
    parts = [[part for word in words_of(title) for part in parts_of(word)] for title in titles]
    return Titles(texts.of(chain.from_iterable(parts)), bounds_of(parts))
