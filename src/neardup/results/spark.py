"""Runs on Spark, into a folder on any filesystem that it reaches."""

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.engines.base import Progress, Table
from neardup.engines.spark.engine import SparkEngine
from neardup.engines.spark.failures import explained
from neardup.engines.spark.folders import Folder
from neardup.engines.spark.leases import leased
from neardup.engines.spark.session import open_session, tuned
from neardup.errors import InputError, OutputError
from neardup.plan import Plan
from neardup.readers.source import Source
from neardup.results.folder import ResultFolder
from neardup.results.local import locked
from neardup.results.places import (
    FINGERPRINT,
    PARTIAL,
    REPLACED,
    check_name,
    check_partial,
    check_replaceable,
)
from neardup.settings.run import RunSettings, SparkSettings

LOCK = f"{PARTIAL}.lock"


class SparkPlace:
    """A folder that all executors reach, worked for by the Spark engine."""

    def __init__(self, output: str, run: RunSettings, spark: SparkSettings, progress: Progress) -> None:
        check_name(output)
        self._session = spark.session or open_session(spark.master, dict(spark.conf), run.memory)
        self._given = spark.session is not None
        with explained(output):
            self._output = Folder(self._session, output).qualified()
        self._work = self._output.beside(PARTIAL)
        self._keep_steps = run.keep_steps
        self._progress = progress
        self._engine = SparkEngine(
            self._session, self._work, progress=progress, stop_after=run.stop_after
        )

    @property
    def steps(self) -> str:
        """Return where the tables of steps are."""
        return str(self._engine.steps)

    @property
    def seconds(self) -> Mapping[str, float]:
        """Return how long each step took."""
        return self._engine.seconds

    def check_free(self, overwrite: bool) -> None:
        """Refuse to write over something that is already there."""
        where = str(self._output)
        with explained(where):
            replaced = self._work / REPLACED
            if replaced.exists() and not self._output.exists():
                replaced.rename(self._output)  # an earlier run was killed just as it replaced this
            if self._output.exists():
                check_replaceable(self._output.names(), overwrite, where, self._read)

    @contextmanager
    def claimed(self, fingerprint: str) -> Iterator[None]:
        """Go on with what an interrupted run left if it was the same run; else begin anew."""
        with explained(str(self._output)), self._locked():
            if self._work.exists():
                check_partial(self._work.names(), str(self._work))
            self._work.make()
            known = self._work / FINGERPRINT
            if known.exists() and known.read_text() == fingerprint:
                self._progress.note(f"going on with an interrupted run in {self._work}")
            else:
                self._clear()
                known.write_text(fingerprint)
            try:
                yield
            except InputError:
                self._clear()  # the same run would end in the same way
                self._work.delete()
                raise

    def _clear(self) -> None:
        """Delete all that a run left but what shows that the folder is neardup's."""
        (self._work / FINGERPRINT).write_text("")
        for name in self._work.names() or ():
            if name != FINGERPRINT:
                (self._work / name).delete()

    def _locked(self) -> AbstractContextManager[None]:
        """Keep other runs from writing the same result: by a lock of the disk, or a lease elsewhere."""
        lock = self._output.beside(LOCK)
        local = lock.local_path()
        if local is None:
            return leased(lock, str(self._output))
        return on_disk(local, str(self._output))

    def run(
        self,
        plan: Plan,
        source: Source,
        tables: Mapping[str, pa.Table],
        rename: Mapping[str, str],
    ) -> Mapping[str, Table]:
        """Run a plan over records and small tables in memory; users get some columns renamed."""
        size = sum(split.size for split in source.splits())
        with tuned(self._session, size):
            return self._engine.run(plan, {"records": source}, tables, rename)

    def write_tables(self, tables: Mapping[str, Table]) -> None:
        """Give the tables that users get their place; the engine has written them."""
        for name in tables:
            if name != "facts":
                target = self._work / f"{name}.parquet"
                target.delete()
                self._engine.folder_of(name).rename(target)

    def write_json(self, name: str, content: dict[str, Any]) -> None:
        """Write a JSON file for people and programs to read."""
        (self._work / name).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def _read(self, name: str) -> str:
        return (self._output / name).read_text()

    def finish(self) -> None:
        """Give the finished folder its name."""
        if self._output.exists():  # something may have been put there since the run began
            check_replaceable(self._output.names(), True, str(self._output), self._read)
        (self._work / FINGERPRINT).write_text("")  # from here on, nobody goes on with the steps
        if not self._keep_steps:
            (self._work / "steps").delete()
        if self._output.exists():
            self._output.rename(self._work / REPLACED)
        self._work.rename(self._output)
        for name in (FINGERPRINT, REPLACED):
            (self._output / name).delete()

    def opened(self, source: Source) -> ResultFolder:
        """Return the finished folder, to be read: of a session that was given, as DataFrames."""
        del source
        local = self._output.local_path()
        if local is not None and not self._given:
            return ResultFolder(local)
        return ResultFolder(str(self._output), tables=SparkTables(self._session, self._output))


@contextmanager
def on_disk(lock: Path, output: str) -> Iterator[None]:
    """Hold a lock beside a result on this machine's disk."""
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        with locked(lock, output):
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
    except PermissionError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=output) from error


class SparkTables:
    """A folder on any filesystem that Spark reaches, its tables as DataFrames."""

    def __init__(self, session: Any, folder: Folder) -> None:
        self._session = session
        self._folder = folder

    def read_text(self, name: str) -> str:
        """Return what is in a file of the result."""
        return (self._folder / name).read_text()

    def names(self) -> list[str]:
        """Return the names of the tables."""
        suffix = ".parquet"
        return sorted(n.removesuffix(suffix) for n in self._folder.names() or () if n.endswith(suffix))

    def table(self, name: str) -> Any:
        """Return one of the tables; the files of a temporary result live as long as it."""
        frame: Any = self._session.read.parquet(str(self._folder / f"{name}.parquet"))
        frame.neardup_tables = self
        return frame

    def arrow(self, name: str, most: int | None = None) -> pa.Table:
        """Return the first rows of a table, or all, in Arrow."""
        frame = self.table(name)
        return (frame if most is None else frame.limit(most)).toArrow()

    def local(self) -> Path | None:
        """Return the folder on this machine's disk, None if it is elsewhere."""
        return self._folder.local_path()
