"""Arrow IPC: files (also Feather) in ranges of batches, and streams."""

import io
import mmap
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakSet

import pyarrow as pa

from neardup.readers import tables
from neardup.readers.columns import Looked, unknown
from neardup.readers.file import File
from neardup.readers.reader import Range, Reader, in_one
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.streams import Stream, written

MAGIC = b"ARROW1"
SPLIT_BYTES = 32 << 20
BODY_MAGIC = {b"\x28\xb5\x2f\xfd": "zstd", b"\x04\x22\x4d\x18": "lz4"}
LARGE = 64 << 20  # bytes that memory need not hold at once
STEP = 1 << 20


class Spilling(io.RawIOBase):
    """The bytes of a file for Arrow: large pieces are read to a copy without a name, and mapped.

    Arrow takes a mapping for bytes and copies none of it. The file itself is never mapped: if somebody
    cuts it off, to touch the mapping would end the process.
    """

    def __init__(self, read: Callable[[int], bytes], raw: Any) -> None:
        """Take the function that reads, and what it reads from, to seek in and to close."""
        super().__init__()
        self._read = read
        self._raw = raw
        self._mapped: WeakSet[mmap.mmap] = WeakSet()

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def tell(self) -> int:
        """Return where the next piece begins."""
        return int(self._raw.tell())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go somewhere else."""
        return int(self._raw.seek(offset, whence))

    def read(self, size: int = -1) -> Any:
        """Return the next bytes, or a mapping of many."""
        return self._spilled(size) if size > LARGE else self._read(size)

    def _spilled(self, size: int) -> mmap.mmap | bytes:
        with tempfile.TemporaryFile() as copy:
            while size > 0 and (piece := self._read(min(size, STEP))):
                copy.write(piece)
                size -= len(piece)
            copy.flush()
            if not copy.tell():
                return b""
            mapped = mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ)
        self._mapped.add(mapped)
        return mapped

    def let_go(self) -> None:
        """Take what was read of the mappings out of memory: it can be read again."""
        for mapped in [*self._mapped] if hasattr(mmap, "MADV_DONTNEED") else []:  # not on Windows
            mapped.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Close the file below."""
        self._raw.close()
        super().close()


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut a file into ranges of batches of some size; a stream is read from its beginning."""
    try:
        with _opened(file) as opened:
            count = opened.batches
    except tables.FAILURES:
        count = 0
    if not count:
        return in_one(file, settings)
    step = max(count * SPLIT_BYTES // max(file.size, 1), 1)
    return [(at, min(at + step, count)) for at in range(0, count, step)]


class _Opened(NamedTuple):
    """A reader of Arrow's, and the file that it reads from."""

    reader: Any
    raw: Spilling

    @property
    def batches(self) -> int | None:
        """Return the number of batches of a file; of a stream nobody knows it."""
        return getattr(self.reader, "num_record_batches", None)

    def parts(self, begin: int, end: int) -> Iterator[Iterator[pa.RecordBatch]]:
        """Yield what can be read by itself, in pieces: each batch of a file, all of a stream."""
        if self.batches is None:
            yield chain.from_iterable(map(self._pieces, self.reader))
            return
        for number in range(begin, self.batches if end < 0 else end):
            yield chain.from_iterable(self._pieces(self.reader.get_batch(at)) for at in (number,))

    def _pieces(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Cut a batch that memory need not hold at once; a damaged one may point anywhere."""
        batch.validate()
        rows = max(batch.num_rows * LARGE // max(batch.get_total_buffer_size(), 1), 1)
        for start in range(0, max(batch.num_rows, 1), rows):
            piece = batch.slice(start, rows)
            piece.validate(full=True)
            yield piece
            self.raw.let_go()


@contextmanager
def _opened(file: File, fields: tuple[str, ...] | None = None) -> Iterator[_Opened]:
    """Open a file or a stream; `fields` are the columns to read where that can be said, or None."""
    if file.packing() or not file.can_seek:
        # an Arrow file holds a stream from its eighth byte on, and that needs no random access
        stream = file.open_stream()
        head = stream.read(8)
        rest = _Rest(b"" if head.startswith(MAGIC) else head, stream)
        spilling = Spilling(rest.read, stream)
        with pa.PythonFile(spilling, mode="r") as raw:
            yield _Opened(pa.ipc.open_stream(raw), spilling)
        return
    native = file.open()
    spilling = Spilling(native.read, native)
    with pa.PythonFile(spilling, mode="r") if file.size > LARGE else native as raw:
        start = pa.ipc.open_file if raw.read(len(MAGIC)) == MAGIC else pa.ipc.open_stream
        raw.seek(0)
        opened = _Opened(start(raw), spilling)
        # to read some columns, Arrow takes memory for all of a batch
        if fields is not None and (file.size <= LARGE or (opened.batches or 0) * LARGE > file.size):
            names = {name.split(".")[0] for name in fields} | set(fields)
            indices = [i for i, name in enumerate(opened.reader.schema.names) if name in names]
            raw.seek(0)
            options = pa.ipc.IpcReadOptions(use_threads=False, included_fields=indices)
            opened = _Opened(start(raw, options=options), spilling)
        yield opened


class _Rest:
    """Some bytes already read, then the rest of our stream."""

    def __init__(self, head: bytes, stream: Stream) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int) -> bytes:
        taken, self._head = self._head[:size], self._head[size:]
        return taken + self._stream.read(size - len(taken))


@lru_cache(1 << 10)
def look(file: File, settings: ReaderSettings) -> Looked:
    """Choose the columns by the file's schema."""
    try:
        with _opened(file) as opened:
            return tables.look_at(opened.reader.schema, settings, file.name)
    except tables.FAILURES:  # `read` says so, as a record with a problem
        return unknown(settings)


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the records of some batches; in a file, one that is damaged costs no more than itself."""
    columns, _ = look(file, settings)
    try:
        with _opened(file, tuple(tables.wanted(columns))) as opened:
            for number, found in enumerate(opened.parts(begin, end), begin):
                yield from tables.readable(found, f"Arrow: batch {number}", columns, schema, settings)
    except tables.FAILURES as error:
        yield tables.unread("Arrow", error, schema)


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the rows kept with the same schema, metadata and compression; return how many."""
    columns, _ = look(file, settings)
    options = pa.ipc.IpcWriteOptions(compression=_codec(file))
    count = first = 0
    try:
        with _opened(file) as opened, written(target, file.packing()) as out:
            schema = tables.with_notes(opened.reader.schema, decided.notes)
            start = pa.ipc.new_file if _is_file(file) else pa.ipc.new_stream
            with start(out, schema, options=options) as writer:
                for batch in chain.from_iterable(opened.parts(0, -1)):
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
    """Return whether a file, unpacked, is an Arrow file and not a stream."""
    with file.open_stream() as stream:
        return stream.read(len(MAGIC)) == MAGIC


def _codec(file: File) -> str | None:
    """Return how the batches are compressed; Arrow does not tell, but the first buffer does."""
    if file.packing():
        return None
    with file.open() as native, pa.PythonFile(Spilling(native.read, native), mode="r") as raw:
        raw.seek(8 if raw.read(len(MAGIC)) == MAGIC else 0)
        try:
            for message in pa.ipc.MessageReader.open_stream(raw):
                if message.type == "record batch" and message.body is not None:
                    body = bytes(memoryview(message.body)[: 1 << 20])
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
