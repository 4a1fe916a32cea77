"""Bringing rows together by their first column, in bounded memory, as MapReduce does.

Each batch of a table is cut into partitions by a hash of the first column, and these are written one
after the other, a file for each part of the table. A partition is then read from all those files.
"""

import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

from neardup.engines.local.store import StoredTable, read_part
from neardup.kernels.partition import partitions_of

MOST_PARTITIONS = 1024


class Shuffle:
    """The partitions of one table, each of about the given number of bytes."""

    def __init__(self, table: StoredTable, folder: Path, partition_bytes: int) -> None:
        self._table = table
        self._folder = folder
        self.bytes = sum(part.stat().st_size for part in table.parts)
        self.partitions = min(max(-(-self.bytes // partition_bytes), 1), MOST_PARTITIONS)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def scatter(self, part: Path) -> None:
        """Cut one part of the table into partitions."""
        with pa.ipc.new_file(str(self._folder / part.name), self._table.schema) as writer:
            for batch in read_part(part):
                # of 16 bits, which NumPy sorts by radix
                numbers = partitions_of(batch.column(0).to_numpy(), self.partitions).astype(np.uint16)
                order = np.argsort(numbers, kind="stable")
                bounds = np.searchsorted(numbers[order], np.arange(self.partitions + 1, dtype=np.uint16))
                rows = batch.take(pa.array(order))
                for begin, end in pairwise(bounds):
                    writer.write_batch(rows.slice(begin, end - begin))

    def gather(self, partition: int) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one partition as one batch."""
        found = []
        for path in sorted(self._folder.iterdir()):
            with pa.OSFile(str(path)) as file:
                reader = pa.ipc.open_file(file)
                turns = range(partition, reader.num_record_batches, self.partitions)
                found += [reader.get_batch(number) for number in turns]
        if any(batch.num_rows for batch in found):
            yield pa.concat_batches(found)

    def clear(self) -> None:
        """Delete the files."""
        shutil.rmtree(self._folder)
