"""The command line: what is printed where, and what is written over."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.records import TEXT, lines
from tests.command_line import Command, call


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
    assert any("reading texts: done" in line for line in logged)
    assert all(line[:8].replace(":", "").isdigit() for line in logged), "each line begins with a time"
    assert "reading texts: done" not in found.out


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
    assert command("sentences", corpus, "-o", out).code == 0
    graph = ("export", out, "--format", "graphml", "-o", tmp_path / "graph.graphml")
    assert command(*graph).code == command(*graph).code == 0, "its own files may be replaced"
    for what, arguments in {
        "tei file": ["export", out, "--format", "tei", "-o", precious],
        "curve": ["explain", out, "a", "b", "--curve", precious],
        "tuning": ["tune", corpus, "--labels", corpus, "-o", precious],
        "report": ["report", out, "-o", precious],
    }.items():
        printed = command(*arguments)
        assert printed.code == 1
        assert f"not a {what} of neardup" in printed.said
        assert precious.read_text() == "all my work"
        assert not list(tmp_path.glob("*.csv.partial"))


def test_a_number_that_no_cluster_can_have_is_refused(corpus: Path, command: Command) -> None:
    command("documents", corpus, "-o", corpus.parent / "out", "-q")
    for wide in (10**20, 10**6):
        found = command("show", corpus.parent / "out", "--cluster", wide)
        assert found.code in (1, 2) and ("no cluster" in found.said or "less than" in found.said)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_as_good_as_none(closed: str, corpus: Path) -> None:
    line = f"{sys.executable} -m neardup documents {corpus} -o {corpus.parent / 'out'} {closed}"
    for words in (line, f"{sys.executable} -m neardup show {corpus.parent / 'out'} {closed}"):
        done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False)
        assert done.returncode == 0
        assert "Traceback" not in done.stdout + done.stderr


def test_a_terminal_of_no_columns_is_one_of_the_usual(corpus: Path) -> None:
    out = corpus.parent / "out"
    assert call("documents", corpus, "-o", out, "-q").code == 0
    wide = call("show", out).out
    assert wide and call("show", out, env={"COLUMNS": "0"}).out == wide
