"""Scales: their ticks are round and inside."""

import pytest

from neardup.web.scales import Scale, covering


@pytest.mark.parametrize("log", [False, True])
def test_ticks_are_round_and_inside(log: bool) -> None:
    for least, most in ((0.001, 3.0), (1.0, 10.0), (7.0, 12_345.0), (0.1, 0.9)):
        scale = Scale(least, most, 0, 100, log)
        ticks = scale.ticks()
        assert all(least <= tick * 1.001 and tick <= most * 1.001 for tick in ticks)
        assert len(ticks) <= 8
        assert all(-1e-6 <= scale.at(tick) <= 100.1 for tick in ticks)


def test_a_scale_for_nothing_or_one_value() -> None:
    assert covering([], 0, 10).ticks()
    assert covering([5], 0, 10, log=True).at(5) == 0
    assert covering([float("nan"), 0], 0, 10).at(0) == 0
    assert Scale(3, 3, 0, 10).at(3) == 5
