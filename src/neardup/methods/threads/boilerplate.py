"""Boilerplate of threads: what is too common among them to say anything about two.

Templates, signatures of users and advertisements that are posted again make strangers similar. With
`max_shared`, signatures that more threads have are taken out of all sets, and those that are left are
compared.
"""

from functools import partial

import numpy as np
import pyarrow as pa

from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import bounds_in, columns_of
from neardup.plan import Map, Sides, Step
from neardup.steps import too_common

ONLY_BOILERPLATE = "only boilerplate"


def steps(settings: ThreadSettings, units: pa.Schema, counters: int) -> list[Step]:
    """Return the steps from `sets` to `boilerplate`, and to `units`, the same threads without it."""
    less = Map(
        "units", "sets", partial(without_boilerplate, settings, units), units, sides=(too_common.KEYS,)
    )
    return [*too_common.steps("signatures", settings.max_shared, counters), less]


def without_boilerplate(
    settings: ThreadSettings, schema: pa.Schema, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Take boilerplate out of sets; a thread that has nothing else becomes a problem."""
    values, bounds = bounds_in(batch, len(settings.fields))
    values, bounds = values[bounds[0] : bounds[-1]], bounds - bounds[0]
    gone = sides[too_common.KEYS].has(values.view(np.int64))
    own = too_common.without(values, bounds, gone)
    known = columns_of(settings, *own, batch, ONLY_BOILERPLATE)
    columns = [known.get(name, batch[name]) for name in schema.names]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
