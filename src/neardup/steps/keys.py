"""Keys that are looked up while other rows pass by: the state of a Fold."""

import numpy as np
import pyarrow as pa

from neardup.arrays import Bools, Integers

MOST_BITS = 20  # by which keys are found


class KeySet:
    """The keys of boilerplate, sorted, and where those with equal first bits begin: a Fold's state."""

    def __init__(self) -> None:
        self.values = np.empty(0, np.int64)
        self._starts: Integers | None = None

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in the keys of some rows."""
        self.values = np.union1d(self.values, batch["key"].to_numpy())

    def merge(self, other: "KeySet") -> None:
        """Take in all that another one took in."""
        self.values = np.union1d(self.values, other.values)

    def has(self, keys: Integers) -> Bools:
        """Say which keys are among them."""
        if not len(self.values):
            return np.zeros(len(keys), np.bool_)
        from neardup.kernels.partition import are_among

        if self._starts is None or self._starts[-1] != len(self.values):
            bits = min(len(self.values).bit_length(), MOST_BITS)
            firsts = (self.values >> (64 - bits)) + (1 << (bits - 1))
            self._starts = np.searchsorted(firsts, np.arange((1 << bits) + 1))
        return np.asarray(are_among(keys, self.values, self._starts))
