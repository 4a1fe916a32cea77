"""The same documents as a small file of every format, for tests that go over all readers."""

import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tests.readers.layouts import LAYOUTS, pdf
from tests.readers.samples import encoded

from neardup.store.files import MANIFEST
from neardup.store.manifest import About, Manifest

TEXTS = (
    "The ferry leaves the harbour at noon.",
    "Every lamp on the bridge was lit that evening.",
    "Nobody had wound the clock for a year.",
)


class Example(NamedTuple):
    """A file of some format, by its name and bytes, or a folder; `texts` are those that it holds."""

    name: str
    data: bytes | Mapping[str, bytes]
    texts: tuple[str, ...] = TEXTS


def put(path: Path, data: bytes | Mapping[str, bytes]) -> None:
    """Write a file, or a folder of files."""
    if isinstance(data, bytes):
        path.write_bytes(data)
        return
    path.mkdir()
    for name, own in data.items():
        (path / name).write_bytes(own)


def _table(kind: str) -> Example:
    rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(TEXTS)]
    return Example(f"a.{kind}", encoded(kind, rows))


def _warc() -> Example:
    records = []
    for number, text in enumerate(TEXTS):
        head = f"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        head += "WARC-Target-URI: http://example.com/\r\nContent-Type: text/plain\r\n"
        records.append(f"{head}Content-Length: {len(text)}\r\n\r\n{text}\r\n\r\n")
    return Example("a.warc", "".join(records).encode())


def _trec() -> Example:
    documents = (f"<DOC>\n<DOCNO>{n}</DOCNO>\n<TEXT>{t}</TEXT>\n</DOC>\n" for n, t in enumerate(TEXTS))
    return Example("a.trec", "".join(documents).encode())


def _wikipedia() -> Example:
    pages = (
        f"<page><title>T{n}</title><ns>0</ns><id>{n}</id><revision><id>{n}</id>"
        f"<text>{t}</text></revision></page>\n"
        for n, t in enumerate(TEXTS)
    )
    return Example("a.xml", f"<mediawiki>\n{''.join(pages)}</mediawiki>\n".encode())


def _stackexchange() -> Example:
    rows = (f'  <row Id="{n}" PostTypeId="1" Body="{t}" />\n' for n, t in enumerate(TEXTS))
    return Example("Posts.xml", f"<posts>\n{''.join(rows)}</posts>\n".encode())


def _index() -> Example:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        Manifest.create(path, {})
        with closing(Manifest(path, True)) as manifest, manifest.transaction() as change:
            change.insert((number, About(f"d{number}")) for number in range(len(TEXTS)))
            change.note((number, text.encode()) for number, text in enumerate(TEXTS))
        return Example("a.neardup", {MANIFEST: (path / MANIFEST).read_bytes()})


def _html() -> Example:
    return Example("a.html", f"<!doctype html><body><p>{TEXTS[0]}</p></body>".encode(), TEXTS[:1])


def _laid_out(kind: str) -> Example:
    return Example(f"a.{kind}", LAYOUTS[kind](TEXTS[:1]), TEXTS[:1])


EXAMPLES = {
    "neardup.readers.jsonl": _table("jsonl"),
    "neardup.readers.jsonarray": _table("json"),
    "neardup.readers.parquet": _table("parquet"),
    "neardup.readers.arrow": _table("arrow"),
    "neardup.readers.csv": _table("csv"),
    "neardup.readers.warc": _warc(),
    "neardup.readers.trec": _trec(),
    "neardup.readers.wikipedia": _wikipedia(),
    "neardup.readers.stackexchange": _stackexchange(),
    "neardup.readers.indexes": _index(),
    "neardup.readers.pdf": Example("a.pdf", pdf(TEXTS[:1], head=False), TEXTS[:1]),
    "neardup.readers.packages": _laid_out("docx"),
    "neardup.readers.rtf": _laid_out("rtf"),
    "neardup.readers.editions": _laid_out("tei"),
    "neardup.readers.html": _html(),
    "neardup.readers.plain": Example("a.txt", TEXTS[0].encode(), TEXTS[:1]),
}
