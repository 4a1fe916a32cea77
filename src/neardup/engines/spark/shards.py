"""Work that is done file by file: one task has a file and all rows that belong to it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from neardup.engines.spark.columns import spark_schema
from neardup.engines.spark.failures import carried
from neardup.engines.spark.session import cores_of, set_for_a_while

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from neardup.engines.base import ShardWork

MOST_TASKS = 20_000
TASK_BYTES = 32 << 20  # of shards that one task reads
ADAPTIVE = "spark.sql.adaptive.enabled"  # would put tasks together that shuffle little, and do much
PARTITIONS = "spark.sql.shuffle.partitions"


def each_shard(
    spark: "SparkSession",
    tables: Mapping[str, str],
    statement: str,
    shards: pa.Table,
    work: "ShardWork",
    done: pa.Schema,
) -> pa.Table:
    """Bring the rows of a statement together with their shards, by the first column of both; work."""
    frames: dict[str, Any] = {name: spark.read.parquet(path) for name, path in tables.items()}
    spread_out = {ADAPTIVE: "false", PARTITIONS: str(tasks_for(shards, cores_of(spark)))}
    with set_for_a_while(spark, spread_out):
        rows = spark.sql(statement, **frames)
        own = spark.createDataFrame(shards)
        both = own.groupBy(own.columns[0]).cogroup(rows.groupBy(rows.columns[0]))
        found: Any = both.applyInArrow(working(work, done), spark_schema(done))
        return found.toArrow().cast(done)


def working(work: "ShardWork", done: pa.Schema) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """Return the task that works on a shard; rows that belong to none are left alone."""

    def run(shard: pa.Table, rows: pa.Table) -> pa.Table:
        with carried():
            found = [work(own, rows) for own in shard.to_pylist()]
        return pa.Table.from_pylist(found, done)

    return run


def tasks_for(shards: pa.Table, cores: int) -> int:
    """Return how many tasks do the work: small shards share one."""
    size = int(sum(shards["size"].to_pylist()))
    return min(max(size // TASK_BYTES, 2 * cores), max(2 * len(shards), 1), MOST_TASKS)
