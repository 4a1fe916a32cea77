"""What is looked up of threads besides keys: the sets of each, and the lists of what they are made of.

A segment of an index of threads has files of these. How rare what they are made of is was counted when
all were written together, and stays so until that happens again: weights that are compared are those of
one count.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.durable import mapped
from neardup.index.contents import Recent, View
from neardup.index.fields import Fields
from neardup.index.writing import SHARE_GONE, Writer
from neardup.kernels.nearest import CELLS
from neardup.methods.threads.nearest import LISTS, PARTS, WHOLE, Lists, Rarity, lists_of
from neardup.readers.records import collected
from neardup.settings.run import RunSettings, available_cores
from neardup.store.ahead import ahead
from neardup.store.segments import Facts, Segment, file_of

SEEN = "near_seen"  # how many threads have each cell: a file of the first segment
ENDLESS = 1 << 40  # bytes: what is in memory is little
TOGETHER = 1000  # threads that are taken apart together
Array = npt.NDArray[Any]
Portion = tuple[Array, list[bytes]]


class Arrays(NamedTuple):
    """The sets of a part's threads, where that of each field begins, and the lists of cells."""

    values: Array
    bounds: Array
    lists: Lists


class Sums:
    """Where the sets and the cells of threads begin, and how many have each cell, as they are made."""

    def __init__(self, count: int, fields: int) -> None:
        self._sets = np.zeros((count, fields), np.int64)
        self._cells = np.zeros((count, PARTS), np.int64)
        self.seen = np.zeros(CELLS, np.int64)

    def add(self, docs: Array, bounds: Array, cells: Array, begins: Array) -> None:
        """Take in threads with these numbers."""
        self._sets[docs] = np.diff(bounds).reshape(len(docs), -1)
        self._cells[docs] = np.diff(begins).reshape(len(docs), -1)
        self.seen += np.bincount(cells, minlength=CELLS)

    @property
    def bounds(self) -> Array:
        """Return where the set of each field begins."""
        return np.concatenate([[0], np.cumsum(self._sets)])

    @property
    def begins(self) -> Array:
        """Return where the cells of each part of a thread begin."""
        return np.concatenate([[0], np.cumsum(self._cells)])


def write_arrays(
    folder: Path, facts: Facts, fields: Fields, rarity: Rarity | None, memory: int
) -> Facts:
    """Write the arrays of a segment beside its other files; without a rarity, its own is counted."""
    path = partial(file_of, folder, facts.number)
    segment = Segment(folder, facts)
    sums = Sums(segment.count, len(fields.settings.fields))
    kinds = ("values", "cells", "counts")
    with ThreadPoolExecutor(available_cores()) as pool, segment.texts.mapped.in_order():
        files = [path(kind).open("wb") for kind in kinds]
        parts = portions(segment.texts.all())
        for docs, (sets, cells) in ahead(pool, partial(taken_apart, fields), parts, available_cores()):
            for file, array in zip(files, (sets[0], *cells[:2]), strict=True):
                array.tofile(file)
            sums.add(docs, sets[1], cells[0], cells[2])
        for file in files:
            file.close()
    sums.bounds.tofile(path("bounds"))
    more = ["values", "bounds", *LISTS]
    if rarity is None:
        sums.seen.tofile(path(SEEN))
        more.append(SEEN)
        rarity = Rarity.of(sums.seen, int(np.count_nonzero(segment.texts.sizes)))

    def room(kind: str, dtype: str, size: int) -> Array:
        return np.asarray(mapped(path(kind), np.dtype(dtype), max(size, 1)))

    cells, counts = (read(path(kind), kind) for kind in kinds[1:])
    lists_of(cells, counts, sums.begins, sums.seen, rarity, room, memory)
    for kind in (*kinds[1:], WHOLE):
        path(kind).unlink()
    return replace(facts, sizes=facts.sizes | {kind: path(kind).stat().st_size for kind in more})


def read(path: Path, kind: str) -> Array:
    """Map what was written while lists are made."""
    dtype = np.dtype(np.uint32 if kind == "cells" else np.uint8)
    return np.asarray(np.memmap(path, dtype, "c")) if path.stat().st_size else np.empty(0, dtype)


def portions(texts: Iterable[tuple[int, bytes]]) -> Iterator[Portion]:
    """Cut threads into portions, each with their numbers."""
    for part in collected(texts, lambda _: 1, TOGETHER):
        docs, own = zip(*part, strict=True)
        yield np.array(docs), list(own)


def taken_apart(fields: Fields, portion: Portion) -> tuple[Array, Any]:
    """Return the sets and cells of some threads."""
    return portion[0], fields.apart(portion[1])


def of_segment(segment: Segment) -> Arrays:
    """Return the arrays of a segment where they lie in its files."""
    values, bounds = segment.array("values", "uint64"), segment.array("bounds", "int64")
    return Arrays(values, bounds, Lists(*(segment.array(name, kind) for name, kind in LISTS.items())))


def rarity_of(segment: Segment) -> Rarity:
    """Return how rare each cell was when the first segment was written."""
    return Rarity.of(segment.array(SEEN, "int64"), int(np.count_nonzero(segment.texts.sizes)))


class Parts:
    """The arrays of what there is: those of segments, and of what came since, in memory."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._making = threading.Lock()
        self._known: dict[int, Arrays] = {}
        self._rarity: tuple[int, Rarity] | None = None
        self._recent: tuple[Any, Arrays] | None = None
        self._first, self._made = -1, list[tuple[Array, Any]]()

    def of(self, view: View) -> tuple[Rarity, list[tuple[Any, Arrays]]]:
        """Return how rare cells are, and the arrays of each part of a view that has threads."""
        with self._making:
            *segments, recent = view.parts
            numbers = [segment.facts.number for segment in segments]
            self._known = {
                number: self._known.get(number) or of_segment(segment)
                for number, segment in zip(numbers, segments, strict=True)
            }
            if segments and (self._rarity is None or self._rarity[0] != numbers[0]):
                self._rarity = numbers[0], rarity_of(segments[0])
            parts = [(s, self._known[n]) for s, n in zip(segments, numbers, strict=True)]
            if recent.count:
                parts.append((recent, self._of_recent(recent, numbers[0] if numbers else -1)))
            return self._rarity[1] if self._rarity else Rarity.of(np.zeros(CELLS, np.int64), 0), parts

    def _of_recent(self, recent: Recent, first: int) -> Arrays:
        """Return the arrays of what is in no segment; only what is new is taken apart."""
        key = recent.first, recent.count, first
        if self._recent and self._recent[0] == key:
            return self._recent[1]
        done = int(self._made[-1][0][-1]) + 1 if self._made else 0
        if self._first != recent.first or done > recent.count:
            self._first, self._made, done = recent.first, [], 0
        self._made += [taken_apart(self._fields, part) for part in portions(recent.all(done))]
        sums = Sums(recent.count, len(self._fields.settings.fields))
        for docs, (sets, cells) in self._made:
            sums.add(docs, sets[1], cells[0], cells[2])
        if first < 0:
            self._rarity = first, Rarity.of(sums.seen, sum(len(docs) for docs, _ in self._made))
        values, cells, counts = (
            np.concatenate(columns)
            for columns in zip(*((s[0], c[0], c[1]) for _, (s, c) in self._made), strict=True)
        )

        def room(_: str, dtype: str, size: int) -> Array:
            return np.zeros(max(size, 1), dtype)

        rarity = self._rarity[1]  # type: ignore[index]
        lists = lists_of(cells, counts, sums.begins, sums.seen, rarity, room, ENDLESS)
        found = Arrays(values, sums.bounds, lists)
        for array in (*found[:2], *lists):
            array.setflags(write=False)  # as those of files are: kernels are compiled once
        self._recent = key, found
        return found


class ThreadWriter(Writer):
    """Writes an index of threads: its segments have arrays, and what is rare is counted now and then."""

    def _is_much(self, recent: int) -> bool:
        """Return whether what is in the manifest is worth a segment: in a small index, sooner."""
        return super()._is_much(recent) or 2 * recent >= max(self._manifest.state.base, 1)

    def _completed(self, facts: Facts, is_all: bool) -> Facts:
        """Write the arrays of a segment; how rare cells are is counted anew where it is all there is."""
        segments = [] if is_all else self._manifest.segments()
        rarity = rarity_of(Segment(self._folder, segments[0])) if segments else None
        memory = RunSettings.make().memory
        fields: Any = self._analysis
        return write_arrays(self._folder, facts, fields, rarity, memory)

    def _depends(self, group: Sequence[Facts]) -> bool:
        """Return whether a segment came meanwhile, weighed by the rarity that the group had before."""
        return len(self._manifest.segments()) > len(group)

    def _to_merge(self) -> list[Facts]:
        """Return the segments that should be one: the longest end of the list that outgrew the rest.

        So each segment is at least twice as large as all that come after it. The first one is written
        again only with all others: the rarity that it has is theirs.
        """
        with self.lock:
            segments = self._manifest.segments()
            deleted = np.array([row.doc for row in self._manifest.deleted()])
        counts = np.array([own.count for own in segments])
        after = np.cumsum(counts[::-1])[::-1] - counts
        for at in np.flatnonzero(counts < 2 * after).tolist():
            return segments[at:]
        for at, own in enumerate(segments):
            inside = (deleted >= own.first) & (deleted < own.first + own.count)
            if np.count_nonzero(inside) > SHARE_GONE * own.count:
                return segments if at == 0 else [own]
        return []
