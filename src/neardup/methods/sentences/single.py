"""What the rules of `kinds` know of a sentence by itself: its words, and whether it is language."""

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Array
from neardup.methods.sentences.lexicon import ANY_MARK, CITATION, GERMAN, SPEECH
from neardup.methods.sentences.words import FIRST_SOLO

LEADER = re.compile(r"(?:\. ?){5,}\s*\d+$")
LOWER = 0.3  # of the words begin with a small letter, or capitals tell no names
PLAIN = "^[ -~]*$"  # texts in which Arrow's expressions, which are far faster, find what Python's do


def searched(pattern: re.Pattern[str], texts: pa.Array) -> Array:
    """Return in which texts a pattern is found."""
    found = np.array(pc.match_substring_regex(texts, pattern.pattern), np.bool_)
    others = pc.invert(pc.match_substring_regex(texts, PLAIN))
    found[np.array(others, np.bool_)] = [bool(pattern.search(t.as_py())) for t in texts.filter(others)]
    return found


def traits_of(texts: pa.Array, words: Sequence[list[str]]) -> Array:
    """Return what is known of texts: marks of citations, hardly language, drawn, leading, shouting."""
    drawn = np.array([is_drawn(text) for text in texts.to_pylist()], np.bool_)
    few = np.array([has_few_letters(own) for own in words], np.bool_)
    shouts = np.array([is_shouting(own) for own in words], np.bool_)
    return np.stack(
        [citing(texts), few | drawn, drawn, searched(LEADER, texts), shouts], 1, dtype=np.int64
    )


def citing(texts: pa.Array) -> Array:
    """Return how much says that texts are citations; 2 is enough.

    >>> citing(pa.array(["Neotropical Ichthyology 11 (1): 73-80."])).tolist()
    [2]
    """
    found = searched(ANY_MARK, texts).astype(np.int64)
    marked = texts.filter(pa.array(found > 0))
    weights = [weight * searched(mark, marked) for mark, weight in CITATION]
    found[found > 0] = sum(weights) - searched(SPEECH, marked)
    return found


def is_shouting(words: Sequence[str]) -> bool:
    """Return whether capitals tell no names: there are too many, or it is German."""
    letters = [first for first in (word[0] for word in words) if first.isalpha() and first < FIRST_SOLO]
    small = sum(map(str.islower, letters))
    return (len(letters) > 1 and small < LOWER * len(letters)) or len(GERMAN.intersection(words)) > 1


def has_few_letters(words: Sequence[str]) -> bool:
    """Return whether there are hardly any words in a text."""
    letters = "".join(filter(str.isalpha, words))
    return len(letters) < 2 * len(words) and not any(letter >= FIRST_SOLO for letter in letters)


def is_drawn(text: str) -> bool:
    """Return whether a text is a drawing: lines, boxes."""
    return text.count("|") >= 4 or "+-+-" in text or "-----" in text
