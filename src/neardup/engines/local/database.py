"""DuckDB for the statements of a run, and its errors in neardup's own words.

What is done is kept for the next run, as it takes long to make.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from neardup.errors import OutputError, StepError
from neardup.plan import Sql, Step

Settings = Mapping[str, str | bool | int]
MOST_IDLE = 2
IDLE: dict[
    int, list[duckdb.DuckDBPyConnection]
] = {}  # by process: threads of DuckDB do not survive a fork


class Database:
    """An instance of DuckDB with these settings, and the tables of one run under their names."""

    def __init__(self, settings: Settings) -> None:
        self._instance = _instance(settings)
        self._cursor: Any = self._instance.cursor()
        self._known: set[str] = set()
        self._threads = settings.get("threads")

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def register(self, name: str, rows: Any) -> None:
        """Let statements read rows by this name."""
        self._cursor.register(name, rows)
        self._known.add(name)

    def use(self, threads: int) -> None:
        """Set how many threads work on the next statements."""
        if threads != self._threads:
            self._cursor.execute(f"set threads = {threads}")
            self._threads = threads

    def stream(self, text: str, rows: int) -> pa.RecordBatchReader:
        """Run a statement and return its result in batches of `rows` rows.

        What users are to call parses and binds it twice, which takes longer than to run it on few rows.
        """
        try:
            return self._cursor._submit(text, None, "stream", rows).arrow_reader()
        except (AttributeError, TypeError):  # DuckDB does not promise it; tried with 2.0
            return self._cursor.sql(text).to_arrow_reader(rows)

    def leave(self) -> None:
        """Forget the tables, and keep the instance for another run."""
        self._cursor.close()
        idle = IDLE.setdefault(os.getpid(), [])
        if len(idle) < MOST_IDLE:
            idle.append(self._instance)
        else:
            self._instance.close()

    def close(self) -> None:
        """Forget everything."""
        self._cursor.close()
        self._instance.close()


def _instance(settings: Settings) -> duckdb.DuckDBPyConnection:
    try:
        instance = IDLE[os.getpid()].pop()
    except (KeyError, IndexError):
        return duckdb.connect(config=dict(settings))
    try:
        for name, value in settings.items():
            instance.execute(f"set {name} = '{value}'")
    except duckdb.Error:  # its temporary folder was written to, and stays what it is
        instance.close()
        return _instance(settings)
    return instance


@contextmanager
def failures_told(step: Step, folder: Path) -> Iterator[None]:
    """Turn errors of the disk and of DuckDB into neardup's own."""
    try:
        yield
    except (OSError, duckdb.Error) as error:
        if "No space left" in str(error) or "disk space" in str(error):
            raise OutputError(
                f"the disk is full (step {step.name!r})",
                where=str(folder),
                hint="Free some space and run the same command again: it goes on from here.",
            ) from error
        if isinstance(error, duckdb.Error) or is_out_of_memory(error):
            raise failed_sql(step, error) from error
        raise


def is_out_of_memory(error: Exception) -> bool:
    """Return whether a statement had too little memory; in the midst of its rows, Arrow says so."""
    return isinstance(error, duckdb.OutOfMemoryException) or "Out of Memory Error" in str(error)


def failed_sql(step: Step, error: Exception) -> StepError:
    """Return an error that names the step and shows its SQL, or says that memory ran out."""
    where = f"step {step.name!r}"
    if is_out_of_memory(error):
        hint = "Give it more memory, or fewer workers; the same command goes on from here."
        return StepError("the memory is too small for this step", where=where, hint=hint)
    sql = step.text if isinstance(step, Sql) else ""
    return StepError(f"{error}\n{sql}", where=where)
