"""Runs on this machine, into a folder on its disk."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.engines.base import Progress, Table
from neardup.engines.local.engine import LocalEngine
from neardup.engines.local.frugality import within
from neardup.engines.parquet import write_table
from neardup.errors import InputError, OutputError
from neardup.plan import Plan
from neardup.readers.source import FileSource, Source
from neardup.results.files import write_json
from neardup.results.folder import ResultFolder
from neardup.results.places import (
    FINGERPRINT,
    LOCK,
    PARTIAL,
    REPLACED,
    check_name,
    check_partial,
    check_replaceable,
)
from neardup.settings.run import RunSettings


class LocalFolder:
    """A folder on disk that is whole or not there: until it is finished, all is in `work`."""

    def __init__(self, output: Path, progress: Progress, keep_steps: bool = False) -> None:
        self.output = output
        self.work = partial_of(output)
        self._keep_steps = keep_steps
        self._progress = progress

    def check_free(self, overwrite: bool) -> None:
        """Refuse to write over something that is already there."""
        check_free(self.output, overwrite)

    @contextmanager
    def claimed(self, fingerprint: str) -> Iterator[None]:
        """Go on with what an interrupted run left if it was the same run; else begin anew."""
        try:
            if self.work.exists():
                check_partial(names_in(self.work), str(self.work))
            self.work.mkdir(parents=True, exist_ok=True)
            with locked(self.work / LOCK, str(self.output)):
                known = self.work / FINGERPRINT
                if known.exists() and known.read_text() == fingerprint:
                    self._progress.note(f"going on with an interrupted run in {self.work}")
                else:
                    self._clear()
                    known.write_text(fingerprint)
                yield
        except InputError:
            self._clear()  # the same run would end in the same way
            shutil.rmtree(self.work, ignore_errors=True)
            raise
        except PermissionError as error:
            raise OutputError(f"cannot be written: {error.strerror}", where=str(self.output)) from error

    def write_json(self, name: str, content: dict[str, Any]) -> None:
        """Write a JSON file for people and programs to read."""
        write_json(self.work / name, content)

    def _clear(self) -> None:
        """Delete all that a run left but what shows that the folder is neardup's."""
        (self.work / FINGERPRINT).write_text("")
        for old in self.work.iterdir():
            if old.name not in (LOCK, FINGERPRINT):
                delete(old)

    def finish(self) -> None:
        """Give the finished folder its name."""
        if self.output.exists():  # something may have been put there since the run began
            check_replaceable(names_in(self.output), True, str(self.output), reading(self.output))
        (self.work / FINGERPRINT).write_text("")  # from here on, nobody goes on with the steps
        if not self._keep_steps:
            delete(self.work / "steps")
        if self.output.exists():
            self.output.rename(self.work / REPLACED)
        self.work.rename(self.output)
        for name in (LOCK, FINGERPRINT, REPLACED):
            delete(self.output / name)


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

    def opened(self, source: Source) -> ResultFolder:
        """Return the finished folder, to be read."""
        lasting = isinstance(source, FileSource) and source.can_be_reopened
        return ResultFolder(self.output, None if lasting else source)


def check_free(output: Path, overwrite: bool) -> None:
    """Refuse to write over something that is already there."""
    replaced = partial_of(output) / REPLACED
    if replaced.exists() and not output.exists():
        replaced.rename(output)  # an earlier run was killed just as it replaced this
    if output.exists():
        check_replaceable(names_in(output), overwrite, str(output), reading(output))


def partial_of(output: Path) -> Path:
    """Return the folder in which a run works."""
    check_name(str(output))
    return output.with_name(output.name + PARTIAL)


def reading(folder: Path) -> Callable[[str], str]:
    """Return what reads the files of a folder."""
    return lambda name: (folder / name).read_text(encoding="utf-8", errors="replace")


def names_in(path: Path) -> list[str] | None:
    """Return the names of what is in a folder, None if it is none."""
    return [found.name for found in path.iterdir()] if path.is_dir() else None


def delete(path: Path) -> None:
    """Delete a file or folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


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
