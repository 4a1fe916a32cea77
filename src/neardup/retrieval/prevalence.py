"""How common near-duplicates are: among relevant documents, in topics' pools, in what runs return.

*Near-duplicates* are documents that resemble another one of the same set. *Redundant* are those that
resemble a better ranked (or earlier) one that stays: this many would have to go.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from neardup.arrays import Integers
from neardup.retrieval.duplicates import Near
from neardup.retrieval.files import Qrels
from neardup.retrieval.runs import Catalogue, Run

SHARES = tuple(range(5, 100, 5))  # per cent: the rows of table 4.1


class Prevalence(NamedTuple):
    """Near-duplicates of one set of documents; no topic stands for all topics together."""

    scope: str
    topic: str | None
    threshold: float | None
    documents: int
    near_duplicates: int
    redundant: int


class RunTopic(NamedTuple):
    """Near-duplicate and redundant documents among the top n of one run for one topic."""

    run: str
    topic: str
    threshold: float | None
    n: int
    documents: int
    near_duplicates: int
    redundant: int


class Cumulative(NamedTuple):
    """A cell of table 4.1: the share of run-topics of which more than a part of the top n are such.

    `near_duplicates` is the thesis's own figure; `redundant` counts those that would have to go.
    """

    threshold: float | None
    n: int
    more_than: float
    run_topics: int
    near_duplicates: float
    redundant: float


def pools(runs: Iterable[Run], catalogue: Catalogue) -> dict[str, Integers]:
    """Return all documents that any run returned for a topic, by id."""
    found: dict[str, list[Integers]] = {}
    for run in runs:
        for topic, ranking in run.topics.items():
            found.setdefault(topic, []).append(ranking.docs)
    pooled = {topic: np.unique(np.concatenate(lists)) for topic, lists in found.items()}
    return {
        topic: np.array(sorted(docs.tolist(), key=catalogue.names.__getitem__), np.int64)
        for topic, docs in pooled.items()
    }


def relevant_documents(qrels: Qrels, least: int, catalogue: Catalogue) -> dict[str, Integers]:
    """Return the relevant documents of each topic in the order of the judgements."""
    return {
        topic: catalogue.numbers(own for own, grade in grades.items() if grade >= least)
        for topic, grades in qrels.grades.items()
    }


def prevalence(scope: str, sets: Mapping[str, Integers], near: Near) -> Iterator[Prevalence]:
    """Count the near-duplicates of each topic's documents, and of all together."""
    every = np.concatenate([np.zeros(0, np.int64), *sets.values()])
    _, firsts = np.unique(every, return_index=True)
    together = every[np.sort(firsts)]
    for topic, docs in ((None, together), *sorted(sets.items(), key=lambda item: in_order(item[0]))):
        keepers, partners = near.meet(docs)
        alike, redundant = int((partners < len(docs)).sum()), int((keepers >= 0).sum())
        yield Prevalence(scope, topic, near.least, len(docs), alike, redundant)


def run_topics(runs: Iterable[Run], depths: Sequence[int], near: Near) -> Iterator[RunTopic]:
    """Count near-duplicate and redundant documents at the top of each run for each topic.

    One of the top n is a near-duplicate if one that it resembles is in the top n too.
    """
    for run in runs:
        for topic in sorted(run.topics, key=in_order):
            docs = run.topics[topic].docs
            keepers, partners = near.meet(docs)
            found = partners < len(docs)
            # the place from which on a document has its partner beside it
            since = np.sort(np.maximum(partners[found], np.flatnonzero(found)))
            gone = np.flatnonzero(keepers >= 0)
            for n in depths:
                alike, redundant = (int(np.searchsorted(places, n)) for places in (since, gone))
                top = min(n, len(docs))
                yield RunTopic(run.name, topic, near.least, n, top, alike, redundant)


def cumulative(rows: Iterable[RunTopic]) -> list[Cumulative]:
    """Return the cells of table 4.1; a share of less than one document of n has none."""
    found: dict[tuple[float | None, int], list[tuple[int, int, int]]] = {}
    for _, _, threshold, n, documents, alike, redundant in rows:
        if documents:
            found.setdefault((threshold, n), []).append((documents, alike, redundant))
    return [
        Cumulative(threshold, n, part / 100, len(own), *(share_above(c, wholes, part) for c in parts))
        for (threshold, n), own in found.items()
        for wholes, *parts in (np.array(own).T,)
        for part in SHARES
        if part * n >= 100
    ]


def share_above(parts: Integers, wholes: Integers, percent: int) -> float:
    """Return how many of some shares, each a part of a whole, are above a bound.

    >>> share_above(np.array([1, 3, 5]), np.array([10, 10, 10]), 30)
    0.3333333333333333
    """
    return int(np.count_nonzero(100 * parts > percent * wholes)) / len(parts)


def in_order(topic: str) -> tuple[int, str]:
    """Return what topics are sorted by: as numbers if they are numbers.

    >>> sorted(["10", "9", "a"], key=in_order)
    ['9', '10', 'a']
    """
    return (int(topic), "") if topic.isdecimal() else (1 << 62, topic)
