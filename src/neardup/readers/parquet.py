"""Parquet: row groups in parallel, only the columns needed."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup.readers import tables
from neardup.readers.columns import Columns, Looked, unknown
from neardup.readers.file import File
from neardup.readers.numbers import Split, grouped
from neardup.readers.reader import Range, Reader, in_one
from neardup.readers.records import BATCH_BYTES, BATCH_ROWS, Decisions, ReaderSettings
from neardup.readers.streams import written

SPLIT_BYTES = 32 << 20
GROUP_BYTES = 64 << 20  # most that a rewrite holds at once


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut a file into ranges of row groups of some size."""
    try:
        with file.open() as raw:
            meta = pq.ParquetFile(raw).metadata
    except tables.FAILURES:
        return in_one(file, settings)
    sizes = (meta.row_group(group).total_byte_size for group in range(meta.num_row_groups))
    groups = [Split(0, 0, group, group + 1, size) for group, size in enumerate(sizes)]
    return [(some[0].begin, some[-1].end) for some in grouped(groups, SPLIT_BYTES)] or [(0, 0)]


@lru_cache(1 << 10)
def look(file: File, settings: ReaderSettings) -> Looked:
    """Choose the columns by the file's schema."""
    try:
        with file.open() as raw:
            return tables.look_at(pq.ParquetFile(raw).schema_arrow, settings, file.name)
    except tables.FAILURES:  # `read` says so, as a record with a problem
        return unknown(settings)


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the records of some row groups; one that is damaged costs no more than itself."""
    columns, _ = look(file, settings)
    try:
        with file.open() as raw:
            meta = pq.ParquetFile(raw).metadata
            for group in range(begin, meta.num_row_groups if end < 0 else end):
                found = _batches(raw, meta, group, columns)
                yield from tables.readable(
                    found, f"Parquet: row group {group}", columns, schema, settings
                )
    except tables.FAILURES as error:
        yield tables.unread("Parquet", error, schema)


def _batches(
    raw: pa.NativeFile, meta: pq.FileMetaData, group: int, columns: Columns
) -> Iterator[pa.RecordBatch]:
    # A dictionary of long values is a bomb if it is unfolded row by row: leave it folded.
    folded = [columns.text] if _folds(meta.row_group(group), columns.text) else None
    reader = pq.ParquetFile(raw, metadata=meta, read_dictionary=folded, page_checksum_verification=True)
    rows = _rows_at_once(meta.row_group(group))
    yield from reader.iter_batches(rows, [group], tables.wanted(columns), use_threads=False)


def _folds(group: pq.RowGroupMetaData, name: str) -> bool:
    """Return whether the dictionary of a text column is a good part of it: reading it folded costs."""
    for column in map(group.column, range(group.num_columns)):
        if column.path_in_schema == name and column.has_dictionary_page:
            dictionary = column.data_page_offset - column.dictionary_page_offset
            return bool(dictionary * 10 > column.total_compressed_size)
    return False


def _rows_at_once(group: pq.RowGroupMetaData) -> int:
    """Return how many rows make a batch of the usual size."""
    size = max(group.total_byte_size // max(group.num_rows, 1), 1)
    return int(min(max(BATCH_BYTES // size, 1), BATCH_ROWS))


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the rows kept with the same schema, metadata and compression; return how many."""
    columns, _ = look(file, settings)
    count = 0
    try:
        with file.open() as raw, written(target, None) as out:
            source = pq.ParquetFile(raw, page_checksum_verification=True)
            schema = tables.with_notes(source.schema_arrow, decided.notes)
            with pq.ParquetWriter(out, schema, **_options(source, schema)) as writer:
                for table in _kept_groups(source, columns, decided, settings.max_record):
                    writer.write_table(table)
                    count += table.num_rows
    except tables.FAILURES as error:
        raise tables.uncopied(file.name, error) from error
    return count


def _kept_groups(
    source: pq.ParquetFile, columns: Columns, decided: Decisions, limit: int
) -> Iterator[pa.Table]:
    """Yield the rows kept of each row group; a very large one in several parts."""
    first = 0
    for group in range(source.num_row_groups):
        parts: list[pa.RecordBatch] = []
        for batch in source.iter_batches(_rows_at_once(source.metadata.row_group(group)), [group]):
            bad = tables.bad_rows(batch, columns, limit)
            batch = tables.with_texts(batch, first, columns.text, decided.texts)
            parts.append(tables.kept(batch, first, bad, decided))
            first += batch.num_rows
            if sum(part.nbytes for part in parts) > GROUP_BYTES:
                yield pa.Table.from_batches(parts)
                parts = []
        if parts:
            yield pa.Table.from_batches(parts)


def _options(source: pq.ParquetFile, schema: pa.Schema) -> dict[str, Any]:
    """Return the codec and the dictionary encoding of each column as they were."""
    codecs: dict[str, str] = {}
    encoded: list[str] = []
    if source.num_row_groups:
        group = source.metadata.row_group(0)
        for column in map(group.column, range(group.num_columns)):
            name = {"UNCOMPRESSED": "NONE"}.get(column.compression, column.compression)
            codecs[column.path_in_schema] = name
            if column.has_dictionary_page:
                encoded.append(column.path_in_schema)
    default = next(iter(codecs.values()), "snappy")
    missing = {name: default for name in schema.names if name.startswith("neardup_")}
    return {"compression": missing | codecs or "snappy", "use_dictionary": encoded or False}


READER = Reader(
    look=look,
    splits=splits,
    read=read,
    rewrite=rewrite,
    suffixes=(".parquet", ".pq"),
    begins=re.compile(rb"PAR1"),
    annotates=True,
    cuts=True,
    needs_end=True,
)
