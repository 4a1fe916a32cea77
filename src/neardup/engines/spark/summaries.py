"""Summaries of tables: made once in a run, also if it is interrupted and goes on."""

import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from neardup.engines.base import Progress
from neardup.engines.spark import tasks
from neardup.engines.spark.columns import packed_columns
from neardup.engines.spark.connect import SummaryFile
from neardup.engines.spark.progress import watched
from neardup.plan import Fold

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from neardup.engines.spark.connect import SharedFolder
    from neardup.engines.spark.folders import HadoopFolder

Rows = Callable[[], "DataFrame"]
FAN_IN = 16  # summaries that one task merges


class Summaries:
    """The summaries of a run, each in a folder of its own, as all tasks can have them.

    On a disk that tasks reach, a summary is a file. Elsewhere Spark writes what it is made of, as
    a table, and the driver sends it out.
    """

    def __init__(self, spark: "SparkSession", parts: int, on_disk: bool, progress: Progress) -> None:
        self.seconds: dict[str, float] = {}
        self._spark = spark
        self._parts = parts
        self._on_disk = on_disk
        self._progress = progress
        self._made: dict[str, tasks.Side] = {}
        self._locks: dict[str, Lock] = defaultdict(Lock)

    def get(self, step: Fold, folder: "HadoopFolder | SharedFolder", rows: Rows) -> tasks.Side:
        """Return the summary of some rows, which this run or an earlier one has made."""
        with self._locks[step.name]:
            if step.name not in self._made:
                local = folder.local_path() if self._on_disk else None
                made = self._in_file(step, local, rows) if local else self._sent(step, folder, rows)
                self._made[step.name] = made
            return self._made[step.name]

    def forget(self) -> None:
        """Give up what Spark holds; files stay for a run that goes on."""
        from pyspark import Broadcast

        for summary in self._made.values():
            if isinstance(summary, Broadcast):
                summary.destroy()

    def _in_file(self, step: Fold, folder: Path, rows: Rows) -> SummaryFile:
        if found := SummaryFile.found_in(folder):
            return found
        parts = folder / "parts"  # executors may be other users
        parts.mkdir(parents=True, exist_ok=True)
        with self._timed(step):
            states = self._states(step, rows(), parts).toArrow()
        kept = SummaryFile.of(tasks.total(step.start(), states.to_batches()), parts).put(folder)
        shutil.rmtree(parts, ignore_errors=True)
        return kept

    def _sent(self, step: Fold, folder: "HadoopFolder | SharedFolder", rows: Rows) -> Any:
        if not folder.is_whole():
            with self._timed(step):
                writer = self._states(step, rows(), None).write.mode("overwrite")
                writer.option("compression", "uncompressed").parquet(str(folder))
        read = self._spark.read.schema(tasks.STATES).parquet(str(folder))
        states = read.sort("state", "chunk").toArrow()
        return self._spark.sparkContext.broadcast(tasks.total(step.start(), states.to_batches()))

    @contextmanager
    def _timed(self, step: Fold) -> Iterator[None]:
        begun = time.perf_counter()
        with watched(self._spark, self._progress, step.name):
            yield
        self.seconds[step.name] = time.perf_counter() - begun

    def _states(self, step: Fold, rows: "DataFrame", folder: Path | None) -> "DataFrame":
        """Return summaries of parts of the rows: one a core, then merged, at last few."""
        parts = self._parts
        task = tasks.folding(step.start, packed_columns(rows.schema), folder)
        states = rows.coalesce(parts).mapInArrow(task, tasks.STATES)
        while parts > FAN_IN:
            parts = -(-parts // FAN_IN)
            together = states.repartition(parts, "state").sortWithinPartitions("state", "chunk")
            states = together.mapInArrow(tasks.merging(folder), tasks.STATES)
        return states
