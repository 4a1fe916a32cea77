"""A filter beside an index: what is new is added and goes on, what is known stays behind."""

import os
import select
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from neardup.errors import InputError
from neardup.index.adding import Row
from neardup.index.settings import Likeness
from neardup.index.sieve import AT_ONCE, Like, Sieve
from neardup.readers.columns import Columns, Looked
from neardup.readers.json_records import BOM, annotated, from_line, from_object, look_at, look_at_objects
from neardup.readers.memory import NAME, TEXT
from neardup.readers.records import KNOWN, ReaderSettings, Record, as_text
from neardup.store.manifest import About
from neardup.text.addresses import COLUMN, page_of

if TYPE_CHECKING:
    from neardup.index.kept import Kept
    from neardup.index.online import Index

BLOCK = 4 << 20  # bytes of lines that go through together, if so many are there
MARKS = ("keeper", "similarity")  # of a known record, as dedup says it
SPACE = b" \t\r\n"
Item = TypeVar("Item", str, dict[str, Any])


class Seen(NamedTuple):
    """The document of an index that a text is like, and how much; no number for one of the same key."""

    id: str
    similarity: float | None


@dataclass(frozen=True)
class Filter:
    """Tells which documents an index has already, and adds the others.

    A document is known if one before it, in the index or not, is `threshold` like it. With a `key`, the
    column of its id, it is also known if its id is in the index, whatever its text is; without, ids are
    names only. Of a column of addresses the id is what those of one page have in common.
    """

    index: "Index"
    threshold: float = 0.7
    measure: Likeness = "resemblance"
    key: str | None = None

    def __post_init__(self) -> None:
        self._sieve()  # refuses settings that cannot be followed

    def _sieve(self) -> Sieve:
        return Sieve(self.index.analysis, self.threshold, self.measure)

    def seen(self, text: str) -> Seen | None:
        """Return what the index has of a text; nothing is added."""
        [like] = self._sieve().sift([text.encode("utf-8", "replace")], self._before)
        return self._named(like, [])

    def take(self, rows: Iterable[Row]) -> Iterator[Seen | None]:
        """Yield what was known of each document before it; those that are new are added."""
        part: dict[str, Row] = {}
        for row in rows:
            if row.about.id in part or len(part) == AT_ONCE:
                yield from self._take(list(part.values()))
                part = {}
            part[row.about.id] = row
        yield from self._take(list(part.values()))

    def _take(self, rows: list[Row]) -> list[Seen | None]:
        """Do so for documents of different ids."""
        keyed = [self._of_its_key(row) for row in rows]
        rest = self._renamed([row for row, own in zip(rows, keyed, strict=True) if own is None])
        likes = self._sieve().sift([row.text for row in rest], self._before)
        self.index.add_rows([row for row, like in zip(rest, likes, strict=True) if like is None])
        seen = iter([self._named(like, rest) for like in likes])
        return [next(seen) if own is None else Seen(own, None) for own in keyed]

    def _of_its_key(self, row: Row) -> str | None:
        """Return the id of the document of its key; an index of files has addresses as given."""
        names = {None: (), COLUMN: (row.about.id, row.about.url)}.get(self.key, (row.about.id,))
        return next((own for own in names if own and own in self.index), None)

    def row(self, record: Record, name: str) -> Row:
        """Return the document of a record, which has this name if it has no id."""
        known = (record.others.get(column) for column in KNOWN)
        given = (record.id or "").strip() if self.key else record.id
        if given and self.key == COLUMN:
            given = page_of(given)
        about = About(given or name, *(None if own is None else as_text(own) for own in known))
        return Row(about, (record.text or "").encode("utf-8", "replace"))

    def _renamed(self, rows: list[Row]) -> list[Row]:
        """Give those another name whose id the index has."""
        names = {row.about.id for row in rows}
        renamed = []
        for row in rows:
            given = free_name(self.index, row.about.id, names)
            names.add(given)
            renamed.append(row._replace(about=row.about._replace(id=given)))
        return renamed

    def _before(self, text: bytes) -> Like | None:
        """Return the document of the index that a text is most like."""
        search = self.index.search
        found = search.alike(search.contents.view, search.text(text), self.threshold, ())
        search.contents.answered()
        return self._sieve().most_like(*found, here=False)

    def _named(self, like: Like | None, rows: list[Row]) -> Seen | None:
        if like is None:
            return None
        if like.here:
            return Seen(rows[like.doc].about.id, like.similarity)
        about = self.index.search.contents.about([like.doc]).get(like.doc)
        return Seen(about.id if about else "", like.similarity)


def free_name(index: "Kept", given: str, names: Container[str]) -> str:
    """Return an id that no document of an index has: the given one, or another that is no such name."""
    found, number = given, len(index)
    while found in index or (found != given and found in names):
        number += 1
        found = f"{given}#{number}"
    return found


@dataclass
class Amounts:
    """How many lines came, and what they were."""

    read: int = 0
    new: int = 0
    known: int = 0
    unusable: int = 0


class Lines:
    """Lines on their way through a filter: records of JSON or, if the first is none, plain texts.

    What cannot be used, such as a bad record, goes on as it is. Known records stay behind, or go on with
    marks if they are to be annotated.
    """

    def __init__(self, chosen: Filter, reader: ReaderSettings, name: str, annotate: bool) -> None:
        self.amounts = Amounts()
        self._filter, self._reader, self._name, self._annotate = chosen, reader, name, annotate
        self._columns: Columns | None = None  # of records, by the first that come

    def passed(self, lines: list[bytes]) -> list[bytes]:
        """Return what goes on of some lines; what is new of it is in the index by then."""
        if self._columns is None:
            self._look(lines)
        records = [self._record(line) for line in lines]
        first = self.amounts.read + 1
        rows = (
            self._filter.row(record, f"{self._name}#{position}")
            for position, record in enumerate(records, first)
            if not record.is_bad()
        )
        seen = self._filter.take(rows)
        return [
            went
            for line, record in zip(lines, records, strict=True)
            if (went := self._gone_on(line, record, None if record.is_bad() else next(seen)))
        ]

    def _look(self, lines: list[bytes]) -> None:
        first = next((line for line in lines if line.strip()), None)
        if first is None:
            return
        is_json = first.lstrip(BOM + SPACE).startswith(b"{")
        if self._annotate and not is_json:
            hint = "Give records of JSON, one a line; or leave annotate out."
            raise InputError("lines of plain text cannot be annotated", where=self._name, hint=hint)
        named = self._reader.text_column or self._reader.id_column
        if named and not is_json:
            hint = "Give records of JSON, one a line; or name no column."
            raise InputError(f"plain text has no column {named!r}", where=self._name, hint=hint)
        self._columns = looked(look_at, lines, self._reader, self._name) if is_json else TEXT

    def _record(self, line: bytes) -> Record:
        if not line.strip():
            return Record(problem="blank")
        if self._columns is TEXT:
            return Record(line.decode("utf-8", "replace").strip())
        return from_line(line, self._columns or TEXT)

    def _gone_on(self, line: bytes, record: Record, seen: Seen | None) -> bytes | None:
        """Count a line; return it as it goes on, if it does."""
        amounts = self.amounts
        amounts.read += 1
        if record.is_bad():
            amounts.unusable += 1
        elif seen:
            amounts.known += 1
        else:
            amounts.new += 1
        if self._annotate:
            return annotated(line, {} if seen is None else dict(zip(MARKS, seen, strict=True)), MARKS)
        return line if seen is None else None


def new_of(chosen: Filter, items: Iterable[Item], reader: ReaderSettings) -> Iterator[Item]:
    """Yield those of some texts or records that are new; each is in the index when it is yielded."""
    rest, position, columns = iter(items), 0, None
    while part := list(islice(rest, AT_ONCE)):
        records = [{"text": item} if isinstance(item, str) else item for item in part]
        columns = columns or looked(look_at_objects, records, reader, NAME)
        made = [from_object(record, columns) for record in records]
        rows = (
            chosen.row(record, f"{NAME}#{at}")
            for at, record in enumerate(made, position + 1)
            if not record.is_bad()
        )
        position += len(part)
        seen = chosen.take(rows)
        yield from [
            item
            for item, record in zip(part, made, strict=True)
            if record.is_bad() or next(seen) is None
        ]


def looked(look: Callable[..., Looked], data: Any, reader: ReaderSettings, name: str) -> Columns:
    """Return the columns of the records that come first; the column of ids is that of the key here."""
    try:
        return look(data, reader, name)[0]
    except InputError as error:
        error.hint = error.hint and error.hint.replace("id_column=", "key=")
        raise


def blocks(source: int) -> Iterator[list[bytes]]:
    """Yield the lines of a file descriptor: all that are there at a time, up to a bound."""
    rest = b""
    while part := os.read(source, BLOCK):
        parts, size = [rest, part], len(part)
        while (
            size < BLOCK and select.select([source], [], [], 0)[0] and (part := os.read(source, BLOCK))
        ):
            parts.append(part)
            size += len(part)
        whole, end, rest = b"".join(parts).rpartition(b"\n")
        if end:
            yield [line + end for line in whole.split(b"\n")]
    if rest:
        yield [rest]
