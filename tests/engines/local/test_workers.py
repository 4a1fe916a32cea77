"""Worker processes: the same tables as threads make, and errors that come out of them."""

import operator
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.engines.counting import NUMBERS, made, rows_of
from tests.engines.counting import engine as small_engine

from neardup.engines.local.engine import LocalEngine
from neardup.engines.local.workers import worker
from neardup.errors import StepError
from neardup.methods.documents.units import MakeUnits, units_schema
from neardup.plan import Map, Sql
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource
from neardup.signatures.shingles import Shingles


def engine(work: Path, workers: int = 2) -> LocalEngine:
    """Return an engine with memory for several processes."""
    return small_engine(work, workers, memory=1 << 30)


def pages(folder: Path, count: int) -> FileSource:
    """Return a source whose reading holds the lock: pages of HTML."""
    folder.mkdir()
    for number in range(count):
        words = " ".join(f"word{number * i % 17}" for i in range(200))
        (folder / f"page{number:02}.html").write_text(f"<html><body><p>{words}</p></body></html>")
    return FileSource.open([folder], ReaderSettings(raw=True))


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neardup.engines.local.engine.TASK_BYTES", 1000)


def test_worker_processes_give_the_same_tables_as_threads(tmp_path: Path, small_tasks: None) -> None:
    source = pages(tmp_path / "pages", 20)
    assert source.holds_gil
    schema = units_schema(source.schema)
    plan = made(Map("units", "source", MakeUnits(Shingles("word", 3), schema), schema))
    found = [
        rows_of(engine(tmp_path / f"work{workers}", workers).run(plan, {"source": source}, {})["units"])
        for workers in (1, 2, 3)
    ]
    assert len(found[0]) == 20
    assert all(row["size"] > 0 for row in found[0])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(("memory", "processes"), [(64 << 20, 0), (512 << 20, 2), (4 << 30, 3)])
def test_there_are_no_more_processes_than_there_is_memory_for(
    tmp_path: Path, small_tasks: None, monkeypatch: pytest.MonkeyPatch, memory: int, processes: int
) -> None:
    started = []

    def counted(memory: int) -> Any:
        started.append(memory)
        return worker(memory)

    monkeypatch.setattr("neardup.engines.local.engine.worker", counted)
    source = pages(tmp_path / "pages", 30)
    schema = units_schema(source.schema)
    plan = made(Map("units", "source", MakeUnits(Shingles("word", 3), schema), schema))
    found = small_engine(tmp_path / "work", 3, memory=memory).run(plan, {"source": source}, {})
    assert len(rows_of(found["units"])) == 30
    assert len(started) <= processes
    assert bool(started) == bool(processes)


class CountRows:
    """Says how many rows came together."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        return pa.record_batch([pa.array([batch.num_rows], pa.int64())], NUMBERS)


@pytest.mark.parametrize("holds_gil", [False, True])
def test_many_small_files_come_in_few_batches(
    holds_gil: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = pages(tmp_path / "pages", 20)
    half = sum(split.size for split in source.splits()) // 2
    monkeypatch.setattr("neardup.engines.local.engine.TASK_BYTES", half)
    monkeypatch.setattr(FileSource, "holds_gil", holds_gil)
    plan = made(Map("rows", "source", CountRows(), NUMBERS))
    found = rows_of(engine(tmp_path / "work", 2).run(plan, {"source": source}, {})["rows"])
    assert sum(row["number"] for row in found) == 20
    assert len(found) <= 3


def test_worker_processes_know_what_is_at_a_map_s_side(tmp_path: Path, small_tasks: None) -> None:
    source = pages(tmp_path / "pages", 6)
    schema = units_schema(source.schema)
    units = Map("units", "source", MakeUnits(Shingles("word", 3), schema), schema)
    some = Sql("some", "select doc from {units} order by doc limit 2")
    chosen = Map("chosen", "source", MakeUnits(Shingles("word", 3), schema), schema, only="some")
    plan = made(units, some, chosen)
    for workers in (1, 2):
        work = tmp_path / f"work{workers}"
        assert len(rows_of(engine(work, workers).run(plan, {"source": source}, {})["chosen"])) == 2


class CountPandas:
    """Makes an array, at which Arrow imports pandas, and says how many of that there are."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        return pa.record_batch([pa.array([int("pandas" in sys.modules)], pa.int64())], NUMBERS)


def test_worker_processes_do_without_pandas(tmp_path: Path, small_tasks: None) -> None:
    plan = made(Map("rows", "source", CountPandas(), NUMBERS))
    found = engine(tmp_path / "work").run(plan, {"source": pages(tmp_path / "pages", 6)}, {})["rows"]
    assert {row["number"] for row in rows_of(found)} == {0}


class Deadly:
    """A function that ends the process that unpacks it."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (9,)


def test_a_worker_process_that_dies_is_an_error_of_the_step(tmp_path: Path, small_tasks: None) -> None:
    source = pages(tmp_path / "pages", 6)
    plan = made(Map("units", "source", Deadly(), NUMBERS))
    with pytest.raises(StepError, match="a worker process ended with code 9"):
        engine(tmp_path / "work").run(plan, {"source": source}, {})
    assert not (tmp_path / "work" / "steps" / "01-units").exists()


def test_an_error_in_a_worker_process_comes_out(tmp_path: Path, small_tasks: None) -> None:
    source = pages(tmp_path / "pages", 6)
    nonsense: Any = operator.getitem  # takes a batch and a dict, and fails
    plan = made(Map("units", "source", nonsense, NUMBERS))
    with pytest.raises(TypeError):
        engine(tmp_path / "work").run(plan, {"source": source}, {})
    assert not (tmp_path / "work" / "steps" / "01-units").exists()


def test_a_bad_record_in_a_worker_process_is_named(tmp_path: Path, small_tasks: None) -> None:
    source = pages(tmp_path / "pages", 6)
    (tmp_path / "pages" / "page03.html").write_bytes(b"")
    strict = FileSource.open([tmp_path / "pages"], ReaderSettings(strict=True))
    schema = units_schema(source.schema)
    plan = made(Map("units", "source", MakeUnits(Shingles("word", 3), schema), schema))
    with pytest.raises(Exception, match=r"page03\.html, record 1"):
        engine(tmp_path / "work").run(plan, {"source": strict}, {})


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such groups")
def test_an_interruption_at_the_terminal_is_not_heard_by_worker_processes() -> None:
    with worker(1 << 30) as own:
        assert os.getpgid(own._process.pid) != os.getpgrp()
