"""The local engine: DuckDB for SQL, kernels on all cores beside it, step tables on disk.

Every step's table is a folder of Arrow files in the work folder. It appears under its name only when
it is whole, so a run that was killed goes on after its last whole step.
"""

import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from functools import cached_property, partial
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal, TypeVar

import duckdb
import numpy as np
import pyarrow as pa

from neardup.arrays import Bools, Integers
from neardup.engines.base import Advance, Progress, Silent, Table
from neardup.engines.local.database import Database, failures_told, is_out_of_memory
from neardup.engines.local.frugality import Frugality, release_memory
from neardup.engines.local.lookup import StoredLookup
from neardup.engines.local.shuffle import Shuffle
from neardup.engines.local.sorting import in_parts, ordered
from neardup.engines.local.store import (
    Scan,
    StoredParts,
    StoredTable,
    TableWriter,
    read_part,
    read_rows,
    words_of,
)
from neardup.engines.local.workers import Task, worker
from neardup.engines.parquet import write_table
from neardup.kernels import graphs
from neardup.plan import Cluster, Fold, Map, Plan, Sql, Step, Summary
from neardup.readers.html_limits import MOST as LARGEST_PAGE
from neardup.readers.source import Source, Split, grouped, together
from neardup.settings.run import RunSettings

TASK_BYTES = 8 << 20  # small splits are read together until they make a task of this size
PROCESSES_BYTES = 4 << 20  # of a table whose rows are worth the second that processes take to start
DUCKDB_SHARE = 0.5
DUCKDB_LEAST = 48 << 20
DUCKDB_THREAD = 64 << 20
DUCKDB_SHARED = 1 << 20  # bytes of tables of which threads each have a part; of fewer, they only wait
WORKER_MEMORY = 48 << 20
PROCESS_MEMORY = 128 << 20  # that a process takes before it has done anything
SQL_BATCH_ROWS = 1 << 16
LEAST_PARTITION = 1 << 20
MOST_PARTITION = 8 << 20  # bytes of rows that are grouped at once
LONG_RUNS = 8  # rows, in the mean, that are worth copying as one
MOST_RUN = 16 << 20  # bytes of rows that are sorted at once
Item = TypeVar("Item")
CLUSTERS = pa.schema([("node", pa.int64()), ("keeper", pa.int64()), ("similarity", pa.float64())])


class StoppedError(Exception):
    """Raised inside workers when another one failed."""


class LocalEngine:
    """Runs plans in this process, with the workers and in the memory of a run."""

    def __init__(self, work: Path, run: RunSettings, progress: Progress | None = None) -> None:
        self.work = work
        self.steps = work / "steps"
        # with little memory, fewer work at a time: each needs some for itself
        self.workers = min(run.workers, max(run.memory // WORKER_MEMORY, 2))
        self.memory = run.memory
        self.progress = progress or Silent()
        self.keep_steps = run.keep_steps
        self.stop_after = run.stop_after
        self.seconds: dict[str, float] = {}
        self._stop = threading.Event()
        self._rename: Mapping[str, str] = {}
        self._sources: dict[str, Source] = {}
        self._tables: dict[str, StoredTable | pa.Table] = {}
        self._summaries: dict[str, Summary] = {}
        self._statements: list[Sql] = []

    def run(
        self,
        plan: Plan,
        sources: Mapping[str, Source],
        tables: Mapping[str, pa.Table],
        rename: Mapping[str, str] | None = None,
    ) -> Mapping[str, StoredTable]:
        """Run a plan, or what is left of it, and return the tables that it delivers."""
        self._rename = rename or {}
        self._sources = dict(sources)
        self._tables = dict(tables)
        self._statements = [step for step in plan.steps if isinstance(step, Sql)]
        try:
            self._run_steps(plan)
        except BaseException:
            if "_database" in vars(self):
                self._database.close()
            raise
        if "_database" in vars(self):
            self._database.leave()
            del self._database
        return {n: self._stored(n) for n in plan.outputs if n in self._tables}

    def deliver(self, tables: Mapping[str, Table]) -> None:
        """Write tables into the folder that this engine works in, with some columns renamed."""

        def write(name: str) -> None:
            fields = [f.with_name(self._rename.get(f.name, f.name)) for f in tables[name].schema]
            schema = pa.schema(fields)
            batches = (b.rename_columns(schema.names) for b in tables[name].batches())
            write_table(self.work / f"{name}.parquet", schema, batches)

        with ThreadPoolExecutor(self.workers) as writers:
            for written in [writers.submit(write, name) for name in tables]:
                written.result()

    def _run_steps(self, plan: Plan) -> None:
        last_use = {step.name: number for number, step in enumerate(plan.steps)} | plan.last_use()
        with ThreadPoolExecutor(1) as deleting:  # which takes the system a while, if files are large
            deleted = []
            for number, step in enumerate(plan.steps):
                self._timed(plan, number)
                if step.name == self.stop_after:
                    break
                for earlier, used in enumerate(plan.steps):
                    if last_use[used.name] == number and used.name not in plan.outputs:
                        self._summaries.pop(used.name, None)
                        deleted.append(deleting.submit(self._drop, self._folder(earlier, used)))
        for each in deleted:
            each.result()

    def _timed(self, plan: Plan, number: int) -> None:
        """Run a step, if that is needed, and note how long it took."""
        step, folder = plan.steps[number], self._folder(number, plan.steps[number])
        release_memory()
        begun = time.perf_counter()
        if self._is_needed(plan, number):
            self._run_step(step, folder)
        elif folder.exists():
            self._tables[step.name] = StoredTable(folder)
        self.seconds[step.name] = time.perf_counter() - begun

    def _folder(self, number: int, step: Step) -> Path:
        return self.steps / f"{number + 1:02}-{step.name}"

    def _is_done(self, number: int, step: Step) -> bool:
        folder = self._folder(number, step)
        return folder.exists() or folder.with_suffix(".done").exists()

    def _is_needed(self, plan: Plan, number: int) -> bool:
        """Return whether a step is still to be run; a summary, if a step that uses it is."""
        step = plan.steps[number]
        if not isinstance(step, Fold):
            return not self._is_done(number, step)
        users = [(n, s) for n, s in enumerate(plan.steps) if step.name in s.inputs]
        return not all(self._is_done(n, s) for n, s in users)

    def _drop(self, folder: Path) -> None:
        """Delete what no later step needs."""
        if not self.keep_steps and folder.exists():
            folder.with_suffix(".done").touch()
            shutil.rmtree(folder)

    def _run_step(self, step: Step, folder: Path) -> None:
        with failures_told(step, self.steps):
            match step:
                case Map():
                    self._tables[step.name] = self._map(step, folder)
                case Fold():
                    self._summaries[step.name] = self._fold(step)
                case Sql():
                    self._tables[step.name] = self._sql(step, folder)
                case Cluster():
                    self._tables[step.name] = self._cluster(step, folder)

    def _map(self, step: Map, folder: Path) -> StoredTable:
        """Apply the function to each batch; each chunk of the input makes one file."""
        writer = TableWriter(folder, step.schema)
        source = self._sources.get(step.input)
        if source and self._wants_processes(step, source):
            groups = [(sum(s.size for s in g), g) for g in grouped(source.splits(), TASK_BYTES)]
            self._map_in_processes(step, source, groups, writer)
            return writer.finish()
        if not source and step.holds_gil and self._is_worth_processes(step):
            parts = [(p.stat().st_size, [p]) for p in self._stored(step.input).parts]
            self._map_in_processes(step, StoredParts(), parts, writer)
            return writer.finish()
        sides: dict[str, Any] = {name: self._summaries[name] for name in step.sides}
        if step.lookup:
            sides["lookup"] = StoredLookup(self._stored(step.lookup), step.lookup_columns)
        only = self._keys(step.only)

        def work(number: int, batches: Iterator[pa.RecordBatch]) -> None:
            writer.write_part(number, (step.function(b, sides) for b in kept(batches, only)))

        if step.grouped:
            self._each_partition(step, work)
        else:
            self._each_chunk(step.name, step.input, work, step.task_rows)
        return writer.finish()

    def _wants_processes(self, step: Map, source: Source) -> bool:
        """Return whether processes pay: they take a second to start, and see nothing but the source."""
        several = len(list(grouped(source.splits(), TASK_BYTES))) > 1
        slow = source.holds_gil or step.holds_gil
        return is_alone(step) and slow and self._processes > 1 and several

    def _is_worth_processes(self, step: Map) -> bool:
        """Say the same of a step that reads another one's table."""
        sizes = [part.stat().st_size for part in self._stored(step.input).parts]
        several = len(sizes) > 1 and sum(sizes) >= PROCESSES_BYTES
        return is_alone(step) and self._processes > 1 and several

    @property
    def _processes(self) -> int:
        """Return how many processes there is memory for, each with a page that is as large as may be."""
        return min(self.workers, self.memory // (PROCESS_MEMORY + LARGEST_PAGE))

    def _map_in_processes(
        self, step: Map, source: Any, groups: Iterable[tuple[int, list[Any]]], writer: TableWriter
    ) -> None:
        """Let each thread drive a process of its own; they read and write files themselves."""
        own = threading.local()
        with ExitStack() as processes:

            def work(number: int, splits: list[Any]) -> None:
                if not hasattr(own, "worker"):
                    own.worker = processes.enter_context(worker(self.memory))
                path = writer.path_of(number)
                own.worker.perform(Task(source, splits, step.function, step.schema, path))

            self._share(step.name, list(groups), work, workers=self._processes)

    def _fold(self, step: Fold) -> Summary:
        """Build one summary a worker, then merge them, always two and two at the same time."""
        only = self._keys(step.only)
        own = threading.local()
        summaries: list[Summary] = []

        def work(_: int, batches: Iterator[pa.RecordBatch]) -> None:
            if not hasattr(own, "summary"):
                own.summary = step.start()
                summaries.append(own.summary)
            for batch in kept(batches, only):
                own.summary.add(batch)

        self._each_chunk(step.name, step.input, work)
        while len(summaries) > 1:
            half = len(summaries) // 2
            first, second = summaries[:half], summaries[-half:]
            with ThreadPoolExecutor(half) as pool:
                list(pool.map(lambda total, other: total.merge(other), first, second))
            summaries = summaries[:-half]
        return summaries[0] if summaries else step.start()

    def _sql(self, step: Sql, folder: Path) -> StoredTable:
        """Run a statement and stream its rows to disk."""
        for name in step.inputs:
            self._register(name)
        text = step.chosen(lambda name: self._stored(name).rows() > 0)
        text = text.format_map({name: f'"{name}"' for name in step.inputs})
        self._database.use(threads=1 if self._bytes(step.inputs) < DUCKDB_SHARED else self._threads)
        with self.progress.step(step.name, None, "rows") as advance:
            try:
                return self._streamed(text, folder, advance)
            except (OSError, duckdb.Error) as error:
                if not is_out_of_memory(error):
                    raise
        return self._sql_in_parts(step.name, text, folder)

    def _streamed(self, text: str, folder: Path, advance: Advance) -> StoredTable:
        reader = self._database.stream(text, SQL_BATCH_ROWS)
        writer = TableWriter(folder, reader.schema)
        writer.write_stream(counted(reader, advance))
        return writer.finish()

    def _sql_in_parts(self, name: str, text: str, folder: Path) -> StoredTable:
        """Run a statement with less memory: on one core, and with rows that are sorted part by part."""
        unsorted, keys = ordered(text)
        apart = folder.with_name(f"{folder.name}.apart")
        shutil.rmtree(apart, ignore_errors=True)
        self._database.use(threads=1)
        with self.progress.step(name, None, "rows") as advance:
            if not keys:
                return self._streamed(text, folder, advance)
            rows = self._streamed(unsorted, apart, lambda _: None)
            writer = TableWriter(folder, rows.schema)
            batches = in_parts(self._database, rows, keys, self._sql_memory, SQL_BATCH_ROWS)
            writer.write_stream(counted(batches, advance))
        shutil.rmtree(apart, ignore_errors=True)
        return writer.finish()

    def _register(self, name: str) -> None:
        """Let statements read a table: all columns that any of them may need."""
        if name in self._database:
            return
        table = self._tables[name]
        if isinstance(table, StoredTable):
            reading = (step.texts for step in self._statements if name in step.inputs)
            self._database.register(name, Scan(table, chain.from_iterable(map(words_of, reading))))
        else:
            self._database.register(name, table)

    def _bytes(self, names: Iterable[str]) -> int:
        """Return how large tables are together."""
        tables = [self._tables[name] for name in names]
        return sum(t.bytes() if isinstance(t, StoredTable) else t.nbytes for t in tables)

    @property
    def _sql_memory(self) -> int:
        return max(int(self.memory * DUCKDB_SHARE), DUCKDB_LEAST)

    @property
    def _threads(self) -> int:
        return max(min(self.workers, self._sql_memory // DUCKDB_THREAD), 1)

    @cached_property
    def _database(self) -> Database:
        settings: dict[str, str | bool | int] = {
            "threads": 1,
            "memory_limit": f"{self._sql_memory // 1024}KiB",
            "temp_directory": str(self.steps / "spill"),
            "preserve_insertion_order": False,
        }
        return Database(settings)

    def _cluster(self, step: Cluster, folder: Path) -> StoredTable:
        nodes = self._stored(step.nodes).rows()
        edges = self._stored(step.edges)
        with self.progress.step(step.name, edges.rows(), "pairs") as advance:
            table = clustered(step.kind, nodes, counted(edges.batches(), advance))
        writer = TableWriter(folder, CLUSTERS)
        writer.write_stream(table.to_batches(SQL_BATCH_ROWS))
        return writer.finish()

    def _stored(self, name: str) -> StoredTable:
        table = self._tables[name]
        if not isinstance(table, StoredTable):
            raise TypeError(f"{name} is not the table of a step")
        return table

    def _keys(self, name: str | None) -> Integers | None:
        """Return the sorted first column of a table."""
        if name is None:
            return None
        columns = [batch.column(0).to_numpy() for batch in self._stored(name).batches()]
        return np.sort(np.concatenate(columns)) if columns else np.empty(0, np.int64)

    def _each_chunk(
        self,
        name: str,
        table: str,
        work: Callable[[int, Iterator[pa.RecordBatch]], None],
        task_rows: int | None = None,
    ) -> None:
        """Let the workers take the chunks of a table one after the other."""
        source = self._sources.get(table)
        chunks: list[tuple[int, Callable[[], Iterator[pa.RecordBatch]]]]
        if source:
            groups = grouped(source.splits(), TASK_BYTES)
            chunks = [(sum(s.size for s in g), partial(read_splits, source, g)) for g in groups]
        elif task_rows:
            # of few rows, smaller tasks: so that every worker has some
            share = self._stored(table).rows() // (4 * self.workers)
            places = self._stored(table).places(min(task_rows, max(share, task_rows // 64, 1)))
            chunks = [(p.rows, partial(read_rows, p)) for p in places]
        else:
            parts = self._stored(table).parts
            chunks = [(part.stat().st_size, partial(read_part, part)) for part in parts]
        unit = "rows" if task_rows and not source else "bytes"
        self._share(name, chunks, lambda number, read: work(number, self._until_stopped(read())), unit)

    def _each_partition(self, step: Map, work: Callable[[int, Iterator[pa.RecordBatch]], None]) -> None:
        """Bring the rows together by their first column and let the workers take the groups."""
        most = max(self.memory // 64, MOST_PARTITION) if step.together else MOST_PARTITION
        size = min(max(self.memory // 32, LEAST_PARTITION), most)
        run = min(max(self.memory // (16 * self.workers), LEAST_PARTITION), MOST_RUN)
        stored = self._stored(step.input)
        with closing(Shuffle(stored, self.steps / "shuffle", size, run, self.workers)) as rows:
            self._share(f"{step.name}: sort", rows.groups, rows.scatter)
            share = rows.bytes // rows.partitions
            groups = [(share, number) for number in range(rows.partitions)]
            self._share(step.name, groups, lambda number, group: work(number, rows.gather(group)))

    def _share(
        self,
        name: str,
        items: list[tuple[int, Item]],
        work: Callable[[int, Item], None],
        unit: str = "bytes",
        workers: int | None = None,
    ) -> None:
        """Let the workers take the items, each with its size, one after the other."""
        numbers = count()
        with self.progress.step(name, sum(size for size, _ in items), unit) as advance:

            def take() -> None:
                try:
                    while (number := next(numbers)) < len(items) and not self._stop.is_set():
                        size, item = items[number]
                        work(number, item)
                        advance(size)
                        if Frugality.on:
                            release_memory()
                except StoppedError:
                    pass
                except BaseException:
                    self._stop.set()
                    raise

            threads = min(workers or self.workers, len(items))
            if threads <= 1:
                take()
                return
            with ThreadPoolExecutor(threads) as pool:
                futures = [pool.submit(take) for _ in range(threads)]
                try:
                    wait(futures, return_when=FIRST_EXCEPTION)
                except BaseException:  # an interrupt from the keyboard
                    self._stop.set()
                    raise
            for future in futures:
                future.result()

    def _until_stopped(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if self._stop.is_set():
                raise StoppedError
            yield batch


def clustered(
    kind: Literal["star", "components"], nodes: int, edges: Iterable[pa.RecordBatch]
) -> pa.Table:
    """Walk through the sorted edges once; the state is a few bytes a node."""
    grouping = graphs.grouping(kind, nodes)
    for batch in edges:
        grouping.add(*(column.to_numpy() for column in batch.columns))
    return pa.table([np.arange(nodes), *grouping.finish()], schema=CLUSTERS)


def kept(batches: Iterable[pa.RecordBatch], keys: Integers | None) -> Iterator[pa.RecordBatch]:
    """Yield the rows whose first column is among the sorted keys; all if there are none."""
    for batch in batches:
        if keys is None:
            yield batch
            continue
        column = batch.column(0).to_numpy()
        at = np.searchsorted(keys, column)
        found = at < len(keys)
        found[found] = keys[at[found]] == column[found]
        yield batch if found.all() else filtered(batch, found)


def filtered(batch: pa.RecordBatch, found: Bools) -> pa.RecordBatch:
    """Return the rows that are marked; where nearly all are, copied in long runs, which is faster."""
    cuts = np.flatnonzero(np.diff(found, prepend=False, append=False))
    if LONG_RUNS * len(cuts) > batch.num_rows:
        return batch.filter(pa.array(found))
    runs = cuts.reshape(-1, 2).tolist()
    return pa.concat_batches([batch.slice(0, 0), *(batch.slice(i, j - i) for i, j in runs)])


def is_alone(step: Map) -> bool:
    """Return whether a step needs nothing but its input: processes see nothing else."""
    return not (step.sides or step.lookup or step.only or step.grouped)


def counted(batches: Iterable[pa.RecordBatch], advance: Advance) -> Iterator[pa.RecordBatch]:
    """Report the rows that pass."""
    for batch in batches:
        advance(batch.num_rows)
        yield batch


def read_splits(source: Source, splits: Iterable[Split]) -> Iterator[pa.RecordBatch]:
    """Yield the records of some splits one after the other."""
    return together(batch for split in splits for batch in source.read(split))
