"""Parts of an input, and the numbers of their records."""

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from neardup.errors import InputError
from neardup.readers.records import BATCH_BYTES, BATCH_ROWS, collected

# A record's number has its split's number in the high bits and its row in the low ones: the same
# for any number of workers, and in the order of files and of records in a file.
ROW_BITS = 32


class Split(NamedTuple):
    """A part of the input that one task reads: a range of one file, or of a table's rows."""

    number: int
    file: int
    begin: int
    end: int
    size: int


class Source(Protocol):
    """Documents to read, cut into splits that can be read in parallel."""

    @property
    def schema(self) -> pa.Schema:
        """Return the schema of the batches: `doc`, `file`, then what readers yield."""

    @property
    def names(self) -> list[str]:
        """Return the names of the files, in the order of their numbers."""

    def splits(self) -> list[Split]:
        """Cut the source into parts."""

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        """Yield the records of one part."""

    def fingerprint(self) -> str:
        """Return a digest that changes when the input changes."""

    @property
    def holds_gil(self) -> bool:
        """Return whether reading gains more from processes than from threads."""


def grouped(splits: Iterable[Split], size: int) -> Iterator[list[Split]]:
    """Put small splits together until they make a task of the given size in bytes."""
    return collected(splits, lambda split: split.size, size)


def numbered(
    found: Iterable[pa.RecordBatch],
    split: Split,
    schema: pa.Schema,
    strict: bool,
    name: str,
    left_out: Container[str] = (),
) -> Iterator[pa.RecordBatch]:
    """Put numbers in front of a split's batches; if `strict`, refuse what is bad and not left out."""
    row = 0
    for batch in found:
        if strict and (at := _first_bad(batch, left_out)) is not None:
            raise _problem(batch, at, split, row, name)
        first = (split.number << ROW_BITS) + row
        docs = pa.array(np.arange(first, first + batch.num_rows, dtype=np.int64))
        files = pa.array(np.full(batch.num_rows, split.file, np.int32))
        row += batch.num_rows
        yield pa.RecordBatch.from_arrays([docs, files, *batch.columns], schema=schema)


def together(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Join small batches, such as those of files with one document, to batches of the usual size."""
    held: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        own = batch.get_total_buffer_size()
        if held and (rows + batch.num_rows > BATCH_ROWS or size + own > BATCH_BYTES):
            yield _joined(held)
            held, rows, size = [], 0, 0
        held.append(batch)
        rows += batch.num_rows
        size += own
    if held:
        yield _joined(held)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.concat_batches(batches)  # one would be copied


def _first_bad(batch: pa.RecordBatch, left_out: Container[str]) -> int | None:
    """Return the first row with a problem that is one."""
    found = batch["problem"].to_pylist()
    return next((i for i, what in enumerate(found) if what and what not in left_out), None)


def _problem(batch: pa.RecordBatch, at: int, split: Split, row: int, name: str) -> InputError:
    what = f"{batch['problem'][at].as_py()}: {batch['detail'][at].as_py()}"
    part = f" of the part from {split.begin:,} on" if split.begin else ""
    hint = "Mend the record, or leave out strict=True to skip and count it."
    return InputError(what, where=f"{name}, record {row + at + 1}{part}", hint=hint)


def with_numbers(schema: pa.Schema) -> pa.Schema:
    """Return a reader's schema with the numbers in front."""
    return pa.schema([("doc", pa.int64()), ("file", pa.int32()), *schema])
