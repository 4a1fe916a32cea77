"""A reader that exists here only: it is read, cleaned, annotated or refused as any other."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pyarrow as pa
import pytest

import neardup
from neardup.readers import READERS, formats, jsonl
from neardup.readers.columns import Columns
from neardup.readers.file import File
from neardup.readers.reader import Reader, always, markup
from neardup.readers.records import Decisions, ReaderSettings, Record, batches
from neardup.readers.source import FileSource
from neardup.readers.streams import written
from neardup.results.estimating import Sampled

# A box of cards: a line `#cards`, then a line for each, with a shelf and a text; `-` is no text.
COPIED = (
    "The miller of the old village counted every sack before the first carts came up the hill. Nobody "
    "asked him why he did so, since his father had done the same for forty years. Only the baker, who "
    "owed him for three of them, used to look the other way."
)
BOX = f"#cards\n3|{COPIED}\n4|{COPIED} He did it twice.\n5|-\n6|Only this card is about the sea.\n"


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    yield from batches(map(record, lines(file)[1:]), schema)


def lines(file: File) -> list[str]:
    with file.open_stream() as stream:
        return stream.read(1 << 20).decode().splitlines()


def record(line: str) -> Record:
    shelf, _, text = line.partition("|")
    others = {"shelf": shelf}
    return Record(None, None, others, "no text", "-") if text == "-" else Record(text, None, others)


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    choice = decided.in_turn()
    with written(target, file.packing()) as out:
        out.write(b"#cards\n")
        for line in lines(file)[1:]:
            if choice.next(record(line).is_bad):
                note = f" [{choice.note['keeper']}]" if choice.note else ""
                out.write(f"{line}{note}\n".encode())
    return choice.kept


CARDS = Reader(
    look=always(Columns("text", None, {"shelf": "shelf"}), {"shelf": pa.string()}),
    read=read,
    rewrite=rewrite,
    suffixes=(".cards",),
    begins=markup(rb"#cards\n"),
    holds_gil=False,
    annotates=True,
    cuts=False,
    carries=("shelf",),
    left_out=("no text",),
)


def list_reader(monkeypatch: pytest.MonkeyPatch, reader: Reader) -> None:
    module = ModuleType("cards")
    module.READER = reader  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cards", module)
    monkeypatch.setattr(formats, "READERS", {"cards": "boxes of cards", **READERS})
    formats._loaded.cache_clear()
    formats._by_suffix.cache_clear()


@pytest.fixture(params=["box.cards", "box"])
def box(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a box of cards, known by its suffix or by its content."""
    list_reader(monkeypatch, CARDS)
    path: Path = tmp_path / request.param
    path.write_text(BOX)
    return path


def test_it_is_read(box: Path, tmp_path: Path) -> None:
    found = neardup.documents(box, output=tmp_path / "out", strict=True)
    assert found.documents["shelf"].to_pylist() == ["3", "4", "6"]
    assert found.counts["records"] == 4
    assert found.pairs["id_b"].to_pylist() == [f"{box.name}#2"]


def test_it_is_cleaned_and_annotated(box: Path, tmp_path: Path) -> None:
    found = neardup.documents(box, output=tmp_path / "out")
    cleaned = neardup.dedup(found, tmp_path / "clean", mode="remove").files[0].read_text()
    assert cleaned.splitlines() == [line for line in BOX.splitlines() if not line.startswith("3")]
    noted = neardup.dedup(found, tmp_path / "noted", mode="annotate").files[0].read_text()
    assert f"3|{COPIED} [{box.name}#2]\n" in noted


def test_what_it_cannot_do_is_refused(
    box: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = neardup.passages(box, output=tmp_path / "out")
    with pytest.raises(neardup.InputError, match="cannot be cut") as caught:
        neardup.dedup(found, tmp_path / "clean", mode="remove")
    assert formats.those_that(lambda reader: reader.cuts) in str(caught.value.hint)
    assert "JSONL" in str(caught.value.hint)
    list_reader(monkeypatch, replace(CARDS, annotates=False))
    box.rename(box.with_name("other"))
    again = neardup.documents(box.with_name("other"), output=tmp_path / "again")
    with pytest.raises(neardup.InputError, match="no place for notes"):
        neardup.dedup(again, tmp_path / "clean", mode="annotate")
    with pytest.raises(neardup.InputError, match="no field 'body'"):
        neardup.threads(box.with_name("other"), fields="body", output=tmp_path / "threads")


def test_a_sample_begins_no_part_of_a_file_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neardup.results.estimating.LEAST_CUT", 10)
    monkeypatch.setattr(jsonl, "SPLIT_BYTES", 200)
    (tmp_path / "a.jsonl").write_text('{"text": "one line of a larger file"}\n' * 20)
    sample = Sampled(FileSource.open([tmp_path / "a.jsonl"], ReaderSettings()), 700)
    assert len(sample.splits()) == 4
    rows = [batch.num_rows for split in sample.splits() for batch in sample.read(split)]
    assert sum(rows) == 20
