"""Arrow files that others change while they are read, and what is mapped."""

import os
from pathlib import Path

import pyarrow as pa
import pytest
from tests.corpora import prose
from tests.readers.samples import rows_of

from neardup.errors import InputError
from neardup.readers import arrow
from neardup.readers.files import find
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource

TEXTS = [prose(50, n) for n in range(40)]


def written(path: Path, rows: int) -> Path:
    table = pa.table({"text": TEXTS})
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)
    return path


def test_a_file_that_is_cut_off_meanwhile_ends_nothing(tmp_path: Path) -> None:
    """To touch what a mapping no longer has would end the process."""
    path = written(tmp_path / "a.arrow", 1)
    source = FileSource.open([path], ReaderSettings())
    found = source.read(source.splits()[0])
    assert next(found)["text"].to_pylist() == TEXTS[:1]
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(InputError, match="changed while it was read"):
        list(found)


def test_only_what_memory_should_not_hold_is_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = written(tmp_path / "a.arrow", 1), written(tmp_path / "b.arrow", 40)
    monkeypatch.setattr(arrow, "LARGE", 1000)
    assert [arrow._is_mapped(find([path])[0]) for path in (small, large)] == [False, True]
    assert [row["text"] for row in rows_of(large)] == TEXTS
