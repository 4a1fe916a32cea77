"""Lists that stay beside Spark."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neardup.engines.spark import columns
from neardup.engines.spark.apart import Shelf, shelf_in
from neardup.engines.spark.columns import pack, packed_columns, spark_schema, unpack

SCHEMA = pa.schema([("n", pa.int64()), ("a", pa.list_(pa.int64())), ("b", pa.list_(pa.int32()))])
Rows = list[tuple[list[int], list[int]]]


def batch_of(rows: Rows) -> pa.RecordBatch:
    numbers = [range(len(rows)), [a for a, _ in rows], [b for _, b in rows]]
    return pa.record_batch([pa.array(c, f.type) for c, f in zip(numbers, SCHEMA, strict=True)], SCHEMA)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tasks=st.lists(
        st.lists(
            st.tuples(
                st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4),
                st.lists(st.integers(0, 2**31 - 1), max_size=3),
            ),
            max_size=6,
        ),
        min_size=1,
        max_size=3,
    ),
    order=st.randoms(),
    at_once=st.sampled_from([1, 40, 1 << 20]),
)
def test_lists_come_back_from_where_they_lie(
    tmp_path: Path, tasks: list[Rows], order: st.DataObject, at_once: int
) -> None:
    lists = packed_columns(spark_schema(SCHEMA, str(tmp_path)))
    packed: list[pa.RecordBatch] = []
    for rows in tasks:
        with shelf_in(str(tmp_path)) as shelf:
            for part in (batch_of(rows[:2]), batch_of(rows).slice(2)):
                packed += pack(part, shelf)
    given_rows = [row for rows in tasks for row in (*rows[:2], *rows[2:])]
    table = pa.Table.from_batches(packed).combine_chunks()
    places = list(range(table.num_rows))
    order.shuffle(places)  # type: ignore[attr-defined]
    mixed = table.take(pa.array(places, pa.int64())).combine_chunks()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(columns, "AT_ONCE", at_once)
        for rows, wanted in ((table, range(table.num_rows)), (mixed, places)):
            parts = [part for batch in rows.to_batches() for part in unpack(batch, lists)]
            found = [(row["a"], row["b"]) for part in parts for row in part.to_pylist()]
            assert found == [given_rows[place] for place in wanted]
            sizes = [sum(8 * len(r["a"]) + 4 * len(r["b"]) for r in p.to_pylist()[1:]) for p in parts]
            assert all(size <= at_once for size in sizes)


def test_each_attempt_has_a_file_of_its_own_and_none_for_nothing(tmp_path: Path) -> None:
    given_lists: list[list[list[int]]] = [[[1, 2]], [[1, 2]], [[]]]
    for values in given_lists:
        shelf = Shelf(str(tmp_path))
        shelf.put(pa.array(values, pa.list_(pa.int64())))
        shelf.close()
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [16, 16]
