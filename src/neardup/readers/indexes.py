"""Indexes of neardup: each document is read with the text that the index keeps of it."""

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.durable import sync
from neardup.errors import DamagedFileError, InputError, LockedError
from neardup.readers import tables
from neardup.readers.columns import Columns
from neardup.readers.file import File
from neardup.readers.reader import Range, Reader, always
from neardup.readers.records import BATCH_ROWS, KNOWN, Decisions, ReaderSettings, Record, to_batch

COLUMNS = Columns("text", "id", {name: name for name in KNOWN})
SPLIT_BYTES = 8 << 20  # of an index, in which texts take about a quarter
TOGETHER = 2048  # rows that the database packs together, and unpacks for any of them
LITTLE = "32MB"
JOURNAL = ".journal"  # beside an index: documents that are not yet in it
LOG = ".wal"  # of a process that was killed: the database takes it over
RANGE = """
select id, text, title, url, date from documents
where rowid >= {begin} and ({end} < 0 or rowid < {end})"""
_READING = threading.Lock()  # who lets go of memory must not take it from another one that reads


def look(file: File, settings: ReaderSettings) -> tuple[Columns, dict[str, pa.DataType]]:
    """Return the columns, which are the same in every index; its texts were chosen when it was built."""
    if file.can_be_mapped and Path(f"{file.path}{JOURNAL}").exists():
        raise InputError(
            "the last documents of this index are still in the journal beside it",
            where=file.path,
            hint=f"If no server has it open, this takes them over: neardup index info {file.path}",
        )
    try:
        return always(COLUMNS)(file, settings)
    except InputError as error:
        hint = "An index keeps one text of each document: name the files that it was built from instead."
        raise InputError(error.what, where=file.path, hint=hint) from None


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut an index into ranges of rows."""
    del settings
    with _READING, opened(file) as database:
        [(last,)] = database.execute("select coalesce(max(rowid), 0) from documents").fetchall()
    step = max(last * SPLIT_BYTES // file.size // TOGETHER, 1) * TOGETHER
    cuts = list(range(0, last + 1, step))
    return list(zip(cuts, [*cuts[1:], -1], strict=True))


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the documents of a range, in their order."""
    import duckdb

    if problem := unreached(file):
        yield to_batch([Record(problem="unreadable", detail=problem)], schema)
        return
    look(file, settings)
    try:
        found = documents(file, begin, end)
    except duckdb.Error as error:
        detail = f"index: {str(error).partition(chr(10))[0]}"
        yield to_batch([Record(problem="unreadable", detail=detail)], schema)
        return
    for batch in found:
        yield from tables.to_records(batch, COLUMNS, schema, settings.max_record)


def unreached(file: File) -> str | None:
    """Say why a database cannot read a file, if it cannot."""
    if not file.can_be_mapped:
        return "an index is read from a disk of this machine only: copy it there"
    return "an index cannot be read where it is packed" if file.packing() else None


def documents(file: File, begin: int, end: int) -> list[pa.RecordBatch]:
    """Return the documents of a range as they are stored, and let go of what the database keeps."""
    with _READING, opened(file) as database:
        found = list(database.sql(RANGE.format(begin=begin, end=end)).to_arrow_reader(BATCH_ROWS))
        database.execute(f"set memory_limit = '{LITTLE}'")
        database.execute("reset memory_limit")
    return found


def opened(file: File, writable: bool = False) -> Any:
    """Open the database; one that another process writes cannot be."""
    import duckdb

    try:
        return duckdb.connect(file.path, read_only=not writable)
    except duckdb.Error as error:
        if "Could not set lock" in str(error) or "different configuration" in str(error):
            hint = "Wait until the other one is done, or stop the server."
            raise LockedError("the index is open elsewhere", where=file.path, hint=hint) from None
        raise


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Copy an index and delete the documents that are not kept; return how many are."""
    import duckdb

    del settings
    if problem := unreached(file):
        raise DamagedFileError(problem, where=file.path)
    for end in ("", LOG):
        if Path(file.path + end).exists():
            shutil.copyfile(file.path + end, f"{target}{end}")
    copy = File(str(target), file.name, file.size)
    try:
        with opened(copy, writable=True) as database:
            rows = [row for (row,) in database.execute("select rowid from documents").fetchall()]
            keep = np.ones(len(rows), bool)
            if decided.keep is not None:
                keep[: len(decided.keep)] = decided.keep
            gone = [row for row, stays in zip(rows, keep, strict=True) if not stays]
            database.execute("delete from documents where rowid in (select unnest(?))", [gone])
            database.execute("checkpoint")
    except duckdb.Error as error:
        raise DamagedFileError(str(error), where=file.path) from error
    sync(target)
    return int(keep.sum())


READER = Reader(
    look=look,
    splits=splits,
    read=read,
    rewrite=rewrite,
    begins=re.compile(rb"[\0-\xff]{8}DUCK"),
    needs_end=True,
)
