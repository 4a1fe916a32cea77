"""CSV and TSV: quoted fields may hold line feeds, so a file is read from its beginning."""

import csv
import io
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.errors import InputError
from neardup.readers.columns import Columns, choose
from neardup.readers.files import File
from neardup.readers.json_records import BOM, WIDE, too_large
from neardup.readers.plain import splits
from neardup.readers.records import NOTES, Choice, ReaderSettings, Record, batches, failed
from neardup.readers.streams import Stream, written

__all__ = ["ANNOTATES", "HOLDS_GIL", "look", "read", "rewrite", "splits"]

HOLDS_GIL = True
ANNOTATES = True
CHUNK = 1 << 20
DELIMITERS = ",\t;|"
NOTE_NAMES = [f"neardup_{name}" for name in NOTES]


class Rows:
    """Yields the rows of a file as (fields, bytes); fields is a text where a row is bad."""

    def __init__(self, stream: Stream, suffix: str, limit: int) -> None:
        csv.field_size_limit(max(csv.field_size_limit(), limit))
        self._limit = limit
        self._taken: list[bytes] = []
        self._size = 0
        self._ended = False
        self._lines = _lines(stream, limit)
        self._first = next(self._lines, b"")
        self.bom = BOM if self._first.startswith(BOM) else b""
        self._first = self._first.removeprefix(BOM)
        self.delimiter = _delimiter(self._first, suffix)

    def __iter__(self) -> Iterator[tuple[list[str] | str, bytes]]:
        reader = csv.reader(self._fed(), delimiter=self.delimiter)
        while not self._ended:
            self._taken, self._size = [], 0
            fields: list[str] | str
            try:
                fields = next(reader)
                if self._ended and self._taken:
                    fields = f"unclosed quote: {len(self._taken):,} lines to the end of the file"
            except _TooLargeError:
                fields = "too large"
                reader = csv.reader(self._fed(), delimiter=self.delimiter)
            except csv.Error as error:
                fields = str(error)
            except StopIteration:
                return
            yield fields, b"".join(self._taken)

    def _fed(self) -> Iterator[str]:
        """Give the reader one line after the other and remember what it took for the row."""
        while line := self._first or next(self._lines, b""):
            self._first = b""
            self._taken.append(line)
            self._size += len(line)
            if self._size - 2 > self._limit:
                raise _TooLargeError
            yield line.decode("utf-8", "surrogateescape")
        self._ended = True


class _TooLargeError(Exception):
    """A row is over the limit."""


def _lines(stream: Stream, limit: int) -> Iterator[bytes]:
    """Yield lines with their ends; one over the limit in pieces that are over it as well."""
    rest = b""
    while chunk := stream.read(max(CHUNK, len(rest) // 4)):  # long rows in few steps
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line + b"\n"
        if len(rest) > limit + CHUNK:
            yield rest
            rest = b""
    if rest and not stream.failure:  # else the row is cut off, though it may not look so
        yield rest


def _delimiter(header: bytes, suffix: str) -> str:
    if suffix in (".tsv", ".tab"):
        return "\t"
    text = header.decode("utf-8", "replace")
    return max(DELIMITERS, key=lambda mark: (text.count(mark), -DELIMITERS.index(mark)))


def _header(rows: Iterator[tuple[list[str] | str, bytes]]) -> tuple[list[str], bytes]:
    """Return the names of the columns, and all bytes up to the end of their line."""
    before = b""
    for fields, taken in rows:
        before += taken
        if isinstance(fields, list) and fields:
            return [name.strip() for name in fields], before
    return [], before


@lru_cache(1 << 10)
def look(file: File, settings: ReaderSettings) -> tuple[Columns, dict[str, pa.DataType]]:
    """Choose the columns by the header line; all hold text."""
    with file.open_stream() as stream:
        rows = Rows(stream, file.suffix, settings.max_record)
        names, data = _header(iter(rows))
    if (rows.bom + data).startswith(WIDE):
        hint = "Convert it first: iconv -f UTF-16 -t UTF-8."
        raise InputError("the file is UTF-16, not UTF-8", where=file.name, hint=hint)
    if not names:  # an empty file, or one that cannot be unpacked
        return Columns(settings.text_column or "text", settings.id_column, {}), {}
    columns = choose(names, settings, file.name)
    return columns, dict.fromkeys(names, pa.string())


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the records of a file."""
    del begin, end
    columns, _ = look(file, settings)
    with file.open_stream() as stream:
        rows = iter(Rows(stream, file.suffix, settings.max_record))
        names, _ = _header(rows)
        yield from batches(_records(rows, names, columns, settings.max_record), schema)
        yield from failed(stream, schema)


def _records(rows: Any, names: list[str], columns: Columns, limit: int) -> Iterator[Record]:
    place = {name: at for at, name in reversed(list(enumerate(names)))}
    for fields, _ in rows:
        if fields:  # a blank line is no record
            yield _record(fields, place, len(names), columns, limit)


def _record(
    fields: list[str] | str, place: dict[str, int], width: int, columns: Columns, limit: int
) -> Record:
    if isinstance(fields, str):
        return (
            too_large(limit) if fields == "too large" else Record(problem="invalid CSV", detail=fields)
        )
    own_id = fields[place[columns.id]] if columns.id and place[columns.id] < len(fields) else None
    own_id = own_id.encode("utf-8", "replace").decode() if own_id else None
    if len(fields) != width:
        detail = f"{len(fields)} fields where the header has {width}"
        return Record(id=own_id, problem="invalid CSV", detail=detail)
    text = fields[place[columns.text]]
    if not text:
        return Record(id=own_id, problem="no text", detail=f"{columns.text!r} is empty")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        detail = f"at character {error.start} of {columns.text!r}"
        return Record(id=own_id, problem="invalid UTF-8", detail=detail)
    others = {ours: fields[place[theirs]] or None for ours, theirs in columns.others.items()}
    return Record(text, own_id, others)


def rewrite(
    file: File,
    target: Path,
    keep: np.ndarray[Any, Any] | None,
    notes: Mapping[int, dict[str, Any]] | None,
    settings: ReaderSettings,
) -> int:
    """Write the rows kept, byte by byte as they are but for the notes; return how many."""
    columns, _ = look(file, settings)
    choice = Choice(keep, notes)
    with file.open_stream() as stream, written(target, stream.packing) as out:
        source = Rows(stream, file.suffix, settings.max_record)
        rows = iter(source)
        names, head = _header(rows)
        place = {name: at for at, name in reversed(list(enumerate(names)))}
        add = _Extender(names, source.delimiter) if notes is not None else None
        out.write(source.bom + (add.extended(head, names, NOTE_NAMES) if add else head))
        for fields, taken in rows:
            if not fields:
                out.write(taken)
                continue
            record = _record(fields, place, len(names), columns, settings.max_record)
            if choice.next(record.is_bad):
                if add and isinstance(fields, list) and len(fields) == len(names):
                    taken = add.extended(taken, fields, [choice.note.get(n) for n in NOTES])
                out.write(taken)
    return choice.kept


class _Extender:
    """Adds the notes at the end of rows, in place of older ones."""

    def __init__(self, names: list[str], delimiter: str) -> None:
        self._own = [at for at, name in enumerate(names) if name not in NOTE_NAMES]
        self._annotated = len(self._own) < len(names)
        self._delimiter = delimiter

    def extended(self, row: bytes, fields: list[str], values: list[Any]) -> bytes:
        body = row.rstrip(b"\r\n")
        added = self._line(values)
        kept = self._line([fields[at] for at in self._own]) if self._annotated else body
        return kept + self._delimiter.encode() + added + row[len(body) :]

    def _line(self, values: list[Any]) -> bytes:
        sink = io.StringIO()
        csv.writer(sink, delimiter=self._delimiter, lineterminator="").writerow(values)
        return sink.getvalue().encode("utf-8", "surrogateescape")
