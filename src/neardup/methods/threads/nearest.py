"""The threads nearest to a new one in what it says: suggestions, where no run of words need be the same.

A thread has two parts, its whole text and its title, and lists of what they are made of, weighed by how
rare that is (`kernels.nearest`). How near two threads are is a sum of two cosines. That proves nothing,
and nothing that is found so is called a duplicate.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.durable import mapped
from neardup.errors import StepError
from neardup.methods.threads.settings import ThreadSettings
from neardup.plan import Map, Sides
from neardup.readers.fields import column_of
from neardup.signatures.shingles import utf8
from neardup.steps.columns import from_lists, schema_of, to_lists
from neardup.text import unicode_table

SHARES = np.array([1.0, 0.2])  # of the whole text, and of the title, in a similarity of 1.2 at most
PARTS = len(SHARES)
MOST_READ = 1 << 21  # entries of lists that a question may cost: some 10 ms
MOST_SHARED = 8
TITLE = "title"
CELLS, COUNTS, WEIGHTS = "cells", "counts", "weights"  # files while an index is made
ARRAYS = {
    "near_postings": "uint32",
    "near_weights": "uint8",
    "near_starts": "int64",
    "near_rarity": "float64",
}
BYTES_A_POSTING = 5
USUAL, FEWEST = 8, 1000  # what one thread in eight has tells little, unless there are few threads
SCHEMA = schema_of("doc int64, cells [int64], size_0 size_1 int32")
Array = npt.NDArray[Any]


class Near(NamedTuple):
    """A thread near to the one asked for: its number, how near from 0 to 1, and words that both have."""

    number: int
    nearness: float
    words: list[str]


@dataclass(frozen=True)
class MakeCells:
    """Makes what threads are compared by from records: cells, and how often each occurs."""

    settings: ThreadSettings

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one row a record; a cell and its count share a number."""
        del sides
        texts = {name: batch[column_of(name, self.settings.fields)] for name in self.settings.fields}
        cells, counts, bounds = cells_of(texts)
        sizes = np.diff(bounds).reshape(-1, PARTS).astype(np.int32)
        lists = to_lists(cells.astype(np.uint64) << np.uint64(8) | counts, bounds[::PARTS])
        return pa.record_batch(
            [batch["doc"], lists, pa.array(sizes[:, 0]), pa.array(sizes[:, 1])], schema=SCHEMA
        )


def step(settings: ThreadSettings) -> Map:
    """Return the step that makes cells."""
    return Map(CELLS, "records", MakeCells(settings), SCHEMA)


def cells_of(fields: Mapping[str, pa.Array]) -> tuple[Array, Array, Array]:
    """Return the cells of threads, their counts, and where each part of each thread begins."""
    from neardup.kernels.nearest import count_cells_of

    texts = [text.cast(pa.large_string()) for text in fields.values()]
    bare = pc.is_null(pc.coalesce(*texts))  # records without any: Arrow would leave their rows out
    whole = pc.binary_join_element_wise(
        pc.if_else(bare, "", texts[0]),
        *texts[1:],
        pa.scalar("\n\n", pa.large_string()),
        null_handling="skip",
    )
    several = len(fields) > 1  # else the title is the whole
    title = fields.get(TITLE, texts[0]) if several else pa.nulls(len(whole))
    parts = pa.concat_arrays([whole, title.cast(pa.large_string())])
    in_turn = pa.array(np.arange(PARTS * len(whole)).reshape(PARTS, -1).T.ravel())
    turns = pc.fill_null(parts.take(in_turn), "")
    return count_cells_of(*utf8(turns), PARTS, True, unicode_table())  # type: ignore[no-any-return]


def write(batches: Any, docs: Array, work: Path, memory: int) -> None:
    """Write the lists of an index, for the threads whose documents are `docs`."""
    from neardup.kernels.nearest import CELLS as ALL

    bounds = [np.zeros(1, np.int64)]
    listed, known = 0, np.append(docs, -1)  # they ascend
    seen = np.zeros(ALL, np.int64)
    with (work / CELLS).open("wb") as out, (work / COUNTS).open("wb") as counted:
        for batch in batches:
            numbers = batch["doc"].to_numpy()
            kept = batch.filter(pa.array(known[np.searchsorted(docs, numbers)] == numbers))
            if not np.array_equal(kept["doc"], docs[listed : listed + len(kept)]):
                raise StepError("threads come in another order", where=CELLS)
            listed += len(kept)
            values, begins = from_lists(kept["cells"])
            own = values[begins[0] : begins[-1]]
            cells = (own >> 8).astype(np.uint32)
            seen += np.bincount(cells, minlength=ALL)
            cells.tofile(out)
            (own & 255).astype(np.uint8).tofile(counted)
            sizes = np.stack([kept["size_0"].to_numpy(), kept["size_1"].to_numpy()], axis=1).ravel()
            bounds.append(bounds[-1][-1] + np.cumsum(sizes, dtype=np.int64))
    whole = np.concatenate(bounds)
    rarity = np.log((1 + len(docs)) / (1 + seen)) + 1
    rarity.tofile(work / "near_rarity")
    telling = np.where(seen > max(len(docs) // USUAL, FEWEST), 0, seen)
    _write_lists(whole, np.concatenate([[0], np.cumsum(telling)]), rarity, work, memory)


def _write_lists(bounds: Array, starts: Array, rarity: Array, work: Path, memory: int) -> None:
    from neardup.kernels.nearest import fill_weights, weigh

    total, listed = int(bounds[-1]), int(starts[-1])
    starts.tofile(work / "near_starts")
    postings, there, weights = (
        np.asarray(mapped(work / name, np.dtype(kind), max(size, 1)))
        for name, kind, size in (
            ("near_postings", "uint32", listed),
            ("near_weights", "uint8", listed),
            (WEIGHTS, "uint16", total),
        )
    )
    cells, counts = (
        np.asarray(np.memmap(work / name, np.dtype(kind), "c")) if total else np.empty(0, np.dtype(kind))
        for name, kind in ((CELLS, "uint32"), (COUNTS, "uint8"))
    )
    weigh(cells, counts, bounds, SHARES, rarity, weights)
    ends = starts[1:].copy()
    step = max(len(ends) * memory // max(listed * BYTES_A_POSTING, 1), 1)
    for low in range(0, len(ends), step):
        fill_weights(cells, weights, bounds[::PARTS], starts, ends, low, low + step, postings, there)
    for name in (CELLS, COUNTS, WEIGHTS):
        (work / name).unlink()


class NearestThreads:
    """The lists of an index, mapped into memory; `ask` may be called by several Python threads."""

    def __init__(self, folder: Path) -> None:
        self._postings, self._weights, self._starts, self._rarity = (
            np.asarray(np.memmap(folder / name, np.dtype(kind), "c")) for name, kind in ARRAYS.items()
        )

    def ask(
        self, thread: Mapping[str, str | None], fields: list[str], top: int, sums: Array
    ) -> list[Near]:
        """Return the threads nearest to a new one, best first."""
        from neardup.kernels.nearest import nearest, weigh

        given = {name: pa.array([thread.get(name)], pa.large_string()) for name in fields}
        cells, counts, bounds = cells_of(given)
        weights = np.empty(len(cells), np.uint16)
        weigh(cells, counts, bounds, SHARES, self._rarity, weights)
        lists = (self._starts, self._postings, self._weights)
        numbers, values = nearest(cells, weights, *lists, top, MOST_READ, sums)
        best = SHARES[np.diff(bounds) > 0].sum()
        words, rare_cells = self._words(" ".join(filter(None, thread.values())))
        return [
            Near(number, min(float(value / best), 1.0), self._shared(number, words, rare_cells))
            for number, value in zip(numbers.tolist(), values.tolist(), strict=True)
            if number >= 0
        ]

    def _words(self, text: str) -> tuple[list[str], Array]:
        """Return the words of a text and their cells, rarest first."""
        from neardup.kernels.nearest import count_cells_of

        words = list(dict.fromkeys(re.findall(r"\w+", text.lower())))
        texts = utf8(pa.array(words, pa.large_string()))
        cells, _, bounds = count_cells_of(*texts, 1, False, unicode_table())
        single = np.flatnonzero(np.diff(bounds) == 1)  # of other scripts, a word may be several
        own = cells[bounds[single]]
        order = np.argsort(-self._rarity[own], kind="stable")
        return [words[n] for n in single[order]], own[order]

    def _shared(self, number: int, words: list[str], cells: Array) -> list[str]:
        """Return the rarest words that a thread of the index has, too."""
        from neardup.kernels.nearest import having

        found = np.flatnonzero(having(cells, self._starts, self._postings, number))
        return [words[n] for n in found[:MOST_SHARED]]
