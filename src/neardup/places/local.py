"""Runs on this machine, into a folder on its disk."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.engines.base import Progress, Table
from neardup.engines.frugality import within
from neardup.engines.local import LocalEngine
from neardup.errors import InputError, OutputError
from neardup.places.base import CHOOSE, FINGERPRINT, OLD, PARTIAL
from neardup.plan import Plan
from neardup.readers.source import FileSource, Source
from neardup.result import RUN, Result, write_json, write_table
from neardup.settings import RunSettings

LOCK = "lock"


class LocalFolder:
    """A folder on disk that is whole or not there: until it is finished, all is in `work`."""

    def __init__(self, output: Path, progress: Progress, keep_steps: bool = False) -> None:
        self.output = output
        self.work = output.with_name(output.name + PARTIAL)
        self._keep_steps = keep_steps
        self._progress = progress

    def check_free(self, overwrite: bool) -> None:
        """Refuse to write over something that is already there."""
        check_free(self.output, overwrite)

    @contextmanager
    def claimed(self, fingerprint: str) -> Iterator[None]:
        """Go on with what an interrupted run left if it was the same run; else begin anew."""
        try:
            self.work.mkdir(parents=True, exist_ok=True)
            with locked(self.work / LOCK, str(self.output)):
                known = self.work / FINGERPRINT
                if known.exists() and known.read_text() == fingerprint:
                    self._progress.note(f"going on with an interrupted run in {self.work}")
                else:
                    for old in self.work.iterdir():
                        if old.name != LOCK:
                            shutil.rmtree(old) if old.is_dir() else old.unlink()
                    known.write_text(fingerprint)
                yield
        except InputError:
            shutil.rmtree(self.work, ignore_errors=True)  # the same run would end in the same way
            raise
        except PermissionError as error:
            raise OutputError(f"cannot be written: {error.strerror}", where=str(self.output)) from error

    def write_json(self, name: str, content: dict[str, Any]) -> None:
        """Write a JSON file for people and programs to read."""
        write_json(self.work / name, content)

    def finish(self) -> None:
        """Give the finished folder its name."""
        for name in (LOCK, FINGERPRINT):
            (self.work / name).unlink(missing_ok=True)
        if not self._keep_steps:
            shutil.rmtree(self.work / "steps", ignore_errors=True)
        if self.output.exists():
            old = self.output.with_name(self.output.name + OLD)
            shutil.rmtree(old, ignore_errors=True)
            self.output.rename(old)
            self.work.rename(self.output)
            shutil.rmtree(old)
        else:
            self.work.rename(self.output)


class LocalPlace(LocalFolder):
    """A folder on disk, worked for by the local engine."""

    def __init__(self, output: Path, run: RunSettings, progress: Progress) -> None:
        super().__init__(output, progress, run.keep_steps)
        self._memory = run.memory
        self._engine = LocalEngine(
            self.work,
            workers=run.workers,
            memory=run.memory,
            progress=progress,
            keep_steps=run.keep_steps,
            stop_after=run.stop_after,
        )

    @contextmanager
    def claimed(self, fingerprint: str) -> Iterator[None]:
        """Go on with an interrupted run or begin anew, within the memory that the run may use."""
        with within(self._memory), super().claimed(fingerprint):
            yield

    @property
    def steps(self) -> str:
        """Return where the tables of steps are."""
        return str(self._engine.steps)

    @property
    def seconds(self) -> Mapping[str, float]:
        """Return how long each step took."""
        return self._engine.seconds

    def run(
        self,
        plan: Plan,
        source: Source,
        tables: Mapping[str, pa.Table],
        rename: Mapping[str, str],
    ) -> Mapping[str, Table]:
        """Run a plan over records and small tables in memory; users get some columns renamed."""
        self._rename = rename
        return self._engine.run(plan, {"records": source}, tables)

    def write_tables(self, tables: Mapping[str, Table]) -> None:
        """Write the tables that users get."""
        for name, table in tables.items():
            if name == "facts":
                continue
            fields = [f.with_name(self._rename.get(f.name, f.name)) for f in table.schema]
            schema = pa.schema(fields)
            batches = (b.rename_columns(schema.names) for b in table.batches())
            write_table(self.work / f"{name}.parquet", schema, batches)

    def result(self, source: Source) -> Result:
        """Return the result."""
        lasting = isinstance(source, FileSource) and source.can_be_reopened
        return Result(self.output, None if lasting else source)


def check_free(output: Path, overwrite: bool) -> None:
    """Refuse to write over something that is already there."""
    old = output.with_name(output.name + OLD)
    if old.exists() and not output.exists():
        old.rename(output)  # an earlier run was killed just as it replaced this
    if not output.exists() or (overwrite and (output / RUN).is_file()):
        return
    if (output / RUN).is_file():
        raise OutputError(
            "this folder already holds a result",
            where=str(output),
            hint=CHOOSE,
        )
    if not output.is_dir() or any(output.iterdir()):
        raise OutputError("this is not an empty folder", where=str(output), hint="Choose another one.")


@contextmanager
def locked(path: Path, output: str) -> Iterator[None]:
    """Hold a lock that ends with this process, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows: two runs into one folder are not noticed
        yield
        return
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError("another run is writing this result", where=output) from None
        yield
