"""What every engine offers, and how it reports progress."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import pyarrow as pa

from neardup.plan import Plan
from neardup.readers.source import Source


class Table(Protocol):
    """A table that a plan delivered."""

    @property
    def schema(self) -> pa.Schema:
        """Return the table's schema."""

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows in order."""


class Advance(Protocol):
    """Tells that a step got on by some units."""

    def __call__(self, amount: int) -> None:
        """Report that `amount` more units are done."""


class Progress(Protocol):
    """Shows how far a run is."""

    def step(self, name: str, total: int | None, unit: str) -> AbstractContextManager[Advance]:
        """Open the display of one step; `total` is None when it cannot be known."""

    def note(self, message: str) -> None:
        """Show one line."""


def ignore(amount: int) -> None:
    """Take no notice of progress."""
    del amount


class Silent:
    """Shows nothing."""

    def step(self, name: str, total: int | None, unit: str) -> AbstractContextManager[Advance]:
        """Count nothing."""
        del name, total, unit
        return nullcontext(ignore)

    def note(self, message: str) -> None:
        """Say nothing."""


class Engine(Protocol):
    """Runs the steps of a plan and returns the tables that it delivers."""

    def run(
        self, plan: Plan, sources: Mapping[str, Source], tables: Mapping[str, pa.Table]
    ) -> Mapping[str, Table]:
        """Run a plan over the sources to be read and small tables in memory."""
