"""The file of an index: one DuckDB database, written in transactions.

A few documents are noted in a journal first, which is much faster, and written with others later.
"""

import errno
import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.durable import FILE_LIMIT, RAISE_LIMIT
from neardup.errors import InputError, LockedError, OutputError
from neardup.index.journal import Journal, encoded
from neardup.index.memory import About
from neardup.index.settings import IndexSettings, Sync
from neardup.kernels.hashing import HASH_VERSION
from neardup.steps.columns import schema_of
from neardup.text import unicode_version

FORMAT = 2
LOG = ".wal"  # of DuckDB
LOAD_ROWS = 4096
LITTLE = "32MB"
FEW = 16  # rows for which a table is faster than values
MOST_KEYS = 1 << 22  # of one row
MOST_NOTED = 1_000  # lots of documents in the journal
MOST_NOTED_BYTES = 24 << 20
TAKEN = "taken"  # in the table of facts: documents of the journal before this number are in the database
TABLES = """
create table meta (name varchar, value varchar);
create table documents (
  doc bigint, id varchar, title varchar, url varchar, date varchar, text blob);
create table postings (
  kind varchar, first bigint, last bigint,
  keys blob using compression uncompressed, docs blob using compression uncompressed);
"""
DOCUMENTS = schema_of(f"doc int64, {' '.join(About._fields)} string, text large_binary")
# what this process has open for writing, which DuckDB would share, until it is closed or forgotten
_OPEN: "WeakValueDictionary[Path, Store]" = WeakValueDictionary()
_OPENING = threading.Lock()


class Stored(NamedTuple):
    """Documents as they are in the file."""

    docs: npt.NDArray[np.int64]
    about: list[About]
    texts: list[bytes]

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]]) -> "Stored":
        """Make documents of what `rows` returned."""
        docs, *about, texts = zip(*rows, strict=True)
        known = [About(*own) for own in zip(*about, strict=True)]
        return cls(np.array(docs), known, [text.encode() for text in texts])

    def rows(self) -> list[list[Any]]:
        """Return a row for each document, for JSON."""
        columns = self.docs.tolist(), self.about, self.texts
        return [[doc, *own, text.decode()] for doc, own, text in zip(*columns, strict=True)]

    @classmethod
    def together(cls, parts: Sequence["Stored"]) -> "Stored":
        """Put documents together."""
        docs, abouts, texts = zip(*parts, strict=True)
        return cls(np.concatenate(docs), list(chain(*abouts)), list(chain(*texts)))


class Store:
    """An open file; one process may write it, or several read it."""

    def __init__(self, path: Path, writable: bool, sync: Sync = "soon") -> None:
        if not path.is_file():
            hint = f"Make one with: neardup index build {path} INPUT…"
            raise InputError("there is no such index", where=str(path), hint=hint)
        self.path = path
        self._claimed = self._claim(writable)
        self._journal = Journal(path, sync)
        self._noted: list[Stored] = []  # in the journal, and not in the database
        self._deleted: list[int] = []
        self._confirmed = 0, 0  # the number of both
        self._records: list[bytes] = []  # of the others
        self._notes = False
        log = path.with_name(path.name + LOG)
        try:
            self._database = connected(path, writable)
            if writable and log.exists():
                self._take_in_log()
            self.settings = self._checked()
            self._recover(writable)
            self.indexed = self._first_without_keys()  # the documents before it have keys in the file
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path, settings: IndexSettings) -> None:
        """Make the file of an empty index."""
        facts = {"format": str(FORMAT), "settings": json.dumps(settings.as_dict()), **versions()}
        with failures_told(path), duckdb.connect(str(path)) as database:
            database.execute(TABLES)
            database.executemany(
                "insert into meta values (?, ?)", [list(item) for item in facts.items()]
            )

    def _checked(self) -> IndexSettings:
        """Refuse a file that is not an index, or one that another version made; return its settings."""
        rebuild = "Build it again from the documents, with: neardup index build"
        try:
            meta = dict(self._database.execute("select name, value from meta").fetchall())
        except duckdb.CatalogException:
            raise InputError("this database is not an index of neardup", where=str(self.path)) from None
        except duckdb.Error as error:
            raise damaged(self.path) from error
        if meta.get("format") != str(FORMAT):
            what = f"this index has format {meta.get('format')}; this version of neardup knows {FORMAT}"
            raise InputError(what, where=str(self.path), hint=rebuild)
        for name, value in versions().items():
            if meta.get(name) != value:
                what = f"this index was made with version {meta.get(name)} of {name}, now it is {value}"
                raise InputError(what, where=str(self.path), hint=rebuild)
        return IndexSettings(**json.loads(meta["settings"]))

    def _take_in_log(self) -> None:
        """Put what a crash left in DuckDB's log into the database, and drop what is not whole.

        DuckDB leaves a log with nothing whole in it alone until something is written.
        """
        try:
            self._database.execute("comment on table meta is null")
            self._database.execute("checkpoint")
        except duckdb.Error:  # there is no room: it stays where it is
            self._database.close()
            self._database = connected(self.path, writable=True)

    def _recover(self, writable: bool) -> None:
        """Write what a crash left in the journal to the database."""
        if not self._journal.path.exists():
            return
        if not writable:  # nobody writes it now: it can be done in between
            self._database.close()
            Store(self.path, writable=True).close()
            self._database = connected(self.path, writable)
            return
        after = self.next_number()
        for record in self._journal.records():
            noted = Stored.of(record["documents"])
            if noted.docs[0] < after:
                break  # the crash was just behind the transaction that took them over
            self._noted.append(noted)
            self._deleted += record["deleted"]
        self.indexed = self._first_without_keys()
        self.fold()
        self._journal.clear()

    def close(self) -> None:
        """Close the file; the journal is gone then."""
        database = getattr(self, "_database", None)
        try:
            if database:
                self.fold()
        finally:
            self._journal.close()
            if database:
                database.close()
            self._unclaim()

    def _claim(self, writable: bool) -> Path | None:
        """Note that this process writes the file; refuse it if it does so already."""
        resolved = self.path.resolve()
        with _OPENING:
            if resolved in _OPEN:
                hint = "Ask the Index that is open, or close() it first."
                what = "this process has this index open already"
                raise LockedError(what, where=str(self.path), hint=hint)
            if writable:
                _OPEN[resolved] = self
        return resolved if writable else None

    def _unclaim(self) -> None:
        with _OPENING:
            if self._claimed:
                _OPEN.pop(self._claimed, None)
        self._claimed = None

    @property
    def is_full(self) -> bool:
        """Say whether what is noted should be in the database before more is: it is much, or unsafe."""
        much = len(self._noted) >= MOST_NOTED or self._journal.size >= MOST_NOTED_BYTES
        return much or self._journal.failed

    @property
    def is_writable(self) -> bool:
        """Say whether the file is open, for writing."""
        return self._claimed is not None

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Take in a few documents, all or none; `confirm` writes them to the journal."""
        if not self.is_writable:
            raise OutputError("this index is not open for writing", where=str(self.path))
        noted, deleted = len(self._noted), len(self._deleted)
        self._notes = True
        try:
            yield
            rows = [row for some in self._noted[noted:] for row in some.rows()]
            if rows:
                self._records.append(encoded({"documents": rows, "deleted": self._deleted[deleted:]}))
        except BaseException:
            del self._noted[noted:], self._deleted[deleted:]
            raise
        finally:
            self._notes = False

    def confirm(self) -> None:
        """Write what was noted since the last time, all or nothing; a transaction takes it later."""
        records, self._records = b"".join(self._records), []
        noted, deleted = self._confirmed
        try:
            if records:
                self._journal.append(records)
        except BaseException as error:
            del self._noted[noted:], self._deleted[deleted:]
            if isinstance(error, OSError):
                raise OutputError(f"cannot be written: {error}", where=str(self.path)) from error
            raise
        self._confirmed = len(self._noted), len(self._deleted)

    def flush(self) -> None:
        """Return when what was confirmed is on the disk: in the journal, or else in the database."""
        try:
            self._journal.flush()
        except OSError:
            self.fold()

    def fold(self) -> None:
        """Write what is noted to the database."""
        if self._noted or self._journal.failed:
            with self.transaction():
                pass

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all or nothing, behind what was noted before; that is in the database then."""
        with self._written():
            if self._noted:
                self.insert(Stored.together(self._noted))
                self.delete(self._deleted)
                self._mark_taken()
            yield
        if self._noted or self._journal.failed:
            self._noted, self._deleted, self._confirmed = [], [], (0, 0)
            self._journal.clear()

    def _mark_taken(self) -> None:
        """Note the number behind those of the journal, whatever the transaction deletes of them."""
        value = str(self.next_number())
        self._database.execute("delete from meta where name = ?", [TAKEN])
        self._database.execute("insert into meta values (?, ?)", [TAKEN, value])

    @contextmanager
    def _written(self) -> Iterator[None]:
        state: tuple[int, ...] = ()
        with failures_told(self.path):
            self._database.begin()
            try:
                yield
                state = self._state()
                self._database.commit()
            except duckdb.FatalException:
                if not self._is_after_all(state):
                    raise
            except BaseException:
                with suppress(duckdb.TransactionException):  # a commit that failed took all back itself
                    self._database.rollback()
                self.indexed = self._first_without_keys()
                raise

    def _state(self) -> tuple[int, ...]:
        """Return numbers of which any transaction changes one."""
        counts = "select (select count(*) from documents), (select count(*) from postings)"
        return *self._fetched(counts)[0], self.next_number()

    def _is_after_all(self, state: tuple[int, ...]) -> bool:
        """Open the database again, and say whether a transaction is in it whose commit failed.

        It may have reached the log, which could not be taken over for lack of room.
        """
        self._database.close()
        self._database = connected(self.path, writable=True)
        self.indexed = self._first_without_keys()
        return self._state() == state

    def ids(self) -> dict[str, int]:
        """Return the number of each document by its id."""
        return dict(self._fetched("select id, doc from documents"))

    def _fetched(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; a file that cannot be read is damaged."""
        with damage_told(self.path):
            return self._database.execute(statement, list(values)).fetchall()

    def next_number(self) -> int:
        """Return the first number that no document ever had, as far as keys and the journal tell."""
        statement = """
            select greatest(coalesce((select max(doc) from documents), -1) + 1,
              coalesce((select max(last) from postings), -1) + 1,
              coalesce((select max(value::bigint) from meta where name = ?), 0))"""
        return int(self._fetched(statement, [TAKEN])[0][0])

    def _first_without_keys(self) -> int:
        return int(self._fetched("select coalesce(max(last), -1) + 1 from postings")[0][0])

    def insert(self, rows: Stored) -> None:
        """Write documents."""
        if self._notes:
            self._noted.append(rows)
            return
        if len(rows.docs) < FEW:
            for doc, own, text in zip(*rows, strict=True):
                values = [int(doc), *own, text]
                self._database.execute("insert into documents values (?, ?, ?, ?, ?, ?)", values)
            return
        columns = [rows.docs, *zip(*rows.about, strict=True), rows.texts]
        arrays = [pa.array(c, f.type) for c, f in zip(columns, DOCUMENTS, strict=True)]
        batch = pa.Table.from_arrays(arrays, schema=DOCUMENTS)
        self._database.register("added", batch)
        self._database.execute("insert into documents select * from added")
        self._database.unregister("added")

    def delete(self, docs: Sequence[int]) -> None:
        """Delete documents; their keys stay, and mean nothing."""
        if self._notes:
            self._deleted += docs
        elif docs:
            self._database.execute("delete from documents where doc in (select unnest(?))", [list(docs)])

    def insert_postings(self, kind: str, first: int, last: int, keys: Any, docs: Any) -> None:
        """Write the sorted keys of documents `first` to `last`, in rows of a bounded size."""
        for begin in range(0, max(len(keys), 1), MOST_KEYS):
            part = slice(begin, begin + MOST_KEYS)
            self._database.execute(
                "insert into postings values (?, ?, ?, ?, ?)",
                [kind, first, last, keys[part].tobytes(), docs[part].tobytes()],
            )

    def forget(self) -> None:
        """Let go of what the database keeps of the file in its own memory."""
        self._database.execute(f"set memory_limit = '{LITTLE}'")
        self._database.execute("reset memory_limit")

    def postings(self) -> Iterator[tuple[str, Any, Any]]:
        """Yield kinds, sorted keys and their documents, in the order in which they were written.

        Row by row: of a larger part the database would hold all in memory at a time.
        """
        numbers = self._fetched("select rowid from postings order by rowid")
        statement = "select kind, keys, docs from postings where rowid = ?"
        for number in numbers:
            [(kind, keys, docs)] = self._fetched(statement, number)
            self.forget()
            yield kind, np.frombuffer(keys, np.uint64), np.frombuffer(docs, np.int32)

    def documents(self, since: int = 0, until: int | None = None) -> Iterator[Stored]:
        """Yield the documents with some numbers, in order, a portion at a time.

        Those that the open transaction has written are among them: a cursor would not see them.
        """
        names = ", ".join(DOCUMENTS.names)
        statement = f"select {names} from documents where doc >= ? and doc < ? order by doc"
        last = self.next_number() if until is None else until
        for begin in range(since, last, LOAD_ROWS):
            rows = self._fetched(statement, [begin, min(begin + LOAD_ROWS, last)])
            if rows:
                docs, *about, texts = zip(*rows, strict=True)
                known = [About(*own) for own in zip(*about, strict=True)]
                yield Stored(np.array(docs), known, list(texts))


def versions() -> dict[str, str]:
    """Return what keys depend on."""
    return {"hash": str(HASH_VERSION), "unicode": unicode_version()}


def is_database(path: Path) -> bool:
    """Say whether a file begins as DuckDB's do."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(12)[8:] == b"DUCK"


def connected(path: Path, writable: bool) -> duckdb.DuckDBPyConnection:
    """Open a database, or say why that cannot be."""
    if not is_database(path):
        hint = "Make one of a corpus with: neardup index build INDEX INPUT…"
        raise InputError("this file is not an index of neardup", where=str(path), hint=hint)
    try:
        return duckdb.connect(str(path), read_only=not writable)
    except duckdb.Error as error:
        message = str(error)
        if "Could not set lock" in message or "different configuration" in message:
            raise locked(path) from None
        raise damaged(path) from error


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Say in plain words that a database cannot be read."""
    try:
        yield
    except duckdb.Error as error:
        raise damaged(path) from error


@contextmanager
def failures_told(path: Path) -> Iterator[None]:
    """Say in plain words that a database cannot be written."""
    try:
        yield
    except (duckdb.IOException, duckdb.FatalException, duckdb.TransactionException) as error:
        hint = "Free some space, and try again: what was added before is safe."
        what = str(error).partition("\n")[0]
        if what.endswith(os.strerror(errno.EFBIG)):
            what, hint = FILE_LIMIT, RAISE_LIMIT
        raise OutputError(f"cannot be written: {what}", where=str(path), hint=hint) from error


def damaged(path: Path) -> InputError:
    """Return the error for a file that cannot be read any more."""
    hint = "Build it again from the documents, with: neardup index build"
    return InputError("this index is damaged", where=str(path), hint=hint)


def locked(path: Path) -> LockedError:
    """Return the error for a file that somebody else has open."""
    return LockedError(
        "another process has this index open",
        where=str(path),
        hint="One may write it, or several may read it: wait until the other one is done. A server adds "
        "documents itself: POST /documents.",
    )
