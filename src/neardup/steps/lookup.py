"""What a Map may fetch from: rows of a large table, by key."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from neardup.arrays import Integers

if TYPE_CHECKING:
    from neardup.kernels.lists import Lists


class Lookup(Protocol):
    """The large table from which a Map fetches rows by the first column."""

    def take(self, keys: pa.Array) -> pa.RecordBatch:
        """Return the rows with these keys, which are sorted and distinct."""

    def lists(self, column: str, keys: Integers) -> "Lists":
        """Return where the lists of these keys lie, in their order; they need not be distinct."""

    def portions(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield a batch in pieces, and let go of what was read for each; whole if memory allows."""
