"""Arrow IPC: files (also Feather) in ranges of batches, and streams."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.readers import tables
from neardup.readers.columns import Columns
from neardup.readers.file import File
from neardup.readers.reader import Range, Reader, in_one
from neardup.readers.records import Decisions, ReaderSettings, Record, to_batch
from neardup.readers.streams import Stream, written

MAGIC = b"ARROW1"
SPLIT_BYTES = 32 << 20
LARGE = 64 << 20  # bytes of a batch
BODY_MAGIC = {b"\x28\xb5\x2f\xfd": "zstd", b"\x04\x22\x4d\x18": "lz4"}


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut a file into ranges of batches of some size; a stream is read from its beginning."""
    try:
        with _opened(file) as reader:
            count = getattr(reader, "num_record_batches", 0)
    except tables.FAILURES:
        count = 0
    if not count:
        return in_one(file, settings)
    step = max(count * SPLIT_BYTES // max(file.size, 1), 1)
    return [(at, min(at + step, count)) for at in range(0, count, step)]


@contextmanager
def _opened(file: File, fields: tuple[str, ...] | None = None) -> Iterator[Any]:
    """Open a file or a stream; `fields` are the columns to read where that can be said, or None."""
    if file.packing() or not file.can_seek:
        # an Arrow file holds a stream from its eighth byte on, and that needs no random access
        stream = file.open_stream()
        head = stream.read(8)
        rest = _Readable(b"" if head.startswith(MAGIC) else head, stream)
        with pa.PythonFile(rest, mode="r") as raw:
            yield pa.ipc.open_stream(raw)
        return
    with pa.memory_map(file.inner_path) if _is_mapped(file) else file.open() as raw:
        start = pa.ipc.open_file if raw.read(len(MAGIC)) == MAGIC else pa.ipc.open_stream
        raw.seek(0)
        reader = start(raw)
        if fields is not None:
            names = {name.split(".")[0] for name in fields} | set(fields)
            indices = [i for i, name in enumerate(reader.schema.names) if name in names]
            raw.seek(0)
            options = pa.ipc.IpcReadOptions(use_threads=False, included_fields=indices)
            reader = start(raw, options=options)
        yield reader


def _is_mapped(file: File) -> bool:
    """Say whether the batches of a file are so large that memory should not have to hold one.

    Others are never mapped: where a file is cut off meanwhile, to touch a mapping ends the process.
    """
    if not file.can_be_mapped or file.size <= LARGE:
        return False
    with file.open() as raw:
        if raw.read(len(MAGIC)) != MAGIC:
            return False
        raw.seek(0)
        return bool(pa.ipc.open_file(raw).num_record_batches * LARGE < file.size)


class _Readable:
    """Some bytes already read, then the rest of our stream, as Arrow likes to read it."""

    closed = False

    def __init__(self, head: bytes, stream: Stream) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int) -> bytes:
        taken, self._head = self._head[:size], self._head[size:]
        return taken + self._stream.read(size - len(taken))

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._stream.close()


@lru_cache(1 << 10)
def look(file: File, settings: ReaderSettings) -> tuple[Columns, dict[str, pa.DataType]]:
    """Choose the columns by the file's schema."""
    try:
        with _opened(file) as reader:
            return tables.look_at(reader.schema, settings, file.name)
    except tables.FAILURES:  # `read` says so, as a record with a problem
        return Columns(settings.text_column or "text", settings.id_column, {}), {}


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the records of some batches; in a file, one that is damaged costs no more than itself."""
    columns, _ = look(file, settings)
    try:
        with _opened(file, tuple(tables.wanted(columns))) as reader:
            for number, found in enumerate(_parts(reader, begin, end), begin):
                yield from tables.readable(found, f"Arrow: batch {number}", columns, schema, settings)
    except tables.FAILURES as error:
        yield to_batch([Record(problem="unreadable", detail=f"Arrow: {error}")], schema)


def _parts(reader: Any, begin: int, end: int) -> Iterator[Iterator[pa.RecordBatch]]:
    """Yield what can be read by itself: each batch of a file, all of a stream."""
    count = getattr(reader, "num_record_batches", None)
    if count is None:
        yield map(_valid, reader)
        return
    for number in range(begin, count if end < 0 else end):
        yield (_valid(reader.get_batch(at)) for at in (number,))


def _valid(batch: pa.RecordBatch) -> pa.RecordBatch:
    batch.validate(full=True)  # a damaged file may point anywhere
    return batch


def _batches(reader: Any, begin: int, end: int) -> Iterator[pa.RecordBatch]:
    count = getattr(reader, "num_record_batches", None)
    if count is None:
        yield from reader
        return
    for number in range(begin, count if end < 0 else end):
        yield reader.get_batch(number)


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the rows kept with the same schema, metadata and compression; return how many."""
    columns, _ = look(file, settings)
    options = pa.ipc.IpcWriteOptions(compression=_codec(file))
    count = first = 0
    try:
        with _opened(file) as reader, written(target, file.packing()) as out:
            schema = tables.with_notes(reader.schema, decided.notes)
            start = pa.ipc.new_file if _is_file(file) else pa.ipc.new_stream
            with start(out, schema, options=options) as writer:
                for batch in _batches(reader, 0, -1):
                    batch.validate(full=True)
                    bad = tables.bad_rows(batch, columns, settings.max_record)
                    batch = tables.with_texts(batch, first, columns.text, decided.texts)
                    rows = tables.kept(batch, first, bad, decided)
                    first += batch.num_rows
                    count += rows.num_rows
                    writer.write_batch(rows)
    except tables.FAILURES as error:
        raise tables.uncopied(file.name, error) from error
    return count


def _is_file(file: File) -> bool:
    """Say whether a file, unpacked, is an Arrow file and not a stream."""
    with file.open_stream() as stream:
        return stream.read(len(MAGIC)) == MAGIC


def _codec(file: File) -> str | None:
    """Return how the batches are compressed; Arrow does not tell, but the first buffer does."""
    if file.packing():
        return None
    with file.open() as raw:
        raw.seek(8 if raw.read(len(MAGIC)) == MAGIC else 0)
        try:
            for message in pa.ipc.MessageReader.open_stream(raw):
                if message.type == "record batch" and message.body is not None:
                    body = message.body.to_pybytes()[: 1 << 20]
                    starts = {body[at + 8 : at + 12] for at in range(0, len(body), 8)}
                    return next((name for magic, name in BODY_MAGIC.items() if magic in starts), None)
        except tables.FAILURES:
            return None
    return None


READER = Reader(
    look=look,
    splits=splits,
    read=read,
    rewrite=rewrite,
    suffixes=(".arrow", ".feather", ".ipc", ".arrows"),
    # a stream begins with the length of its schema, which is not 0 and below a megabyte
    begins=re.compile(rb"ARROW1|\xff\xff\xff\xff(?!\0\0)[\0-\xff]{2}[\0-\x0f]\0"),
    annotates=True,
    cuts=True,
    needs_end=True,
)
