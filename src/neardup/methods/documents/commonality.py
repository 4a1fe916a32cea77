"""Documents without the shingles that too many of them have: the thesis's commonality threshold (SCT).

What is left of the sets is compared, so resemblance and containment are of that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.plan import Map, Step
from neardup.steps import too_common
from neardup.steps.columns import from_lists, to_lists

ONLY_COMMON = "only shingles that too many documents have"


def steps(most: int, units: pa.Schema, counters: int) -> list[Step]:
    """Return the steps from `sets` to `units`, the same documents without common shingles."""
    less = Map("units", "sets", WithoutCommon(units), units, sides=(too_common.KEYS,))
    return [*too_common.steps("shingles", most, counters), less]


@dataclass(frozen=True)
class WithoutCommon:
    """Takes common shingles out of sets; a document that has no others becomes a problem."""

    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the same documents with smaller sets."""
        from neardup.kernels.counters import digests

        values, bounds = from_lists(batch["shingles"])
        values, bounds = values[bounds[0] : bounds[-1]], bounds - bounds[0]
        gone = sides[too_common.KEYS].has(values.view(np.int64))
        values, bounds = too_common.without(values, bounds, gone)
        sizes, hashes = pa.array(np.diff(bounds)), values.view(np.uint64)
        emptied = pc.and_(pc.equal(sizes, 0), pc.is_null(batch["problem"]))
        known = {
            "size": sizes,
            "digest": pa.array(digests(hashes, bounds).view(np.int64)),
            "shingles": to_lists(hashes, bounds),
            "problem": pc.if_else(emptied, ONLY_COMMON, batch["problem"]),
        }
        columns = [known.get(name, batch[name]) for name in self.schema.names]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)
