"""What is taken out of an index is what is in it at one moment, whoever writes meanwhile."""

import gzip
import json
import threading
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.command_line import Command
from tests.corpora import stories

import neardup
from neardup.errors import InputError, OutputError, SettingsError
from neardup.index.online import Index
from neardup.index.taking_out import copy_index, export_index
from neardup.store import segments
from neardup.store.manifest import Manifest
from neardup.store.segments import file_of


def rows(name: str, count: int) -> list[dict[str, str]]:
    return [
        {"id": f"{name}-{n}", "text": f"{text} ‹é›", "title": f"T{n}", "url": f"http://{name}/{n}"}
        for n, text in enumerate(stories(count, len(name)))
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return an index with a segment, documents in none, and some that were removed."""
    target = tmp_path / "index.neardup"
    with Index.build(target, rows("a", 60)) as index:
        index.compact()
        index.add(rows("bb", 5))
        index.remove(["a-3", "bb-1"])
    return target


def held(path: Path) -> dict[str, tuple[str, str]]:
    with Index(path, writable=False) as index:
        found = map(index.document, index._manifest.some_ids(len(index)))
        return {about.id: (about.title or "", text) for about, text in found}


def expected() -> dict[str, tuple[str, str]]:
    every = [*rows("a", 60), *rows("bb", 5)]
    return {r["id"]: (r["title"], r["text"]) for r in every if r["id"] not in ("a-3", "bb-1")}


def test_a_copy_has_what_the_index_has_and_answers_as_it_does(
    path: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "AT_A_TIME", 1000)
    assert copy_index(path, tmp_path / "in" / "new.neardup") == 63
    copied = tmp_path / "in" / "new.neardup"
    assert held(copied) == held(path) == expected()
    with Index(copied) as index, Index(path, writable=False) as other:
        assert not index.damages()
        text = rows("a", 1)[0]["text"]
        assert index.query(text).as_dict()["matches"] == other.query(text).as_dict()["matches"]
        index.add(rows("ccc", 1))
        assert len(index) == 64 and len(other) == 63
    told = command("index", "copy", path, tmp_path / "again")
    assert told.said == f"63 documents in {tmp_path / 'again'}"
    assert [own.name for own in tmp_path.glob("*.partial")] == []


def test_a_copy_is_of_one_moment_while_segments_come_and_go(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index(path) as index:
        seen, first = list[segments.Facts](), segments.Segment

        def merged_away(folder: Path, facts: segments.Facts) -> segments.Segment:
            if not seen:  # just as the first one is to be opened
                seen.append(facts)
                every = index._manifest.segments()
                writer = threading.Thread(target=index._writes.merge, args=[every])
                writer.start()
                writer.join()
            return first(folder, facts)

        monkeypatch.setattr("neardup.store.moments.Segment", merged_away)
        assert copy_index(path, tmp_path / "new.neardup") == 63
        assert seen and held(tmp_path / "new.neardup") == expected()


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.parquet"])
def test_what_is_exported_can_be_read_again(
    path: Path, tmp_path: Path, name: str, command: Command
) -> None:
    told = command("index", "export", path, tmp_path / name)
    assert told.said == f"63 documents in {tmp_path / name}"
    with Index.build(tmp_path / "again.neardup", tmp_path / name) as index:
        assert len(index) == 63
    assert held(tmp_path / "again.neardup") == held(path) == expected()


def test_lines_and_columns_are_those_of_documents(path: Path, tmp_path: Path) -> None:
    export_index(path, tmp_path / "out.jsonl.gz")
    lines = gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).splitlines()
    first = {**rows("a", 1)[0], "date": None}
    assert json.loads(lines[0]) == first and "é".encode() in lines[0]
    export_index(path, tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column_names == ["id", "text", "title", "url", "date"]
    assert table.to_pylist() == [json.loads(line) for line in lines]


def test_an_empty_index_can_be_copied_and_exported(tmp_path: Path) -> None:
    Index.build(tmp_path / "empty").close()
    assert copy_index(tmp_path / "empty", tmp_path / "new") == 0
    assert export_index(tmp_path / "empty", tmp_path / "new.jsonl") == 0
    assert (tmp_path / "new.jsonl").read_bytes() == b""


def test_what_is_there_stays_and_what_cannot_be_taken_out_leaves_nothing(
    path: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.jsonl").write_text("mine")
    with pytest.raises(OutputError, match="already there"):
        export_index(path, tmp_path / "mine.jsonl")
    with pytest.raises(OutputError, match="already there"):
        copy_index(path, tmp_path / "mine.jsonl")
    with pytest.raises(SettingsError, match="no name of a file"):
        export_index(path, tmp_path / "out.csv")
    with pytest.raises(InputError, match="no such index"):
        copy_index(tmp_path / "nowhere", tmp_path / "new")
    with Index(path, writable=False) as index:
        facts = index.search.contents.view.parts[0].facts
    damaged = file_of(path, facts.number, "texts")
    data = bytearray(damaged.read_bytes())
    data[20] ^= 4
    damaged.write_bytes(data)
    with pytest.raises(InputError, match="damaged"):
        export_index(path, tmp_path / "out.jsonl")
    damaged.unlink()
    with pytest.raises(InputError, match="missing"):
        copy_index(path, tmp_path / "new")
    assert sorted(own.name for own in tmp_path.iterdir()) == ["index.neardup", "mine.jsonl"]


def test_a_document_that_the_manifest_has_lost_is_not_passed_over(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Manifest, "about", lambda self, docs: {})
    with pytest.raises(neardup.NeardupError, match="damaged"):
        export_index(path, tmp_path / "out.jsonl")
