"""The manifest: which segments there are, what is known of documents, and those in no segment yet.

It is one SQLite database, so whatever is changed together is there together, after a crash too; and who
reads sees one state of it.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from neardup.errors import OutputError
from neardup.store.database import Database, Sync
from neardup.store.files import MANIFEST, check_folder, damaged
from neardup.store.locks import Lock
from neardup.store.segments import Facts, remove_others

FORMAT = "3"
MANY = 500  # values in a statement
TABLES = """
create table facts (name text primary key, value, sum integer) without rowid;
create table state (next integer, documents integer, base integer, generation integer, sum integer);
create table segments (number integer primary key, facts text, sum integer);
create table documents (
  doc integer primary key, id text not null unique, title text, url text, date text, sum integer);
create table recent (doc integer primary key, text blob, sum integer);
create table deleted (
  place integer primary key autoincrement, doc integer, counted integer, sum integer);
"""


class About(NamedTuple):
    """What is known of a document besides its text."""

    id: str
    title: str | None = None
    url: str | None = None
    date: str | None = None


class State(NamedTuple):
    """The next document's number, how many there are, the first one that is in no segment, and a count.

    That is of how often there were other segments.
    """

    next: int
    documents: int
    base: int
    generation: int


class Deleted(NamedTuple):
    """A document in a segment that is gone; its words may be counted still."""

    place: int
    doc: int
    counted: int


def sum_of(*values: object) -> int:
    """Return a checksum of a row."""
    return zlib.crc32(repr(values).encode("utf-8", "surrogatepass"))


def checked_rows(
    database: Database, statement: str, values: Sequence[Any] = ()
) -> Iterator[tuple[Any, ...]]:
    """Yield rows without the checksum that each ends with, if it is right."""
    for *row, found in database.execute(statement, values):
        if sum_of(*row) != found:
            raise damaged(database.path)
        yield tuple(row)


def number_of(given: str, database: Database) -> int | None:
    """Return the number of the document with an id; where that was looked up may be damaged."""
    statement = "select doc, id, title, url, date, sum from documents where id = ?"
    for doc, own, *_ in checked_rows(database, statement, [given]):
        if own != given:
            raise damaged(database.path)
        return int(doc)
    return None


class Manifest:
    """The manifest of an index; one process may write it while any number read."""

    def __init__(self, folder: Path, writable: bool, sync: Sync = "soon") -> None:
        check_folder(folder)
        self.folder = folder
        self._lock = Lock(folder) if writable else None
        self._writing: Database | None = None
        try:
            if writable:
                self._writing = Database(folder / MANIFEST, True, sync)
            self.reading = Database(folder / MANIFEST, False)
            self.facts = self._facts()
            if writable:
                remove_others(folder, (facts.number for facts in self.segments()))
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, folder: Path, facts: Mapping[str, Any]) -> None:
        """Make the folder of an empty index."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / MANIFEST
        try:
            path.touch()
            database = Database(path, True)
        except OSError as error:
            raise OutputError(f"cannot be written: {error}", where=str(folder)) from error
        try:
            with database.transaction(at_once=True):
                for statement in filter(str.strip, TABLES.split(";")):
                    database.execute(statement)
                state = State(0, 0, 0, 0)
                database.execute("insert into state values (?, ?, ?, ?, ?)", [*state, sum_of(*state)])
                for name, value in facts.items():
                    row = [name, value, sum_of(name, value)]
                    database.execute("insert into facts values (?, ?, ?)", row)
        finally:
            database.close()

    @property
    def is_writable(self) -> bool:
        """Return whether this process writes it."""
        return self._writing is not None

    @property
    def database(self) -> Database:
        """Return the connection that writes."""
        if self._writing is None:
            raise OutputError("this index is not open for writing", where=str(self.folder))
        return self._writing

    def close(self) -> None:
        """Let go of the files."""
        writing, self._writing = self._writing, None
        reading: Database | None = getattr(self, "reading", None)
        for database in (reading, writing):  # the last one that closes takes the log over
            if database:
                database.close()
        if self._lock:
            self._lock.release()

    # What is read

    def rows(self, statement: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield rows without the checksum that each ends with, if it is right."""
        yield from checked_rows(self.reading, statement, values)

    def _facts(self) -> dict[str, Any]:
        return dict(self.rows("select name, value, sum from facts where name <> 'words'"))

    @property
    def version(self) -> int:
        """Return a number that is another one when somebody has written."""
        return int(self.reading.execute("pragma data_version")[0][0])

    @property
    def state(self) -> State:
        """Return the state."""
        return self._state_of(self.reading)

    def _state_of(self, database: Database) -> State:
        found = database.execute("select next, documents, base, generation, sum from state")
        if len(found) != 1 or sum_of(*found[0][:-1]) != found[0][-1]:
            raise damaged(self.folder / MANIFEST)
        return State(*found[0][:-1])

    def segments(self) -> list[Facts]:
        """Return the segments in the order of their documents."""
        found = self.rows("select number, facts, sum from segments")
        return sorted((Facts(**json.loads(text)) for _, text in found), key=lambda facts: facts.first)

    def words(self) -> bytes | None:
        """Return how often each word occurs in the segments, as it was written."""
        found = list(self.rows("select name, value, sum from facts where name = 'words'"))
        return found[0][1] if found else None

    def recent(self, since: int) -> list[tuple[int, bytes]]:
        """Return the documents from a number on that are in no segment, in their order."""
        statement = "select doc, text, sum from recent where doc >= ? order by doc"
        return [(int(doc), bytes(text)) for doc, text in self.rows(statement, [since])]

    @property
    def recent_bytes(self) -> int:
        """Return the size of the texts that are in no segment."""
        found = self.reading.execute("select coalesce(sum(length(text)), 0) from recent")
        return int(found[0][0])

    def deleted(self, since: int = 0) -> list[Deleted]:
        """Return what was deleted after a place."""
        statement = "select place, doc, counted, sum from deleted where place > ? order by place"
        return [Deleted(*row) for row in self.rows(statement, [since])]

    def number(self, given: str) -> int | None:
        """Return the number of the document with an id."""
        return number_of(given, self.reading)

    def about(self, docs: Sequence[int]) -> dict[int, About]:
        """Return what is known of those of some documents that are there."""
        found = {}
        for begin in range(0, len(docs), MANY):
            some = list(docs[begin : begin + MANY])
            marks = ",".join("?" * len(some))
            statement = f"select doc, id, title, url, date, sum from documents where doc in ({marks})"
            for doc, *own in self.rows(statement, some):
                found[doc] = About(*own)
        return found

    def docs(self) -> list[int]:
        """Return the numbers of all documents, in their order."""
        return [doc for (doc,) in self.reading.execute("select doc from documents order by doc")]

    def some_ids(self, count: int) -> list[str]:
        """Return the first ids."""
        statement = "select doc, id, title, url, date, sum from documents order by doc limit ?"
        return [str(given) for _, given, *_ in self.rows(statement, [count])]

    def problems(self) -> list[str]:
        """Return what SQLite finds wrong, and the tables of which a row is not as it was written."""
        found = [str(row[0]) for row in self.reading.execute("pragma integrity_check(10)")]
        problems = [] if found == ["ok"] else [f"{MANIFEST}: {line}" for line in found]
        for table in ("facts", "segments", "documents", "recent", "deleted"):
            wrong = 0
            for *row, noted in self.reading.execute(f"select * from {table}"):
                wrong += sum_of(*row) != noted
            if wrong:
                problems.append(f"{MANIFEST}: {wrong:,} rows of {table} were changed")
        return problems

    # What is written

    @contextmanager
    def transaction(self, at_once: bool = False) -> Iterator["Change"]:
        """Write all or nothing."""
        with self.database.transaction(at_once):
            change = Change(self.database, self._state_of(self.database))
            yield change
            if change.state != change.before:
                change.write_state()

    def shrink(self) -> None:
        """Give the room of what was deleted back to the disk."""
        self.database.execute("vacuum")
        self.database.execute("pragma wal_checkpoint(truncate)")

    def flush(self) -> None:
        """Return when all that was written is on the disk."""
        if self._writing is not None:
            self._writing.flush()


class Change:
    """A transaction that is open, and the state that it leaves."""

    def __init__(self, database: Database, state: State) -> None:
        self.before = self.state = state
        self._database = database

    def write_state(self) -> None:
        """Write the state."""
        statement = "update state set next = ?, documents = ?, base = ?, generation = ?, sum = ?"
        self._database.execute(statement, [*self.state, sum_of(*self.state)])

    def number(self, given: str) -> int | None:
        """Return the number of the document with an id."""
        return number_of(given, self._database)

    def insert(self, documents: Iterable[tuple[int, About]]) -> None:
        """Write what is known of new documents, with the next numbers."""
        rows = [[doc, *about, sum_of(doc, *about)] for doc, about in documents]
        self._database.execute_many("insert into documents values (?, ?, ?, ?, ?, ?)", rows)
        old = self.state
        self.state = old._replace(next=old.next + len(rows), documents=old.documents + len(rows))

    def note(self, texts: Iterable[tuple[int, bytes]]) -> None:
        """Write texts that are in no segment yet."""
        rows = ([doc, text, sum_of(doc, text)] for doc, text in texts)
        self._database.execute_many("insert into recent values (?, ?, ?)", rows)

    def delete(self, docs: Sequence[int]) -> None:
        """Delete documents: their text at once, or when their segment is written again."""
        for doc in docs:
            self._database.execute("delete from documents where doc = ?", [doc])
            self._database.execute("delete from recent where doc = ?", [doc])
            place = self._database.execute("select coalesce(max(seq), 0) + 1 from sqlite_sequence")[0][0]
            row = [place, doc, 1]
            self._database.execute("insert into deleted values (?, ?, ?, ?)", [*row, sum_of(*row)])
        self.state = self.state._replace(documents=self.state.documents - len(docs))

    def deleted(self) -> list[Deleted]:
        """Return the documents that are gone, and whose words are counted still."""
        found = self._database.execute("select place, doc, counted from deleted where counted = 1")
        return [Deleted(*row) for row in found]

    def forget(self, rows: Iterable[Deleted]) -> None:
        """Forget that documents were deleted, as no segment has them any more."""
        self._database.execute_many("delete from deleted where place = ?", [[row.place] for row in rows])

    def put(self, facts: Iterable[Facts], instead: Sequence[Facts] = ()) -> None:
        """Note new segments, in the place of others."""
        self._database.execute_many(
            "delete from segments where number = ?", [[f.number] for f in instead]
        )
        rows = [(own.number, json.dumps(asdict(own))) for own in facts]
        self._database.execute_many(
            "insert into segments values (?, ?, ?)", [[n, text, sum_of(n, text)] for n, text in rows]
        )
        self.state = self.state._replace(generation=self.state.generation + 1)

    def take_over(self, until: int) -> None:
        """Note that all documents before a number are in segments."""
        self._database.execute("delete from recent where doc < ?", [until])
        self.state = self.state._replace(base=until)

    def write_words(self, words: bytes) -> None:
        """Note how often each word occurs in the segments."""
        self.write_fact("words", words)

    def write_fact(self, name: str, value: bytes | str) -> None:
        """Note something under a name."""
        row = [name, value]
        self._database.execute("insert or replace into facts values (?, ?, ?)", [*row, sum_of(*row)])

    def mark_uncounted(self, rows: Iterable[Deleted]) -> None:
        """Note that the words of these documents are not counted any more."""
        changed = [[0, sum_of(row.place, row.doc, 0), row.place] for row in rows]
        self._database.execute_many("update deleted set counted = ?, sum = ? where place = ?", changed)
