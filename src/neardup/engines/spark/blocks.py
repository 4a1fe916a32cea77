"""What each task gets: its own files and splits, or a block of rows with all that it may look up.

So no task needs the list of all files, and rows are looked up without a join for each.
"""

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa

from neardup.engines.spark import tasks
from neardup.engines.spark.columns import packed_columns
from neardup.engines.spark.session import functions_of
from neardup.readers.source import FileSource, Source, Split, TableSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NUMBER = "id"
NEAR = 16  # bits: one task orders the rows of 2**16 numbers, dense ones or those of records


def portions_of(spark: "SparkSession", source: Source, groups: Sequence[Sequence[Split]]) -> "DataFrame":
    """Return a partition for each group of splits, with one row: what to read.

    Each executor holds all rows once, in Java, and each task is handed one.
    """
    from pyspark import cloudpickle

    number = pa.array(range(len(groups)), pa.int64())
    parts = (part_of(source, group) for group in groups)
    packed = pa.array([cloudpickle.dumps(part) for part in parts], pa.binary())  # type: ignore[no-untyped-call]
    numbers = spark.range(0, len(groups), 1, max(len(groups), 1))
    rows = spark.createDataFrame(pa.table({NUMBER: number, tasks.PORTION: packed}))
    return numbers.join(functions_of(numbers).broadcast(rows), NUMBER)


def part_of(source: Source, splits: Sequence[Split]) -> tuple[Source, Sequence[Split]]:
    """Return what is needed of a source to read some splits that follow each other."""
    return source.part(splits) if isinstance(source, FileSource | TableSource) else (source, splits)


def in_blocks(rows: "DataFrame", size: int, together: bool) -> "DataFrame":
    """Give each row the number of its block, of about `size` rows in the order of their columns.

    The number depends on the rows only, so that a task which is run again gets the same. Rows whose
    first numbers are near each other are together; with `together`, those that are equal in them.
    """
    sql = functions_of(rows)
    first = sql.col(rows.columns[0])
    plain = [f.name for f in rows.schema.fields if f.name not in packed_columns(rows.schema)]
    near = sql.shiftright(first, NEAR)
    part = sql.pmod(sql.xxhash64(first), sql.lit(1024)) if together else near
    order = sql.Window.partitionBy(part).orderBy(*plain)
    number = sql.row_number().over(order)
    if together:
        rows = rows.withColumn(tasks.BLOCK, number)
        number = sql.min(tasks.BLOCK).over(sql.Window.partitionBy(first))
    block = part * (1 << NEAR) + sql.floor((number - 1) / size)
    return rows.withColumn(tasks.BLOCK, block.cast("long"))


def wanted_by(blocks: "DataFrame", table: "DataFrame", keys: Sequence[str]) -> "DataFrame":
    """Return the rows of a table that each block wants, by its first column, once a block."""
    sql = functions_of(blocks)
    own = table.columns[0]
    block = sql.col(tasks.BLOCK).alias(tasks.WANTED)
    asked = (blocks.select(block, sql.col(name).alias(own)) for name in keys)
    return reduce(lambda some, more: some.union(more), asked).distinct().join(table, own)
