"""An index of an earlier version becomes one of this version."""

import json
import zlib
from pathlib import Path

import duckdb
import pytest
from tests.command_line import Command
from tests.corpora import prose
from tests.index.building import ids_of

from neardup.errors import InputError, OutputError
from neardup.index.online import Index
from neardup.index.settings import IndexSettings
from neardup.index.upgrading import upgrade


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Write a file as the earlier version did, with a journal whose first record was taken over."""
    path = tmp_path / "old.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("create table meta (name varchar, value varchar)")
        settings = json.dumps(IndexSettings(signature="winnowing:3,1", max_gap=4).as_dict())
        facts = {"format": "2", "settings": settings, "taken": "3"}
        database.executemany("insert into meta values (?, ?)", [list(item) for item in facts.items()])
        columns = "id varchar, title varchar, url varchar, date varchar, text blob"
        database.execute(f"create table documents (doc bigint, {columns})")
        for doc in (0, 2):
            row = [doc, f"d{doc}", f"Title {doc}", None, None, prose(60, doc).encode()]
            database.execute("insert into documents values (?, ?, ?, ?, ?, ?)", row)
    records = [
        {"documents": [[1, "d1", None, None, None, prose(60, 1)]], "deleted": []},  # and removed again
        {"documents": [[3, "d0", None, None, None, prose(60, 3)]], "deleted": [0]},
        {"documents": [[4, "d4", None, None, None, prose(60, 4)]], "deleted": []},
    ]
    bodies = [json.dumps(record).encode() for record in records]
    heads = [b"".join(n.to_bytes(4, "little") for n in (len(b), zlib.crc32(b))) for b in bodies]
    whole = b"".join(head + body for head, body in zip(heads, bodies, strict=True))
    (tmp_path / "old.duckdb.journal").write_bytes(whole + b"torn")
    return path


def test_all_that_it_holds_is_taken_over(old: Path, command: Command) -> None:
    before = old.read_bytes()
    done = command("index", "upgrade", old, old.with_name("new"))
    assert "3 documents in" in done.said
    with Index(old.with_name("new"), writable=False) as index:
        assert index.settings.signature == "winnowing:3,1"
        assert [ids_of(index, prose(60, n)) for n in range(5)] == [[], [], ["d2"], ["d0"], ["d4"]]
        assert index.document("d2")[0].title == "Title 2"
    assert old.read_bytes() == before
    assert command("index", "upgrade", old, old.with_name("new")).code == 1


def test_what_cannot_be_upgraded_is_told(old: Path) -> None:
    with pytest.raises(OutputError, match="already"):
        upgrade(old, old)
    with pytest.raises(InputError, match="not an index of an earlier version"):
        upgrade(old.with_name("nothing"), old.with_name("new"))
    old.write_bytes(old.read_bytes()[:5000])
    with pytest.raises(InputError, match="cannot be read"):
        upgrade(old, old.with_name("new"))
    assert not old.with_name("new").exists()
