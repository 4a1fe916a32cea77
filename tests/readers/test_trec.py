"""Documents in TREC's format, and documents by id out of any collection."""

import gzip
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.readers.samples import http, packed, record, rows_of

import neardup
from neardup.methods.documents.plan import job as documents_job
from neardup.methods.documents.settings import DocumentSettings
from neardup.readers import formats, html, trec
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings, Record
from neardup.readers.selection import NamedDocuments
from neardup.results.running import run_job
from neardup.settings.run import RunSettings

ARTICLE = """<DOC>
<DOCNO> FT911-1 </DOCNO>
<HEADLINE> Cats &amp; dogs </HEADLINE>
<DATE> 910514 </DATE>
<TEXT>
<P>The cat sat.</P>
</TEXT>
<TEXT>The dog ran.</TEXT>
</DOC>
"""
PAGE = """<DOC>
<DOCNO>GX000-00-0000000</DOCNO>
<DOCHDR>
http://www.example.gov/a
HTTP/1.1 200 OK
Content-type: text/html; charset=iso-8859-1
</DOCHDR>
<html><head><title>A page</title></head><body><p>Gr\xf6\xdfer than words.</p></body></html>
</DOC>
"""
BARE = "<doc>\n<docno>B-1</docno>\nNo element of its own.\n</doc>\n"
FILE = (ARTICLE + PAGE + BARE).encode("latin-1")


def write(folder: Path, data: bytes, name: str = "a.trec") -> Path:
    (folder / name).write_bytes(data)
    return folder / name


@pytest.mark.parametrize("packing", ["", "gz", "bz2", "zst"])
@pytest.mark.parametrize("name", ["a.trec", "noname"])
def test_articles_and_pages(tmp_path: Path, packing: str, name: str) -> None:
    article, page, bare = rows_of(write(tmp_path, packed(FILE, packing), name))
    assert article["id"] == "FT911-1"
    assert article["text"].split() == ["The", "cat", "sat.", "The", "dog", "ran."]
    assert (article["title"], article["date"]) == ("Cats & dogs", "910514")
    assert (page["id"], page["url"]) == ("GX000-00-0000000", "http://www.example.gov/a")
    assert (page["text"], page["title"]) == ("Größer than words.", "A page")
    assert (bare["id"], bare["text"]) == ("B-1", "No element of its own.")


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_it_does_not_matter_where_chunks_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    path = write(tmp_path, FILE)
    whole = rows_of(path)
    monkeypatch.setattr(trec, "CHUNK", chunk)
    assert rows_of(path) == whole


def test_damage_is_told(tmp_path: Path) -> None:
    data = (
        b"lost words\n"
        + ARTICLE.encode()
        + b"<DOC><DOCNO>X</DOCNO>\n</DOC>\n<DOC>\n<DOCNO>Y</DOCNO> cut"
    )
    rows = rows_of(write(tmp_path, data))
    assert [(row["id"], row["problem"]) for row in rows] == [
        (None, "unreadable"),
        ("FT911-1", None),
        ("X", "no text"),
        ("Y", "truncated"),
    ]


def test_large_documents_are_passed_over(tmp_path: Path) -> None:
    large = b"<DOC>\n<DOCNO>L</DOCNO>\n" + b"word " * 3_000_000 + b"</DOC>\n"
    rows = rows_of(
        write(tmp_path, ARTICLE.encode() + large + BARE.encode()), ReaderSettings(max_record=1000)
    )
    assert [(row["id"], row["problem"]) for row in rows] == [
        ("FT911-1", None),
        ("L", "too large"),
        ("B-1", None),
    ]


def test_rewriting_copies_bytes(tmp_path: Path) -> None:
    file = find([write(tmp_path, gzip.compress(FILE + b"\ntail"))])[0]
    target = tmp_path / "out.trec"
    settings = ReaderSettings()
    assert formats.reader_of(file).rewrite(file, target, Decisions(), settings) == 4
    assert gzip.decompress(target.read_bytes()) == FILE + b"\ntail"
    keep = np.array([True, False, True])
    assert trec.rewrite(file, target, Decisions(keep), settings) == 3
    assert gzip.decompress(target.read_bytes()) == (ARTICLE + BARE).encode() + b"\ntail"


def test_dedup_of_trec_documents(tmp_path: Path) -> None:
    again = ARTICLE.replace("FT911-1", "FT911-2").replace("cat sat", "CAT sat")
    result = neardup.documents(write(tmp_path, (ARTICLE + again + BARE).encode()))
    neardup.dedup(result, tmp_path / "clean", mode="remove")
    assert [row["id"] for row in rows_of(tmp_path / "clean" / "a.trec")] == ["FT911-1", "B-1"]


def chosen(paths: list[Path], ids: list[str]) -> list[dict[str, object]]:
    source = NamedDocuments.named(paths, ReaderSettings(), ids)
    found = [row for split in source.splits() for b in source.read(split) for row in b.to_pylist()]
    return [row for row in found if row["problem"] is None]


def test_documents_by_id_from_every_kind_of_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [
        record("response", http(f"<p>Page {i} of the archive</p>".encode()), WARC_TREC_ID=f"w{i}")
        for i in range(3)
    ]
    lines = b"".join(json.dumps({"id": f"j{i}", "text": "x"}).encode() + b"\n" for i in range(3))
    paths = [
        write(tmp_path, b"".join(pages), "a.warc"),
        write(tmp_path, FILE, "b.trec"),
        write(tmp_path, lines, "c.jsonl"),
    ]
    made: list[str | None] = []

    def page(
        data: bytes, charset: str | None, settings: Any, own_id: str | None, **others: Any
    ) -> Record:
        made.append(own_id)
        return as_before(data, charset, settings, own_id, **others)

    as_before = html.page
    monkeypatch.setattr(html, "page", page)
    found = chosen(paths, ["w1", "FT911-1", "j2", "nobody"])
    assert [row["id"] for row in found] == ["w1", "FT911-1", "j2"]
    assert made == ["w1"], "only what is named is taken out of its page"


def test_named_documents_keep_their_places(tmp_path: Path) -> None:
    text = "the same words again and again in a document of number"
    rows = [{"id": f"d{i}", "text": f"{text} {i // 2 * 2}"} for i in range(10)]
    path = write(tmp_path, b"".join(json.dumps(row).encode() + b"\n" for row in rows), "a.jsonl")
    source = NamedDocuments.named([path], ReaderSettings(), ["d4", "d5", "d9"])
    settings = DocumentSettings(threshold=0.9)
    run = RunSettings.make()
    result = run_job(documents_job(source, settings, run), run, tmp_path / "out")
    assert result.counts["skipped.not asked for"] == 7
    assert [(p["id_a"], p["id_b"]) for p in result.pairs.to_pylist()] == [("d4", "d5")]
    assert result.documents["position"].to_pylist() == [5, 6, 10]
    assert "number 4" in str(neardup.Result(tmp_path / "out").explain("d4", "d5"))


def test_archives_that_hold_nothing_named_are_not_opened(tmp_path: Path) -> None:
    folder = tmp_path / "en0011"
    folder.mkdir()
    name = "clueweb09-en0011-54-00001"
    page = record("response", http(b"<p>Words of a page</p>"), WARC_TREC_ID=name)
    (folder / "54.warc.gz").write_bytes(gzip.compress(page))
    (folder / "55.warc.gz").write_bytes(b"this is no archive, and nobody looks")
    source = NamedDocuments.named([folder], ReaderSettings(), [name])
    rows = [row for split in source.splits() for b in source.read(split) for row in b.to_pylist()]
    assert [(row["id"], row["problem"]) for row in rows] == [(name, None), (None, "not asked for")]
    with_another = NamedDocuments.named([folder], ReaderSettings(), [name, "other"])
    assert with_another.archives is None


@pytest.mark.parametrize("tag", ["<TEXT>", "<DOCHDR>", "<DOCNO>", "<!--", "<TITLE>"])
def test_unclosed_tags_are_gone_through_once(tmp_path: Path, tag: str) -> None:
    data = f"<DOC>\n<DOCNO>1</DOCNO>\n{tag * 100_000} words\n</DOC>\n".encode()
    begun = time.process_time()
    (row,) = rows_of(write(tmp_path, data))
    assert row["id"] == "1"
    assert time.process_time() - begun < 3
