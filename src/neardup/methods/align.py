"""Alignment: the passages that two texts share, found on their words and located in characters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.methods.passage_tables import FOUND
from neardup.methods.proposals import Winnowing
from neardup.methods.texts import list_column
from neardup.methods.units import from_lists
from neardup.methods.verify import slices
from neardup.signatures.sentences import WordCounts

TEXT = ("words", "starts", "ends", "sentences")
HITS = pa.schema(
    [
        ("a", pa.int64()),
        ("b", pa.int64()),
        ("size_a", pa.int64()),
        ("size_b", pa.int64()),
        ("hits_a", pa.list_(pa.int32())),
        ("hits_b", pa.list_(pa.int32())),
    ]
)
BOILERPLATE = pa.schema(
    [("doc", pa.int64()), ("start_at", pa.int64()), ("end_at", pa.int64()), ("documents", pa.int64())]
)
LEAST_HITS = 3
REACH = 100  # words


class CountedWords(WordCounts):
    """How often each word occurs, and the number of sentences: the state of a Fold."""

    def __init__(self) -> None:
        super().__init__(once=False)
        self.sentences = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Count the words and sentences of some texts."""
        words, bounds = from_lists(batch["words"])
        self.take(words.view(np.uint64), bounds)
        self.sentences += int(np.diff(batch["sentences"].offsets.to_numpy()).sum())

    def merge(self, other: Any) -> None:
        """Add the counts of other texts."""
        super().merge(other)
        self.sentences += other.sentences


class Group(NamedTuple):
    """Some pairs whose left documents are in one batch of a table, and the right ones in another."""

    pairs: npt.NDArray[np.int64]
    left: int
    left_rows: npt.NDArray[np.int64]
    right: int
    right_rows: npt.NDArray[np.int64]


def groups_of(batch: pa.RecordBatch, lookup: Any) -> Iterator[Group]:
    """Group pairs (a, b) by where their documents are, so that none need be copied."""
    left, left_rows = lookup.find(batch["a"].to_numpy())
    right, right_rows = lookup.find(batch["b"].to_numpy())
    order = np.lexsort((right, left))
    changes = (np.diff(left[order]) != 0) | (np.diff(right[order]) != 0)
    for pairs in np.split(order, np.flatnonzero(changes) + 1):
        if len(pairs):
            yield Group(
                pairs, int(left[pairs[0]]), left_rows[pairs], int(right[pairs[0]]), right_rows[pairs]
            )
    for number in np.union1d(left, right).tolist():
        lookup.give_back(number)


@dataclass(frozen=True)
class FindHits:
    """Finds the places where two documents have the same run of words of the index.

    Hits that do not lie together say nothing: a pair without others is left out.
    """

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the pairs that have hits, with their places."""
        rows, left, right = rows_of_pairs(batch, sides["lookup"])
        (keys, bounds), (places, _) = from_lists(rows["keys"]), from_lists(rows["places"])
        return found_hits(batch, (keys, places, bounds), left, right, LEAST_HITS, REACH)


@dataclass(frozen=True)
class FindAllHits:
    """Finds all places where two documents, which the user listed, have the same run of words."""

    winnowing: Winnowing

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the pairs that have hits, with their places."""
        return pa.concat_batches([self._find(part, sides["lookup"]) for part in slices(batch)])

    def _find(self, batch: pa.RecordBatch, lookup: Any) -> pa.RecordBatch:
        rows, left, right = rows_of_pairs(batch, lookup)
        keys, places, bounds = self.winnowing.runs(rows)
        return found_hits(batch, (keys.view(np.int64), places, bounds), left, right, 1, 0)


def rows_of_pairs(batch: pa.RecordBatch, lookup: Any) -> tuple[pa.RecordBatch, Any, Any]:
    """Return the rows of all documents of some pairs, and which of them each pair's two are."""
    a, b = batch["a"].to_numpy(), batch["b"].to_numpy()
    docs = np.unique(np.concatenate([a, b]))
    if not len(docs):
        return lookup.batch(0).slice(0, 0), a, b
    return lookup.take(pa.array(docs)), np.searchsorted(docs, a), np.searchsorted(docs, b)


def found_hits(
    pairs: pa.RecordBatch, runs: Any, left: Any, right: Any, least: int, reach: int
) -> pa.RecordBatch:
    """Return the pairs that have hits, with their hits."""
    from neardup.kernels.hits import hits_of_pairs

    hits_a, hits_b, bounds = hits_of_pairs(runs, left, right, least, reach)
    columns = [*pairs.columns, list_column(hits_a, bounds), list_column(hits_b, bounds)]
    return pa.RecordBatch.from_arrays(columns, schema=HITS).filter(pa.array(np.diff(bounds) > 0))


@dataclass(frozen=True)
class Align:
    """Finds the passages of each pair of documents."""

    winnowing: Winnowing
    least_length: int
    least_sentences: int
    gap: int
    soft: bool

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the passages of the pairs (a, b)."""
        counted = sides["words"].table, sides["words"].sentences
        parts = [
            self._align(batch, group, sides["lookup"], counted)
            for group in groups_of(batch, sides["lookup"])
        ]
        return pa.concat_batches(parts) if parts else pa.RecordBatch.from_pylist([], schema=FOUND)

    def _align(self, batch: pa.RecordBatch, group: Group, lookup: Any, counted: Any) -> pa.RecordBatch:
        from neardup.kernels.passages import Options, locate_pairs

        options = Options(self.winnowing.width, self.least_length, gap=self.gap, soft=self.soft)
        (hits_a, bounds), (hits_b, _) = (from_lists(batch[name]) for name in ("hits_a", "hits_b"))
        found, ends = locate_pairs(
            text_columns(lookup.batch(group.left)),
            group.left_rows,
            text_columns(lookup.batch(group.right)),
            group.right_rows,
            (hits_a, hits_b, bounds[group.pairs], bounds[group.pairs + 1]),
            group.left == group.right,
            options,
            counted,
        )
        pairs = np.repeat(group.pairs, np.diff(ends))
        long = found[:, 4] >= self.least_sentences
        return self._rows(found[long], batch.select(["a", "b"]).take(pa.array(pairs[long])))

    def _rows(self, rows: npt.NDArray[np.int64], pairs: pa.RecordBatch) -> pa.RecordBatch:
        *places, sentences, words, both = rows.T
        similarity = 2 * words / np.maximum(both, 1)
        columns = [*places, sentences, similarity, words]
        return pa.RecordBatch.from_arrays([*pairs.columns, *map(pa.array, columns)], schema=FOUND)


def text_columns(batch: pa.RecordBatch) -> tuple[Any, ...]:
    """Return the columns of some texts as the kernels take them."""
    return tuple(from_lists(batch[name]) for name in TEXT)


@dataclass(frozen=True)
class ShowBoilerplate:
    """Locates, in the first document of each, the passages that very many documents share."""

    winnowing: Winnowing
    least_length: int

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the passages of boilerplate that these texts are the first to have."""
        rows = list(self._rows(batch, *sides["boilerplate_keys"].arrays()))
        columns = zip(*rows, strict=True) if rows else [[]] * len(BOILERPLATE)
        return pa.RecordBatch.from_arrays([pa.array(c, pa.int64()) for c in columns], schema=BOILERPLATE)

    def _rows(
        self,
        batch: pa.RecordBatch,
        keys: npt.NDArray[np.uint64],
        counts: npt.NDArray[np.int64],
        first: npt.NDArray[np.int64],
    ) -> Iterator[tuple[int, ...]]:
        from neardup.kernels.passages import boilerplate_of

        (words, bounds), (starts, _), (ends, _) = (from_lists(batch[name]) for name in TEXT[:3])
        for number, doc in enumerate(batch["doc"].to_pylist()):
            own = slice(bounds[number], bounds[number + 1])
            text = words[own].view(np.uint64), starts[own], ends[own]
            new = first == doc
            found = boilerplate_of(*text, keys[new], counts[new], self.least_length, *self.winnowing)
            yield from ((doc, *row) for row in found.tolist())
