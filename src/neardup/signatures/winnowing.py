"""Winnowing: runs of words, of which one in every window is kept."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.steps.columns import from_lists

SMALL_CORPUS = 64 << 20  # bytes, up to which even runs of three words are rare enough
LEAST_WORTH = 2253  # of 1024 for a run that only these two have: three such, or more of common ones
DENSE_WINDOW = 4  # up to which so much is asked; where fewer runs are kept, less


class Winnowing(NamedTuple):
    """Runs of `width` words, of which one in every `window` neighbouring ones is kept.

    >>> Winnowing.parse("winnowing:5,4")
    Winnowing(width=5, window=4)
    """

    width: int
    window: int

    @classmethod
    def parse(cls, signature: str, size: int = 0) -> "Winnowing":
        """Read the notation that users write; `auto` depends on the size of the input in bytes."""
        if signature == "auto":
            return cls(3, 1) if size <= SMALL_CORPUS else cls(5, 6)
        width, window = signature.removeprefix("winnowing:").split(",")
        return cls(int(width), max(int(window), 1))

    @property
    def least_worth(self) -> int:
        """Return how much the kept runs that two documents share must be worth to propose them."""
        return LEAST_WORTH * (DENSE_WINDOW + 1) // (max(self.window, DENSE_WINDOW) + 1)

    def runs(self, batch: pa.RecordBatch, counters: Any = None) -> tuple[Any, Any, Any]:
        """Return the kept runs of each text end to end: hashes, places, where each text's begin.

        With counters, only those that another text may have too.
        """
        from neardup.kernels.winnowing import winnow_texts

        words, bounds = from_lists(batch["words"])
        counted = np.empty(0, np.uint8) if counters is None else counters
        keys, places, starts = winnow_texts(words, bounds, self.width, self.window, counted)
        return keys, places, starts
