"""How many units have a key: the counts that are read again."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from neardup.kernels.counters import counted
from neardup.steps.columns import to_lists
from neardup.steps.counters import Counters

VALUES = st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=40)


@given(VALUES, st.lists(st.integers(0, 39), max_size=60))
def test_counts_are_those_that_kernels_compare_and_never_too_low(
    values: list[int], more: list[int]
) -> None:
    keys = np.array(values, np.uint64)
    lists = [keys, *(keys[at % len(keys) :][:1] for at in more)]  # a unit each
    bounds = np.cumsum([0, *map(len, lists)])
    counters = Counters(64)
    counters.add(pa.record_batch([to_lists(np.concatenate(lists), bounds)], names=["shingles"]))
    found = counters.counts(keys)
    for key, count in zip(keys, found.tolist(), strict=True):
        assert count >= min(sum(key in own for own in lists), 15)
    for least in range(16):
        assert (counted(counters.table, keys, least) == (found >= least)).all()
