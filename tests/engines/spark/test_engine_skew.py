"""Corpora whose work lies in one place: no task has more rows than a bound says."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.engines.spark.comparing import tables

import neardup
from neardup.engines.spark import engine, groups
from neardup.engines.spark.session import cores_of
from neardup.plan import Map, MapFunction, Plan
from neardup.readers import jsonl
from neardup.steps import naming
from neardup.steps.postings import HUBS

CROWD = 120
WORDS = "all of these texts have the same ten words in common"
LIMITS: dict[str, Any] = {"threshold": 0.5, "shingle": "word:1", "max_postings": 8, "max_pairs": 4}


def counted(function: MapFunction, notes: str) -> MapFunction:
    """Return a function that notes how many rows its task gives it; workers know no module of tests."""

    def run(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        from pyspark import TaskContext

        context = TaskContext.get()
        if context:
            with open(f"{notes} {context.taskAttemptId()}", "a") as file:  # noqa: PTH123
                file.write(f"{batch.num_rows}\n")
        return function(batch, sides)

    return run


@pytest.fixture
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let all Maps of a run note the rows of their tasks in a folder."""
    folder = tmp_path / "noted"
    folder.mkdir()
    run = engine.SparkEngine.run

    def counting(self: Any, plan: Plan, *more: Any) -> Any:
        steps = [
            replace(s, function=counted(s.function, str(folder / s.name))) if isinstance(s, Map) else s
            for s in plan.steps
        ]
        return run(self, replace(plan, steps=tuple(steps)), *more)

    monkeypatch.setattr(engine.SparkEngine, "run", counting)
    return folder


def rows_of_tasks(noted: Path, step: str) -> list[int]:
    """Return how many rows each task of a step had, most first."""
    files = [path for path in noted.iterdir() if path.name.split(" ")[0] == step]
    return sorted((sum(map(int, path.read_text().split())) for path in files), reverse=True)


def rows_in_java(spark: Any) -> Iterator[tuple[int, int]]:
    """Yield each stage's number and the rows of its largest task."""
    context = spark.sparkContext
    context._jsc.sc().listenerBus().waitUntilEmpty()
    store, java = context._jsc.sc().statusStore(), context._jvm
    none = java.java.util.ArrayList()
    stages = store.stageList(none, False, False, context._gateway.new_array(java.double, 0), none)
    for stage in map(stages.apply, range(stages.size())):
        tasks = store.taskList(stage.stageId(), stage.attemptId(), 1 << 20)
        told = [tasks.apply(n).taskMetrics() for n in range(tasks.size())]
        read = [
            found.get().inputMetrics().recordsRead() + found.get().shuffleReadMetrics().recordsRead()
            for found in told
            if found.isDefined()
        ]
        yield stage.stageId(), max(read, default=0)


def same(found: neardup.Result, expected: neardup.Result) -> None:
    ours, theirs = tables(expected), tables(found)
    assert ours.keys() == theirs.keys()
    assert all(theirs[name].equals(table) for name, table in ours.items())


def test_a_key_of_very_many_documents(spark: Any, noted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{WORDS} and {n}a {n}b" for n in range(CROWD)]
    monkeypatch.setattr(engine, "BLOCK_ROWS", CROWD)
    same(neardup.documents(texts, engine=spark, **LIMITS), neardup.documents(texts, **LIMITS))
    words = len(WORDS.split()) + 1
    # a task has all rows of a key, once a document: here of all words that a document begins with
    assert CROWD <= sum(rows_of_tasks(noted, "shared")) <= words * CROWD
    # each is compared with the first ones and the best keepers, not with all; tasks share that evenly
    compared = rows_of_tasks(noted, "compared")
    assert sum(compared) <= (HUBS + LIMITS["max_postings"] + LIMITS["max_pairs"]) * CROWD < CROWD**2 / 4
    assert compared[0] <= -(-sum(compared) // 4)
    # however many blocks there are, each core has a few tasks
    monkeypatch.setattr(engine, "ROUNDS", 1)
    for note in noted.iterdir():
        note.unlink()
    same(neardup.documents(texts, engine=spark, **LIMITS), neardup.documents(texts, **LIMITS))
    assert len(rows_of_tasks(noted, "compared")) <= cores_of(spark)


@pytest.mark.slow
def test_a_cluster_of_very_many_members(spark: Any, tmp_path: Path) -> None:
    def store(frame: Any, name: str) -> Any:
        frame.write.parquet(str(tmp_path / name))
        return spark.read.parquet(str(tmp_path / name))

    chain = [(n, n - 1, 0.5 + n / 1_000) for n in range(1, CROWD)]
    edges = spark.createDataFrame(chain, "worse long, better long, similarity double").repartition(8)
    nodes = spark.range(CROWD).withColumnRenamed("id", "node")
    before = max((stage for stage, _ in rows_in_java(spark)), default=-1)
    found = groups.clustered(nodes, edges, "components", store, one_task=0).collect()
    assert {(row["keeper"], row["similarity"]) for row in found} == {(0, 0.501)}
    # joins have all links of a node in one task, of which the hub has one a member and direction
    assert max(rows for stage, rows in rows_in_java(spark) if stage > before) <= 4 * CROWD


def test_a_large_file_and_very_many_small_ones(
    spark: Any, tmp_path: Path, noted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "input"
    folder.mkdir()
    lines = [json.dumps({"text": f"{WORDS}, in line {n}"}) + "\n" for n in range(400)]
    (folder / "large.jsonl").write_text("".join(lines))
    for n in range(90):
        (folder / f"small-{n}.jsonl").write_text(json.dumps({"text": f"a small one of number {n}"}))
    split = len("".join(lines)) // 16
    monkeypatch.setattr(jsonl, "SPLIT_BYTES", split)
    monkeypatch.setattr(engine, "TASK_BYTES", 2 * split)
    monkeypatch.setattr(engine, "OPENING", split // 5)
    same(neardup.documents(str(folder), engine=spark), neardup.documents(str(folder)))
    tasks = rows_of_tasks(noted, "units")
    assert sum(tasks) == 490
    assert tasks[0] <= 2 * 400 // 16 + 2
    assert len(tasks) >= 400 // 50 + 90 // 10


@pytest.fixture
def in_four_parts(spark: Any) -> Iterator[None]:
    """Let Spark shuffle into four parts, and not put them together because they are small."""
    wanted = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "4"}
    before = {name: spark.conf.get(name) for name in wanted}
    for name, value in wanted.items():
        spark.conf.set(name, value)
    yield
    for name, value in before.items():
        spark.conf.set(name, value)


@pytest.mark.usefixtures("in_four_parts")
def test_an_id_that_very_many_documents_have(spark: Any) -> None:
    numbers = [n * naming.WIDTH for n in range(CROWD)]
    ids = [*["same"] * (CROWD - 2), "", None]
    rows = {"doc": numbers, "id": ids, "file": [0] * CROWD, "length": [1] * CROWD}
    units = pa.table(rows | {name: pa.nulls(CROWD, pa.string()) for name in ("problem", "detail")})
    parts = pa.table({"part": numbers, "records_before": numbers})
    files = pa.table({"file": [0], "name": ["a"]})
    tables = {"units": units, "input_parts": parts, "files": files}
    before = max((stage for stage, _ in rows_in_java(spark)), default=-1)
    frames = {name: spark.createDataFrame(table) for name, table in tables.items()}
    found = spark.sql(naming.named("units", ""), **frames).orderBy("key").toArrow()
    assert found["repeated"].to_pylist() == [False] + [True] * (CROWD - 3) + [False] * 2
    largest = [rows for stage, rows in rows_in_java(spark) if stage > before]
    assert 0 < max(largest) < CROWD * 2 / 3
