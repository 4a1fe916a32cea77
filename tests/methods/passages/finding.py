"""Runs `passages` over a few texts, and gives what it found."""

from pathlib import Path
from typing import Any

from tests.corpora import prose

import neardup

Row = dict[str, Any]


def run(texts: Any, **chosen: Any) -> neardup.Result:
    given: dict[str, Any] = {"workers": 1, "memory": "64MB"}
    return neardup.passages(texts, **(given | chosen))


def named(**texts: str) -> list[dict[str, str]]:
    return [{"id": name, "text": text} for name, text in texts.items()]


def rows(result: neardup.Result) -> list[Row]:
    found: list[Row] = result.table("passages").to_pylist()
    return found


def quoted(row: Row, a: str, b: str) -> tuple[str, str]:
    return a[row["start_a"] : row["end_a"]], b[row["start_b"] : row["end_b"]]


def pair_ids(result: neardup.Result) -> set[tuple[str, str]]:
    return {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a result that may not differ between runs."""
    paths = [path for path in folder.iterdir() if path.suffix == ".parquet" or path.name == "run.json"]
    return {path.name: path.read_bytes() for path in sorted(paths)}


def sharing(*names: str) -> list[dict[str, str]]:
    passage = prose(60, seed=1)
    return named(**{name: f"{prose(50, seed=ord(name[0]))} {passage}" for name in names})
