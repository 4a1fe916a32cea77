"""Documents on their way into an index: in its file at once, in memory when the transaction is done."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from neardup.engines.base import Advance
from neardup.errors import TakenIdError
from neardup.index.analysis import Analysis, Owned, Remembered
from neardup.index.memory import About, Memory
from neardup.index.postings import sorted_keys
from neardup.index.store import Store, Stored
from neardup.readers.memory import NAME
from neardup.readers.records import KNOWN, Record, as_text
from neardup.readers.source import Source
from neardup.steps.columns import NO_WORDS

PORTION_ROWS = 4096
PORTION_BYTES = 4 << 20
FEW = 100  # documents that are written to the journal first
FEW_BYTES = 1 << 20
SEGMENT_DOCUMENTS = 5_000  # this many new documents are worth keys in the file,
SEGMENT_SHARE = 0.25  # if they are this share of the others: the file's table of keys is written again
SEGMENT_BYTES = 24 << 20  # of text whose keys are sorted together


LETTER = re.compile(rb"[A-Za-z0-9]")  # a text with one of these has a word
NO_KEYS = Owned(np.empty(0, np.uint64), np.empty(0, np.int64))


class Row(NamedTuple):
    """A document that is to be added."""

    about: About
    text: bytes


class Adding:
    """Writes documents in a transaction of the file; `publish` puts them into memory."""

    def __init__(
        self,
        store: Store,
        analysis: Analysis,
        known: Mapping[str, int],
        first: int,
        replaces: bool,
    ) -> None:
        self.new: dict[str, int] = {}
        self.replaced: dict[str, int] = {}
        self.wordless = 0
        self.noted: list[Stored] = []  # of which nothing is remembered yet
        self._store, self._analysis, self._known, self._replaces = store, analysis, known, replaces
        self._next = first
        self._waiting: list[Remembered] = []  # whose keys are not in the file
        self._first_waiting = first
        self._first, self._indexed = first, store.indexed
        self._waiting_bytes = 0
        self._taken: list[tuple[Stored, Remembered]] = []

    def take(self, rows: list[Row], keep: bool) -> None:
        """Write some documents; `keep` them for memory."""
        docs = np.arange(self._next, self._next + len(rows))
        remembered = self._analysis.remembered(docs, [row.text for row in rows])
        if not all(remembered.sizes.tolist()):
            worded = [row for row, size in zip(rows, remembered.sizes, strict=True) if size]
            self.wordless += len(rows) - len(worded)
            if worded:
                self.take(worded, keep)
            return
        stored = self._stored(rows)
        self._waiting.append(remembered)
        self._waiting_bytes += sum(map(len, stored.texts))
        if keep:
            self._taken.append((stored, remembered))
        if self._waiting_bytes >= SEGMENT_BYTES:
            if self._are_many:
                self.write_keys()
            self._forget_waiting()

    def _stored(self, rows: list[Row]) -> Stored:
        """Give documents numbers, note their ids and write them."""
        docs = np.arange(self._next, self._next + len(rows))
        self._name(rows, docs.tolist())
        stored = Stored(docs, [row.about for row in rows], [row.text for row in rows])
        self._store.insert(stored)
        self._next += len(rows)
        return stored

    def _name(self, rows: list[Row], docs: list[int]) -> None:
        """Note the ids of documents; one that another document has is an error, or replaced."""
        for row, doc in zip(rows, docs, strict=True):
            given = row.about.id
            if given in self.new:
                hint = "Ids must differ; id_column= names the column that they are in."
                raise TakenIdError(f"the id {given!r} is given twice in the input", hint=hint)
            if given in self._known:
                if not self._replaces:
                    hint = "Replace such documents with replace_ids=True, or remove them first."
                    raise TakenIdError(f"the index has a document with the id {given!r}", hint=hint)
                self.replaced[given] = self._known[given]
            self.new[given] = doc

    def finish(self) -> None:
        """Write what is left to be written in the transaction; keys, if it has many documents."""
        self._store.delete(list(self.replaced.values()))
        if self._are_many:
            self.write_keys()

    @property
    def _are_many(self) -> bool:
        return need_keys(self._next - self._first, self._indexed)

    def note(self, rows: list[Row]) -> None:
        """Take in a few documents without a transaction; what is remembered of them is made later."""
        worded = [row for row in rows if self._has_words(row.text)]
        self.wordless += len(rows) - len(worded)
        if worded:
            with self._store.noting():
                self.noted.append(self._stored(worded))
                self._store.delete(list(self.replaced.values()))

    def _has_words(self, text: bytes) -> bool:
        if LETTER.search(text):
            return True
        return bool(self._analysis.remembered(np.arange(1), [text]).sizes[0])

    def write_keys(self) -> None:
        """Write the keys of all documents that have none in the file."""
        for stored in self._store.documents(self._store.indexed, self._first_waiting):
            remembered = self._analysis.remembered(stored.docs, stored.texts)
            self._write_segment([remembered], int(stored.docs[-1]))
        if self._store.indexed < self._next:
            self._write_segment(self._waiting, self._next - 1)

    def _forget_waiting(self) -> None:
        """Let go of what is remembered: what has no keys yet is read again when it gets them."""
        self._first_waiting = self._next
        self._waiting, self._waiting_bytes = [], 0

    def _write_segment(self, parts: list[Remembered], last: int) -> None:
        """Write the keys of the documents up to the last one that follow those that have keys."""
        for kind in ("shingles", "runs"):
            owned: list[Owned] = [getattr(part, kind) for part in parts] or [NO_KEYS]
            keys, docs = (np.concatenate(column) for column in zip(*owned, strict=True))
            self._store.insert_postings(kind, self._store.indexed, last, *sorted_keys(keys, docs))
        self._store.indexed = last + 1

    def publish(self, memory: Memory) -> None:
        """Put the documents into memory."""
        for stored, remembered in self._taken:
            memory.add(*stored, remembered)
        memory.remove(list(self.replaced.values()))


@dataclass
class Few:
    """A few documents to be added together with those of others, each lot by itself: all or none."""

    rows: list[Row]
    replaces: bool
    adding: Adding | None = None
    error: BaseException | None = None

    def note(self, adding: Adding) -> None:
        """Take the documents in, or remember why they cannot be."""
        try:
            adding.note(self.rows)
            self.adding = adding
        except Exception as error:
            self.error = error

    @property
    def is_done(self) -> bool:
        """Say whether somebody has added the documents, or tried to."""
        return bool(self.adding or self.error)

    def outcome(self) -> Adding:
        """Return what was added, or raise what went wrong."""
        if self.adding is None:
            raise self.error or RuntimeError("nobody has added these documents")
        return self.adding


def need_keys(documents: int, indexed: int) -> bool:
    """Say whether this many documents are worth keys in the file, besides those that have some."""
    return documents >= max(SEGMENT_DOCUMENTS, SEGMENT_SHARE * indexed)


def are_few(rows: list[Row]) -> bool:
    """Say whether documents are so few that a transaction of their own would cost more than they do."""
    return len(rows) <= FEW and sum(len(row.text) for row in rows) <= FEW_BYTES


def rows_of(
    source: Source, skipped: Counter[str], advance: Advance, taken: set[str] | None = None
) -> Iterator[Row]:
    """Yield the documents of a source; those without an id are named by file and position.

    With a set of ids that are `taken`, which grows, those with one of these are named so, too.
    """
    position: Counter[int] = Counter()
    for split in source.splits():
        for batch in source.read(split):
            columns = [batch[name].to_pylist() for name in ("id", "text", "problem", *KNOWN)]
            for given, text, problem, *about in zip(*columns, strict=True):
                position[split.file] += 1
                if problem is not None:
                    skipped[problem] += 1
                    continue
                place = f"{source.names[split.file]}#{position[split.file]}"
                own = given or place
                if taken is not None:
                    own = place if own in taken else own
                    taken.add(own)
                yield Row(About(own, *about), text.encode("utf-8", "replace"))
        advance(split.size)


def rows_of_records(records: Iterable[Record], skipped: Counter[str]) -> Iterator[Row]:
    """Yield the documents of records in memory; those without an id are named by their position."""
    for position, record in enumerate(records, 1):
        if record.problem is not None:
            skipped[record.problem] += 1
            continue
        others = (record.others.get(name) for name in KNOWN)
        known = (None if value is None else as_text(value) for value in others)
        about = About(record.id or f"{NAME}#{position}", *known)
        yield Row(about, (record.text or "").encode("utf-8", "replace"))


def portions(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Cut documents into portions of a bounded size."""
    waiting: list[Row] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += len(row.text)
        if size >= PORTION_BYTES or len(waiting) >= PORTION_ROWS:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


def no_words(count: int) -> dict[str, int]:
    """Return the count of texts without a word, as a problem."""
    return {NO_WORDS: count} if count else {}
