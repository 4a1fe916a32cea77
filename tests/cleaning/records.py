"""Records with near-duplicates, written and read in the formats that dedup rewrites."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import neardup

REMOVED = "neardup-removed.parquet"
IDS = "neardup-removed.txt"
WORDS = [f"word{i}" for i in range(40)]


def text(*changes: int, extra: str = "") -> str:
    """Return the same forty words, some of them changed."""
    return " ".join(f"changed{i}" if i in changes else word for i, word in enumerate(WORDS)) + extra


# all are copies of a, more or less, but u is alone
RECORDS: list[dict[str, Any]] = [
    {"id": "a", "text": text(), "date": "2020-05-01", "score": 5, "note": "first"},
    {"id": "b", "text": text(20), "date": "2024-01-01", "score": 9, "note": "near"},
    {"id": "u", "text": "Something else, of which there is no copy in this file at all.", "date": None,
     "score": 1, "note": "alone, with \"quotes\""},
    {"id": "c", "text": text(39), "date": "2022-07-01", "score": 7, "note": "near, too"},
    {"id": "d", "text": text(extra="!"), "date": "2021-01-01", "score": 2, "note": "identical"},
    {"id": "f", "text": text(37, 38, 39), "date": "2019-01-01", "score": 3, "note": "chain"},
]  # fmt: skip
FORMATS = ["jsonl", "jsonl.gz", "parquet", "csv", "txt"]
Write = Callable[..., Path]


def encoded(kind: str, records: list[dict[str, Any]]) -> bytes:
    if kind == "parquet":
        sink = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(records), sink)
        return sink.getvalue()
    if kind == "csv":
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, list(records[0]))
        writer.writeheader()
        writer.writerows(records)
        return out.getvalue().encode()
    lines = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    return gzip.compress(lines) if kind == "jsonl.gz" else lines


def decoded(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    if path.suffix == ".parquet":
        return list(pq.read_table(path).to_pylist())
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if path.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    return [json.loads(line) for line in data.splitlines()]


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return all files below a folder with their contents and times."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}


def found_in(path: Path, tmp_path: Path, **chosen: Any) -> neardup.Result:
    settings: dict[str, Any] = {"threshold": 0.6, "keep": "first"} | chosen
    return neardup.documents(path, output=tmp_path / "out", **settings)


def removed_ids(output: Path) -> list[str]:
    return [str(row["id"]) for row in pq.read_table(output / REMOVED).to_pylist()]
