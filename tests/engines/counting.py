"""A source of numbers, steps that square and add them, and an engine to run them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.engines.base import Advance, Progress
from neardup.engines.local.engine import LocalEngine
from neardup.plan import Plan, Step
from neardup.readers.numbers import Split
from neardup.settings.run import RunSettings

NUMBERS = pa.schema([("number", pa.int64())])
SQUARES = pa.schema([("number", pa.int64()), ("square", pa.int64())])
Rows = list[dict[str, Any]]


class Counting:
    """The numbers from 0 on, some in each split, two in each batch."""

    def __init__(self, total: int, a_split: int = 4) -> None:
        self._total = total
        self._a_split = a_split
        self.schema = NUMBERS
        self.names = ["numbers"]
        self.holds_gil = False

    def splits(self) -> list[Split]:
        starts = range(0, self._total, self._a_split)
        size = 16 << 20  # as large as a task of its own
        return [
            Split(i, 0, at, min(at + self._a_split, self._total), size) for i, at in enumerate(starts)
        ]

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        for at in range(split.begin, split.end, 2):
            yield pa.record_batch([pa.array(range(at, min(at + 2, split.end)), pa.int64())], NUMBERS)

    def fingerprint(self) -> str:
        return str(self._total)


class Total:
    """The sum of the first column: a summary."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self.value += pc.sum(batch.column(0)).as_py() or 0

    def merge(self, other: "Total") -> None:
        self.value += other.value


class Watched:
    """A progress display that remembers."""

    def __init__(self) -> None:
        self.done: dict[str, tuple[int | None, int]] = {}

    @contextmanager
    def step(self, name: str, total: int | None, unit: str) -> Iterator[Advance]:
        amounts: list[int] = []

        def advance(amount: int) -> None:
            amounts.append(amount)

        yield advance
        self.done[name] = total, sum(amounts)

    def note(self, message: str) -> None:
        raise AssertionError(message)


def same(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
    return batch


def squared(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
    return pa.record_batch([batch["number"], pc.power(batch["number"], 2)], SQUARES)


def made(*steps: Step, outputs: Iterable[str] = (), sources: tuple[str, ...] = ("source",)) -> Plan:
    return Plan("test", sources, steps, tuple(outputs) or (steps[-1].name,))


def engine(work: Path, workers: int = 2, progress: Progress | None = None, **chosen: Any) -> LocalEngine:
    return LocalEngine(work, RunSettings(workers, **({"memory": 64 << 20} | chosen)), progress)


def rows_of(table: Any) -> Rows:
    return [row for batch in table.batches() for row in batch.to_pylist()]
