import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from neardup.steps.counters import KeySet

KEYS = st.lists(st.integers(-(1 << 63), (1 << 63) - 1), max_size=40)


@given(KEYS, KEYS, KEYS)
def test_keys_are_found_again(one: list[int], more: list[int], others: list[int]) -> None:
    known = KeySet()
    for keys in (one, more):
        known.add(pa.RecordBatch.from_pydict({"key": pa.array(keys, pa.int64())}))
        asked = np.array(one + more + others, np.int64)
        told = {*one} if keys is one else {*one, *more}
        assert known.has(asked).tolist() == [key in told for key in asked.tolist()]
