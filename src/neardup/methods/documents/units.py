"""From records to units: each document's set of shingles, with all that is known about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.signatures.shingles import Shingles
from neardup.steps.columns import NO_WORDS, carrying, schema_of, to_lists, with_carried

UNITS = schema_of("doc size digest int64, shingles [int64], length int64")


def units_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of units for these records; extra columns are named by number.

    So that no user's column name, whatever it holds, gets into SQL.
    """
    return with_carried(UNITS, records)


@dataclass(frozen=True)
class MakeUnits:
    """Shingles each record's text; a text without words becomes a problem."""

    shingles: Shingles
    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one unit a record."""
        from neardup.kernels.counters import digests

        del sides
        sets = self.shingles.of(batch["text"])
        sizes = np.diff(sets.bounds)
        wordless = pc.and_(pc.equal(pa.array(sizes), 0), pc.is_null(batch["problem"]))
        problem = pc.if_else(wordless, NO_WORDS, batch["problem"])
        known = {
            "size": pa.array(sizes),
            "digest": pa.array(digests(sets.values, sets.bounds).view(np.int64)),
            "shingles": to_lists(sets.values, sets.bounds),
            "length": pa.array(sets.characters),
            "problem": problem,
        }
        return carrying(self.schema, known, batch)
