"""Sentences of a text, as the words with which they begin."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from neardup.arrays import Places

LONGEST_PIECE = 4_000  # characters: the splitter's time grows faster than the text it is given
LEAST_FOR_DETECTION = 50
DETECTED_CHARACTERS = 600
BREAKS = ("\n\n", ". ", "。", "\n", " ")
ENDS = 3  # this many of them end a sentence
WIDE_SPACE = "[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"  # of several bytes
# Between a capital and a full stop, the splitter takes one for a byte. To search for the stop is faster.
SPACE_AND_STOP = re.compile(rf"\.(?<={WIDE_SPACE}\.)")
SPACE_BEFORE_STOP = re.compile(rf"{WIDE_SPACE}(?=\.)")


def sentence_starts(text: str, starts: Places, language: str = "auto") -> Places:
    """Return the numbers of the words with which sentences begin; `starts` says where words are.

    >>> sentence_starts("Dr. Smith came. He left.", np.array([0, 4, 10, 16, 19]), "en").tolist()
    [0, 3]
    """
    if not len(starts):
        return np.empty(0, np.int32)
    code = detected(text) if language == "auto" else language
    begins = np.array(sentence_offsets(text, code), np.int64)
    words = np.searchsorted(starts, begins)
    words = np.unique(words[words < len(starts)])
    return np.concatenate([[0], words[words > 0]]).astype(np.int32)


def detected(text: str) -> str:
    """Return the language of a text, or English where it cannot be told: its rules are harmless."""
    from resiliparse.parse.lang import detect_fast

    if len(text) < LEAST_FOR_DETECTION:
        return "en"
    found, _ = detect_fast(text[:DETECTED_CHARACTERS])
    return "en" if found == "unknown" else str(found)


def sentence_offsets(text: str, language: str) -> list[int]:
    """Return where sentences begin, in characters."""
    offsets: list[int] = []
    for begin, piece, is_new in pieces(text):
        plain = _harmless(piece)
        starts = _places(_segments(plain, language), plain)
        offsets += [begin + at for at in starts if at or is_new]
    return offsets


def _harmless(piece: str) -> str:
    """Return a text of the same length with nothing that the splitter fails at."""
    plain = piece.encode("utf-8", "replace").decode()
    return SPACE_BEFORE_STOP.sub(" ", plain) if SPACE_AND_STOP.search(plain) else plain


def _segments(piece: str, language: str) -> list[str]:
    """Return the sentences of a text; if the splitter fails after all, the text is one."""
    from sentencex import segment

    try:
        return segment(language, piece)  # type: ignore[no-any-return]
    except BaseException as problem:
        if type(problem).__name__ != "PanicException":  # a fault in Rust; the class has no other name
            raise
        return [piece]


def _places(parts: Sequence[str], piece: str) -> Iterator[int]:
    """Yield where parts of a text begin; blank lines between paragraphs may be missing from them."""
    sizes = list(map(len, parts))
    if sum(sizes) == len(piece):
        yield from accumulate(sizes[:-1], initial=0)
        return
    at = 0
    for part in parts:
        at = max(piece.find(part, at), at)
        yield at
        at += len(part)


def pieces(text: str) -> Iterator[tuple[int, str, bool]]:
    """Cut a text after a paragraph, a sentence, a line or a word, so that no piece is too long.

    Yields where each piece begins, the piece, and whether it begins a sentence.
    """
    begin, is_new = 0, True
    while len(text) - begin > LONGEST_PIECE:
        limit = begin + LONGEST_PIECE
        found = [text.rfind(mark, begin + 1, limit) + len(mark) for mark in BREAKS]
        good = [number for number, at in enumerate(found) if at > begin + LONGEST_PIECE // 2]
        end = found[good[0]] if good else limit
        yield begin, text[begin:end], is_new
        begin, is_new = end, bool(good) and good[0] < ENDS
    if begin < len(text):
        yield begin, text[begin:], is_new
