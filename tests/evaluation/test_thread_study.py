"""The study of threads: signatures in each field, and both indexes over sizes."""

import json
import random
from pathlib import Path

import pytest
from tests.command_line import Command
from tests.corpora import labelled_forum

from neardup.errors import InputError
from neardup.evaluation import thread_study
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
    assert "Table 1: F1 of signatures in each field, by labels of threads" in done.said
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


def brute_f1(pairs: dict[tuple[str, str], int], texts: dict[str, str], width: int) -> float:
    """Return the best F1 that any threshold above 0 reaches, by plain sets of runs of words."""

    def shingles(text: str) -> set[str]:
        own = text.split()
        return {" ".join(own[at : at + width]) for at in range(max(len(own) - width + 1, 1))}

    scored = []
    for (a, b), label in pairs.items():
        one, other = shingles(texts[a]), shingles(texts[b])
        scored.append((len(one & other) / len(one | other), label))
    best = 0.0
    for limit in {score for score, _ in scored if score > 0}:
        right = sum(label for score, label in scored if score >= limit)
        claimed = sum(score >= limit for score, _ in scored)
        best = max(best, 2 * right / (claimed + sum(pairs.values())))
    return best


def test_fields_may_have_labels_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper labels parts of threads; a thread may have a new title over an old body."""
    monkeypatch.setattr(thread_study, "SIGNATURES", ("shingles:2", "shingles:4", "imatch:0.1,0.9"))
    monkeypatch.setattr(thread_study, "PARTS", (1.0,))
    dice = random.Random(4)
    words = [f"w{n}" for n in range(60)]
    rows: list[dict[str, str]] = []
    labels: dict[str, dict[tuple[str, str], int]] = {"title": {}, "body": {}, "": {}}
    for number in range(30):
        one = {name: dice.choices(words, k=size) for name, size in (("title", 8), ("body", 25))}
        two, truth = {}, {}
        for name, own in one.items():
            truth[name] = int(dice.random() < 0.5)
            rate = dice.choice([0.05, 0.15, 0.4])
            copy = [w if dice.random() > rate else dice.choice(words) for w in own]
            two[name] = copy if truth[name] else dice.choices(words, k=len(own))
        ids = f"a{number}", f"b{number}"
        rows += [
            {"id": i, **{k: " ".join(v) for k, v in own.items()}}
            for i, own in zip(ids, (one, two), strict=True)
        ]
        for name in labels:
            labels[name][ids] = min(truth.values()) if not name else truth[name]
    lines = [f"{a},{b},{label},{name}" for name, own in labels.items() for (a, b), label in own.items()]
    file = tmp_path / "labels.csv"
    file.write_text("\n".join(["id_a,id_b,label,field", *lines]))
    settings = ThreadSettings.make("title=0.5,body=0.5")
    found = study_threads(rows, settings, RunSettings.make(1), labels=[file])
    texts = {name: {row["id"]: row[name] for row in rows} for name in ("title", "body")}
    for score in found.fields:
        if score.signature.startswith("shingles"):
            own_labels = labels[score.field if score.labels == "fields" else ""]
            expected = brute_f1(own_labels, texts[score.field], int(score.signature[-1]))
            assert (score.f1 or 0) == pytest.approx(expected), score
    assert [title for title, _, _ in found.tables()][:2] == [
        "Table 1: F1 of signatures in each field, by labels of fields",
        "Table 1: F1 of signatures in each field, by labels of threads",
    ]
    assert found.counts["labelled pairs in title"] == found.counts["labelled pairs"] == 30
    only = tmp_path / "only.csv"
    only.write_text("\n".join(["id_a,id_b,label,field", *lines[:30]]))
    part = study_threads(rows, settings, RunSettings.make(1), labels=[only])
    assert {(s.labels, s.field) for s in part.fields} == {("fields", "title")}
    assert [s for s in found.fields if s.field == "title" and s.labels == "fields"] == part.fields


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id_a,id_b,label,field\na0,b0,1,tittle\n", "labels of an unknown field: 'tittle'"),
        ("id_a,id_b,label,field\na0,b0,1,title\n", "labelled wrong in 'title'"),
        ("id_a,id_b,label\na0,b0,perhaps\n", "the label must be 0 or 1"),
        ("id_a,id_b,label\nx,y,1\nx,z,0\n", "no pair of threads that are there"),
        ("id_a,id_b\n", "this gold holds no labels"),
        ("one,two\n1,2\n", "no column of labels"),
        ("", "this gold holds no labels"),
    ],
)
def test_bad_labels_are_refused(text: str, said: str, tmp_path: Path, command: Command) -> None:
    rows = [{"id": f"{x}{n}", "title": f"one {n} two", "body": "three"} for n in range(5) for x in "ab"]
    (tmp_path / "forum.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "labels.csv").write_text(text)
    given = ["study", "threads", tmp_path / "forum.jsonl", "--labels", tmp_path / "labels.csv"]
    done = command(*given, "--fields", "title=0.5,body=0.5")
    assert done.code == 1 and said in " ".join(done.said.split()), done.said


def test_few_threads_are_refused() -> None:
    rows = [{"id": str(number), "title": "one", "body": "two", "answer": "three"} for number in range(3)]
    with pytest.raises(InputError, match="only 3 threads"):
        study_threads(rows, ThreadSettings(), RunSettings.make(1))
