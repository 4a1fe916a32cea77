"""A corpus cleaned in one run: what is left, what the ledger says of the rest, and that both add up."""

import gzip
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.cleaning.recipes import LONG, NOTICE, RECIPE, corpus, left_of
from tests.cleaning.records import Write, decoded, everything
from tests.command_line import Command, call
from tests.corpora import prose

import neardup
from neardup.cleaning import plan
from neardup.errors import InputError, OutputError, SettingsError, StepError
from neardup.readers.source import wanted_rows


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return what is left of the corpus."""
    done = neardup.clean(corpus(), recipe=RECIPE, dry_run=True)
    return left_of(corpus(), done.result.ledger.to_pylist())


def test_each_stage_takes_what_is_repeated_and_leaves_one_copy(expected: list[dict[str, Any]]) -> None:
    done = neardup.clean(corpus(), recipe=RECIPE, dry_run=True)
    ledger = done.result.ledger.to_pylist()
    dropped = {
        row["id"]: (row["stage"], row["keeper_id"]) for row in ledger if row["action"] == "dropped"
    }
    assert dropped == {
        "same-url": ("keys", "r0"),
        "same-words": ("exact", "r3"),
        "near": ("documents", "r4"),
        "notice": ("spans", None),
    }
    cut = Counter((row["stage"], row["id"]) for row in ledger if row["action"] == "cut")
    assert cut == Counter(
        [
            ("spans", "r5"),
            ("spans", "r6"),
            ("spans", "notice"),
            ("paragraphs", "r5"),
            ("paragraphs", "r6"),
        ]
    )
    texts = {row["id"]: row["text"] for row in expected}
    assert [i for i, text in texts.items() if NOTICE in text or LONG in text] == ["r2"]
    assert texts["empty"] == "—"  # what has no words was not compared


def test_cuts_are_told_where_they_stood_in_the_text_as_it_was_read() -> None:
    texts = {record["id"]: record["text"] for record in corpus()}
    done = neardup.clean(corpus(), recipe=RECIPE, dry_run=True)
    for row in done.result.ledger.to_pylist():
        if row["action"] == "cut":
            gone = texts[row["id"]][row["start"] : row["end"]]
            stays = texts[row["keeper_id"]][row["keeper_start"] : row["keeper_end"]]
            assert gone.split() == stays.split()
            assert row["characters"] == len(gone)


def test_kept_and_gone_are_what_was_read(expected: list[dict[str, Any]]) -> None:
    done = neardup.clean(corpus(), recipe=RECIPE, dry_run=True)
    counts, flow = done.result.counts, done.result.flow.to_pylist()
    with_words = [record for record in expected if record["id"] != "empty"]
    assert counts["documents"] == counts["kept"] + counts["dropped"]
    assert counts["characters"] == counts["characters_kept"] + counts["characters_gone"]
    assert counts["characters_kept"] == sum(len(record["text"]) for record in with_words)
    assert counts["kept"] == flow[-1]["records_after"] == len(with_words)
    for row, following in pairwise(flow):
        assert row["records_after"] == following["records_before"]
        assert row["characters_before"] - row["characters_gone"] == following["characters_before"]


def test_what_was_dropped_was_not_changed_too(tmp_path: Path, write: Write) -> None:
    good = write("jsonl", corpus(), name="in/a")
    (tmp_path / "in" / "b.jsonl.gz").write_bytes(gzip.compress(good.read_bytes())[:-8] + bytes(8))
    for done in (
        neardup.clean(corpus(), recipe=RECIPE, dry_run=True),
        neardup.clean(tmp_path / "in", recipe=RECIPE, output=tmp_path / "clean"),  # and counted again
    ):
        rows = done.result.ledger.to_pylist()
        dropped = {(row["stage"], row["doc"]) for row in rows if row["action"] == "dropped"}
        cut = {(row["stage"], row["doc"]) for row in rows} - dropped
        for stage in done.result.flow.to_pylist():
            if stage["source"] != "b.jsonl.gz":
                assert stage["changed"] == sum(name == stage["stage"] for name, _ in cut)
        assert done.result.counts["changed"] == len({d for _, d in cut} - {d for _, d in dropped})
        assert ("spans", next(row["doc"] for row in rows if row["id"] == "notice")) in dropped


def test_white_space_that_lies_apart_is_not_called_a_paragraph() -> None:
    first, second = prose(30, 80), prose(30, 81)
    span = " ".join(prose(60, 82).split()[:50])
    texts = [f"{first}\n\n{second}\n\n{span}", f"New.\n\n\n\n{first}\n\n{span}\n\n\n{second} More."]
    stages = [{"name": "spans", "words": 45}, {"name": "paragraphs", "min_length": 60}]
    done = neardup.clean(texts, recipe={"keep": "first", "stage": stages}, dry_run=True)
    went = {row["reason"]: texts[1][row["start"] : row["end"]] for row in done.result.ledger.to_pylist()}
    assert went == {
        "a repeated span": f"\n\n{span}",
        "a repeated paragraph": first,
        "white space beside a repeated paragraph": "\n\n\n",
    }


def test_a_run_that_does_not_add_up_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = plan.LEDGER.replace("r.characters as characters", "r.characters + 1 as characters")
    monkeypatch.setattr(plan, "LEDGER", wrong)
    with pytest.raises(StepError, match=r"the ledger does not add up: .* characters were read"):
        neardup.clean(corpus(), recipe=RECIPE, dry_run=True, output=tmp_path / "clean")
    assert not (tmp_path / "clean.removed").exists()


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "parquet", "csv"])
def test_files_are_written_in_their_format_and_order(
    kind: str, write: Write, tmp_path: Path, expected: list[dict[str, Any]]
) -> None:
    path = write(kind, corpus())
    before = everything(path.parent)
    done = neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean")
    assert everything(path.parent) == before
    [file] = done.files
    wanted = [
        {name: str(value) if kind == "csv" else value for name, value in r.items()} for r in expected
    ]
    assert decoded(file) == wanted
    assert sorted(p.name for p in tmp_path.iterdir()) == ["clean", "clean.removed", "in"]


def test_records_that_are_not_cut_keep_their_bytes(tmp_path: Path) -> None:
    lines = [json.dumps(record, indent=None, separators=(" , ", " : ")) for record in corpus()]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join([*lines, "{not a record", ""]))
    done = neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean")
    written = (tmp_path / "clean" / "in.jsonl").read_text().splitlines()
    changed = {row["position"] for row in done.result.ledger.to_pylist()}
    kept = [line for n, line in enumerate(lines, 1) if n not in changed]
    assert [line for line in written if line in set(kept)] == kept
    assert written[-1] == "{not a record"


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_texts_that_are_cut_are_read_once(
    kind: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []

    def counted(source: Any, rows: Any) -> Any:
        begun.append(len(rows))
        return wanted_rows(source, rows)

    monkeypatch.setattr("neardup.results.cutting.wanted_rows", counted)
    monkeypatch.setattr("neardup.readers.tables.BATCH_ROWS", 3)
    done = neardup.clean(write(kind, corpus()), recipe=RECIPE, output=tmp_path / "clean")
    cut = [row["position"] for row in done.result.ledger.to_pylist() if row["action"] == "cut"]
    assert begun == [len(set(cut)) - 1]  # of one, nothing is left


def test_texts_in_files_of_their_own(
    write: Write, tmp_path: Path, expected: list[dict[str, Any]]
) -> None:
    recipe = RECIPE | {"stage": RECIPE["stage"][1:], "keep": "source:r0>r1>r2>r3>r4,first"}
    folder = write("txt", [r for r in corpus() if r["id"] != "same-url"])
    done = neardup.clean(folder, recipe=recipe, output=tmp_path / "clean")
    found = {path.stem: path.read_text() for path in done.files}
    assert found == {record["id"]: record["text"] for record in expected}


def test_the_bytes_are_the_same_for_any_number_of_workers(write: Write, tmp_path: Path) -> None:
    path = write("jsonl", corpus())
    made = []
    for workers in (1, 2, 3):
        output = tmp_path / f"clean-{workers}" / "c"
        neardup.clean(path, recipe=RECIPE, output=output, workers=workers)
        files = {
            p.relative_to(output.parent): p.read_bytes() for p in output.parent.rglob("*") if p.is_file()
        }
        made.append({str(name): data for name, data in files.items() if name.name != "timings.json"})
    assert made[0] == made[1] == made[2]
    assert set(made[0]) >= {"c/data.jsonl", "c.removed/ledger.parquet"}


def test_after_a_dry_run_only_files_are_written(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("jsonl", corpus())
    neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean", dry_run=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["clean.removed", "in"]
    with monkeypatch.context() as patch:
        patch.setattr("neardup.cleaning.clean.run_job", lambda *_, **__: pytest.fail("it ran again"))
        done = neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean")
    assert len(decoded(done.files[0])) == done.result.counts["kept"] + 1
    other = RECIPE | {"keep": "longest"}
    with pytest.raises(OutputError, match="not an empty folder"):
        neardup.clean(path, recipe=other, output=tmp_path / "clean")


def test_a_dry_run_with_another_recipe_takes_the_place_of_the_first(
    write: Write, tmp_path: Path
) -> None:
    path = write("jsonl", corpus())
    first = neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean", dry_run=True)
    before = first.result.counts["dropped"]
    stages = {"stage": [{"name": "exact", "match": "text"}]}
    again = neardup.clean(path, recipe=stages, output=tmp_path / "clean", dry_run=True)
    assert (before, again.result.counts["dropped"]) == (4, 0)


def test_what_fails_while_files_are_written_leaves_none(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("jsonl", corpus())
    with monkeypatch.context() as patch:
        patch.setattr("neardup.readers.json_records.with_text", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["clean.removed", "in"]
    assert len(neardup.clean(path, recipe=RECIPE, output=tmp_path / "clean").files) == 1


def test_a_file_that_cannot_be_read_whole_stays_as_it_is(write: Write, tmp_path: Path) -> None:
    good = write("jsonl", corpus(), name="in/a")
    bad = gzip.compress(good.read_bytes())[:-8] + bytes(8)  # the checksum is wrong
    (tmp_path / "in" / "b.jsonl.gz").write_bytes(bad)
    done = neardup.clean(tmp_path / "in", recipe=RECIPE, output=tmp_path / "clean")
    assert list(done.damaged) == ["b.jsonl.gz"]
    assert (tmp_path / "clean" / "b.jsonl.gz").read_bytes() == bad
    counts, flow = done.result.counts, done.result.flow.to_pylist()
    assert set(done.result.ledger["source"].to_pylist()) == {"a.jsonl"}
    assert counts["documents"] == counts["kept"] + counts["dropped"]
    assert counts["characters"] == counts["characters_kept"] + counts["characters_gone"]
    assert (
        sum(row["dropped"] for row in flow)
        == counts["dropped"]
        == len(corpus()) - len(decoded(tmp_path / "clean" / "a.jsonl"))
    )
    assert done.result.damages() == []


def test_a_sample_is_a_share_of_the_records(tmp_path: Path) -> None:
    records = [{"id": str(n), "text": f"One of many records, number {n}."} for n in range(2000)]
    done = neardup.clean(records, recipe=RECIPE, sample=0.1, dry_run=True)
    assert 150 < done.result.counts["documents"] < 250
    assert done.result.counts["records"] == 2000


def test_of_what_is_the_same_several_may_stay() -> None:
    same = [f"{prose(40, 7)} {mark}" for mark in ("", "!", "?", "…")]
    recipe = {"keep": "first", "keep_at_most": 3, "stage": [{"name": "exact"}]}
    done = neardup.clean(same, recipe=recipe, dry_run=True)
    assert done.result.ledger["position"].to_pylist() == [4]


def test_each_stage_sees_what_those_before_it_left() -> None:
    texts = [NOTICE, f"Short.\n\n{NOTICE}", "Short."]
    stages = [{"name": "paragraphs"}, {"name": "exact", "match": "text"}]
    for chosen, wanted in ((stages, ["cut", "dropped"]), (stages[::-1], ["cut"])):
        done = neardup.clean(texts, recipe={"keep": "first", "stage": chosen}, dry_run=True)
        assert done.result.ledger["action"].to_pylist() == wanted


def test_files_that_cannot_be_cut_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in "ab":
        paragraphs = "".join(
            f"<p>{text}</p>" for text in (prose(80, ord(name)), NOTICE, prose(80, 2 * ord(name)))
        )
        (folder / f"{name}.html").write_text(f"<!doctype html><body><main>{paragraphs}</main></body>")
    with pytest.raises(InputError, match="texts in files of this format cannot be cut"):
        neardup.clean(folder, recipe=RECIPE, output=tmp_path / "clean")
    assert not (tmp_path / "clean").exists()


def test_the_command_says_what_each_stage_took(write: Write, tmp_path: Path, command: Command) -> None:
    path, recipe = write("jsonl", corpus()), tmp_path / "recipe.json"
    recipe.write_text(json.dumps(RECIPE))
    printed = command("clean", path, "--recipe", recipe, "-o", tmp_path / "clean")
    assert printed.code == 0
    assert ["exact", "15", "1", "0"] in [line.split()[:4] for line in printed.out.splitlines()]
    assert "12 records kept" in command("show", tmp_path / "clean").out
    assert "near-duplicate" in command("show", tmp_path / "clean", "ledger").out
    told = json.loads(command("clean", path, "--recipe", recipe, "-o", tmp_path / "c2", "--json").out)
    assert [stage["stage"] for stage in told["stages"]] == [s["name"] for s in RECIPE["stage"]]


def test_the_command_counts_what_went_for_checks(write: Write, tmp_path: Path, command: Command) -> None:
    path = write("jsonl", corpus())
    tried = command("clean", path, "--dry-run", "--fail-on-duplicates")
    assert tried.code == 3 and "with -o the ledger stays" in tried.out and "None" not in tried.out
    assert command("clean", write("jsonl", name="in/u"), "--sample", "0.0001").code == 0


def test_a_corpus_may_be_at_an_address(write: Write, tmp_path: Path, command: Command) -> None:
    path = write("jsonl", corpus())
    done = command("clean", path.parent.as_uri(), "-o", tmp_path / "clean")
    assert "12 records kept" in done.said and (tmp_path / "clean" / path.name).exists()


def test_what_comes_through_a_pipe_can_be_tried_only(write: Write, tmp_path: Path) -> None:
    path = write("jsonl", corpus())
    for more, said in (("--dry-run", "12 records kept"), ("-q", "only files can be rewritten")):
        with path.open() as records:
            printed = call("clean", "-", "-o", tmp_path / "clean", more, stdin=records)
        assert said in printed.said


def test_what_cannot_be_done_is_refused_before_anything_is(write: Write, tmp_path: Path) -> None:
    path = write("jsonl", corpus())
    with pytest.raises(SettingsError, match="no folder for the corpus"):
        neardup.clean(path)
    with pytest.raises(InputError, match="only files can be rewritten"):
        neardup.clean(corpus(), output=tmp_path / "clean")
    with pytest.raises(SettingsError, match="keep_texts"):
        neardup.clean(path, output=tmp_path / "clean", keep_texts=True)
    with pytest.raises(OutputError, match="inside a folder of the input"):
        neardup.clean(path.parent, output=path.parent / "clean")
    with pytest.raises(OutputError, match="inside a folder of the input"):
        neardup.clean(path.parent.as_uri(), output=path.parent / "clean")
    with pytest.raises(SettingsError, match="does not replace a corpus"):
        neardup.clean(path, output=tmp_path / "clean", overwrite=True)
    assert [own.name for own in tmp_path.iterdir()] == ["in"]
