"""The command line reads what comes through pipes."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from resource import RLIMIT_FSIZE, setrlimit

import pytest
from tests.cli.records import TEXT
from tests.command_line import Printed, call

import neardup

LINES = "".join(json.dumps({"text": f"{TEXT} {word}"}) + "\n" for word in ("now", "now", "then"))


@pytest.mark.parametrize("method", ["documents", "passages", "sentences", "threads", "pages"])
def test_every_method_reads_standard_input(method: str, tmp_path: Path) -> None:
    more = ["--fields", "text"] if method == "threads" else []
    done = call(method, "-", *more, "-o", tmp_path / "out", "--json", input=LINES)
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["counts"]["documents"] == 3
    assert found["input"] == {"kind": "pipe"}
    result = neardup.Result(tmp_path / "out")
    assert result.documents["id"].to_pylist() == ["stdin#1", "stdin#2", "stdin#3"]


def test_what_came_through_a_pipe_cannot_be_read_again(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    env = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    done = call("documents", "-", "-o", tmp_path / "out", input=LINES, env=env)
    assert done.code == 0, done.err
    assert not list((tmp_path / "temporary").iterdir())
    again = ["explain", tmp_path / "out", "stdin#1", "stdin#2"]
    removed = ["dedup", tmp_path / "out", "--mode", "remove", "-o", tmp_path / "less"]
    for verb in (again, removed):
        done = call(*verb)
        assert done.code == 1
        assert "came through a pipe and are gone" in done.said
        assert "Write the documents to a file" in done.said
    assert call("dedup", tmp_path / "out", "-o", tmp_path / "clean").code == 0


def limited(*words: object, input: str = "") -> Printed:  # noqa: A002  (the word of subprocess)
    """Run a command that may write files of 4 kB only."""
    return call(*words, input=input, preexec_fn=lambda: setrlimit(RLIMIT_FSIZE, (4096, 4096)))


def test_no_room_for_a_copy_of_a_pipe_or_for_large_files_is_said_with_what_to_do(tmp_path: Path) -> None:
    many = LINES * 200
    done = limited("documents", "-", "-o", tmp_path / "out", input=many)
    assert done.code == 1
    assert "no room for a copy of what comes through a pipe" in done.said and "TMPDIR" in done.said
    (tmp_path / "a.jsonl").write_text(many)
    for verb, name in (("documents", "out"), ("index", "i.neardup")):
        words = ["index", "build", tmp_path / name, tmp_path / "a.jsonl"]
        if verb == "documents":
            words = [verb, tmp_path / "a.jsonl", "-o", tmp_path / name]
        done = limited(*words)
        assert done.code == 1
        assert name in done.said and "ulimit -f" in done.said


def test_pipes_of_a_shell_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINES)
    command = f"{sys.executable} -m neardup passages <(cat a.jsonl) --against <(cat a.jsonl) -o out -q"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    documents = neardup.Result(tmp_path / "out").documents
    assert len(documents) == 6
    assert all(name.startswith("pipe-") for name in documents["source"].to_pylist())


def test_a_named_pipe_has_the_format_of_its_suffix(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "news.csv")
    rows = f'text\n"{TEXT}"\n"{TEXT}"\n'
    writer = threading.Thread(target=(tmp_path / "news.csv").write_text, args=[rows])
    writer.start()
    result = neardup.documents(tmp_path / "news.csv")
    writer.join()
    assert result.documents["id"].to_pylist() == ["news.csv#1", "news.csv#2"]
    assert result.explain("news.csv#1", "news.csv#2").resemblance == 1
