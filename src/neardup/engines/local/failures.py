"""Errors of the disk and of DuckDB in a step, in neardup's own words."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from neardup.errors import OutputError, StepError
from neardup.plan import Sql, Step


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
