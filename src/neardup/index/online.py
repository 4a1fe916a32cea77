"""The index itself: it is built, opened, added to and asked."""

import threading
import time
from collections import ChainMap, Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args
from weakref import WeakValueDictionary

from neardup.durable import partial_of, put
from neardup.engines.base import Progress, Silent
from neardup.errors import InputError, OutputError, UnknownDocumentError
from neardup.index.adding import (
    FEW,
    Adding,
    Few,
    Row,
    are_few,
    need_keys,
    no_words,
    portions,
    rows_of,
    rows_of_records,
)
from neardup.index.analysis import Analysis
from neardup.index.answers import Answer
from neardup.index.asking import Between, answer, between, nothing
from neardup.index.checking import damages
from neardup.index.journal import SUFFIX
from neardup.index.memory import About, Memory
from neardup.index.search import Search
from neardup.index.settings import IndexSettings, Likeness, QuerySettings, Sync
from neardup.index.store import LOG, Store, Stored, is_database
from neardup.methods.passages.plan import resolved
from neardup.readers.memory import plain_records
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source, open_source
from neardup.results.compiling import compile_for
from neardup.settings.base import one_of, raise_all
from neardup.showing.progress import shown

if TYPE_CHECKING:
    from neardup.index.filtering import Item, Seen

MOST_UNSEEN = 64  # additions of a few documents that wait for somebody to ask
MOST_WAITING = 1_000  # documents that come one by one
LONGEST_WAIT = 1.0  # seconds
_WRITTEN: "WeakValueDictionary[Path, Index]" = WeakValueDictionary()  # by this process
GROWING = 1 << 30  # bytes of text: what an index that begins empty is made for


@dataclass(frozen=True)
class Added:
    """What adding did: documents added, how many of them in place of others, and records skipped."""

    documents: int
    replaced: int
    skipped: dict[str, int]

    @classmethod
    def by(cls, adding: Adding) -> "Added":
        """Return what was added."""
        return cls(len(adding.new), len(adding.replaced), no_words(adding.wordless))

    def with_skipped(self, more: Counter[str]) -> "Added":
        """Say that more records were skipped."""
        return replace(self, skipped=dict(more + Counter(self.skipped))) if more else self


class Index:
    """An index: a file of documents in which texts are looked up.

    Any number of threads may ask while one adds or removes. One process may have the file open for
    writing, or several for reading.

    What was added is there after a crash of the process, however it was added. With `sync="each"` it is
    also there after a power cut as soon as `add` returns. With `sync="soon"`, documents that come a
    hundred or fewer at a time are synced to the disk a tenth of a second later, or when `flush` returns:
    a power cut may take the last of them back, never one without those after it, nor half of one. If
    they cannot be synced, the next `add` or `flush` writes them once more, and fails if it cannot.

    >>> from tempfile import mkdtemp
    >>> poems = [{"id": "ode", "text": "My heart aches, and a drowsy numbness pains"}]
    >>> index = Index.build(Path(mkdtemp(), "poems.duckdb"), poems)
    >>> [match.id for match in index.query("my heart aches and a drowsy").matches]
    ['ode']
    """

    def __init__(self, path: str | Path, writable: bool = True, *, sync: Sync = "soon") -> None:
        self.path = Path(path)
        raise_all([one_of("sync", sync, get_args(Sync))])
        self._store = Store(self.path, writable, sync)
        self.settings = self._store.settings
        self.analysis = Analysis.of(self.settings)
        self.writable = writable
        self._ids = self._store.ids()
        self._next = self._store.next_number()
        self._writing = threading.RLock()
        self._waiting: deque[Few] = deque()
        self._search: Search | None = None
        self._unseen: list[Adding] = []  # what is written, and not in memory yet
        if writable:
            _WRITTEN[self.path.resolve()] = self

    @classmethod
    def to_ask(cls, path: str | Path) -> "Index":
        """Open an index to look texts up; the one that this process writes is returned as it is."""
        own = _WRITTEN.get(Path(path).resolve())
        return own if own is not None and own._store.is_writable else cls(path, writable=False)

    @classmethod
    def build(
        cls,
        path: str | Path,
        source: Any = None,
        settings: IndexSettings | None = None,
        *,
        reader: ReaderSettings | None = None,
        text_column: str | None = None,
        id_column: str | None = None,
        overwrite: bool = False,
        progress: Progress | bool | None = None,
        sync: Sync = "soon",
    ) -> "Index":
        """Make an index of documents, or an empty one; there is no file until it is complete.

        `source` is what `neardup.documents` takes, and so are the names of columns.
        """
        target = Path(path)
        if target.exists() and not overwrite:
            hint = "Add to it with neardup index add, or build another one with overwrite=True."
            raise OutputError("this file is there already", where=str(target), hint=hint)
        if target.exists() and not is_database(target):
            hint = "Name another one: only an index is replaced."
            raise OutputError("this file is not an index of neardup", where=str(target), hint=hint)
        columns = with_columns(reader, text_column, id_column)
        opened = None if source is None else open_source(source, columns)
        work = partial_of(target)
        remove_file(work)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            Store.create(work, fixed(settings or IndexSettings(), opened))
            with cls(work) as index:
                added = None if opened is None else index.add_source(opened, progress=progress)
            check_whole(work, len(index))
            settle(target)
            put(work, target)
        except BaseException:
            remove_file(work)
            raise
        index = cls(target, sync=sync)
        index.built = added
        return index

    built: Added | None = None

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, given: str) -> bool:
        return given in self._ids

    def close(self) -> None:
        """Close the file; texts can still be looked up in what is in memory.

        If many documents were added since keys were written to the file, this writes them: the next one
        who loads the index need not make them.
        """
        with self._writing, closing(self._store):
            self._see()
            indexed = self._store.indexed
            if self._store.is_writable and need_keys(self._next - indexed, indexed):
                with self._store.transaction():
                    self._adding(False, self._ids, self._next).write_keys()

    def flush(self) -> None:
        """Wait until all that was added is on the disk."""
        with self._writing:
            self._store.flush()

    def add(
        self,
        source: Any,
        *,
        reader: ReaderSettings | None = None,
        text_column: str | None = None,
        id_column: str | None = None,
        replace_ids: bool = False,
    ) -> Added:
        """Add documents, all or none; `source` is what `neardup.documents` takes."""
        settings = with_columns(reader, text_column, id_column)
        records = plain_records(source, settings)
        if records is None:
            return self.add_source(open_source(source, settings), replace_ids=replace_ids)
        skipped: Counter[str] = Counter()
        added = self.add_rows(rows_of_records(records, skipped), replace_ids=replace_ids)
        return added.with_skipped(skipped)

    def add_source(
        self, source: Source, *, replace_ids: bool = False, progress: Progress | bool | None = None
    ) -> Added:
        """Add the documents of a source that is open already."""
        skipped: Counter[str] = Counter()
        size = sum(split.size for split in source.splits())
        progress = shown(progress) or Silent()
        compile_for("index", progress, source)
        with progress.step("add", size, "bytes") as advance:
            added = self.add_rows(rows_of(source, skipped, advance), replace_ids=replace_ids)
        return added.with_skipped(skipped)

    def add_rows(self, rows: Iterable[Row], *, replace_ids: bool = False) -> Added:
        """Add documents one by one as they come, all or none."""
        rest = iter(rows)
        first = list(islice(rest, FEW + 1))
        if are_few(first):
            return self._add_few(Few(first, replace_ids))
        with self._writing:
            self._see()
            adding = self._adding(replace_ids, self._ids, self._next)
            with self._store.transaction():
                for part in portions(chain(first, rest)):
                    adding.take(part, keep=self._search is not None)
                adding.finish()
            self._name(adding)
            if self._search:
                adding.publish(self._search.memory)
        return Added.by(adding)

    def _adding(self, replaces: bool, known: Mapping[str, int], following: int) -> Adding:
        return Adding(self._store, self.analysis, known, following, replaces)

    def _name(self, adding: Adding) -> None:
        """Note the ids of documents that are written."""
        self._ids.update(adding.new)
        self._next += len(adding.new)

    def _see(self) -> None:
        """Let the last documents be found: to take many of them apart at once is cheaper."""
        noted = [stored for adding in self._unseen for stored in adding.noted]
        if self._search and noted:
            stored = Stored.together(noted)
            memory = self._search.memory
            memory.add(*stored, self.analysis.remembered(stored.docs, stored.texts))
            memory.remove([doc for adding in self._unseen for doc in adding.replaced.values()])
        self._unseen = []

    def _add_few(self, own: Few) -> Added:
        """Add a few documents; whoever gets to write does so for all that wait, as a sync takes long."""
        self._waiting.append(own)
        with self._writing:
            if not own.is_done:
                self._write_waiting()
        return Added.by(own.outcome())

    def _write_waiting(self) -> None:
        """Write what waits to the journal, at once; each lot is added or fails by itself."""
        group = [self._waiting.popleft() for _ in range(len(self._waiting))]
        new: dict[str, int] = {}
        known = ChainMap(new, self._ids)
        following = self._next
        try:
            if self._store.is_full:
                self._store.fold()
            for few in group:
                adding = self._adding(few.replaces, known, following)
                few.note(adding)
                if few.adding:
                    new.update(adding.new)
                    following += len(adding.new)
            self._store.confirm()
        except BaseException as error:
            for few in group:
                few.adding, few.error = None, few.error or error
            return
        for few in group:
            if few.adding:
                self._name(few.adding)
                self._unseen.append(few.adding)
        if self._search is None or len(self._unseen) >= MOST_UNSEEN:
            self._see()

    @contextmanager
    def adding(self, *, replace_ids: bool = False) -> Iterator[Callable[[Row], None]]:
        """Give a function that adds documents one by one as they come.

        They are written, and found, some at a time: a thousand, or those of a second; in the end all.
        """
        waiting: list[Row] = []
        written = time.monotonic()

        def add(row: Row) -> None:
            nonlocal written
            waiting.append(row)
            if len(waiting) >= MOST_WAITING or time.monotonic() - written >= LONGEST_WAIT:
                self.add_rows(waiting, replace_ids=replace_ids)
                waiting.clear()
                written = time.monotonic()

        yield add
        self.add_rows(waiting, replace_ids=replace_ids)

    def remove(self, ids: Iterable[str]) -> int:
        """Remove documents by their ids, all or none; return how many were removed."""
        wanted = list(dict.fromkeys(ids))
        with self._writing:
            self._see()
            docs = [self._number(given) for given in wanted]
            with self._store.transaction():
                self._store.delete(docs)
            for given in wanted:
                del self._ids[given]
            if self._search:
                self._search.memory.remove(docs)
        return len(docs)

    def _number(self, given: str) -> int:
        if given not in self._ids:
            some = ", ".join(list(self._ids)[:3])
            hint = f"Ids look like: {some}, …" if some else "The index is empty."
            raise UnknownDocumentError(f"no document has the id {given!r}", hint=hint)
        return self._ids[given]

    @property
    def search(self) -> Search:
        """Return what look-ups need; it is loaded when it is needed for the first time."""
        if self._search is None or self._unseen:
            with self._writing:
                self._search = self._search or Search(self._loaded(), self.settings)
                self._see()
        return self._search

    def query(
        self,
        text: str,
        settings: QuerySettings | None = None,
        going_on: Callable[[], None] | None = None,
    ) -> Answer:
        """Find the documents that are like a text, and the passages that they share with it.

        Between its steps, `going_on` is called, and may raise an error to end the work.
        """
        return answer(self.search, text, settings or QuerySettings(), going_on or nothing)

    def seen(
        self, text: str, threshold: float = 0.7, *, measure: Likeness = "resemblance"
    ) -> "Seen | None":
        """Return the document that a text is most like, and how much; None if the text is new."""
        from neardup.index.filtering import Filter

        return Filter(self, threshold, measure).seen(text)

    def filter(
        self,
        items: "Iterable[Item]",
        threshold: float = 0.7,
        *,
        measure: Likeness = "resemblance",
        key: str | None = None,
        text_column: str | None = None,
    ) -> "Iterator[Item]":
        """Yield those texts or records that are new, and add them; what came before counts, too.

        With a `key`, the name of a field, records are known by its value as well as by their text.
        """
        from neardup.index.filtering import Filter, new_of

        reader = ReaderSettings(text_column=text_column, id_column=key)
        return new_of(Filter(self, threshold, measure, key is not None), items, reader)

    def warm_up(self) -> None:
        """Load the index and look up one of its texts, so that the first query need not wait.

        Kernels are compiled when first used, which may take longer than an answer is waited for.
        """
        text = next((self.document(given)[1] for given in self._ids), "one text of just a few words")
        self.query(text)
        self.between(text, text)

    def between(self, text_a: str, text_b: str) -> Between:
        """Compare two texts with the settings of the index."""
        return between(self.search, text_a, text_b)

    def document(self, given: str) -> tuple[About, str]:
        """Return what is known about a document, and its text."""
        about, text = self.stored(given)
        return about, text.decode("utf-8", "replace")

    def stored(self, given: str) -> tuple[About, bytes]:
        """Return what is known about a document, and its text as it is held."""
        memory, doc = self.search.memory, self._number(given)
        return memory.about[doc] or About(given), memory.texts[doc]

    def info(self) -> dict[str, Any]:
        """Return how many documents the index has, its size and its settings."""
        size = self.path.stat().st_size
        return {"documents": len(self), "bytes": size, "settings": self.settings.as_dict()}

    def damages(self) -> list[str]:
        """Read all of the file, make all keys again, and return what is not as it was written."""
        with self._writing:
            self._store.fold()
            return damages(self._store, self.analysis)

    def _loaded(self) -> Memory:
        """Read the file into memory; documents without keys in it get them here."""
        self._store.fold()
        memory = Memory(self.analysis, self.settings.soft)
        for kind, keys, docs in self._store.postings():
            memory.load(kind, keys, docs)
        self._store.forget()
        for stored in self._store.documents(until=self._store.indexed):
            memory.add(*stored, None)
        for stored in self._store.documents(since=self._store.indexed):
            memory.add(*stored, self.analysis.remembered(stored.docs, stored.texts))
        self._store.forget()
        memory.fill_up(self._next)
        return memory


def with_columns(
    reader: ReaderSettings | None, text_column: str | None, id_column: str | None
) -> ReaderSettings:
    """Return how input is read whose columns may be named."""
    own = reader or ReaderSettings()
    columns = text_column or own.text_column, id_column or own.id_column
    return replace(own, text_column=columns[0], id_column=columns[1])


def fixed(settings: IndexSettings, source: Source | None) -> IndexSettings:
    """Return the settings with nothing left open, as `passages` would choose for such an input."""
    size = GROWING if source is None else sum(split.size for split in source.splits())
    chosen = resolved(settings.passages, size)
    return replace(settings, signature=chosen.signature, max_gap=chosen.max_gap)


def check_whole(path: Path, documents: int) -> None:
    """Open a file that was written, to see that all of its documents are in it and nowhere else."""
    log = path.with_name(path.name + LOG)
    with Index(path, writable=False) as index:
        if len(index) != documents or log.exists():
            hint = "Is the disk full? Free some space, and run the same command again."
            raise OutputError("could not be written whole", where=str(path), hint=hint)


def settle(path: Path) -> None:
    """Let an index that is to be replaced take in what is in its logs: they would be lost before it is.

    It keeps its name until another one takes it, and has all that was ever added until then.
    """
    if path.exists():
        try:
            Store(path, writable=True).close()
        except InputError:  # it is damaged, or one of another version
            remove_logs(path)


def remove_file(path: Path) -> None:
    """Remove a database that was left behind, its log and its journal."""
    path.unlink(missing_ok=True)
    remove_logs(path)


def remove_logs(path: Path) -> None:
    """Remove what was on its way into a database."""
    for suffix in (LOG, SUFFIX):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
