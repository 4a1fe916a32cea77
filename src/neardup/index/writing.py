"""Who writes an index: adds and removes documents, and keeps its segments few, beside all other work."""

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import MappingProxyType

import numpy as np

from neardup.errors import OutputError
from neardup.index.adding import Added, Lot, Row, no_words, portions, taken
from neardup.index.analysis import Analysis, Remembered
from neardup.index.building import Batch, batch_of
from neardup.index.counted import Counts
from neardup.settings.run import available_cores
from neardup.store.ahead import ahead
from neardup.store.manifest import Change, Manifest
from neardup.store.segments import Facts, Gone, Merge, New, Segment, remove, synced

RECENT_BYTES = 16 << 20  # of texts in the manifest that are worth a segment
RECENT = 8_000  # documents
LEFT = 500  # documents that may be in the manifest when nobody writes any more
TOO_MANY = 4  # times as much: who adds more waits
SAFE = 100  # documents of a lot: more are on the disk when they are added
TOGETHER = 4  # segments of about the same size that become one
LEAST_ROWS = 1 << 22  # postings: smaller segments are all of one size
MOST_SEGMENTS = 16
SHARE_GONE = 0.25  # of a segment's documents that makes it worth to be written again
AT_ONCE = 2  # segments that are written while more is read
NONE: Mapping[str, str] = MappingProxyType({})


class Writer:
    """Writes an index, for one thread at a time; the segments are merged by a thread of its own."""

    def __init__(self, folder: Path, manifest: Manifest, analysis: Analysis, soft: bool) -> None:
        self.lock = threading.RLock()
        self._folder, self._manifest = folder, manifest
        self._analysis, self._soft = analysis, soft
        self._numbers = count(max((own.number for own in manifest.segments()), default=0) + 1)
        self._recent = manifest.recent_bytes
        self._upkeep: threading.Thread | None = None

    # Adding and removing

    def add_few(self, lots: Sequence[Lot]) -> None:
        """Write lots to the manifest at once; each is added or fails by itself."""
        try:
            if self._recent > TOO_MANY * RECENT_BYTES:
                self.tidy()
            at_once = sum(map(len, lots)) > SAFE
            with self._manifest.transaction(at_once) as change:
                for lot in lots:
                    lot.write(change, self._analysis)
        except BaseException as error:
            for lot in lots:
                lot.fail(error)
            return
        self._recent += sum(lot.size for lot in lots)
        self._look_after(change.state.next - change.state.base)

    def add_many(self, rows: Iterable[Row], replaces: bool, facts: Mapping[str, str] = NONE) -> Added:
        """Write documents to segments of their own, all or none, and some facts with them."""
        written: list[Facts] = []
        with self._told(written), self._manifest.transaction(at_once=True) as change:
            first, counts = change.state.next, self._recounted(change)
            recent = self._manifest.recent(change.state.base)
            many = Many(
                change, replaces, batch_of(recent, change.state.base, self._analysis, counts), counts
            )
            with ThreadPoolExecutor(available_cores()) as pool:
                made = ahead(pool, self._taken_apart, portions(rows), available_cores() + 1)
                new = many.batches(made)
                written += ahead(pool, lambda own: self._write(own.write), new, AT_ONCE)
            if len(written) > 1:
                written[:] = [self._merged(written, np.zeros(change.state.next, np.bool_))]
            is_all = not self._manifest.segments()
            written[:] = [self._complete(own, is_all) for own in written]
            change.put(written)
            change.take_over(change.state.next)
            if counts:
                change.write_words(counts.stored())
            for name, value in facts.items():
                change.write_fact(name, value)
        self._recent = 0
        self._look_after(0)
        return Added(change.state.next - first, many.replaced, no_words(many.wordless))

    def _taken_apart(self, rows: list[Row]) -> tuple[list[Row], Remembered, int]:
        """Return the documents that have words, what is remembered of them, and how many others."""
        remembered = self._analysis.remembered(np.arange(len(rows)), [row.text for row in rows])
        worded = [row for row, size in zip(rows, remembered.sizes.tolist(), strict=True) if size]
        if len(worded) < len(rows):
            texts = [row.text for row in worded]
            remembered = self._analysis.remembered(np.arange(len(worded)), texts)
        return worded, remembered, len(rows) - len(worded)

    def remove(self, docs: Sequence[int]) -> None:
        """Remove documents."""
        with self._manifest.transaction(at_once=len(docs) > SAFE) as change:
            change.delete(docs)
            if len(docs) > SAFE:
                self._recounted(change)
        self._look_after(0)

    # Keeping it in order

    def _look_after(self, recent: int) -> None:
        """See to it that what is in the manifest gets a segment, and that segments are merged."""
        if not self._is_much(recent) and not self._to_merge():
            return
        if self._upkeep is None or not self._upkeep.is_alive():
            self._upkeep = threading.Thread(
                target=tidied, args=[weakref.ref(self)], name="neardup upkeep"
            )
            try:
                self._upkeep.start()
            except RuntimeError:  # Python ends, or there are too many threads
                self._upkeep = None

    def _is_much(self, recent: int) -> bool:
        """Return whether what is in the manifest is worth a segment."""
        return recent >= RECENT or self._recent >= RECENT_BYTES

    def one_more(self) -> bool:
        """Do one thing that is to be done, and return whether there may be more."""
        with self.lock:
            if not self._manifest.is_writable:
                return False
            state = self._manifest.state
        if self._is_much(state.next - state.base):
            self.flush_recent()
            return True
        group = self._to_merge()
        if group:
            self.merge(group)
        return bool(group)

    def tidy(self) -> None:
        """Wait for what is being done, and do what is left of it."""
        upkeep, self._upkeep = self._upkeep, None
        if upkeep is not None and upkeep is not threading.current_thread():
            upkeep.join()
        while self.one_more():
            pass

    def finish(self) -> None:
        """Leave no more in the manifest than is soon read."""
        self.tidy()
        state = self._manifest.state
        if state.next - state.base > LEFT:
            self.flush_recent()
            self.tidy()

    def flush_recent(self) -> None:
        """Give the documents in the manifest a segment."""
        with self.lock, self._manifest.transaction() as change:
            self._recounted(change)
            first, until = change.state.base, change.state.next
        with self.lock:
            recent = self._manifest.recent(first)
        counts = Counts() if self._soft else None
        recent = [row for row in recent if row[0] < until]
        made = batch_of(recent, first, self._analysis, counts).made(until)
        written: list[Facts] = []
        with self._told(written):
            if recent:
                written.append(self._write(made.write))
                written[:] = [self._complete(written[0], not self._manifest.segments())]
            with self.lock, self._manifest.transaction(at_once=True) as change:
                is_late = change.state.base != first  # who added many meanwhile took these over, too
                if not is_late:
                    change.put(written)
                    change.take_over(until)
                    if counts:
                        change.write_words(Counts(self._manifest.words()).plus(counts).stored())
        for own in written if is_late else ():
            remove(self._folder, own.number)
        self._recent = self._manifest.recent_bytes

    def _to_merge(self) -> list[Facts]:
        """Return the segments that should be one, if there are any."""
        with self.lock:
            segments = self._manifest.segments()
            deleted = np.array([row.doc for row in self._manifest.deleted()])
        rows = [sum(own.postings.values()) for own in segments]
        windows = range(len(segments) - TOGETHER + 1)
        same = [at for at in windows if len({level(own) for own in rows[at : at + TOGETHER]}) == 1]
        if len(segments) > MOST_SEGMENTS and not same:
            same = [min(windows, key=lambda at: sum(rows[at : at + TOGETHER]))]
        if same:
            return segments[same[0] : same[0] + TOGETHER]
        for own in segments:
            inside = (deleted >= own.first) & (deleted < own.first + own.count)
            if np.count_nonzero(inside) > SHARE_GONE * own.count:
                return [own]
        return []

    def merge(self, group: Sequence[Facts]) -> None:
        """Make one segment of several."""
        first, last = group[0].first, group[-1].first + group[-1].count
        with self.lock, self._manifest.transaction() as change:
            self._recounted(change)
        gone = np.zeros(last, np.bool_)
        with self.lock:
            rows = [
                row for row in self._manifest.deleted() if first <= row.doc < last and not row.counted
            ]
        gone[[row.doc for row in rows]] = True
        written: list[Facts] = []
        with self._told(written):
            written.append(self._merged(group, gone, keep=True))
            is_all = len(group) == len(self._manifest.segments())
            written[:] = [self._complete(written[0], is_all)]
            with self.lock, self._manifest.transaction(at_once=True) as change:
                is_late = is_all and self._depends(group)
                if not is_late:
                    change.put(written, instead=group)
                    change.forget(rows)
        for own in written if is_late else group:
            remove(self._folder, own.number)

    def compact(self) -> None:
        """Make one segment of all, without what was removed."""
        self.tidy()
        self.flush_recent()
        segments = self._manifest.segments()
        if segments:
            self.merge(segments)
        self._manifest.shrink()

    def _merged(self, group: Sequence[Facts], gone: Gone, keep: bool = False) -> Facts:
        """Write one segment in the place of several."""
        segments = [Segment(self._folder, own) for own in group]
        found = self._write(Merge(segments, gone).write)
        if not keep:
            for own in group:
                remove(self._folder, own.number)
        return found

    def _write(self, write: Callable[[Path, int], Facts]) -> Facts:
        """Write a segment, or leave nothing of it."""
        number = next(self._numbers)
        try:
            facts = write(self._folder, number)
            synced(self._folder, facts)
        except BaseException:
            remove(self._folder, number)
            raise
        return facts

    def _complete(self, facts: Facts, is_all: bool) -> Facts:
        """Write whatever else a segment has, which may be all that there is."""
        found = self._completed(facts, is_all)
        if found is not facts:
            synced(self._folder, found)
        return found

    def _depends(self, group: Sequence[Facts]) -> bool:
        """Return whether a segment that came meanwhile was made by what others had counted."""
        del group
        return False

    def _completed(self, facts: Facts, is_all: bool) -> Facts:
        """Return a segment with its other files, if it has any."""
        del is_all
        return facts

    @contextmanager
    def _told(self, written: list[Facts]) -> Iterator[None]:
        """Delete segments that did not get into the manifest, and say in plain words what was wrong."""
        try:
            yield
        except BaseException as error:
            for own in written:
                remove(self._folder, own.number)
            if isinstance(error, OSError):
                hint = "Free some space, and try again: what was added before is safe."
                what = f"cannot be written: {error}"
                raise OutputError(what, where=str(self._folder), hint=hint) from error
            raise

    def _recounted(self, change: Change) -> Counts | None:
        """Take the words of documents that are gone from those that are counted; return these."""
        wrong = change.deleted()
        change.mark_uncounted(wrong)
        if not self._soft:
            return None
        counts = Counts(self._manifest.words())
        if wrong:
            segments = [Segment(self._folder, own) for own in self._manifest.segments()]
            texts = (
                segment.texts.of(row.doc - segment.first)
                for row in wrong
                for segment in segments
                if segment.first <= row.doc < segment.first + segment.count
            )
            counts.take_away_texts(self._analysis, texts)
            change.write_words(counts.stored())
        return counts


class Many:
    """Documents of any number on their way into segments."""

    def __init__(self, change: Change, replaces: bool, batch: Batch, counts: Counts | None) -> None:
        self.replaced = self.wordless = 0
        self._change, self._replaces, self._batch, self._counts = change, replaces, batch, counts
        self._first = change.state.next

    def batches(self, parts: Iterable[tuple[list[Row], Remembered, int]]) -> Iterator[New]:
        """Name the documents, and yield segments to be written."""
        change = self._change
        for rows, remembered, wordless in parts:
            self.wordless += wordless
            gone = taken(change, rows, self._replaces, self._first)
            self.replaced += len(gone)
            change.delete(gone)
            docs = change.state.next + np.arange(len(rows))
            change.insert(zip(docs.tolist(), (row.about for row in rows), strict=True))
            self._batch.add(docs, [row.text for row in rows], remembered)
            if self._counts:
                self._counts.add(remembered.words)
            if self._batch.is_full:
                yield self._batch.made(change.state.next)
                self._batch = Batch(change.state.next)
        if change.state.next > self._batch.first:
            yield self._batch.made(change.state.next)


def level(rows: int) -> int:
    """Return the size of a segment, as a power."""
    size = 0
    while rows >= LEAST_ROWS:
        rows //= TOGETHER
        size += 1
    return size


def tidied(writer: "weakref.ref[Writer]") -> None:
    """Do what is to be done, as long as somebody has the index."""
    while own := writer():
        try:
            if not own.one_more():
                return
        except Exception:  # who adds more, or closes the index, tries it again, and is told
            return
        del own
