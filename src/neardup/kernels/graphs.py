"""Grouping the nodes of a graph in one pass over its sorted edges.

Nodes are numbered from the best keeper to the worst. Edges go from a worse node to a better one and
come sorted by (worse, better).
"""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from neardup.arrays import Array, Floats, Integers
from neardup.kernels.compiled import kernel


@kernel
def add_star_edges(keepers, similarities, worse, better, similarity):  # type: ignore[no-untyped-def]
    """Let each node join its best neighbour that is a keeper itself.

    When a node's edges come, all better nodes are decided: who has not joined by then is a keeper.
    """
    for i in range(len(worse)):
        if keepers[worse[i]] == worse[i] and keepers[better[i]] == better[i]:
            keepers[worse[i]] = better[i]
            similarities[worse[i]] = similarity[i]


@kernel
def root(parents, node):  # type: ignore[no-untyped-def]
    """Return the best node of a tree, and make the way to it shorter."""
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node


@kernel
def add_component_edges(parents, lowest, worse, better, similarity):  # type: ignore[no-untyped-def]
    """Join the trees of both ends; the better root stays the root, with the lowest similarity."""
    for i in range(len(worse)):
        a, b = root(parents, worse[i]), root(parents, better[i])
        keeper, other = min(a, b), max(a, b)
        parents[other] = keeper
        lowest[keeper] = min(lowest[keeper], lowest[other], similarity[i])


@kernel
def flatten(parents, lowest):  # type: ignore[no-untyped-def]
    """Let every node point to its root, with the lowest similarity of the whole tree."""
    for node in range(len(parents)):
        parents[node] = root(parents, node)
        lowest[node] = lowest[parents[node]]


def read_only(*columns: Any) -> Iterator[Array]:
    """Yield columns as Arrow's are, whoever made them: else a kernel is compiled for both kinds."""
    for column in columns:
        seen = np.ascontiguousarray(column).view()
        seen.flags.writeable = False
        yield seen


class Stars:
    """Star clusters: whoever joins a keeper really resembles it."""

    def __init__(self, nodes: int) -> None:
        self._keepers = np.arange(nodes)
        self._similarities = np.ones(nodes)

    def add(self, worse: Any, better: Any, similarity: Any) -> None:
        """Take in the next edges."""
        add_star_edges(self._keepers, self._similarities, *read_only(worse, better, similarity))

    def finish(self) -> tuple[Integers, Floats]:
        """Return each node's keeper and its similarity to it."""
        return self._keepers, self._similarities


class Components:
    """Connected components: whoever is connected, over however many others."""

    def __init__(self, nodes: int) -> None:
        self._parents = np.arange(nodes)
        self._lowest = np.ones(nodes)

    def add(self, worse: Any, better: Any, similarity: Any) -> None:
        """Take in the next edges."""
        add_component_edges(self._parents, self._lowest, *read_only(worse, better, similarity))

    def finish(self) -> tuple[Integers, Floats]:
        """Return each node's component, by its best node, and the lowest similarity inside."""
        flatten(self._parents, self._lowest)
        return self._parents, self._lowest


def grouping(kind: Literal["star", "components"], nodes: int) -> Stars | Components:
    """Return a grouping of this kind that has seen no edges yet."""
    return Stars(nodes) if kind == "star" else Components(nodes)
