"""Documents on their way into an index: as they come, and a few that are written together."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from neardup.engines.base import Advance
from neardup.errors import TakenIdError
from neardup.index.analysis import Remembers
from neardup.readers.memory import NAME
from neardup.readers.records import KNOWN, Record, as_text, collected
from neardup.readers.source import Source
from neardup.steps.columns import NO_WORDS
from neardup.store.manifest import About, Change

PORTION_ROWS = 4096
PORTION_BYTES = 4 << 20
FEW = 4096  # documents that are written to the manifest first
FEW_BYTES = 8 << 20


class Row(NamedTuple):
    """A document that is to be added, and where it was read."""

    about: About
    text: bytes
    source: str = NAME
    position: int = 0


class Added(NamedTuple):
    """What adding did: documents added, how many of them in place of others, and records skipped."""

    documents: int
    replaced: int
    skipped: dict[str, int]

    def with_skipped(self, more: Counter[str]) -> "Added":
        """Say that more records were skipped."""
        return self._replace(skipped=dict(more + Counter(self.skipped))) if more else self


class Lot:
    """A few documents to be added together with those of others, each lot by itself: all or none."""

    def __init__(self, rows: list[Row], replaces: bool) -> None:
        self._rows, self._replaces = rows, replaces
        self._added: Added | None = None
        self.error: BaseException | None = None

    @property
    def is_done(self) -> bool:
        """Return whether somebody has added the documents, or tried to."""
        return bool(self._added or self.error)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def size(self) -> int:
        """Return the bytes of the texts."""
        return sum(len(row.text) for row in self._rows)

    def write(self, change: Change, analysis: Remembers) -> None:
        """Write the documents, or remember why they cannot be."""
        try:
            worded = [row for row in self._rows if analysis.has_words(row.text)]
            replaced = taken(change, worded, self._replaces)
        except Exception as error:
            self.error = error
            return
        first = change.state.next
        change.delete(replaced)
        change.insert((first + n, row.about) for n, row in enumerate(worded))
        change.note((first + n, row.text) for n, row in enumerate(worded))
        wordless = len(self._rows) - len(worded)
        self._added = Added(len(worded), len(replaced), no_words(wordless))

    def fail(self, error: BaseException) -> None:
        """Note that the transaction failed."""
        self._added, self.error = None, self.error or error

    def outcome(self) -> Added:
        """Return what was added, or raise what went wrong."""
        if self._added is None:
            raise self.error or RuntimeError("nobody has added these documents")
        return self._added


def taken(change: Change, rows: Iterable[Row], replaces: bool, first: int | None = None) -> list[int]:
    """Return the documents that are to be replaced; ids that may not be are an error.

    From the `first` document on, all were given together with these.
    """
    first = change.state.next if first is None else first
    seen: set[str] = set()
    replaced = []
    for row in rows:
        given = row.about.id
        doc = change.number(given)
        if given in seen or (doc is not None and doc >= first):
            hint = "Ids must differ; id_column= names the column that they are in."
            raise TakenIdError(f"the id {given!r} is given twice in the input", hint=hint)
        seen.add(given)
        if doc is not None:
            if not replaces:
                hint = "Replace such documents with replace_ids=True, or remove them first."
                raise TakenIdError(f"the index has a document with the id {given!r}", hint=hint)
            replaced.append(doc)
    return replaced


def are_few(rows: list[Row]) -> bool:
    """Return whether documents are so few that a segment of their own would cost more than they do."""
    return len(rows) <= FEW and sum(len(row.text) for row in rows) <= FEW_BYTES


def rows_of(
    source: Source,
    skipped: Counter[str],
    advance: Advance,
    analysis: Remembers,
    taken: set[str] | None = None,
) -> Iterator[Row]:
    """Yield the documents of a source; those without an id are named by file and position.

    With a set of ids that are `taken`, which grows, those with one of these are named so, too.
    """
    position: Counter[int] = Counter()
    for split in source.splits():
        for batch in source.read(split):
            columns = [batch[name].to_pylist() for name in ("id", "problem", *KNOWN)]
            texts = analysis.texts_in(batch)
            for given, problem, *about, text in zip(*columns, texts, strict=True):
                position[split.file] += 1
                if problem is not None:
                    skipped[problem] += 1
                    continue
                name, at = source.names[split.file], position[split.file]
                place = f"{name}#{at}"
                own = given or place
                if taken is not None:
                    own = place if own in taken else own
                    taken.add(own)
                yield Row(About(own, *about), text, name, at)
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
    return collected(rows, lambda row: len(row.text), PORTION_BYTES, PORTION_ROWS)


def no_words(count: int) -> dict[str, int]:
    """Return the count of texts without a word, as a problem."""
    return {NO_WORDS: count} if count else {}
