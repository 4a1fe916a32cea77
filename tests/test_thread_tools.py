"""What one does with threads: ask an index, explain a pair, tune on labels, use a file of settings."""

import json
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests import thread_twins as twin
from tests.quality import DATA
from tests.test_threads import FIELDS, forum

import neardup
from neardup.cli import main
from neardup.cli.tune import show_advice
from neardup.errors import InputError, OutputError, SettingsError
from neardup.evaluation.labelled import read_labels
from neardup.evaluation.tune import Goal, Quality, Tried, Tuning, tune
from neardup.methods.threads.index import _write_postings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource
from neardup.results.single import check_file

EGG = {"title": "How do I boil an egg", "body": "I have an egg and a pot", "answer": "For six minutes"}
TEA = {"title": "Tea or coffee", "body": "What do you drink in the morning", "answer": "Tea of course"}


def write(path: Path, rows: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def called(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Run the command line in this process; return the exit code."""
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["neardup", *map(str, arguments)])
        patch.setattr(sys, "meta_path", list(sys.meta_path))
        try:
            main()
        except SystemExit as end:
            return int(end.code or 0)
    return 0


# --- asked before?


@pytest.mark.parametrize("most", [0, 4])
def test_an_index_finds_what_brute_force_finds(most: int) -> None:
    threads = forum(120, seed=3)
    index = neardup.ThreadIndex.build(neardup.threads(threads, max_shared=most))
    sets = [[twin.winnowed(thread[name], 3, 1) for name in FIELDS] for thread in threads]
    gone = twin.boilerplate(sets, most)
    sets = twin.without(sets, gone)
    dice = random.Random(5)
    for thread in dice.sample(threads, 25):
        asked = {n: text for n, text in thread.items() if text and dice.random() < 0.7}
        if not asked:
            continue
        own = twin.without([[twin.winnowed(asked.get(name), 3, 1) for name in FIELDS]], gone)[0]
        weights = [w if asked else 0.0 for asked, w in zip(own, (0.4, 0.2, 0.4), strict=True)]
        scores = {}
        for number, other in enumerate(sets):
            pairs = zip(own, other, strict=True)
            mean = twin.similarity([twin.jaccard(a, b) for a, b in pairs], weights)
            if mean >= 0.3:
                scores[f"memory#{number + 1}"] = mean
        found = {one.id: one.similarity for one in index.ask(asked, top=1000)}
        assert found == pytest.approx(scores)
        best = index.ask(asked, top=2)
        assert [one.similarity for one in best] == sorted(scores.values(), reverse=True)[:2]


def test_an_index_made_in_little_memory_is_the_same(tmp_path: Path) -> None:
    result = neardup.threads(forum(300, seed=4))
    one = neardup.ThreadIndex.build(result, tmp_path / "one")
    bounds = np.fromfile(one.folder / "bounds", np.int64)
    before = {name: (one.folder / name).read_bytes() for name in ("postings", "starts")}
    _write_postings(bounds[:: len(FIELDS)], one.folder, "uint32", 5_000)
    assert {name: (one.folder / name).read_bytes() for name in before} == before


def test_fields_that_are_not_asked_do_not_count_and_are_shown_as_none() -> None:
    threads = [{"id": "egg", **EGG}, {"id": "tea", **TEA}]
    index = neardup.ThreadIndex.build(neardup.threads(threads))
    assert len(index) == 2
    found = index.ask({"title": "how do I boil an egg?"})
    assert [one.as_dict() for one in found] == [
        {
            "id": "egg",
            "similarity": 1.0,
            "fields": {"title": 1.0, "body": None, "answer": None},
            "title": EGG["title"],
            "url": None,
            "date": None,
        }
    ]
    assert index.ask({"title": "something quite different from it all"}) == []


def test_several_may_ask_at_a_time() -> None:
    threads = forum(200, seed=5)
    index = neardup.ThreadIndex.build(neardup.threads(threads))
    questions = [{name: thread.get(name) for name in FIELDS} for thread in threads[:60]]
    alone = [index.ask(question) for question in questions]
    assert any(alone)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(index.ask, questions * 5)) == alone * 5


def test_an_index_knows_the_words_that_its_signatures_need(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"id": "egg", **EGG}, {"id": "tea", **TEA}])
    chosen = ["title=imatch:0,1", "body=spotsigs:2"]
    result = neardup.threads(str(path), output=tmp_path / "out", signature=chosen)
    neardup.ThreadIndex.build(result)
    again = neardup.ThreadIndex(tmp_path / "out")
    assert [one.id for one in again.ask({"title": "an egg how do I boil"})] == ["egg"]


def test_bad_questions_are_refused_with_all_that_is_wrong(tmp_path: Path) -> None:
    index = neardup.ThreadIndex.build(neardup.threads([EGG]))
    with pytest.raises(SettingsError) as caught:
        index.ask({"question": "x"}, top=0, least=2)
    for part in ("no field 'question'", "top must be", "least must be", "has no text"):
        assert part in str(caught.value)
    with pytest.raises(OutputError, match="no index of threads"):
        neardup.ThreadIndex(tmp_path)
    with pytest.raises(OutputError, match="no threads that can be asked"):
        neardup.ThreadIndex.build(neardup.documents(["one two three four five"]))


def test_the_command_line_finds_asks_and_explains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    again = {**EGG, "title": "How do I boil an egg please"}
    threads = [{"id": "egg", **EGG}, {"id": "tea", **TEA}, {"id": "again", **again}]
    path, out = write(tmp_path / "a.jsonl", threads), tmp_path / "out"
    assert called(monkeypatch, "threads", path, "-o", out, "--quiet") == 0
    assert called(monkeypatch, "asked", out, "--title", "tea or coffee?") == 0
    assert "1.000  1.000     –       –  tea  Tea or coffee" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", StringIO(json.dumps({"body": EGG["body"]})))
    assert called(monkeypatch, "asked", out, "--json") == 0
    assert [one["id"] for one in json.loads(capsys.readouterr().out)["found"]] == ["egg", "again"]
    assert called(monkeypatch, "show", out) == 0
    assert "keeper again How do I boil an egg please" in " ".join(capsys.readouterr().out.split())
    assert called(monkeypatch, "explain", out, "egg", "again") == 0
    shown = capsys.readouterr().out
    assert "title 0.4 shingles:3 0.800" in " ".join(shown.split())
    assert "{+ please+}" in shown
    assert called(monkeypatch, "explain", out, "egg", "tea", "--json") == 0
    assert json.loads(capsys.readouterr().out)["fields"][0]["similarity"] == 0.0
    assert called(monkeypatch, "dedup", out, "--mode", "remove", "-o", tmp_path / "clean") == 0
    kept = (tmp_path / "clean" / "a.jsonl").read_text()
    assert [json.loads(line)["id"] for line in kept.splitlines()] == ["tea", "again"]
    monkeypatch.setattr(sys, "stdin", StringIO("nonsense"))
    assert called(monkeypatch, "asked", out) == 1


# --- tuning


def labelled_forum(tmp_path: Path) -> tuple[Path, Path, list[tuple[str, str]]]:
    """Write threads of which copies share the body, while titles are alike by chance."""
    dice = random.Random(2)
    words = [f"w{i}" for i in range(300)]
    rows, right = [], []
    for number in range(60):
        body = dice.choices(words, k=30)
        for copy in range(2):
            own = [w if dice.random() > 0.03 else dice.choice(words) for w in body]
            title = dice.choice(["please help me now", "one more question here", "what is this thing"])
            rows.append({"id": f"t{number}-{copy}", "title": title, "body": " ".join(own)})
        right.append((f"t{number}-0", f"t{number}-1"))
    labels = tmp_path / "labels.csv"
    labels.write_text("id_a,id_b\n" + "".join(f"{a},{b}\n" for a, b in right))
    return write(tmp_path / "forum.jsonl", rows), labels, right


def test_tuning_finds_the_field_that_tells_and_writes_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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
    code = called(
        monkeypatch, "tune", source, "--labels", labels, "-o", settings, *options, "--starts", 20
    )
    assert code == 0
    printed = capsys.readouterr().out
    assert "F1 of each field alone" in printed
    assert "defaults" in printed
    check_file(settings, '"held_out"', "tuning")  # it may be written over
    tuned = json.loads(settings.read_text())
    assert tuned["quality"]["held_out"]["f1"] == 1.0
    assert tuned["settings"]["fields"]["body"] > 0.5
    assert len(tuned["tables"]["signatures"]) == 4
    assert (
        called(monkeypatch, "threads", source, "-o", tmp_path / "out", "--settings", settings, "-q") == 0
    )
    result = neardup.Result(tmp_path / "out")
    assert result.run["settings"]["threshold"] == tuned["settings"]["threshold"]
    assert result.run["settings"]["signature"] == tuned["settings"]["signature"]
    found = {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}
    assert found == set(right)
    run = tmp_path / "out" / "run.json"
    code = called(
        monkeypatch,
        "threads",
        source,
        "-o",
        tmp_path / "o2",
        "--settings",
        run,
        "--threshold",
        "0.99",
        "-q",
    )
    assert code == 0
    assert neardup.Result(tmp_path / "o2").threshold == 0.99


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


def test_all_labels_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", [{"id": i, "title": f"{i} one two"} for i in "abc"])
    labels = tmp_path / "labels.csv"
    labels.write_text("id_a,id_b,label\na,b,1\nb,a,0\nc,c,1\na,c,maybe\n")
    with pytest.raises(InputError) as caught:
        tune(str(source), labels, fields="title")
    said = str(caught.value)
    assert said.startswith("3 labels cannot be used")
    for part in ("labelled otherwise in", "paired with itself", "'maybe'"):
        assert part in said
    labels.write_text("id_a,id_b,label\na,b,1\n")
    with pytest.raises(InputError, match="no pair of threads that are there is labelled wrong"):
        tune(str(source), labels, fields="title")


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
    assert found.counts["labelled threads that are not there"] == 1
    assert found.best.held_out.f1 > 0.9


@pytest.mark.parametrize(
    ("held", "best", "usual", "said"),
    [
        (20, Quality(18, 0, 2), Quality(9, 0, 11), []),
        (0, Quality(0, 0, 0), Quality(0, 0, 0), []),
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
    counts = {"right pairs held out": held, "other pairs held out": held}
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


def test_labels_may_be_clusters_or_labelled_pairs(tmp_path: Path) -> None:
    source, _, right = labelled_forum(tmp_path)
    clusters = tmp_path / "clusters.csv"
    clusters.write_text(
        "id,cluster\n" + "".join(f"{a},{n}\n{b},{n}\n" for n, (a, b) in enumerate(right))
    )
    assert (
        tune(str(source), clusters, fields="title,body", starts=5, max_shared=[0]).best.tuning.f1 == 1.0
    )
    pairs = tmp_path / "pairs.csv"
    rows = [f"{a},{b},1\n" for a, b in right] + [f"t{n}-0,t{n + 1}-0,0\n" for n in range(50)]
    pairs.write_text("id_a,id_b,label\n" + "".join(rows))
    assert (
        tune(str(source), pairs, fields="title,body", starts=5, max_shared=[0]).counts[
            "other pairs for tuning"
        ]
        <= 50
    )


def test_settings_for_another_command_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "a.jsonl", [EGG])
    path = tmp_path / "s.json"
    for content, said in [
        ({"method": "documents", "settings": {}}, "these settings are for neardup documents"),
        ({"settings": {"beauty": 1, "truth": 2}}, "no setting beauty, truth"),
        ([], "these are no settings"),
    ]:
        path.write_text(json.dumps(content))
        assert called(monkeypatch, "threads", source, "-o", tmp_path / "o", "--settings", path) > 0
        assert said in " ".join(capsys.readouterr().err.split())


# --- real dumps


DUMPS = DATA / "stackexchange"
# the least recall and precision of consecutive revisions of a body among all other posts
RECALL, PRECISION = 0.95, 0.97


@pytest.mark.parametrize("name", ["th3", "woodstock"])
def test_revisions_of_posts_are_found_among_all_others(name: str, tmp_path: Path) -> None:
    history = DUMPS / name / "PostHistory.xml"
    if not history.is_file():
        pytest.skip(f"there is no {history}: set NEARDUP_DATA")
    posts: dict[str, list[dict[str, str]]] = {}
    source = FileSource.open([history], ReaderSettings(fields=("body",), text_column="body"))
    for split in source.splits():
        for batch in source.read(split):
            for own, text in zip(batch["id"].to_pylist(), batch["text"].to_pylist(), strict=True):
                if text:
                    posts.setdefault(own.partition("@")[0], []).append({"id": own, "body": text})
    chosen = [revision for revisions in posts.values() for revision in revisions[:2]]
    right = {(r[0]["id"], r[1]["id"]) for r in posts.values() if len(r) > 1}
    result = neardup.threads(
        str(write(tmp_path / "a.jsonl", chosen)),
        fields="body=1",
        signature="shingles:2",
        threshold=0.2,
        max_shared=2,
        max_postings=0,
    )
    found = {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}
    assert len(right) > 400
    assert len(right & found) >= RECALL * len(right)
    assert len(right & found) >= PRECISION * len(found)
