"""SpotSigs (Theobald et al., 2008), `spotsigs` or `spotsigs:50`: frequent words and their chains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from neardup.errors import SettingsError
from neardup.signatures.signature import LEAST_WORDS, Argument, Notation, Sets, Signature

if TYPE_CHECKING:
    from neardup.signatures.word_counts import Bounds, WordCounts, Words

MOST = 10_000
MOST_SHARE = 0.6  # of all words, that are antecedents by default
MOST_DISTANCE = 100


def listed_words(text: str, distance: int) -> dict[str, int]:
    """Read antecedents with their distances; those that have none get the one that is given.

    >>> listed_words("the:2, is, of:0", 1)
    {'the': 2, 'is': 1, 'of': 0}
    """
    found = {}
    for part in text.split(","):
        word, colon, number = (piece.strip() for piece in part.partition(":"))
        digits = number if colon else str(distance)
        if not word or not digits.isdecimal() or int(digits) > MOST_DISTANCE:
            hint = f"Write words with distances from 0 to {MOST_DISTANCE}, such as the:2,is,of:0."
            raise SettingsError(f"{part.strip()!r} is no antecedent with its distance", hint=hint)
        found[word] = int(digits)
    return found


@dataclass(frozen=True)
class SpotSigs(Signature):
    """Takes an antecedent, one of the most frequent words, with `chain` of the words that follow it.

    Every `distance`-th word that is not a stop word is in the chain. Stop words are the 40 most frequent
    words of the corpus, or those that make up 40 % of a small one: so they are known in any language.
    Without a number of antecedents, they are the words that make up 60 % of the text, 10,000 at most.
    (The paper took 10,000 for English and 60 for Chinese; how good a fixed number is depends much on the
    corpus.) Or `words` are antecedents, each with its distance, and chains skip these; a word
    with the distance 0 starts none, as stop words do.
    """

    antecedents: int | None = None
    distance: int = 1
    chain: int = 2
    least: int = LEAST_WORDS
    words: str | None = None
    counts = "occurrences"

    def number(self, counts: WordCounts) -> int:
        """Return how many words of a corpus are antecedents."""
        if self.antecedents is not None:
            return self.antecedents
        return min(MOST, counts.covering(MOST_SHARE))

    def of(self, words: Words, bounds: Bounds, counts: WordCounts | None) -> Sets:
        """Return the spot signatures of each sentence; many sentences may have none."""
        from neardup.kernels.sentence_signatures import spots

        if counts is None:
            raise ValueError("SpotSigs needs the occurrences of each word")
        marks = counts.most_frequent(0 if self.words else self.number(counts))
        stops = counts.most_frequent(counts.stop_words)
        given = listed_hashes(self.words, self.distance)
        return Sets(*spots(words, bounds, marks, stops, self.distance, *given, self.chain, self.least))


@cache
def listed_hashes(text: str | None, distance: int) -> tuple[Any, Any]:
    """Return the sorted hashes of the antecedents in a list, and their distances."""
    import numpy as np

    from neardup.text import tokenise

    found = {}
    for word, own in (listed_words(text, distance) if text else {}).items():
        hashes = tokenise(word).hashes.tolist()
        if len(hashes) != 1:
            raise SettingsError(f"{word!r} is not one word", hint="Antecedents are single words.")
        found[hashes[0]] = own
    ordered = sorted(found)
    return np.array(ordered, np.uint64), np.array([found[value] for value in ordered], np.int64)


NOTATION = Notation(
    "spotsigs", SpotSigs, (Argument("antecedents", "ANTECEDENTS", 1, 99_999),), bare=True
)
