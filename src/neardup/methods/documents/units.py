"""From records to units: each document's set of shingles, with all that is known about it."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.plan import Sides
from neardup.signatures.shingles import Shingles
from neardup.steps.columns import NO_WORDS, carrying, schema_of, to_lists, with_carried
from neardup.steps.exclusions import ONLY_EXCLUDED, SPANS, Excluding, cut, split_words
from neardup.text.masks import masked

UNITS = schema_of("doc size digest int64, shingles [int64], length int64")


def units_schema(records: pa.Schema, *own: pa.Field) -> pa.Schema:
    """Return the schema of units for these records, with more columns; those of users have numbers.

    So that no user's column name, whatever it holds, gets into SQL.
    """
    return with_carried(pa.schema([*UNITS, *own]), records)


@dataclass(frozen=True)
class MakeUnits:
    """Shingles each record's text; a text without words becomes a problem."""

    shingles: Shingles
    schema: pa.Schema
    excluding: Excluding | None = None
    masks: tuple[str, ...] = ()

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one unit a record."""
        from neardup.kernels.hashing import BASE

        texts, more = batch["text"], dict[str, pa.Array]()
        if self.excluding is not None:
            texts, more = counted_texts(texts, self.excluding, sides)
        if self.masks:
            more = {"length": lengths_of(batch["text"])} | more
        sets = self.shingles.of(masked(texts, self.masks))
        digests = sets.digests
        if self.excluding is not None:  # identical texts have the same words in all, and in what counts
            digests = digests * BASE + self.shingles.of(masked(batch["text"], self.masks)).digests
        sizes = np.diff(sets.bounds)
        wordless = pc.and_(pc.equal(pa.array(sizes), 0), pc.is_null(batch["problem"]))
        why = NO_WORDS
        if SPANS.name in more:
            why = pc.if_else(
                pc.greater(pc.list_value_length(more[SPANS.name]), 0), ONLY_EXCLUDED, NO_WORDS
            )
        problem = pc.if_else(wordless, why, batch["problem"])
        known = {
            "size": pa.array(sizes),
            "digest": pa.array(digests.view(np.int64)),
            "shingles": to_lists(sets.values, sets.bounds),
            "length": pa.array(sets.characters),
            "problem": problem,
            **more,
        }
        return carrying(self.schema, known, batch)


def counted_texts(
    texts: pa.Array, excluding: Excluding, sides: Sides
) -> tuple[pa.Array, dict[str, pa.Array]]:
    """Return what of texts counts, and what does not; their lengths are those of the whole texts."""
    split, _, _ = split_words(texts)
    found = excluding.found(texts, split, sides)
    return cut(texts, found.column), {SPANS.name: found.column, "length": lengths_of(texts)}


def lengths_of(texts: pa.Array) -> pa.Array:
    """Return how many characters texts have."""
    return pc.fill_null(pc.utf8_length(texts), 0).cast(pa.int64())
