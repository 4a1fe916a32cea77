"""Words of made-up pages, as kernels take them."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from neardup.kernels.hashing import mix

WORDS = st.lists(st.integers(0, 5), max_size=40)
HASHES = [int(mix(np.uint64(n + 1))) for n in range(64)]
FULL = (1 << 64) - 1


def words(numbers: list[int]) -> Any:
    return np.array([HASHES[n] for n in numbers], np.uint64)


def sizes_of(numbers: list[int]) -> Any:
    """Give the same word the same size wherever it is."""
    return np.array([2 + 3 * n for n in numbers], np.int64)
