"""Plain text with a document a line."""

from pathlib import Path

import numpy as np
import pytest

import neardup
from neardup.readers import jsonl
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import FileSource, rewrite

RAW = b"\xef\xbb\xbffirst line\r\n\n  \nsecond \xff line\nthird line\nlast"


def records(path: Path, **settings: object) -> list[tuple[str | None, str | None]]:
    source = FileSource.open([path], ReaderSettings(lines=True, **settings))  # type: ignore[arg-type]
    batches = [batch for split in source.splits() for batch in source.read(split)]
    return [(row["text"], row["problem"]) for batch in batches for row in batch.to_pylist()]


def test_each_line_is_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(RAW)
    expected = [("first line", None), (None, "invalid UTF-8"), ("third line", None), ("last", None)]
    given = {"encoding": "utf-8"}
    assert records(path, **given) == expected
    monkeypatch.setattr(jsonl, "SPLIT_BYTES", 7)
    assert len(FileSource.open([path], ReaderSettings(lines=True, **given)).splits()) > 3  # type: ignore[arg-type]
    assert records(path, **given) == expected
    path.write_bytes("eins\nzwei drei\n".encode("utf-16"))
    assert records(path) == [("eins", None), ("zwei drei", None)]
    path.write_bytes(b"short\n" + b"long " * 100 + b"\nshort again\n")
    large = [problem for _, problem in records(path, max_record=50)]
    assert [bool(problem) for problem in large] == [False, True, False]


def test_lines_are_removed_and_the_rest_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(RAW)
    [file] = find([path])
    keep = Decisions(np.array([True, False, False, True]))
    assert (
        rewrite(file, tmp_path / "new.txt", keep, ReaderSettings(lines=True, encoding="utf-8")) is None
    )
    # a line that could not be read was not compared, and stays
    assert (tmp_path / "new.txt").read_bytes() == RAW.replace(b"third line\n", b"")


def test_a_run_over_lines_can_be_explained_and_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "verses.txt"
    verse = "In the beginning God created the heaven and the earth and all that is in them"
    path.write_text(f"{verse}\nAnd the earth was without form, and void\n\n{verse}\n")
    result = neardup.documents(path, output=tmp_path / "out", lines=True, workers=1)
    assert result.pairs.select(["id_a", "id_b"]).to_pylist() == [
        {"id_a": "verses.txt#1", "id_b": "verses.txt#3"}
    ]
    assert result.explain("verses.txt#1", "verses.txt#3").passages
    neardup.dedup(result, tmp_path / "clean", mode="remove")
    assert (tmp_path / "clean" / "verses.txt").read_text().count(verse) == 1
