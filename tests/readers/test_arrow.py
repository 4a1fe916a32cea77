"""Arrow files that others change while they are read, and those of large batches."""

import errno
import gzip
import mmap
import os
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.corpora import prose
from tests.readers.samples import packed, rows_of

from neardup.errors import InputError
from neardup.readers import arrow, stackexchange
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings
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


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "LARGE", 2000)
    monkeypatch.setattr(arrow, "STEP", 500)


@pytest.mark.usefixtures("small_limits")
def test_a_batch_that_memory_should_not_hold_is_read_in_pieces(tmp_path: Path) -> None:
    path = written(tmp_path / "b.arrow", 40)
    source = FileSource.open([path], ReaderSettings())
    pieces = [batch["text"].to_pylist() for batch in source.read(source.splits()[0])]
    assert len(pieces) > 2
    assert [text for piece in pieces for text in piece] == TEXTS
    for packing in ("", "gz"):
        stream = tmp_path / f"b.arrows.{packing}".rstrip(".")
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, pa.schema({"text": pa.string()})) as writer:
            writer.write_batch(pa.record_batch({"text": TEXTS}))
        stream.write_bytes(packed(sink.getvalue().to_pybytes(), packing))
        assert [row["text"] for row in rows_of(stream)] == TEXTS
    [file] = find([path])
    keep = np.arange(40) % 3 > 0
    arrow.rewrite(file, tmp_path / "c.arrow", Decisions(keep, None, None), ReaderSettings())
    kept = pa.ipc.open_file(tmp_path / "c.arrow").read_all()["text"].to_pylist()
    assert kept == [text for n, text in enumerate(TEXTS) if n % 3]


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_large_batch_that_is_cut_off_while_it_is_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    path = written(tmp_path / "b.arrow", 40)
    source = FileSource.open([path], ReaderSettings())
    [split] = source.splits()
    spill = arrow.Spilling._spilled

    def cut(self: arrow.Spilling, size: int) -> mmap.mmap | bytes:
        if when == "before":
            os.truncate(path, 1000)
        found = spill(self, size)
        os.truncate(path, 1000)
        return found

    monkeypatch.setattr(arrow.Spilling, "_spilled", cut)
    with pytest.raises(InputError, match="changed while it was read"):
        list(source.read(split))


@pytest.mark.usefixtures("small_limits")
def test_a_full_disk_is_no_fault_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of one that is mapped, nor of one that is unpacked to be read."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    posts = tmp_path / "Posts.xml.gz"
    posts.write_bytes(gzip.compress(b'<posts>\n  <row Id="1" PostTypeId="1" Body="Why?" />\n</posts>\n'))
    for path in (written(tmp_path / "b.arrow", 40), posts):
        source = FileSource.open([path], ReaderSettings())
        [split] = source.splits()
        assert list(source.read(split))
        stackexchange._data.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(tempfile, "TemporaryFile", full)
            with pytest.raises(OSError, match="No space left"):
                list(source.read(split))
