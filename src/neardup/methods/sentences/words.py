"""Words as the rules of `kinds` see them: what a token is, of which type, and when two are the same.

A token is a word, a number, a sign with a meaning, or a mark: what numbers a clause, an item of a list
or a citation, such as `(3)`, `4.` or `[RFC2119]`. Marks may be others in the next version of a text that
says the same.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from operator import ne

from neardup.methods.sentences.lexicon import (
    ABBREVIATIONS,
    ARTICLES,
    FUNCTION_WORDS,
    MONTHS,
    NEGATIONS,
    NUMBERS,
    OPPOSITES,
    VERBS,
)

# Scripts that are written without spaces: a character is a word.
SOLO = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
FIRST_SOLO = "\u0e00"
SOLO_NUMBERS = "零〇一二三四五六七八九十百千"
NUMBER = r"\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s\b)?"
CITED = r"\[(?:\d{1,3}|[A-Z][A-Za-z0-9.+_-]{1,20})\]"
TOKEN = re.compile(rf"[^\W\d_{SOLO}]+(?:['’\-][^\W\d_{SOLO}]+)*|{NUMBER}|{CITED}|[{SOLO}]|[%$€£¥°−]")
ASCII_TOKEN = re.compile(rf"[A-Za-z]+(?:['\-][A-Za-z]+)*|{NUMBER}|{CITED}|[%$]")  # the same, and faster
# What numbers a sentence: 4. or 1.2. or (3) or b) or LMp.10 or （三） or 第四条
ENUMERATOR = re.compile(
    rf"[\W_]{{0,4}}(?:\d{{1,3}}(?:\.\d{{1,3}})*[.):](?=\s)|[A-Za-z]{{1,5}}\.\d{{1,3}}(?=\s)"
    rf"|(?:[A-Za-z]|[ivx]{{2,5}})\)(?=\s)|(?:[{SOLO_NUMBERS}]{{1,5}}|\d{{1,3}})[)）、]"
    rf"|第(?:[{SOLO_NUMBERS}]{{1,8}}|\d{{1,4}})[条章节])"
)
YEAR = re.compile(r"(1\d|20)\d\d(s|–\d+|/\d+)?")
THOUSANDS = re.compile(r"[.,](?=\d{3}(\D|$))")
SPELLING = 0.34  # of a word's letters may differ if it is another spelling of it
NAME_SPELLING = 0.25
CUT = 3  # letters, at most, of a name that is cut short: St. for Street


@lru_cache(1 << 13)
def words_of(text: str) -> list[str]:
    """Return the words, numbers, marks and signs with a meaning of a text."""
    token = ASCII_TOKEN if text.isascii() else TOKEN
    if found := ENUMERATOR.match(text):
        return [found.group().lstrip(), *token.findall(text, found.end())]
    return token.findall(text)


@lru_cache(1 << 16)
def type_of_word(word: str) -> str:
    """Return the type of a word by itself; `spelt` is a number in letters.

    >>> [type_of_word(word) for word in ("Rome", "1874", "two", "(3)", "[RFC2119]", "city")]
    ['name', 'date', 'spelt', 'mark', 'mark', 'other']
    """
    if len(word) > 1 and (
        word[0] in "[(（第" or not word[-1].isalnum() or (word[0].isalpha() and word[-1].isdigit())
    ):
        return "mark"
    if word[0].isdigit():
        return "date" if YEAR.fullmatch(word) else "number"
    if is_month(word):
        return "date"
    if folded(word) in NUMBERS:
        return "spelt"
    if word.islower() or word[0] >= FIRST_SOLO:
        return "other"
    return "other" if folded(word) in FUNCTION_WORDS and not is_loud(word) else "name"


def is_loud(word: str) -> bool:
    """Return whether a word is written in capitals."""
    return len(word) > 1 and word.isupper()


def is_month(word: str) -> bool:
    """Return whether a word is the name of a month or a day; `may` and `march` are none."""
    return folded(word) in MONTHS and (word[0].isupper() or folded(word) not in ("may", "march"))


def is_name(word: str, place: int) -> bool:
    """Return whether a word is a name: with a capital, and at the beginning no word of all sentences."""
    return word[0].isupper() and not (place == 0 and folded(word) in FUNCTION_WORDS)


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


def number_text(word: str) -> str:
    """Return a number in digits, whatever separates its thousands; any other word as it is."""
    return THOUSANDS.sub("", word) if word[0].isdigit() else NUMBERS.get(word, word)


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
