"""What every reader yields: batches of records, each with its text or with what is wrong with it.

A record that cannot be used is a row too: it has no text, and `problem` says why. So nothing is
lost on the way, and all counts of a run follow from this one table.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from types import MappingProxyType
from typing import Any, NamedTuple, ParamSpec, TypeVar

import pyarrow as pa

from neardup.arrays import Bools
from neardup.errors import SettingsError
from neardup.readers.encodings import AUTO, Opened, check_encoding

BATCH_BYTES = 2 << 20
BATCH_ROWS = 8192
KNOWN = ("title", "url", "date")  # carried along wherever the input has them
NOTES = {"cluster": pa.int64(), "keeper": pa.string(), "similarity": pa.float64()}
SPAN = {"start": pa.int64(), "end": pa.int64()}
KEEPER = {"keeper": pa.string(), "keeper_start": pa.int64(), "keeper_end": pa.int64()}
PASSAGE_NOTES = {"passages": pa.list_(pa.struct(SPAN | KEEPER))}
NOT_ASKED_FOR = "not asked for"
HEADINGS = "wiki headings"  # of a page, if asked for: a line each with its start, level and name
SOURCE_CITES = "source citations"  # of a page, if asked for: a line each, as they stand there
CONTRIBUTOR = "contributor"  # who wrote a revision
LINK_SHARE = "link_share"  # of the text of a page, if it is asked for and HTML says so
RESERVED = frozenset(("doc", "file", "problem", "detail"))
DETAIL = 200  # characters of what a library says
Given = ParamSpec("Given")
Item = TypeVar("Item")


@dataclass(frozen=True)
class ReaderSettings:
    """How the input is read.

    `text_column` and `id_column` may name a nested field with dots; None means the usual names.
    `columns` are carried into the result's table of documents. HTML is reduced to its main content
    unless `raw`. A record over `max_record` bytes is skipped. Of a dump of MediaWiki, the pages of some
    `namespaces` (numbers with commas, or all) are read, redirects only if asked for, and the last
    revision of a page or all of its `revisions`; of a folder with a dump of Stack Exchange, posts or
    their `revisions`. With `fields`, several columns are texts of their own, any of which may be
    missing: see `readers.fields`. `encoding`: see `readers.encodings`. With `lines`, each line of a
    plain text is a document. With `headings`, dumps of MediaWiki say where those of a page are, and with
    `citations`, what its source cites.
    """

    text_column: str | None = None
    id_column: str | None = None
    columns: tuple[str, ...] = ()
    raw: bool = False
    strict: bool = False
    max_record: int = 256 << 20
    namespaces: str = "0"
    redirects: bool = False
    revisions: bool = False
    fields: tuple[str, ...] = ()
    encoding: str = AUTO
    lines: bool = False
    headings: bool = False
    citations: bool = False

    def wants(self, own_id: str | None) -> bool:
        """Return whether the text of a document is wanted; a subclass may name some only."""
        return True


class Record(NamedTuple):
    """One record on its way into a batch: a text, or a problem."""

    text: str | None = None
    id: str | None = None
    others: Mapping[str, Any] = MappingProxyType({})
    problem: str | None = None
    detail: str | None = None

    def is_bad(self) -> bool:
        """Return whether the record has a problem."""
        return self.problem is not None


def unforeseen(error: Exception) -> Record:
    """Return the record of which nobody knew what could be wrong with it."""
    return Record(problem="unreadable", detail=f"{type(error).__name__}: {error}"[:DETAIL])


def guarded(make: Callable[Given, Record]) -> Callable[Given, Record]:
    """Have what makes a record raise nothing: one bad record never ends a file, let alone a run.

    Every reader finds where its records begin and end, and makes them by a function that is guarded.
    """

    @wraps(make)
    def tried(*given: Given.args, **named: Given.kwargs) -> Record:
        try:
            return make(*given, **named)
        except Exception as error:
            return unforeseen(error)

    return tried


def check(settings: ReaderSettings) -> None:
    """Refuse settings that cannot be followed."""
    for name in settings.columns:
        if name in RESERVED:
            hint = "Rename that column in the input; neardup has its own of that name."
            raise SettingsError(f"the column {name!r} cannot be carried along", hint=hint)
    check_encoding(settings.encoding)
    if settings.max_record < 1:
        raise SettingsError("max_record must be at least 1 byte")
    if not re.fullmatch(r"all|-?\d+(,-?\d+)*", settings.namespaces):
        raise SettingsError(
            f"{settings.namespaces!r} is not a list of namespaces",
            hint="Write their numbers with commas between them, such as 0,14; or all.",
        )


def records_schema(extra: dict[str, pa.DataType]) -> pa.Schema:
    """Return the schema of the batches that readers yield; `extra` are the columns asked for."""
    known = {"id": pa.string(), "text": pa.large_string()} | dict.fromkeys(KNOWN, pa.string())
    others = {name: kind for name, kind in extra.items() if name not in known}
    ends = {"problem": pa.string(), "detail": pa.string()}
    return pa.schema((known | others | ends).items())


def column_types(types: Mapping[str, pa.DataType], settings: ReaderSettings) -> dict[str, pa.DataType]:
    """Return the types of the columns asked for; fields are texts, whatever they look like."""
    usual = {LINK_SHARE: pa.float64()}
    others = {n: types.get(n, usual.get(n, pa.string())) for n in settings.columns}
    return others | {name: pa.string() for name in settings.fields if name in others}


def batches(records: Iterable[Record], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Collect records into batches of a bounded size."""
    for rows in collected(records, lambda record: len(record.text or ""), BATCH_BYTES, BATCH_ROWS):
        yield to_batch(rows, schema)


def collected(
    items: Iterable[Item], size: Callable[[Item], int], most: int, rows: int = sys.maxsize
) -> Iterator[list[Item]]:
    """Put items together until they are large enough, or many enough.

    >>> list(collected(["one", "two", "three"], len, 6))
    [['one', 'two'], ['three']]
    """
    waiting: list[Item] = []
    held = 0
    for item in items:
        waiting.append(item)
        held += size(item)
        if held >= most or len(waiting) >= rows:
            yield waiting
            waiting, held = [], 0
    if waiting:
        yield waiting


def to_batch(rows: list[Record], schema: pa.Schema) -> pa.RecordBatch:
    """Make one batch of some records."""
    texts, ids, others, problems, details = zip(*rows, strict=True)
    quoted = [as_type(detail, pa.string()) for detail in details]  # it may quote the input
    own = {"text": texts, "id": ids, "problem": problems, "detail": quoted}
    arrays = [
        pa.array(own.get(f.name) or [as_type(o.get(f.name), f.type) for o in others], f.type)
        for f in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def as_type(value: object, kind: pa.DataType) -> Any:
    """Return a value that fits an Arrow type: itself, its text, or nothing."""
    if value is None:
        return None
    if pa.types.is_string(kind):
        return as_text(value)
    try:
        return pa.scalar(value, kind).as_py()
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return None


def as_text(value: object) -> str:
    """Return the text of a value, written as Arrow and JSON write it.

    >>> as_text(True), as_text([1, 2])
    ('true', '[1, 2]')
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, bool | float):
        return str(pa.scalar(value).cast(pa.string()).as_py())
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False, default=str)
    # half a surrogate pair is not text, but two of them are not the same
    return str(value).encode("utf-8", "backslashreplace").decode()


def failed(stream: Opened, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield one last row for a stream that ended before its time."""
    if stream.failure:
        problem, detail = stream.failure
        yield to_batch([Record(problem=problem, detail=detail)], schema)


class Notes(dict[int, dict[str, Any]]):
    """Notes of chosen names and types, by the position of a record."""

    def __init__(self, kinds: Mapping[str, pa.DataType]) -> None:
        super().__init__()
        self.kinds = dict(kinds)


def kinds_of(notes: Mapping[int, dict[str, Any]]) -> dict[str, pa.DataType]:
    """Return the names and types of notes."""
    return getattr(notes, "kinds", NOTES)


class Decisions(NamedTuple):
    """What is done to the records of one file, by their position from 0.

    Those not to `keep` are left out, unless they have a problem; `texts` replace those of some records.
    """

    keep: Bools | None = None
    notes: Mapping[int, dict[str, Any]] | None = None
    texts: Mapping[int, str] | None = None

    def in_turn(self) -> "Choice":
        """Return the same for a reader that asks for one record after the other."""
        return Choice(self)


class Choice:
    """Which records of a file to write again, asked for one after the other."""

    def __init__(self, decided: Decisions) -> None:
        self._keep = decided.keep
        self._notes = decided.notes or {}
        self._texts = decided.texts if decided.texts is not None else {}
        self._position = -1
        self.kept = 0

    def next(self, bad: Callable[[], bool] = lambda: False) -> bool:
        """Return whether the next record stays; one that is `bad` always does: it was not compared."""
        self._position += 1
        listed = self._keep is not None and self._position < len(self._keep)
        chosen = not listed or bool(self._keep[self._position]) or bad()  # type: ignore[index]
        self.kept += chosen
        return chosen

    @property
    def note(self) -> dict[str, Any]:
        """Return the note on the record last asked for."""
        return self._notes.get(self._position, {})

    @property
    def text(self) -> str | None:
        """Return what replaces the text of the record last asked for, None if it stays."""
        return self._texts.get(self._position)
