"""What many kernels do with arrays, against NumPy's own words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from neardup.kernels.arrays import ascending, copy, doubled, highest, longest, room_for, sort

NUMBERS = arrays(np.int64, st.integers(0, 40), elements=st.integers(-5, 50))


@given(NUMBERS)
def test_they_do_what_numpy_does(values: np.ndarray) -> None:
    assert ascending(values).tolist() == np.argsort(values, kind="stable").tolist()
    assert highest(values) == max([-1, *values])
    ordered = values.copy()
    sort(ordered)
    assert ordered.tolist() == sorted(values)
    assert longest(np.cumsum(abs(values))) == max(abs(values[1:]), default=0)


@given(NUMBERS, st.integers(0, 40), st.integers(0, 40))
def test_what_is_in_an_array_is_in_its_longer_copy(values: np.ndarray, used: int, more: int) -> None:
    used = min(used, len(values))
    longer = room_for(values, used, more)
    assert longer[:used].tolist() == values[:used].tolist()
    assert len(longer) >= used + more
    assert (longer is values) == (used + more <= len(values))
    assert doubled(values)[: len(values)].tolist() == values.tolist()
    assert len(doubled(values)) == 2 * len(values)


@pytest.mark.parametrize("count", [0, 2, 3])
def test_only_the_first_values_are_copied(count: int) -> None:
    out = np.zeros(5, np.int64)
    copy(np.array([7, 8, 9]), count, out)
    assert out.tolist() == [7, 8, 9][:count] + [0] * (5 - count)
