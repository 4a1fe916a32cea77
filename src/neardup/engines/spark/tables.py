"""The tables of a result as DataFrames."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.engines.spark.folders import HadoopFolder

SUFFIX = ".parquet"


class SparkTables:
    """A folder on any filesystem that Spark reaches, its tables as DataFrames."""

    def __init__(self, folder: HadoopFolder) -> None:
        self._folder = folder

    def read_text(self, name: str) -> str:
        """Return what is in a file of the result."""
        return (self._folder / name).read_text()

    def names(self) -> list[str]:
        """Return the names of the tables."""
        return sorted(n.removesuffix(SUFFIX) for n in self._folder.names() or () if n.endswith(SUFFIX))

    def table(self, name: str) -> Any:
        """Return one of the tables; the files of a temporary result live as long as it."""
        frame: Any = self._folder.spark.read.parquet(str(self._folder / f"{name}{SUFFIX}"))
        frame.neardup_tables = self
        return frame

    def arrow(self, name: str, most: int | None = None) -> pa.Table:
        """Return the first rows of a table, or all, in Arrow."""
        frame = self.table(name)
        return (frame if most is None else frame.limit(most)).toArrow()

    def local(self) -> Path | None:
        """Return the folder on this machine's disk, None if it is elsewhere."""
        return self._folder.local_path()
