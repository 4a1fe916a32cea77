"""Runs on Spark, into a folder on any filesystem that it reaches."""

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, cast

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
from neardup.results.files import RUN
from neardup.results.folder import Result
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
                check_replaceable(self._output.names(), overwrite, where)

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

    def finish(self) -> None:
        """Give the finished folder its name."""
        if self._output.exists():  # something may have been put there since the run began
            check_replaceable(self._output.names(), True, str(self._output))
        (self._work / FINGERPRINT).write_text("")  # from here on, nobody goes on with the steps
        if not self._keep_steps:
            (self._work / "steps").delete()
        if self._output.exists():
            self._output.rename(self._work / REPLACED)
        self._work.rename(self._output)
        for name in (FINGERPRINT, REPLACED):
            (self._output / name).delete()

    def result(self, source: Source) -> Result:
        """Return the result: of a session that was given, as DataFrames."""
        del source
        local = self._output.local_path()
        return SparkResult(self._session, self._output) if self._given or not local else Result(local)


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


class SparkResult(Result):
    """A result whose tables are Spark's DataFrames, on any filesystem that Spark reaches."""

    def __init__(self, session: Any, folder: Folder) -> None:
        self._session = session
        self._place = folder
        self.folder = Path(str(folder))
        self.live_source = None

    @cached_property
    def run(self) -> dict[str, Any]:
        """Return what `run.json` says: settings, versions, inputs and counts."""
        return dict(json.loads((self._place / RUN).read_text()))

    def table(self, name: str) -> Any:
        """Return one of the result's tables, as a DataFrame; a temporary result lives as long as it."""
        frame: Any = self._session.read.parquet(str(self._place / f"{name}.parquet"))
        frame.neardup_result = self
        return frame

    def first_pairs(self, most: int) -> pa.Table:
        """Return some of the pairs as an Arrow table."""
        return self.table("pairs").limit(most).toArrow()

    def to_arrow(self) -> pa.Table:
        """Return the pairs as an Arrow table."""
        return self.table("pairs").toArrow()

    def local(self) -> Result:
        """Return the result with Arrow tables; its folder must be on this machine's disk."""
        path = self._place.local_path()
        if path is None:
            hint = "Copy the folder to this machine and open it with neardup.Result."
            raise OutputError("this result is on a cluster", where=str(self._place), hint=hint)
        found: Any = Result(path)
        found.neardup_result = self  # a temporary one lives as long as this
        return cast("Result", found)
