"""Step tables on disk: folders of Arrow files, whole or absent, read in bounded memory."""

import mmap
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from neardup.engines.local.frugality import give_back

PART_BYTES = 64 << 20
SCHEMA = "schema"
EVERYTHING = "*"


class StoredTable:
    """A table in a folder of Arrow files, whose order is that of the files' names."""

    def __init__(self, folder: Path, schema: pa.Schema | None = None) -> None:
        self.folder = folder
        self._schema = schema

    @cached_property
    def schema(self) -> pa.Schema:
        """Return the table's schema."""
        if self._schema is not None:
            return self._schema
        if self.parts:
            return mapped_file(self.parts[0])[1].schema
        return pa.ipc.read_schema(pa.py_buffer((self.folder / SCHEMA).read_bytes()))

    @cached_property
    def parts(self) -> list[Path]:
        """Return the files in order."""
        return sorted(self.folder.glob("*.arrow"))

    def rows(self) -> int:
        """Return the number of rows."""
        return sum(batch.num_rows for part in self.parts for batch in read_part(part, [0]))

    def bytes(self) -> int:
        """Return how large the files are."""
        return sum(part.stat().st_size for part in self.parts)

    def places(self, rows: int) -> Iterator["RowRange"]:
        """Yield where each run of the given number of rows is."""
        for part in self.parts:
            _, reader = mapped_file(part)
            for batch in range(reader.num_record_batches):
                total = reader.get_batch(batch).num_rows
                for start in range(0, total, rows):
                    yield RowRange(part, batch, start, min(rows, total - start))

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all batches in order."""
        for part in self.parts:
            yield from read_part(part)


class RowRange(NamedTuple):
    """Some rows of one batch of a file."""

    part: Path
    batch: int
    start: int
    rows: int


def read_rows(place: RowRange) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a place as one batch."""
    _, reader = mapped_file(place.part)
    yield reader.get_batch(place.batch).slice(place.start, place.rows)


@lru_cache(1024)
def words_of(sql: str) -> frozenset[str]:
    """Return the words of a statement, among them the names of all columns that it needs."""
    everything = re.search(r"(select|distinct|[.,])\s*\*", sql, re.IGNORECASE)
    return frozenset([*re.findall(r"\w+", sql), *([EVERYTHING] if everything else [])])


class Scan:
    """Some columns of a stored table, as an Arrow stream that SQL can read more than once."""

    def __init__(self, table: StoredTable, words: Iterable[str]) -> None:
        """Take the columns that are named by some of the `words_of` statements; at least one."""
        names = set(words)
        own = enumerate(table.schema.names)
        chosen = [i for i, name in own if name in names or EVERYTHING in names] or [0]
        self._table = table
        self._columns = chosen
        self._schema = pa.schema([table.schema.field(i) for i in chosen])

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        batches = (b for part in self._table.parts for b in read_part(part, self._columns))
        reader = pa.RecordBatchReader.from_batches(self._schema, batches)
        return reader.__arrow_c_stream__(requested_schema)


def mapped_file(path: Path) -> tuple[mmap.mmap, Any]:
    """Map an Arrow file into memory; return the map and a reader of the file's batches."""
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return mapped, pa.ipc.open_file(pa.py_buffer(mapped))


def read_part(part: Path, columns: Sequence[int] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the batches of one file, without a copy.

    What was read is given back after each batch; what still holds it reads it from the file again.
    """
    mapped, reader = mapped_file(part)
    for number in range(reader.num_record_batches):
        batch = reader.get_batch(number)
        yield batch if columns is None else batch.select(list(columns))
        give_back(mapped)


class StoredParts:
    """The parts of a step's table as a worker process reads them."""

    def read(self, part: Path) -> Iterator[pa.RecordBatch]:
        """Yield the batches of one part."""
        return read_part(part)


def write_batches(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write one Arrow file; none at all if there are no rows."""
    writer = None
    try:
        for batch in batches:
            if batch.num_rows:
                writer = writer or pa.ipc.new_file(str(path), schema)
                writer.write_batch(batch)
    finally:
        if writer:
            writer.close()


class TableWriter:
    """Writes a step's table: part files in a folder that gets its name once it is whole."""

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        self.folder = folder
        self.schema = schema
        self._unfinished = folder.with_name(folder.name + ".unfinished")
        if self._unfinished.exists():
            shutil.rmtree(self._unfinished)
        self._unfinished.mkdir(parents=True)

    def path_of(self, number: int) -> Path:
        """Return where the file of this number is written."""
        return self._unfinished / f"{number:06}.arrow"

    def write_part(self, number: int, batches: Iterable[pa.RecordBatch]) -> None:
        """Write one file; nothing at all if there are no rows."""
        write_batches(self.path_of(number), self.schema, batches)

    def write_stream(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Write a stream into files of a bounded size, so that later steps can share the work."""
        stream = iter(batches)
        number = 0
        while (first := next(stream, None)) is not None:
            self.write_part(number, _until_full(first, stream))
            number += 1

    def finish(self) -> StoredTable:
        """Give the folder its name: from now on the table exists."""
        if not any(self._unfinished.iterdir()):  # every file has the schema
            (self._unfinished / SCHEMA).write_bytes(self.schema.serialize())
        self._unfinished.rename(self.folder)
        return StoredTable(self.folder, self.schema)


def _until_full(first: pa.RecordBatch, stream: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    size = first.nbytes
    yield first
    while size < PART_BYTES and (batch := next(stream, None)) is not None:
        size += batch.nbytes
        yield batch
