"""Winnowing, written `winnowing:5,3`: runs of words, of which one in every window is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from neardup.signatures.signature import Argument, Notation, Sets, Signature

if TYPE_CHECKING:
    from neardup.signatures.word_counts import Bounds, WordCounts, Words

LEAST_WORTH = 2253  # of 1024 for a run that only these two have: three such, or more of common ones
DENSE_WINDOW = 4  # up to which so much is asked; where fewer runs are kept, less


@dataclass(frozen=True)
class Winnowing(Signature):
    """Runs of `width` words, of which one in every `window` neighbouring ones is kept."""

    width: int
    window: int
    least: int = 1

    def __str__(self) -> str:
        return f"winnowing:{self.width},{self.window}"

    @property
    def shape(self) -> tuple[int, int]:
        """Return the width of runs, and the window in which one is kept."""
        return self.width, self.window

    @property
    def least_worth(self) -> int:
        """Return how much the kept runs that two documents share must be worth to propose them."""
        return LEAST_WORTH * (DENSE_WINDOW + 1) // (max(self.window, DENSE_WINDOW) + 1)

    def of(self, words: Words, bounds: Bounds, _: WordCounts | None) -> Sets:
        """Return the kept runs of each list."""
        import numpy as np

        from neardup.kernels.winnowing import distinct_keys

        keys, _, starts = self.runs(words.view(np.int64), bounds)  # as words are in tables
        long = np.diff(bounds) >= self.least
        if not long.all():
            keys = keys[long.repeat(np.diff(starts))]
            starts = np.concatenate([[0], np.cumsum(np.diff(starts) * long)])
        return Sets(*distinct_keys(keys, starts))

    def runs(self, words: Any, bounds: Bounds, counters: Any = None) -> tuple[Any, Any, Any]:
        """Return the kept runs of each list end to end: hashes, places, where each list's begin.

        A run that a list has again and again is there a few times. With counters, only those runs that
        another list may have too.
        """
        import numpy as np

        from neardup.kernels.winnowing import winnow_texts

        counted = np.empty(0, np.uint8) if counters is None else counters
        keys, places, starts = winnow_texts(words, bounds, *self.shape, counted)
        return keys, places, starts


NOTATION = Notation(
    "winnowing", Winnowing, (Argument("width", "N", 1, 9), Argument("window", "W", 1, 99))
)
