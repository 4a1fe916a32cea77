"""Rounding: what is exactly at a limit must not miss it by the last bits of a quotient or a product.

Limits are therefore a little lower wherever values are only sorted out before they are verified, or are
compared with a limit that was calculated another way: rounding can add a candidate, and lose none.
"""

from typing import TypeVar

import numpy as np

from neardup.arrays import Floats, Integers

ROUNDING = 1e-12  # as a share: some thousand times what rounding does, and below any real difference
OF_A_COUNT = 1e-9  # the same for numbers that are next to whole ones
Number = TypeVar("Number", float, Floats)


def lowered(limit: Number) -> Number:
    """Return a limit that rounding cannot make a value miss."""
    return limit * (1 - ROUNDING)


def raised(limit: float) -> float:
    """Return a limit that rounding cannot make a value pass."""
    return limit * (1 + ROUNDING)


def lowered_sql(limit: float) -> str:
    """Return a lowered limit as it stands in SQL.

    >>> lowered_sql(0.5)
    '0.49999999999950001'
    """
    return f"{lowered(limit):.17f}"


def least_count(share: Floats) -> Integers:
    """Return the least whole number that reaches each value; rounding can only make it less.

    >>> least_count(np.array([0.1 * 3 * 10, 3.5])).tolist()
    [3, 4]
    """
    return np.ceil(lowered(share) - OF_A_COUNT).astype(np.int64)
