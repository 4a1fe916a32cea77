"""Documents without the shingles that too many of them have.

What is left of the sets is compared, so resemblance and containment are of that. By the rule of the
thesis, its shingle commonality threshold (SCT), sizes stay those of the whole sets.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.documents.settings import DocumentSettings
from neardup.plan import Map, Sides, Step
from neardup.steps import too_common
from neardup.steps.columns import from_lists, to_lists

ONLY_COMMON = "only shingles that too many documents have"


def steps(settings: DocumentSettings, units: pa.Schema, counters: int) -> list[Step]:
    """Return the steps from `sets` to `units`, the same documents without common shingles."""
    kind = CommonMissing if settings.rule == "paper" else WithoutCommon
    less = Map("units", "sets", kind(units), units, sides=(too_common.KEYS,))
    return [*too_common.steps("shingles", settings.max_shared, counters), less]


@dataclass(frozen=True)
class WithoutCommon:
    """Takes common shingles out of sets; a document that has no others becomes a problem."""

    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return the same documents with smaller sets."""
        values, bounds = from_lists(batch["shingles"])
        values, bounds = values[bounds[0] : bounds[-1]], bounds - bounds[0]
        gone = sides[too_common.KEYS].has(values.view(np.int64))
        values, bounds = too_common.without(values, bounds, gone)
        known = self.known(batch, pa.array(np.diff(bounds)))
        known["shingles"] = to_lists(values.view(np.uint64), bounds)
        columns = [known.get(name, batch[name]) for name in self.schema.names]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def known(self, batch: pa.RecordBatch, left: pa.Array) -> dict[str, pa.Array]:
        """Return what becomes of documents, by how many of their shingles are left."""
        emptied = pc.and_(pc.equal(left, 0), pc.is_null(batch["problem"]))
        return {"size": left, "problem": pc.if_else(emptied, ONLY_COMMON, batch["problem"])}


class CommonMissing(WithoutCommon):
    """Takes common shingles out of sets whose sizes stay: what two documents share gets less.

    So documents of the same words resemble each other less than 1, and are compared like all others.
    """

    def known(self, batch: pa.RecordBatch, left: pa.Array) -> dict[str, pa.Array]:
        """Return which documents are still the copies of others: those that lost nothing."""
        return {"digest": pc.if_else(pc.equal(left, batch["size"]), batch["digest"], batch["doc"])}
