"""An index that is not what it was is noticed."""

from pathlib import Path

import duckdb
import pytest
from tests.command_line import Command
from tests.corpora import stories

from neardup.errors import LockedError, OutputError
from neardup.index.online import Index, check_whole, settle


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("neardup.index.adding.SEGMENT_DOCUMENTS", 100)  # so that these get keys
    target = tmp_path / "index.duckdb"
    with Index.build(target, rows("a", 120)) as index:
        index.add(rows("b", 5))
        index.remove(["a-3"])
    return target


def rows(name: str, count: int) -> list[dict[str, str]]:
    return [{"id": f"{name}-{n}", "text": text} for n, text in enumerate(stories(count, len(name)))]


def changed(path: Path, statement: str) -> None:
    with duckdb.connect(str(path)) as database:
        database.execute(statement)


def test_an_index_is_whole(path: Path, command: Command) -> None:
    assert not Index(path, writable=False).damages()
    assert command("check", path).said == f"{path} is whole"


def test_a_text_that_somebody_changed_is_noticed(path: Path, command: Command) -> None:
    changed(path, "update documents set text = 'another text'::blob where id = 'a-7'")
    done = command("check", path)
    assert done.code == 1
    assert "1 documents were changed: a-7" in done.said


def test_an_id_that_two_documents_have_is_noticed(path: Path) -> None:
    changed(path, "update documents set id = 'a-1' where id = 'a-2'")
    [twice] = Index(path, writable=False).damages()
    assert "a-1" in twice


def test_keys_of_no_document_are_noticed(path: Path) -> None:
    changed(path, "update postings set docs = encode('xxxx') where rowid = 0")
    assert Index(path, writable=False).damages() == ["the keys belong to no documents"]


@pytest.mark.parametrize("begin", [12_288, 300_000])
def test_bytes_that_a_disk_lost_are_noticed(begin: int, path: Path, command: Command) -> None:
    data = bytearray(path.read_bytes())
    for block in range(begin, len(data), 4096):
        data[block] ^= 1
    path.write_bytes(data)
    done = command("check", path)
    assert done.code == 1
    assert "this index is damaged" in done.said


def test_a_file_without_its_log_is_not_taken_for_an_index(path: Path) -> None:
    with pytest.raises(OutputError, match="whole"):
        check_whole(path, 10_000)


def test_an_index_that_somebody_has_open_is_not_replaced(path: Path) -> None:
    with Index(path), pytest.raises(LockedError):
        Index.build(path, rows("c", 3), overwrite=True)
    assert len(Index(path, writable=False)) == 124


def test_an_index_to_be_replaced_takes_in_its_journal_first(path: Path) -> None:
    index = Index(path)
    index.add(rows("d", 2))
    copy = path.with_name("copy.duckdb")
    for suffix in ("", ".journal"):
        own = path.with_name(path.name + suffix)
        copy.with_name(copy.name + suffix).write_bytes(own.read_bytes())
    index.close()
    settle(copy)
    assert [p.name for p in copy.parent.glob("copy*")] == ["copy.duckdb"]
    assert len(Index(copy, writable=False)) == 126
