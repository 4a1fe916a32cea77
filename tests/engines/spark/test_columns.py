"""Columns of all kinds on their way to Spark and back, lists as bytes and texts as they were."""

from datetime import UTC, datetime

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from neardup.engines.spark.columns import pack, packed_columns, spark_schema, unpack


@given(
    rows=st.lists(
        st.tuples(
            st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4),
            st.lists(st.integers(0, 2**31 - 1), max_size=3),
        ),
        max_size=6,
    ),
    begin=st.integers(0, 3),
)
def test_lists_come_back_from_their_bytes(rows: list[tuple[list[int], list[int]]], begin: int) -> None:
    schema = pa.schema([("n", pa.int64()), ("a", pa.list_(pa.int64())), ("b", pa.list_(pa.int32()))])
    columns = [range(len(rows)), [a for a, _ in rows], [b for _, b in rows]]
    batch = pa.record_batch([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema)
    batch = batch.slice(begin)
    packed = list(pack(batch))
    lists = packed_columns(spark_schema(schema))
    assert all(part.schema.types[1:] == [pa.binary()] * 2 for part in packed)
    found = [next(unpack(p.slice(at), lists)) for p in packed for at in (0, p.num_rows // 2)]
    assert found[0].equals(batch)
    assert found[1].equals(batch.slice(batch.num_rows // 2))


def test_texts_come_back_with_the_offsets_that_kernels_read() -> None:
    batch = pa.record_batch([pa.array(["one", None, "zwölf"], pa.large_string())], ["text"])
    [packed] = pack(batch)
    assert packed.schema.types == [pa.string()]  # as Spark hands texts back, whatever it was given
    kinds = packed_columns(spark_schema(batch.schema))
    assert [part.slice(1) for part in unpack(packed, kinds)] == [batch.slice(1)]


def test_columns_of_all_kinds_are_carried() -> None:
    moment = datetime(2026, 11, 15, 12, 30, tzinfo=UTC)
    columns = {
        "bytes": pa.array([7, 8], pa.uint8()),
        "huge": pa.array([2**64 - 1, None], pa.uint64()),
        "half": pa.array([0.5, 1.5], pa.float16()),
        "moment": pa.array([moment, None], pa.timestamp("ns", "UTC")),
        "day": pa.array([moment.date(), None], pa.date64()),
        "spent": pa.array([5, None], pa.duration("s")),
        "right": pa.array([True, False]),
    }
    found = next(pack(pa.record_batch(columns)))
    assert len(spark_schema(pa.record_batch(columns).schema)) == len(columns)
    assert found["bytes"].to_pylist() == [7, 8]
    assert found["huge"].to_pylist() == [2**64 - 1, None]
    assert found["half"].to_pylist() == [0.5, 1.5]
    assert found["moment"].to_pylist() == [moment, None]
    assert found["day"].to_pylist() == [moment.date(), None]
    assert found["right"].to_pylist() == [True, False]
    assert found["spent"].to_pylist()[1] is None
