"""Boilerplate of threads: what so many of them share that it says nothing about any two.

Templates, signatures of users and advertisements that are posted again make strangers similar. With
`max_shared`, signatures that more threads have are taken out of all sets, and those that are left are
compared. The count is exact, so that results do not depend on memory: a table of rough counts, which are
never too low, only spares most signatures from being counted one by one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import bounds_in, columns_of
from neardup.plan import Fold, Map, Sql, Step
from neardup.steps.columns import schema_of
from neardup.steps.counters import Counters
from neardup.steps.keys import KeySet

ONLY_BOILERPLATE = "only boilerplate"
KEY = schema_of("key int64")
Array = npt.NDArray[Any]


def steps(settings: ThreadSettings, units: pa.Schema, counters: int) -> list[Step]:
    """Return the steps from `sets` to `boilerplate`, and to `units`, the same threads without it."""
    most = settings.max_shared
    common = f"select key from {{suspects}} group by key having count(*) > {most} order by key"
    return [
        Fold("rough_counts", "sets", partial(Counters, counters, "signatures")),
        Map("suspects", "sets", Suspects(most), KEY, sides=("rough_counts",)),
        Sql("boilerplate", ("suspects",), common, keep=True),
        Fold("boilerplate_keys", "boilerplate", KeySet),
        Map("units", "sets", WithoutBoilerplate(settings, units), units, sides=("boilerplate_keys",)),
    ]


@dataclass(frozen=True)
class Suspects:
    """Lists the signatures that more than `most` threads may have, once for each thread."""

    most: int

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return a row a signature and thread."""
        from neardup.kernels.counters import HIGHEST, counted
        from neardup.steps.columns import from_lists

        values, bounds = from_lists(batch["signatures"])
        values = values[bounds[0] : bounds[-1]]
        suspect = counted(sides["rough_counts"].table, values, min(self.most + 1, HIGHEST))
        return pa.RecordBatch.from_arrays([pa.array(values[suspect])], schema=KEY)


@dataclass(frozen=True)
class WithoutBoilerplate:
    """Takes boilerplate out of sets; a thread that has nothing else becomes a problem."""

    settings: ThreadSettings
    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the same threads with smaller sets."""
        values, bounds = bounds_in(batch, len(self.settings.fields))
        values, bounds = values[bounds[0] : bounds[-1]], bounds - bounds[0]
        own = without(values, bounds, sides["boilerplate_keys"].has(values.view(np.int64)))
        known = columns_of(self.settings, *own, batch["problem"], ONLY_BOILERPLATE)
        columns = [known.get(name, batch[name]) for name in self.schema.names]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)


def without(values: Array, bounds: Array, gone: npt.NDArray[np.bool_]) -> tuple[Array, Array]:
    """Return sets without some of their values, and where each begins then.

    >>> without(np.array([5, 6, 7]), np.array([0, 2, 3]), np.array([False, True, False]))
    (array([5, 7]), array([0, 1, 2]))
    """
    left = np.concatenate([[0], np.cumsum(~gone)])
    return values[~gone], left[bounds]
