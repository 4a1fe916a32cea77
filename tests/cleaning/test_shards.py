"""dedup as a job of Spark: the same files as on one machine, a task each, and resumed."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.corpora import stories

import neardup
from neardup.cleaning import shards
from neardup.engines.spark import Spark
from neardup.errors import InputError, OutputError, SettingsError, StepError
from neardup.storage import Address

FILES = ["a.jsonl.gz", "c.jsonl", "d.jsonl", "deep/b.parquet"]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> neardup.Result:
    """Find duplicates in shards of several formats; nothing goes from one of them."""
    base = tmp_path_factory.mktemp("shards")
    texts = stories(12, 4)
    rows = [{"id": f"n{n}", "text": text, "n": [n]} for n, text in enumerate([*texts, *texts[:9:2]])]
    (base / "in" / "deep").mkdir(parents=True)
    lines = [json.dumps(row).encode() + b"\n" for row in rows]
    (base / "in" / FILES[0]).write_bytes(gzip.compress(b"".join(lines[12:15])))
    schema = pa.schema([("id", pa.string()), ("text", pa.string()), ("n", pa.list_(pa.int8()))])
    table = pa.Table.from_pylist(rows[:6], schema.with_metadata({"made": "by hand"}))
    pq.write_table(table, base / "in" / FILES[3], compression="zstd")
    (base / "in" / FILES[1]).write_bytes(b"".join(lines[6:10] + lines[15:]) + b"no json\n")
    (base / "in" / FILES[2]).write_bytes(b"".join(lines[10:12]))
    return neardup.documents(base / "in", output=base / "out")


def contents(folder: Path) -> dict[str, Any]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.mark.parametrize("mode", ["remove", "annotate", "list"])
def test_the_files_and_the_table_are_those_of_one_machine(
    found: neardup.Result, spark: Any, mode: Any, tmp_path: Path
) -> None:
    here = neardup.dedup(found, tmp_path / "here", mode=mode)
    there = neardup.dedup(found.folder, tmp_path / "there", mode=mode, engine=spark)
    assert (there.kept, there.removed, there.damaged) == (here.kept, here.removed, {})
    assert here.removed == 5
    assert [path.relative_to(tmp_path / "there") for path in there.files] == [
        path.relative_to(tmp_path / "here") for path in here.files
    ]
    if mode != "list":
        assert contents(tmp_path / "there") == contents(tmp_path / "here")
    tables = [pq.read_table(done.tables / "neardup-removed.parquet") for done in (here, there)]
    assert tables[1].equals(tables[0])
    told = {path.name for path in there.tables.iterdir()}
    assert told == {"neardup-removed.parquet", "neardup-removed.json"}
    if mode != "list":
        left = {path.name for path in (tmp_path / "there").iterdir()}
        assert left == {name.partition("/")[0] for name in FILES}
    if mode == "remove":  # the table beside the files is no input
        again = neardup.documents(tmp_path / "there")
        assert again.counts["pairs"] == 0 and again.counts["documents"] == here.kept


@pytest.mark.parametrize("where", ["disk", "s3"])
def test_files_that_are_whole_are_not_written_again(
    found: neardup.Result, spark: Any, where: str, tmp_path: Path, s3: str, monkeypatch: Any
) -> None:
    host = os.environ["AWS_ENDPOINT_URL"].removeprefix("http://")
    query = f"endpoint_override={host}&scheme=http&region=us-east-1"
    address = f"s3://name:secret@{s3.removeprefix('s3://')}/clean-by-spark?{query}"
    target = tmp_path / "clean" if where == "disk" else Address(address)
    work = target.with_name("clean.partial") if isinstance(target, Path) else target
    own = Spark.each_shard
    calls: list[int] = []

    def interrupted(self: Spark, run: Any, tables: Any, text: str, shards: Any, *rest: Any) -> Any:
        calls.append(own(self, run, tables, text, shards.slice(0, 2), *rest).num_rows)
        raise RuntimeError("the driver was killed")

    with monkeypatch.context() as patched:
        patched.setattr(Spark, "each_shard", interrupted)
        with pytest.raises(RuntimeError, match="killed"):
            neardup.dedup(found, str(target), mode="remove", engine=spark)
    assert calls == [2]
    if isinstance(work, Address):
        with pytest.raises(InputError, match="incomplete"):
            neardup.documents(str(work))
    (work / FILES[0]).write_text("written before")
    assert not (work / FILES[2]).exists()
    done = neardup.dedup(found, str(target), mode="remove", engine=spark)
    assert done.removed == 5
    whole = neardup.dedup(found, tmp_path / "whole", mode="remove").output
    assert (target / FILES[0]).read_text() == "written before"
    assert all((target / name).read_bytes() == (whole / name).read_bytes() for name in FILES[1:])
    names = target.names() if isinstance(target, Address) else [p.name for p in target.iterdir()]
    assert set(names or ()) == {"a.jsonl.gz", "c.jsonl", "d.jsonl", "deep"}
    told = done.tables.names() if where == "s3" else [p.name for p in done.tables.iterdir()]
    assert set(told) == {"neardup-removed.parquet", "neardup-removed.json"}


@pytest.mark.parametrize("where", ["disk", "s3"])
def test_nothing_is_left_where_no_file_got_whole(
    found: neardup.Result, spark: Any, where: str, tmp_path: Path, s3: str, monkeypatch: Any
) -> None:
    def failing(*_: Any) -> Any:
        raise StepError("the executors have too little memory")

    monkeypatch.setattr(Spark, "each_shard", failing)
    target = f"{s3}/never" if where == "s3" else str(tmp_path / "never")
    with pytest.raises(StepError):
        neardup.dedup(found, target, mode="remove", engine=spark)
    assert not list(tmp_path.iterdir())
    assert where == "disk" or not Address(target).names()


def test_what_spark_cannot_do_is_refused(found: neardup.Result, spark: Any, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the clusters as the run found them"):
        neardup.dedup(found, tmp_path / "clean", engine=spark, keep="first")
    memory = neardup.documents(["one text", "one text"])
    with pytest.raises(InputError, match="not made from files"):
        neardup.dedup(memory, tmp_path / "clean", mode="remove", engine=spark)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(OutputError, match="not an empty folder"):
        neardup.dedup(found, tmp_path / "full", engine=spark)


def test_names_that_lead_elsewhere_are_refused() -> None:
    for name in ("../x", "/x", "a/../../x", "neardup-removed.parquet"):
        with pytest.raises(OutputError, match="cannot be written"):
            shards.check_inside(name)


def test_a_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    with pytest.raises(KeyError), shards.placed(tmp_path, "a/b.txt") as path:
        path.write_text("half")
        raise KeyError
    assert not (tmp_path / "a").exists()
    with shards.placed(tmp_path, "a/b.txt") as path:
        path.write_text("whole")
    assert (tmp_path / "a" / "b.txt").read_text() == "whole"
