"""A study with the settings of a method, or its preset, does what the run with them does."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import forum, labelled_forum

from neardup.evaluation.thread_study import SIGNATURES


def pairs_of(out: Path) -> int:
    return int(json.loads((out / "run.json").read_text())["counts"]["pairs"])


def study_of(out: Path) -> dict[str, Any]:
    return dict(json.loads((out / "study.json").read_text()))


@pytest.mark.parametrize(
    "given", [[], ["--preset", "paper"], ["--missing", "zero"], ["--threshold", "0.7"]], ids=" ".join
)
def test_the_study_of_threads_finds_what_the_run_finds(
    given: list[str], tmp_path: Path, command: Command
) -> None:
    source = tmp_path / "forum.jsonl"
    rows = [{"id": str(n), **row} for n, row in enumerate(forum(60, 1))]
    for row in rows[::3]:
        row["answer"] = None
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert command("threads", source, "-o", tmp_path / "run", *given).code == 0
    done = command("study", "threads", source, "-o", tmp_path / "study", *given)
    assert done.code == 0, done.said
    whole = [row for row in study_of(tmp_path / "study")["scaled"] if row["threads"] == len(rows)]
    assert {row["pairs"] for row in whole} == {pairs_of(tmp_path / "run")}
    again = command(
        "study", "threads", source, "-o", tmp_path / "again", "--settings", tmp_path / "run" / "run.json"
    )
    assert again.code == 0, again.said
    assert [row["pairs"] for row in study_of(tmp_path / "again")["scaled"]] == [
        row["pairs"] for row in study_of(tmp_path / "study")["scaled"]
    ]


def test_a_signature_that_finds_nothing_has_no_f1(tmp_path: Path, command: Command) -> None:
    source, labels, _ = labelled_forum(tmp_path)
    fields = ["--fields", "title=0.1,body=0.8,nothing=0.1"]
    rows = [json.loads(line) | {"nothing": f"word{n}"} for n, line in enumerate(source.open())]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = command("study", "threads", source, "--labels", labels, *fields, "-o", tmp_path / "study")
    assert done.code == 0, done.said
    cells = {(r["signature"], r["field"]): r for r in study_of(tmp_path / "study")["fields"]}
    assert all(cells[signature, "nothing"]["f1"] is None for signature in SIGNATURES)
    assert all(cells[signature, "nothing"]["threshold"] is None for signature in SIGNATURES)
    assert "finds nothing" in done.said
    known = [row for row in cells.values() if row["f1"] is not None]
    assert known and all(row["threshold"] > 0 for row in known)


def test_the_study_of_pages_takes_the_preset_and_a_run_of_it(tmp_path: Path, command: Command) -> None:
    source, gold = tmp_path / "pages.jsonl", tmp_path / "gold.jsonl"
    story = " ".join(f"The w{n} and x{n} saw y{n} in town z{n}." for n in range(12))
    texts = [story, story + " More.", story.replace("saw", "met")[:300], "Something else. " * 9]
    source.write_text("".join(json.dumps({"id": str(n), "text": t}) + "\n" for n, t in enumerate(texts)))
    labels = [("0", "1", 1), ("0", "3", 0)]
    gold.write_text("".join(json.dumps({"id_a": a, "id_b": b, "label": y}) + "\n" for a, b, y in labels))
    assert command("pages", source, "-o", tmp_path / "run", "--preset", "paper").code == 0
    by_file = ["--settings", tmp_path / "run" / "run.json"]
    found = []
    for name, given in (("preset", ["--preset", "paper"]), ("file", by_file)):
        done = command("study", "pages", source, "--gold", gold, "-o", tmp_path / name, *given)
        assert done.code == 0, done.said
        found.append(study_of(tmp_path / name)["scores"])
    assert found[0] == found[1]
    assert found[0]["tlcs"]["all"]["recall"] == float(pairs_of(tmp_path / "run") > 0)


@pytest.mark.parametrize("study", ["threads", "pages", "sampling"])
def test_a_preset_that_does_not_exist_is_an_error(study: str, tmp_path: Path, command: Command) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"id": "1", "text": "one"}\n')
    gold = ["--gold", source] if study == "pages" else []
    done = command("study", study, source, *gold, "--preset", "best")
    assert done.code == 2
    assert "best" in done.said and "paper" in done.said


def test_the_study_of_sampling_takes_the_preset(tmp_path: Path, command: Command) -> None:
    source = tmp_path / "a.jsonl"
    rows = [
        {"id": str(n), "text": " ".join(f"w{(n * 7 + k) % 90}" for k in range(60))} for n in range(6)
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = command("study", "sampling", source, "-o", tmp_path / "study", "--preset", "paper")
    assert done.code == 0, done.said
    settings = study_of(tmp_path / "study")["settings"]
    assert (settings["shingle"], settings["threshold"]) == ("char:64", 0.5)
