"""What another threshold would do, without a new run: pairs, clusters and duplicates that remain."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from neardup.arrays import Floats, Integers
from neardup.kernels.graphs import grouping
from neardup.results.folder import ResultFolder
from neardup.results.reclustering import cluster_steps
from neardup.steps.rounding import lowered

STEP = 0.01


class Effect(NamedTuple):
    """What remains from a threshold on."""

    clusters: int
    duplicates: int


class Regrouped(NamedTuple):
    """Clusters at several thresholds: their numbers, and the keeper of each of some documents."""

    effects: list[Effect]
    docs: Integers
    keepers: list[Integers]


def thresholds(least: float, most: float) -> list[float]:
    """Return hundredths from one value to another, and both.

    >>> thresholds(0.975, 1)
    [0.975, 0.98, 0.99, 1.0]
    """
    whole = (round(n * STEP, 2) for n in range(int(least / STEP), int(most / STEP) + 2))
    return [float(least), *(value for value in whole if least < value < most), float(most)]


def effects(result: ResultFolder, grid: Sequence[float]) -> list[Effect]:
    """Return the clusters of documents at each of some thresholds, as `rethreshold` makes them."""
    return regrouped(result, grid).effects


def regrouped(result: ResultFolder, grid: Sequence[float]) -> Regrouped:
    """Return who is whose keeper at each of some thresholds, as `rethreshold` decides."""
    settings = result.run["settings"]
    kind, least = settings["clusters"], min(grid)
    tables = cluster_steps(
        result.documents, result.pairs, settings["keep"], kind, least, ("ranked", "nodes", "edges")
    )
    nodes, ranked = tables["nodes"].sort_by("node"), tables["ranked"].sort_by("rank")
    first = nodes["same_as"].to_numpy()
    best = ranked["doc"].to_numpy()[nodes["best"].to_numpy()]
    own = np.zeros(result.documents.num_rows, np.int64)
    own[first] = np.arange(len(first))
    docs = np.sort(ranked["doc"].to_numpy())
    node_of = own[result.documents["same_as"].to_numpy()[docs]]
    copies = np.bincount(node_of, minlength=len(first))
    edges = tables["edges"].sort_by([("worse", "ascending"), ("better", "ascending")])
    columns = [edges[name].to_numpy() for name in ("worse", "better", "similarity")]
    strength = columns[2]
    if settings.get("measure") == "containment" and kind == "star":
        strength = containment(result, first[columns[0]], first[columns[1]])
    found = Regrouped([], docs, [])
    for threshold in grid:
        chosen = (columns[2] >= threshold) & (strength >= lowered(threshold))
        groups = grouping(kind, len(first))
        groups.add(*(column[chosen] for column in columns))
        keepers = groups.finish()[0]
        found.effects.append(effect(keepers, copies))
        found.keepers.append(best[keepers[node_of]])
    return found


def effect(keepers: Integers, copies: Integers) -> Effect:
    """Count the groups of two documents or more; `copies` are the documents of each node."""
    sizes = np.bincount(keepers, weights=copies, minlength=len(keepers)).astype(np.int64)
    several = sizes[sizes > 1]
    return Effect(len(several), int(several.sum()) - len(several))


def containment(result: ResultFolder, docs: Integers, others: Integers) -> Floats:
    """Return how much of each of some documents is in the other one of its pair."""
    a, b = (result.pairs[name].to_numpy() for name in ("doc_a", "doc_b"))
    in_a, in_b = (result.pairs[name].to_numpy() for name in ("containment_a", "containment_b"))
    width = result.documents.num_rows
    at = np.searchsorted(a * width + b, np.minimum(docs, others) * width + np.maximum(docs, others))
    found: Floats = np.where(docs < others, in_a[at], in_b[at])
    return found
