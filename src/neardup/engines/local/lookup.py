"""Rows of a large table, fetched by key inside a Map."""

import mmap
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from neardup.arrays import Integers
from neardup.engines.local.frugality import Frugality, give_back
from neardup.engines.local.store import StoredTable, mapped_file
from neardup.kernels.lists import Lists

FEW_ROWS = 32
NO_KEY = np.iinfo(np.int64).min


class BatchLookup:
    """Fetches rows from batches by their first column, by which they are sorted all in all."""

    def __init__(self, batches: Sequence[pa.RecordBatch]) -> None:
        self._batches = [batch for batch in batches if batch.num_rows]
        self._lists: dict[str, Lists] = {}
        self._firsts = np.array([batch.column(0)[0].as_py() for batch in self._batches], np.int64)

    def take(self, keys: pa.Array) -> pa.RecordBatch:
        """Return the rows with these keys, which are sorted and distinct."""
        wanted = keys.to_numpy()
        bounds = np.append(np.searchsorted(wanted, self._firsts[1:]), len(wanted))
        found = []
        begin = 0
        for number, end in enumerate(bounds.tolist()):
            if begin < end:
                batch = self._batches[number]
                rows = np.searchsorted(batch.column(0).to_numpy(), wanted[begin:end])
                found.append(batch.take(pa.array(rows)))
                self.let_go(number)
            begin = end
        return pa.concat_batches(found)

    def lists(self, column: str, keys: Integers) -> Lists:
        """Return where the lists of these keys lie, in their order; they need not be distinct."""
        rows = np.searchsorted(self._keys[:-1], keys)
        if (self._keys[rows] != keys).any():
            raise KeyError("some of these rows are not in the table")
        lists = self._lists.get(column) or self._where(column)
        return Lists(lists.addresses[rows], lists.sizes[rows])

    def portions(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield a batch in pieces, and let go of what was read for each; whole if memory allows."""
        yield batch

    def let_go(self, number: int) -> None:
        """Give back the memory of what was read of one batch, if it can be read again."""

    @cached_property
    def _keys(self) -> Integers:
        """Return the first column, and behind it a key that is none."""
        columns = (batch.column(0).to_numpy() for batch in self._batches)
        return np.concatenate([*columns, np.array([NO_KEY])])

    def _where(self, column: str) -> Lists:
        """Return where all lists of a column lie: 12 bytes a row."""
        addresses, sizes = [np.empty(0, np.int64)], [np.empty(0, np.int32)]
        for batch in self._batches:
            bounds, values = batch[column].offsets.to_numpy(), batch[column].values
            begin = values.buffers()[1].address if len(values) else 0
            width = values.type.bit_width // 8
            addresses.append(begin + (bounds[:-1] + np.int64(values.offset)) * width)
            sizes.append(np.diff(bounds))
        self._lists[column] = Lists(np.concatenate(addresses), np.concatenate(sizes))
        return self._lists[column]


class StoredLookup(BatchLookup):
    """Fetches rows of a stored table, whose files are mapped into memory.

    Where little memory may be used, what was read of a file is given back at once.
    """

    def __init__(self, table: StoredTable, columns: Sequence[str]) -> None:
        """Fetch these columns, beside the first one."""
        chosen = [table.schema.names[0], *columns]
        self._maps: list[mmap.mmap] = []
        batches = []
        for part in table.parts:
            mapped, reader = mapped_file(part)
            found = [reader.get_batch(number) for number in range(reader.num_record_batches)]
            batches += [batch.select(chosen) for batch in found if batch.num_rows]
            self._maps += [mapped] * (len(batches) - len(self._maps))
        super().__init__(batches)
        self._let_all_go()

    def portions(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield a batch in pieces, and let go of what was read for each; whole if memory allows."""
        rows = FEW_ROWS if Frugality.on else max(batch.num_rows, 1)
        for start in range(0, max(batch.num_rows, 1), rows):
            yield batch.slice(start, rows)
            self._let_all_go()

    def let_go(self, number: int) -> None:
        """Give back the memory of the file that a batch is in."""
        give_back(self._maps[number])

    def _let_all_go(self) -> None:
        for mapped in {id(mapped): mapped for mapped in self._maps}.values():
            give_back(mapped)
