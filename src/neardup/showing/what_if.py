"""What another threshold would do, without a new run: pairs, clusters and duplicates that remain."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.kernels.graphs import grouping
from neardup.results.folder import ResultFolder
from neardup.results.reclustering import cluster_steps
from neardup.steps.rounding import lowered

STEP = 0.01


class Effect(NamedTuple):
    """What remains from a threshold on."""

    clusters: int
    duplicates: int


def thresholds(least: float, most: float) -> list[float]:
    """Return hundredths from one value to another, and both.

    >>> thresholds(0.975, 1)
    [0.975, 0.98, 0.99, 1.0]
    """
    whole = (round(n * STEP, 2) for n in range(int(least / STEP), int(most / STEP) + 2))
    return [float(least), *(value for value in whole if least < value < most), float(most)]


def effects(result: ResultFolder, grid: Sequence[float]) -> list[Effect]:
    """Return the clusters of documents at each of some thresholds, as `rethreshold` makes them."""
    settings = result.run["settings"]
    kind, least = settings["clusters"], min(grid)
    tables = cluster_steps(
        result.documents, result.pairs, settings["keep"], kind, least, ("nodes", "edges")
    )
    nodes = tables["nodes"].sort_by("node")
    first = nodes["same_as"].to_numpy()
    copies = np.bincount(result.documents["same_as"].to_numpy(), minlength=result.documents.num_rows)
    edges = tables["edges"].sort_by([("worse", "ascending"), ("better", "ascending")])
    columns = [edges[name].to_numpy() for name in ("worse", "better", "similarity")]
    strength = columns[2]
    if settings.get("measure") == "containment" and kind == "star":
        strength = containment(result, first[columns[0]], first[columns[1]])
    found = []
    for threshold in grid:
        chosen = (columns[2] >= threshold) & (strength >= lowered(threshold))
        groups = grouping(kind, len(first))
        groups.add(*(column[chosen] for column in columns))
        found.append(effect(groups.finish()[0], copies[first]))
    return found


def effect(keepers: npt.NDArray[np.int64], copies: npt.NDArray[Any]) -> Effect:
    """Count the groups of two documents or more; `copies` are the documents of each node."""
    sizes = np.bincount(keepers, weights=copies, minlength=len(keepers)).astype(np.int64)
    several = sizes[sizes > 1]
    return Effect(len(several), int(several.sum()) - len(several))


def containment(
    result: ResultFolder, docs: npt.NDArray[np.int64], others: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return how much of each of some documents is in the other one of its pair."""
    a, b = (result.pairs[name].to_numpy() for name in ("doc_a", "doc_b"))
    in_a, in_b = (result.pairs[name].to_numpy() for name in ("containment_a", "containment_b"))
    width = result.documents.num_rows
    at = np.searchsorted(a * width + b, np.minimum(docs, others) * width + np.maximum(docs, others))
    found: npt.NDArray[np.float64] = np.where(docs < others, in_a[at], in_b[at])
    return found
