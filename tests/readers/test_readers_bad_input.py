"""Bad input: what is wrong is said, the rest is read, and nothing raises but InputError."""

import gzip
import json
import os
import random
import tarfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.readers.samples import DOCUMENTS, PACKINGS, TABLES, Make, encoded, packed, rows_of

from neardup.errors import InputError, SettingsError
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import FileSource, rewrite

RANDOM = random.Random(1)
STREAMED = ["jsonl", "json", "csv", "tsv"]


def problems(rows: list[dict[str, Any]]) -> list[str | None]:
    return [row["problem"] for row in rows]


def written(tmp_path: Path, name: str, data: bytes | str) -> Path:
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize("name", ["gone.jsonl", "*.gone", "no/such/folder"])
def test_missing_files_are_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        FileSource.open([tmp_path / name], ReaderSettings())
    assert name in str(caught.value)
    assert caught.value.hint


def test_a_name_that_is_not_utf8_is_said_and_among_others_skipped(tmp_path: Path) -> None:
    try:
        (tmp_path / "\udcff.txt").write_text("A letter.")
    except OSError:
        pytest.skip("this disk takes no such name")
    (tmp_path / "\udcfe").mkdir()
    for name in ("a.txt", "\udcfe/b.txt"):
        (tmp_path / name).write_text("Another letter.")
    with pytest.raises(InputError, match=r"\\xff\.txt: the name of this file is not UTF-8") as error:
        find([tmp_path / "\udcff.txt"])
    assert "Rename" in str(error.value.hint)
    for given, names in (
        ("", ["\\xfe/b.txt", "\\xff.txt", "a.txt"]),
        ("*.txt", ["\\xff.txt", "a.txt"]),
        ("**/*.txt", ["\\xff.txt", "a.txt", "b.txt"]),
    ):
        found = {file.name: file.problem for file in find([tmp_path / given])}
        assert sorted(found) == names
        assert all(problem is None or problem[0] == "no name in UTF-8" for problem in found.values())
        assert found["a.txt"] is None
        rows = FileSource.open([tmp_path / given], ReaderSettings())
        texts = [
            text for s in rows.splits() for batch in rows.read(s) for text in batch["text"].to_pylist()
        ]
        assert [text for text in texts if text] == ["Another letter."]


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / ".hidden").touch()
    with pytest.raises(InputError, match="no files"):
        FileSource.open([tmp_path], ReaderSettings())


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        FileSource.open(["nosuch://bucket/file"], ReaderSettings())


@pytest.mark.parametrize("kind", [*TABLES, "txt", "html", "warc", "unknown"])
def test_an_empty_file_is_counted(tmp_path: Path, kind: str) -> None:
    assert problems(rows_of(written(tmp_path, f"a.{kind}", b""))) == ["empty file"]


@pytest.mark.parametrize("packing", PACKINGS[1:])
@pytest.mark.parametrize("kind", STREAMED)
def test_a_truncated_file_gives_what_it_can(make: Make, kind: str, packing: str) -> None:
    # text that does not compress to nothing, so that the cut is in the midst of it
    rows = [{"id": str(i), "text": RANDOM.randbytes(200).hex()} for i in range(6000)]
    path = make(kind, rows, packing)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 3 // 4])
    found = rows_of(path)
    assert found[-1]["problem"] == "truncated"
    good = [row["text"] for row in found if row["problem"] is None]
    assert len(good) > 500
    assert good == [row["text"] for row in rows[: len(good)]]
    assert len(found) - len(good) <= 2  # the cut line, and the file


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "txt", "html", "warc"])
def test_damaged_gzip_is_said(tmp_path: Path, kind: str) -> None:
    data = bytearray(gzip.compress(encoded(kind if kind in TABLES else "jsonl", DOCUMENTS * 50)))
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    rows = rows_of(written(tmp_path, f"a.{kind}.gz", bytes(data)))
    assert rows[-1]["problem"] in ("unreadable", "truncated")


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_truncated_tables_are_said(make: Make, kind: str, part: float) -> None:
    path = make(kind, [{"text": "x" * 100 + str(i)} for i in range(200)])
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    rows = rows_of(path)
    assert rows[-1]["problem"] == "unreadable"
    assert all(row["problem"] is None for row in rows[:-1])


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_one_damaged_part_of_a_table_costs_no_more_than_itself(make: Make, kind: str) -> None:
    rows = [{"text": RANDOM.randbytes(3000).hex()} for _ in range(10)]
    path = make(kind, rows)
    data = bytearray(path.read_bytes())
    at = data.find(rows[4]["text"][:2000].encode()) if kind == "arrow" else len(data) // 2
    data[at : at + 1500] = b"\xff" * 1500
    path.write_bytes(data)
    found = rows_of(path)
    good = [row["text"] for row in found if row["problem"] is None]
    wanted = [row["text"] for row in rows]
    assert good[:4] == wanted[:4]
    assert good[-4:] == wanted[-4:]
    assert 8 <= len(good) < 10
    assert any(row["problem"] for row in found)


def test_no_bytes_of_parquet_at_all(tmp_path: Path) -> None:
    rows = rows_of(written(tmp_path, "a.parquet", b"this is no Parquet file"))
    assert problems(rows) == ["unreadable"]


def test_bad_json_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    lines = [
        b'{"text": "good"}',
        b'{"text": "cut',
        b"plain words",
        b'["text"]',
        b"null",
        b'{"text": null}',
        b'{"other": 1}',
        b'{"text": 5}',
        b'{"text": ["a"]}',
        b'{"text": "bad \xff byte"}',
        b'{"text": "half \\ud83d pair"}',
        b'{"text": "deep", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"text": "last"}',
    ]
    rows = rows_of(written(tmp_path, "a.jsonl", b"\n".join(lines)))
    assert problems(rows) == [
        None,
        "invalid JSON",
        "invalid JSON",
        "not an object",
        "not an object",
        "no text",
        "no text",
        "text is not a string",
        "text is not a string",
        "invalid UTF-8",
        "invalid UTF-8",
        "invalid JSON",  # nested beyond what Python can follow
        None,
    ]
    assert [row["text"] for row in rows if row["text"]] == ["good", "last"]
    assert all(row["detail"] for row in rows if row["problem"])


def test_null_first_lines_do_not_crash(tmp_path: Path) -> None:
    rows = rows_of(written(tmp_path, "a.jsonl", 'null\n{"text": "a"}\n'))
    assert problems(rows) == ["not an object", None]


def test_bad_elements_of_an_array(tmp_path: Path) -> None:
    data = b'[{"text": "a"}, 5, oops, {"text": 1}, {"text": "b\xff"}, {"text": "c"},]'
    rows = rows_of(written(tmp_path, "a.json", data))
    bad = ["not an object", "invalid JSON", "text is not a string", "invalid UTF-8"]
    assert problems(rows) == [None, *bad, None]


@pytest.mark.parametrize(
    ("data", "last"),
    [
        ('[{"text": "a"}, {"text": "b"', "truncated"),
        ('[{"text": "a"},', "truncated"),
        ('[{"text": "a"}', "truncated"),
        ('[{"text": "a"}] more', "invalid JSON"),
    ],
)
def test_arrays_that_do_not_end_well(tmp_path: Path, data: str, last: str) -> None:
    assert problems(rows_of(written(tmp_path, "a.json", data))) == [None, last]


def test_lines_of_csv_may_end_in_carriage_returns(tmp_path: Path) -> None:
    data = b'id,text\rx,"some words\nand more\r"\ry,\xc3\xa9t\xc3\xa9\rz,last'
    path = written(tmp_path, "a.csv", data)
    assert [(row["id"], row["text"]) for row in rows_of(path)] == [
        ("x", "some words\nand more\r"),
        ("y", "été"),
        ("z", "last"),
    ]
    target = tmp_path / "b.csv"
    rewrite(find([path])[0], target, Decisions(np.array([True, False, True])), ReaderSettings())
    assert target.read_bytes() == data.replace(b"y,\xc3\xa9t\xc3\xa9\r", b"")
    odd = written(tmp_path, "c.csv", b"id,te\rxt\r\na,b\r\n")  # one return does not make an old file
    with pytest.raises(InputError, match="no column"):
        rows_of(odd)


def test_bad_rows_of_csv(tmp_path: Path) -> None:
    data = b'id,text\n1,"a ""b"""\n2\n3,x,y\n4,\n\n5,bad \xff byte\n6,"two\nlines"\n7,"never closed\n'
    rows = rows_of(written(tmp_path, "a.csv", data))
    bad = ["invalid CSV", "invalid CSV", "no text", "invalid UTF-8"]
    assert problems(rows) == [None, *bad, None, "invalid CSV"]
    assert [row["text"] for row in rows if row["text"]] == ['a "b"', "two\nlines"]
    assert "unclosed quote" in rows[-1]["detail"]


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_null_wrong_and_broken_text_in_tables(make: Make, tmp_path: Path, kind: str) -> None:
    assert problems(rows_of(make(kind, [{"text": "a"}, {"text": None}]))) == [None, "no text"]
    assert problems(rows_of(make(kind, [{"text": 1}, {"text": None}]))) == [
        "text is not a string",
        "no text",
    ]
    assert problems(rows_of(make(kind, [{"text": b"ok"}, {"text": b"\xff"}]))) == [
        None,
        "invalid UTF-8",
    ]


def test_invalid_utf8_inside_a_string_column(tmp_path: Path) -> None:
    offsets = pa.py_buffer(bytes([0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]))
    broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ok\xff")])
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": broken}), path)
    assert problems(rows_of(path)) == [None, "invalid UTF-8"]


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("option", ["text_column", "id_column", "columns"])
def test_a_wrong_column_is_said_at_once(make: Make, kind: str, option: str) -> None:
    name: Any = ("texd",) if option == "columns" else "texd"
    with pytest.raises(InputError) as caught:
        _ = FileSource.open([make(kind, DOCUMENTS)], ReaderSettings(**{option: name})).records
    message = str(caught.value)
    assert "texd" in message
    assert "Did you mean 'text'?" in message
    assert f"data.{kind}" in message


@pytest.mark.parametrize("kind", TABLES)
def test_a_wrong_column_is_said_though_other_files_have_no_columns(make: Make, kind: str) -> None:
    path = make(kind, DOCUMENTS)
    (path.parent / "README.md").write_text("These are shards.")
    for inputs, settings in (
        ([str(path.parent)], ReaderSettings(text_column="texd")),
        ([f"{path}:texd", str(path.parent / "README.md")], ReaderSettings()),
    ):
        with pytest.raises(InputError, match="no column 'texd'"):
            _ = FileSource.open(inputs, settings).records


def test_a_named_column_that_some_files_lack_leaves_these_out_unless_strict(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"body": "Some words."}\n')
    (tmp_path / "b.csv").write_text("name,size\na,1\n")
    rows = rows_of(tmp_path, ReaderSettings(text_column="body"))
    assert problems(rows) == [None, "no text column"]
    with pytest.raises(InputError, match=r"b\.csv: no column 'body'"):
        rows_of(tmp_path, ReaderSettings(text_column="body", strict=True))


@pytest.mark.parametrize("kind", TABLES)
def test_no_column_that_looks_like_text(make: Make, kind: str) -> None:
    with pytest.raises(InputError, match=r"text_column="):
        _ = FileSource.open([make(kind, [{"a": "x", "b": "y"}])], ReaderSettings()).records


def test_names_that_neardup_needs_are_refused(make: Make) -> None:
    with pytest.raises(SettingsError, match="'doc'"):
        FileSource.open([make("jsonl", DOCUMENTS)], ReaderSettings(columns=("doc",)))


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "parquet"])
def test_a_document_of_many_megabytes(make: Make, kind: str) -> None:
    text = "many words " * (3 << 20)  # 33 MB
    began = time.monotonic()
    rows = rows_of(make(kind, [{"text": "a"}, {"text": text}, {"text": "b"}]))
    assert [len(row["text"]) for row in rows] == [1, len(text), 1]
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("kind", TABLES)
def test_a_record_over_the_limit_is_skipped(make: Make, kind: str) -> None:
    rows = [{"text": "a"}, {"text": "b" * 9000}, {"text": "c"}]
    found = rows_of(make(kind, rows), ReaderSettings(max_record=5000))
    assert [row["text"] for row in found] == ["a", None, "c"]
    assert problems(found) == [None, "too large", None]


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "txt", "html", "warc"])
def test_zip_bombs_do_no_harm(tmp_path: Path, kind: str) -> None:
    bomb = b'{"text": "' + b"x" * (40 << 20)
    head = {"json": b"[", "csv": b"text\n", "warc": _warc_head(len(bomb))}.get(kind, b"")
    path = written(tmp_path, f"a.{kind}.gz", gzip.compress(head + bomb))
    settings = ReaderSettings(text_column="text", max_record=1 << 20)
    assert "too large" in problems(rows_of(path, settings)) or kind == "json"
    assert "truncated" in problems(rows_of(path, settings)) or kind != "json"


def _warc_head(length: int) -> bytes:
    return (
        b"WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\n"
        b"WARC-Target-URI: http://a/\r\nContent-Length: %d\r\n\r\n" % length
    )


def test_a_parquet_bomb_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    values = pa.array(["x" * 1_000_000])
    indices = pa.array([0] * 3000, pa.int32())
    pq.write_table(pa.table({"text": pa.DictionaryArray.from_arrays(indices, values)}), path)
    assert path.stat().st_size < 100_000
    source = FileSource.open([path], ReaderSettings())
    sizes = [b["text"].nbytes for split in source.splits() for b in source.read(split)]
    assert sum(sizes) >= 3_000_000_000
    assert max(sizes) < 6 << 20


@pytest.mark.parametrize("packing", PACKINGS)
def test_binary_files_are_not_text(tmp_path: Path, packing: str) -> None:
    image = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
    rows = rows_of(written(tmp_path, "a.png", packed(image, packing)))
    assert problems(rows) == ["not text"]


def test_text_in_another_encoding_is_read(tmp_path: Path) -> None:
    rows = rows_of(written(tmp_path, "a.txt", "größer".encode("latin-1")))
    assert [row["text"] for row in rows] == ["größer"]
    assert rows[0]["id"] == "a.txt"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(make: Make) -> None:
    path = make("jsonl", DOCUMENTS)
    path.chmod(0)
    assert problems(rows_of(path)) == ["unreadable"]


def test_a_file_that_goes_away_is_said(make: Make) -> None:
    path = make("jsonl", DOCUMENTS)
    source = FileSource.open([path], ReaderSettings())
    splits = source.splits()
    path.unlink()
    with pytest.raises(InputError, match="it is gone"):
        [batch for split in splits for batch in source.read(split)]


@pytest.mark.parametrize("kind", TABLES)
def test_strict_stops_at_the_first_bad_record(make: Make, kind: str) -> None:
    rows = [{"id": "1", "text": "a"}, {"id": "2", "text": None}, {"id": "3", "text": "c"}]
    with pytest.raises(InputError) as caught:
        rows_of(make(kind, rows), ReaderSettings(strict=True))
    assert "record 2" in str(caught.value)
    assert f"data.{kind}" in str(caught.value)
    assert "no text" in str(caught.value)


def test_one_bad_line_in_a_large_file_costs_one_record(tmp_path: Path) -> None:
    lines = [json.dumps({"id": i, "text": f"text {i}"}) for i in range(5000)]
    lines[1234] = "{bad"
    rows = rows_of(written(tmp_path, "a.jsonl", "\n".join(lines)))
    assert [i for i, row in enumerate(rows) if row["problem"]] == [1234]
    assert rows[4999]["id"] == "4999"


@pytest.mark.parametrize("name", ["corpus", "corpus.gz"])
def test_an_archive_of_another_name_is_no_document(tmp_path: Path, name: str) -> None:
    for number in range(3):
        written(tmp_path, f"{number}.txt", f"The document of the number {number}. " * 100)
    mode: Any = "w:gz" if name.endswith("gz") else "w"
    with tarfile.open(tmp_path / name, mode) as archive:
        for number in range(3):
            archive.add(tmp_path / f"{number}.txt", f"{number}.txt")
    [row] = rows_of(tmp_path / name)
    assert row["problem"] == "not text"
    assert "ends in .tar" in row["detail"]
