"""Which partition a value belongs to."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.counters import cell_of
from neardup.kernels.hashing import mix


@kernel
def partitions_of(values, partitions):  # type: ignore[no-untyped-def]
    """Return the partition of each value, spread evenly whatever the values are."""
    numbers = np.empty(len(values), np.int64)
    for i in range(len(values)):
        numbers[i] = cell_of(mix(np.uint64(values[i])), np.uint64(partitions))
    return numbers
