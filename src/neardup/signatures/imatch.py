"""I-Match (Chowdhury et al., 2002), `imatch` or `imatch:0.1,0.9`: one hash of words not too common."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neardup.errors import SettingsError
from neardup.signatures.signature import LEAST_WORDS, Argument, Notation, Sets, Signature

if TYPE_CHECKING:
    from neardup.signatures.word_counts import Bounds, WordCounts, Words

FEW_DOCUMENTS = 10


@dataclass(frozen=True)
class IMatch(Signature):
    """Keeps the words whose normalised idf, log(N / df) / log N, is from `low` to `high`.

    Sentences with the same set of such words are duplicates. With fewer than `few` documents all words
    are kept: of two documents, a word that both have is in all of them.

    >>> IMatch(low=0.1).documents(1000)
    (1, 501)
    """

    low: float = 0.1
    high: float = 1.0
    least: int = LEAST_WORDS
    few: int = FEW_DOCUMENTS
    counts = "documents"
    single = True

    def __post_init__(self) -> None:
        if self.low > self.high:
            given = f"'imatch:{self.low:g},{self.high:g}'"
            raise SettingsError(f"there is no signature {given}: the lower idf comes first")

    def documents(self, corpus: int) -> tuple[int, int]:
        """Return in how many documents of a corpus a word must be at least and at most."""
        if corpus < self.few:
            return 1, 2**32
        # a little wider, so that rounding drops no word at the bound
        fewest = math.ceil(corpus ** (1 - self.high) * (1 - 1e-9))
        most = math.floor(corpus ** (1 - self.low) * (1 + 1e-9))
        return fewest, most

    def of(self, words: Words, bounds: Bounds, counts: WordCounts | None) -> Sets:
        """Return the one signature of each sentence; none if fewer than `least` words are kept."""
        from neardup.kernels.sentence_signatures import imatch

        if counts is None:
            raise ValueError("I-Match needs the documents of each word")
        fewest, most = self.documents(counts.documents)
        return Sets(*imatch(words, bounds, counts.table, fewest, most, self.least))


NOTATION = Notation(
    "imatch",
    IMatch,
    (Argument("low", "LOW", 0, 1, whole=False), Argument("high", "HIGH", 0, 1, whole=False)),
    bare=True,
)
