"""Writes the same documents in every format, compressed in every way."""

import bz2
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
            return gzip.compress(data)
        case "bz2":
            return bz2.compress(data)
        case "xz":
            return lzma.compress(data)
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
        pq.write_table(table, sink, row_group_size=2, compression="zstd")
    else:
        start = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
        with start(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=2)
    return sink.getvalue()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that writes some rows in a format and returns the file's path."""

    def write(kind: str, rows: list[dict[str, Any]], packing: str = "") -> Path:
        path = tmp_path / (f"data.{kind}.{packing}" if packing else f"data.{kind}")
        path.write_bytes(packed(encoded(kind, rows), packing))
        return path

    return write
