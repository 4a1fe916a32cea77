"""What every engine is: what it says of itself, the folders that it writes, and how it reports progress.

An `Engine` is light, so that the command line can ask it for its options. Its `Runner` works for one
result: it runs a plan in a folder and leaves the tables there.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

from neardup.settings.base import Settings
from neardup.settings.run import NO_LIMIT, RunSettings

if TYPE_CHECKING:
    import pyarrow as pa

    from neardup.engines.disk import Tables
    from neardup.plan import Plan
    from neardup.readers.records import ReaderSettings
    from neardup.readers.source import Source


class Table(Protocol):
    """A table that a plan delivered."""

    @property
    def schema(self) -> "pa.Schema":
        """Return the table's schema."""

    def batches(self) -> "Iterator[pa.RecordBatch]":
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


class Silent:
    """Shows nothing."""

    def step(self, name: str, total: int | None, unit: str) -> AbstractContextManager[Advance]:
        """Count nothing."""
        return nullcontext(ignore)

    def note(self, message: str) -> None:
        """Say nothing."""


class Folder(Protocol):
    """A folder, or a file in one, on any filesystem."""

    def __truediv__(self, name: str) -> Self:
        """Return what has this name in the folder."""

    def beside(self, suffix: str) -> Self:
        """Return the folder of the same name with something behind it."""

    def local_path(self) -> Path | None:
        """Return the path on this machine's disk, None if it is elsewhere."""

    def exists(self) -> bool:
        """Return whether there is something of this name."""

    def names(self) -> list[str] | None:
        """Return the names of what is in the folder, None if it is none."""

    def make(self) -> None:
        """Make the folder, and those that it is in."""

    def delete(self) -> None:
        """Delete it and all that is in it, if it is there."""

    def rename(self, target: Self) -> None:
        """Give it another name."""

    def read_text(self) -> str:
        """Return what is in the file of this name."""

    def write_text(self, text: str) -> None:
        """Write a file of this name."""

    def locked(self, output: str) -> AbstractContextManager[None]:
        """Keep other runs out of the folder, which is made; a run that is killed bars nobody."""

    def failures_told(self) -> AbstractContextManager[None]:
        """Turn errors of the filesystem into neardup's own."""


class ShardWork(Protocol):
    """What is done with a file of the input; it is sent to where that happens."""

    def __call__(self, shard: dict[str, Any], rows: "pa.Table") -> dict[str, Any]:
        """Work on a shard, given all rows that belong to it; return what is said of it."""


class Runner(Protocol):
    """An engine at work in one folder: its steps and the tables that it delivers are there."""

    @property
    def steps(self) -> object:
        """Return where the tables of steps are; `str` makes an address of it."""

    @property
    def seconds(self) -> Mapping[str, float]:
        """Return how long each step took."""

    def run(
        self,
        plan: "Plan",
        sources: "Mapping[str, Source]",
        tables: "Mapping[str, pa.Table]",
        rename: Mapping[str, str],
    ) -> Mapping[str, Table]:
        """Run a plan over sources to be read and small tables in memory.

        In what is delivered, some columns are renamed; in what is returned, they are not yet.
        """

    def deliver(self, tables: Mapping[str, Any]) -> None:
        """Leave tables that `run` returned in the folder, as NAME.parquet."""


class Amounts(NamedTuple):
    """How much there is to do, as the engine on this machine would do it."""

    input_bytes: int
    documents: int
    core_seconds: float
    disk_bytes: int
    summary_bytes: int


class Engine:
    """Where plans run. The defaults are those of an engine that works on this machine's disk."""

    name: ClassVar[str]
    options: ClassVar[type[Settings]] = Settings  # its own, beside those of every run
    also: ClassVar[str | None] = None  # what `engine=` may be beside the name, in words
    summaries: ClassVar[int] = NO_LIMIT  # the most memory by which summaries are sized
    works_by_shard: ClassVar[bool] = False  # has `each_shard`
    writes_to_addresses: ClassVar[bool] = False  # else results are made on this disk and sent there
    refusal: ClassVar[tuple[str, str]] = ("", "")  # what and hint, where others are given its data

    def accepts(self, given: object) -> bool:
        """Return whether a value of `engine=` that is no name means this engine."""
        return False

    def options_with(self, given: object, chosen: Mapping[str, Any]) -> Settings:
        """Make the engine's own options, for its name or for a value that it accepts."""
        return self.options(**chosen)

    def owns(self, data: object) -> bool:
        """Return whether data can be opened by this engine only."""
        return False

    def open_data(self, data: Any, reader: "ReaderSettings") -> "Source":
        """Open data that it owns."""
        raise NotImplementedError

    def open_files(
        self,
        inputs: Sequence[str | Path],
        against: Sequence[str | Path],
        reader: "ReaderSettings",
        run: RunSettings,
    ) -> "tuple[Source, int | None]":
        """Open files, and those to compare them with, as one; tell the number that these begin with."""
        from neardup.readers.source import FileSource

        if against:
            return FileSource.open_both(inputs, against, reader)
        return FileSource.open(inputs, reader), None

    def folder(self, output: str, run: RunSettings) -> Folder:
        """Return the folder for a result."""
        from neardup.engines.disk import DiskFolder

        return DiskFolder(output)

    def limits(self, run: RunSettings) -> AbstractContextManager[None]:
        """Keep this process within what a run may use, as long as it works."""
        return nullcontext()

    def runner(self, work: Any, run: RunSettings, progress: Progress) -> Runner:
        """Return what runs plans in a folder of this engine's."""
        raise NotImplementedError

    def each_shard(
        self,
        run: RunSettings,
        tables: Mapping[str, str],
        statement: str,
        shards: "pa.Table",
        work: ShardWork,
        done: "pa.Schema",
    ) -> "pa.Table":
        """Work on shards, each with the rows of a statement over Parquet files that belong to it.

        They belong together by the first columns of both; `shards` has a column `size`. Returns what
        `work` says, a row a shard.
        """
        raise NotImplementedError

    def proposal(self, needs: Amounts) -> Any:
        """Return what to run so much on, as a dataclass; None where there is nothing to choose."""

    def tables(self, output: Any, run: RunSettings) -> "Tables":
        """Return what reads the tables of a result."""
        from neardup.engines.disk import Tables

        return Tables(output)
