"""Every kind of step, on every engine."""

import operator
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyspark.cloudpickle import register_pickle_by_value
from tests.engines import counting
from tests.engines.counting import (
    NUMBERS,
    SQUARES,
    Counting,
    Rows,
    Total,
    engine,
    made,
    rows_of,
    same,
    squared,
)

from neardup.engines.local import lookup
from neardup.engines.local.frugality import Frugality
from neardup.engines.spark.engine import SparkEngine
from neardup.engines.spark.folders import HadoopFolder
from neardup.kernels.lists import values_64
from neardup.plan import Cluster, Fold, Map, Plan, Sql
from neardup.readers.source import Source


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
    for module in (counting, sys.modules[__name__]):  # executors do not have the tests
        register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    return SparkEngine(session, HadoopFolder(session, f"file://{work}"), **chosen)


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
        Sql("odd", "select number from {numbers} where number % 2 = 1"),
        Fold("total", "numbers", Total, only="odd"),
        Map("found", "numbers", with_total, SQUARES, sides=("total",), only="odd"),
    )
    assert run(plan) == [{"number": n, "square": 25} for n in (1, 3, 5, 7, 9)]


@pytest.mark.parametrize(("limit", "wanted"), [(9, ["few"]), (8, ["many"])])
def test_another_statement_runs_where_a_table_has_rows(
    run: Callable[..., Rows], limit: int, wanted: list[str]
) -> None:
    plan = made(
        Map("numbers", "source", same, NUMBERS),
        Sql("many", f"select number from {{numbers}} where number > {limit}"),
        Sql(
            "word",
            "select distinct 'few' as word from {numbers}",
            unless="many",
            instead="select distinct 'many' as word from {many}",
        ),
    )
    assert [row["word"] for row in run(plan)] == wanted


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
        Sql("odd_one_out", "select number from {numbers} where number <> 3"),
        Map("lists", "numbers", repeated, lists, only="odd_one_out"),
        Sql("wanted", "select number from {lists} order by number desc"),
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
        Sql("none", "select number from {numbers} where number < 0"),
        Fold("total", "none", Total),
        Map("found", "numbers", look, NUMBERS, sides=("total",)),
    )
    assert run(plan) == [{"number": n} for n in range(10)]


def test_a_statement_joins_tables_of_steps_and_small_ones_in_memory(run: Callable[..., Rows]) -> None:
    plan = made(
        Map("squares", "source", squared, SQUARES),
        Sql(
            "named",
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
            "select count(*) as c from {numbers} a join {numbers} b on a.number < b.number",
        ),
    )
    assert run(plan) == [{"c": 45}]


def test_a_statement_may_ask_for_all_columns(run: Callable[..., Rows]) -> None:
    plan = made(
        Map("squares", "source", squared, SQUARES),
        Sql("all", "select * from {squares} order by 1"),
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
