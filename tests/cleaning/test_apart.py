"""The tables of what is removed are beside the data, which is data only."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cleaning.records import IDS, RECORDS, REMOVED, Write, found_in, removed_ids

import neardup


@pytest.mark.parametrize("mode", ["remove", "annotate"])
def test_what_is_written_is_data_only(mode: Any, write: Write, tmp_path: Path) -> None:
    write("parquet", RECORDS[:3], name="in/a")
    write("parquet", RECORDS[3:], name="in/deep/b")
    result = found_in(tmp_path / "in", tmp_path)
    done = neardup.dedup(result, tmp_path / "clean", mode=mode)
    found = pl.read_parquet(f"{tmp_path}/clean/**/*.parquet")
    assert found["id"].to_list() == (["a", "u"] if mode == "remove" else [r["id"] for r in RECORDS])
    assert done.tables == tmp_path / "clean.removed"
    assert sorted(path.name for path in done.tables.iterdir()) == [REMOVED, IDS]
    names = {path.relative_to(done.output).as_posix() for path in done.output.rglob("*.*")}
    assert names == {"a.parquet", "deep/b.parquet"}


def test_tables_beside_the_data_are_as_whole_as_these(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = found_in(write("jsonl"), tmp_path)
    clean, tables = tmp_path / "clean", tmp_path / "clean.removed"
    tables.mkdir()
    (tables / "mine.txt").touch()
    with pytest.raises(neardup.OutputError, match=r"clean\.removed: this is not an empty folder"):
        neardup.dedup(result, clean, mode="remove")
    (tables / "mine.txt").rename(tables / REMOVED)  # of data that are gone
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("neardup.results.places.set_apart", interrupted)
        neardup.dedup(result, clean, mode="remove")
    with pytest.raises(neardup.OutputError, match="clean: this is not an empty folder"):
        neardup.dedup(result, clean, mode="remove")
    assert [path.name for path in clean.iterdir()] == ["data.jsonl"]
    assert removed_ids(tables) == ["b", "c", "d", "f"]


def test_a_cleaned_corpus_is_data_only_however_the_run_ended(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, clean = write("jsonl"), tmp_path / "clean"
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("neardup.results.places.set_apart", interrupted)
        neardup.clean(corpus, clean)
    with pytest.raises(neardup.OutputError, match="clean: this is not an empty folder"):
        neardup.clean(corpus, clean)
    assert [path.name for path in clean.iterdir()] == ["data.jsonl"]
    assert (tmp_path / "clean.removed" / "ledger.parquet").exists()


def interrupted(folder: Path, **_: Any) -> None:
    raise KeyboardInterrupt(folder)
