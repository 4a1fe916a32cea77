"""Limits that rounding cannot make a value miss."""

from fractions import Fraction

import numpy as np
import pytest

from neardup.steps.rounding import least_count, lowered, lowered_sql, raised


@pytest.mark.parametrize("limit", [0.05, 0.28, 0.7, 0.95, 1.0])
def test_limits_move_by_next_to_nothing(limit: float) -> None:
    assert lowered(limit) < limit < raised(limit)
    assert float(lowered_sql(limit)) == pytest.approx(limit, rel=1e-11)


def test_least_counts_are_those_of_exact_arithmetic() -> None:
    sizes = np.arange(1.0, 2_000)
    for percent in range(1, 101):
        exact = [-(-Fraction(percent, 100) * int(size) // 1) for size in sizes]
        assert least_count(percent / 100 * sizes).tolist() == exact
