"""What a tool claims, what is true, and how far the two agree."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from benchmarks.rivals.task import shingles

Group = list[str]  # ids that are all near-duplicates of each other: a pair or a cluster
Truth = dict[tuple[str, str], float]  # the Jaccard similarity of each pair that may be one


@dataclass(frozen=True)
class Score:
    """How far claims agree with the truth; `near` is the recall just above the threshold."""

    claimed: int
    recall: float
    near: float
    precision: float


def neardup_groups(result: Path) -> list[Group]:
    """Read the pairs of a neardup result."""
    table = pq.read_table(result / "pairs.parquet", columns=["id_a", "id_b"])
    pairs = zip(table["id_a"].to_pylist(), table["id_b"].to_pylist(), strict=True)
    return [list(pair) for pair in pairs]


def planted_truth(path: Path) -> Truth:
    """Read the truth about a generated corpus."""
    with path.open(encoding="utf-8") as lines:
        pairs = map(json.loads, lines)
        return {_ordered(pair["a"], pair["b"]): pair["jaccard"] for pair in pairs}


def pooled_truth(corpus: Path, claims: Iterable[list[Group]]) -> Truth:
    """Verify all that any tool claims, in plain Python that shares no code with neardup.

    A pair that no tool found is missing here, so recall is relative to all tools together.
    """
    pairs = {_ordered(*pair) for groups in claims for group in groups for pair in combinations(group, 2)}
    wanted = {name for pair in pairs for name in pair}
    sets = {}
    with corpus.open(encoding="utf-8") as lines:
        for line in lines:
            if json.loads(line)["id"] in wanted:
                name, texts = shingles(line)
                sets[name] = np.fromiter(map(hash, texts), np.int64, len(texts))
    truth = {}
    for a, b in pairs:
        shared = len(np.intersect1d(sets[a], sets[b], assume_unique=True))
        truth[a, b] = shared / max(1, len(sets[a]) + len(sets[b]) - shared)
    return truth


def score(groups: list[Group], truth: Truth, threshold: float) -> Score:
    """Compare claimed pairs with those that are true at a threshold."""
    member: dict[str, set[int]] = defaultdict(set)
    for number, group in enumerate(groups):
        for name in group:
            member[name].add(number)
    true = [pair for pair, similarity in truth.items() if similarity >= threshold]
    found = {(a, b) for a, b in true if member[a] & member[b]}
    near = [pair for pair in true if truth[pair] < threshold + 0.1]
    claimed = sum(len(group) * (len(group) - 1) // 2 for group in groups)
    return Score(
        claimed=claimed,
        recall=len(found) / max(1, len(true)),
        near=sum(pair in found for pair in near) / max(1, len(near)),
        precision=len(found) / max(1, claimed),
    )


def _ordered(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)
