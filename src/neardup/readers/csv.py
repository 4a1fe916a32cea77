"""CSV and TSV: quoted fields may hold line feeds, so a file is read from its beginning."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import pyarrow as pa

from neardup.readers.columns import Columns, Looked, choose, unknown
from neardup.readers.encodings import Opened, opened, written_like
from neardup.readers.file import File
from neardup.readers.json_records import BOM, too_large
from neardup.readers.reader import Reader
from neardup.readers.records import (
    Decisions,
    ReaderSettings,
    Record,
    as_text,
    batches,
    failed,
    guarded,
    kinds_of,
)

CHUNK = 1 << 20
DELIMITERS = ",\t;|"
LINE_END = re.compile(rb"\r\n?|\n")


class Rows:
    """Yields the rows of a file; a row is a text that says why where it cannot be read.

    `taken` are the bytes of the row last given, all of them and unchanged.
    """

    def __init__(self, stream: Opened, suffix: str, limit: int) -> None:
        csv.field_size_limit(max(csv.field_size_limit(), limit))
        self._limit = limit
        self._lines: list[str] = []
        self._size = 0
        self._ended = False
        source = _lines(stream, limit)
        first = next(source, "")
        self.bom = BOM if first.startswith("\ufeff") else b""
        first = first.removeprefix("\ufeff")
        self._source = chain([first] if first else [], source)
        self.delimiter = _delimiter(first, suffix)

    @property
    def taken(self) -> bytes:
        """Return the bytes of the row last given."""
        return "".join(self._lines).encode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[list[str] | str]:
        reader = csv.reader(self._fed(), delimiter=self.delimiter)
        while not self._ended:
            self._lines.clear()
            self._size = 0
            fields: list[str] | str
            try:
                fields = next(reader)
                if self._ended and self._lines:
                    fields = f"unclosed quote: {len(self._lines):,} lines to the end of the file"
            except _TooLargeError:
                fields = "too large"
                reader = csv.reader(self._fed(), delimiter=self.delimiter)
            except csv.Error as error:
                fields = str(error)
            except StopIteration:
                return
            yield fields

    def _fed(self) -> Iterator[str]:
        """Give the reader one line after the other and remember what it took for the row."""
        take = self._lines.append
        for line in self._source:
            take(line)
            self._size += len(line)
            if self._size - 2 > self._limit:
                raise _TooLargeError
            yield line
        self._ended = True


class _TooLargeError(Exception):
    """A row is over the limit."""


def _lines(stream: Opened, limit: int) -> Iterator[str]:
    """Yield lines with their ends; one over the limit in pieces that are over it as well.

    Bytes that are not UTF-8 become surrogates, from which they can be had again.
    """
    rest, end = b"", ""
    while chunk := stream.read(max(CHUNK, len(rest) // 4)):  # long rows in few steps
        end = end or _line_end(chunk)
        cut = chunk.rfind(end.encode()) + 1
        whole, rest = (rest + chunk[:cut], chunk[cut:]) if cut else (b"", rest + chunk)
        if len(rest) > limit + CHUNK:
            whole, rest = whole + rest, b""
        yield from io.TextIOWrapper(io.BytesIO(whole), "utf-8", "surrogateescape", newline=end)
    if rest and not stream.failure:  # else the row is cut off, though it may not look so
        yield rest.decode("utf-8", "surrogateescape")


def _line_end(beginning: bytes) -> str:
    """Return what ends the lines of a file: a line feed, or in old files a carriage return alone."""
    beginning = beginning.removesuffix(b"\r")  # it may be half a line end
    first = LINE_END.search(beginning)
    alone = beginning.count(b"\r") - beginning.count(b"\r\n")
    return "\r" if first and first[0] == b"\r" and alone > beginning.count(b"\n") else "\n"


def _delimiter(header: str, suffix: str) -> str:
    if suffix in (".tsv", ".tab"):
        return "\t"
    return max(DELIMITERS, key=lambda mark: (header.count(mark), -DELIMITERS.index(mark)))


def _header(rows: Rows) -> tuple[Iterator[list[str] | str], list[str], bytes]:
    """Return the rows after the header, the columns' names, and all bytes up to the first row."""
    found = iter(rows)
    before = b""
    for fields in found:
        before += rows.taken
        if isinstance(fields, list) and fields:
            return found, [name.strip() for name in fields], before
    return found, [], before


@lru_cache(1 << 10)
def look(file: File, settings: ReaderSettings) -> Looked:
    """Choose the columns by the header line; all hold text."""
    with opened(file, settings.encoding) as stream:
        rows = Rows(stream, file.suffix, settings.max_record)
        _, names, _ = _header(rows)
    if not names:  # an empty file, or one that cannot be unpacked
        return unknown(settings)
    columns = choose(names, settings, file.name)
    return columns, dict.fromkeys(names, pa.string())


def read(
    file: File, _begin: int, _end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the records of a file."""
    columns, _ = look(file, settings)
    with opened(file, settings.encoding) as stream:
        rows, names, _ = _header(Rows(stream, file.suffix, settings.max_record))
        yield from batches(_records(rows, names, columns, settings.max_record), schema)
        yield from failed(stream, schema)


def _records(
    rows: Iterator[list[str] | str], names: list[str], columns: Columns, limit: int
) -> Iterator[Record]:
    place = {name: at for at, name in reversed(list(enumerate(names)))}
    for fields in rows:
        if fields:  # a blank line is not a record
            yield _record(fields, place, len(names), columns, limit)


@guarded
def _record(
    fields: list[str] | str, place: dict[str, int], width: int, columns: Columns, limit: int
) -> Record:
    if isinstance(fields, str):
        return (
            too_large(limit) if fields == "too large" else Record(problem="invalid CSV", detail=fields)
        )
    own_id = fields[place[columns.id]] if columns.id and place[columns.id] < len(fields) else None
    own_id = as_text(own_id) if own_id else None
    if len(fields) != width:
        detail = f"{len(fields)} fields where the header has {width}"
        return Record(id=own_id, problem="invalid CSV", detail=detail)
    text = fields[place[columns.text]]
    if not text and not columns.lenient:
        return Record(id=own_id, problem="no text", detail=f"{columns.text!r} is empty")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        detail = f"at character {error.start} of {columns.text!r}"
        return Record(id=own_id, problem="invalid UTF-8", detail=detail)
    others = {ours: fields[place[theirs]] or None for ours, theirs in columns.others.items()}
    return Record(text or None, own_id, others)


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the rows kept, byte by byte as they are but for notes and new texts; return how many."""
    columns, _ = look(file, settings)
    choice = decided.in_turn()
    kinds = {} if decided.notes is None else kinds_of(decided.notes)
    with opened(file, settings.encoding) as stream, written_like(file, target, settings.encoding) as out:
        source = Rows(stream, file.suffix, settings.max_record)
        rows, names, head = _header(source)
        place = {name: at for at, name in reversed(list(enumerate(names)))}
        added = [f"neardup_{name}" for name in kinds]
        add = _Extender(names, added, source.delimiter)
        out.write(source.bom + (add.extended(head, names, added) if kinds else head))
        for fields in rows:
            taken = source.taken
            if not fields:
                out.write(taken)
                continue
            record = _record(fields, place, len(names), columns, settings.max_record)
            if choice.next(record.is_bad):
                if not isinstance(fields, list) or len(fields) != len(names):
                    out.write(taken)
                    continue
                if choice.text is not None:
                    fields[place[columns.text]] = choice.text
                    taken = add.written(taken, fields)
                if kinds:
                    taken = add.extended(taken, fields, [_field(choice.note.get(n)) for n in kinds])
                out.write(taken)
    return choice.kept


def _field(value: object) -> object:
    return as_text(value) if isinstance(value, list) else value


class _Extender:
    """Writes rows again: with another text, and with notes at the end, in place of older ones."""

    def __init__(self, names: list[str], added: list[str], delimiter: str) -> None:
        self._own = [at for at, name in enumerate(names) if name not in added]
        self._annotated = len(self._own) < len(names)
        self._delimiter = delimiter

    def extended(self, row: bytes, fields: list[str], values: Sequence[object]) -> bytes:
        body = row.rstrip(b"\r\n")
        added = self._line(values)
        kept = self._line([fields[at] for at in self._own]) if self._annotated else body
        return kept + self._delimiter.encode() + added + row[len(body) :]

    def written(self, row: bytes, fields: list[str]) -> bytes:
        return self._line(fields) + row[len(row.rstrip(b"\r\n")) :]

    def _line(self, values: Sequence[object]) -> bytes:
        sink = io.StringIO()
        csv.writer(sink, delimiter=self._delimiter, lineterminator="").writerow(values)
        return sink.getvalue().encode("utf-8", "surrogateescape")


READER = Reader(
    look=look,
    read=read,
    rewrite=rewrite,
    suffixes=(".csv", ".tsv", ".tab"),
    decodes=True,
    holds_gil=True,
    annotates=True,
    cuts=True,
)
