"""What is in an index at one moment, for whoever asks: its segments, and what came since, in memory.

Each process makes that of the manifest, and looks there before it answers whether anybody has written.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError
from neardup.index.analysis import Analysis, Words
from neardup.index.counted import Counts
from neardup.index.postings import Postings
from neardup.methods.passages.align import CountedWords
from neardup.store.files import mapped_bytes
from neardup.store.manifest import About, Manifest, State
from neardup.store.postings import Hashes, Numbers
from neardup.store.segments import KINDS, Gone, Segment

AGAIN = 5  # times that the manifest is read while segments are replaced
AT_ONCE = 500  # documents that are taken apart together
OFTEN = 6  # answers after which memory is given back, if it is much
MUCH = 256 << 20  # bytes of mapped files
FEW, SHORT = 100, 64 << 10  # texts that one look-up keeps, and their bytes


@dataclass(frozen=True)
class Recent:
    """Documents that are in no segment yet, numbered from 0 on here; what holds them only grows."""

    first: int
    count: int
    held: dict[int, bytes]
    sizes: npt.NDArray[np.int32]
    shingles: Postings
    runs: Postings

    @classmethod
    def empty(cls, first: int) -> "Recent":
        """Return a part without documents."""
        return cls(first, 0, {}, np.zeros(1024, np.int32), Postings(), Postings())

    @property
    def texts(self) -> "Recent":
        """Return what has the texts."""
        return self

    def of(self, doc: int) -> bytes:
        """Return the text of a document."""
        return self.held.get(doc, b"")

    def all(self, since: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield the documents in their order."""
        for doc in range(since, self.count):
            if doc in self.held:
                yield doc, self.held[doc]


class LookedUp(NamedTuple):
    """Rows (number of a wanted key, document), and how many documents each wanted key has."""

    numbers: Numbers
    docs: Numbers
    counts: Numbers


class View(NamedTuple):
    """What there is: documents 0 to `reach` in some parts, but for those that are gone."""

    reach: int
    parts: tuple[Any, ...]  # segments, and in the end what is in memory
    gone: Gone
    removed: int
    kept: dict[int, bytes] | None = None  # texts, by who looks one thing up

    def keeping(self) -> "View":
        """Return this view, for one look-up that needs a text several times."""
        return self._replace(kept={})

    def gone_of(self, part: Any) -> Gone:
        """Return which documents of a part are gone."""
        return self.gone[part.first : part.first + part.count]

    def text(self, doc: int) -> bytes:
        """Return the text of a document."""
        if self.kept is None:
            return self._text(doc)
        found = self.kept.get(doc)
        if found is None:
            found = self._text(doc)
            if len(self.kept) < FEW and len(found) < SHORT:
                self.kept[doc] = found
        return found

    def _text(self, doc: int) -> bytes:
        for part in self.parts:
            if part.first <= doc < part.first + part.count:
                found: bytes = part.texts.of(doc - part.first)
                return found
        return b""

    def texts(self) -> Iterator[tuple[int, bytes]]:
        """Yield all documents, in their order."""
        for part in self.parts:
            for doc, text in part.texts.all():
                if not self.gone[part.first + doc]:
                    yield part.first + doc, text

    def look_up(self, wanted: Hashes, most: int) -> LookedUp:
        """Return who has each wanted run of words; of one that more than `most` have, only how many.

        That may be too many by those that were removed.
        """
        found = [part.runs.find(wanted) for part in self.parts]
        counts = np.zeros(len(wanted), np.int64)
        for own in found:
            counts += own.counts
        many = counts - self.removed > most
        numbers, docs = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for part, own in zip(self.parts, found, strict=True):
            own.counts[many] = 0
            some, those = part.runs.docs(own)
            numbers.append(some)
            docs.append(those + part.first)
        all_numbers, all_docs = np.concatenate(numbers), np.concatenate(docs)
        if self.removed:
            there = ~self.gone[all_docs]
            all_numbers, all_docs = all_numbers[there], all_docs[there]
            counts = np.where(many, counts, np.bincount(all_numbers, minlength=len(wanted)))
        few = counts[all_numbers] <= most
        return LookedUp(all_numbers[few], all_docs[few], counts)


class Contents:
    """Gives views of an index; whoever has one goes on with it while others write."""

    def __init__(self, folder: Path, manifest: Manifest, analysis: Analysis, soft: bool) -> None:
        self.analysis = analysis
        self._folder, self._manifest, self._soft = folder, manifest, soft
        self._making = threading.Lock()
        self._version = -1
        self._state = State(0, 0, 0, -1)
        self._place = 0  # of the last deletion that is known
        self._view = View(0, (), np.zeros(0, np.bool_), 0)
        self._counts = Counts() if soft else None
        self._no_words = CountedWords()
        self._segments: dict[int, Segment] = {}
        self._answers = 0

    @property
    def view(self) -> View:
        """Return what there is now."""
        with self._making:
            version = self._manifest.version
            if version != self._version:
                self._see()
                self._version = version
            return self._view

    def about(self, docs: Sequence[int]) -> dict[int, About]:
        """Return what is known of documents; of those that were removed just now, nothing."""
        return self._manifest.about(docs)

    def positions(self, docs: Sequence[int]) -> list[int]:
        """Return which these documents are of all that there are, from 1."""
        found: list[int] = (1 + np.searchsorted(self._manifest.docs(), np.array(docs))).tolist()
        return found

    def answered(self) -> None:
        """Note that something was looked up: now and then, memory is given back for that."""
        self._answers += 1
        if self._answers % OFTEN == 0 and mapped_bytes() > MUCH:
            self.release()

    def release(self) -> None:
        """Give memory back that holds what was read of segments."""
        for segment in list(self._segments.values()):
            segment.release(is_done=False)

    def counts(self) -> Counts:
        """Return how often each word occurs, to go on counting; nothing where that is not known."""
        return self._counts.copy() if self._counts else Counts()

    @contextmanager
    def counting(self, words: Words) -> Iterator[CountedWords]:
        """Give how often each word occurs, in these texts as well, for as long as it is needed."""
        if self._counts is None:
            yield self._no_words
            return
        with self._counts.counting(words) as counted:
            yield counted

    def _see(self) -> None:
        """Take in what was written since."""
        for again in range(AGAIN):
            state = self._state
            try:
                with self._manifest.reading.reading():
                    state = self._manifest.state
                    if state.generation != self._state.generation:
                        self._open_segments(state)
                    self._take_in(state)
                return
            except InputError:
                if again == AGAIN - 1 or self._manifest.state.generation == state.generation:
                    self._state = State(0, 0, 0, -1)
                    raise

    def _open_segments(self, state: State) -> None:
        """Begin anew with the segments that there are."""
        facts = self._manifest.segments()
        known = self._segments
        self._segments = {
            own.number: known.get(own.number) or Segment(self._folder, own) for own in facts
        }
        for number, segment in self._segments.items():
            if number not in known:
                segment.expect_queries()
        parts = (*self._segments.values(), Recent.empty(state.base))
        gone = np.zeros(max(2 * state.next, 1024), np.bool_)
        deleted = self._manifest.deleted()
        gone[[row.doc for row in deleted]] = True
        self._place = deleted[-1].place if deleted else 0
        self._view = View(state.base, parts, gone, len(deleted))
        if self._counts:
            self._counts = Counts(self._manifest.words())
            wrong = (row.doc for row in deleted if row.counted and row.doc < state.base)
            self._counts.take_away_texts(self.analysis, map(self._view.text, wrong))
        self._state = state

    def _take_in(self, state: State) -> None:
        """Take in the documents that came, and those that went."""
        new = self._manifest.recent(self._view.reach)
        for begin in range(0, len(new), AT_ONCE):
            self._add(new[begin : begin + AT_ONCE])
        deleted = self._manifest.deleted(self._place)
        if deleted:
            gone = self._view.gone.copy()
            docs = [row.doc for row in deleted]
            if self._counts:
                self._counts.take_away_texts(self.analysis, map(self._view.text, docs))
            gone[docs] = True
            self._view = self._view._replace(gone=gone, removed=self._view.removed + len(docs))
            self._place = deleted[-1].place
        self._view = self._view._replace(reach=state.next, gone=grown(self._view.gone, state.next))
        self._state = state

    def _add(self, rows: Sequence[tuple[int, bytes]]) -> None:
        *segments, recent = self._view.parts
        docs = np.array([doc for doc, _ in rows]) - recent.first
        remembered = self.analysis.remembered(docs, [text for _, text in rows])
        count = int(docs[-1]) + 1
        sizes = grown(recent.sizes, count)
        sizes[docs] = remembered.sizes
        recent.held.update(zip(docs.tolist(), (text for _, text in rows), strict=True))
        more = {kind: getattr(recent, kind).with_more(*getattr(remembered, kind)) for kind in KINDS}
        if self._counts:
            self._counts.add(remembered.words)
        self._view = self._view._replace(
            reach=recent.first + count,
            parts=(*segments, replace(recent, count=count, sizes=sizes, **more)),
            gone=grown(self._view.gone, recent.first + count),
        )


def grown(array: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    """Return an array with room for the given number of values: itself, or a longer copy.

    Values behind those in use may be written: no reader looks at them.
    """
    if count <= len(array):
        return array
    longer = np.zeros(max(count, 2 * len(array)), array.dtype)
    longer[: len(array)] = array
    return longer
