"""Boilerplate of threads: what is too common among them to say anything about two.

Templates, signatures of users and advertisements that are posted again make strangers similar. With
`max_shared`, signatures that more threads have are taken out of all sets, and those that are left are
compared.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import bounds_in, columns_of
from neardup.plan import Map, Sides, Step
from neardup.steps import too_common

ONLY_BOILERPLATE = "only boilerplate"


def steps(settings: ThreadSettings, units: pa.Schema, counters: int) -> list[Step]:
    """Return the steps from `sets` to `boilerplate`, and to `units`, the same threads without it."""
    less = Map("units", "sets", WithoutBoilerplate(settings, units), units, sides=(too_common.KEYS,))
    return [*too_common.steps("signatures", settings.max_shared, counters), less]


@dataclass(frozen=True)
class WithoutBoilerplate:
    """Takes boilerplate out of sets; a thread that has nothing else becomes a problem."""

    settings: ThreadSettings
    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return the same threads with smaller sets."""
        values, bounds = bounds_in(batch, len(self.settings.fields))
        values, bounds = values[bounds[0] : bounds[-1]], bounds - bounds[0]
        gone = sides[too_common.KEYS].has(values.view(np.int64))
        own = too_common.without(values, bounds, gone)
        known = columns_of(self.settings, *own, batch, ONLY_BOILERPLATE)
        columns = [known.get(name, batch[name]) for name in self.schema.names]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)
