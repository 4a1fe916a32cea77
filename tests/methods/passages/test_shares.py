"""How much of each document stands elsewhere, by the passages that a run located."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.command_line import Command
from tests.corpora import prose
from tests.methods.passages.finding import named, run, words_found
from tests.reports.embedded import embedded

import neardup
from neardup.text import tokenise


def texts() -> dict[str, str]:
    """Return two sources with a common part, and an essay of both of them."""
    one, both, other = (prose(60, seed=seed) for seed in (1, 2, 3))
    return {
        "essay": f"{one} {both} {prose(40, seed=4)} {other} {one}",
        "own": prose(90, seed=5),
        "first": f"{prose(30, seed=6)} {one} {both}",
        "second": f"{both} {prose(30, seed=7)} {other}",
    }


def check(result: neardup.Result, texts: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Compare the shares of a result with its passages, word by word."""
    rows = {row["id"]: row for row in result.shares.to_pylist()}
    assert list(rows) == result.documents["id"].to_pylist()
    found = words_found(result, texts)
    for name, row in rows.items():
        others = {other: own for (_, id_, other), own in found.items() if id_ == name != other}
        verbatim, every = (
            set().union(*(own[kind] for own in others.values())) for kind in ("verbatim", "all")
        )
        size = len(tokenise(texts[name]).hashes)
        assert row["words"] == len(every)
        assert row["share"] == len(every) / size
        assert row["verbatim"] == len(verbatim) / size
        assert row["rewritten"] == len(every - verbatim) / size
        assert row["sources"] == len(others)
        assert (row["best_source"] is None) == (not others)
        if others:
            best = max(len(own["all"]) for own in others.values())
            assert len(others[row["best_source"]]["all"]) == best
            assert row["best_share"] == best / size
    return rows


def test_shares_are_the_union_of_what_all_others_have() -> None:
    rows = check(run(named(**texts()), within=True), texts())
    essay = rows["essay"]
    assert essay["sources"] == 2
    assert essay["best_share"] < essay["share"] < 1
    assert rows["own"]["share"] == 0


def test_documents_and_sources_are_told_apart(tmp_path: Path, command: Command) -> None:
    for name, text in texts().items():
        folder = tmp_path / ("sources" if name in ("first", "second") else "essays")
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.txt").write_text(text)
    unused = prose(80, seed=9)
    (tmp_path / "sources" / "unused.txt").write_text(unused)
    out = tmp_path / "out"
    said = command("passages", tmp_path / "essays", "--against", tmp_path / "sources", "-o", out).out
    assert "  2 against 3 sources\n" in said
    assert "1 of 2 documents share text with 2 of 3 sources" in said
    assert f"show {out} shares" in said
    rows = check(neardup.Result(out), {f"{n}.txt": t for n, t in {**texts(), "unused": unused}.items()})
    assert [row["old"] for row in rows.values()] == [False, False, True, True, True]
    listed = command("show", out, "shares").out.splitlines()
    assert listed[0] == "5 documents, page 1 of 1"
    assert [line.split()[-2:] for line in listed[2:4]] == [
        ["essay.txt", "first.txt"],
        ["input", "own.txt"],
    ]
    assert listed[2].split()[0] == f"{100 * rows['essay.txt']['share']:.1f}"
    shown = command("show", out, "shares", "--json").json
    assert [row["id"] for row in shown["rows"]][:2] == ["essay.txt", "own.txt"]
    page = neardup.report(out).path
    data = embedded(page)
    at = data["items"]["id"].index("essay.txt")
    assert data["shares"]["share"][at] == round(rows["essay.txt"]["share"], 6)
    assert data["items"]["id"][data["shares"]["best"][at]] == "first.txt"
    assert data["items"]["old"] == [False, True, True]
    assert "in 2 files against 3 files" in data["title"]
    assert "1 of 2 documents share text with 2 of 3 sources: " in page.read_text()


def test_other_results_have_no_shares(tmp_path: Path, command: Command) -> None:
    neardup.documents(["one text is here", "and another one"], output=tmp_path / "out")
    refused = command("show", tmp_path / "out", "shares")
    assert refused.code and "neardup passages" in refused.said
