"""An index as input: its documents are read with the texts that it keeps."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.corpora import prose
from tests.readers.samples import SETTINGS, rows_of

import neardup
from neardup.errors import InputError
from neardup.readers import formats, indexes
from neardup.readers.files import check_unchanged, find
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import FileSource

TEXTS = [prose(30, seed) for seed in range(5)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return an index of which one document was removed, and one replaced."""
    rows = [{"id": f"d{n}", "text": text, "title": f"T{n}"} for n, text in enumerate(TEXTS)]
    with neardup.Index.build(tmp_path / "i.neardup", rows) as index:
        index.remove(["d1"])
        index.add([{"id": "d2", "text": "Another one, in the place of a text."}], replace_ids=True)
    return tmp_path / "i.neardup"


def test_its_documents_come_in_their_order_whatever_columns_other_files_have(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        monkeypatch.setattr(indexes, "SPLIT_BYTES", 1)
        rows = rows_of(path, ReaderSettings(text_column="body", columns=("score",)))
        assert [row["id"] for row in rows] == ["d0", "d3", "d4", "d2"]
        assert [row["text"] for row in rows[:3]] == [TEXTS[0], TEXTS[3], TEXTS[4]]
        assert (rows[1]["title"], rows[1]["url"], rows[1]["score"]) == ("T3", None, None)
        assert len(FileSource.open([path], SETTINGS).splits()) > 1
        with neardup.Index(path) as index:
            index.compact()  # now they are in a segment


def test_it_is_read_while_somebody_writes_it_but_not_while_it_changes(path: Path) -> None:
    with neardup.Index(path) as index:
        assert len(rows_of(path)) == 4
        source = FileSource.open([path], SETTINGS)
        index.add(["One more."])
        with pytest.raises(InputError, match="changed while it was read"):
            check_unchanged(source.files)
    assert len(rows_of(path)) == 5
    with pytest.raises(InputError, match="no field 'body'") as refused:
        FileSource.open([path], ReaderSettings(fields=("title", "body"))).records  # noqa: B018
    assert "one text of each document" in str(refused.value)


def test_in_a_folder_it_is_left_out(path: Path) -> None:
    (path.parent / "a.txt").write_text("Beside an index.")
    (path.parent / "plain").write_text("Without a suffix, too.")
    assert [file.name for file in find([path.parent])] == ["a.txt", "plain"]
    assert [file.name for file in find([path])] == ["i.neardup"]


def test_one_of_an_earlier_version_is_told(path: Path) -> None:
    old = path.with_name("old.duckdb")
    old.write_bytes(bytes(8) + b"DUCK" + bytes(9000))
    with pytest.raises(InputError, match="earlier version"):
        find([old])


def test_a_copy_without_some_documents_is_an_index(path: Path) -> None:
    for _ in range(2):
        [file] = find([path])
        target = path.with_name("copy.neardup")
        keep = np.array([True, False])
        assert formats.reader_of(file).rewrite(file, target, Decisions(keep), SETTINGS) == 3
        with neardup.Index(target) as index:
            assert len(index) == 3
            assert [match.id for match in index.query(TEXTS[4]).matches] == ["d4"]
            assert index.query(TEXTS[3]).matches == ()
            assert not index.damages()
        shutil.rmtree(target)
        with neardup.Index(path) as index:
            index.compact()  # now they are in a segment
