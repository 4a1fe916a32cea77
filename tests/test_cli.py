"""The command line: what every command prints, its exit codes, and what it says of bad input."""

import gzip
import inspect
import json
import os
import random
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import neardup
from neardup.cli import app, main
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.pages.settings import PageSettings
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.sentences.settings import SentenceSettings
from neardup.methods.threads.settings import ThreadSettings

NEARDUP = [sys.executable, "-m", "neardup"]
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]
TEXT = "A plain text that has more than five words in it, so that there is something to compare."
SETTINGS: dict[str, Any] = {
    "documents": DocumentSettings,
    "pages": PageSettings,
    "passages": PassageSettings,
    "sentences": SentenceSettings,
    "threads": ThreadSettings,
}
Command = Callable[..., "Printed"]


class Printed:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in out + err
        # what was printed may be wrapped to the width of a terminal
        self.said = " ".join((out + err).split())


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """Run the command line in this process; an error that it does not catch fails the test."""

    def run(*arguments: object) -> Printed:
        code: Any = 0
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["neardup", *map(str, arguments)])
            patch.setattr(sys, "meta_path", list(sys.meta_path))
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        printed = capsys.readouterr()
        return Printed(code, printed.out, printed.err)

    yield run


def call(
    *arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None, **more: Any
) -> Printed:
    """Run the command line in a process of its own."""
    done = subprocess.run(
        [*NEARDUP, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
        **more,
    )
    return Printed(done.returncode, done.stdout, done.stderr)


def lines(*records: Any) -> str:
    return "".join(f"{r if isinstance(r, str) else json.dumps(r)}\n" for r in records)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    path.write_text(lines({"id": "a", "text": TEXT}, {"id": "b", "text": f"{TEXT} Indeed."}))
    return path


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the result of `neardup demo`."""
    folder = tmp_path_factory.mktemp("demo")
    done = call("demo", "-o", folder / "demo")
    assert done.code == 0
    assert "41 documents of 41 records" in done.out
    assert "17 pairs" in done.out
    assert "10 clusters" in done.out
    assert (folder / "demo.jsonl").exists()
    return folder / "demo"


def problems(result: Path) -> list[tuple[str, int, str]]:
    rows = neardup.Result(result).skipped.to_pylist()
    return [(row["source"], row["position"], row["problem"]) for row in rows]


# --- help, exit codes, and how it starts


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, command: Command) -> None:
    found = command(name, "--help")
    assert found.code == 0
    assert "Usage" in found.out
    assert "--help" in found.out
    assert command(name, "-h").out == found.out


def test_without_a_command_all_commands_are_listed(command: Command) -> None:
    for found in (command("--help"), command()):
        assert all(name in found.out for name in COMMANDS)


def test_the_version_is_printed(command: Command) -> None:
    found = command("--version")
    assert (found.code, found.out) == (0, f"{neardup.__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["documents"],
        ["documents", "x.jsonl", "--nonsense"],
        ["dedup", "x"],
        ["explain", "x", "y"],
        ["show"],
        ["show", "x", "--page", "0"],
        ["dedup", "x", "-o", "y", "--mode", "burn"],
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_2(arguments: list[str], command: Command) -> None:
    assert command(*arguments).code == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--threshold", "0"], "threshold must be above 0 and at most 1"),
        (["--threshold", "1.5"], "threshold must be above 0 and at most 1"),
        (["--threshold", "nan"], "threshold must be above 0 and at most 1"),
        (["--threshold", "abc"], "--threshold"),
        (["--shingle", "letters:3"], "Write word:N or char:N"),
        (["--shingle", "word:0"], "Write word:N or char:N"),
        (["--candidates", "some"], "exact"),
        (["--candidates", "minhash", "--measure", "containment"], "take exact"),
        (["--memory", "lots"], "Write it like 512MB"),
        (["--memory", "1MB"], "memory must be at least"),
        (["--max-record", "-1"], "size"),
        (["--workers", "-1"], "workers must be at least 1"),
        (["--workers", "0"], "workers must be at least 1"),
        (["--bands", "0"], "bands must be at least 1"),
        (["--max-copies", "0"], "--max-copies must be at least 1"),
        (["--keep", "prettiest"], "Choose one of: longest, first, newest"),
        (["--columns", "doc"], "cannot be carried along"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_settings_end_with_2_and_say_what_is_right(
    options: list[str], said: str, corpus: Path, command: Command
) -> None:
    found = command("documents", corpus, "-o", corpus.parent / "out", *options)
    assert found.code == 2
    assert said in found.said
    assert found.out == ""
    assert [path.name for path in corpus.parent.iterdir()] == ["corpus.jsonl"]


def test_a_run_without_a_place_for_its_result_is_wrong_usage(corpus: Path, command: Command) -> None:
    found = command("documents", corpus)
    assert found.code == 2
    assert "-o" in found.said


def test_help_takes_no_heavy_imports() -> None:
    look = (
        "import sys; from neardup.cli import main; sys.argv = ['neardup', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([n for n in ('numba', 'duckdb', 'pyarrow', 'numpy', 'pandas') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_package_is_a_command_too(corpus: Path) -> None:
    found = call("documents", corpus, "-o", corpus.parent / "out")
    assert found.code == 0
    assert "2 documents of 2 records" in found.out
    script = Path(sys.executable).with_name("neardup")
    if script.exists():
        done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == neardup.__version__


def test_what_one_can_do_next_can_be_pasted_into_a_shell(demo: Path, tmp_path: Path) -> None:
    done = call("documents", f"{demo}.jsonl", "-o", tmp_path / "with space", "--threshold", "0.5")
    commands = [line.strip() for line in done.out.splitlines() if line.startswith("  neardup ")]
    assert len(commands) >= 2
    for line in commands:
        if "dedup" not in line:
            shell = line.replace("neardup", f"{sys.executable} -m neardup", 1)
            assert subprocess.run(shell, shell=True, capture_output=True, check=False).returncode == 0, (
                line
            )


@pytest.mark.parametrize("name", ["[/bold]", "[red]x", "a b", "it's", "$HOME", "ü", "-o"])
def test_ids_and_folders_of_any_look_are_printed_as_they_are(
    name: str, tmp_path: Path, command: Command
) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(lines({"id": name, "text": TEXT}, {"id": "b", "text": f"{TEXT} So."}))
    output = tmp_path / f"out{name.replace('/', '')}"
    found = command("documents", path, "-o", output, "--threshold", "0.5")
    assert found.code == 0
    assert str(output) in found.out
    assert name in found.out or name.replace("'", "'\"'\"'") in found.out
    assert name in command("show", output).out
    assert command("show", output, "--cluster", "0").code == 0
    explained = command("explain", output, "--", name, "b")
    assert explained.code == 0
    assert name in explained.out
    assert command("dedup", output, "-o", tmp_path / "clean").code == 0


# --- what is printed where


def test_the_summary_goes_to_stdout_and_log_lines_to_stderr(demo: Path, tmp_path: Path) -> None:
    found = call("documents", f"{demo}.jsonl", "-o", tmp_path / "out", "--threshold", "0.5")
    assert "17 pairs" in found.out
    assert "17 pairs" not in found.err
    assert "\x1b" not in found.out + found.err, "no colours and no bars without a terminal"
    assert "\r" not in found.out + found.err


def test_progress_without_a_terminal_is_plain_lines(
    corpus: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neardup.showing.console.WORTH_A_LINE", 0.0)
    found = command("documents", corpus, "-o", corpus.parent / "out")
    logged = found.err.splitlines()
    assert any("units: done" in line for line in logged)
    assert all(line[:8].replace(":", "").isdigit() for line in logged), "each line begins with a time"
    assert "units: done" not in found.out


def test_a_run_without_pairs_says_what_finds_more(
    corpus: Path, tmp_path: Path, command: Command
) -> None:
    out = tmp_path / "none"
    ran = command("documents", corpus, "-o", out, "--threshold", 1)
    assert "Nothing found. To find more, try --threshold 0." in ran.said
    assert "look at it with" not in ran.said
    assert command("show", out).out.startswith("Nothing found.")


def test_quiet_prints_nothing(corpus: Path, command: Command) -> None:
    found = command("documents", corpus, "-o", corpus.parent / "out", "--quiet")
    assert (found.code, found.out, found.err) == (0, "", "")
    found = command("dedup", corpus.parent / "out", "-o", corpus.parent / "clean", "--quiet")
    assert (found.code, found.out, found.err) == (0, "", "")


def test_quiet_says_errors(command: Command, tmp_path: Path) -> None:
    found = command("documents", tmp_path / "missing", "-o", tmp_path / "out", "--quiet")
    assert found.code == 1
    assert "no such file" in found.err


def test_json_is_json_and_nothing_else(corpus: Path) -> None:
    found = call("documents", corpus, "-o", corpus.parent / "out", "--json", env={"COLUMNS": "20"})
    summary = json.loads(found.out)
    assert found.err == ""
    assert summary["counts"]["pairs"] == 1
    assert summary["settings"]["threshold"] == 0.7
    assert summary["expected_recall"] == 1.0
    assert summary["output"] == str(corpus.parent / "out")
    on_disk = json.loads((corpus.parent / "out" / "run.json").read_text())
    assert on_disk.items() <= summary.items()


def test_the_expected_recall_of_cheap_candidates_is_said(corpus: Path, command: Command) -> None:
    found = command("documents", corpus, "-o", corpus.parent / "out", "--candidates", "minhash")
    assert "probability 0.56" in found.said
    assert "--candidates exact" in found.said


def test_explain_prints_the_plan_and_writes_nothing(corpus: Path, command: Command) -> None:
    found = command("documents", corpus, "-o", corpus.parent / "out", "--explain")
    assert found.code == 0
    for words in ("Map     units <- records", "Sql     pairs", "Fold    counts", "select"):
        assert words in found.out
    assert found.err == ""
    assert [path.name for path in corpus.parent.iterdir()] == ["corpus.jsonl"]
    assert command("documents", corpus, "--explain").out == found.out, "it needs no -o"


def test_output_that_is_not_read_to_its_end_is_no_error(demo: Path) -> None:
    shell = f"{sys.executable} -m neardup show {demo} | head -n 1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "clusters" in done.stdout


def test_a_terminal_without_unicode_is_no_error(corpus: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert call("documents", corpus, "-o", corpus.parent / "out", env=env).code == 0


# --- bad input


def documents(path: object, command: Command, *options: object, out: Path) -> Printed:
    return command("documents", path, "-o", out, *options)


@pytest.mark.parametrize("name", ["missing.jsonl", "no-folder/", "*.nothing"])
def test_a_missing_file_is_named(name: str, tmp_path: Path, command: Command) -> None:
    found = documents(f"{tmp_path}/{name}", command, out=tmp_path / "out")
    assert found.code == 1
    assert name.rstrip("/") in found.said
    assert "no such file" in found.said or "nothing matches" in found.said
    assert not list(tmp_path.iterdir())


def test_an_empty_folder_is_said(tmp_path: Path, command: Command) -> None:
    (tmp_path / "in").mkdir()
    found = documents(tmp_path / "in", command, out=tmp_path / "out")
    assert found.code == 1
    assert "the folder holds no files" in found.said


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.txt", "a.parquet", "a.json"])
def test_an_empty_file_is_said(name: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / name).touch()
    found = documents(tmp_path / name, command, out=tmp_path / "out")
    assert found.code == 1
    assert "empty file" in found.said
    assert name in found.said
    assert not (tmp_path / "out").exists()


def test_a_run_that_found_nothing_to_do_leaves_nothing_behind(tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.jsonl").write_text("nonsense\n")
    assert documents(tmp_path / "a.jsonl", command, out=tmp_path / "out").code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_an_empty_file_beside_others_is_counted(corpus: Path, command: Command) -> None:
    empty = corpus.with_name("empty.jsonl")
    empty.touch()
    out = corpus.parent / "out"
    found = command("documents", corpus, empty, "-o", out)
    assert found.code == 0
    assert "skipped 1: empty file" in found.said
    assert problems(out) == [("empty.jsonl", 1, "empty file")]


@pytest.mark.parametrize("keep", [0.5, 0.98])
def test_a_truncated_gzip_file_gives_what_it_can(keep: float, tmp_path: Path, command: Command) -> None:
    texts = [os.urandom(3000).hex(" ", 3) for _ in range(200)]
    data = gzip.compress(lines(*({"text": text} for text in texts)).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(data[: int(len(data) * keep)])
    found = documents(tmp_path / "a.jsonl.gz", command, out=tmp_path / "out")
    assert found.code == 0
    assert "truncated" in found.said
    counts = neardup.Result(tmp_path / "out").counts
    assert 200 * keep - 20 <= counts["documents"] < 200


def test_a_file_that_is_no_gzip_at_all_is_said(tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(b"\x1f\x8b\x08\0" + os.urandom(1000))
    found = documents(tmp_path / "a.jsonl.gz", command, out=tmp_path / "out")
    assert found.code == 1
    assert "a.jsonl.gz" in found.said
    assert "unreadable" in found.said


def test_bad_records_are_skipped_counted_and_named_by_file_and_position(
    tmp_path: Path, command: Command
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(
        lines(
            {"id": "a", "text": TEXT},
            "this is not JSON",
            {"id": "c", "text": None},
            {"id": "d", "text": 5},
            {"id": "e"},
            "[1, 2]",
            "",
            {"id": "f", "text": "?!"},
        ).encode()
        + b'{"id": "g", "text": "caf\xe9 au lait"}\n'
        + lines({"id": "h", "text": TEXT}).encode()
    )
    found = documents(path, command, out=tmp_path / "out")
    assert found.code == 0
    assert "2 documents of 9 records" in found.said
    expected = {
        2: "invalid JSON",
        3: "no text",
        4: "text is not a string",
        5: "no text",
        6: "not an object",
        7: "no words",
        8: "invalid UTF-8",
    }
    assert problems(tmp_path / "out") == [("bad.jsonl", at, what) for at, what in expected.items()]
    counts = neardup.Result(tmp_path / "out").counts
    skipped = sum(value for name, value in counts.items() if name.startswith("skipped: "))
    assert counts["records"] == counts["documents"] + skipped
    for what in expected.values():
        assert f"skipped {list(expected.values()).count(what)}: {what}" in found.said


def test_strict_stops_at_the_first_bad_record(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(lines({"text": TEXT}, {"text": None}, "nonsense"))
    found = documents(path, command, "--strict", out=tmp_path / "out")
    assert found.code == 1
    assert "bad.jsonl, record 2: no text" in found.said
    assert "leave out --strict" in found.said
    assert not (tmp_path / "out").exists()


def test_a_wrong_column_lists_those_there_are(corpus: Path, command: Command) -> None:
    found = documents(corpus, command, "--text-column", "txt", out=corpus.parent / "out")
    assert found.code == 1
    assert "no column 'txt'" in found.said
    assert "Its columns are: id, text" in found.said
    assert "Did you mean 'text'?" in found.said
    found = documents(corpus, command, "--keep", "score", "--columns", "score", out=corpus.parent / "o")
    assert found.code == 1
    assert "no column 'score'" in found.said


def test_ids_given_twice_are_kept_under_other_names(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "twice.jsonl"
    path.write_text(lines(*({"id": "a", "text": f"{TEXT} {word}."} for word in ("One", "Two", "Three"))))
    found = documents(path, command, "--threshold", "0.5", out=tmp_path / "out")
    assert found.code == 0
    result = neardup.Result(tmp_path / "out")
    assert result.documents["id"].to_pylist() == ["a", "twice.jsonl#2", "twice.jsonl#3"]
    assert result.counts["ids given twice"] == 2
    assert result.counts["pairs"] == 3
    assert "given before" in found.said


def test_no_two_documents_have_the_same_id(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"id": "a.jsonl#2", "text": TEXT}, {"text": TEXT}, {"id": "x", "text": TEXT}))
    documents(path, command, out=tmp_path / "out")
    ids = neardup.Result(tmp_path / "out").documents["id"].to_pylist()
    assert len(set(ids)) == 3


def test_a_record_over_the_limit_is_skipped(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"id": "a", "text": TEXT}, {"id": "b", "text": TEXT * 100}))
    found = documents(path, command, "--max-record", "1kB", out=tmp_path / "out")
    assert "skipped 1: too large" in found.said
    assert problems(tmp_path / "out") == [("a.jsonl", 2, "too large")]


def test_a_document_of_sixty_megabytes_is_read(tmp_path: Path) -> None:
    words = os.urandom(3 << 18).hex(" ", 3)
    text = " ".join([words] * 33)
    assert len(text) > 60e6
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.txt").write_text(f"{text} and a little more")
    found = call("documents", tmp_path, "-o", tmp_path / "out")
    assert found.code == 0
    assert "1 pair " in found.out


def limited() -> None:
    """Allow a process a gigabyte of memory."""
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))


def test_a_gzip_bomb_is_skipped_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    first, last = (lines({"id": name, "text": TEXT}) for name in "ab")
    begin, end = (
        gzip.compress(f'{first}{{"id": "bomb", "text": "'.encode()),
        gzip.compress(f'"}}\n{last}'.encode()),
    )
    zeros = gzip.compress(b"0" * (16 << 20))
    path.write_bytes(begin + zeros * 64 + end)  # a gigabyte in a megabyte
    found = call("documents", path, "-o", tmp_path / "out", "--memory", "64MB", preexec_fn=limited)
    assert found.code == 0
    assert "2 documents of 3 records" in found.out
    assert problems(tmp_path / "out") == [("bomb.jsonl.gz", 2, "too large")]


# --- looking at a result


def test_a_folder_without_a_result_is_said(tmp_path: Path, command: Command) -> None:
    for arguments in (["show"], ["explain", "a", "b"], ["dedup", "-o", tmp_path / "clean"]):
        name, *rest = arguments
        found = command(name, tmp_path, *rest)
        assert found.code == 1
        assert "does not hold a result of neardup" in found.said


@pytest.mark.parametrize("damage", ["run.json", "clusters.parquet", "documents.parquet"])
def test_a_damaged_result_is_said(damage: str, corpus: Path, command: Command) -> None:
    out = corpus.parent / "out"
    documents(corpus, command, out=out)
    (out / damage).write_text("{")
    found = command("dedup", out, "-o", corpus.parent / "clean")
    assert found.code == 1
    assert damage in found.said


def test_show_pages_through_the_clusters(demo: Path, command: Command) -> None:
    found = command("show", demo)
    assert found.code == 0
    assert "10 clusters, page 1 of 1" in found.said
    assert "bridge-evening" in found.said
    seen = []
    for page in (1, 2, 3, 4):
        part = command("show", demo, "--page", page, "--per-page", 3, "--sort", "number")
        assert f"page {page} of 4" in part.said
        rows = [line.split() for line in part.out.splitlines()]
        seen += [int(row[0]) for row in rows if row and row[0].isdigit() and row[1].isdigit()]
        assert part.out.count("keeper") >= 1
    assert seen[:9] == sorted(seen[:9])
    assert len(set(seen)) == 10
    assert "there is no page 5" in command("show", demo, "--page", 5, "--per-page", 3).said


@pytest.mark.parametrize("sort", ["size", "similarity", "number"])
def test_show_sorts(sort: str, demo: Path, command: Command) -> None:
    assert "10 clusters" in command("show", demo, "--sort", sort).said
    assert command("show", demo, "--sort", "beauty").code == 2


def test_show_prints_the_texts_of_a_cluster(demo: Path, command: Command) -> None:
    found = command("show", demo, "--cluster", 0)
    assert found.code == 0
    assert "bridge-wire" in found.said
    assert "The old stone bridge over the Lerry" in found.said
    assert "keeper" in found.said
    missing = command("show", demo, "--cluster", 999)
    assert missing.code == 1
    assert "no cluster 999" in missing.said


def test_explain_shows_passages_and_differences(demo: Path, command: Command) -> None:
    found = command("explain", demo, "bridge-wire", "bridge-herald")
    assert found.code == 0
    assert "resemblance 0.7625: 122 common shingles of 142 and 140" in found.said
    assert "85.9 % of bridge-wire is in bridge-herald" in found.said
    assert "Common passages" in found.said


def test_explain_for_programs(demo: Path, command: Command) -> None:
    found = json.loads(command("explain", demo, "bridge-wire", "bridge-herald", "--json").out)
    assert round(found["resemblance"], 4) == 0.7625
    first = found["passages"][0]
    assert (first["start_a"], first["end_a"], first["words"]) == (0, 108, 21)


def test_explain_of_an_unknown_id_shows_what_ids_look_like(demo: Path, command: Command) -> None:
    found = command("explain", demo, "bridge-wire", "nobody")
    assert found.code == 1
    assert "'nobody'" in found.said
    assert "Ids look like: bridge-wire" in found.said


def test_explain_when_the_input_is_gone(corpus: Path, command: Command) -> None:
    out = corpus.parent / "out"
    documents(corpus, command, out=out)
    corpus.unlink()
    found = command("explain", out, "a", "b")
    assert found.code == 1
    assert "corpus.jsonl" in found.said


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


def test_estimate_says_time_memory_disk_and_pairs(demo: Path, command: Command) -> None:
    found = command("estimate", f"{demo}.jsonl", "--threshold", "0.5")
    assert found.code == 0
    for word in ("time", "memory", "disk", "pairs", "about 41 documents"):
        assert word in found.said
    numbers = json.loads(command("estimate", f"{demo}.jsonl", "--threshold", "0.5", "--json").out)
    assert numbers["documents"] == 41
    assert numbers["pairs"] == 17
    assert numbers["take_cluster"] is False


@pytest.mark.parametrize("name", ["large.jsonl.gz", "large.csv"])
def test_an_estimate_reads_only_the_beginning_of_a_file_that_cannot_be_cut(
    name: str, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neardup.methods.documents.plan.estimate.SAMPLE_BYTES", 20_000)
    monkeypatch.setattr("neardup.methods.documents.plan.estimate.LEAST_CUT", 1_000)
    numbers = random.Random(1)
    texts = [" ".join(str(numbers.random()) for _ in range(10)) for _ in range(2_000)]
    lines = "text\n" + "\n".join(texts) if name.endswith("csv") else "\n".join(map(as_json, texts))
    path = tmp_path / name
    path.write_bytes(gzip.compress(lines.encode()) if name.endswith("gz") else lines.encode())
    found = json.loads(command("estimate", path, "--json").out)
    assert found["input_bytes"] == path.stat().st_size
    assert found["sample_bytes"] == 20_000
    assert found["documents"] == pytest.approx(2_000, rel=0.1)


def as_json(text: str) -> str:
    return json.dumps({"text": text})


def test_estimate_of_nothing_is_an_error(tmp_path: Path, command: Command) -> None:
    found = command("estimate", tmp_path / "missing.jsonl")
    assert found.code == 1
    assert "no such file" in found.said


def test_the_demo_can_be_run_again(demo: Path, command: Command) -> None:
    before = (demo / "pairs.parquet").read_bytes()
    assert command("demo", "-o", demo).code == 0
    assert (demo / "pairs.parquet").read_bytes() == before


def test_the_demo_writes_over_no_file_that_is_not_its_own(command: Command, tmp_path: Path) -> None:
    own = tmp_path / "mine.jsonl"
    own.write_text("my data")
    found = command("demo", "-o", tmp_path / "mine")
    assert found.code == 1
    assert "mine.jsonl: this is not the corpus of the demo" in found.said
    assert own.read_text() == "my data"
    assert list(tmp_path.iterdir()) == [own]


def test_the_demo_writes_over_no_result_that_is_not_its_own(corpus: Path, command: Command) -> None:
    out = corpus.parent / "out"
    documents(corpus, command, out=out)
    before = (out / "run.json").read_bytes()
    found = command("demo", "-o", out)
    assert found.code == 1
    assert "out: this folder already holds a result" in found.said
    assert (out / "run.json").read_bytes() == before
    assert not Path(f"{out}.jsonl").exists()


@pytest.mark.parametrize(
    ("method", "chosen"),
    [
        ("documents", ["--threshold", "0.6", "--measure", "containment"]),
        ("pages", ["--slope", "0.2", "--clusters", "components"]),
        ("passages", ["--min-length", "90", "--verbatim"]),
        ("sentences", ["--preset", "paper-recall", "--max-distance", "0.2"]),
        ("threads", ["--fields", "title=0.5,text=0.5", "--signature", "text=winnowing:3,4"]),
    ],
)
def test_a_result_is_a_file_of_settings_for_its_own_command(
    command: Command, tmp_path: Path, method: str, chosen: list[str]
) -> None:
    demo = Path(neardup.__file__).parent / "data" / "demo.jsonl"
    one, other = tmp_path / "one", tmp_path / "other"
    assert command(method, demo, "-o", one, "-q", *chosen).code == 0
    assert command(method, demo, "-o", other, "-q", "--settings", one / "run.json").code == 0
    first, second = (json.loads((at / "run.json").read_text()) for at in (one, other))
    assert first == second


@pytest.mark.parametrize("method", SETTINGS)
def test_the_python_twin_has_the_options_of_the_command(method: str) -> None:
    own = get_command(app).commands[method].params  # type: ignore[attr-defined]
    shown = {"explain_plan", "stop_after", "settings_file", "quiet", "as_json", "csv", "help", "inputs"}
    twin = inspect.signature(getattr(neardup, method)).parameters
    assert {p.name for p in own} - shown == set(twin) - {"source", "progress"}
    with pytest.raises(TypeError, match="treshold"):
        getattr(neardup, method)([TEXT], treshold=0.5)


@pytest.mark.parametrize("method", SETTINGS)
def test_the_python_twin_has_the_defaults_of_the_command(method: str) -> None:
    usual = {f.name: f.default for f in fields(SETTINGS[method]) if f.default is not MISSING}
    twin = {
        name: p.default for name, p in inspect.signature(getattr(neardup, method)).parameters.items()
    }
    for option in get_command(app).commands[method].params:  # type: ignore[attr-defined]
        given, name = option.default or None, option.name
        if name in twin:
            assert given in (twin[name] or None, usual.get(name)), name
        if name in usual:  # None stands for the usual
            assert twin[name] in (None, usual[name]), name


@pytest.mark.parametrize(
    ("chosen", "option", "argument"),
    [
        ({}, "or take --overwrite.", "or take overwrite=True."),
        ({"text_column": "txt"}, "Name one with --text-column.", "Name one with text_column=."),
        ({"columns": "none"}, "with --columns or --keep.", "with columns= or keep=."),
        ({"keep": "score"}, "with --columns score.", 'with columns=["score"].'),
    ],
)
def test_hints_name_options_on_the_command_line_and_arguments_in_python(
    chosen: dict[str, Any], option: str, argument: str, corpus: Path, command: Command
) -> None:
    out = corpus.parent / "out"
    if not chosen:
        documents(corpus, command, out=out)
    words = [word for name, value in chosen.items() for word in (f"--{name.replace('_', '-')}", value)]
    assert option in documents(corpus, command, *words, out=out).err
    given = chosen | ({"columns": [chosen["columns"]]} if "columns" in chosen else {})
    with pytest.raises(neardup.NeardupError) as error:
        neardup.documents(corpus, output=out, **given)
    assert argument in str(error.value)


def test_text_in_an_older_encoding_comes_with_the_command_that_converts_it(
    tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "new.txt").write_text(TEXT)
    assert "iconv" not in command("documents", folder, "-o", tmp_path / "one").said
    (folder / "old.txt").write_bytes(f"{TEXT} café".encode("cp1252"))
    said = command("documents", folder, "-o", tmp_path / "two").said
    assert "skipped 1: invalid UTF-8" in said
    assert "iconv -f CP1252 -t UTF-8 FILE > NEW" in said


def test_no_text_gives_orders_to_the_terminal(tmp_path: Path, command: Command) -> None:
    order = "\x1b]0;owned\x07 \x1b[2J \x9b2J \u202e"
    path, out = tmp_path / "a\x1b[2J.jsonl", tmp_path / "out"
    rows = [{"id": f"{name}{order}", "title": order, "text": f"{TEXT} {order}"} for name in "ab"]
    path.write_text(lines(*rows))
    ids = [row["id"] for row in rows]
    for method in ("documents", "sentences"):
        printed = [command(method, path, "-o", out, "--overwrite"), command("show", out)]
        printed.append(command("explain", out, *ids))
        if method == "documents":
            printed.append(command("show", out, "--cluster", 0))
        for one in printed:
            assert one.code == 0
            assert not set("\x1b\x9b\x07\u202e") & set(one.out + one.err)
        assert "⟦U+001B⟧" in printed[1].out
    as_json = command("explain", out, *ids, "--json")
    assert not set("\x1b\x9b\x07\u202e") & set(as_json.out)
    assert json.loads(as_json.out)["id_a"] == ids[0]


def test_no_file_of_the_user_is_written_over(corpus: Path, tmp_path: Path, command: Command) -> None:
    out, precious = tmp_path / "out", tmp_path / "pairs.csv"
    precious.write_text("all my work")
    assert command("sentences", corpus, "-o", out, "--csv", tmp_path / "csv").code == 0
    assert command("show", out, "--csv", tmp_path / "csv").code == 0, "its own tables may be replaced"
    for what, arguments in {
        "table": ["show", out, "--csv", tmp_path],
        "curve": ["explain", out, "a", "b", "--curve", precious],
        "tuning": ["tune", corpus, "--labels", corpus, "-o", precious],
        "report": ["report", out, "-o", precious],
    }.items():
        printed = command(*arguments)
        assert printed.code == 1
        assert f"no {what} of neardup" in printed.said
        assert precious.read_text() == "all my work"
        assert not list(tmp_path.glob("*.csv.partial"))
