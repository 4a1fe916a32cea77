"""What is the same word in another spelling, against the slow twin."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA
from tests.twins import word_blocks as twin

from neardup.kernels import spellings
from neardup.kernels.spellings import Words
from neardup.methods.sentences.lexicon import words as words_of_lines
from neardup.methods.sentences.vocabulary import Numbered, known_words
from neardup.methods.sentences.words import folded

COMMON = sorted(
    words_of_lines(
        "the seven seventeen teen 17 1,200 1200 1.200.300 12,00 May march south St St km metre m north"
    )
)
WORD = st.text("abcdeé12", min_size=1, max_size=9) | st.sampled_from(COMMON)
SIDE = st.lists(WORD, min_size=1, max_size=3)


def known(*sides: list[str]) -> tuple[Words, list[Any], Any]:
    """Return what is known of some words, the numbers of each side, and room for texts."""
    words = Numbered()
    numbered = [words.of(side) for side in sides]
    return known_words([*words], Numbered()), numbered, np.empty((3, 64), np.int32)


def text(words: Words, side: Any) -> Any:
    """Return the folded words of a side, end to end."""
    out = np.empty(64, np.int32)
    return out[: spellings.write_joined(side, words, out)]


@given(SIDE, SIDE, st.sampled_from(["name", "other", "number"]))
def test_the_same_in_other_words_is_what_the_twin_says(a: list[str], b: list[str], kind: str) -> None:
    words, (one, other), room = known(a, b)
    expected = twin.is_same_text(tuple(map(folded, a)), tuple(map(folded, b)), kind)
    assert spellings.is_same_text(one, other, kind == "name", words, room) == expected


@given(WORD, WORD, st.integers(0, 8), st.sampled_from(["", "a", "un", "é"]))
def test_two_words_are_as_near_as_the_twin_says(a: str, b: str, at: int, letters: str) -> None:
    for other in (b, a[:at] + letters + a[at:], a[:at] + letters + a[at + 1 :], "un" + a):
        if other:
            words, (one, two), room = known([a], [other])
            x, y = folded(a), folded(other)
            own, its = text(words, one), text(words, two)
            assert spellings.is_misspelt(own, its, room[2]) == twin.is_misspelt(x, y)
            assert spellings.is_a_letter_off(own, its) == (OSA.distance(x, y) <= 1)
            shorter, longer = sorted((x, y), key=len)
            assert spellings.is_undone(own, its) == (len(shorter) > 3 and longer == f"un{shorter}")
