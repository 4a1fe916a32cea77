"""The command lines on Spark that the documentation shows, each as a process of its own."""

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pyarrow.fs as pafs
import pytest
from tests.command_line import call
from tests.engines.spark.comparing import tables
from tests.spark_cluster import Cluster, cluster

import neardup
from neardup.storage import resolve

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "src" / "neardup" / "data" / "demo.jsonl"
SHOWN = re.compile(r"neardup [a-z]+ [^`\n]*--engine spark[^`\n]*")
STAGES = '[[stage]]\nname = "exact"\n\n[[stage]]\nname = "documents"\n'  # others have tests of their own
MASTERS = {"spark": "standalone", "sc": "connect"}  # all others: this machine's cores
LONG = {"standalone", "s3"}


@dataclass(frozen=True)
class Line:
    """What a command line is about, whatever its files are called."""

    command: str
    master: str
    source: str
    output: str

    @classmethod
    def of(cls, text: str) -> "Line":
        """Read a line of the documentation."""
        words = shlex.split(text, comments=True)
        given = {name: word for name, word in pairwise(words) if name.startswith("-")}
        scheme = given.get("--master", "").partition("://")[0]
        source, output = (where(word) for word in (words[2], given.get("-o", "")))
        return cls(words[1], MASTERS.get(scheme, "local"), source, output)

    def __str__(self) -> str:
        return f"{self.command}, {self.master}: {self.source} to {self.output}"

    @property
    def is_long(self) -> bool:
        """Return whether it takes a cluster or a store of its own."""
        return bool(LONG & {self.master, self.source, self.output})


def where(word: str) -> str:
    """Say where something is: in an object store, or on a disk, which stands for HDFS."""
    return "s3" if word.partition("://")[0] in ("s3", "gs") else "disk"


def shown() -> list[Line]:
    """Return the command lines of all pages, once each."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    texts = [page.read_text(encoding="utf-8").replace("\\\n", " ") for page in pages]
    return sorted({Line.of(found) for text in texts for found in SHOWN.findall(text)}, key=str)


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def master_for(line: Line, request: pytest.FixtureRequest) -> str:
    """Return a master of the kind that a line names."""
    if line.master == "standalone":
        return str(request.getfixturevalue("two_workers").address)
    if line.master == "connect":
        request.getfixturevalue("connect")
        port = request.getfixturevalue("spark").conf.get("spark.connect.grpc.binding.port")
        return f"sc://127.0.0.1:{port}"
    return "local[2]"


def place_for(kind: str, name: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """Return a path in a folder, or an address in a bucket that is all the folder's."""
    if kind == "disk":
        return str(folder / name)
    return f"{request.getfixturevalue('s3')}/{folder.name}/{name}"


def content(place: str) -> dict[str, bytes]:
    """Return all files of a folder, wherever it is, but what tells what was removed."""
    filesystem, inner = resolve(place)
    files = filesystem.get_file_info(pafs.FileSelector(inner, recursive=True))
    return {
        file.path.removeprefix(inner): filesystem.open_input_stream(file.path).read()
        for file in files
        if file.is_file and "neardup-removed" not in file.path
    }


@pytest.mark.parametrize(
    "line",
    [pytest.param(own, id=str(own), marks=pytest.mark.slow if own.is_long else ()) for own in shown()],
)
def test_what_is_shown_runs_and_leaves_what_one_machine_does(
    line: Line, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if not shutil.which("java"):
        pytest.skip("there is no Java")
    source = place_for(line.source, "crawl", tmp_path, request)
    write(f"{source}/demo.jsonl", DEMO.read_bytes())
    found = str(tmp_path / "local")
    neardup.documents(source, output=found)
    output = place_for(line.output, "out", tmp_path, request)
    (tmp_path / "recipe.toml").write_text(STAGES)
    given = {
        "estimate": [source],
        "documents": [source, "-o", output],
        "clean": [source, "-o", output, "--recipe", str(tmp_path / "recipe.toml")],
        "dedup": [found, "--mode", "remove", "-o", output],
    }[line.command]
    master = () if line.command == "estimate" else ("--master", master_for(line, request))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    printed = call(
        *(line.command, *given, "--engine", "spark", *master),
        env={"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "TMPDIR": str(temporary)},
    )
    assert printed.code == 0, printed.err
    if line.command == "estimate":
        assert "--conf spark.executor.instances=" in printed.out
    elif line.command == "documents":
        theirs, ours = tables(neardup.Result(output)), tables(neardup.Result(found))
        assert all(theirs[name].equals(table) for name, table in ours.items())
    else:
        here = tmp_path / "here"
        if line.command == "clean":
            neardup.clean(source, output=here, recipe=tmp_path / "recipe.toml")
        else:
            neardup.dedup(found, here, mode="remove")
        assert content(output) == content(str(here))
    expected = "crawl recipe.toml local out here out.removed here.removed temporary"
    assert {path.name for path in tmp_path.iterdir()} <= set(expected.split())
    assert not [*temporary.iterdir(), *tmp_path.rglob("*.crc")]


def write(place: str, given: bytes) -> None:
    """Write a file, wherever it is."""
    filesystem, inner = resolve(place)
    filesystem.create_dir(inner.rpartition("/")[0])
    with filesystem.open_output_stream(inner) as file:
        file.write(given)


def test_spark_that_cannot_be_started_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "demo.jsonl").write_bytes(DEMO.read_bytes())
    neardup.documents(tmp_path / "demo.jsonl", output=tmp_path / "found")
    nowhere = ("--engine", "spark", "--master", "sc://127.0.0.1:1")
    printed = call("dedup", tmp_path / "found", "--mode", "remove", "-o", tmp_path / "clean", *nowhere)
    assert printed.code == 2
    assert "the server does not answer" in printed.said
    assert {path.name for path in tmp_path.iterdir()} == {"demo.jsonl", "found"}
