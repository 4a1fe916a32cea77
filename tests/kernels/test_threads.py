"""The kernels of threads against slow and obvious twins."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

NEAR = st.integers(0, 3) | st.integers(2**64 - 4, 2**64 - 1) | st.integers(0, 2**64 - 1)


@given(st.lists(NEAR, max_size=60))
def test_hashes_are_sorted_however_they_are_spread(numbers: list[int]) -> None:
    from neardup.kernels.threads import sort_hashes

    values = np.array(numbers, np.uint64)
    sort_hashes(values, np.empty(len(values), np.uint64), np.empty(len(values), np.int64))
    assert values.tolist() == sorted(numbers)
