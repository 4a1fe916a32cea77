"""Samples of sets, against slow twins."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import SETS, flat, unflat
from tests.twins import documents as twins

from neardup.kernels.sampling import sample, whole


@given(SETS, st.integers(1, 4), st.lists(st.booleans(), min_size=12, max_size=12))
def test_samples(sets: list[set[int]], rate: int, chosen: list[bool]) -> None:
    values, bounds = flat(sets)
    flags = np.array(chosen[: len(sets)])
    found = unflat(*sample(values, bounds, flags, rate))
    expected = [
        sorted(v for v in s if twins.mix(v) % rate == 0) if keep else []
        for s, keep in zip(sets, chosen, strict=False)
    ]
    assert found == expected
    rehashed = unflat(*whole(values, bounds, flags))
    assert rehashed == [
        [twins.mix(v ^ twins.SEED) for v in sorted(s)] if keep else []
        for s, keep in zip(sets, chosen, strict=False)
    ]
