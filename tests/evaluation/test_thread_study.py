"""The study of threads: signatures in each field, and both indexes over sizes."""

import json
from pathlib import Path

import pytest
from tests.command_line import Command
from tests.corpora import labelled_forum

from neardup.errors import InputError
from neardup.evaluation.thread_study import INDEXES, PARTS, SIGNATURES, study_threads
from neardup.methods.threads.settings import ThreadSettings
from neardup.settings.run import RunSettings


@pytest.mark.slow
def test_the_command_makes_table_1_and_both_figures(tmp_path: Path, command: Command) -> None:
    source, labels, right = labelled_forum(tmp_path)
    out = tmp_path / "study"
    given = ["study", "threads", source, "--labels", labels, "--fields", "title=0.1,body=0.9", "-o", out]
    done = command(*given)
    assert done.code == 0, done.said
    assert "Table 1: F1 of signatures in each field" in done.said
    study = json.loads((out / "study.json").read_text())
    best = {(row["signature"], row["field"]): row["f1"] for row in study["fields"]}
    assert len(best) == 2 * len(SIGNATURES)
    assert best["shingles:3", "body"] == 1 > best["shingles:3", "title"], "as the forum is made"
    assert len(study["scaled"]) == len(PARTS) * len(INDEXES)
    found = {(row["index"], row["threads"]): row["pairs"] for row in study["scaled"]}
    sizes = sorted({row["threads"] for row in study["scaled"]})
    assert all(found["doc", size] == found["term, no limit", size] for size in sizes), "both are exact"
    assert len(right) >= found["doc", sizes[-1]] > found["doc", sizes[0]]
    for name in ("figure-8-seconds", "figure-9-found"):
        assert (out / "plots" / f"{name}.svg").is_file() and (out / "plots" / f"{name}.csv").is_file()
    assert "Figure 8" in (out / "report.html").read_text()


def test_few_threads_are_refused() -> None:
    rows = [{"id": str(number), "title": "one", "body": "two", "answer": "three"} for number in range(3)]
    with pytest.raises(InputError, match="only 3 threads"):
        study_threads(rows, ThreadSettings(), RunSettings.make(1))
