"""Our own 64-bit hashing: seeded, versioned and the same on every engine and machine."""

import numpy as np

from neardup.kernels.compiled import kernel

# Whatever changes a signature's value raises this number; it is written into every result.
HASH_VERSION = 1

SEED = np.uint64(0x9E3779B97F4A7C15)
STEP = np.uint64(0xD6E8FEB86659FD93)  # odd: multiplies in each character of a token
BASE = np.uint64(0xA0761D6478BD642F)  # odd: multiplies in each token of a shingle
MIX_1 = np.uint64(0xFF51AFD7ED558CCD)  # the finaliser of MurmurHash3 (public domain)
MIX_2 = np.uint64(0xC4CEB9FE1A85EC53)
SHIFT = np.uint64(33)


@kernel(inline="always")
def mix(value):  # type: ignore[no-untyped-def]
    """Spread every bit of a 64-bit value over all 64 bits, one to one."""
    value ^= value >> SHIFT
    value *= MIX_1
    value ^= value >> SHIFT
    value *= MIX_2
    return value ^ (value >> SHIFT)
