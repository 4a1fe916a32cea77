"""Results and gold written by hand."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup.evaluation import (
    Passage,
)

SUSPICIOUS = "susp/suspicious-document00001.txt"
SOURCES = ["src/source-document00001.txt", "src/source-document00002.txt"]
PASSAGE_COLUMNS = "id_a,start_a,end_a,id_b,start_b,end_b"


def write_result(
    folder: Path,
    ids: Sequence[str],
    pairs: Iterable[tuple[str, str]] = (),
    clusters: Iterable[Sequence[str]] = (),
    passages: Iterable[Passage] | None = None,
) -> Path:
    """Write a result by hand."""
    folder.mkdir(parents=True, exist_ok=True)
    members = [(number, id_) for number, cluster in enumerate(clusters) for id_ in cluster]
    text, whole = pa.string(), pa.int64()
    tables: dict[str, dict[str, tuple[list[Any], pa.DataType]]] = {
        "documents": {"doc": (list(range(len(ids))), whole), "id": (list(ids), text)},
        "pairs": {"id_a": ([a for a, _ in pairs], text), "id_b": ([b for _, b in pairs], text)},
        "clusters": {"cluster": ([n for n, _ in members], whole), "id": ([i for _, i in members], text)},
    }
    if passages is not None:
        rows = list(passages)
        tables["passages"] = {
            name: ([row[at] for row in rows], text if name.startswith("id") else whole)
            for at, name in enumerate(Passage._fields)
        }
    for name, columns in tables.items():
        arrays = {key: pa.array(values, kind) for key, (values, kind) in columns.items()}
        pq.write_table(pa.table(arrays), folder / f"{name}.parquet")
    method = "documents" if passages is None else "passages"
    (folder / "run.json").write_text(json.dumps({"method": method, "settings": {}, "counts": {}}))
    return folder


def feature(this: tuple[int, int], source: tuple[int, int], name: str, kind: str = "plagiarism") -> str:
    return (
        f'<feature name="{kind}" this_offset="{this[0]}" this_length="{this[1]}" '
        f'source_reference="{name}" source_offset="{source[0]}" source_length="{source[1]}"/>'
    )


def write_pan(folder: Path, files: dict[str, Sequence[str]], pairs: Sequence[str] | None = None) -> Path:
    """Write one of PAN's folders: features by suspicious document, and the list of pairs."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, features in files.items():
        text = f'<document reference="{name}">\n' + "\n".join(features) + "\n</document>\n"
        (folder / f"{name}.xml").write_text(text)
    if pairs is not None:
        (folder / "pairs").write_text("".join(f"{pair}\n" for pair in pairs))
    return folder


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def passage(this: tuple[int, int], source: tuple[int, int], id_a: str = "a", id_b: str = "b") -> Passage:
    return Passage(id_a, *this, id_b, *source)


def pan_result(folder: Path, found: Iterable[Passage]) -> Path:
    ids = [SUSPICIOUS, "susp/suspicious-document00002.txt", *SOURCES]
    return write_result(folder, ids, passages=found)
