"""Documents that are kept: a folder to which they are added, whatever is asked of them then."""

import json
import shutil
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Self, TypeVar, get_args

from neardup.durable import partial_of, sync_all
from neardup.durable import sync as sync_folder
from neardup.engines.base import Progress, Silent
from neardup.errors import InputError, OutputError, UnknownDocumentError
from neardup.index.adding import FEW, Added, Lot, Row, are_few, rows_of, rows_of_records
from neardup.index.checking import damages
from neardup.index.contents import Contents
from neardup.index.writing import Writer
from neardup.kernels.hashing import HASH_VERSION
from neardup.readers.memory import plain_records
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source, open_source
from neardup.results.compiling import compile_for
from neardup.settings.base import one_of, raise_all
from neardup.showing.progress import shown
from neardup.store.database import Sync
from neardup.store.files import is_index, is_of_old
from neardup.store.locks import Lock
from neardup.store.manifest import FORMAT, About, Manifest
from neardup.text import unicode_version

MOST_WAITING = 1_000  # documents that come one by one
LONGEST_WAIT = 1.0  # seconds
TEXTS, THREADS = "texts", "threads"  # what is kept
REPLACED = ".replaced"  # behind the name of an index whose place another one takes


class Kept:
    """Documents that are kept; what is remembered of them, and can be asked, is for others to say.

    One process at a time writes, and any number of threads and processes see one state of it.
    """

    writes: type[Writer] = Writer
    kernels = "index"  # the list of those that are compiled before the first run

    def __init__(self, path: str | Path, writable: bool = True, *, sync: Sync = "soon") -> None:
        self.path = Path(path)
        raise_all([one_of("sync", sync, get_args(Sync))])
        recover(self.path)
        self._manifest = Manifest(self.path, writable, sync)
        try:
            self.settings, self.analysis, soft = self.remembers(self._manifest.facts, self.path)
        except BaseException:
            self._manifest.close()
            raise
        self.writable = writable
        self.contents = Contents(self.path, self._manifest, self.analysis, soft)
        self._writer = self.writes(self.path, self._manifest, self.analysis, soft) if writable else None
        self._waiting: deque[Lot] = deque()

    @classmethod
    def remembers(cls, facts: dict[str, Any], path: Path) -> tuple[Any, Any, bool]:
        """Return the settings, what takes texts apart by them, and whether words are counted."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self._manifest.state.documents

    def __contains__(self, given: str) -> bool:
        return self._manifest.number(given) is not None

    def close(self) -> None:
        """Close the index; recent additions get a segment if they are many."""
        try:
            if self._writer and self._manifest.is_writable:
                self._writer.finish()
        finally:
            self._manifest.close()

    def flush(self) -> None:
        """Wait until all that was added is on the disk."""
        self._manifest.flush()

    def compact(self) -> None:
        """Rewrite the index as one segment, without what was removed."""
        self._writes.compact()

    @property
    def _writes(self) -> Writer:
        if self._writer is None or not self._manifest.is_writable:
            raise OutputError("this index is not open for writing", where=str(self.path))
        return self._writer

    def _reading(self, reader: ReaderSettings) -> ReaderSettings:
        """Return how documents are read."""
        return reader

    def add(
        self,
        source: Any,
        *,
        reader: ReaderSettings | None = None,
        text_column: str | None = None,
        id_column: str | None = None,
        replace_ids: bool = False,
    ) -> Added:
        """Add documents, all or none; `source` is as for `neardup.documents`."""
        settings = self._reading(with_columns(reader, text_column, id_column))
        records = None if settings.fields else plain_records(source, settings)
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
        compile_for(self.kernels, progress, source)
        with progress.step("add", size, "bytes") as advance:
            added = self.add_rows(
                rows_of(source, skipped, advance, self.analysis), replace_ids=replace_ids
            )
        return added.with_skipped(skipped)

    def add_rows(self, rows: Iterable[Row], *, replace_ids: bool = False) -> Added:
        """Add documents one by one as they come, all or none."""
        writer, rest = self._writes, iter(rows)
        first = list(islice(rest, FEW + 1))
        if not are_few(first):
            with writer.lock:
                return writer.add_many(chain(first, rest), replace_ids)
        own = Lot(first, replace_ids)
        self._waiting.append(own)  # whoever gets to write does so for all that wait
        with writer.lock:
            if not own.is_done:
                writer.add_few([self._waiting.popleft() for _ in range(len(self._waiting))])
        return own.outcome()

    def grow(self, rows: Iterable[Row], facts: dict[str, str]) -> Added:
        """Add documents, all or none, together with some facts."""
        writer = self._writes
        with writer.lock:
            return writer.add_many(rows, False, facts)

    @property
    def facts(self) -> dict[str, Any]:
        """Return what the index said of itself when it was opened."""
        return self._manifest.facts

    def numbers(self, ids: Iterable[str]) -> Iterator[int]:
        """Yield the numbers of those documents that the index has."""
        found = map(self._manifest.number, ids)
        return (doc for doc in found if doc is not None)

    @contextmanager
    def adding(self, *, replace_ids: bool = False) -> Iterator[Callable[[Row], None]]:
        """Give a function that adds documents one by one.

        They are written, and can be found, a thousand at a time or once a second, the rest at the end.
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
        writer = self._writes
        with writer.lock:
            docs = [self._number(given) for given in dict.fromkeys(ids)]
            writer.remove(docs)
        return len(docs)

    def _number(self, given: str) -> int:
        found = self._manifest.number(given)
        if found is None:
            some = ", ".join(self._manifest.some_ids(3))
            hint = f"Ids look like: {some}, …" if some else "The index is empty."
            raise UnknownDocumentError(f"no document has the id {given!r}", hint=hint)
        return found

    def document(self, given: str) -> tuple[About, str]:
        """Return what is known about a document, and its text."""
        about, text = self.stored(given)
        return about, text.decode("utf-8", "replace")

    def stored(self, given: str) -> tuple[About, bytes]:
        """Return what is known about a document, and its text as it is held."""
        doc, view = self._number(given), self.contents.view
        return self.contents.about([doc]).get(doc) or About(given), view.text(doc)

    def info(self) -> dict[str, Any]:
        """Return how many documents the index has, its size and its settings."""
        size = 0
        for path in self.path.iterdir():
            with suppress(FileNotFoundError):  # segments are merged
                size += path.stat().st_size
        return {"documents": len(self), "bytes": size, "settings": self.settings.as_dict()}

    def damages(self) -> list[str]:
        """Read all of the index, make all keys again, and return what is not as it was written."""
        return damages(self.path, self._manifest, self.analysis)


def with_columns(
    reader: ReaderSettings | None, text_column: str | None, id_column: str | None
) -> ReaderSettings:
    """Return how input is read whose columns may be named."""
    own = reader or ReaderSettings()
    columns = text_column or own.text_column, id_column or own.id_column
    return replace(own, text_column=columns[0], id_column=columns[1])


def versions() -> dict[str, str]:
    """Return what keys depend on."""
    return {"hash": str(HASH_VERSION), "unicode": unicode_version()}


def facts_for(kind: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a folder says of itself."""
    return {"format": FORMAT, "kind": kind, "settings": json.dumps(settings), **versions()}


def checked(facts: dict[str, Any], path: Path, kind: str) -> dict[str, Any]:
    """Refuse what another version made, or what keeps something else; return the settings."""
    found = facts.get("kind", TEXTS)
    if found != kind:
        hint = "Query threads with neardup asked OUT, and texts with neardup query INDEX."
        raise InputError(f"this index keeps {found}, not {kind}", where=str(path), hint=hint)
    hint = f"Build it again from its own documents: neardup index build NEW {path}"
    if kind == THREADS:
        hint = f"Delete {path}; it will be made again."
    for name, value in {"format": FORMAT, **versions()}.items():
        found = facts.get(name)
        if found != value:
            what = f"this index was made with version {found} of {name}, now it is {value}"
            raise InputError(what, where=str(path), hint=hint)
    settings: dict[str, Any] = json.loads(facts["settings"])
    return settings


def check_free(target: Path, overwrite: bool) -> None:
    """Refuse to write where something is that is not to be replaced."""
    if not target.exists():
        return
    if not overwrite:
        hint = "Add to it with neardup index add, or build another one with overwrite=True."
        raise OutputError("this is already there", where=str(target), hint=hint)
    if not (is_index(target) or is_of_old(target)):
        hint = "Name another one: only an index is replaced."
        raise OutputError("this is not an index of neardup", where=str(target), hint=hint)


Made = TypeVar("Made", bound=Kept)


@contextmanager
def making(kind: type[Made], target: Path, facts: Mapping[str, Any]) -> Iterator[Made]:
    """Give an empty index to add to; it takes its name when it is whole, and is gone if that fails."""
    work = partial_of(target)
    remove_index(work)
    try:
        Manifest.create(work, facts)
        with kind(work, True) as index:
            yield index
            documents = len(index)
        check_whole(work, documents)
        put(work, target)
    except BaseException:
        remove_index(work)
        raise


def check_whole(path: Path, documents: int) -> None:
    """Open an index that was written, to see that all of its documents are in it."""
    with closing(Manifest(path, False)) as manifest:
        found = manifest.state.documents
    if found != documents:
        hint = "Is the disk full? Free some space, and run the same command again."
        raise OutputError("could not be written whole", where=str(path), hint=hint)


def put(work: Path, target: Path) -> None:
    """Give an index its name when all of it is on the disk; one that has the name is replaced."""
    sync_all(work)
    replaced = target.with_name(target.name + REPLACED)
    remove_index(replaced)
    lock = Lock(target) if is_index(target) else None
    try:
        if target.exists():
            target.rename(replaced)
        work.rename(target)
        sync_folder(target.parent)
    finally:
        if lock:
            lock.release()
    remove_index(replaced)


def recover(path: Path) -> None:
    """Give an index its name back if a process was killed just as it replaced it."""
    replaced = path.with_name(path.name + REPLACED)
    if replaced.exists() and not path.exists():
        replaced.rename(path)


def remove_index(path: Path) -> None:
    """Remove an index that was left behind."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
