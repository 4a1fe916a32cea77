"""Spark: every method gives the same tables as on one machine, whatever happens on the way."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.spark_cluster import Cluster, cluster
from tests.test_documents import corpora
from tests.test_threads import forum

import neardup
from neardup.engines import engine_settings
from neardup.engines.base import Silent
from neardup.engines.disk import DiskFolder
from neardup.engines.spark import classes, groups, pieces, remote, small
from neardup.engines.spark.columns import pack, packed_columns, spark_schema, unpack
from neardup.engines.spark.failures import carried, explanation
from neardup.engines.spark.folders import HadoopFolder
from neardup.engines.spark.leases import is_held, leased
from neardup.engines.spark.session import check_java, check_master, check_pyspark, not_started
from neardup.engines.spark.tables import SparkTables
from neardup.errors import InputError, NeardupError, OutputError, SettingsError, StepError
from neardup.kernels.graphs import grouping
from neardup.methods.documents.plan import job as documents_job
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.passages.plan import job as passages_job
from neardup.methods.passages.settings import PassageSettings
from neardup.plan import Cluster as ClusterStep
from neardup.plan import Map, Sql, Step
from neardup.readers.records import ReaderSettings
from neardup.result import Result
from neardup.results.running import run_job
from neardup.settings.run import RunSettings

ALL_BY_SPARK = -1  # bytes
EDGE = "select 1::bigint as worse, 0::bigint as better, 0.5::double as similarity"
WORDS = [f"word{n}" for n in range(300)]
NEARDUP = Path(sys.executable).with_name("neardup")


def tables(result: neardup.Result) -> dict[str, pa.Table]:
    path = str(result.folder).removeprefix("file:")
    found = {p.stem: pq.read_table(p) for p in Path(path).glob("*.parquet")}
    return {name: table.replace_schema_metadata() for name, table in found.items()}


def same_on_both(method: Any, source: Any, spark: Any, **chosen: Any) -> neardup.Result:
    """Run a method on both engines, compare all that they deliver, and return the local result.

    On Spark twice: with statements run by Spark, as for large tables, and by the driver.
    """
    local = method(source, workers=2, memory="64MB", **chosen)
    ours = tables(local)
    for most in (ALL_BY_SPARK, small.MOST_BYTES):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(small, "MOST_BYTES", most)
            remote = method(source, memory="64MB", engine=spark, **chosen)
        theirs = tables(remote)
        assert ours.keys() == theirs.keys()
        for name, table in ours.items():
            assert theirs[name].schema == table.schema, name
            assert theirs[name].equals(table), name
        assert remote.run == local.run
    return local  # type: ignore[no-any-return]


def stories(count: int, seed: int) -> list[str]:
    """Write texts of some sentences, of which later ones repeat passages of earlier ones."""
    dice = random.Random(seed)
    known: list[str] = []
    texts = []
    for _ in range(count):
        new = [" ".join(dice.choices(WORDS, k=dice.randint(6, 12))).capitalize() + "." for _ in range(8)]
        start = dice.randrange(max(len(known) - 4, 1))
        own = new[:4] + known[start : start + 4] + new[4:]
        known += new
        texts.append(" ".join(own))
    return texts


# --- every method, both engines


@settings(
    max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    texts=corpora(),
    threshold=st.sampled_from([0.1, 0.5, 0.75]),
    chosen=st.sampled_from(
        [
            {"measure": "containment"},
            {"candidates": "sampled", "clusters": "components"},
            {"candidates": "minhash"},
            {"max_postings": 2, "max_copies": 1},
        ]
    ),
)
def test_documents_of_random_corpora_are_the_same(
    spark: Any, texts: list[str], threshold: float, chosen: dict[str, Any]
) -> None:
    if any(text.split() for text in texts):
        same_on_both(neardup.documents, texts, spark, threshold=threshold, shingle="word:2", **chosen)


@pytest.mark.slow
def test_documents_in_files_with_all_that_goes_wrong_are_the_same(spark: Any, tmp_path: Path) -> None:
    rows = [{"id": f"d{n % 25}", "text": text, "score": f"{n}"} for n, text in enumerate(stories(30, 1))]
    lines = [json.dumps(row) for row in rows] + ["{broken", json.dumps({"id": "empty", "text": "…"})]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    (tmp_path / "b.jsonl").write_text("\n".join(lines[:12]))
    found = same_on_both(
        neardup.documents,
        str(tmp_path),
        spark,
        threshold=0.3,
        columns=["score"],
        keep="score",
        clusters="components",
    )
    assert found.counts["pairs"] == 12
    assert found.counts["skipped: no words"] == 1
    assert found.counts["ids given twice"] > 12


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        pytest.param(
            {"signature": "imatch", "within": True, "max_documents": 2}, marks=pytest.mark.slow
        ),
    ],
    ids=str,
)
def test_passages_are_the_same(spark: Any, chosen: dict[str, Any]) -> None:
    found = same_on_both(neardup.passages, stories(12, 2), spark, min_length=40, **chosen)
    assert found.counts["passages"] > 3


@pytest.mark.slow
def test_passages_of_listed_pairs_against_sources_are_the_same(spark: Any, tmp_path: Path) -> None:
    texts = stories(10, 3)
    for folder, own in (("new", texts[5:]), ("old", texts[:5])):
        (tmp_path / folder).mkdir()
        for number, text in enumerate(own):
            (tmp_path / folder / f"{folder}{number}.txt").write_text(text)
    found = same_on_both(
        neardup.passages,
        str(tmp_path / "new"),
        spark,
        against=str(tmp_path / "old"),
        pairs=[(f"new{n}.txt", f"old{m}.txt") for n in range(5) for m in range(5)],
        min_length=40,
    )
    assert found.counts["passages"] > 1


def test_sentences_are_the_same(spark: Any) -> None:
    texts = stories(12, 9)
    texts += [text.replace("word12 ", "word13 ") for text in texts[:6]]
    found = same_on_both(neardup.sentences, texts, spark)
    assert found.counts["pairs: identical"] > 50


@pytest.mark.parametrize(
    "chosen",
    [
        {"index": "doc", "signature": ["shingles:2", "body=imatch:0,1"], "keep": "score,longest"},
        pytest.param(
            {"index": "term", "clusters": "components", "max_shared": 9}, marks=pytest.mark.slow
        ),
    ],
    ids=["doc", "term"],
)
def test_threads_are_the_same(spark: Any, chosen: dict[str, Any]) -> None:
    threads = [{**thread, "score": n % 7} for n, thread in enumerate(forum(40, seed=11))]
    found = same_on_both(neardup.threads, [*threads, threads[3]], spark, threshold=0.4, **chosen)
    assert found.counts["pairs"] > 10


@pytest.mark.parametrize(
    "chosen", [{}, pytest.param({"measure": "simhash", "distance": 8}, marks=pytest.mark.slow)], ids=str
)
def test_pages_are_the_same(spark: Any, chosen: dict[str, Any]) -> None:
    frame = "Home News Sport Contact. All rights reserved by the owners of this site, wherever you are."
    rows = [
        {"url": f"https://site{n % 2}.example/{n}", "text": f"{frame}\n{text}"}
        for n, text in enumerate(
            [*stories(8, 7), *stories(3, 7), stories(4, 7)[3].replace("word12 ", "")]
        )
    ]
    found = same_on_both(neardup.pages, rows, spark, **chosen)
    assert found.counts["pairs"] > 3
    assert chosen or found.counts["pieces of boilerplate"] > 0


# --- DataFrames


@pytest.mark.slow
def test_a_dataframe_goes_in_and_dataframes_come_out(spark: Any) -> None:
    texts = stories(6, 4)
    rows = [(f"n{n}", text, n) for n, text in enumerate([*texts, texts[0], None])]
    frame = spark.createDataFrame(rows, "name string, body string, year int").coalesce(1)
    result: Any = neardup.documents(
        frame, engine=spark, text_column="body", id_column="name", columns=["year"], keep="first"
    )
    assert [tuple(row) for row in result.pairs.select("id_a", "id_b", "similarity").collect()] == [
        ("n0", "n6", 1.0)
    ]
    assert result.documents.where("id = 'n3'").first()["year"] == 3
    assert result.counts["skipped: no text"] == 1
    assert result.run["input"] == {"kind": "dataframe"}
    assert result.local().pairs.num_rows == result.to_arrow().num_rows == len(result.to_pandas()) == 1
    with pytest.raises(InputError, match="for Spark's engine"):
        neardup.documents(frame)
    with pytest.raises(InputError, match="no column"):
        neardup.documents(frame, engine=spark, text_column="boddy")


def test_all_that_is_done_with_a_result_works_with_tables_of_spark_s(spark: Any, tmp_path: Path) -> None:
    rows = [{"id": own, "text": "A plain text of more than five words, twice."} for own in "ab"]
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    local = neardup.documents(tmp_path / "corpus.jsonl", output=tmp_path / "out")
    folder = HadoopFolder(spark, str(tmp_path / "out")).qualified()
    result = Result(str(folder), tables=SparkTables(folder))
    assert result._repr_html_() == local._repr_html_()
    assert result.to_polars().equals(local.to_polars())
    assert result.to_pandas().equals(local.to_pandas())
    assert result.explain("a", "b") == local.explain("a", "b")
    assert result.rethreshold(0.9).clusters == local.clusters
    assert neardup.dedup(result, tmp_path / "clean").removed == 1
    assert neardup.report(result, tmp_path / "report.html").pairs == 1


# --- input that only Spark reaches


def test_files_that_only_spark_reaches_are_read_by_it(spark: Any, tmp_path: Path) -> None:
    texts = stories(6, 4)
    rows = [{"id": f"n{n}", "text": text} for n, text in enumerate([*texts, texts[2]])]
    for name, own in (("a.jsonl", rows[:4]), ("b.jsonl", rows[4:])):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in own))
    run = RunSettings.make(2, "64MB", engine=engine_settings(spark))
    source = remote.open_remote([f"file://{tmp_path}"], ReaderSettings(), run)
    mark = source.fingerprint()
    result: Any = run_job(documents_job(source, DocumentSettings(), run), run, tmp_path / "out")
    assert [tuple(row)[:2] for row in result.pairs.collect()] == [("n2", "n6")]
    assert remote.marked(remote.listed(spark, [f"file://{tmp_path}/[ab].jsonl"])) == mark
    (tmp_path / "b.jsonl").write_text("")
    assert remote.marked(remote.listed(spark, [f"file://{tmp_path}/[ab].jsonl"])) != mark


def test_sources_that_only_spark_reaches_are_compared_with(spark: Any, tmp_path: Path) -> None:
    texts = stories(10, 3)
    for name, own in (("new.jsonl", texts[5:]), ("old.jsonl", texts[:5])):
        rows = [{"id": f"{name}{n}", "text": text} for n, text in enumerate(own)]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    paths = [str(tmp_path / name) for name in ("new.jsonl", "old.jsonl")]
    inputs, against = ([f"file://{path}"] for path in paths)
    run = RunSettings.make(2, "64MB", engine=engine_settings(spark))
    source, boundary = remote.open_both(inputs, against, ReaderSettings(), run)
    chosen = PassageSettings(min_length=40)
    found = Result.of(run_job(passages_job(source, chosen, run, boundary), run, tmp_path / "out"))
    expected = neardup.passages(paths[0], against=paths[1], min_length=40)
    assert expected.counts["passages"] > 1
    assert tables(found)["passages"].equals(tables(expected)["passages"])
    with pytest.raises(InputError, match="an input and a source"):
        remote.open_both(inputs, inputs, ReaderSettings(), run)
    (tmp_path / "old.jsonl").write_text('{"text": "a b c"}')
    with pytest.raises(InputError, match="other columns"):
        remote.open_both(inputs, against, ReaderSettings(), run)


def test_each_kind_of_file_becomes_a_table_of_spark_s(spark: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["a b"]}), tmp_path / "x.parquet")
    (tmp_path / "x.csv").write_text('id,text\n1,"says ""a""\nb"\n')
    (tmp_path / "x.txt").write_text("a\nb")
    expected = {"x.parquet": [("a b",)], "x.csv": [("1", 'says "a"\nb')]}
    for name, rows in expected.items():
        found = remote.table_of(spark, [f"file://{tmp_path}/{name}"])
        assert [tuple(row) for row in found.collect()] == rows
    [text] = remote.table_of(spark, [f"file://{tmp_path}/x.txt"]).collect()
    assert text["text"] == "a\nb"
    assert text["id"].endswith("/x.txt")
    with pytest.raises(InputError, match="has no reader"):
        remote.table_of(spark, ["s3a://bucket/x.warc.gz"])
    with pytest.raises(InputError, match="is not like"):
        remote.table_of(spark, ["s3a://bucket/x.csv.gz", "s3a://bucket/x.parquet"])
    with pytest.raises(InputError, match="no such file"):
        remote.listed(spark, [f"file://{tmp_path}/nothing"])


def test_what_only_spark_reaches_is_left_to_it(spark: Any) -> None:
    assert remote.only_spark_reaches(["s3a://bucket/x"])
    assert remote.only_spark_reaches(["dbfs:/x"])
    assert not remote.only_spark_reaches(["file:///x", "x.jsonl", "C:/x"])
    with pytest.raises(SettingsError, match="does not know gopher"):
        neardup.documents("gopher://host/x.jsonl", engine=spark)


# --- graphs


@pytest.mark.slow
@settings(
    max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    edges=st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14), st.sampled_from([0.5, 0.7, 0.9]))),
    kind=st.sampled_from(["star", "components"]),
)
def test_a_graph_larger_than_a_task_is_grouped_as_a_small_one(
    spark: Any, edges: list[tuple[int, int, float]], kind: Any, tmp_path_factory: Any
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    known = sorted({(max(a, b), min(a, b)): s for a, b, s in edges if a != b}.items())
    expected = grouping(kind, 15)
    for (worse, better), similarity in known:
        expected.add([worse], [better], [similarity])

    def store(frame: Any, name: str) -> Any:
        frame.write.parquet(str(folder / name))
        return spark.read.parquet(str(folder / name))

    listed = [(*ends, similarity) for ends, similarity in known]
    given_edges = spark.createDataFrame(listed, "worse long, better long, similarity double")
    nodes = spark.range(15).withColumnRenamed("id", "node")
    found = groups.clustered(nodes, given_edges, kind, store, one_task=0).collect()
    keepers, similarities = expected.finish()
    assert [(r["keeper"], r["similarity"]) for r in found] == list(
        zip(keepers, similarities, strict=True)
    )


# --- statements over small tables


def test_the_driver_runs_what_reads_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = pa.schema([("doc", pa.int64()), ("extra_0", pa.string()), ("keys", pa.list_(pa.int64()))])
    units = Map("units", "records", lambda batch, _: batch, schema)
    (tmp_path / "units").mkdir()
    columns = {"doc": [2, 1], 'a "name".x': ["b", None], "keys": [b"12345678", b""]}
    pq.write_table(pa.table(columns), tmp_path / "units" / "part-0.parquet")
    steps: dict[str, Step] = {
        "units": units,
        "some": Sql("some", ("units", "files"), "select doc, extra_0 from {units}, {files} f"),
        "sorted": Sql("sorted", ("some",), "select doc, extra_0 from {some} order by doc"),
        "lists": Sql("lists", ("units",), "select keys from {units}"),
        "unknown": Sql("unknown", ("lists",), "select 1 as one from {lists}"),
        "edges": Sql("edges", ("units",), EDGE),
        "grouped": ClusterStep("grouped", "units", "edges", "star"),
    }
    with small.SmallTables(tmp_path / "spill", {"files": pa.table({"file": [0]})}) as tables:
        tables.open(units, tmp_path / "units", {'a "name".x': "extra_0"})
        assert [n for n, step in steps.items() if tables.suffice_for(step, steps)] == [
            *("some", "sorted", "edges", "grouped")
        ]
        for name in ("sorted", "grouped"):
            tables.write(steps[name], tmp_path / name, {"extra_0": "a.b"}, Silent())
        monkeypatch.setattr(small, "MOST_BYTES", 8)
        assert not tables.suffice_for(steps["some"], steps)
    found = small.WrittenTable(tmp_path / "sorted", {"a.b": "extra_0"})
    assert pq.read_table(tmp_path / "sorted").column_names == ["doc", "a.b"]
    assert [row for batch in found.batches() for row in batch.to_pylist()] == [
        {"doc": 1, "extra_0": None},
        {"doc": 2, "extra_0": "b"},
    ]
    assert found.schema.names == list(found.sizes()) == ["doc", "extra_0"]
    assert pq.read_table(tmp_path / "grouped")["keeper"].to_pylist() == [0, 0]
    assert (tmp_path / "sorted" / "_SUCCESS").exists()


# --- lists as bytes


@given(
    rows=st.lists(
        st.tuples(
            st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4),
            st.lists(st.integers(0, 2**31 - 1), max_size=3),
        ),
        max_size=6,
    ),
    begin=st.integers(0, 3),
)
def test_lists_come_back_from_their_bytes(rows: list[tuple[list[int], list[int]]], begin: int) -> None:
    schema = pa.schema([("n", pa.int64()), ("a", pa.list_(pa.int64())), ("b", pa.list_(pa.int32()))])
    columns = [range(len(rows)), [a for a, _ in rows], [b for _, b in rows]]
    batch = pa.record_batch([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema)
    batch = batch.slice(begin)
    packed = list(pack(batch))
    lists = packed_columns(spark_schema(schema))
    assert all(part.schema.types[1:] == [pa.binary()] * 2 for part in packed)
    found = [unpack(part.slice(at), lists) for part in packed for at in (0, part.num_rows // 2)]
    assert found[0].equals(batch)
    assert found[1].equals(batch.slice(batch.num_rows // 2))


def test_columns_of_all_kinds_are_carried() -> None:
    moment = datetime(2026, 11, 15, 12, 30, tzinfo=UTC)
    columns = {
        "bytes": pa.array([7, 8], pa.uint8()),
        "huge": pa.array([2**64 - 1, None], pa.uint64()),
        "half": pa.array([0.5, 1.5], pa.float16()),
        "moment": pa.array([moment, None], pa.timestamp("ns", "UTC")),
        "day": pa.array([moment.date(), None], pa.date64()),
        "spent": pa.array([5, None], pa.duration("s")),
        "right": pa.array([True, False]),
    }
    found = next(pack(pa.record_batch(columns)))
    assert len(spark_schema(pa.record_batch(columns).schema)) == len(columns)
    assert found["bytes"].to_pylist() == [7, 8]
    assert found["huge"].to_pylist() == [2**64 - 1, None]
    assert found["half"].to_pylist() == [0.5, 1.5]
    assert found["moment"].to_pylist() == [moment, None]
    assert found["day"].to_pylist() == [moment.date(), None]
    assert found["right"].to_pylist() == [True, False]
    assert found["spent"].to_pylist()[1] is None


# --- rows that change their task in pieces


@given(
    keys=st.lists(st.integers(-(2**63), 2**63 - 1), max_size=40),
    parts=st.sampled_from([1, 3, 1000]),
    cuts=st.integers(1, 4),
)
def test_rows_come_back_from_pieces_and_equal_keys_are_in_the_same_part(
    keys: list[int], parts: int, cuts: int
) -> None:
    schema = pa.schema([("key", pa.int64()), ("doc", pa.int32())])
    assert pieces.fits(schema)
    assert not pieces.fits(pa.schema([("key", pa.int64()), ("id", pa.string())]))
    step = pieces.cut(Map("keys", "units", lambda batch, _: batch, schema), parts)
    rows = pa.record_batch([pa.array(keys, pa.int64()), pa.array(range(len(keys)), pa.int32())], schema)
    size = -(-len(keys) // cuts) or 1
    cut = [step.function(rows.slice(at, size), {}) for at in range(0, len(keys), size)]
    assert all(batch.schema == step.schema for batch in cut)
    join = pieces.Joined(lambda batch, _: batch, schema)
    found: dict[int, list[tuple[int, int]]] = {}
    for row in (row for batch in cut for row in batch.to_pylist()):
        assert len(row["key"]) == len(row["doc"]) > 0
        found.setdefault(row[pieces.PART], []).extend(zip(row["key"], row["doc"], strict=True))
    joined = [row for batch in cut for row in join(batch, {}).to_pylist()]
    assert sorted(row["doc"] for row in joined) == list(range(len(keys)))
    assert all(row["key"] == keys[row["doc"]] for row in joined)
    owners: dict[int, set[int]] = {}
    for part, members in found.items():
        for key, _ in members:
            owners.setdefault(key, set()).add(part)
    assert all(len(parts_of_key) == 1 for parts_of_key in owners.values())


# --- what fails, and goes on


@pytest.mark.slow
def test_a_task_that_fails_twice_is_tried_again(spark: Any, tmp_path: Path) -> None:
    source = tmp_path / "texts.jsonl"
    source.write_text("\n".join(json.dumps({"text": text}) for text in stories(5, 5)))

    from neardup.methods.documents.units import MakeUnits

    class Failing(MakeUnits):
        def __call__(self, batch: Any, sides: Any) -> Any:
            from pyspark import TaskContext

            context = TaskContext.get()
            if context and context.attemptNumber() < 2:
                raise RuntimeError("out of order")
            return super().__call__(batch, sides)

    expected = tables(neardup.documents(str(source), threshold=0.2))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("neardup.methods.documents.plan.plan.MakeUnits", Failing)
        found = tables(neardup.documents(str(source), threshold=0.2, engine=spark))
    assert found.keys() == expected.keys()
    assert all(found[name].equals(table) for name, table in expected.items())


@pytest.mark.slow
def test_an_interrupted_run_goes_on(spark: Any, tmp_path: Path) -> None:
    texts, out = stories(8, 6), tmp_path / "out"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(small, "MOST_BYTES", ALL_BY_SPARK)
        patched.setattr("neardup.engines.spark.engine.clustered", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            neardup.documents(texts, threshold=0.1, engine=spark, output=out)
    written = tmp_path / "out.partial" / "steps" / "01-units" / "_SUCCESS"
    before = written.stat().st_mtime_ns
    times: list[int] = []
    noted: list[str] = []

    class Noting:
        def note(self, message: str) -> None:
            noted.append(message)
            times.append(written.stat().st_mtime_ns)

        def step(self, name: str, total: int | None, unit: str) -> Any:
            assert name not in ("units", "shared", "verified")
            return Silent().step(name, total, unit)

    result = neardup.documents(texts, threshold=0.1, engine=spark, output=out, progress=Noting())
    assert times == [before]
    assert "going on with an interrupted run" in noted[0]
    assert not (tmp_path / "out.partial").exists()
    assert tables(result)["pairs"].equals(tables(neardup.documents(texts, threshold=0.1))["pairs"])


@pytest.mark.slow
def test_a_folder_that_is_not_free_is_refused(spark: Any, tmp_path: Path) -> None:
    texts = stories(3, 7)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear")
    with pytest.raises(OutputError, match="not an empty folder"):
        neardup.documents(texts, engine=spark, output=tmp_path / "mine")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "run.json").write_text("{}")
    with pytest.raises(OutputError, match="already holds a result"):
        neardup.documents(texts, engine=spark, output=tmp_path / "old")
    result = neardup.documents(texts, engine=spark, output=tmp_path / "old", overwrite=True)
    assert result.counts["documents"] == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine", "old"]
    (tmp_path / "old" / "letter.txt").write_text("Dear")
    with pytest.raises(OutputError, match=r"did not write: letter\.txt"):
        neardup.documents(texts, engine=spark, output=tmp_path / "old", overwrite=True)
    (tmp_path / "new.partial").mkdir()
    (tmp_path / "new.partial" / "letter.txt").write_text("Dear")
    with pytest.raises(OutputError, match="not neardup's"):
        neardup.documents(texts, engine=spark, output=tmp_path / "new")
    assert [(p.parent.name, p.read_text()) for p in sorted(tmp_path.glob("*/letter.txt"))] == [
        (name, "Dear") for name in ("mine", "new.partial", "old")
    ]


def test_two_runs_cannot_write_one_result(spark: Any, tmp_path: Path) -> None:
    with (
        DiskFolder(tmp_path / "out.partial").locked("out"),
        pytest.raises(OutputError, match="another run is writing this result"),
    ):
        neardup.documents(["a"], engine=spark, output=tmp_path / "out")


def test_a_lease_is_seen_while_it_is_held_and_a_dead_one_bars_nobody(spark: Any, tmp_path: Path) -> None:
    file = HadoopFolder(spark, f"file:{tmp_path}/out.lock")
    file.write_text("somebody who was killed 7")
    with leased(file, "out", 0.1):
        assert is_held(file, 0.3)
        with pytest.raises(OutputError, match="another run"), leased(file, "out", 0.3):
            pass
    assert not file.exists()


def test_classes_are_taken_from_an_archive_that_is_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    options = classes.archive_options("17", tmp_path)
    archive = Path(options.rpartition("=")[2])
    assert "ArchiveClassesAtExit" in options
    archive.write_bytes(b"\0\0\0\0rest")  # Java was killed while it wrote
    assert "ArchiveClassesAtExit" in classes.archive_options("17", tmp_path)
    archive.write_bytes(b"\xa8\xba\x0b\xf0rest")
    assert classes.archive_options("17", tmp_path).endswith(f"-XX:SharedArchiveFile={archive}")
    assert "ArchiveClassesAtExit" in classes.archive_options("21", tmp_path)


def test_a_bad_record_is_named_in_a_strict_run(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "fine"}\n{"text": 7\n')
    with pytest.raises(InputError, match=r"bad\.jsonl, record 2") as error:
        neardup.documents(
            str(tmp_path / "bad.jsonl"), engine=spark, strict=True, output=tmp_path / "out"
        )
    assert "strict=True" in str(error.value.hint)
    assert not list(tmp_path.glob("out*"))


def test_a_filesystem_that_spark_does_not_know_is_named(spark: Any) -> None:
    with pytest.raises(SettingsError, match="does not know gopher"):
        neardup.documents(["a"], engine=spark, output="gopher://host/out")


@pytest.mark.parametrize(
    ("told", "kind", "what"),
    [
        ("ModuleNotFoundError: No module named 'neardup'", SettingsError, "no package neardup"),
        ("[PYTHON_VERSION_MISMATCH] Python in worker has", SettingsError, "another Python"),
        ("java.lang.OutOfMemoryError: Java heap space", StepError, "too little memory"),
        ("ExecutorLostFailure (executor 3 exited)", StepError, "too little memory"),
        ("AccessControlException: Permission denied: user=me", OutputError, "not permitted"),
        ("Traceback\n  File x\nValueError: seven", StepError, "ValueError: seven"),
        ("", StepError, "Spark failed"),
    ],
)
def test_what_went_wrong_is_told_with_a_remedy(told: str, kind: type[NeardupError], what: str) -> None:
    error = explanation(told, "step 'units'")
    assert isinstance(error, kind)
    assert what in str(error)
    assert error.hint or kind is StepError


def test_errors_of_neardup_s_own_arrive_as_they_are() -> None:
    with pytest.raises(Exception, match="neardup-error:") as raised, carried():
        raise InputError("bad", where="here", hint="Mend it.")
    assert str(explanation(f"Traceback …\n{raised.value}\n\tat java", "x")) == "here: bad\nMend it."


# --- before anything begins


def test_without_java_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SettingsError, match="needs Java"):
        check_java()
    old = tmp_path / "java"
    old.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_302\"' >&2\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(SettingsError, match="needs Java 17, this is 8"):
        check_java()


def test_without_pyspark_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(SettingsError, match=r"needs pyspark.*\n.*pip install '\.\[spark\]'"):
        check_pyspark()


def test_a_master_that_is_none_or_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match="there is no master 'sparky'"):
        check_master("sparky")
    with pytest.raises(SettingsError, match="HADOOP_CONF_DIR"):
        check_master("yarn")
    with pytest.raises(SettingsError, match="does not answer"):
        check_master("spark://127.0.0.1:1")
    check_master("local[2]")
    check_master("k8s://https://cluster:6443")


def test_why_spark_did_not_start_is_told() -> None:
    told = "WARNING: something\nException in thread main java.net.BindException: in use\n\tat x.y(Z)"
    assert "BindException: in use" in str(not_started("local[*]", told))


def test_there_are_two_engines() -> None:
    with pytest.raises(SettingsError, match="there is no engine 'hadoop'"):
        neardup.documents(["a"], engine="hadoop")


# --- a cluster


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if not shutil.which("java"):
        pytest.skip("there is no Java")
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def run_on(
    started: Cluster, source: Path, out: Path, *more: str, memory: str = "512m", **env: str
) -> subprocess.Popen[str]:
    command = [str(NEARDUP), "documents", str(source), "-o", str(out), "--threshold", "0.2"]
    spark = ["--engine", "spark", "--master", started.address, "--conf"]
    spark += [f"spark.executor.memory={memory}"]
    quick = ["--conf", "spark.sql.codegen.wholeStage=false", "--conf", "spark.driver.host=127.0.0.1"]
    return subprocess.Popen(
        [*command, *spark, *quick, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"} | env,
    )


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    source = tmp_path / "texts.jsonl"
    source.write_text("\n".join(json.dumps({"text": text}) for text in stories(60, 8)))
    return source


def without_neardup(folder: Path) -> Path:
    """Make a Python that has all packages of this one but neardup."""
    packages = Path(pa.__file__).parent.parent
    python = folder / "python"
    path = f'PYTHONPATH="$PYTHONPATH:{packages}"'
    python.write_text(f'#!/bin/sh\n{path} exec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    return python


@pytest.mark.slow
def test_executors_get_the_package_from_an_archive_or_say_that_they_lack_it(
    two_workers: Cluster, corpus: Path, tmp_path: Path
) -> None:
    python = str(without_neardup(tmp_path))
    lacking = run_on(two_workers, corpus, tmp_path / "out", PYSPARK_PYTHON=python)
    told, _ = lacking.communicate(timeout=400)
    assert lacking.returncode == 2
    assert "the executors have no package neardup" in told
    assert "spark.archives" in told
    packed = shutil.make_archive(
        str(tmp_path / "neardup"), "zip", Path(neardup.__file__).parent.parent, "neardup"
    )
    archive = ["--conf", f"spark.archives={packed}#lib", "--conf", "spark.executorEnv.PYTHONPATH=lib"]
    sent = run_on(two_workers, corpus, tmp_path / "out", *archive, PYSPARK_PYTHON=python)
    told, _ = sent.communicate(timeout=400)
    assert sent.returncode == 0, told
    local = neardup.documents(str(corpus), threshold=0.2)
    assert tables(neardup.Result(tmp_path / "out"))["pairs"].equals(tables(local)["pairs"])


@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing(
    two_workers: Cluster, corpus: Path, tmp_path: Path
) -> None:
    job = run_on(two_workers, corpus, tmp_path / "out")
    written = tmp_path / "out.partial" / "steps" / "01-units" / "_SUCCESS"
    begun = time.monotonic()
    while not written.exists() and job.poll() is None and time.monotonic() - begun < 120:
        time.sleep(0.1)
    assert written.exists()
    two_workers.kill_worker(0)
    told, _ = job.communicate(timeout=400)
    assert job.returncode == 0, told
    ours, theirs = (
        tables(neardup.documents(str(corpus), threshold=0.2)),
        tables(neardup.Result(tmp_path / "out")),
    )
    assert ours.keys() == theirs.keys()
    assert all(theirs[name].equals(table) for name, table in ours.items())


@pytest.mark.slow
def test_executors_that_die_of_memory_are_named_and_more_of_it_helps(
    two_workers: Cluster, tmp_path: Path
) -> None:
    source = tmp_path / "texts.jsonl"
    dice = random.Random(1)
    huge = " ".join(str(dice.randrange(10**6)) for _ in range(9_000_000))
    source.write_text("\n".join(json.dumps({"text": text}) for text in (*stories(3, 5), huge)))
    poor = run_on(two_workers, source, tmp_path / "out")
    told, _ = poor.communicate(timeout=600)
    assert poor.returncode == 1
    assert "the executors have too little memory" in told
    assert "spark.executor.memory" in told
    rich = run_on(two_workers, source, tmp_path / "out", memory="3g")
    told, _ = rich.communicate(timeout=600)
    assert rich.returncode == 0, told
    local = neardup.documents(str(source), threshold=0.2)
    assert tables(neardup.Result(tmp_path / "out"))["documents"].equals(tables(local)["documents"])
