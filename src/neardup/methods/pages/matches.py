"""Verification of candidate pairs of pages, by one of three measures, and where they match."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.methods.pages.settings import PageSettings, PageUnit
from neardup.methods.pages.tlcs import Comparison, Page, Region, compare
from neardup.methods.pages.units import PROSE
from neardup.steps.columns import from_lists, schema_of

STOPPED, BELOW, REACHED = range(3)  # what became of a candidate
UNITS_OF_PROSE: Mapping[PageUnit, int] = {"word": PROSE, "character": 5 * PROSE}
FAR = 50  # words between two matching ones that are shown as two passages
VERIFIED = schema_of("a b says int64, similarity containment_a containment_b float64, passages [int64]")
PLACE = ("start_a", "end_a", "start_b", "end_b", "sentences", "words", "both")
FOUND = schema_of(f"a b {' '.join(PLACE)} int64")
FACTS = ("fact_places", "fact_words")
LOOKED_UP = ("words", "starts", "ends", "sentences", *FACTS, "site_key", "bare")


@dataclass(frozen=True)
class Compare:
    """Measures each candidate pair."""

    settings: PageSettings

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one row a candidate."""
        rows = [row for part in slices(batch) for row in self._rows(part, sides["lookup"])]
        columns = zip(*rows, strict=True) if rows else [[] for _ in VERIFIED]
        arrays = [pa.array(c, f.type) for c, f in zip(columns, VERIFIED, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=VERIFIED)

    def _rows(self, batch: pa.RecordBatch, lookup: Any) -> Iterator[tuple[Any, ...]]:
        a, b = batch["a"].to_numpy(), batch["b"].to_numpy()
        docs = np.unique(np.concatenate([a, b]))
        found = pages_of(lookup.take(pa.array(docs)), self.settings.unit)
        pages = dict(zip(docs.tolist(), found, strict=True))
        for one, other, apart in zip(a.tolist(), b.tolist(), batch["apart"].to_pylist(), strict=True):
            yield (one, other, *self._measured(pages[one], pages[other], apart))

    def _measured(self, a: tuple[Page, Any], b: tuple[Page, Any], apart: int) -> tuple[Any, ...]:
        if self.settings.measure == "tlcs":
            return common(compare(a[0], b[0], self.settings), a, b)
        if self.settings.measure == "simhash":
            value = 1 - apart / self.settings.bits
        else:
            value = cosine(a[0].words, b[0].words)
        return (REACHED if value >= self.settings.threshold else BELOW, value, value, value, [])


def slices(batch: pa.RecordBatch, rows: int = 256) -> Iterator[pa.RecordBatch]:
    """Cut a batch so that the pages of a slice fit into bounded memory."""
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)


def pages_of(rows: pa.RecordBatch, unit: PageUnit) -> Iterator[tuple[Page, Any]]:
    """Yield the words of each page and where its sentences begin."""
    from neardup.kernels.regions import in_prose

    (hashes, bounds), (starts, _), (ends, _) = (from_lists(rows[n]) for n in ("words", "starts", "ends"))
    sentences, sentence_bounds = from_lists(rows["sentences"])
    (places, fact_bounds), (facts, _) = (from_lists(rows[name]) for name in FACTS)
    words = hashes.view(np.uint64)
    sites, bare = rows["site_key"].to_pylist(), rows["bare"].to_pylist()
    for page in range(rows.num_rows):
        own = slice(bounds[page], bounds[page + 1])
        begins = sentences[sentence_bounds[page] : sentence_bounds[page + 1]]
        prose = in_prose(starts[own], begins, UNITS_OF_PROSE[unit])
        told = slice(fact_bounds[page], fact_bounds[page + 1])
        kept = facts[told][np.isin(places[told], starts[own], assume_unique=True)]
        yield Page(words[own], starts[own], ends[own], sites[page], bare[page], prose, kept), begins


def common(both: Comparison, a: tuple[Page, Any], b: tuple[Page, Any]) -> tuple[Any, ...]:
    """Return what became of a candidate, its measures, and its passages."""
    if both.stopped:
        return (STOPPED, 0.0, 0.0, 0.0, [])
    chars = both.common
    in_a, in_b = chars / max(both.chars_a, 1), chars / max(both.chars_b, 1)
    pair = both.is_pair
    places = [p for region in both.regions for p in passages(region, a, b)] if pair else []
    return (REACHED if pair else BELOW, both.resemblance, in_a, in_b, [n for p in places for n in p])


def passages(region: Region, a: tuple[Page, Any], b: tuple[Page, Any]) -> Iterator[tuple[int, ...]]:
    """Yield where a region is in both texts; one with a large gap is more than one passage."""
    (page_a, sentences), (page_b, _) = a, b
    gaps = (np.diff(region.matched_a) > FAR) | (np.diff(region.matched_b) > FAR)
    cuts = [0, *(np.flatnonzero(gaps) + 1).tolist(), len(region.matched_a)]
    for begin, end in pairwise(cuts):
        own_a, own_b = region.matched_a[begin:end], region.matched_b[begin:end]
        start, stop = int(page_a.starts[own_a[0]]), int(page_a.ends[own_a[-1]])
        inside = np.searchsorted(sentences, stop) - np.searchsorted(sentences, start)
        both = own_a[-1] - own_a[0] + own_b[-1] - own_b[0] + 2
        start_b, stop_b = int(page_b.starts[own_b[0]]), int(page_b.ends[own_b[-1]])
        yield (start, stop, start_b, stop_b, max(int(inside), 1), end - begin, int(both))


def cosine(words_a: Any, words_b: Any) -> float:
    """Return the cosine of two bags of words, each word weighing as often as it occurs.

    >>> cosine(np.array([1, 1, 2]), np.array([1, 2, 2]))
    0.8
    """
    known_a, counts_a = np.unique(words_a, return_counts=True)
    known_b, counts_b = np.unique(words_b, return_counts=True)
    _, at_a, at_b = np.intersect1d(known_a, known_b, assume_unique=True, return_indices=True)
    both = float(counts_a[at_a] @ counts_b[at_b])
    lengths = float(counts_a @ counts_a) * float(counts_b @ counts_b)
    return both / lengths**0.5 if lengths else 0.0


@dataclass(frozen=True)
class Locate:
    """Lists the passages of each pair."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one row a passage."""
        del sides
        values, bounds = from_lists(batch["passages"])
        rows = values[bounds[0] : bounds[-1]].reshape(-1, len(PLACE))
        counts = np.diff(bounds) // len(PLACE)
        pairs = (np.repeat(batch[name].to_numpy(), counts) for name in ("a", "b"))
        return pa.RecordBatch.from_arrays(
            [pa.array(c) for c in (*pairs, *np.ascontiguousarray(rows.T))], schema=FOUND
        )
