"""Documents without the shingles that too many of them have.

What is left of the sets is compared, so resemblance and containment are of that. By the rule of the
thesis, its shingle commonality threshold (SCT), sizes stay those of the whole sets.
"""

from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.documents.settings import DocumentRule, DocumentSettings
from neardup.plan import Map, Sides, Step
from neardup.steps import too_common
from neardup.steps.columns import from_lists, to_lists

ONLY_COMMON = "only shingles that too many documents have"


def steps(settings: DocumentSettings, units: pa.Schema, counters: int) -> list[Step]:
    """Return the steps from `sets` to `units`, the same documents without common shingles."""
    take = partial(without_common, settings.rule, units)
    less = Map("units", "sets", take, units, sides=(too_common.KEYS,))
    return [*too_common.steps("shingles", settings.max_shared, counters), less]


def without_common(
    rule: DocumentRule, schema: pa.Schema, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Take common shingles out of sets; a document that has no others becomes a problem.

    As in the paper, sizes stay: what two documents share gets less. So documents of the same words
    resemble each other less than 1, and are compared like all others, unless they lost nothing.
    """
    values, bounds = from_lists(batch["shingles"])
    values, bounds = values[bounds[0] : bounds[-1]], bounds - bounds[0]
    gone = sides[too_common.KEYS].has(values.view(np.int64))
    values, bounds = too_common.without(values, bounds, gone)
    known = {"shingles": to_lists(values.view(np.uint64), bounds)}
    left = pa.array(np.diff(bounds))
    if rule == "paper":
        is_whole = pc.equal(left, batch["size"])
        known["digest"] = pc.if_else(is_whole, batch["digest"], batch["doc"])
    else:
        emptied = pc.and_(pc.equal(left, 0), pc.is_null(batch["problem"]))
        known |= {"size": left, "problem": pc.if_else(emptied, ONLY_COMMON, batch["problem"])}
    columns = [known.get(name, batch[name]) for name in schema.names]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
