"""The engines, on plans small enough to check by eye."""

import operator
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyspark.cloudpickle import register_pickle_by_value

from neardup.engines.base import Advance
from neardup.engines.local import lookup
from neardup.engines.local.engine import LocalEngine
from neardup.engines.local.frugality import Frugality
from neardup.engines.local.store import StoredTable
from neardup.engines.spark.engine import SparkEngine
from neardup.engines.spark.folders import HadoopFolder
from neardup.errors import StepError
from neardup.kernels.lists import values_64
from neardup.methods.documents.units import MakeUnits, units_schema
from neardup.plan import Cluster, Fold, Map, Plan, Sql, Step
from neardup.readers.numbers import Split
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, Source
from neardup.signatures.shingles import Shingles

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


def engine(work: Path, workers: int = 2, **chosen: Any) -> LocalEngine:
    return LocalEngine(work, workers=workers, memory=64 << 20, **chosen)


def rows_of(table: Any) -> Rows:
    return [row for batch in table.batches() for row in batch.to_pylist()]


@pytest.fixture(params=[1, 2, 3, "spark"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Rows]:
    """Run a plan with one, two or three workers or on Spark, and return the rows of its first output."""
    if request.param == "spark":
        runner: Any = on_spark(request.getfixturevalue("spark"), tmp_path)
    else:
        runner = engine(tmp_path, request.param)

    def run_plan(plan: Plan, source: Any = None, **tables: pa.Table) -> Rows:
        sources: dict[str, Source] = {"source": source or Counting(10)}
        found = runner.run(plan, sources, tables)[plan.outputs[0]]
        if request.param != "spark":
            return rows_of(found)
        path = runner.folder_of(plan.outputs[0]).qualified().local_path()
        return list(pq.read_table(path).to_pylist())

    return run_plan


def on_spark(session: Any, work: Path, **chosen: Any) -> SparkEngine:
    register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]
    return SparkEngine(session, HadoopFolder(session, f"file://{work}"), **chosen)


# --- what the four kinds of step do


def test_a_map_applies_its_function_to_every_batch_and_keeps_their_order(
    run: Callable[..., Rows],
) -> None:
    rows = run(made(Map("squares", "source", squared, SQUARES)), Counting(25))
    assert rows == [{"number": n, "square": n * n} for n in range(25)]


def test_a_map_of_nothing_is_an_empty_table_with_a_schema(tmp_path: Path) -> None:
    plan = made(Map("squares", "source", squared, SQUARES), Map("again", "squares", same, SQUARES))
    table = engine(tmp_path).run(plan, {"source": Counting(0)}, {})["again"]
    assert rows_of(table) == []
    assert table.schema == SQUARES


def test_a_map_gets_the_summary_of_a_fold_at_its_side(run: Callable[..., Rows]) -> None:
    def share(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        part = pc.subtract(sides["total"].value, batch["number"])
        return pa.record_batch([batch["number"], part], SQUARES)

    plan = made(
        Map("numbers", "source", same, NUMBERS),
        Fold("total", "numbers", Total),
        Map("shares", "numbers", share, SQUARES, sides=("total",)),
    )
    assert [row["square"] for row in run(plan)] == [45 - n for n in range(10)]


def test_only_the_rows_whose_key_is_in_another_table_are_mapped_and_folded(
    run: Callable[..., Rows],
) -> None:
    def with_total(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        total = pa.array([sides["total"].value] * batch.num_rows, pa.int64())
        return pa.record_batch([batch["number"], total], SQUARES)

    plan = made(
        Map("numbers", "source", same, NUMBERS),
        Sql("odd", ("numbers",), "select number from {numbers} where number % 2 = 1"),
        Fold("total", "numbers", Total, only="odd"),
        Map("found", "numbers", with_total, SQUARES, sides=("total",), only="odd"),
    )
    assert run(plan) == [{"number": n, "square": 25} for n in (1, 3, 5, 7, 9)]


def test_a_map_fetches_rows_of_a_large_table_by_key(run: Callable[..., Rows]) -> None:
    def fetched(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        keys = pc.unique(batch["number"]).sort()
        rows = sides["lookup"].take(keys)
        assert rows["number"].equals(keys)
        return rows

    plan = made(
        Map("squares", "source", squared, SQUARES),
        Sql(
            "wanted",
            ("squares",),
            "select number from {squares} where number in (1, 5, 6, 9) order by 1",
        ),
        Map(
            "found",
            "wanted",
            fetched,
            SQUARES,
            lookup="squares",
            lookup_columns=("square",),
            lookup_keys=("number",),
        ),
    )
    assert run(plan) == [{"number": n, "square": n * n} for n in (1, 5, 6, 9)]


@pytest.mark.parametrize("frugal", [False, True])
def test_a_map_reads_lists_of_a_large_table_where_they_lie(
    run: Callable[..., Rows], monkeypatch: pytest.MonkeyPatch, frugal: bool
) -> None:
    monkeypatch.setattr(Frugality, "on", frugal)
    monkeypatch.setattr(lookup, "FEW_ROWS", 2)
    lists = pa.schema([("number", pa.int64()), ("copies", pa.list_(pa.int64()))])

    def repeated(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        numbers = batch["number"].to_pylist()
        return pa.record_batch(
            [batch["number"], pa.array([[n] * n for n in numbers], lists.types[1])], lists
        )

    def summed(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        parts = list(sides["lookup"].portions(batch))
        assert pa.concat_batches(parts).equals(batch)
        assert len(parts) == 1 or (frugal and batch.num_rows > 2)
        for missing in (-1, 3, 10):
            with pytest.raises(KeyError, match="not in the table"):
                sides["lookup"].lists("copies", np.array([1, missing]))
        found = sides["lookup"].lists("copies", batch["number"].to_numpy())
        sums = [int(values_64(found, at).sum()) for at in range(batch.num_rows)]
        return pa.record_batch([batch["number"], pa.array(sums, pa.int64())], SQUARES)

    plan = made(
        Map("numbers", "source", same, NUMBERS),
        Sql("odd_one_out", ("numbers",), "select number from {numbers} where number <> 3"),
        Map("lists", "numbers", repeated, lists, only="odd_one_out"),
        Sql("wanted", ("lists",), "select number from {lists} order by number desc"),
        Map(
            "found",
            "wanted",
            summed,
            SQUARES,
            lookup="lists",
            lookup_columns=("copies",),
            lookup_keys=("number",),
        ),
    )
    assert sorted(run(plan), key=operator.itemgetter("number")) == [
        {"number": n, "square": n * n} for n in range(10) if n != 3
    ]


def test_a_grouped_map_gets_equal_keys_in_one_batch(run: Callable[..., Rows]) -> None:
    def last_digit(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        digits = pa.array([n % 10 for n in batch["number"].to_pylist()], pa.int64())
        return pa.record_batch([digits, batch["number"]], SQUARES)

    def counted(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        counts = pc.value_counts(batch["number"])
        return pa.record_batch(counts.flatten(), SQUARES)

    plan = made(
        Map("digits", "source", last_digit, SQUARES),
        Map("counts", "digits", counted, SQUARES, grouped=True),
    )
    rows = run(plan, Counting(95))
    assert sorted((row["number"], row["square"]) for row in rows) == [
        (digit, 10 if digit < 5 else 9) for digit in range(10)
    ]


def test_a_fold_of_nothing_is_the_start(run: Callable[..., Rows]) -> None:
    def look(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        return pa.record_batch([pc.add(batch["number"], sides["total"].value)], NUMBERS)

    plan = made(
        Map("numbers", "source", same, NUMBERS),
        Sql("none", ("numbers",), "select number from {numbers} where number < 0"),
        Fold("total", "none", Total),
        Map("found", "numbers", look, NUMBERS, sides=("total",)),
    )
    assert run(plan) == [{"number": n} for n in range(10)]


def test_a_statement_joins_tables_of_steps_and_small_ones_in_memory(run: Callable[..., Rows]) -> None:
    plan = made(
        Map("squares", "source", squared, SQUARES),
        Sql(
            "named",
            ("squares", "names"),
            "select n.name as name, s.square as square from {squares} s join {names} n "
            "on n.number = s.number order by name",
        ),
        sources=("source", "names"),
    )
    names = pa.table({"number": pa.array([3, 2], pa.int64()), "name": ["three", "two"]})
    assert run(plan, names=names) == [{"name": "three", "square": 9}, {"name": "two", "square": 4}]


def test_a_statement_may_read_a_table_twice(run: Callable[..., Rows]) -> None:
    plan = made(
        Map("numbers", "source", same, NUMBERS),
        Sql(
            "pairs",
            ("numbers",),
            "select count(*) as c from {numbers} a join {numbers} b on a.number < b.number",
        ),
    )
    assert run(plan) == [{"c": 45}]


def test_a_statement_may_ask_for_all_columns(run: Callable[..., Rows]) -> None:
    plan = made(
        Map("squares", "source", squared, SQUARES),
        Sql("all", ("squares",), "select * from {squares} order by 1"),
    )
    assert run(plan)[3] == {"number": 3, "square": 9}


@pytest.mark.parametrize(
    ("kind", "keepers", "similarities"),
    [("star", [0, 0, 2, 2], [1.0, 0.9, 1.0, 0.7]), ("components", [0, 0, 0, 0], [0.7] * 4)],
)
def test_a_graph_is_grouped_into_stars_or_components(
    kind: Any, keepers: list[int], similarities: list[float], run: Callable[..., Rows]
) -> None:
    # a chain 0 - 1 - 2 - 3, in which 1 and 2 are no keepers of each other
    plan = made(
        Map("nodes", "source", same, NUMBERS),
        Sql(
            "edges",
            ("given",),
            "select worse, better, similarity from {given} order by worse, better",
        ),
        Cluster("groups", "nodes", "edges", kind),
        sources=("source", "given"),
    )
    given = pa.table({"worse": [3, 1, 2], "better": [2, 0, 1], "similarity": [0.7, 0.9, 0.8]})
    rows = run(plan, Counting(4), given=given)
    assert [row["node"] for row in rows] == [0, 1, 2, 3]
    assert [row["keeper"] for row in rows] == keepers
    assert [row["similarity"] for row in rows] == similarities


# --- what fails


def broken(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
    if 6 in batch["number"].to_pylist():
        raise ValueError("seven is missing")
    return batch


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_an_error_in_a_function_comes_out_and_leaves_no_half_table(workers: int, tmp_path: Path) -> None:
    plan = made(Map("good", "source", same, NUMBERS), Map("bad", "good", broken, NUMBERS))
    with pytest.raises(ValueError, match="seven is missing"):
        engine(tmp_path, workers).run(plan, {"source": Counting(40)}, {})
    assert [path.name for path in tmp_path.glob("steps/*") if path.suffix != ".unfinished"] == [
        "01-good"
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_follows_an_error_goes_on_after_the_last_whole_step(workers: int, tmp_path: Path) -> None:
    calls = []

    def once(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        calls.append(batch.num_rows)
        return batch

    def plan(second: Any) -> Plan:
        return made(Map("first", "source", once, NUMBERS), Map("second", "first", second, NUMBERS))

    with pytest.raises(ValueError, match="seven"):
        engine(tmp_path, workers).run(plan(broken), {"source": Counting(10)}, {})
    assert sum(calls) == 10
    again = engine(tmp_path, workers).run(plan(same), {"source": Counting(10)}, {})
    assert [row["number"] for row in rows_of(again["second"])] == [*range(10)]
    assert sum(calls) == 10, "the first step was done again"


def test_an_error_of_a_source_comes_out(tmp_path: Path) -> None:
    class Damaged(Counting):
        def read(self, split: Split) -> Iterator[pa.RecordBatch]:
            yield from super().read(split)
            raise OSError("the cable was cut")

    with pytest.raises(OSError, match="the cable was cut"):
        engine(tmp_path).run(made(Map("numbers", "source", same, NUMBERS)), {"source": Damaged(20)}, {})


def test_an_error_stops_the_other_workers(tmp_path: Path) -> None:
    threads = threading.active_count()
    seen = []

    def first_only(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        seen.append(batch["number"][0].as_py())
        if len(seen) > 3:
            raise ValueError("enough")
        return batch

    plan = made(Map("numbers", "source", first_only, NUMBERS))
    with pytest.raises(ValueError, match="enough"):
        engine(tmp_path).run(plan, {"source": Counting(10_000)}, {})
    assert len(seen) < 100
    assert threading.active_count() <= threads


@pytest.mark.parametrize(
    "text",
    ["select nonsense from {numbers}", "selekt number from {numbers}", "select 1 from {numbers} x y"],
)
def test_bad_sql_names_the_step_and_shows_the_sql(text: str, tmp_path: Path) -> None:
    plan = made(Map("numbers", "source", same, NUMBERS), Sql("wrong", ("numbers",), text))
    with pytest.raises(StepError) as caught:
        engine(tmp_path).run(plan, {"source": Counting(10)}, {})
    assert "step 'wrong'" in str(caught.value)
    assert text in str(caught.value)
    assert not (tmp_path / "steps" / "02-wrong").exists()


def test_sql_that_fails_on_its_rows_is_an_error_of_the_step(tmp_path: Path) -> None:
    text = "select cast(concat('x', cast(number as varchar(9))) as bigint) as n from {numbers}"
    plan = made(Map("numbers", "source", same, NUMBERS), Sql("wrong", ("numbers",), text))
    with pytest.raises(StepError, match="step 'wrong'"):
        engine(tmp_path).run(plan, {"source": Counting(10)}, {})
    assert not (tmp_path / "steps" / "02-wrong").exists()


@pytest.mark.parametrize(
    "steps",
    [
        (Map("a", "missing", same, NUMBERS),),
        (Map("a", "source", same, NUMBERS), Map("a", "source", same, NUMBERS)),
        (Map("source", "source", same, NUMBERS),),
        (Map("a", "source", same, NUMBERS, sides=("later",)), Fold("later", "a", Total)),
    ],
    ids=["unknown input", "name twice", "name of a source", "read before it is made"],
)
def test_a_plan_that_makes_no_sense_cannot_be_made(steps: tuple[Step, ...]) -> None:
    with pytest.raises(ValueError, match="step"):
        made(*steps)


# --- what is kept


def chain() -> Plan:
    return made(
        Map("first", "source", same, NUMBERS),
        Sql("second", ("first",), "select number from {first}"),
        Fold("total", "second", Total),
        Map("third", "first", same, NUMBERS, sides=("total",)),
        Map("fourth", "third", same, NUMBERS),
        Map("fifth", "fourth", same, NUMBERS),
    )


def test_tables_are_dropped_after_their_last_use(tmp_path: Path) -> None:
    seen: dict[str, set[str]] = {}

    class Looking(Watched):
        @contextmanager
        def step(self, name: str, total: int | None, unit: str) -> Iterator[Advance]:
            folders = (tmp_path / "steps").glob("*-*/schema")
            seen[name] = {path.parent.name[3:] for path in folders}
            with super().step(name, total, unit) as advance:
                yield advance

    engine(tmp_path, progress=Looking()).run(chain(), {"source": Counting(10)}, {})
    assert seen["second"] == {"first"}
    assert seen["third"] == {"first", "second"}, "the fold's input is needed as long as its summary"
    assert seen["fourth"] == {"third"}
    assert seen["fifth"] == {"fourth"}
    assert [path.parent.name for path in tmp_path.glob("steps/*/schema")] == ["06-fifth"]


def test_all_tables_are_kept_when_asked_for(tmp_path: Path) -> None:
    engine(tmp_path, keep_steps=True).run(chain(), {"source": Counting(10)}, {})
    kept = sorted(path.parent for path in tmp_path.glob("steps/*/schema"))
    assert [path.name for path in kept] == ["01-first", "02-second", "04-third", "05-fourth", "06-fifth"]
    assert all(StoredTable(path).rows() == 10 for path in kept)


def test_a_run_that_is_done_does_nothing_when_run_again(tmp_path: Path) -> None:
    engine(tmp_path).run(chain(), {"source": Counting(10)}, {})
    progress = Watched()
    again = engine(tmp_path, progress=progress).run(chain(), {"source": Counting(10)}, {})
    assert [row["number"] for row in rows_of(again["fifth"])] == [*range(10)]
    assert progress.done == {}


def test_progress_adds_up(tmp_path: Path) -> None:
    progress = Watched()
    engine(tmp_path, progress=progress).run(chain(), {"source": Counting(10)}, {})
    assert list(progress.done) == ["first", "second", "total", "third", "fourth", "fifth"]
    assert all(total in (None, done) for total, done in progress.done.values())


# --- worker processes


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
    some = Sql("some", ("units",), "select doc from {units} order by doc limit 2")
    chosen = Map("chosen", "source", MakeUnits(Shingles("word", 3), schema), schema, only="some")
    plan = made(units, some, chosen)
    for workers in (1, 2):
        work = tmp_path / f"work{workers}"
        assert len(rows_of(engine(work, workers).run(plan, {"source": source}, {})["chosen"])) == 2


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
