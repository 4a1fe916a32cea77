"""Which partition a value belongs to, and where it goes when all are sorted by partition."""

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


@kernel
def places_by_partition(values, partitions):  # type: ignore[no-untyped-def]
    """Return where each value goes when they are sorted by partition, and where each partition begins.

    Inside a partition, values stay in their order.
    """
    numbers = np.empty(len(values), np.uint16)
    bounds = np.zeros(partitions + 1, np.int64)
    for i in range(len(values)):
        number = cell_of(mix(np.uint64(values[i])), np.uint64(partitions))
        numbers[i] = number
        bounds[number + np.uint64(1)] += 1
    for p in range(partitions):
        bounds[p + 1] += bounds[p]
    next_places = bounds[:-1].copy()
    places = np.empty(len(values), np.uint32)
    for i in range(len(values)):
        number = np.uint64(numbers[i])
        places[i] = next_places[number]
        next_places[number] += 1
    return places, bounds


@kernel
def put(values, places):  # type: ignore[no-untyped-def]
    """Return the values in their new places: written here and there, which is faster than so read."""
    out = np.empty(len(values), np.int64)
    for i in range(len(values)):
        out[np.uint64(places[i])] = values[i]
    return out


@kernel
def are_among(keys, values, starts):  # type: ignore[no-untyped-def]
    """Say which keys are among sorted values, which are hashes.

    `starts` has, for each number that first bits may be, where the values with them begin.
    """
    found = np.zeros(len(keys), np.bool_)
    shift, half = np.int64(64), (len(starts) - 1) // 2
    while 1 << (64 - shift) < len(starts) - 1:
        shift -= 1
    for i in range(len(keys)):
        first = (keys[i] >> shift) + half
        for at in range(starts[first], starts[first + 1]):
            if values[at] >= keys[i]:
                found[i] = values[at] == keys[i]
                break
    return found
