"""Which pairs come first where not all have room: those worth a look."""

from collections.abc import Sequence

import numpy as np

from neardup.arrays import Integers
from neardup.showing.kind import Clusters, Kind

AT_THRESHOLD = 50  # pairs on each side of the run's threshold that come first
AT_STEP = 3  # pairs on each side of other thresholds


def by_worth(kind: Kind, clusters: Clusters | None, grid: Sequence[float]) -> Integers:
    """Return all rows, first those that help to choose a threshold.

    Then one pair of each cluster, its least similar one with the keeper, then all others with keepers,
    then the rest; among these, the least similar first.
    """
    number = len(kind.rows)
    closeness = np.zeros(number)
    place = np.full(number, 3)
    if clusters is not None:
        with_keeper(kind, clusters, place)
    if kind.measure is not None and number:
        values = kind.rows[kind.measure.column].to_numpy()
        closeness = values if kind.measure.higher_is_closer else -values
        borderline(closeness, [at if kind.measure.higher_is_closer else -at for at in grid], place)
    place[len(kind.pairs) :] = 0  # what just missed being a pair
    order = np.lexsort((np.arange(number), closeness, place))
    if clusters is not None:
        order = firsts_of_clusters(kind, clusters, place, order)
    return order


def closest_first(kind: Kind, rows: Integers) -> Integers:
    """Put rows in the order in which the table shows them first."""
    if kind.measure is None:
        return np.sort(rows)
    values = kind.rows[kind.measure.column].to_numpy()[rows]
    return rows[np.lexsort((rows, -values if kind.measure.higher_is_closer else values))]


def borderline(closeness: np.ndarray, grid: Sequence[float], place: Integers) -> None:
    """Put the pairs that are nearest to a threshold first."""
    order = np.argsort(closeness, kind="stable")
    found = np.searchsorted(closeness[order], np.array(grid))
    for step, at in enumerate(found.tolist()):
        reach = AT_STEP if step else AT_THRESHOLD
        place[order[max(at - reach, 0) : at + reach]] = 0


def with_keeper(kind: Kind, clusters: Clusters, place: Integers) -> None:
    """Put the pairs of keepers and members of their clusters before others."""
    cluster, keeper = memberships(kind, clusters)
    a, b = kind.keys("a"), kind.keys("b")
    place[(cluster[a] >= 0) & (cluster[a] == cluster[b]) & (keeper[a] | keeper[b])] = 2


def firsts_of_clusters(kind: Kind, clusters: Clusters, place: Integers, order: Integers) -> Integers:
    """Put one pair of each cluster before the others with keepers."""
    cluster, _ = memberships(kind, clusters)
    own = order[place[order] == 2]
    _, first = np.unique(cluster[kind.keys("a")[own]], return_index=True)
    early = np.zeros(len(own), bool)
    early[first] = True
    own = np.concatenate([own[early], own[~early]])
    return np.concatenate([order[place[order] < 2], own, order[place[order] > 2]])


def memberships(kind: Kind, clusters: Clusters) -> tuple[Integers, np.ndarray]:
    """Return the cluster of each item, -1 for none, and whether it is a keeper."""
    sides = [kind.keys("a"), kind.keys("b"), clusters.items]
    number = max((int(side.max()) for side in sides if len(side)), default=-1) + 1
    cluster, keeper = np.full(number, -1), np.zeros(number, bool)
    cluster[clusters.items] = np.repeat(np.arange(len(clusters.size)), clusters.size)
    keeper[clusters.keeper] = True
    return cluster, keeper
