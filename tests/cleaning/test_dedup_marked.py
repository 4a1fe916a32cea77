"""Duplicates that people marked as different stay."""

import json
from pathlib import Path

import pytest

import neardup
from neardup.cleaning.dedup import Cleaning


def removed(done: Cleaning) -> list[str]:
    return sorted((done.output / "neardup-removed.txt").read_text().split())


def test_what_is_marked_as_different_from_its_keeper_stays(tmp_path: Path) -> None:
    words = [f"word{i}" for i in range(60)]
    chain = [
        {"id": name, "text": " ".join(words[at : at + 40])}
        for name, at in zip("abc", (0, 4, 8), strict=True)
    ]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, chain)))
    result = neardup.documents(
        tmp_path / "c.jsonl", output=tmp_path / "out", threshold=0.7, keep="first"
    )
    marks = result.folder / "marks.csv"
    marks.write_text("left,right,label,judge\nb,a,different,Anna\nb,c,same,Anna\n")
    spared = neardup.dedup(result, tmp_path / "spared", except_="marked-different")
    assert removed(spared) == ["c"], "b and c are a pair of their own"
    whole = neardup.dedup(result, tmp_path / "w", clusters="components", except_=marks)
    assert removed(whole) == ["c"], "the chain is broken"
    marks.write_text("left,right,label,judge\na,b,different,Anna\na,b,same,Ben\n")
    disputed = neardup.dedup(result, tmp_path / "disputed", except_=marks)
    assert removed(disputed) == ["b"], "only a majority decides"
    marks.unlink()
    with pytest.raises(neardup.InputError, match="there are no marks yet"):
        neardup.dedup(result, tmp_path / "none", except_="marked-different")


def test_marks_hold_for_copies_and_except_no_passages(tmp_path: Path) -> None:
    text = " ".join(f"word{i}" for i in range(60))
    records = [{"id": name, "text": text} for name in "abc"]
    result = neardup.documents(records, output=tmp_path / "out")
    marks = tmp_path / "marks.csv"
    marks.write_text("left,right,label\na,b,different\n")
    listed = neardup.dedup(result, except_=marks)
    assert listed.table["id"].to_pylist() == ["c"]
    passages = neardup.passages(records, output=tmp_path / "passages")
    with pytest.raises(neardup.SettingsError, match="except nothing"):
        neardup.dedup(passages, except_=marks)
