"""Sets to draw, and lists of sets one after the other in one array, as kernels take them."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

VALUES = st.integers(1, 2**64 - 1)
SMALL = st.integers(1, 40).map(lambda n: n << 57)  # few distinct values: much in common
SETS = st.lists(st.sets(SMALL, min_size=1, max_size=20), min_size=1, max_size=12)


def read_only(values: Any) -> Any:
    """Return an array as those of tables are, for which kernels are compiled already."""
    values.flags.writeable = False
    return values


def flat(sets: list[set[int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    values = np.array([v for s in sets for v in sorted(s)], np.uint64).view(np.int64)
    return read_only(values), np.cumsum([0, *map(len, sets)])


def unflat(values: npt.NDArray[np.uint64], bounds: npt.NDArray[np.int64]) -> list[list[int]]:
    return [values[a:b].tolist() for a, b in pairwise(bounds)]
