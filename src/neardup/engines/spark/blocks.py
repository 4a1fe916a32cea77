"""Blocks of rows, each with all that it may look up: so rows are looked up without a join of each."""

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from neardup.engines.spark import tasks
from neardup.engines.spark.columns import packed_columns
from neardup.engines.spark.session import functions_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NEAR = 16  # bits: one task orders the rows of so many numbers, be they dense or those of records


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
