"""Cleaned corpora written by this machine and by tasks of Spark, to a disk and to an address."""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cleaning.recipes import NOTICE, RECIPE, corpus
from tests.command_line import Command
from tests.corpora import prose
from tests.engines.spark.comparing import same_on_both

import neardup
from neardup.cleaning.written import LedgerShard
from neardup.engines.spark import Spark
from neardup.errors import InputError, OutputError, SettingsError

FILES = ["a.jsonl", "b.jsonl.gz", "c.parquet", "deep/d.jsonl"]
THERE = "there é %20"


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    """Write the corpus in shards of several formats."""
    rows, folder = corpus(), tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    lines = [f"{json.dumps(row)}\n".encode() for row in rows]
    (folder / FILES[0]).write_bytes(b"".join(lines[:4]) + b"no json\n")
    (folder / FILES[1]).write_bytes(gzip.compress(b"".join(lines[4:8])))
    pq.write_table(pa.Table.from_pylist(rows[8:16]), folder / FILES[2])
    (folder / FILES[3]).write_bytes(b"".join(lines[16:]))
    return folder


@pytest.fixture(params=["local", "spark"])
def engine(request: pytest.FixtureRequest) -> Any:
    """Return each engine."""
    return request.param if request.param == "local" else request.getfixturevalue("spark")


@pytest.fixture(params=["disk", "address"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where a corpus goes: to the folder THERE, or to the same as an address."""
    if request.param == "disk":
        return str(tmp_path / THERE)
    pytest.importorskip("fsspec")
    known = request.getfixturevalue("spark").sparkContext._jsc.hadoopConfiguration()
    known.set("fs.local.impl", "org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme")
    known.set("fs.viewfs.mounttable.default.linkFallback", "file:///")
    known.set("fs.viewfs.overload.scheme.target.file.impl", "org.apache.hadoop.fs.LocalFileSystem")
    request.getfixturevalue("monkeypatch").chdir("/")  # Hadoop tells local:///x as local:/x
    return f"local://{tmp_path}/{THERE}"


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a corpus."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def tables_in(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all tables of a ledger."""
    return {path.stem: pq.read_table(path).to_pylist() for path in folder.glob("*.parquet")}


def decided_before(shards: Path, tmp_path: Path, **chosen: Any) -> dict[str, bytes]:
    """Clean to `here`, leave the same ledger for THERE, and return what was written."""
    neardup.clean(shards, recipe=RECIPE, output=tmp_path / "here", **chosen)
    shutil.copytree(tmp_path / "here.removed", tmp_path / f"{THERE}.removed")
    return contents(tmp_path / "here")


@pytest.mark.parametrize("add", [None, "cluster_size"])
def test_files_are_those_of_one_machine(
    shards: Path, engine: Any, target: str, add: str | None, tmp_path: Path
) -> None:
    wanted = decided_before(shards, tmp_path, add=add)
    done = neardup.clean(shards, recipe=RECIPE, output=target, engine=engine, add=add)
    assert contents(tmp_path / THERE) == wanted
    assert [str(path) for path in done.files] == [f"{target}/{name}" for name in FILES]
    assert tables_in(tmp_path / f"{THERE}.removed") == tables_in(tmp_path / "here.removed")
    assert {path.name for path in tmp_path.iterdir()} >= {THERE, f"{THERE}.removed"}
    assert not list(tmp_path.glob("*.partial"))


def test_a_file_that_cannot_be_read_whole_stays_as_it_is(
    shards: Path, engine: Any, target: str, tmp_path: Path
) -> None:
    bad = (shards / FILES[1]).read_bytes()[:-8] + bytes(8)  # the checksum is wrong
    (shards / FILES[1]).write_bytes(bad)
    neardup.clean(shards, recipe=RECIPE, output=tmp_path / THERE, dry_run=True)
    wanted = neardup.clean(shards, recipe=RECIPE, output=tmp_path / "here")
    done = neardup.clean(shards, recipe=RECIPE, output=target, engine=engine)
    assert contents(tmp_path / THERE) == contents(tmp_path / "here")
    assert dict(done.damaged) == dict(wanted.damaged) and list(done.damaged) == [FILES[1]]
    assert tables_in(tmp_path / f"{THERE}.removed") == tables_in(tmp_path / "here.removed")
    assert done.result.counts == wanted.result.counts
    tables = tables_in(tmp_path / f"{THERE}.removed")
    assert FILES[1] not in {row["source"] for row in tables["ledger"]}
    assert len(tables["kept"]) == done.result.counts["kept"]
    went = {(row["stage"], row["id"]) for row in tables["ledger"]}
    assert {(row["stage"], row["id"]) for row in tables["shown"]} <= went


def test_files_that_are_whole_are_not_written_again(
    shards: Path, spark: Any, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = decided_before(shards, tmp_path)
    own = Spark.each_shard

    def interrupted(self: Spark, run: Any, tables: Any, text: str, shards: Any, *rest: Any) -> Any:
        own(self, run, tables, text, shards.slice(0, 2), *rest)
        raise RuntimeError("the driver was killed")

    with monkeypatch.context() as patched:
        patched.setattr(Spark, "each_shard", interrupted)
        with pytest.raises(RuntimeError, match="killed"):
            neardup.clean(shards, recipe=RECIPE, output=target, engine=spark)
    work = tmp_path / (THERE if "://" in target else f"{THERE}.partial")
    assert (work / FILES[0]).read_bytes() == wanted[FILES[0]] and not (work / FILES[2]).exists()
    (work / FILES[0]).write_text("written before")
    if "://" in target:
        with pytest.raises(InputError, match="incomplete"):
            neardup.documents(target)
    neardup.clean(shards, recipe=RECIPE, output=target, engine=spark)
    assert contents(tmp_path / THERE) == wanted | {FILES[0]: b"written before"}
    with pytest.raises(OutputError, match="not an empty folder"):
        neardup.clean(shards, recipe=RECIPE, output=target, engine=spark)


@pytest.mark.parametrize(
    "target", ["disk", pytest.param("address", marks=pytest.mark.slow)], indirect=True
)
def test_a_corpus_is_cleaned_on_spark_and_its_decisions_are_taken_once(
    shards: Path, spark: Any, target: str, tmp_path: Path, command: Command, monkeypatch: Any
) -> None:
    wanted = neardup.clean(shards, recipe=RECIPE, output=tmp_path / "here")
    tried = neardup.clean(shards, recipe=RECIPE, output=target, engine=spark, dry_run=True)
    assert tables_in(tmp_path / f"{THERE}.removed") == tables_in(tmp_path / "here.removed")
    assert tried.result.counts == wanted.result.counts and tried.files == ()
    assert tried.result.ledger.count() == wanted.result.ledger.num_rows  # a DataFrame
    monkeypatch.setattr("neardup.cleaning.clean.run_job", lambda *_, **__: pytest.fail("it ran again"))
    done = neardup.clean(shards, recipe=RECIPE, output=target, engine=spark)
    assert contents(tmp_path / THERE) == contents(tmp_path / "here")
    assert done.result.flow.count() == wanted.result.flow.num_rows
    assert f"{wanted.result.counts['kept']} records kept" in command("show", target).out
    assert "near-duplicate" in command("show", target, "ledger").out


ASKED = "Which planet of the solar system has the greatest number of known moons today?"


@pytest.mark.slow
@pytest.mark.parametrize(
    "chosen",
    [
        {"add": "commonness", "keep_per": "lang", "stage": ["spans", "lines", "decontaminate"]},
        {"group": "url", "stage": ["exact", "documents"]},
    ],
    ids=["cut", "grouped"],
)
def test_ledgers_are_the_same_on_both_engines(
    chosen: dict[str, Any], spark: Any, tmp_path: Path
) -> None:
    bench = tmp_path / "quiz.jsonl"
    bench.write_text(json.dumps({"id": "moons", "question": ASKED, "answer": "Saturn"}))
    rows = [record | {"lang": f"{n % 3}"} for n, record in enumerate(corpus())]
    rows += [{"id": "quiz", "text": f"{NOTICE} {ASKED} Saturn. {prose(60, 95)}", "lang": "0"}]
    benchmarks = {"decontaminate": {"benchmarks": str(bench)}}
    stages = [{"name": name, **benchmarks.get(name, {})} for name in chosen.pop("stage")]
    recipe = {"keep": "first", "stage": stages}

    def ledger(source: Any, **more: Any) -> neardup.Result:
        return neardup.clean(source, recipe=recipe, dry_run=True, **chosen, **more).result

    found = same_on_both(ledger, rows, spark, without_disk="add" in chosen)
    assert {row["stage"] for row in found.ledger.to_pylist()} >= {stages[0]["name"], stages[-1]["name"]}


def test_what_cannot_be_written_is_told_before_anything_is_read(shards: Path, spark: Any) -> None:
    given: dict[str, Any] = {"recipe": RECIPE, "engine": spark}
    with pytest.raises(InputError, match="nowhere"):
        neardup.clean(shards, "nowhere://bucket/clean", **given)
    frame = spark.createDataFrame([("1", "A text.")], ["id", "text"])
    with pytest.raises(InputError, match="only files can be rewritten"):
        neardup.clean(frame, shards.parent / "there", **given)
    with pytest.raises(SettingsError, match="no stage 'nothing'"):
        neardup.clean(shards, recipe={"stage": [{"name": "nothing"}]}, engine=spark)


def test_a_task_has_the_rows_of_its_own_file_only(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{json.dumps({'text': text})}\n" for text in ("one", "two", "three")))
    rows = pa.Table.from_pylist(
        [
            {"position": 2, "action": "dropped", "start": 0, "end": 3},
            {"position": 3, "action": "cut", "start": 2, "end": 5},
        ]
    )
    read = neardup.documents(path, shingle="word:1").run["input"]
    work = LedgerShard(tmp_path / "out", {**read, "files": []}, (), ())
    shard = {"number": 0, "file": json.dumps(read["files"][0])}
    told = {"number": 0, "removed": 2, "written": True, "damage": None}
    assert work(shard, rows) == told == work(shard, rows)
    left = [json.loads(line)["text"] for line in (tmp_path / "out" / "a.jsonl").open()]
    assert left == ["one", "th"]
