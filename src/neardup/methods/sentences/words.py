"""Words as the rules of `kinds` see them: what a token is, and of which type.

A token is a word, a number, a sign with a meaning, or a mark: what numbers a clause, an item of a list
or a citation, such as `(3)`, `4.` or `[RFC2119]`. Marks may be others in the next version of a text that
says the same.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from neardup.methods.sentences.lexicon import (
    FUNCTION_WORDS,
    MONTHS,
    NUMBERS,
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
ESCAPED = re.compile(r"(?<=[\w=/&?+.\-])%[0-9A-Fa-f]{2}")  # in addresses, a character in hexadecimal
YEAR = re.compile(r"(1\d|20)\d\d(s|–\d+|/\d+)?")
THOUSANDS = re.compile(r"[.,](?=\d{3}(\D|$))")


@lru_cache(1 << 13)
def words_of(text: str) -> list[str]:
    """Return the words, numbers, marks and signs with a meaning of a text."""
    if "%" in text:
        text = ESCAPED.sub(" ", text)
    token = ASCII_TOKEN if text.isascii() else TOKEN
    if found := ENUMERATOR.match(text):
        return [found.group().lstrip(), *token.findall(text, found.end())]
    return token.findall(text)


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


def number_text(word: str) -> str:
    """Return a number in digits, whatever separates its thousands; any other word as it is."""
    return THOUSANDS.sub("", word) if word[0].isdigit() else NUMBERS.get(word, word)


@lru_cache(1 << 16)
def folded(word: str) -> str:
    """Return a word without case, accents, hyphens and points.

    >>> folded("Saint-Étienne")
    'saintetienne'
    """
    kept = word.casefold()
    if not word.isascii():
        plain = unicodedata.normalize("NFKD", kept)
        kept = "".join(c for c in plain if not unicodedata.combining(c) and c != "’")
    kept = kept.replace("-", "").replace("'", "")
    return kept.replace(".", "") or word if not word[0].isdigit() else kept


def shown(words: Sequence[str]) -> str:
    """Return words as a reader likes to see them."""
    solo = words and words[0] >= FIRST_SOLO and min(words) >= FIRST_SOLO
    return ("" if solo else " ").join(words)
