"""Hash sampling: a part of each set that is the same for the same shingles everywhere."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, mix


@kernel
def sample(values, bounds, chosen, rate):  # type: ignore[no-untyped-def]
    """Return, of each chosen set, the values with hash mod rate = 0, and where each set's begin."""
    found = np.empty(len(values), np.uint64)
    starts = np.zeros(len(bounds), np.int64)
    total = 0
    for s in range(len(bounds) - 1):
        if chosen[s]:
            for i in range(bounds[s], bounds[s + 1]):
                value = np.uint64(values[i])
                if mix(value) % np.uint64(rate) == 0:
                    found[total] = value
                    total += 1
        starts[s + 1] = total
    return found[:total].copy(), starts


@kernel
def whole(values, bounds, chosen):  # type: ignore[no-untyped-def]
    """Return all values of each chosen set, rehashed so that they never equal sampled ones."""
    found = np.empty(len(values), np.uint64)
    starts = np.zeros(len(bounds), np.int64)
    total = 0
    for s in range(len(bounds) - 1):
        if chosen[s]:
            for i in range(bounds[s], bounds[s + 1]):
                found[total] = mix(np.uint64(values[i]) ^ SEED)
                total += 1
        starts[s + 1] = total
    return found[:total].copy(), starts
