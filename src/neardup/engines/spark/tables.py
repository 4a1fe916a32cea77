"""The tables of a result as DataFrames."""

from typing import Any

import pyarrow as pa

from neardup.engines.disk import SUFFIX, Tables
from neardup.engines.spark.connect import SharedFolder
from neardup.engines.spark.folders import HadoopFolder


class SparkTables(Tables):
    """A folder on any filesystem that Spark reaches, its tables as DataFrames."""

    folder: HadoopFolder | SharedFolder

    def table(self, name: str) -> Any:
        """Return one of the tables; the files of a temporary result live as long as it."""
        frame: Any = self.folder.spark.read.parquet(str(self.folder / f"{name}{SUFFIX}"))
        frame.neardup_tables = self
        return frame

    def arrow(self, name: str, most: int | None = None) -> pa.Table:
        """Return the first rows of a table, or all, in Arrow."""
        frame = self.table(name)
        return (frame if most is None else frame.limit(most)).toArrow()
