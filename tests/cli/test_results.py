"""`neardup show` and `neardup explain`: what they print, and what they say of a damaged result."""

import json
from pathlib import Path

import pytest
from tests.cli.records import documents
from tests.command_line import Command


def test_a_folder_without_a_result_is_said(tmp_path: Path, command: Command) -> None:
    for arguments in (["show"], ["explain", "a", "b"], ["dedup", "-o", tmp_path / "clean"]):
        name, *rest = arguments
        found = command(name, tmp_path, *rest)
        assert found.code == 1
        assert "does not hold a result of neardup" in found.said


def test_what_is_no_folder_is_called_so(tmp_path: Path, command: Command) -> None:
    assert "nothing: no such folder" in command("show", tmp_path / "nothing").said
    assert "nothing: no such file or folder" in command("check", tmp_path / "nothing").said
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    assert "this is a file, not the folder of a result" in command("show", tmp_path / "file").said


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
        part = command("show", demo, "--page", page, "--per-page", 3, "--sort", "cluster")
        assert f"page {page} of 4" in part.said
        rows = [line.split() for line in part.out.splitlines()]
        seen += [int(row[0]) for row in rows if row and row[0].isdigit() and row[1].isdigit()]
        assert part.out.count("keeper") >= 1
    assert seen[:9] == sorted(seen[:9])
    assert len(set(seen)) == 10
    assert "there is no page 5" in command("show", demo, "--page", 5, "--per-page", 3).said


@pytest.mark.parametrize("sort", ["size", "lowest:desc", "cluster"])
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
    assert not found["identical"]


def test_texts_with_all_shingles_in_common_may_differ(tmp_path: Path, command: Command) -> None:
    text, long = "all that is said here is said again before the end of it " * 3, "x" * 70
    rows = [
        {"id": name, "text": f"{text}{long}{end}"}
        for name, end in {"one": "one", "two": "two", "same": "one"}.items()
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, rows)))
    out = tmp_path / "out"
    assert command("documents", tmp_path / "in.jsonl", "-o", out, "--shingle", "char:64").code == 0
    differ = command("explain", out, "one", "two", "--json").json
    assert (differ["resemblance"], differ["identical"]) == (1.0, False)
    assert command("explain", out, "one", "same", "--json").json["identical"]
    said = command("explain", out, "one", "two").said
    assert "but not every word in its place" in said and "yet the texts differ" in said
    assert "yet the" not in command("explain", out, "one", "same").said
    for shown in ("pairs", "clusters"):
        assert "yet their texts differ" in command("show", out, shown).said
    alike = tmp_path / "alike"
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, rows[::2])))
    assert command("documents", tmp_path / "in.jsonl", "-o", alike, "--shingle", "char:64").code == 0
    for shown in ("pairs", "clusters"):
        assert "yet their texts differ" not in command("show", alike, shown).said


def test_explain_of_an_unknown_id_shows_what_ids_look_like(demo: Path, command: Command) -> None:
    found = command("explain", demo, "bridge-wire", "nobody")
    assert found.code == 1
    assert "'nobody'" in found.said
    assert "Ids look like: bridge-wire" in found.said
    for meant in ("bridge-heralt", "bridge-her", "news/bridge-herald"):
        assert "Did you mean bridge-herald?" in command("explain", demo, "bridge-wire", meant).said


def test_explain_when_the_input_is_gone(corpus: Path, command: Command) -> None:
    out = corpus.parent / "out"
    documents(corpus, command, out=out)
    corpus.unlink()
    found = command("explain", out, "a", "b")
    assert found.code == 1
    assert "corpus.jsonl" in found.said


def test_a_title_that_one_document_has_stands_for_its_id(demo: Path, command: Command) -> None:
    titled = command("explain", demo, "A hundred and fifty years of light", "lighthouse-quiz", "--json")
    assert titled.json["id_a"] == "lighthouse"
    several = command("explain", demo, "Summer show", "lighthouse")
    assert several.code == 1
    assert (
        "2 documents have the title 'Summer show' Take the id of one: flower-show-2023" in several.said
    )


def test_pairs_may_be_an_error(demo: Path, corpus: Path, command: Command) -> None:
    out = corpus.parent / "out"
    run = ("documents", f"{demo}.jsonl", "-o", out, "--overwrite", "-q")
    assert command(*run).code == 0
    assert command(*run, "--fail-on-duplicates").code == 3
    alone = corpus.parent / "alone.jsonl"
    alone.write_text('{"text": "nothing is like this"}\n{"text": "and this is no copy"}\n')
    assert command("documents", alone, "-o", out, "--overwrite", "-q", "--fail-on-duplicates").code == 0
