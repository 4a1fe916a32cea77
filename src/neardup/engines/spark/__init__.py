"""The engine of clusters, Apache Spark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from neardup.engines.base import Amounts, Engine, Progress, ShardWork
from neardup.engines.disk import DiskFolder, Tables
from neardup.settings.base import RUN, About, Settings
from neardup.settings.run import RunSettings

if TYPE_CHECKING:
    import pyarrow as pa

    from neardup.engines.spark.connect import SharedFolder
    from neardup.engines.spark.cost import Proposal
    from neardup.engines.spark.engine import SparkEngine
    from neardup.engines.spark.folders import HadoopFolder
    from neardup.engines.spark.frames import FrameSource
    from neardup.readers.records import ReaderSettings
    from neardup.readers.source import Source


@dataclass(frozen=True)
class SparkOptions(Settings):
    """Where Spark runs: in a session that is open already, or one to be opened at a master."""

    master: Annotated[
        str,
        About(
            "spark: the cluster: local[*], spark://HOST:PORT, yarn, k8s://ADDRESS, or sc://HOST:PORT "
            "of Spark Connect.",
            heading=RUN,
        ),
    ] = "local[*]"
    conf: Annotated[
        Mapping[str, str] | None,
        About("spark: a setting of Spark, KEY=VALUE; may be given several times.", heading=RUN),
    ] = None
    session: Any = None


class Spark(Engine):
    """Runs plans in a Spark session."""

    name = "spark"
    options = SparkOptions
    also = "a SparkSession"
    summaries = 1 << 30  # they go through the driver
    works_by_shard = True
    writes_to_addresses = True
    refusal = (
        "a DataFrame of Spark's is for Spark's engine",
        "Give its session, too: engine=df.sparkSession.",
    )

    def accepts(self, given: object) -> bool:
        """Return whether a value of `engine=` is a session."""
        return type(given).__name__ == "SparkSession"

    def options_with(self, given: object, chosen: Mapping[str, Any]) -> SparkOptions:
        """Make the options; a session that was given has its own."""
        return SparkOptions(**chosen) if given == self.name else SparkOptions(session=given)

    def owns(self, data: object) -> bool:
        """Return whether data is a DataFrame of Spark's."""
        return type(data).__module__.startswith("pyspark.")

    def open_data(self, data: Any, reader: "ReaderSettings") -> "FrameSource":
        """Open a DataFrame."""
        from neardup.engines.spark.frames import FrameSource

        return FrameSource(data, reader)

    def open_files(
        self,
        inputs: Sequence[str | Path],
        against: Sequence[str | Path],
        reader: "ReaderSettings",
        run: RunSettings,
    ) -> "tuple[Source, int | None]":
        """Open files; by Spark's own readers where only Spark can reach some."""
        from neardup.engines.spark import remote

        if not remote.only_spark_reaches([*inputs, *against]):
            return super().open_files(inputs, against, reader, run)
        if against:
            return remote.open_both(inputs, against, reader, run)
        return remote.open_remote(inputs, reader, run), None

    def folder(self, output: str, run: RunSettings) -> "HadoopFolder | SharedFolder":
        """Return the folder for a result, on any filesystem that Spark reaches."""
        from neardup.engines.spark.connect import SharedFolder
        from neardup.engines.spark.failures import explained
        from neardup.engines.spark.folders import HadoopFolder
        from neardup.engines.spark.inside_pyspark import is_tried
        from neardup.engines.spark.session import is_remote, session_of

        session = session_of(run)
        if is_remote(session) or not is_tried():
            return SharedFolder.at(session, output)
        with explained(output):
            return HadoopFolder(session, output).qualified()

    def runner(
        self, work: "HadoopFolder | SharedFolder", run: RunSettings, progress: Progress
    ) -> "SparkEngine":
        """Return what runs plans in a folder that all executors reach."""
        from neardup.engines.spark.engine import SparkEngine

        return SparkEngine(work.spark, work, progress=progress, stop_after=run.stop_after)

    def each_shard(
        self,
        run: RunSettings,
        tables: Mapping[str, str],
        statement: str,
        shards: "pa.Table",
        work: ShardWork,
        done: "pa.Schema",
    ) -> "pa.Table":
        """Work on shards, a task each."""
        from neardup.engines.spark import shards as by_shard
        from neardup.engines.spark.failures import explained
        from neardup.engines.spark.session import session_of

        session = session_of(run)
        with explained(next(iter(tables.values()))):
            return by_shard.each_shard(session, tables, statement, shards, work, done)

    def proposal(self, needs: Amounts) -> "Proposal":
        """Return a cluster for so much."""
        from neardup.engines.spark.cost import proposed

        return proposed(needs)

    def tables(self, output: "HadoopFolder | SharedFolder", run: RunSettings) -> Tables:
        """Return DataFrames, in a session that was given or if the result is not on this disk."""
        from neardup.engines.spark.frames import SparkTables

        local = output.local_path()
        if local and run.engine.options.session is None:
            return Tables(DiskFolder(local))
        return SparkTables(output)
