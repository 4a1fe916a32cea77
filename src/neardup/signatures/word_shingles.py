"""Shingles of words, written `shingles:3`: the plainest signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neardup.signatures.signature import LEAST_WORDS, Argument, Notation, Sets, Signature

if TYPE_CHECKING:
    from neardup.signatures.word_counts import Bounds, WordCounts, Words


@dataclass(frozen=True)
class WordShingles(Signature):
    """Overlapping runs of `width` words; a shorter list is one shingle.

    >>> import numpy as np
    >>> words = np.arange(1, 7, dtype=np.uint64)
    >>> np.diff(WordShingles(3).of(words, np.array([0, 4, 6]), None).bounds).tolist()
    [2, 0]
    """

    width: int
    least: int = LEAST_WORDS

    @property
    def shape(self) -> tuple[int, int]:
        """Return the width of runs, and the window in which one is kept: every one is."""
        return self.width, 1

    def of(self, words: Words, bounds: Bounds, _: WordCounts | None) -> Sets:
        """Return the shingles of each list."""
        from neardup.kernels.sentence_signatures import sentence_shingles

        return Sets(*sentence_shingles(words, bounds, self.width, self.least))


NOTATION = Notation("shingles", WordShingles, (Argument("width", "N", 1, 9),))
