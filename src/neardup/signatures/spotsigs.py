"""SpotSigs (Theobald et al., 2008), `spotsigs` or `spotsigs:50`: frequent words and their chains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neardup.signatures.notation import Argument, Notation
from neardup.signatures.signature import LEAST_WORDS, Sets, Signature

if TYPE_CHECKING:
    from neardup.signatures.word_counts import Bounds, WordCounts, Words

MOST = 10_000
MOST_SHARE = 0.6  # of all words, that are antecedents by default


@dataclass(frozen=True)
class SpotSigs(Signature):
    """Takes an antecedent, one of the most frequent words, with `chain` other words that follow it.

    Every `distance`-th word that is not an antecedent is in the chain. Without a number of antecedents,
    they are the words that make up 60 % of the text, 10,000 at most: in any language, most sentences
    then have both antecedents and chains. (The paper took 10,000 for English and 60 for Chinese; how
    good a fixed number is depends much on the corpus.)
    """

    antecedents: int | None = None
    distance: int = 1
    chain: int = 2
    least: int = LEAST_WORDS
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
        marks = counts.most_frequent(self.number(counts))
        return Sets(*spots(words, bounds, marks, self.distance, self.chain, self.least))


NOTATION = Notation(
    "spotsigs", SpotSigs, (Argument("antecedents", "ANTECEDENTS", 1, 99_999),), bare=True
)
