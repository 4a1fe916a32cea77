"""What Folds keep of keys: roughly how many documents have one, and which are looked up later.

Counters are hashed, in a bounded share of the memory.
"""

import numpy as np
import pyarrow as pa

from neardup.arrays import Bools, Hashes, Integers
from neardup.steps.columns import from_lists

MOST_COUNTERS = 1 << 30  # bytes: a table has less than 2 ** 32 counters
LEAST_COUNTERS = 1 << 16
BYTES_A_COUNTER = 4  # of text: some two counters a shingle
MOST_BITS = 20  # by which keys are found


def counters_size(memory: int, text_bytes: int) -> int:
    """Return the bytes for a table of counters: a few counters a shingle, or what memory allows."""
    useful = text_bytes // BYTES_A_COUNTER // 2
    allowed = min(memory // 5, MOST_COUNTERS)
    return max(min(useful, allowed), LEAST_COUNTERS)


class Counters:
    """How many units have a value of a list, roughly: the state of a Fold."""

    def __init__(self, size: int, column: str = "shingles") -> None:
        self.table = np.zeros(size, np.uint8)
        self.column = column

    def add(self, batch: pa.RecordBatch) -> None:
        """Count each value of each list."""
        from neardup.kernels.counters import count_values

        values, bounds = from_lists(batch[self.column])
        count_values(self.table, values[bounds[0] : bounds[-1]])

    def merge(self, other: "Counters") -> None:
        """Add the counts of another part of the units."""
        from neardup.kernels.counters import add_counters

        add_counters(self.table, other.table)

    def counts(self, values: Hashes) -> Integers:
        """Return how many units have each value: never too few, but 15 for more."""
        half = np.uint64(32)
        cells = (values >> half) * np.uint64(2 * len(self.table)) >> half
        shifts = (cells & np.uint64(1)).astype(np.uint8) * np.uint8(4)
        return np.asarray(self.table[cells >> np.uint64(1)] >> shifts & np.uint8(15), np.int64)


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
