"""Text in any encoding: read right, located right, and written again as it was."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.command_line import Command
from tests.readers.samples import packed, rows_of

import neardup
from neardup.errors import SettingsError
from neardup.readers.encodings import comes_back, encoding_in
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import FileSource, rewrite

GERMAN = [
    "Größe und Höhe über der Straße.",
    "Schöne Grüße aus München, Ärger später.",
    "Fünf süße Brötchen.",
]
RUSSIAN = ["Мост через реку был освещён.", "Паром уходит в полдень из гавани.", "Никто не завёл часы."]
JAPANESE = ["東京都は日本の首都です。", "橋の上のランプがすべて灯った。", "誰も時計を巻かなかった。"]
CODECS = [
    ("utf-16", GERMAN),
    ("utf-32", RUSSIAN),
    ("utf-8-sig", JAPANESE),
    ("cp1252", GERMAN),
    ("cp1251", RUSSIAN),
    ("shift_jis", JAPANESE),
    ("utf-16-le", GERMAN),
    ("gb18030", JAPANESE),
]
KINDS = ["jsonl", "json", "csv"]


def text_of(kind: str, texts: list[str]) -> str:
    rows = [{"id": f"d{n}", "text": text} for n, text in enumerate(texts)]
    if kind == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if kind == "json":
        return json.dumps(rows, ensure_ascii=False, indent=1)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, ["id", "text"])
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def made(tmp_path: Path, kind: str, texts: list[str], codec: str, packing: str = "") -> Path:
    path = tmp_path / f"a.{kind}{packing and f'.{packing}'}"
    path.write_bytes(packed(text_of(kind, texts).encode(codec), packing))
    return path


@pytest.mark.parametrize("packing", ["", "gz"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("codec", "texts"), CODECS)
def test_tables_in_any_encoding_are_read_and_copied(
    tmp_path: Path, codec: str, texts: list[str], kind: str, packing: str
) -> None:
    path = made(tmp_path, kind, texts, codec, packing)
    settings = ReaderSettings(encoding=codec)
    assert [row["text"] for row in rows_of(path, settings)] == texts
    file, target = find([path])[0], tmp_path / "copy" / path.name
    assert rewrite(file, target, Decisions(np.array([True, False, True])), settings) is None
    assert [row["text"] for row in rows_of(target, settings)] == [texts[0], texts[2]]
    with find([target])[0].open_stream() as stream:
        written = stream.read(1 << 20)
    assert texts[2] in written.decode(codec)
    assert texts[1] not in written.decode(codec)


@pytest.mark.parametrize("kind", [*KINDS, "txt"])
@pytest.mark.parametrize(("codec", "texts"), CODECS[:5])
def test_what_begins_with_a_mark_or_looks_like_it_needs_no_name(
    tmp_path: Path, codec: str, texts: list[str], kind: str
) -> None:
    path = tmp_path / f"a.{kind}"
    text = "\n".join(texts) if kind == "txt" else text_of(kind, texts)
    path.write_bytes(text.encode(codec))
    found = [row["text"] for row in rows_of(path)]
    assert found == (["\n".join(texts)] if kind == "txt" else texts)


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize(("codec", "texts"), CODECS)
def test_a_copy_of_all_has_the_same_bytes(
    tmp_path: Path, codec: str, texts: list[str], kind: str
) -> None:
    path = made(tmp_path, kind, texts, codec)
    path.write_bytes(path.read_bytes() + b"\xd8\x41\x81\n"[: 4 - 2 * codec.startswith("utf-32")])
    settings = ReaderSettings(encoding=codec)
    target = tmp_path / "copy" / path.name
    rewrite(find([path])[0], target, Decisions(), settings)
    assert target.read_bytes() == path.read_bytes()


def test_what_does_not_come_back_is_copied_whole(tmp_path: Path) -> None:
    path = made(tmp_path, "jsonl", JAPANESE, "iso2022_jp")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\x1b(B\n"))  # says twice that Latin follows
    settings = ReaderSettings(encoding="iso2022_jp")
    file = find([path])[0]
    assert [row["text"] for row in rows_of(path, settings)] == JAPANESE
    assert not comes_back(file, "iso2022_jp")
    target = tmp_path / "copy.jsonl"
    rewrite(file, target, Decisions(np.zeros(3, bool)), settings)
    assert target.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"plain words",
        "größer".encode(),
        "größer, schöner".encode() + b"\xff\xff\xff",
        b"one \xff byte",
        bytes(range(256)) * 4,
        b"\0" * 100,
    ],
)
def test_damage_is_not_taken_for_an_encoding(data: bytes) -> None:
    assert encoding_in(data, "auto") is None


def test_quotes_and_dashes_of_windows_are_evidence_enough() -> None:
    """All code pages of Windows have them at the same bytes, and UTF-8 never has them alone."""
    found = encoding_in("Bayes\u2019 theorem".encode("cp1252"), "auto")
    assert found is not None
    assert (found.codec, found.guessed) == ("cp1252", True)
    assert encoding_in("größer".encode() + b" \x92 word", "auto") is None


@pytest.mark.parametrize("name", ["klingon", "base64", "idna", "rot13", "", "\0", "unicode_escape"])
def test_what_is_no_encoding_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.txt").write_text("words")
    with pytest.raises(SettingsError, match="there is no encoding"):
        FileSource.open([tmp_path / "a.txt"], ReaderSettings(encoding=name))


def test_pages_are_read_as_the_user_says(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(f"<p>{RUSSIAN[0]}</p>".encode("koi8-r"))
    settings = ReaderSettings(encoding="koi8-r", raw=True)
    assert rows_of(tmp_path / "a.html", settings)[0]["text"] == RUSSIAN[0]


def test_a_guess_is_named(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    made(folder, "csv", GERMAN, "cp1252")
    (folder / "b.txt").write_text(GERMAN[0], encoding="utf-8")
    page = f'<meta charset="windows-1252"><p>{GERMAN[1]}</p>'
    (folder / "c.html").write_text(page, encoding="cp1252")
    printed = command("documents", folder, "-o", tmp_path / "out")
    assert "1 file in an encoding that was guessed: a.csv (cp1252)" in printed.said
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert run["input"]["guessed_encodings"] == {"a.csv": "cp1252"}


@pytest.mark.parametrize("codec", ["utf-16", "cp1252"])
def test_passages_are_located_to_the_character_and_cut_in_their_own_encoding(
    tmp_path: Path, codec: str
) -> None:
    shared = " ".join(f"Große Wörter Nummer {n} für alle über Straßen." for n in range(12))
    texts = {
        "a": f"Erst nur dies für Jürgen. {shared}",
        "b": f"Ähnlich später. {shared} Schluß für jetzt.",
    }
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_bytes(text.encode(codec))
    result = neardup.passages(folder, output=tmp_path / "out")
    row: dict[str, Any] = result.table("passages").to_pylist()[0]
    sides = [texts[row[f"id_{side}"][0]][row[f"start_{side}"] : row[f"end_{side}"]] for side in "ab"]
    assert sides[0] == sides[1]
    assert "Nummer 11 für alle" in sides[0]
    neardup.dedup(result, tmp_path / "clean", mode="remove")
    assert (tmp_path / "clean" / "a.txt").read_bytes() == texts["a"].encode(codec)
    assert (tmp_path / "clean" / "b.txt").read_bytes().decode(codec).startswith("Ähnlich später.")
    assert pq.read_table(tmp_path / "clean.removed" / "neardup-removed.parquet").num_rows


def test_one_file_without_texts_among_others_is_skipped_and_copied(
    tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    made(folder, "jsonl", [*GERMAN, GERMAN[0]], "utf-8")
    (folder / "b.csv").write_bytes(b"name,price,\xff\nbolt,3\nnut,5\n")
    printed = command("documents", folder, "-o", tmp_path / "out")
    assert printed.code == 0
    assert "skipped 1: no text column" in printed.said
    skipped = pq.read_table(tmp_path / "out" / "skipped.parquet").to_pylist()
    assert [(row["source"], row["problem"]) for row in skipped] == [("b.csv", "no text column")]
    assert "name, price" in skipped[0]["detail"]
    command("dedup", tmp_path / "out", "-o", tmp_path / "clean", "--mode", "remove")
    assert (tmp_path / "clean" / "b.csv").read_bytes() == (folder / "b.csv").read_bytes()
    refused = command("documents", folder, "-o", tmp_path / "no", "--strict")
    assert (refused.code, "no column that looks like the text" in refused.said) == (1, True)
    alone = command("documents", folder / "b.csv", "-o", tmp_path / "alone")
    assert (alone.code, "Its columns are: name, price" in alone.said) == (1, True)
