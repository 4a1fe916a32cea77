"""Sentences of a text, as the words with which they begin."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

LONGEST_PIECE = 4_000  # characters: the splitter's time grows faster than the text it is given
LEAST_FOR_DETECTION = 50
DETECTED_CHARACTERS = 600
BREAKS = ("\n\n", ". ", "。", "\n", " ")
ENDS = 3  # this many of them end a sentence


def sentence_starts(
    text: str, starts: npt.NDArray[np.int32], language: str = "auto"
) -> npt.NDArray[np.int32]:
    """Return the numbers of the words with which sentences begin; `starts` says where words are.

    >>> sentence_starts("Dr. Smith came. He left.", np.array([0, 4, 10, 16, 19]), "en").tolist()
    [0, 3]
    """
    if not len(starts):
        return np.empty(0, np.int32)
    code = detected(text) if language == "auto" else language
    begins = np.fromiter(sentence_offsets(text, code), np.int64)
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


def sentence_offsets(text: str, language: str) -> Iterator[int]:
    """Yield where sentences begin, in characters."""
    from sentencex import segment

    for begin, piece, is_new in pieces(text):
        found = segment(language, piece.encode("utf-8", "replace").decode())
        at = 0
        for sentence in found:
            # blank lines between paragraphs may be missing from what the splitter returns
            if not piece.startswith(sentence, at):
                at = max(piece.find(sentence, at), at)
            if at or is_new:
                yield begin + at
            at += len(sentence)


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
