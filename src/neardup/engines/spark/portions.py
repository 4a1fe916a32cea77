"""What each task reads: it gets its own files and splits, and not those of all others."""

import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from neardup.engines.spark.session import functions_of
from neardup.readers.source import FileSource, Source, Split, TableSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NUMBER, PORTION = "id", "portion"
Portion = tuple[Source, Sequence[Split]]


def portions_of(spark: "SparkSession", source: Source, groups: Sequence[Sequence[Split]]) -> "DataFrame":
    """Return a partition for each group of splits, with one row: what to read.

    Each executor holds all rows once, in Java, and each task is handed one.
    """
    from pyspark import cloudpickle

    number = pa.array(range(len(groups)), pa.int64())
    parts = (part_of(source, group) for group in groups)
    packed = pa.array([cloudpickle.dumps(part) for part in parts], pa.binary())  # type: ignore[no-untyped-call]
    numbers = spark.range(0, len(groups), 1, max(len(groups), 1))
    rows = spark.createDataFrame(pa.table({NUMBER: number, PORTION: packed}))
    return numbers.join(functions_of(numbers).broadcast(rows), NUMBER)


def part_of(source: Source, splits: Sequence[Split]) -> Portion:
    """Return what is needed of a source to read some splits that follow each other."""
    return source.part(splits) if isinstance(source, FileSource | TableSource) else (source, splits)


def opened_portion(packed: bytes) -> Portion:
    """Return what a row says is to be read."""
    source, splits = pickle.loads(packed)
    return source, splits
