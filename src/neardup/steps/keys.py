"""Keys that are looked up while other rows pass by: the state of a Fold."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa


class KeySet:
    """The keys of boilerplate, sorted: the state of a Fold."""

    def __init__(self) -> None:
        self.values = np.empty(0, np.int64)

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in the keys of some rows."""
        self.values = np.union1d(self.values, batch["key"].to_numpy())

    def merge(self, other: "KeySet") -> None:
        """Take in all that another one took in."""
        self.values = np.union1d(self.values, other.values)

    def has(self, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Say which keys are among them."""
        if not len(self.values):
            return np.zeros(len(keys), np.bool_)
        at = np.minimum(np.searchsorted(self.values, keys), len(self.values) - 1)
        return np.asarray(self.values[at] == keys)
