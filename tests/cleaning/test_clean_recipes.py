"""What a recipe may ask for besides its stages, and what is shown of a cleaned corpus."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cleaning.recipes import LONG, NOTICE, RECIPE, corpus, left_of
from tests.cleaning.records import Write, decoded
from tests.command_line import Command
from tests.corpora import prose

import neardup
from neardup.errors import InputError, SettingsError


def stage(name: str, **more: Any) -> dict[str, Any]:
    """Return a recipe of one stage in which the first copy stays."""
    return {"keep": "first", "stage": [{"name": name, **more}]}


def sourced(text: str, kind: str) -> dict[str, Any]:
    """Return a record with a column."""
    return {"text": text, "lang": kind}


def test_a_copy_is_kept_for_each_value_of_a_column() -> None:
    own = [prose(60, seed) for seed in (200, 201)]
    near = f"{own[1]} And one more end."
    records = [sourced(own[0], kind) for kind in ("en", "de", "en", "de", "")]
    nearly = [sourced(own[1], "en"), sourced(near, "de"), sourced(f"{near} Or two.", "de")]
    cases: tuple[tuple[str, list[dict[str, Any]], list[int]], ...] = (
        ("exact", records, [3, 4]),
        ("documents", nearly, [3]),
        ("spans", [*records, sourced(f"New. {own[0]}", "de")], [3, 4, 6]),
        ("paragraphs", [*records, sourced(f"New.\n\n{own[0]}", "de")], [3, 4, 6]),
    )
    for name, given, gone in cases:
        done = neardup.clean(given, recipe=stage(name), keep_per="lang", dry_run=True)
        assert sorted(set(done.result.ledger["position"].to_pylist())) == gone, name
    with pytest.raises(InputError, match="dialect"):
        neardup.clean(records, recipe=stage("exact"), keep_per="dialect", dry_run=True)


REPEATED = [[{"name": "spans"}], [{"name": "paragraphs"}], [{"name": "lines"}]]
WHOLE = [[{"name": "exact"}], [{"name": "documents"}], [{"name": "exact"}, {"name": "documents"}]]


@pytest.mark.parametrize("after", REPEATED)
@pytest.mark.parametrize("stages", WHOLE)
def test_as_many_copies_stay_as_may_after_all_stages(
    stages: list[dict[str, Any]], after: list[dict[str, Any]]
) -> None:
    whole, other = prose(120, 210), prose(60, 211)
    records = [*[whole] * 3, f"{other}\n\n{whole}", whole]
    for at_most in (2, 3, 4):
        recipe = {"keep": "first", "keep_at_most": at_most, "stage": [*stages, *after]}
        done = neardup.clean(records, recipe=recipe, dry_run=True)
        left = left_of([{"text": text} for text in records], done.result.ledger.to_pylist())
        assert sum(whole in record["text"] for record in left) == at_most
        assert any(other in record["text"] for record in left)


@pytest.mark.parametrize("after", REPEATED)
@pytest.mark.parametrize("stages", WHOLE)
def test_a_copy_for_each_value_stays_after_all_stages(
    stages: list[dict[str, Any]], after: list[dict[str, Any]]
) -> None:
    whole = prose(120, 212)
    records = [sourced(whole, kind) for kind in ("en", "de", "en", "", "de", "")]
    recipe = {"keep": "first", "keep_per": "lang", "stage": [*stages, *after]}
    done = neardup.clean(records, recipe=recipe, dry_run=True)
    assert left_of(records, done.result.ledger.to_pylist()) == [*records[:2], records[3]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_is_no_paragraph_however_lines_end(end: str) -> None:
    line = prose(20, 220)
    texts = [f"One.{end}{line}{end}Two.", f"Three.{end}{line}{end}Four."]
    assert not len(
        neardup.clean(texts, recipe=stage("paragraphs", min_length=60), dry_run=True).result.ledger
    )
    apart = [text.replace(line, f"{end}{line}{end}") for text in texts]
    done = neardup.clean(apart, recipe=stage("paragraphs", min_length=60), dry_run=True)
    assert done.result.ledger["position"].to_pylist() == [2]


def test_groups_stay_or_go_as_a_whole() -> None:
    own = [prose(40, seed) for seed in range(300, 306)]
    groups = {"a": own[:3], "b": [own[0], own[1], own[3]], "c": [own[3], own[4], own[5]]}
    records: list[dict[str, Any]] = [
        {"text": text, "repo": name} for name, texts in groups.items() for text in texts
    ]
    records.append({"text": own[2], "repo": None})
    done = neardup.clean(records, recipe=stage("exact"), group="repo", dry_run=True)
    rows = done.result.ledger.to_pylist()
    # b goes, so that c has the only copy of what both have; what has no group is one of its own
    assert [row["position"] for row in rows] == [4, 5, 6, 10]
    assert [row["keeper_id"] for row in rows] == ["memory#1", "memory#2", None, "memory#3"]
    assert rows[2]["reason"] == "most of its group is repeated"
    with pytest.raises(SettingsError, match="of a group cannot be cut"):
        neardup.clean(records, group="repo", dry_run=True)


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "csv"])
def test_records_tell_how_many_they_stand_for(kind: str, write: Write, tmp_path: Path) -> None:
    path = write(kind, corpus())
    done = neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean", add="cluster_size")
    sizes = {r["id"]: int(r[SIZE]) for r in decoded(done.files[0]) if r[SIZE]}
    assert {i: n for i, n in sizes.items() if n > 1} == {"r0": 2, "r3": 2, "r4": 2}
    assert len(sizes) == done.result.counts["kept"]
    assert sum(sizes.values()) == done.result.counts["documents"] - 1  # "notice" has no keeper
    with pytest.raises(SettingsError, match="cannot add 'colour'"):
        neardup.clean(path, output=tmp_path / "other", add="colour")


SIZE = "neardup_cluster_size"
ASKED = "Which planet of the solar system has the greatest number of known moons today?"


@pytest.mark.parametrize("action, left", [("cut", 3), ("drop", 2)])
def test_test_items_are_taken_out(action: str, left: int, tmp_path: Path) -> None:
    bench = tmp_path / "quiz.jsonl"
    bench.write_text(json.dumps({"id": "moons", "question": ASKED, "answer": "Saturn"}))
    texts = [f"{NOTICE} {ASKED} Saturn. {LONG}", f"{LONG} Nothing is asked here.", f"{NOTICE} {LONG}"]
    items = {"name": "decontaminate", "benchmarks": bench.as_uri(), "action": action}
    recipe = {"keep": "first", "stage": [{"name": "lines"}, items]}
    done = neardup.clean(texts, recipe=recipe, dry_run=True)
    [row] = done.result.ledger.to_pylist()
    assert (row["stage"], row["keeper_id"]) == ("decontaminate", None)
    assert row["reason"] == "the test item quiz#moons"
    assert done.result.counts["kept"] == left
    if action == "cut":
        assert texts[0][row["start"] : row["end"]] == f"{ASKED} Saturn"
    with pytest.raises(SettingsError, match="no benchmarks"):
        neardup.clean(texts, recipe=stage("decontaminate"), dry_run=True)


def test_a_changed_benchmark_is_another_recipe(write: Write, tmp_path: Path) -> None:
    path, bench = write("jsonl", corpus()), tmp_path / "quiz.jsonl"
    recipe = stage("decontaminate", benchmarks=str(bench))
    for text in (ASKED, NOTICE):
        bench.write_text(json.dumps({"question": text}))
        done = neardup.clean(path, recipe=recipe, output=tmp_path / "clean", dry_run=True)
    assert {row["id"] for row in done.result.ledger.to_pylist()} == {"r2", "r5", "r6", "notice"}


def test_examples_and_the_flow_are_shown(write: Write, tmp_path: Path, command: Command) -> None:
    path = write("jsonl", corpus())
    done = neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean")
    shown = done.result.shown.to_pylist()
    assert {row["stage"] for row in shown} == {s["name"] for s in RECIPE["stage"]}
    [near] = [row for row in shown if row["stage"] == "documents"]
    assert (near["id"], near["keeper_id"]) == ("near", "r4")
    assert near["text"][:300] == near["keeper_text"][:300] == prose(90, 4)[:300]
    cuts = [row for row in shown if row["reason"] == "a repeated span"]
    assert cuts and all(row["text"].split() == row["keeper_text"].split() for row in cuts)
    assert command("report", tmp_path / "clean").code == 0
    page = (tmp_path / "clean.removed" / "report.html").read_text()
    assert "<svg" in page and "Examples: spans" in page and "12 records" not in page


def test_a_dataset_comes_back_with_its_features() -> None:
    datasets = pytest.importorskip("datasets")
    features = datasets.Features(
        {
            "text": datasets.Value("large_string"),
            "label": datasets.ClassLabel(names=["no", "yes"]),
            "tags": datasets.Sequence(datasets.Value("int8")),
        }
    )
    texts = [record["text"] for record in corpus()]
    rows = {"text": texts, "label": [0] * len(texts), "tags": [[1]] * len(texts)}
    given = datasets.Dataset.from_dict(rows, features=features)
    recipe = RECIPE | {"stage": RECIPE["stage"][1:]}
    done = neardup.clean(given, recipe=recipe)
    wanted = left_of(corpus(), done.result.ledger.to_pylist())
    assert done.data.features == features
    assert done.data["text"][:] == [record["text"] for record in wanted]
    both = datasets.DatasetDict(train=given, test=given.select(range(3)))
    left = neardup.clean(both, recipe=recipe).data
    assert [len(left[name]) for name in left] == [len(wanted), 0]
    assert left["train"].features == features
    assert neardup.clean(given, recipe=recipe, dry_run=True).data is None
    added = neardup.clean(both, recipe=recipe, add="cluster_size").data["train"]
    sizes = added[SIZE][:]
    assert (sizes.count(2), sizes.count(None)) == (5, 1)  # two, and three that are in `test` too
