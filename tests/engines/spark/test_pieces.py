"""Rows that change their task in pieces."""

from functools import partial

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from neardup.engines.spark import pieces
from neardup.plan import Map


@given(
    keys=st.lists(st.integers(-(2**63), 2**63 - 1), max_size=40),
    parts=st.sampled_from([1, 3, 1000]),
    cuts=st.integers(1, 4),
)
def test_rows_come_back_from_pieces_and_equal_keys_are_in_the_same_part(
    keys: list[int], parts: int, cuts: int
) -> None:
    schema = pa.schema([("key", pa.int64()), ("doc", pa.int32())])
    assert pieces.fits(schema)
    assert not pieces.fits(pa.schema([("key", pa.int64()), ("id", pa.string())]))
    step = pieces.cut(Map("keys", "units", lambda batch, _: batch, schema), parts)
    rows = pa.record_batch([pa.array(keys, pa.int64()), pa.array(range(len(keys)), pa.int32())], schema)
    size = -(-len(keys) // cuts) or 1
    cut = [step.function(rows.slice(at, size), {}) for at in range(0, len(keys), size)]
    assert all(batch.schema == step.schema for batch in cut)
    join = partial(pieces.joined, lambda batch, _: batch, schema)
    found: dict[int, list[tuple[int, int]]] = {}
    for row in (row for batch in cut for row in batch.to_pylist()):
        assert len(row["key"]) == len(row["doc"]) > 0
        found.setdefault(row[pieces.PART], []).extend(zip(row["key"], row["doc"], strict=True))
    joined = [row for batch in cut for row in join(batch, {}).to_pylist()]
    assert sorted(row["doc"] for row in joined) == list(range(len(keys)))
    assert all(row["key"] == keys[row["doc"]] for row in joined)
    owners: dict[int, set[int]] = {}
    for part, members in found.items():
        for key, _ in members:
            owners.setdefault(key, set()).add(part)
    assert all(len(parts_of_key) == 1 for parts_of_key in owners.values())
