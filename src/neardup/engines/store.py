"""Step tables on disk: folders of Arrow files, whole or absent, read in bounded memory."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset as pads

PART_BYTES = 64 << 20
SCHEMA = "schema"


class StoredTable:
    """A table in a folder of Arrow files, whose order is that of the files' names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def schema(self) -> pa.Schema:
        """Return the table's schema."""
        return pa.ipc.read_schema(pa.py_buffer((self.folder / SCHEMA).read_bytes()))

    @cached_property
    def parts(self) -> list[Path]:
        """Return the files in order."""
        return sorted(self.folder.glob("*.arrow"))

    def dataset(self) -> pads.Dataset:
        """Return the table as something that SQL can scan more than once."""
        return pads.dataset([str(p) for p in self.parts], schema=self.schema, format="ipc")

    def rows(self) -> int:
        """Return the number of rows."""
        return int(self.dataset().count_rows()) if self.parts else 0

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all batches in order."""
        for part in self.parts:
            yield from read_part(part)


def read_part(part: Path, columns: Sequence[int] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the batches of one file; the file is read piece by piece, not mapped."""
    options = pa.ipc.IpcReadOptions(included_fields=list(columns) if columns else None)
    with pa.OSFile(str(part)) as file, pa.ipc.open_file(file, options=options) as reader:
        for i in range(reader.num_record_batches):
            yield reader.get_batch(i)


class TableWriter:
    """Writes a step's table: part files in a folder that gets its name once it is whole."""

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        self.folder = folder
        self.schema = schema
        self._unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(self._unfinished, ignore_errors=True)
        self._unfinished.mkdir(parents=True)

    def write_part(self, number: int, batches: Iterable[pa.RecordBatch]) -> None:
        """Write one file; nothing at all if there are no rows."""
        path = self._unfinished / f"{number:06}.arrow"
        writer = None
        for batch in batches:
            if not batch.num_rows:
                continue
            writer = writer or pa.ipc.new_file(str(path), self.schema)
            writer.write_batch(batch)
        if writer:
            writer.close()

    def write_stream(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Write a stream into files of a bounded size, so that later steps can share the work."""
        stream = iter(batches)
        number = 0
        while (first := next(stream, None)) is not None:
            self.write_part(number, _until_full(first, stream))
            number += 1

    def finish(self) -> StoredTable:
        """Give the folder its name: from now on the table exists."""
        (self._unfinished / SCHEMA).write_bytes(self.schema.serialize())
        self._unfinished.rename(self.folder)
        return StoredTable(self.folder)


def _until_full(first: pa.RecordBatch, stream: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    size = first.nbytes
    yield first
    while size < PART_BYTES and (batch := next(stream, None)) is not None:
        size += batch.nbytes
        yield batch


class StoredLookup:
    """Fetches rows of a stored table by its first column, by which the table is sorted."""

    def __init__(self, table: StoredTable) -> None:
        self._table = table
        self._first: list[int] = []
        self._where: list[tuple[Path, int]] = []
        for part in table.parts:
            for number, batch in enumerate(read_part(part, [0])):
                self._first.append(batch.column(0)[0].as_py())
                self._where.append((part, number))

    def take(self, keys: pa.Array) -> pa.RecordBatch:
        """Return the rows with these keys, which are sorted and distinct."""
        wanted = keys.to_numpy()
        batch_of = np.searchsorted(np.array(self._first), wanted, side="right") - 1
        found = []
        for number in np.unique(batch_of):
            part, at = self._where[number]
            # mapped just for this moment: only the pages of the wanted rows are loaded
            with pa.memory_map(str(part)) as file:
                batch = pa.ipc.open_file(file).get_batch(at)
                rows = np.searchsorted(batch.column(0).to_numpy(), wanted[batch_of == number])
                found.append(batch.take(pa.array(rows)))
                del batch
        return pa.concat_batches(found)
