"""Settings are tuned to labels."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import labelled_forum, write

import neardup
from neardup.cli.tune import show_advice
from neardup.errors import InputError, SettingsError
from neardup.evaluation.labelled import read_labels
from neardup.evaluation.quality import Goal, Quality
from neardup.evaluation.tune import Tried, Tuning, tune
from neardup.results.files import check_file


def test_tuning_finds_the_field_that_tells_and_writes_settings(tmp_path: Path, command: Command) -> None:
    source, labels, right = labelled_forum(tmp_path)
    settings = tmp_path / "tuned.json"
    options = [
        "--max-shared",
        "0,5",
        "--fields",
        "title,body",
        "--signature",
        "shingles:1",
        "--signature",
        "shingles:3",
    ]
    done = command("tune", source, "--labels", labels, "-o", settings, *options, "--starts", 20)
    assert done.code == 0
    assert "F1 of each field alone" in done.out
    assert "defaults" in done.out and "held out P" in done.out
    other = ["-o", tmp_path / "whole.json", "--starts", 2, "--held-out", 0]
    whole = command("tune", source, "--labels", labels, *options, *other)
    assert "F1 of each field alone" in whole.out and "held out" not in whole.out
    check_file(settings, '"held_out"', "tuning")  # it may be written over
    tuned = json.loads(settings.read_text())
    assert tuned["quality"]["held_out"]["f1"] == 1.0
    assert tuned["settings"]["fields"]["body"] > 0.5
    assert len(tuned["tables"]["signatures"]) == 4
    given = ["threads", source, "-q", "-o"]
    assert command(*given, tmp_path / "out", "--settings", settings).code == 0
    result = neardup.Result(tmp_path / "out")
    assert result.run["settings"]["threshold"] == tuned["settings"]["threshold"]
    assert result.run["settings"]["signature"] == tuned["settings"]["signature"]
    found = {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}
    assert found == set(right)
    run = tmp_path / "out" / "run.json"
    done = command(*given, tmp_path / "o2", "--settings", run, "--threshold", "0.99")
    assert done.code == 0
    assert neardup.Result(tmp_path / "o2").threshold == 0.99


def test_what_is_learned_is_held_against_equation_4(tmp_path: Path, command: Command) -> None:
    """Right pairs share either field, but not both: no weighted mean says that, a product does."""
    rng, rows, labels = random.Random(3), [], []
    words = [f"w{n}" for n in range(3_000)]

    def text() -> str:
        return " ".join(rng.sample(words, 12))

    for number in range(90):
        title, body = text(), text()
        same = ({"title": title}, {"body": body}, {"title": title, "body": body})[number % 3]
        other = {"title": text(), "body": text()} | same
        for side, own in enumerate(({"title": title, "body": body}, other)):
            rows.append({"id": f"{number}-{side}", **own})
        labels.append((f"{number}-0", f"{number}-1", int(number % 3 < 2)))
    source, gold = tmp_path / "threads.jsonl", tmp_path / "labels.csv"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    gold.write_text("id_a,id_b,label\n" + "".join(f"{a},{b},{y}\n" for a, b, y in labels))
    options = [
        "--fields",
        "title,body",
        "--max-shared",
        "0",
        "--starts",
        "20",
        "-o",
        tmp_path / "t.json",
    ]
    done = command("tune", source, "--labels", gold, *options)
    assert done.code == 0 and "gain in F1: +" in done.said
    learned = json.loads((tmp_path / "t.json").read_text())["learned"]
    assert learned["learned"]["f1"] > 0.95 > learned["equation_4"]["f1"] + 0.1
    assert learned["weights"]["title and body"] < -2
    assert learned["gain"] == learned["learned"]["f1"] - learned["equation_4"]["f1"]


def test_what_no_field_shows_cannot_be_learned(tmp_path: Path) -> None:
    """Where only right pairs are labelled, those with nothing in common are not told by that."""
    rng, rows, labels = random.Random(3), [], ["id_a,id_b"]
    words = [f"w{n}" for n in range(3_000)]
    for number in range(60):
        one, other = (" ".join(rng.sample(words, 12)) for _ in range(2))
        rows += [
            {"id": f"{number}-0", "title": one},
            {"id": f"{number}-1", "title": one if number % 2 else other},
        ]
        labels.append(f"{number}-0,{number}-1")
    gold = tmp_path / "labels.csv"
    gold.write_text("\n".join(labels) + "\n")
    found = tune(rows, gold, fields="title", max_shared=(0,), starts=5).learned
    assert found is not None
    assert found.quality == found.equation == Quality(30, 0, 30)


def test_tuning_finds_out_what_is_boilerplate(tmp_path: Path) -> None:
    template = [f"t{n}" for n in range(60)]
    rows = [
        {
            "id": f"{i}-{k}",
            "body": " ".join([*template, *(f"{i}w{n}" for n in range(8 + k * 8 * (i % 4)))]),
        }
        for i in range(40)
        for k in (0, 1)
    ]
    source = write(tmp_path / "a.jsonl", rows)
    labels = tmp_path / "labels.csv"
    labels.write_text("id_a,id_b\n" + "".join(f"{i}-0,{i}-1\n" for i in range(40)))
    chosen: dict[str, Any] = {"fields": "body", "starts": 5}
    found = tune(str(source), labels, **chosen).best
    assert found.held_out.f1 == 1.0
    assert 0 < found.max_shared < 40
    assert neardup.threads(str(source), **found.settings).counts["pairs"] == 40
    assert tune(str(source), labels, max_shared=[0], **chosen).best.held_out.f1 < 1
    with pytest.raises(SettingsError, match="max_shared must be 0 or at least 2"):
        tune(str(source), labels, max_shared=[1], **chosen)


def test_tuning_scores_as_the_settings_say(tmp_path: Path) -> None:
    """Questions with nothing but titles, and answers that continue others."""
    rows = []
    for i in range(30):
        title, answer = (" ".join(f"{kind}{i}w{n}" for n in range(9)) for kind in "ta")
        longer = f"{answer} " + " ".join(f"m{i}w{n}" for n in range(60))
        rows += [{"id": f"q{i}{k}", "title": title} for k in "ab"]
        rows += [{"id": f"a{i}a", "answer": answer}, {"id": f"a{i}b", "answer": longer}]
    source = str(write(tmp_path / "a.jsonl", rows))
    labels = tmp_path / "labels.csv"
    labels.write_text("id_a,id_b\n" + "".join(f"{k}{i}a,{k}{i}b\n" for i in range(30) for k in "qa"))
    chosen: dict[str, Any] = {"fields": "title,answer", "starts": 3, "max_shared": [0], "held_out": 0}
    assert tune(source, labels, **chosen).best.tuning.recall == 0.5
    printed = tune(source, labels, missing="zero", answer_containment=True, **chosen)
    assert printed.defaults.tuning.recall == 1.0
    best = printed.best
    assert max(best.fields.values()) >= best.threshold
    assert neardup.threads(source, **best.settings).counts["pairs"] == best.tuning.right == 60


def test_goals_other_than_f1(tmp_path: Path) -> None:
    source, labels, _ = labelled_forum(tmp_path)
    chosen: dict[str, Any] = {"fields": "title,body", "starts": 5, "held_out": 0.0, "max_shared": [0]}
    precise = tune(str(source), labels, precision=1.0, **chosen).best
    assert precise.tuning.precision == 1.0
    full = tune(str(source), labels, recall=1.0, **chosen).best
    assert full.tuning.recall == 1.0
    assert full.held_out.recall == 0.0
    with pytest.raises(SettingsError, match=r"starts must be.*precision must be.*not both"):
        tune(str(source), labels, fields="title", precision=2, recall=0.5, starts=0)


def test_labels_of_threads_that_are_not_there_are_counted(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("id_a,id_b,label\na,b,1\na,x,1\ny,z,0\nb,c,0\n")
    clusters = tmp_path / "clusters.csv"
    clusters.write_text("id,cluster\na,1\nd,1\nw,1\n")
    found = read_labels([pairs, clusters], set("abcd"))
    assert found.right == {("a", "b"), ("a", "d")}
    assert found.wrong == frozenset([("b", "c")])
    assert found.unknown == set("wxyz")
    with pytest.raises(InputError, match="labelled right") as caught:
        read_labels([pairs], {"c"})
    assert "No thread has these ids: 'a', 'b', 'x', …" in str(caught.value)


def test_tuning_goes_on_without_threads_that_are_not_there(tmp_path: Path) -> None:
    source, labels, _ = labelled_forum(tmp_path)
    labels.write_text(f"{labels.read_text()}t0-0,nowhere\n")
    found = tune(str(source), labels, fields="body", max_shared=[0], starts=2)
    assert found.counts["unknown_threads"] == 1
    assert found.best.held_out.f1 > 0.9


@pytest.mark.parametrize(
    ("held", "best", "usual", "said"),
    [
        (20, Quality(18, 0, 2), Quality(9, 0, 11), []),
        (0, Quality(0, 0, 0), Quality(0, 0, 0), []),
        (0, Quality(0, 3, 0), Quality(0, 0, 0), ["No right pair is held out"]),
        (3, Quality(3, 0, 0), Quality(3, 0, 0), ["Only 3 right pairs"]),
        (
            20,
            Quality(0, 4, 20),
            Quality(0, 9, 20),
            ["fail on the threads held out: F1 0.0000, after 0.9"],
        ),
        (20, Quality(18, 0, 2), Quality(19, 0, 1), ["default settings do better there: F1 0.97"]),
    ],
)
def test_settings_that_do_not_hold_are_not_recommended(
    held: int, best: Quality, usual: Quality, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    counts = {"right_held_out": held, "other_held_out": held or best.wrong}
    tried, defaults = (
        Tried({"title": 1.0}, {"title": "shingles:3"}, 0.5, 0, Quality(18, 0, 4), quality)
        for quality in (best, usual)
    )
    found = Tuning(tried, defaults, (tried,), (tried,), counts, Goal())
    assert len(found.warnings) == len(said)
    assert all(part in warning for part, warning in zip(said, found.warnings, strict=True))
    show_advice(found, Path("tuned.json"))
    assert ("use them with" in capsys.readouterr().out) == (not said)


def test_pairs_that_right_ones_connect_do_not_count(tmp_path: Path) -> None:
    words = [" ".join(f"{i}w{n}" for n in range(20)) for i in range(30)]
    rows = [{"id": f"{i}{k}", "title": f"{text} {k}"} for i, text in enumerate(words) for k in "abc"]
    labels = tmp_path / "labels.csv"
    listed = [f"{i}a,{i}b\n{i}b,{i}c\n" for i in range(30)]
    labels.write_text("id_a,id_b\n" + "".join(listed))
    found = tune(
        str(write(tmp_path / "a.jsonl", rows)), labels, fields="title", max_shared=[0], starts=3
    )
    assert found.best.tuning.f1 == found.best.held_out.f1 == 1.0
