"""A small collection: runs, judgements, groups and texts."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import neardup
from neardup.retrieval.folder import TrecResult
from neardup.retrieval.runs import Catalogue, Ranking, Run

Write = Callable[[str], Path]


class Collection:
    """A small collection: runs, judgements and groups as files, made by chance."""

    def __init__(self, folder: Path, topics: list[str], systems: int = 3, seed: int = 1) -> None:
        rng = random.Random(seed)
        self.folder = folder
        ids = [f"d{i:02}" for i in range(40)]
        self.groups = [ids[0:3], ids[10:12], ids[20:26]]
        (folder / "runs").mkdir()
        for system in range(systems):
            lines = []
            for topic in topics:
                found = rng.sample(ids, 30)
                scores = [rng.choice([1, 2, 3, 4]) / 4 for _ in found]
                lines += [f"{topic} Q0 {own} 0 {s} t\n" for own, s in zip(found, scores, strict=True)]
            (folder / "runs" / f"system{system}").write_text("".join(lines))
        judged = [
            (topic, own, [rng.choice([0, 0, 1, 2]) for _ in range(3)])
            for topic in topics
            for own in rng.sample(ids, 25)
        ]
        self.qrels = self.write("qrels", [f"{t} 0 {own} {max(g)}" for t, own, g in judged])
        self.diversity = self.write(
            "diversity", [f"{t} {i} {own} {g}" for t, own, gs in judged for i, g in enumerate(gs, 1)]
        )
        self.file = self.write("groups.jsonl", [json.dumps({"ids": group}) for group in self.groups])

    def write(self, name: str, lines: list[str]) -> Path:
        path = self.folder / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    def trec(self, **more: Any) -> TrecResult:
        given = {"groups": self.file, "diversity": self.diversity, "output": self.folder / "out", **more}
        return neardup.trec(self.folder / "runs", self.qrels, **given)


TEXTS = {
    "a": "The ferries between the islands stay in harbour because of the heavy storm from the west.",
    "a2": "The ferries between the islands stay in harbour because of the heavy storm from the north.",
    "b": "A new bridge across the river will be opened to all traffic on the first day of May.",
    "c": "Nobody looks for this text, which is in the collection and in no run of any system.",
}


class Found(NamedTuple):
    """A line of a run, with the names of ir_measures."""

    query_id: str
    doc_id: str
    score: float


class Judged(NamedTuple):
    """A judgement, with the names of ir_measures."""

    query_id: str
    doc_id: str
    relevance: int


def ranking(catalogue: Catalogue, *ids: str) -> Ranking:
    count = len(ids)
    scores = np.arange(count, 0, -1, dtype=np.float64)
    return Ranking(catalogue.numbers(ids), scores, np.arange(1, count + 1))


def run_with(*ids: str, catalogue: Catalogue | None = None) -> Run:
    catalogue = Catalogue() if catalogue is None else catalogue
    return Run("r", {"1": ranking(catalogue, *ids)}, catalogue, "t")
