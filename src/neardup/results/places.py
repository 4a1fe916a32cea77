"""What every place offers, and what it may write over."""

import json
import posixpath
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

import pyarrow as pa

from neardup.engines.base import Table
from neardup.errors import OutputError
from neardup.plan import Plan
from neardup.readers.source import Source
from neardup.results.files import RUN, TIMINGS
from neardup.results.folder import ResultFolder

LOCK = "lock"
FINGERPRINT = "fingerprint"
PARTIAL = ".partial"
CHOOSE = "Choose another folder, or take overwrite=True."
REPLACED = ".replaced"  # in the folder of a run that ends: the result whose name it takes
OWN = {
    *(RUN, TIMINGS, "report.html", "steps", "asked", "near-duplicates", "deduplicated"),
    *(LOCK, FINGERPRINT, REPLACED.removeprefix(".")),
}


class Place(Protocol):
    """A folder for a result, and the engine that works for it.

    While a run works, its steps and tables are in `OUT.partial`. It gets the name `OUT` when everything
    is written, so a folder of that name is always a whole result.
    """

    @property
    def steps(self) -> str:
        """Return where the tables of steps are."""

    @property
    def seconds(self) -> Mapping[str, float]:
        """Return how long each step took."""

    def check_free(self, overwrite: bool) -> None:
        """Refuse to write over something that is already there."""

    def claimed(self, fingerprint: str) -> AbstractContextManager[None]:
        """Go on with what an interrupted run left if it was the same run; else begin anew."""

    def run(
        self,
        plan: Plan,
        source: Source,
        tables: Mapping[str, pa.Table],
        rename: Mapping[str, str],
    ) -> Mapping[str, Table]:
        """Run a plan over records and small tables in memory; users get some columns renamed."""

    def write_tables(self, tables: Mapping[str, Any]) -> None:
        """Write the tables that users get."""

    def write_json(self, name: str, content: dict[str, Any]) -> None:
        """Write a JSON file for people and programs to read."""

    def finish(self) -> None:
        """Give the finished folder its name."""

    def opened(self, source: Source) -> ResultFolder:
        """Return the finished folder, to be read."""


def check_name(output: str) -> None:
    """Refuse an output that has no name of its own.

    >>> check_name("../out/")
    >>> check_name(".")
    Traceback (most recent call last):
    neardup.errors.OutputError: '.' names no folder for the result
    Give one that is not there yet, such as: -o result
    """
    if output.rstrip("/").rpartition("/")[2] in ("", ".", ".."):
        hint = "Give one that is not there yet, such as: -o result"
        raise OutputError(f"{output!r} names no folder for the result", hint=hint)


def check_replaceable(
    names: Collection[str] | None, overwrite: bool, where: str, read: Callable[[str], str]
) -> None:
    """Refuse to write over anything but an empty folder or, if asked to, a result and nothing else.

    `names` are those in the folder, None if it is no folder; `read` returns what is in a file there.
    """
    if names is None or (names and RUN not in names):
        hint = "Choose another one with -o."
        raise OutputError("this is not an empty folder", where=where, hint=hint)
    if names and not overwrite:
        raise OutputError("this folder already holds a result", where=where, hint=CHOOSE)
    tables = tables_in(read(RUN)) if names else set()
    if others := sorted(name for name in names if not is_own(name, tables)):
        more = f" and {len(others) - 3:,} more" if len(others) > 3 else ""
        raise OutputError(
            f"this folder also holds what neardup did not write: {', '.join(others[:3])}{more}",
            where=where,
            hint="Move that elsewhere, or choose another folder with -o.",
        )


def check_input(source: Source, output: str) -> None:
    """Refuse to replace a result that is itself the input."""
    folder = output.rstrip("/") if "://" in output else posixpath.abspath(output)
    for file in getattr(source, "files", ()):
        if file.path.startswith(f"{folder}/"):
            hint = "Choose another folder with -o."
            raise OutputError("the input is in this folder", where=output, hint=hint)


def check_partial(names: Collection[str] | None, where: str) -> None:
    """Refuse to work in a folder that no run has left."""
    if names is None or (FINGERPRINT not in names and not set(names) <= {LOCK}):
        raise OutputError(
            "this is not neardup's, but a run would work in a folder of this name",
            where=where,
            hint="Rename it, or choose another folder with -o.",
        )


def tables_in(run: str) -> set[str]:
    """Return the files of tables that a result has by its run.json."""
    try:
        return {f"{name}.parquet" for name in json.loads(run)["tables"]}
    except (ValueError, LookupError, TypeError):
        return set()


def is_own(name: str, tables: Collection[str] = ()) -> bool:
    """Say whether a file or folder in a result is one that neardup writes, or Spark's sum of one.

    >>> is_own("run.json"), is_own(".run.json.crc"), is_own("corpus.jsonl")
    (True, True, False)
    """
    plain = name.removeprefix(".").removesuffix(".crc").removesuffix(PARTIAL)
    return plain in OWN or plain in tables
