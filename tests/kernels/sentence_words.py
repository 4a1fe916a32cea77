"""Words of sentences, one after the other in one array, as kernels take them."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from tests.kernels.flat_lists import read_only

Lists = list[list[int]]


def flat(lists: Lists) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    words = read_only(np.array([word for words in lists for word in words], np.uint64))
    return words, np.cumsum([0, *map(len, lists)])


def unflat(values: npt.NDArray[np.uint64], bounds: npt.NDArray[np.int64]) -> Lists:
    return [values[a:b].tolist() for a, b in pairwise(bounds)]
