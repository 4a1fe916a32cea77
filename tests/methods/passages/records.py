"""A story that is told again and again, in files of every format."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

COPIED = (
    "The harbour master rang the bell at six, as he did on every day of his life. "
    "Nobody came, for the whole town slept behind its shutters after the long night. "
    "Only the baker's cat sat on the quay and looked at the empty sea for a while."
)
EDITED = COPIED.replace("baker's cat", "grocer's dog")
RECORDS: list[dict[str, Any]] = [
    {"id": "first", "text": f"A story from the coast, told by an old man.\n\n{COPIED}\n", "score": 1},
    {"id": "alone", "text": "There is no copy of these few words in any other text here.", "score": 2},
    {"id": "second", "text": f"I heard this in a pub. {COPIED} What do you make of it?", "score": 3},
    {"id": "third", "text": f"{COPIED}", "score": 9},
    {"id": "edited", "text": f"It is told otherwise, too. {EDITED} So it goes.", "score": 4},
]
OWN = {
    "second": "I heard this in a pub. What do you make of it?",
    "edited": "It is told otherwise, too. Only the grocer's dog sat on the quay and looked at the empty "
    "sea for a while. So it goes.",
}
FORMATS = ["jsonl", "jsonl.gz", "json", "parquet", "arrow", "csv", "txt"]


def encoded(kind: str, records: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(records), sink)
        return sink.getvalue()
    if kind == "arrow":
        table = pa.Table.from_pylist(records)
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        return sink.getvalue()
    if kind == "csv":
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, list(records[0]))
        writer.writeheader()
        writer.writerows(records)
        return out.getvalue().encode()
    if kind == "json":
        return json.dumps(records, indent=1).encode()
    lines = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    return gzip.compress(lines) if kind == "jsonl.gz" else lines


def decoded(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    if path.suffix == ".parquet":
        return list(pq.read_table(path).to_pylist())
    if path.suffix == ".arrow":
        return list(pa.ipc.open_file(data).read_all().to_pylist())
    if path.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    if path.suffix == ".json":
        return list(json.loads(data))
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    return [json.loads(line) for line in data.splitlines()]


def written(kind: str, folder: Path, records: list[dict[str, Any]] = RECORDS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "txt":
        for number, record in enumerate(records):
            (folder / f"{number}-{record['id']}.txt").write_text(record["text"])
        return folder
    path = folder / f"data.{kind}"
    path.write_bytes(encoded(kind, records))
    return path
