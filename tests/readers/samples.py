"""The same documents in every format, compressed in every way, and all rows of a file."""

import bz2
import csv
import gzip
import io
import json
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource

Make = Callable[..., Path]
DOCUMENTS = [
    {"id": "a1", "text": "The first document, plain enough."},
    {"id": "a2", "text": "Second: quotes \" and ' and, commas;\ttabs."},
    {"id": "a3", "text": "Zweites – größer, 漢字, emoji 🦊.\nWith a second line."},
    {"id": "a4", "text": "Back\\slash and <b>markup</b> & entities."},
    {"id": "a5", "text": "The last one"},
]
TABLES = ["jsonl", "json", "parquet", "arrow", "arrows", "csv", "tsv"]
PACKINGS = ["", "gz", "bz2", "xz", "zst", "lz4"]
OWN_PACKING = ("parquet", "arrow")  # compressed inside, or open to random access only


def packed(data: bytes, packing: str) -> bytes:
    match packing:
        case "gz":
            return gzip.compress(data, mtime=0)
        case "bz2":
            return bz2.compress(data)
        case "xz":
            return lzma.compress(data, preset=0)
        case "zst" | "lz4":
            sink = pa.BufferOutputStream()
            with pa.CompressedOutputStream(sink, {"zst": "zstd"}.get(packing, packing)) as out:
                out.write(data)
                out.flush()
                out.close()
            return bytes(sink.getvalue())
    return data


def encoded(kind: str, rows: list[dict[str, Any]]) -> bytes:
    if kind == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    if kind == "json":
        return json.dumps(rows, indent=1).encode()
    if kind in ("csv", "tsv"):
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]), delimiter="\t" if kind == "tsv" else ",")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue().encode()
    table = pa.Table.from_pylist(rows)
    sink = io.BytesIO()
    if kind == "parquet":
        pq.write_table(table, sink, row_group_size=2, compression="zstd", write_page_checksum=True)
    else:
        start = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
        with start(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=2)
    return sink.getvalue()


SETTINGS = ReaderSettings()


def rows_of(path: Path, settings: ReaderSettings = SETTINGS) -> list[dict[str, Any]]:
    source = FileSource.open([path], settings)
    return [row for split in source.splits() for b in source.read(split) for row in b.to_pylist()]


def record(kind: str, body: bytes, content_type: str = "application/http", **headers: str) -> bytes:
    lines = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{zlib.crc32(body)}>",
        "WARC-Date": "2020-02-02T02:02:02Z",
        "WARC-Target-URI": "http://example.com/",
        "Content-Type": content_type,
        "Content-Length": str(len(body)),
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return b"WARC/1.0\r\n" + head.encode() + b"\r\n" + body + b"\r\n\r\n"


def http(body: bytes, status: str = "200 OK", kind: str = "text/html", **headers: str) -> bytes:
    lines = {"Content-Type": kind} | {n.replace("_", "-"): v for n, v in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def one(path: Path, **settings: Any) -> dict[str, Any]:
    (row,) = rows_of(path, ReaderSettings(**settings))
    return row
