"""Corpora and results at addresses: a server of S3, plain HTTP, and filesystems of fsspec."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pyarrow.fs as pafs
import pyarrow.parquet as pq
import pytest
from tests.command_line import Command
from tests.corpora import stories

import neardup
from neardup import storage
from neardup.errors import InputError, OutputError
from neardup.storage import MARK, Address, located

TEXTS = [*stories(6, 4), stories(6, 4)[2]]
LINES = [json.dumps({"id": f"n{n}", "text": text}) + "\n" for n, text in enumerate(TEXTS)]


@pytest.fixture(autouse=True)
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let what goes to addresses be made in a folder of the test."""
    made = tmp_path / "outputs"
    monkeypatch.setattr(storage, "staged", lambda target: made / target.name)
    monkeypatch.setattr("neardup.results.places.staged", storage.staged)
    return made


def put(address: str, name: str, lines: list[str]) -> None:
    (Address(address) / name).write_text("".join(lines))


@pytest.fixture(scope="module")
def bucket(s3: str) -> str:
    put(f"{s3}/in", "a.jsonl", LINES[:4])
    put(f"{s3}/in", "b.jsonl", LINES[4:])
    neardup.documents(f"{s3}/in", output=f"{s3}/out", keep_texts=True)
    return s3


def names(address: str) -> set[str]:
    return set(Address(address).names() or ())


def test_from_a_corpus_to_a_clean_one_and_all_that_looks_at_a_result(
    bucket: str, command: Command, outputs: Path, tmp_path: Path
) -> None:
    out = f"{bucket}/out"
    assert MARK not in names(out) and "run.json" in names(out)
    assert neardup.Result(out).run["input"]["files"][0]["path"] == f"{bucket}/in/a.jsonl"
    assert "n2" in command("show", out).out
    assert "resemblance 1.0000" in command("explain", out, "n2", "n6").out.replace("\n", " ")
    assert command("report", out).code == 0
    assert "report.html" in names(out)
    gold = tmp_path / "gold.csv"
    gold.write_text("id_a,id_b\nn2,n6\n")
    assert "1.0000" in command("evaluate", out, "--gold", gold).out
    assert command("export", out, "-o", f"{bucket}/tables", "--table", "pairs").code == 0
    assert names(f"{bucket}/tables") == {"pairs.csv"}
    command("export", out, "-o", f"{bucket}/pairs.graphml", "--format", "graphml")
    assert "n6" in Address(f"{bucket}/pairs.graphml").read_text()
    higher = neardup.Result(out).rethreshold(0.99, f"{bucket}/higher")
    assert str(higher.where) == f"{bucket}/higher" and higher.pairs.num_rows == 1
    done = command("dedup", out, "-o", f"{bucket}/clean", "--mode", "remove")
    assert "1 duplicate removed" in done.out
    clean = Address(f"{bucket}/clean")
    assert (clean / "a.jsonl").read_text() == "".join(LINES[:4])
    assert (clean / "b.jsonl").read_text() == "".join(LINES[4:-1])
    assert names(str(clean)) == {"a.jsonl", "b.jsonl"}
    assert names(f"{clean}.removed") == {"neardup-removed.parquet", "neardup-removed.txt"}
    assert "not an empty folder" in command("dedup", out, "-o", clean).err
    again = command("documents", f"{bucket}/in", "-o", out)
    assert "already holds a result" in again.err
    assert not outputs.exists()


def test_only_what_is_shown_is_read(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    own = storage.resolve

    def noted(path: str) -> Any:
        read.append(path.rpartition("/")[2])
        return own(path)

    result = neardup.Result(f"{bucket}/out")
    monkeypatch.setattr(storage, "resolve", noted)
    assert result.pairs.num_rows == 1
    assert set(read) == {"run.json", "pairs.parquet"}
    neardup.Result(f"{bucket}/out").explain("n2", "n6")  # the run kept the texts
    assert set(read) == {"run.json", "pairs.parquet", "documents.parquet", "texts.parquet"}


def test_a_table_may_be_a_folder_as_spark_writes_it(bucket: str) -> None:
    out, spark = Address(f"{bucket}/out"), Address(f"{bucket}/of-spark")
    pairs = neardup.Result(str(out)).pairs
    filesystem, inner = storage.resolve(str(spark / "pairs.parquet"))
    for part in range(2):
        with filesystem.open_output_stream(f"{inner}/part-{part}.parquet") as file:
            pq.write_table(pairs.slice(part), file)
    (spark / "pairs.parquet" / "_SUCCESS").write_text("")
    (spark / "run.json").write_text((out / "run.json").read_text())
    assert neardup.Result(str(spark).replace("s3:", "s3a:")).pairs.equals(pairs)


@pytest.mark.parametrize("verb", ["documents", "dedup"])
def test_an_interrupted_upload_never_looks_whole(
    bucket: str, verb: str, outputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = f"{bucket}/interrupted-{verb}"
    last = {"documents": "run.json", "dedup": "b.jsonl"}[verb]

    def write(mode: Any = "remove") -> None:
        if verb == "dedup":
            neardup.dedup(f"{bucket}/out", target, mode=mode)
        else:
            neardup.documents(f"{bucket}/in", output=target)

    with monkeypatch.context() as patched:
        own = Address.send

        def failing(self: Address, path: Path) -> None:
            if self.name == last:
                raise ConnectionError("the line is cut")
            own(self, path)

        patched.setattr(Address, "send", failing)
        with pytest.raises(OutputError, match="cannot be written: the line is cut"):
            write()
    left = names(target)
    assert MARK in left and last not in left and len(left) > 1
    with pytest.raises(OutputError, match="incomplete"):
        neardup.Result(target)
    with pytest.raises(InputError, match="incomplete"):
        neardup.documents(target)
    put(target, "somebody's", ["else"])
    with pytest.raises(OutputError, match="not an empty folder"):
        write()
    (Address(target) / "somebody's").delete()
    write("list")
    whole = {"documents": "run.json", "dedup": "neardup-removed.parquet"}[verb]
    assert MARK not in names(target) and whole in names(target)
    assert "b.jsonl" not in names(target)  # of what was there before
    assert not outputs.exists()


def test_a_result_is_replaced_if_asked_to(bucket: str) -> None:
    target = f"{bucket}/replaced"
    neardup.documents(f"{bucket}/in", output=target, keep_texts=True)
    assert "texts.parquet" in names(target)
    found = neardup.documents(f"{bucket}/in/a.jsonl", output=target, overwrite=True)
    assert found.counts["documents"] == 4
    assert "texts.parquet" not in names(target)
    with pytest.raises(OutputError, match="the input is in this folder"):
        neardup.documents(f"{target}/documents.parquet", output=target, overwrite=True, text_column="id")


def test_results_over_http_and_in_filesystems_of_fsspec(bucket: str, tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    web = f"{os.environ['AWS_ENDPOINT_URL']}/{bucket.rpartition('/')[2]}"
    assert neardup.Result(f"{web}/out").explain("n2", "n6").resemblance == 1
    found = neardup.documents(f"{web}/in/b.jsonl", output="memory://found/out")
    assert found.counts["documents"] == 3
    assert neardup.Result("memory://found/out").documents["id"].to_pylist() == ["n4", "n5", "n6"]
    with pytest.raises(OutputError, match="cannot be written"):
        neardup.documents(f"{web}/in/b.jsonl", output=f"{web}/new")
    with pytest.raises(OutputError, match="on this machine's disk"):
        neardup.Result(f"{web}/out").damages()
    put("memory://found/in", "a.jsonl", LINES)
    local = neardup.documents("memory://found/in", output=f"file://{tmp_path}/out")
    assert local.folder == tmp_path / "out"


def unreachable(self: Address) -> bool:
    raise OSError("no route to the host")


def test_what_cannot_be_reached_is_told(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutputError, match="does not hold a result"):
        neardup.Result(f"{bucket}/nothing")
    with monkeypatch.context() as patched:
        patched.setattr(Address, "exists", unreachable)
        with pytest.raises(OutputError, match="cannot be read: no route"):
            neardup.Result(f"{bucket}/out")
    with pytest.raises(InputError, match="Protocol not known"):
        neardup.documents("gopher://host/x.jsonl")
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "fsspec.core", None)
        with pytest.raises(InputError, match="without fsspec") as told:
            neardup.documents("ftp://host/x.jsonl")
    assert "pip install '.[remote]'" in str(told.value)


def test_addresses_are_told_from_paths() -> None:
    assert str(located(Path("s3://bucket/a"))) == "s3://bucket/a"
    assert str(located("s3a://bucket/a/")) == "s3://bucket/a"
    assert located("C:/folder") == Path("C:/folder")
    assert located("file:///folder") == Path("/folder")
    with pytest.raises(OutputError, match="this machine's disk only"):
        storage.on_disk(Path("s3://bucket/a"))
    assert str(Address("s3://bucket/a?region=x") / "b") == "s3://bucket/a/b?region=x"
    assert isinstance(storage.resolve("folder/x")[0], pafs.LocalFileSystem)


def test_marks_at_an_address_stay_when_the_result_there_is_replaced() -> None:
    said = "left,right,label\r\n0,1,same\r\n"
    output = "memory://marked/out"
    rows = [" ".join(TEXTS[0].split()[:50])] * 2
    neardup.documents(rows, output=output)
    (Address(output) / "marks.csv").write_text(said)
    neardup.documents(rows, output=output, threshold=0.6, overwrite=True)
    assert (Address(output) / "marks.csv").read_text() == said
    neardup.documents([*rows, "another text"], output=output, overwrite=True)
    assert (Address(output) / "marks-before-1.csv").read_text() == said
    assert "marks.csv" not in names(output)


def test_marks_survive_an_upload_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    output = "memory://failing/out"
    neardup.documents(TEXTS, output=output)
    (Address(output) / "marks.csv").write_text("left,right,label\r\n")
    with monkeypatch.context() as patched:
        patched.setattr(Address, "send", lambda self, path: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            neardup.documents(TEXTS, output=output, overwrite=True)
    neardup.documents(TEXTS, output=output)
    assert "marks-before-1.csv" in names(output)
