"""Sorting by partition, beside NumPy's stable sort."""

import numpy as np
import pytest
from tests.kernels.flat_lists import read_only

from neardup.kernels.partition import partitions_of, places_by_partition, put


@pytest.mark.parametrize(("count", "partitions"), [(0, 3), (1, 1), (5000, 37), (100, 1024)])
def test_the_order_by_partition_is_that_of_a_stable_sort(count: int, partitions: int) -> None:
    values = read_only(np.random.default_rng(2).integers(-(1 << 62), 1 << 62, count))
    numbers = partitions_of(values, partitions)
    places, bounds = places_by_partition(values, partitions)
    assert put(values, places).tolist() == values[np.argsort(numbers, kind="stable")].tolist()
    assert bounds.tolist() == [int((numbers < p).sum()) for p in range(partitions + 1)]


def test_the_partitions_are_of_about_the_same_size() -> None:
    sizes = np.bincount(partitions_of(np.arange(100_000), 100), minlength=100)
    assert 800 < sizes.min() < sizes.max() < 1200
