"""Verification: what the candidates have in common is counted on their whole sets."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Array, Floats, Integers
from neardup.methods.documents.settings import Measure
from neardup.plan import Sides
from neardup.steps.columns import Lookup, from_lists, schema_of
from neardup.steps.rejected import OUT_OF_REACH, REACH, worth_keeping
from neardup.steps.rounding import least_count

VERIFIED = schema_of("a b int64, similarity containment_a containment_b float64")
COMPARED = VERIFIED.append(pa.field("holds", pa.bool_()))
PAIR = ("a", "b", "size_a", "size_b")  # of a candidate
SLICE_SHINGLES = 1 << 20  # shingles that are held at once
MANY = 4  # so often is a set in a pair, on average, that a table of who has a shingle is cheaper


def needed(measure: Measure, threshold: float, size_a: Integers, size_b: Integers) -> Integers:
    """Return how many common shingles a pair must have; rounding can only make it fewer."""
    if measure == "containment":
        least = threshold * np.minimum(size_a, size_b).astype(np.float64)
    else:
        least = threshold / (1 + threshold) * (size_a + size_b).astype(np.float64)
    return least_count(least)


def verify(measure: Measure, threshold: float, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Count common shingles, exactly, and keep the pairs that reach the threshold, or nearly.

    Returns their similarity and both containments, and which of them hold.
    """
    from neardup.kernels.shared_values import slices_by_sets

    batch = batch.filter(pc.is_null(batch["left_out"]))  # others say what was not compared
    if not batch.num_rows:
        return pa.RecordBatch.from_pylist([], schema=COMPARED)
    a, b, size_a, size_b = (batch[name].to_numpy() for name in PAIR)
    numbers = np.unique(np.concatenate([a, b]), return_inverse=True)[1]
    cuts = slices_by_sets(numbers[: len(a)], numbers[len(a) :], size_a, size_b, SLICE_SHINGLES)
    parts = [batch.slice(begin, end - begin) for begin, end in pairwise(cuts.tolist())]
    return pa.concat_batches([verified(measure, threshold, part, sides["lookup"]) for part in parts])


def verified(
    measure: Measure, threshold: float, batch: pa.RecordBatch, lookup: Lookup
) -> pa.RecordBatch:
    """Do so for pairs of which all sets fit into memory."""
    a, b, size_a, size_b = (batch[name].to_numpy() for name in PAIR)
    docs = np.unique(np.concatenate([a, b]))
    values, bounds = from_lists(lookup.take(pa.array(docs))["shingles"])
    least = needed(measure, max(threshold - REACH, 0), size_a, size_b)
    left, right = np.searchsorted(docs, a), np.searchsorted(docs, b)
    pairs = compared(values, bounds, left, right, least, (size_a, size_b))
    similarity = pairs.of(measure)
    similarity[pairs.common <= 0] = OUT_OF_REACH
    kept, holds = worth_keeping(a, b, similarity, threshold)
    columns = [column[kept] for column in (a, b, similarity, pairs.in_a, pairs.in_b)]
    return pa.RecordBatch.from_arrays([*columns, holds], schema=COMPARED)


class Compared(NamedTuple):
    """Pairs of sets: how many values they have in common, and what share of each that is."""

    common: Integers
    resemblance: Floats
    in_a: Floats
    in_b: Floats

    def of(self, measure: Measure) -> Floats:
        """Return how similar the pairs are by a measure."""
        if measure == "containment":
            return np.maximum(self.in_a, self.in_b)
        return self.resemblance


def compared(
    values: Array,
    bounds: Array,
    left: Integers,
    right: Integers,
    least: Integers,
    whole: tuple[Integers, Integers] | None = None,
) -> Compared:
    """Compare the sets left[p] and right[p]; a pair with fewer than least[p] common values has -1.

    They may be less than what was there: `whole` are the sizes of that.
    """
    from neardup.kernels.overlap import overlaps
    from neardup.kernels.shared_values import overlaps_of_many

    sizes = np.diff(bounds)
    many = sizes[right].sum() > MANY * sizes.sum()
    common = (overlaps_of_many if many else overlaps)(values, bounds, left, right, least)
    sizes = np.maximum(sizes, 1)  # a text that was just removed is empty
    size_a, size_b = whole or (sizes[left], sizes[right])
    return Compared(common, common / (size_a + size_b - common), common / size_a, common / size_b)
