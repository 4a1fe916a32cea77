"""Verification of candidate pairs of pages, by one of three measures, and where they match."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.arrays import Array, Hashes
from neardup.methods.pages.settings import PageSettings, PageUnit
from neardup.methods.pages.tlcs import SHORT, Comparison, Page, compare
from neardup.methods.pages.units import PROSE
from neardup.plan import Map, Sides
from neardup.steps.columns import Lookup, from_lists, schema_of

STOPPED, BELOW, REACHED = range(3)  # what became of a candidate
UNITS_OF_PROSE: Mapping[PageUnit, int] = {"word": PROSE, "character": 5 * PROSE}
FAR = 50  # words between two matching ones that are shown as two passages
VERIFIED = schema_of("a b says int64, similarity containment_a containment_b float64, passages [int64]")
PLACE = ("start_a", "end_a", "start_b", "end_b", "sentences", "words", "both")
FOUND = schema_of(f"a b {' '.join(PLACE)} int64")
FACTS = ("fact_places", "fact_words")
LOOKED_UP = ("words", "starts", "ends", "sentences", *FACTS, "site_key", "bare", "plain")


def verified(settings: PageSettings) -> Map:
    """Return the step that measures each candidate pair; simhash needs no words for that."""
    if settings.measure == "simhash":
        return Map("verified", "candidates", partial(take_near, settings), VERIFIED)
    return Map(
        "verified",
        "candidates",
        Compare(settings),
        VERIFIED,
        lookup="pages",
        lookup_columns=LOOKED_UP,
        lookup_keys=("a", "b"),
        task_rows=1024,
    )


def take_near(settings: PageSettings, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Measure each candidate pair by the bits in which its values differ."""
    values = 1 - batch["apart"].to_numpy() / settings.bits
    says = np.where(values >= settings.threshold, REACHED, BELOW)
    columns = [batch["a"], batch["b"], says, values, values, values, [[]] * len(values)]
    return pa.RecordBatch.from_arrays(columns, schema=VERIFIED)


@dataclass(frozen=True)
class Compare:
    """Measure each candidate pair by the words of its pages."""

    settings: PageSettings

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one row a candidate."""
        rows = [row for part in slices(batch) for row in self._rows(part, sides["lookup"])]
        columns = [*zip(*rows, strict=True)] if rows else [()] * len(VERIFIED)
        return pa.RecordBatch.from_arrays(columns, schema=VERIFIED)

    def _rows(self, batch: pa.RecordBatch, lookup: Lookup) -> Iterator[tuple[Any, ...]]:
        a, b = batch["a"].to_numpy(), batch["b"].to_numpy()
        docs = np.unique(np.concatenate([a, b]))
        found = pages_of(lookup.take(pa.array(docs)), self.settings.unit)
        pages = dict(zip(docs.tolist(), found, strict=True))
        for one, other in zip(a.tolist(), b.tolist(), strict=True):
            yield (one, other, *self._measured(pages[one], pages[other]))

    def _measured(self, a: tuple[Page, Array], b: tuple[Page, Array]) -> tuple[Any, ...]:
        if self.settings.measure == "tlcs":
            return common(compare(a[0], b[0], self.settings), a, b)
        value = cosine(a[0].words, b[0].words)
        return (REACHED if value >= self.settings.threshold else BELOW, value, value, value, [])


def slices(batch: pa.RecordBatch, rows: int = 256) -> Iterator[pa.RecordBatch]:
    """Cut a batch so that the pages of a slice fit into bounded memory."""
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)


def pages_of(rows: pa.RecordBatch, unit: PageUnit) -> Iterator[tuple[Page, Array]]:
    """Yield the words of each page and where its sentences begin."""
    from neardup.kernels.filtered_sketches import in_prose

    (hashes, bounds), (starts, _), (ends, _) = (from_lists(rows[n]) for n in ("words", "starts", "ends"))
    sentences, sentence_bounds = from_lists(rows["sentences"])
    prose = in_prose(starts, bounds, sentences, sentence_bounds, UNITS_OF_PROSE[unit])
    words, sizes = hashes.view(np.uint64), (ends - starts).astype(np.int64)
    weights = np.where(prose, 1.0, SHORT)
    facts, fact_bounds = kept_facts(rows, starts, bounds)
    told = [rows[name].to_pylist() for name in ("site_key", "bare", "plain")]
    for page in range(rows.num_rows):
        own = slice(bounds[page], bounds[page + 1])
        begins = sentences[sentence_bounds[page] : sentence_bounds[page + 1]]
        site, bare, plain = (values[page] for values in told)
        known = site, bare, facts[fact_bounds[page] : fact_bounds[page + 1]], plain
        yield Page(words[own], starts[own], ends[own], sizes[own], weights[own], *known), begins


def kept_facts(rows: pa.RecordBatch, starts: Array, bounds: Array) -> tuple[Array, Array]:
    """Return the facts among the words that are left of pages, and where those of each begin."""
    (places, fact_bounds), (facts, _) = (from_lists(rows[name]) for name in FACTS)
    told, there = (
        np.repeat(np.arange(len(cuts) - 1) << 32, np.diff(cuts)) + at[cuts[0] : cuts[-1]]
        for cuts, at in ((fact_bounds, places), (bounds, starts))
    )
    is_kept = np.searchsorted(there, told, "right") > np.searchsorted(there, told)
    kept_before = np.concatenate([[0], np.cumsum(is_kept)])
    return facts[fact_bounds[0] : fact_bounds[-1]][is_kept], kept_before[fact_bounds - fact_bounds[0]]


def common(both: Comparison, a: tuple[Page, Array], b: tuple[Page, Array]) -> tuple[Any, ...]:
    """Return what became of a candidate, its measures, and its passages."""
    from neardup.kernels.regions import passages_of

    if both.stopped:
        return (STOPPED, 0.0, 0.0, 0.0, [])
    chars = both.common
    in_a, in_b = chars / max(both.chars_a, 1), chars / max(both.chars_b, 1)
    if not both.is_pair:
        return (BELOW, both.resemblance, in_a, in_b, [])
    (page_a, sentences), (page_b, _) = a, b
    texts = page_a.starts, page_a.ends, sentences, page_b.starts, page_b.ends
    places = passages_of(*both.regions, *texts, FAR)
    return (REACHED, both.resemblance, in_a, in_b, places.ravel())


def cosine(words_a: Hashes, words_b: Hashes) -> float:
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


def list_passages(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """List the passages of each pair, a row each."""
    values, bounds = from_lists(batch["passages"])
    rows = values[bounds[0] : bounds[-1]].reshape(-1, len(PLACE))
    counts = np.diff(bounds) // len(PLACE)
    pairs = (np.repeat(batch[name].to_numpy(), counts) for name in ("a", "b"))
    return pa.RecordBatch.from_arrays([*pairs, *np.ascontiguousarray(rows.T)], schema=FOUND)
