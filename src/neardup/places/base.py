"""What every place offers."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

import pyarrow as pa

from neardup.engines.base import Table
from neardup.plan import Plan
from neardup.readers.source import Source
from neardup.result import Result

FINGERPRINT = "fingerprint"
PARTIAL = ".partial"
OLD = ".old"
CHOOSE = "Choose another folder, or take overwrite=True."


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

    def result(self, source: Source) -> Result:
        """Return the result."""
