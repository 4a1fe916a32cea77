"""Sketches, against their twin and against what they estimate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import VALUES, read_only
from tests.twins import documents as twins

from neardup.kernels.sketch import band_keys
from neardup.kernels.sketch import sketch as sketch_kernel


@given(st.sets(VALUES, min_size=1, max_size=40), st.integers(1, 12))
def test_sketch(values: set[int], bins: int) -> None:
    array = np.array(sorted(values), np.uint64).view(np.int64)
    found = np.empty(bins, np.uint64)
    sketch_kernel(array, 0, len(array), found)
    assert found.tolist() == twins.sketch(sorted(values), bins)


@pytest.mark.parametrize("size", [8, 60, 500])
def test_sketches_estimate_resemblance_without_bias(size: int) -> None:
    rng = np.random.default_rng(7)
    agree = expected = 0.0
    trials, bins = 400, 112
    for _ in range(trials):
        values = rng.integers(1, 2**62, size + size // 2)
        a, b = values[:size], values[size // 2 :]
        sketches = np.empty((2, bins), np.uint64)
        for row, own in zip(sketches, (a, b), strict=True):
            sketch_kernel(own, 0, len(own), row)
        agree += float((sketches[0] == sketches[1]).mean())
        expected += twins.resemblance(set(a.tolist()), set(b.tolist()))
    deviation = abs(agree - expected) / trials
    # the standard error of the mean, with sketches of dependent bins for small sets
    assert deviation < 4 * np.sqrt(0.25 / (trials * min(bins, size)))


def test_bands_of_equal_sets_are_equal_and_differ_from_each_other() -> None:
    values = read_only(np.array([5, 6, 7, 5, 6, 7], np.int64))
    keys = band_keys(values, np.array([0, 3, 6]), 14, 8)
    assert keys[0].tolist() == keys[1].tolist()
    assert len(set(keys[0].tolist())) == 14
