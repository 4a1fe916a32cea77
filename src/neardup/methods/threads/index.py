"""Was this asked before? An index of threads that answers for one new thread in milliseconds.

It belongs to a result of `threads`, and is made once, in a folder of the result. Its arrays are mapped
into memory, so that opening it costs nothing. Everything that reaches the least similarity asked for is
found: see `kernels.asked`.
"""

import json
import shutil
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.durable import mapped
from neardup.engines.base import Progress
from neardup.errors import InputError, OutputError, SettingsError
from neardup.kernels.hashing import HASH_VERSION
from neardup.methods.threads import nearest
from neardup.methods.threads.fields import sets_of_words
from neardup.methods.threads.nearest import NearestThreads
from neardup.methods.threads.plan import signed_threads
from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import CountFieldWords, bounds_in, joined, sets_of, signatures_of
from neardup.results.files import STEPS, write_json
from neardup.results.folder import ResultFolder
from neardup.results.places import written_folder
from neardup.settings.run import RunSettings
from neardup.showing.progress import shown
from neardup.steps.keys import KeySet
from neardup.steps.too_common import without

FOLDER = "asked"
FACTS = "index.json"
VALUES = "values"
THREADS = "threads.arrow"
BOILERPLATE = "boilerplate"
MEASURES = ("fields", "signature", "missing", "answer_containment")  # the settings that an index has
KNOWN_OF_THREADS = ("id", "title", "url", "date")
VALUES_A_CELL = 2
LEAST_CELLS = 1 << 10
BATCH_ROWS = 1 << 12
BYTES_A_POSTING = 8  # with its share of what says where cells begin
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Asked:
    """A thread that was found: its similarity to the one asked for, and that of each field."""

    id: str
    similarity: float
    fields: dict[str, float | None]
    title: str | None = None
    url: str | None = None
    date: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Suggested:
    """A thread that may ask the same in other words: how near it is, and the rarest words of both."""

    id: str
    nearness: float
    words: list[str]
    title: str | None = None
    url: str | None = None
    date: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        return dict(vars(self))


class ThreadIndex:
    """An index to find the threads most similar to a new one; several Python threads may ask at a time.

    >>> egg = {"id": "egg", "title": "How do I boil an egg?"}
    >>> index = ThreadIndex.build(neardup.threads([egg], fields="title=1"))
    >>> [(found.id, found.similarity) for found in index.ask({"title": "how do I boil an egg"})]
    [('egg', 1.0)]
    """

    def __init__(self, folder: str | Path) -> None:
        """Open the index of a result, or an index by its own folder."""
        folder = Path(folder)
        self.folder = folder if (folder / FACTS).is_file() else folder / FOLDER
        if not (self.folder / FACTS).is_file():
            hint = "Make it with neardup asked, or in Python with ThreadIndex.build(result)."
            raise OutputError("there is no index of threads", where=str(folder), hint=hint)
        facts = json.loads((self.folder / FACTS).read_text(encoding="utf-8"))
        if facts["hash"] != HASH_VERSION or not (self.folder / "near_starts").is_file():
            hint = f"Delete {self.folder}; it will be made again."
            raise OutputError("this index is of another version", where=str(self.folder), hint=hint)
        self.settings = ThreadSettings.make(**facts["settings"], threshold=1.0)
        self.threads = int(facts["threads"])
        # as private copies, so that kernels see the same kind of array as elsewhere; nothing is copied
        self._values, self._bounds, self._postings, self._starts = (
            np.asarray(np.memmap(self.folder / name, np.dtype(kind), "c"))
            for name, kind in facts["arrays"].items()
        )
        self._boilerplate = KeySet()
        self._boilerplate.values = np.fromfile(self.folder / BOILERPLATE, np.int64)
        self._counts = {int(f): self._count(f, n) for f, n in facts["words"].items()}
        self._nearest = NearestThreads(self.folder)
        self._names = pa.ipc.open_file(pa.memory_map(str(self.folder / THREADS)))
        self._own = threading.local()
        self._naming = threading.Lock()
        self._result: ResultFolder | None = None  # what is temporary lives as long as this

    def _count(self, field: str, documents: int) -> Any:
        signatures = signatures_of(self.settings)
        counts = CountFieldWords(signatures).counts[int(field)]
        counts.table = np.fromfile(self.folder / f"words_{field}", np.uint32)
        counts.documents = documents
        return counts

    def __len__(self) -> int:
        return self.threads

    def ask(self, thread: Mapping[str, str | None], top: int = 5, least: float = 0.3) -> list[Asked]:
        """Return the most similar threads, best first, of those that are similar enough.

        Fields that are not given do not count: a new question has no answer yet. In a result with
        `missing="zero"`, their similarity is 0.
        """
        from neardup.kernels.asked import look_up

        self._check(thread, top, least)
        given = np.array([bool(thread.get(name)) for name in self.settings.fields])
        values, bounds = self._sets(thread)
        weights = np.where(given & (np.diff(bounds) > 0), self.settings.weights, 0.0)
        if not weights.any():
            return []
        numbers, scores, means = look_up(
            self._values,
            self._bounds,
            self._postings,
            self._starts,
            values,
            bounds,
            weights,
            np.array(self.settings.contained),
            self.settings.scaled,
            least,
            top,
            self._worth(),
        )
        found = zip(numbers.tolist(), scores.tolist(), means.tolist(), strict=True)
        with self._naming:
            return [self._asked(n, s, m, weights) for n, s, m in found if n >= 0]

    def suggest(self, thread: Mapping[str, str | None], top: int = 5) -> list[Suggested]:
        """Return the threads nearest to a new one in what they say, best first, however far they are.

        They share rare words and letters, and may ask the same in other words. These are suggestions:
        nothing proves that they are duplicates.
        """
        self._check(thread, top, 1.0)
        found = self._nearest.ask(thread, list(self.settings.fields), top, self._room("sums", np.int64))
        with self._naming:
            return [
                Suggested(**self._known_of(n), nearness=near, words=words) for n, near, words in found
            ]

    def _worth(self) -> Array:
        """Return this thread's room to sum up what each thread of the index shares; all zeros."""
        return self._room("worth", np.float64)

    def _room(self, name: str, kind: type[np.generic]) -> Array:
        if not hasattr(self._own, name):
            setattr(self._own, name, np.zeros(self.threads, kind))
        room: Array = getattr(self._own, name)
        return room

    def _check(self, thread: Mapping[str, str | None], top: int, least: float) -> None:
        problems = [f"there is no field {name!r}" for name in thread if name not in self._known()]
        if top < 1:
            problems.append(f"top must be at least 1: got {top}")
        if not 0 < least <= 1:
            problems.append(f"least must be above 0 and at most 1: got {least}")
        if not any((thread.get(name) or "").strip() for name in self.settings.fields):
            problems.append("the thread has no text")
        if problems:
            hint = f"The fields are: {', '.join(self.settings.fields)}."
            raise SettingsError("; ".join(problems), hint=hint)

    def _known(self) -> set[str]:
        return {*self.settings.fields, *KNOWN_OF_THREADS}

    def _sets(self, thread: Mapping[str, str | None]) -> tuple[Array, Array]:
        texts = [pa.array([thread.get(name)], pa.large_string()) for name in self.settings.fields]
        signatures = signatures_of(self.settings)
        sets = sets_of(texts, signatures)
        for number, counts in self._counts.items():
            own = sets[number]
            sets[number] = sets_of_words(signatures[number], own.values, own.bounds, counts, number)
        values, bounds = joined(sets)
        return without(values, bounds, self._boilerplate.has(values.view(np.int64)))

    def _asked(self, number: int, scores: list[float], mean: float, weights: Array) -> Asked:
        shown = zip(self.settings.fields, scores, weights, strict=True)
        fields = {name: score if score >= 0 and weight > 0 else None for name, score, weight in shown}
        return Asked(**self._known_of(number), similarity=mean, fields=fields)

    def _known_of(self, number: int) -> dict[str, Any]:
        batch = self._names.get_batch(number // BATCH_ROWS)
        row: dict[str, Any] = batch.slice(number % BATCH_ROWS, 1).to_pylist()[0]
        return row

    @classmethod
    def build(
        cls,
        result: ResultFolder,
        folder: str | Path | None = None,
        progress: Progress | bool | None = None,
        workers: int | None = None,
        memory: str | int | None = None,
    ) -> "ThreadIndex":
        """Make the index of a result from the input of its run, if there is none yet, and open it."""
        result = result.local()
        if result.method != "threads":
            hint = "Run neardup threads first."
            what = f"a result of {result.method} has no threads that can be asked"
            raise OutputError(what, where=str(result.where), hint=hint)
        target = Path(folder) if folder else result.folder / FOLDER
        if not (target / FACTS).is_file():
            with written_folder(target, STEPS, VALUES) as work:
                _write(result, work, RunSettings.make(workers, memory), shown(progress))
        opened = cls(target)
        opened._result = result
        return opened


def _write(result: ResultFolder, work: Path, run: RunSettings, progress: Progress | None) -> None:
    """Write all files of an index."""
    given = result.run["settings"]
    shared = given.get("max_shared", 0)
    settings = ThreadSettings.make(given["fields"], given["signature"], max_shared=shared)
    source = result.source()
    words = CountFieldWords(signatures_of(settings))
    boilerplate = KeySet()
    tables = signed_threads(source, settings, work, run, progress, [nearest.step(settings)])
    for batch in tables["words"].batches() if "words" in tables else ():
        words.add(batch)
    for batch in tables[BOILERPLATE].batches() if BOILERPLATE in tables else ():
        boilerplate.add(batch)
    docs, arrays = _write_arrays(tables["units"].batches(), len(settings.fields), work, run.memory)
    nearest.write(tables[nearest.CELLS].batches(), docs, work, run.memory)
    shutil.rmtree(work / STEPS)
    boilerplate.values.tofile(work / BOILERPLATE)
    for field, counts in words.counts.items():
        counts.table.tofile(work / f"words_{field}")
    if len(docs) != result.documents.num_rows:
        raise InputError("the input has changed since the run", hint="Run neardup threads again.")
    names = result.documents.select([n for n in KNOWN_OF_THREADS if n in result.documents.column_names])
    with pa.ipc.new_file(str(work / THREADS), names.schema) as writer:
        writer.write_table(names.combine_chunks(), max_chunksize=BATCH_ROWS)
    facts = {
        "hash": HASH_VERSION,
        "settings": {name: given[name] for name in MEASURES if name in given},
        "threads": len(docs),
        "words": {str(field): counts.documents for field, counts in words.counts.items()},
        "arrays": arrays,
    }
    write_json(work / FACTS, facts)


def _write_arrays(batches: Any, fields: int, work: Path, memory: int) -> tuple[Array, dict[str, str]]:
    """Write sets and postings; return the documents that are threads, and the types of the arrays."""
    bounds, docs = [np.zeros(1, np.int64)], [np.empty(0, np.int64)]
    with (work / VALUES).open("wb") as out:
        for batch in batches:
            kept = batch.filter(pc.greater(batch["size"], 0))
            values, own = bounds_in(kept, fields)
            values[own[0] : own[-1]].tofile(out)
            bounds.append(bounds[-1][-1] + own[1:] - own[0])
            docs.append(kept["doc"].to_numpy())
    whole = np.concatenate(bounds)
    whole.tofile(work / "bounds")
    kind = "uint32" if whole[-1] < 2**32 else "int64"
    _write_postings(whole[::fields], work, kind, memory)
    arrays = {"values": "uint64", "bounds": "int64", "postings": "uint32", "starts": kind}
    return np.concatenate(docs), arrays


def _write_postings(bounds: Array, work: Path, kind: str, memory: int) -> None:
    """Write which threads have the values of each cell, to mapped files and some cells at a time."""
    from neardup.kernels.asked import count_cells, fill_postings

    total = int(bounds[-1])
    cells = max(total // VALUES_A_CELL, LEAST_CELLS)
    values = np.asarray(np.memmap(work / VALUES, np.uint64, "c")) if total else np.empty(0, np.uint64)
    starts = mapped(work / "starts", np.dtype(kind), cells + 1)
    postings = mapped(work / "postings", np.dtype(np.uint32), max(total, 1))
    count_cells(values, np.asarray(starts))
    step = max(cells * memory // max(total * BYTES_A_POSTING, 1), 1)
    for low in range(0, cells, step):
        high = min(low + step, cells)
        fill_postings(values, bounds, np.asarray(postings), np.asarray(starts), low, high)
    starts.flush()
    postings.flush()
