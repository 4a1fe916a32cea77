"""Runs of matching sentences: pairs of sentences verified, diagonals found, passages located."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from neardup.arrays import Array
from neardup.methods.passages.tables import BOILERPLATE, FOUND
from neardup.plan import Sides
from neardup.steps.columns import Lookup, from_lists, list_column, schema_of
from neardup.steps.rounding import least_count

SLICE_WORDS = 1 << 20  # words that are held at once

MATCHES = schema_of("a b int64, sentence_a sentence_b int32, similarity float64")
RUNS = schema_of("a b int64, first_a last_a first_b last_b int32, sentences words int64")


def sentence_bounds(words: Array, firsts: Array, texts: Array) -> Array:
    """Return where each sentence begins in the words of all texts, and where the last ends.

    `words` and `texts` say where the words and the sentences of each text begin.
    """
    begins = firsts[texts[0] : texts[-1]] + np.repeat(words[:-1], np.diff(texts))
    return np.append(begins, words[-1])


def sets_of(batch: pa.RecordBatch) -> tuple[Array, Array, Array, Array]:
    """Return all signatures, the sizes of the sets, the first set of each text, and where sets begin."""
    values, begins = from_lists(batch["signatures"])
    sizes, documents = from_lists(batch["sizes"])
    sizes = sizes[documents[0] : documents[-1]].astype(np.int64)
    bounds = begins[0] + np.concatenate([[0], np.cumsum(sizes)])
    return values, sizes, documents - documents[0], bounds


@dataclass(frozen=True)
class Matching:
    """Keeps the pairs of sentences whose sets have a Jaccard coefficient of at least the threshold.

    Most pairs have the same set, which their digests say. Documents that share fewer than `least` pairs
    of sentences are left out at once.
    """

    threshold: float
    least: int = 1

    def cells(self, batch: pa.RecordBatch, lookup: Lookup) -> Iterator[tuple[pa.RecordBatch, Array]]:
        """Yield pairs that hold with their similarities, all of two documents at once, sorted."""
        columns = ("sentence_b", "sentence_a", "b", "a")
        order = np.lexsort([batch[name].to_numpy() for name in columns])
        batch = batch.take(pa.array(order))
        batch = batch.filter(pa.array(pair_sizes(batch) >= self.least))
        for part in slices(batch):
            similarity = np.ones(part.num_rows)
            different = part["same"].to_numpy() == 0
            if different.any():
                checked = part.filter(pa.array(different))
                similarity[different] = similarities(checked, lookup, self.threshold)
            holds = similarity >= self.threshold
            yield part.filter(pa.array(holds)), similarity[holds]

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return the pairs that hold, with their similarities."""
        names = MATCHES.names[:-1]
        parts = [
            pa.RecordBatch.from_arrays([*part.select(names).columns, alike], schema=MATCHES)
            for part, alike in self.cells(batch, sides["lookup"])
        ]
        return pa.concat_batches(parts) if parts else pa.RecordBatch.from_pylist([], schema=MATCHES)


def similarities(batch: pa.RecordBatch, lookup: Lookup, threshold: float) -> Array:
    """Return the Jaccard coefficients of pairs of sentences; -1 where the threshold is out of reach."""
    from neardup.kernels.overlap import overlaps

    a, b = batch["a"].to_numpy(), batch["b"].to_numpy()
    docs = np.unique(np.concatenate([a, b]))
    values, sizes, documents, bounds = sets_of(lookup.take(pa.array(docs)))
    left = documents[np.searchsorted(docs, a)] + batch["sentence_a"].to_numpy()
    right = documents[np.searchsorted(docs, b)] + batch["sentence_b"].to_numpy()
    total = sizes[left] + sizes[right]
    needed = least_count(threshold / (1 + threshold) * total)
    order = np.lexsort((right, left))
    common = np.empty(len(left), np.int64)
    common[order] = overlaps(values, bounds, left[order], right[order], needed[order])
    return np.where(common < 0, -1.0, common / (total - common))


def pair_starts(batch: pa.RecordBatch) -> Array:
    """Return where each pair of documents begins in sorted rows."""
    a, b = batch["a"].to_numpy(), batch["b"].to_numpy()
    changed = (np.diff(a) != 0) | (np.diff(b) != 0)
    return np.flatnonzero(np.append(True, changed)[: len(a)])


def pair_sizes(batch: pa.RecordBatch) -> Array:
    """Return for each of the sorted rows how many rows its pair of documents has."""
    sizes = np.diff(np.append(pair_starts(batch), batch.num_rows))
    return np.repeat(sizes, sizes)


def slices(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Cut sorted rows between pairs of documents, so that the documents of a slice fit into memory."""
    starts = pair_starts(batch)
    number = np.cumsum(batch["words"].to_numpy()[starts]) // SLICE_WORDS
    cuts = starts[np.flatnonzero(np.diff(number, prepend=-1))]
    for start, end in pairwise([*cuts, batch.num_rows]):
        yield batch.slice(start, end - start)


@dataclass(frozen=True)
class FindRuns:
    """Finds the diagonals of the matrix of matching sentences, for each pair of documents."""

    matching: Matching
    gap: int
    least: int

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one row a run, by the numbers of its sentences."""
        parts = [self._runs(part) for part, _ in self.matching.cells(batch, sides["lookup"])]
        return pa.concat_batches(parts) if parts else pa.RecordBatch.from_pylist([], schema=RUNS)

    def _runs(self, cells: pa.RecordBatch) -> pa.RecordBatch:
        from neardup.kernels.diagonals import diagonals

        starts = pair_starts(cells)
        a, b = cells["a"].to_numpy(), cells["b"].to_numpy()
        rows, columns = cells["place_a"].to_numpy(), cells["place_b"].to_numpy()
        bounds = np.append(starts, len(a))
        runs = diagonals(rows, columns, bounds, (a == b)[starts], self.gap, self.least)
        first, last = pa.array(runs[:, 0]), pa.array(runs[:, 1])
        columns_found = [
            cells["a"].take(first),
            cells["b"].take(first),
            cells["sentence_a"].take(first),
            cells["sentence_a"].take(last),
            cells["sentence_b"].take(first),
            cells["sentence_b"].take(last),
            pa.array(runs[:, 2]),
            cells["words"].take(first),
        ]
        return pa.RecordBatch.from_arrays(columns_found, schema=RUNS)


@dataclass(frozen=True)
class Locate:
    """Finds the characters of each run, and counts the words that its two sides have in common."""

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one passage a run."""
        parts = [self._locate(part, sides["lookup"]) for part in slices(batch)]
        return pa.concat_batches(parts) if parts else pa.RecordBatch.from_pylist([], schema=FOUND)

    def _locate(self, runs: pa.RecordBatch, lookup: Lookup) -> pa.RecordBatch:
        from neardup.kernels.diagonals import compared_spans

        a, b = runs["a"].to_numpy(), runs["b"].to_numpy()
        docs = np.unique(np.concatenate([a, b]))
        texts = lookup.take(pa.array(docs))
        words, bounds = from_lists(texts["words"])
        begins, ends = (from_lists(texts[name])[0] for name in ("starts", "ends"))
        firsts, numbers = from_lists(texts["sentences"])
        sentences = sentence_bounds(bounds, firsts, numbers)
        spans = []
        for side, doc in (("a", a), ("b", b)):
            first = numbers[np.searchsorted(docs, doc)] - numbers[0]
            spans.append(sentences[first + runs[f"first_{side}"].to_numpy()])
            spans.append(sentences[first + runs[f"last_{side}"].to_numpy() + 1])
        common, same, *matched = compared_spans(words.view(np.uint64), *spans)
        size = spans[1] - spans[0] + spans[3] - spans[2]
        columns = [
            *(a, b, begins[spans[0]], ends[spans[1] - 1], begins[spans[2]], ends[spans[3] - 1]),
            runs["sentences"],
            2 * common / size,
            common,
            same,
            np.zeros(len(same), np.bool_),
            *(
                list_column(
                    runs - np.repeat(bounds[np.searchsorted(docs, doc)], np.diff(starts)), starts
                )
                for doc, runs, starts in ((a, *matched[:2]), (b, *matched[2:]))
            ),
            np.zeros(len(same), np.bool_),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=FOUND)


@dataclass(frozen=True)
class LocateRepeated:
    """Finds the characters of runs of sentences that very many documents share."""

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one passage a run (doc, first sentence, last sentence, documents)."""
        if not batch.num_rows:
            return pa.RecordBatch.from_pylist([], schema=BOILERPLATE)
        doc, first, last, documents = (column.to_numpy() for column in batch.columns)
        docs = np.unique(doc)
        texts = sides["lookup"].take(pa.array(docs))
        (begins, bounds), (ends, _) = from_lists(texts["starts"]), from_lists(texts["ends"])
        firsts, numbers = from_lists(texts["sentences"])
        sentences = sentence_bounds(bounds, firsts, numbers)
        own = numbers[np.searchsorted(docs, doc)] - numbers[0]
        start_at, end_at = begins[sentences[own + first]], ends[sentences[own + last + 1] - 1]
        columns = [doc, start_at, end_at, documents]
        return pa.RecordBatch.from_arrays(columns, schema=BOILERPLATE)
