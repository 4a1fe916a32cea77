"""Runs `passages` over a few texts, and gives what it found."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from tests.corpora import prose
from tests.twins import passages as twins

import neardup
from neardup.text import tokenise

Row = dict[str, Any]
Found = dict[str, set[int]]


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


def words_found(result: neardup.Result, texts: Mapping[str, str]) -> dict[tuple[str, str, str], Found]:
    """Return which words of a document another one has, word for word and at all: by side and both ids.

    `verbatim` holds the numbers of words in passages that are identical or edited, `all` those in any.
    """
    tokens = {name: tokenise(text) for name, text in texts.items()}
    found: dict[tuple[str, str, str], Found] = {}
    for row in rows(result):
        own = [
            np.flatnonzero((starts >= row[f"start_{side}"]) & (starts < row[f"end_{side}"])).tolist()
            for side in "ab"
            for starts in [tokens[row[f"id_{side}"]].starts]
        ]
        words = [tokens[row[f"id_{side}"]].hashes[own[at]].tolist() for at, side in enumerate("ab")]
        for side, other, places, matched in zip("ab", "ba", own, twins.matched(*words), strict=True):
            key = (side, row[f"id_{side}"], row[f"id_{other}"])
            numbers = {places[at] for at in matched}
            into = found.setdefault(key, {"verbatim": set(), "all": set()})
            into["all"] |= numbers
            if row["kind"] in ("identical", "edited"):
                into["verbatim"] |= numbers
    return found


def pair_ids(result: neardup.Result) -> set[tuple[str, str]]:
    return {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a result that may not differ between runs."""
    paths = [path for path in folder.iterdir() if path.suffix == ".parquet" or path.name == "run.json"]
    return {path.name: path.read_bytes() for path in sorted(paths)}


def sharing(*names: str) -> list[dict[str, str]]:
    passage = prose(60, seed=1)
    return named(**{name: f"{prose(50, seed=ord(name[0]))} {passage}" for name in names})
