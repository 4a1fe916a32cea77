"""Plain text: one document a file."""

from pathlib import Path

import pytest
from tests.readers.samples import PACKINGS, one, packed, rows_of


@pytest.mark.parametrize("packing", PACKINGS)
def test_plain_text_is_untouched(tmp_path: Path, packing: str) -> None:
    path = tmp_path / "note.txt"
    text = "\ufeffFirst line\r\nsecond – line\n\n\tend \r"
    path.write_bytes(packed(text.encode(), packing))
    row = one(path)
    assert row["text"] == text[1:]
    assert row["id"] == "note.txt"


@pytest.mark.parametrize("name", ["README", "notes.log", "program.c"])
def test_files_of_unknown_suffix_are_text(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{ curly } words [ and others ] < than", encoding="utf-8")
    assert one(tmp_path / name)["text"].startswith("{ curly }")


def test_utf16_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("größer".encode("utf-16"))
    assert one(tmp_path / "a.txt")["text"] == "größer"


def test_a_folder_of_texts(tmp_path: Path) -> None:
    for name in ("b.txt", "a.md", "sub/c.txt", ".hidden.txt", "d.html"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"<p>{name}</p>" if name.endswith("html") else name)
    rows = rows_of(tmp_path)
    assert [(row["id"], row["text"]) for row in rows] == [
        ("a.md", "a.md"),
        ("b.txt", "b.txt"),
        ("d.html", "d.html"),
        ("sub/c.txt", "sub/c.txt"),
    ]


@pytest.mark.parametrize("name", ["a.txt", "a.html", "a.txt.gz"])
def test_a_limit_below_the_size(tmp_path: Path, name: str) -> None:
    data = b"<p>some words that are too many</p>"
    (tmp_path / name).write_bytes(packed(data, "gz" if name.endswith("gz") else ""))
    assert one(tmp_path / name, max_record=3)["problem"] == "too large"
    assert one(tmp_path / name, max_record=len(data))["problem"] is None
