"""Parquet whose bytes depend on its rows only."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP = 1 << 15


def write_table(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> int:
    """Write a table in row groups of a fixed size, so that its bytes depend on its rows only."""
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for group in row_groups(batches, schema):
            writer.write_table(group, row_group_size=ROW_GROUP)
            rows += group.num_rows
    return rows


def row_groups(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """Cut a stream of batches into tables of a fixed number of rows."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        start = 0
        while count + batch.num_rows - start >= ROW_GROUP:
            taken = ROW_GROUP - count
            waiting.append(batch.slice(start, taken))
            yield pa.Table.from_batches(waiting, schema)
            waiting, count, start = [], 0, start + taken
        waiting.append(batch.slice(start))
        count += batch.num_rows - start
    if count:
        yield pa.Table.from_batches(waiting, schema)
