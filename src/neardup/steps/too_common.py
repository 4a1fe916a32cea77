"""What too many sets have, taken out of all of them: boilerplate, or the thesis's commonality threshold.

The count is exact, so that results do not depend on memory: a table of rough counts, which are never too
low, only spares most values from being counted one by one.
"""

from functools import partial

import numpy as np
import pyarrow as pa

from neardup.arrays import Array, Bools
from neardup.plan import Fold, Map, Sides, Sql, Step
from neardup.steps.columns import from_lists, schema_of
from neardup.steps.counters import Counters, KeySet

KEY = schema_of("key int64")
KEYS = "boilerplate_keys"  # the Fold that a Map of `sets` without boilerplate takes


def steps(column: str, most: int, counters: int) -> list[Step]:
    """Return the steps from `sets` to `boilerplate`: the values that more than `most` of them have."""
    common = f"select key from {{suspects}} group by key having count(*) > {most} order by key"
    return [
        Fold("rough_counts", "sets", partial(Counters, counters, column)),
        Map("suspects", "sets", partial(suspects, column, most), KEY, sides=("rough_counts",)),
        Sql("boilerplate", common, keep=True),
        Fold(KEYS, "boilerplate", KeySet),
    ]


def suspects(column: str, most: int, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """List the values that more than `most` sets may have, once for each set."""
    from neardup.kernels.counters import HIGHEST, counted

    values, bounds = from_lists(batch[column])
    values = values[bounds[0] : bounds[-1]]
    suspect = counted(sides["rough_counts"].table, values, min(most + 1, HIGHEST))
    return pa.RecordBatch.from_arrays([pa.array(values[suspect])], schema=KEY)


def without(values: Array, bounds: Array, gone: Bools) -> tuple[Array, Array]:
    """Return sets without some of their values, and where each begins then.

    >>> without(np.array([5, 6, 7]), np.array([0, 2, 3]), np.array([False, True, False]))
    (array([5, 7]), array([0, 1, 2]))
    """
    left = np.concatenate([[0], np.cumsum(~gone)])
    return values[~gone], left[bounds]
