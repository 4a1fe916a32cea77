"""What stands in for Java where a session is of Spark Connect: folders, and summaries for all tasks.

Both are files in a folder that this process and all executors reach by the same path.
"""

import pickle
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from neardup import durable
from neardup.engines.disk import DiskFolder
from neardup.errors import SettingsError
from neardup.plan import Summary

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WHOLE = "_SUCCESS"  # Spark writes it last
SUMMARY = "summary-"
TO_A_FOLDER = (
    "Take a folder that this process and the executors reach by the same path, such as a shared disk or "
    "/Volumes/…, and copy it there afterwards; or start Spark here, with another master: that writes to "
    "addresses."
)


class SharedFolder(DiskFolder):
    """A folder on a disk that this process and the executors share."""

    def __init__(self, spark: "SparkSession", path: str | Path) -> None:
        super().__init__(Path(path).absolute())
        self.spark = spark

    @classmethod
    def at(cls, spark: "SparkSession", output: str) -> "SharedFolder":
        """Return the folder for a result; this process must reach it, too."""
        from neardup.storage import located

        path = located(output)
        if not isinstance(path, Path):
            raise SettingsError(
                "a session of Spark Connect cannot write to addresses", where=output, hint=TO_A_FOLDER
            )
        return cls(spark, path)

    def __truediv__(self, name: str) -> "SharedFolder":
        return SharedFolder(self.spark, self.path / name)

    def beside(self, suffix: str) -> "SharedFolder":
        """Return the folder of the same name with something behind it."""
        return SharedFolder(self.spark, super().beside(suffix).path)

    def is_whole(self) -> bool:
        """Return whether Spark has written all of a table here."""
        return (self.path / WHOLE).exists()


@dataclass(frozen=True)
class SummaryFile:
    """A summary in a file, which each process of the executors reads once."""

    path: Path

    @classmethod
    def of(cls, summary: Summary, folder: Path) -> "SummaryFile":
        """Write a summary to a new file in a folder."""
        from pyspark import cloudpickle

        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{SUMMARY}{uuid4().hex}"  # no process takes it for one of another run
        with path.open("wb") as file:
            cloudpickle.dump(summary, file)  # type: ignore[no-untyped-call]
        return cls(path)

    @classmethod
    def found_in(cls, folder: Path) -> "SummaryFile | None":
        """Return the summary in a folder, if there is one."""
        return next(map(cls, folder.glob(f"{SUMMARY}*")), None)

    def put(self, folder: Path) -> "SummaryFile":
        """Move it to another folder, where it is whole as soon as it is there."""
        target = folder / self.path.name
        durable.put(self.path, target)
        return SummaryFile(target)

    @property
    def value(self) -> Any:
        """Return the summary, which this process reads once; nobody changes it."""
        return loaded(self.path)

    def read(self) -> Any:
        """Return the summary as one that may be changed."""
        return pickle.loads(self.path.read_bytes())


@lru_cache(8)
def loaded(path: Path) -> Any:
    """Return the summary in a file that this run has written."""
    return pickle.loads(path.read_bytes())
