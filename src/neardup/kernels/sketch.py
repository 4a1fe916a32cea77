"""MinHash sketches in one pass: fast similarity sketching.

Dahlgaard, Knudsen and Thorup (FOCS 2017): in round r every value is hashed into one of k bins, and a
bin keeps the smallest (round, hash) that it saw; rounds go on until no bin is empty. A set with many
more values than bins needs one round, so a value costs one hash instead of k. From round k on, every
value goes into bin r - k, so that 2k rounds always suffice. Two sets agree in a bin with a
probability equal to their resemblance.
"""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, mix

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def sketch(values, begin, end, bins):  # type: ignore[no-untyped-def]
    """Fill `bins` with the sketch of values[begin:end], which is not empty."""
    size = np.uint64(len(bins))
    bins[:] = EMPTY
    empty = len(bins)
    low = np.uint64(0xFFFFFFFF)
    for r in range(2 * len(bins)):
        seed = mix(SEED + np.uint64(r))
        for i in range(begin, end):
            hashed = mix(np.uint64(values[i]) ^ seed)
            if r < len(bins):
                # the high half, scaled to the number of bins, chooses the bin
                at = ((hashed >> np.uint64(32)) * size) >> np.uint64(32)
            else:
                at = np.uint64(r - len(bins))
            key = np.uint64(r) << np.uint64(32) | (hashed & low)
            if key < bins[at]:
                if bins[at] == EMPTY:
                    empty -= 1
                bins[at] = key
        if empty == 0:
            break


@kernel
def band_keys(values, bounds, bands, rows):  # type: ignore[no-untyped-def]
    """Return the key of each band of each set: a hash of `rows` bins of its sketch."""
    sets = len(bounds) - 1
    keys = np.empty((sets, bands), np.uint64)
    bins = np.empty(bands * rows, np.uint64)
    for s in range(sets):
        sketch(values, bounds[s], bounds[s + 1], bins)
        for band in range(bands):
            key = mix(SEED + np.uint64(band))
            for row in range(rows):
                key = mix(key ^ bins[band * rows + row])
            keys[s, band] = key
    return keys
