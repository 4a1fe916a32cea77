"""A study with the settings of a method, or its preset, does what the run with them does."""

import json
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.command_line import Command
from tests.corpora import forum, labelled_forum

import neardup
from neardup.evaluation import thread_study


def pairs_of(out: Path) -> int:
    return int(json.loads((out / "run.json").read_text())["counts"]["pairs"])


def study_of(out: Path) -> dict[str, Any]:
    return dict(json.loads((out / "study.json").read_text()))


@pytest.mark.parametrize(
    "given", [[], ["--preset", "paper"], ["--missing", "zero", "--threshold", "0.7"]], ids=" ".join
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
    by_file = ["--settings", tmp_path / "run" / "run.json"]
    again = command("study", "threads", source, "-o", tmp_path / "again", *by_file)
    assert again.code == 0, again.said
    assert [row["pairs"] for row in study_of(tmp_path / "again")["scaled"]] == [
        row["pairs"] for row in study_of(tmp_path / "study")["scaled"]
    ]


def test_a_signature_that_finds_nothing_has_no_f1(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    signatures = ("shingles:2", "imatch:0.1,0.9", "spotsigs:100")
    assert set(signatures) < set(thread_study.SIGNATURES)
    monkeypatch.setattr(thread_study, "SIGNATURES", signatures)
    source, labels, _ = labelled_forum(tmp_path)
    fields = ["--fields", "title=0.1,body=0.8,nothing=0.1"]
    rows = [json.loads(line) | {"nothing": f"word{n}"} for n, line in enumerate(source.open())]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = command("study", "threads", source, "--labels", labels, *fields, "-o", tmp_path / "study")
    assert done.code == 0, done.said
    cells = {(r["signature"], r["field"]): r for r in study_of(tmp_path / "study")["fields"]}
    assert all(cells[signature, "nothing"]["f1"] is None for signature in signatures)
    assert all(cells[signature, "nothing"]["threshold"] is None for signature in signatures)
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


@pytest.mark.parametrize("study", ["threads", "pages", "sampling", "signatures", "shingles"])
def test_a_preset_that_does_not_exist_is_an_error(study: str, tmp_path: Path, command: Command) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"id": "1", "text": "one"}\n')
    gold = ["--gold", source] if study == "pages" else []
    done = command("study", study, source, *gold, "--preset", "best")
    assert done.code == 2
    assert "best" in done.said and "paper" in done.said


PRESET = ["--preset", "paper"]


def both_ways(
    study: str, method: str, source: Path, folder: Path, command: Command, *more: str
) -> list[dict[str, Any]]:
    """Run a method with its preset, and the study with the preset and with settings of a file."""
    assert command(method, source, "-o", folder / "run", *PRESET).code == 0
    own = folder / "own.toml"
    own.write_text('preset = "paper"\n')
    file = own if study == "sampling" else folder / "run" / "run.json"
    ways: dict[str, list[Any]] = {"preset": PRESET, "file": ["--settings", file]}
    for name, given in ways.items():
        done = command("study", study, source, "-o", folder / name, *given, *more)
        assert done.code == 0, done.said
    return [study_of(folder / name) for name in ways]


def written(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def overlapping(count: int) -> list[dict[str, Any]]:
    """Documents of which neighbours have most words in common."""
    return [
        {"id": str(n), "text": " ".join(f"w{(n * 7 + k) % 90}" for k in range(60))} for n in range(count)
    ]


def test_the_study_of_sampling_finds_what_the_run_finds(tmp_path: Path, command: Command) -> None:
    source = written(tmp_path, overlapping(13))
    found = both_ways("sampling", "documents", source, tmp_path, command)
    assert (found[0]["settings"]["shingle"], found[0]["settings"]["threshold"]) == ("char:64", 0.5)
    assert {own["counts"]["near-duplicate pairs"] for own in found} == {pairs_of(tmp_path / "run")}
    assert pairs_of(tmp_path / "run") > 5
    for option, value in {"measure": "containment", "candidates": "minhash", "max-shared": 5}.items():
        done = command("study", "sampling", source, f"--{option}", value)
        assert done.code == 2 and f"no {option.replace('-', '_')}" in done.said


def sentences(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    made = [" ".join(f"word{rng.randrange(400)}" for _ in range(12)) for _ in range(count)]
    return [text.capitalize() + "." for text in made]


def test_the_study_of_shingles_finds_what_the_run_finds(tmp_path: Path, command: Command) -> None:
    texts, rng = sentences(40, 3), random.Random(4)
    for text in list(texts):
        words = text.split()
        for at in range(2, 10, 2):  # a chain: its ends have little in common
            words[at] = words[at + 1] = f"new{rng.randrange(100)}"
            texts.append(" ".join(words))
    rng.shuffle(texts)
    rows = [{"id": str(n), "text": " ".join(texts[n : n + 5])} for n in range(0, len(texts), 5)]
    source = written(tmp_path, rows)
    found = both_ways("shingles", "sentences", source, tmp_path, command)
    points = [own["points"] for own in found]
    assert points[0] == points[1]
    [point] = points[0]
    assert (point["rows"], point["shingle"], point["bits"]) == (8, 10, 32)
    counts = json.loads((tmp_path / "run" / "run.json").read_text())["counts"]
    assert point["good"] == counts["pairs"] > 10
    assert point["bad"] == counts["candidates"] - counts["pairs"] > 0
    done = command("study", "shingles", source, "--revisions")
    assert done.code == 2 and "not revisions" in done.said


def test_the_study_of_signatures_finds_what_the_run_finds(tmp_path: Path, command: Command) -> None:
    texts = sentences(160, 5)
    rows = [{"id": str(n), "text": " ".join(["Yes.", *texts[8 * n : 8 * n + 8]])} for n in range(20)]
    for n in range(0, 12, 2):
        rows[n + 1]["text"] += " " + " ".join(texts[8 * n : 8 * n + 3 + n % 3])
    source = written(tmp_path, rows)
    few = ["--documents", "20", "--sentences", "200", "--language", "en"]
    found = both_ways("signatures", "passages", source, tmp_path, command, *few)
    assert [own["levels"][-1]["found_by_passages"] for own in found] == [12, 12]
    pairs = pq.read_table(tmp_path / "run" / "pairs.parquet")
    assert len({*pairs["doc_a"].to_pylist(), *pairs["doc_b"].to_pylist()}) == 12
    assert found[0]["settings"]["method"]["min_words"] == 1
    done = command("study", "signatures", source, "--within")
    assert done.code == 2 and "no within" in done.said


def test_trec_finds_what_the_run_finds(tmp_path: Path, command: Command) -> None:
    source, ranking = written(tmp_path, overlapping(13)), tmp_path / "ranking"
    ranking.write_text("".join(f"1 Q0 {n} {n + 1} {20 - n} mine\n" for n in range(13)))
    assert command("documents", source, "-o", tmp_path / "run", *PRESET).code == 0
    given = ["trec", "--runs", ranking, "--documents", source]
    ways: dict[str, list[Any]] = {
        "preset": PRESET,
        "file": ["--settings", tmp_path / "run" / "run.json"],
    }
    for name, own in ways.items():
        done = command(*given, "-o", tmp_path / name, *own)
        assert done.code == 0, done.said
        assert pairs_of(tmp_path / name / "near-duplicates") == pairs_of(tmp_path / "run") > 5
        settings = json.loads((tmp_path / name / "run.json").read_text())["settings"]
        assert (settings["shingle"], settings["preset"]) == ("char:64", "paper")
    with pytest.raises(neardup.NeardupError, match="did you mean max_shared"):
        neardup.trec([ranking], documents=source, max_share=5)


@pytest.mark.parametrize(
    ("study", "option"),
    [
        ("signatures", "--signature=imatch"),
        ("sampling", "--keep=first"),
        ("shingles", "--candidates=rare"),
        ("pages", "--measure=simhash"),
    ],
)
def test_what_a_study_varies_or_does_not_use_is_no_option_of_it(
    study: str, option: str, tmp_path: Path, command: Command
) -> None:
    source = tmp_path / "texts.jsonl"
    source.write_text('{"id": "1", "text": "One."}\n')
    done = command("study", study, source, option)
    assert done.code == 2 and "No such option" in done.said
