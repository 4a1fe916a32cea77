"""Was this asked before? An index of threads that answers for one new thread in milliseconds.

It belongs to a result of `threads`, and is made once, in a folder of the result; threads are added to
it and removed, as documents are from any index. Everything that reaches the least similarity asked for
is found, whenever it was added: see `kernels.asked`.
"""

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.durable import delete_temporary, temporary_folder
from neardup.engines.base import Advance, Progress, Silent
from neardup.engines.disk import DiskFolder
from neardup.errors import InputError, OutputError, SettingsError
from neardup.index.adding import Added, Row, rows_of
from neardup.index.arrays import Parts, ThreadWriter
from neardup.index.fields import Fields, packed
from neardup.index.kept import THREADS, Kept, checked, facts_for, making, remove_index
from neardup.index.online import Index
from neardup.kernels.threads import CLOSE
from neardup.methods.threads.found import Asked, Suggested
from neardup.methods.threads.nearest import Question
from neardup.methods.threads.plan import signed_threads, thread_reader
from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import CountFieldWords, signatures_of
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, Source, size_of
from neardup.results.compiling import compile_for
from neardup.results.folder import ResultFolder
from neardup.settings.run import RunSettings
from neardup.showing.progress import shown
from neardup.steps.counters import KeySet
from neardup.store.database import Sync
from neardup.store.files import is_index
from neardup.store.manifest import About, Manifest

FOLDER = "asked"
OLD = "index.json"  # in such a folder that an earlier version made
MEASURES = ("fields", "signature", "missing", "answer_containment")  # the settings that an index has
KNOWN_OF_THREADS = ("id", "title", "url", "date")
TOGETHER = 10_000  # documents of a result that are named at a time
Array = npt.NDArray[Any]


class Similar(NamedTuple):
    """A thread that was found: how similar it is, its number, and the similarity of each field."""

    similarity: float
    doc: int
    fields: list[float]


class ThreadIndex(Kept):
    """An index to find the threads most similar to a new one; several Python threads may ask at a time.

    >>> egg = {"id": "egg", "title": "How do I boil an egg?"}
    >>> index = ThreadIndex.build(neardup.threads([egg], fields="title=1"))
    >>> [(found.id, found.similarity) for found in index.ask({"title": "how do I boil an egg"})]
    [('egg', 1.0)]
    """

    writes = ThreadWriter
    kernels = "threads"

    def __init__(self, folder: str | Path, writable: bool = False, *, sync: Sync = "soon") -> None:
        """Open the index of a result, or an index by its own folder."""
        given = Path(folder)
        path = given if is_index(given) else given / FOLDER
        if not is_index(path):
            hint = "Make it with neardup asked, or in Python with ThreadIndex.build(result)."
            raise OutputError("there is no index of threads", where=str(given), hint=hint)
        super().__init__(path, writable, sync=sync)
        self._parts = Parts(self.analysis)
        self._own = threading.local()
        self._result: ResultFolder | None = None  # what is temporary lives as long as this

    @classmethod
    def remembers(cls, facts: dict[str, Any], path: Path) -> tuple[ThreadSettings, Fields, bool]:
        """Return the settings, what takes threads apart by them, and that no words are counted."""
        settings = ThreadSettings.make(**checked(facts, path, THREADS), threshold=1.0)
        return settings, Fields.of(settings, facts), False

    def _reading(self, reader: ReaderSettings) -> ReaderSettings:
        return thread_reader(self.settings, reader)

    def add_files(
        self,
        inputs: Sequence[str],
        *,
        replace_ids: bool = False,
        progress: Progress | bool | None = None,
    ) -> Added:
        """Add the threads of files, all or none."""
        source = FileSource.open(inputs, self._reading(ReaderSettings()))
        return self.add_source(source, replace_ids=replace_ids, progress=progress)

    def ask(self, thread: Mapping[str, str | None], top: int = 5, least: float = 0.3) -> list[Asked]:
        """Return the most similar threads, best first, of those that are similar enough.

        Fields that are not given do not count: a new question has no answer yet. In a result with
        `missing="zero"`, their similarity is 0.
        """
        self._check(thread, top, least)
        texts = {name: pa.array([thread.get(name)], pa.large_string()) for name in self.settings.fields}
        values, bounds = self.analysis.sets(texts)
        given = np.array([bool(thread.get(name)) for name in self.settings.fields])
        weights = np.where(given & (np.diff(bounds) > 0), self.settings.weights, 0.0)
        if not weights.any():
            return []
        how = weights, np.array(self.settings.contained), self.settings.scaled
        found = self.similar((values, bounds), how, top, least)
        known = self.contents.about([one.doc for one in found])
        fields = [self._scores(one.fields, weights) for one in found]
        return [
            Asked(**known[one.doc]._asdict(), similarity=one.similarity, fields=own)
            for one, own in zip(found, fields, strict=True)
            if one.doc in known
        ]

    def similar(
        self, sets: tuple[Array, Array], how: tuple[Array, Array, bool], top: int, least: float
    ) -> list[Similar]:
        """Return the threads that are most similar to one whose sets are given, best first.

        `how` are the weights of fields, which are compared by containment, and whether weights are
        scaled. Of the values, rarest first, so many are looked up that the rest is worth less than
        `least`: no thread that is similar enough is missed. Where a single value may be worth a whole
        field, which is one that is compared by containment, all are.
        """
        from neardup.kernels.asked import look_up
        from neardup.kernels.threads import weigh_values

        values, bounds = sets
        view = self.contents.view
        _, parts = self._parts.of(view)
        places = [part.shingles.find(values) for part, _ in parts]
        counts = np.zeros(len(values), np.int64)
        for own in places:
            counts += own.counts
        shares = np.empty(len(values), np.float64)
        rest, all_needed = weigh_values(bounds, *how, least, shares)
        order = np.argsort(counts, kind="stable")
        before = rest - np.concatenate([[0.0], np.cumsum(shares[order])])[:-1]
        needed = (before >= least * (1 - CLOSE) - CLOSE) | all_needed
        left_out = np.ones(len(values), np.bool_)
        left_out[order[needed]] = False
        left_out |= shares <= 0
        rest = 1.0 if all_needed else max(rest - shares[~left_out].sum(), 0.0)
        found = []
        for (part, arrays), own in zip(parts, places, strict=True):
            own.counts[left_out] = 0
            numbers, docs = part.shingles.docs(own)
            most = min(top, len(docs))
            if most:
                gone, room = view.gone_of(part), self._room("worth", np.float64, part.count)
                having = docs.astype(np.int64), shares[numbers], gone
                answer = look_up(*arrays[:2], *having, values, bounds, how, least, rest, most, room)
                columns = (column.tolist() for column in answer)
                found += [
                    Similar(m, part.first + n, s) for n, s, m in zip(*columns, strict=True) if n >= 0
                ]
        return sorted(found, key=lambda one: (-one.similarity, one.doc))[:top]

    def suggest(self, thread: Mapping[str, str | None], top: int = 5) -> list[Suggested]:
        """Return the threads nearest to a new one in what they say, best first, however far they are.

        They share rare words and letters, and may ask the same in other words. These are suggestions:
        nothing proves that they are duplicates. What is rare was counted when the index was last written
        as a whole, which it is when it has become half as large again, or by `compact`.
        """
        self._check(thread, top, 1.0)
        view = self.contents.view
        rarity, parts = self._parts.of(view)
        question = Question(thread, self.settings.fields, rarity)
        lists = [(arrays.lists, view.gone_of(part)) for part, arrays in parts]
        found = question.nearest(lists, top, lambda size: self._room("sums", np.int64, size))
        docs = [parts[one.part][0].first + one.number for one in found]
        known = self.contents.about(docs)
        words = [question.shared(lists[one.part][0], one.number) for one in found]
        return [
            Suggested(**known[doc]._asdict(), nearness=one.nearness, words=own)
            for one, doc, own in zip(found, docs, words, strict=True)
            if doc in known
        ]

    def thread(self, given: str) -> tuple[About, dict[str, str | None]]:
        """Return what is known about a thread, and its fields."""
        about, text = self.stored(given)
        return about, dict(zip(self.settings.fields, json.loads(text), strict=True))

    def row(
        self, given: str, thread: Mapping[str, str | None], url: str | None, date: str | None
    ) -> Row:
        """Return a thread as it is added."""
        self._check(thread, 1, 1.0)
        about = About(given, thread.get("title"), url, date)
        return Row(about, packed([thread.get(name) for name in self.settings.fields]))

    def _room(self, name: str, kind: type[np.generic], size: int) -> Array:
        """Return this Python thread's room to sum up what each thread of a part shares; all zeros."""
        room: Array | None = getattr(self._own, name, None)
        if room is None or len(room) < size:
            room = np.zeros(2 * size, kind)
            setattr(self._own, name, room)
        return room

    def _check(self, thread: Mapping[str, str | None], top: int, least: float) -> None:
        known = {*self.settings.fields, *KNOWN_OF_THREADS}
        problems = [f"there is no field {name!r}" for name in thread if name not in known]
        if top < 1:
            problems.append(f"top must be at least 1: got {top}")
        if not 0 < least <= 1:
            problems.append(f"least must be above 0 and at most 1: got {least}")
        if not any((thread.get(name) or "").strip() for name in self.settings.fields):
            problems.append("the thread has no text")
        if problems:
            hint = f"The fields are: {', '.join(self.settings.fields)}."
            raise SettingsError("; ".join(problems), hint=hint)

    def _scores(self, scores: list[float], weights: Array) -> dict[str, float | None]:
        shown = zip(self.settings.fields, scores, weights, strict=True)
        return {name: score if score >= 0 and weight > 0 else None for name, score, weight in shown}

    @classmethod
    def build(
        cls,
        result: ResultFolder,
        folder: str | Path | None = None,
        progress: Progress | bool | None = None,
        workers: int | None = None,
        memory: str | int | None = None,
        *,
        writable: bool = False,
        sync: Sync = "soon",
    ) -> "ThreadIndex":
        """Make the index of a result from the input of its run, if there is none yet, and open it."""
        result = result.local()
        if result.method != "threads":
            hint = "Run neardup threads first."
            what = f"a result of {result.method} has no threads that can be asked"
            raise OutputError(what, where=str(result.where), hint=hint)
        target = Path(folder) if folder else result.folder / FOLDER
        if not is_index(target):
            if (target / OLD).is_file():
                remove_index(target)
            _make(result, target, RunSettings.make(workers, memory), shown(progress) or Silent())
        opened = cls(target, writable, sync=sync)
        opened._result = result
        return opened


def kind_of(facts: Mapping[str, Any]) -> type[Kept]:
    """Return what opens an index, by what it says of itself."""
    return ThreadIndex if facts.get("kind") == THREADS else Index


def opened(path: Path, writable: bool = True) -> Kept:
    """Open an index of texts or of threads."""
    with closing(Manifest(path, False)) as manifest:
        kind = kind_of(manifest.facts)
    return kind(path, writable)


def _make(result: ResultFolder, target: Path, run: RunSettings, progress: Progress) -> None:
    """Write the index of a result."""
    given = result.run["settings"]
    own = {name: given[name] for name in MEASURES if name in given}
    settings = ThreadSettings.make(**own, max_shared=given.get("max_shared", 0))
    source = result.source()
    compile_for(ThreadIndex.kernels, progress, source)
    counted = _counted(source, settings, run, progress)
    facts = facts_for(THREADS, own) | counted.facts()
    alone = DiskFolder(target.parent).locked(str(target))
    with alone, making(ThreadIndex, target, facts) as index:
        with progress.step("add", size_of(source), "bytes") as advance:
            added = index.add_rows(_rows(result, source, counted, advance))
        if added.documents != result.documents.num_rows:
            raise InputError("the input has changed since the run", hint="Run neardup threads again.")


def _counted(source: Source, settings: ThreadSettings, run: RunSettings, progress: Progress) -> Fields:
    """Return what makes the sets of threads, which may have to know how common words or sets are."""
    words, boilerplate = CountFieldWords(signatures_of(settings)), KeySet()
    if settings.max_shared or words.counts:
        work = temporary_folder()
        try:
            tables = signed_threads(source, settings, work, run, progress)
            for state, name in ((words, "words"), (boilerplate, "boilerplate")):
                for batch in tables[name].batches() if name in tables else ():
                    state.add(batch)
        finally:
            delete_temporary(work)
    return Fields(settings, words.counts, boilerplate)


def _rows(result: ResultFolder, source: Source, fields: Fields, advance: Advance) -> Iterator[Row]:
    """Yield the threads of a result by the names that they have there."""
    documents = result.documents
    names = [name for name in KNOWN_OF_THREADS if name in documents.column_names]
    known = (
        row
        for batch in documents.select([*names, "source", "position"]).to_batches(TOGETHER)
        for row in batch.to_pylist()
    )
    wanted = next(known, None)
    for row in rows_of(source, Counter(), advance, fields):
        if wanted and (row.source, row.position) == (wanted["source"], wanted["position"]):
            yield row._replace(about=About(*(wanted.get(name) for name in KNOWN_OF_THREADS)))
            wanted = next(known, None)
