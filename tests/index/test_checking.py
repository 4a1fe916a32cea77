"""An index that is not what it was is noticed, and what can be read of it is saved."""

import json
import random
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import stories

from neardup.errors import InputError, LockedError, OutputError
from neardup.index import checking
from neardup.index.kept import check_whole
from neardup.index.online import Index
from neardup.index.saving import Checked
from neardup.store.files import MANIFEST
from neardup.store.manifest import sum_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "index.neardup"
    with Index.build(target, rows("a", 120)) as index:
        index.add(rows("b", 5))
        index.remove(["a-3"])
    return target


def rows(name: str, count: int) -> list[dict[str, str]]:
    return [{"id": f"{name}-{n}", "text": text} for n, text in enumerate(stories(count, len(name)))]


def changed(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path / MANIFEST)) as database:
        database.execute(statement, values)
        database.commit()


def damages(path: Path) -> list[str]:
    with Index(path, writable=False) as index:
        return index.damages()


def test_an_index_is_whole(path: Path, command: Command) -> None:
    assert not damages(path)
    assert command("check", path).said == f"{path} is whole"
    assert command("index", "check", path).said == f"{path} is whole: 124 documents"


def test_a_row_that_somebody_changed_is_noticed_by_a_check_and_by_who_reads_it(path: Path) -> None:
    changed(path, "update documents set title = 'another' where id = 'a-7'")
    assert damages(path) == ["manifest.sqlite: 1 rows of documents were changed"]
    with Index(path, writable=False) as index:
        assert index.document("a-8")
        with pytest.raises(InputError, match="damaged"):
            index.document("a-7")


def test_an_id_that_leads_to_another_document_is_noticed(path: Path) -> None:
    file = path / MANIFEST
    data = bytearray(file.read_bytes())
    entry = b"\x15\x01a-29"  # where SQLite looks ids up: kinds of values, the id, and a document
    assert data.count(entry + b"\x1d") == 1
    data[data.index(entry) + len(entry)] = 33
    file.write_bytes(data)
    assert "missing from index" in damages(path)[0]
    with Index(path) as index:
        with pytest.raises(InputError, match="damaged"):
            index.document("a-29")
        with pytest.raises(InputError, match="damaged"):
            index.remove(["a-29"])
        assert index.document("a-33")


def test_keys_that_are_not_those_of_their_text_are_noticed(path: Path) -> None:
    with Index(path) as index:
        index.compact()
        part = index.search.contents.view.parts[0].facts
    with Index.build(path.with_name("other"), rows("a", 125)) as other:
        [facts] = [p.facts for p in other.search.contents.view.parts if hasattr(p, "facts")]
    for kind in ("shingles", "runs"):
        size = (
            (path.with_name("other") / f"{facts.number:08}.{kind}")
            .rename(path / f"{part.number:08}.{kind}")
            .stat()
            .st_size
        )
        part.sizes[kind], part.shapes[kind] = size, facts.shapes[kind]
    text = json.dumps(asdict(part))
    changed(path, "update segments set facts = ?, sum = ?", text, sum_of(part.number, text))
    [wrong] = damages(path)
    assert "documents were changed" in wrong


def test_any_flipped_bit_of_a_segment_is_noticed(path: Path) -> None:
    chance = random.Random(5)
    files = [own for own in path.iterdir() if own.suffix in (".texts", ".shingles", ".runs")]
    assert len(files) == 6
    for file in files:
        data = file.read_bytes()
        for _ in range(12):
            bad = bytearray(data)
            bad[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            file.write_bytes(bad)
            assert damages(path), file.name
        file.write_bytes(data)
    assert not damages(path)


def test_segments_that_are_merged_while_an_index_is_checked_are_no_damage(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compacting(*arguments: Any) -> list[str]:
        monkeypatch.setattr(checking, "of_segment", own)
        index.compact()
        return own(*arguments)

    own = checking.of_segment
    monkeypatch.setattr(checking, "of_segment", compacting)
    with Index(path) as index:
        before = {file.name for file in path.iterdir()}
        assert not index.damages()
        assert {file.name for file in path.iterdir()} != before


def test_a_query_that_touches_a_flipped_bit_says_so(path: Path) -> None:
    texts = {f"a-{n}": text for n, text in enumerate(stories(120, 1))}
    for kind in ("texts", "shingles", "runs"):
        for file in path.glob(f"*.{kind}"):
            file.write_bytes(bytes(byte ^ 1 for byte in file.read_bytes()))
        with Index(path, writable=False) as index, pytest.raises(InputError, match="damaged") as error:
            index.query(texts["a-7"])
        assert "neardup index check" in str(error.value.hint)
        for file in path.glob(f"*.{kind}"):
            file.write_bytes(bytes(byte ^ 1 for byte in file.read_bytes()))
    with Index(path, writable=False) as index:
        assert index.query(texts["a-7"]).matches[0].id == "a-7"


def test_what_can_be_read_is_saved(path: Path, command: Command) -> None:
    [file] = [own for own in path.glob("*.texts") if own.stat().st_size > 9000]
    data = bytearray(file.read_bytes())
    data[100] ^= 1  # in the first of several blocks
    file.write_bytes(data)
    found = Checked.of(path)
    assert found.documents == 124
    assert 20 < found.readable < 124
    done = command("index", "check", path, "--save", path.with_name("saved"))
    assert done.code == 1
    assert f"{found.readable} of 124 documents can be read" in done.said
    assert f"{found.readable} documents in" in done.said
    with Index(path.with_name("saved")) as saved:
        assert len(saved) == found.readable
        assert "a-3" not in saved and "b-4" in saved
        assert not saved.damages()


@pytest.mark.parametrize("kind", ["texts", "runs"])
def test_a_file_that_is_gone_or_cut_off_is_noticed(kind: str, path: Path) -> None:
    file = max(path.glob(f"*.{kind}"))
    file.write_bytes(file.read_bytes()[:-1])
    assert "bytes in place of" in damages(path)[0]
    file.unlink()
    assert "missing" in damages(path)[0]


def test_an_index_without_some_of_its_documents_is_not_taken_for_whole(path: Path) -> None:
    with pytest.raises(OutputError, match="whole"):
        check_whole(path, 10_000)


def test_an_index_that_somebody_writes_is_not_replaced(path: Path) -> None:
    with Index(path), pytest.raises(LockedError):
        Index.build(path, rows("c", 3), overwrite=True)
    with Index(path, writable=False) as index:
        assert len(index) == 124
    assert [own.name for own in path.parent.iterdir()] == [path.name]
