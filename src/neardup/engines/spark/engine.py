"""The Spark engine: Maps by `mapInArrow`, SQL by Spark or the driver, step tables as Parquet.

Steps are put together lazily and computed when a table is written: the outputs of a plan, and tables
that are costly and read more than once; several at a time, each as soon as what it reads is there. A
table that a run has written it never computes again, so an interrupted run goes on, and an executor
that is lost takes little with it. The driver holds summaries, which are small by design, and tables
that happen to be small.
"""

import shutil
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa

from neardup.engines.base import Progress, Silent, Table
from neardup.engines.spark import pieces, small, tasks
from neardup.engines.spark.blocks import in_blocks, portions_of, wanted_by
from neardup.engines.spark.columns import is_packed, packed_columns, spark_schema
from neardup.engines.spark.connect import SharedFolder
from neardup.engines.spark.failures import explained
from neardup.engines.spark.folders import HadoopFolder
from neardup.engines.spark.frames import FrameSource
from neardup.engines.spark.groups import clustered
from neardup.engines.spark.progress import watched
from neardup.engines.spark.session import cores_of, is_remote, tuned
from neardup.engines.spark.small import SmallTables, WrittenTable
from neardup.engines.spark.summaries import Summaries
from neardup.plan import Cluster, Fold, Map, MapFunction, Plan, Sql, Step
from neardup.readers.source import Source, grouped, size_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriter, SparkSession

TASK_BYTES = 32 << 20  # of input that one task reads
OPENING = 128 << 10  # bytes that could be read while a file is opened
BLOCK_ROWS = 2048  # rows of a step with a look-up that make a task, unless it says otherwise
ROUNDS = 8  # tasks a core where each can read all blocks: more would even out little
AT_ONCE = 4  # tables that are computed or waited for at a time
ROW_GROUP = 16 << 20
FEW = 8  # so much smaller than what the driver reads is a table that each process reads whole


class SparkTable:
    """A table that a plan delivered, written by Spark."""

    def __init__(self, frame: "DataFrame") -> None:
        self.frame = frame

    @property
    def schema(self) -> pa.Schema:
        """Return the table's schema."""
        from pyspark.sql.pandas.types import to_arrow_schema

        return to_arrow_schema(self.frame.schema)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows in order, one by one: for tables of few rows."""
        for row in self.frame.toLocalIterator():
            yield pa.RecordBatch.from_pylist([row.asDict()], schema=self.schema)


class SparkEngine:
    """Runs plans in a Spark session, with step tables in a folder that all executors reach."""

    def __init__(
        self,
        spark: "SparkSession",
        work: HadoopFolder | SharedFolder,
        *,
        progress: Progress | None = None,
        stop_after: str | None = None,
    ) -> None:
        self.spark = spark
        self.work = work
        self.steps = work / "steps"
        self.progress = progress or Silent()
        self.stop_after = stop_after
        self.seconds: dict[str, float] = {}
        self._tag = f"neardup-{uuid4()}"
        self._plan: Plan
        self._by_name: dict[str, Step] = {}
        self._rename: dict[str, str] = {}
        self._sources: dict[str, Source] = {}
        self._tables: dict[str, pa.Table] = {}
        self._small: SmallTables | None = None
        self._by_driver: set[str] = set()
        self._frames: dict[str, DataFrame] = {}
        self._written: dict[str, Future[None]] = {}
        self._summaries: Summaries

    def run(
        self,
        plan: Plan,
        sources: Mapping[str, Source],
        tables: Mapping[str, pa.Table],
        rename: Mapping[str, str] | None = None,
    ) -> Mapping[str, Table]:
        """Run a plan, or what is left of it, and return the tables that it delivers.

        They are written with some columns renamed: to write them again would lose the order of rows.
        """
        self._plan = plan
        self._by_name = {step.name: step for step in plan.steps}
        self._rename = dict(rename or {})
        self._sources = dict(sources)
        self._tables = dict(tables)
        with ExitStack() as opened:
            opened.enter_context(tuned(self.spark, sum(map(size_of, sources.values()))))
            made = Summaries(self.spark, self._cores, self._disk is not None, self.progress)
            opened.callback(made.forget)
            self._summaries = made
            if self._disk:
                self._small = opened.enter_context(SmallTables(self._disk / "spill", tables))
            self._write_tables()
            self.seconds |= made.seconds
        return {n: self._delivered(n) for n in plan.outputs if n in self._written}

    def deliver(self, tables: Mapping[str, Any]) -> None:
        """Leave tables in the folder that this engine works in; it has written them."""
        for name in tables:
            target = self.work / f"{name}.parquet"
            target.delete()
            written: Any = self.folder_of(name)
            for sums in (written.local_path() or Path()).glob(".*.crc"):  # that Hadoop leaves on disks
                sums.unlink()
            written.rename(target)

    def _delivered(self, name: str) -> Table:
        local = self.folder_of(name).local_path()
        return WrittenTable(local, self._own_names(name)) if local else SparkTable(self._frame(name))

    @property
    def _disk(self) -> Path | None:
        """Return the folder of steps if it is on a disk, which all tasks reach by the same path."""
        return self.steps.local_path()

    def _write_tables(self) -> None:
        """Write all tables; each waits for those that it reads, which were begun before it."""
        steps = [step for step in self._steps_to_do() if self._is_stored(step)]
        with (
            self.progress.step(self._plan.name, len(steps), "tables") as advance,
            ThreadPoolExecutor(AT_ONCE) as pool,
        ):
            for step in steps:
                self._written[step.name] = pool.submit(self._stored, step)
                self._written[step.name].add_done_callback(
                    lambda own: advance(not own.cancelled() and own.exception() is None)
                )
            try:
                ended, _ = wait(self._written.values(), return_when=FIRST_EXCEPTION)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                self._cancel_jobs()
            for table in ended:
                table.result()

    def _steps_to_do(self) -> tuple[Step, ...]:
        """Return the steps up to the one to stop after."""
        names = [step.name for step in self._plan.steps]
        end = names.index(self.stop_after) + 1 if self.stop_after in names else None
        return self._plan.steps[:end]

    def _cancel_jobs(self) -> None:
        """Stop what still runs; if Spark itself is gone, the failed table tells."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        with suppress(Py4JError, PySparkException, OSError):
            if is_remote(self.spark):
                self.spark.interruptTag(self._tag)
            else:
                self.spark.sparkContext.cancelJobsWithTag(self._tag)

    def _tag_jobs(self) -> None:
        """Let the jobs that this thread starts be known when they are to be stopped."""
        if is_remote(self.spark):
            self.spark.addTag(self._tag)
        else:
            self.spark.sparkContext.addJobTag(self._tag)

    @cached_property
    def _cores(self) -> int:
        return cores_of(self.spark)

    def _given(self, table: pa.Table) -> "DataFrame":
        """Return a table of the driver's; from Arrow, so that joins are planned by its size."""
        return self.spark.createDataFrame(table, spark_schema(table.schema))

    def _is_stored(self, step: Step) -> bool:
        """Return whether a step's table is written: all that is delivered, or read often and costly.

        What looks rows up reads its own twice: for the keys that they want, and for themselves.
        """
        if isinstance(step, Fold):
            return False
        if step.name in self._plan.outputs or step.name == self.stop_after:
            return True
        readers = [other for other in self._plan.steps if step.name in other.inputs]
        if any(isinstance(r, Map) and r.lookup and step.name in (r.input, r.lookup) for r in readers):
            return True
        if isinstance(step, Sql):
            return step.keep
        return len(readers) > 1 and not self._is_made_quickly(step)

    def _is_made_quickly(self, step: Step) -> bool:
        """Return whether rows are numbers from lists beside Spark, which are read faster than rows."""
        if not isinstance(step, Map) or step.lookup or step.only or not pieces.fits(step.schema):
            return False
        maker = self._by_name.get(step.input)
        return isinstance(maker, Map) and self._lists_apart(maker) is not None

    def folder_of(self, name: str) -> HadoopFolder | SharedFolder:
        """Return where the table of a step is written."""
        return self.steps / f"{1 + list(self._by_name).index(name):02}-{name}"

    def _frame(self, name: str) -> "DataFrame":
        """Return a table; if it is written, when that is done."""
        if name in self._written:
            self._written[name].result()
        if name not in self._frames:
            self._frames[name] = self._found(name)
        return self._frames[name]

    def _found(self, name: str) -> "DataFrame":
        if name in self._tables:
            return self._given(self._tables[name])
        if name in self._written:
            return self._opened(name)
        return self._built(self._by_name[name])

    def _stored(self, step: Step) -> None:
        """Write a table, if no earlier run has: by Spark, or by the driver if it reads little."""
        folder = self.folder_of(step.name)
        self._tag_jobs()
        local = folder.local_path()
        with explained(f"step {step.name!r}"):
            if folder.is_whole():
                pass
            elif self._small and local and self._is_small(step):
                begun = time.perf_counter()
                names = self._rename if step.name in self._plan.outputs else {}
                self._small.write(step, local, names, self.progress)
                self.seconds[step.name] = time.perf_counter() - begun
                self._by_driver.add(step.name)
            else:
                if isinstance(step, Map) and (left := self._lists_apart(step)):
                    shutil.rmtree(left, ignore_errors=True)
                self._frames[step.name] = self._write(self._built(step), folder, step.name)
        if self._small and local:
            self._small.open(step, local, self._own_names(step.name))

    def _own_names(self, name: str) -> dict[str, str]:
        """Return the plan's names of columns by those that a table was written with."""
        return {new: old for old, new in self._rename.items()} if name in self._plan.outputs else {}

    def _opened(self, name: str) -> "DataFrame":
        """Return a table that this run's Spark has not written; of the driver's, the schema is known."""
        folder, read = self.folder_of(name), self.spark.read
        if name in self._by_driver and (local := folder.local_path()):
            read = read.schema(spark_schema(WrittenTable(local, {}).schema))
        frame, names = read.parquet(str(folder)), self._own_names(name)
        return frame.toDF(*(names.get(column, column) for column in frame.columns))

    def _is_small(self, step: Step) -> bool:
        """Return whether the driver can run a step, when all that it reads is there."""
        if not self._small or not isinstance(step, Sql | Cluster):
            return False
        self._wait_for(step)
        return self._small.suffice_for(step, self._by_name)

    def _wait_for(self, step: Sql | Cluster) -> None:
        """Wait for the tables that a step reads, itself or by statements that are not written."""
        for name in step.inputs:
            if name in self._written:
                self._written[name].result()
                continue
            maker = self._by_name.get(name)
            if isinstance(maker, Sql | Cluster):
                self._wait_for(maker)

    def _write(self, frame: "DataFrame", folder: HadoopFolder | SharedFolder, name: str) -> "DataFrame":
        """Write a table and return it as it is read back."""
        delivered = name in self._plan.outputs
        names = frame.columns
        if delivered:
            frame = nullable(frame).toDF(*(self._rename.get(name, name) for name in names))
        begun = time.perf_counter()
        with watched(self.spark, self.progress, name):
            self._writer(frame, delivered).parquet(str(folder))
        self.seconds[name] = time.perf_counter() - begun
        return self.spark.read.schema(frame.schema).parquet(str(folder)).toDF(*names)

    def _writer(self, frame: "DataFrame", delivered: bool) -> "DataFrameWriter":
        """Return what writes a table; lists of numbers neither repeat nor compress."""
        lists = packed_columns(frame.schema)
        compression = "uncompressed" if lists else "lz4_raw"
        writer = frame.write.mode("overwrite").option("parquet.block.size", str(ROW_GROUP))
        for name in lists:
            writer = writer.option(f"parquet.enable.dictionary#{name}", "false")
        return writer.option("compression", "zstd" if delivered else compression)

    def _built(self, step: Step) -> "DataFrame":
        match step:
            case Map():
                return self._map(step)
            case Sql():
                inputs: dict[str, Any] = {name: self._frame(name) for name in step.inputs}
                text = step.chosen(lambda name: bool(inputs[name].take(1)))
                used = {name: frame for name, frame in inputs.items() if f"{{{name}}}" in text}
                return self.spark.sql(text, **used)
            case Cluster():
                return self._cluster(step)
            case Fold():
                raise TypeError(f"{step.name} is a summary, not a table")

    def _map(self, step: Map) -> "DataFrame":
        if step.input in self._sources:
            return self._read(step, self._sources[step.input])
        maker = self._maker(step)
        if maker and not (step.lookup or step.only or step.grouped):
            return self._map(pieces.chained(maker, step))
        if step.lookup:
            files = self._few_files(step)
            return self._look_up(step) if files is None else files
        rows, function = self._together(step) if step.grouped else self._apart(step)
        lists, apart = packed_columns(rows.schema), self._lists_apart(step)
        task = tasks.mapping(function, self._sides(step), lists, step.grouped, apart)
        return rows.mapInArrow(task, spark_schema(step.schema, apart))

    def _maker(self, step: Map) -> Map | None:
        """Return the step that makes rows only for this one, if a function makes them."""
        found = self._by_name.get(step.input)
        return found if isinstance(found, Map) and not self._is_stored(found) else None

    def _lists_apart(self, step: Map) -> str | None:
        """Return the folder for the lists of a table that is read several times, if tasks reach one."""
        if self._disk is None or step.name in self._plan.outputs or not self._is_stored(step):
            return None
        lists = any(is_packed(field.type) for field in step.schema)
        return str(self._disk / f"lists-{step.name}") if lists else None

    def _apart(self, step: Map) -> "tuple[DataFrame, MapFunction]":
        """Return the rows to be mapped and what maps them; the driver's tables are one file each."""
        rows = self._rows(step.input, step.only)
        if step.input in self._by_driver and not step.grouped:
            rows = rows.repartition(2 * self._cores)
        return rows, step.function

    def _together(self, step: Map) -> "tuple[DataFrame, MapFunction]":
        """Return a partition with all rows of each value of the first column, and what maps them.

        Numbers that are computed only for this step come in pieces.
        """
        rows, function = self._apart(step)
        maker = self._maker(step)
        if maker and pieces.fits(maker.schema):
            parts = int(str(self.spark.conf.get("spark.sql.shuffle.partitions")))
            rows = self._map(pieces.cut(maker, parts))
            function = partial(pieces.joined, function, maker.schema)
        return rows.repartition(rows.columns[0]), function

    def _read(self, step: Map, source: Source) -> "DataFrame":
        apart = self._lists_apart(step)
        schema = spark_schema(step.schema, apart)
        if isinstance(source, FrameSource):
            task = source.mapped(step.function, self._sides(step), apart)
            return source.frame.mapInArrow(task, schema)
        splits = (split._replace(size=split.size + OPENING) for split in source.splits())
        groups = list(grouped(splits, TASK_BYTES))
        task = tasks.reading(step.function, self._sides(step), apart)
        return portions_of(self.spark, source, groups).mapInArrow(task, schema)

    def _rows(self, name: str, only: str | None) -> "DataFrame":
        """Return the rows of a table, or just those whose first column another table has."""
        rows = self._frame(name)
        if only is None:
            return rows
        keys = self._frame(only)
        keys = keys.select(keys[keys.columns[0]].alias(rows.columns[0]))
        return rows.join(keys, rows.columns[0], "left_semi")

    def _sides(self, step: Map) -> dict[str, tasks.Side]:
        return {name: self._summary(name) for name in step.sides}

    def _few_files(self, step: Map) -> "DataFrame | None":
        """Let tasks look rows up in files that all of them can read whole; None if these are large."""
        names = {step.input, str(step.lookup)}
        if step.only or step.grouped or not names <= self._written.keys() - {*self._plan.outputs}:
            return None
        key = self._frame(str(step.lookup)).columns[0]
        given = self._files(step.input, *self._frame(step.input).columns)
        known = self._files(str(step.lookup), key, *step.lookup_columns)
        if not given or not known or max(given.size(), known.size()) > small.MOST_BYTES // FEW:
            return None
        rows = given.rows()
        size = min(step.task_rows or BLOCK_ROWS, -(-rows // (2 * self._cores))) or 1
        sides, keys = self._sides(step), step.lookup_keys
        apart = self._lists_apart(step)
        task = tasks.looking_up_in_files(step.function, sides, given, known, keys, size, apart)
        count = -(-rows // size)
        blocks = self.spark.range(0, count, 1, min(max(count, 1), ROUNDS * self._cores))
        return blocks.mapInArrow(task, spark_schema(step.schema, apart))

    def _files(self, name: str, *columns: str) -> tasks.Files | None:
        """Return some columns of a written table as tasks can read them; None if they cannot."""
        folder = self.folder_of(name).local_path()
        if not self._disk or not folder:
            return None
        lists = packed_columns(self._frame(name).select(*columns).schema)
        return tasks.Files(folder, columns, tuple(lists.items()))

    def _look_up(self, step: Map) -> "DataFrame":
        """Bring each block of rows together with all that it may look up."""
        rows, table = self._rows(step.input, step.only), self._frame(str(step.lookup))
        blocks = in_blocks(rows, step.task_rows or BLOCK_ROWS, step.grouped)
        found = wanted_by(blocks, table.select(table.columns[0], *step.lookup_columns), step.lookup_keys)
        apart, sides = self._lists_apart(step), self._sides(step)
        lists, found_lists = packed_columns(rows.schema), packed_columns(found.schema)
        task = tasks.looking_up(step.function, sides, lists, found_lists, apart)
        both = blocks.groupBy(tasks.BLOCK).cogroup(found.groupBy(tasks.WANTED))
        return both.applyInArrow(task, spark_schema(step.schema, apart))

    def _summary(self, name: str) -> tasks.Side:
        """Return the summary that a step makes, if no earlier run has."""
        step = self._by_name[name]
        if not isinstance(step, Fold):
            raise TypeError(f"{name} is not a summary")
        return self._summaries.get(step, self.folder_of(name), lambda: self._rows(step.input, step.only))

    def _cluster(self, step: Cluster) -> "DataFrame":
        def store(frame: "DataFrame", name: str) -> "DataFrame":
            return self._write(frame, self.steps / f"{step.name}-{name}", f"{step.name}: {name}")

        return clustered(self._frame(step.nodes), self._frame(step.edges), step.kind, store)


def nullable(frame: "DataFrame") -> "DataFrame":
    """Return a table that may hold nulls, for all Spark knows: so files differ by their rows only."""
    nulls = [f"cast(null as {field.dataType.simpleString()}) as {field.name}" for field in frame.schema]
    return frame.union(frame.sparkSession.range(0, 1, 1, 1).where("id > 1").selectExpr(*nulls))
