"""How common near-duplicates are: among relevant documents, in topics' pools, in what runs return.

*Near-duplicates* are documents that resemble another one of the same set. *Redundant* are those that
resemble a better ranked (or earlier) one that stays: this many would have to go.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from neardup.retrieval.duplicates import Duplicates
from neardup.retrieval.files import Qrels, Run
from neardup.steps.rounding import lowered

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
    """Redundant documents among the top n of one run for one topic."""

    run: str
    topic: str
    threshold: float | None
    n: int
    documents: int
    redundant: int


class Cumulative(NamedTuple):
    """A cell of table 4.1: run-topics whose top n are redundant to this share or more."""

    threshold: float | None
    n: int
    least: float
    run_topics: int
    share: float


def pools(runs: Iterable[Run]) -> dict[str, list[str]]:
    """Return all documents that any run returned for a topic, by id."""
    found: dict[str, set[str]] = {}
    for run in runs:
        for topic, ranking in run.topics.items():
            found.setdefault(topic, set()).update(ranking.ids)
    return {topic: sorted(ids) for topic, ids in found.items()}


def relevant_documents(qrels: Qrels, least: int) -> dict[str, list[str]]:
    """Return the relevant documents of each topic in the order of the judgements."""
    return {
        topic: [own for own, grade in grades.items() if grade >= least]
        for topic, grades in qrels.grades.items()
    }


def prevalence(scope: str, sets: dict[str, list[str]], duplicates: Duplicates) -> Iterator[Prevalence]:
    """Count the near-duplicates of each topic's documents, and of all together."""
    together = list(dict.fromkeys(own for ids in sets.values() for own in ids))
    for topic, ids in ((None, together), *sorted(sets.items(), key=lambda item: in_order(item[0]))):
        redundant = sum(keeper >= 0 for keeper in duplicates.keepers(ids))
        alike = duplicates.alike(ids)
        yield Prevalence(scope, topic, duplicates.least, len(ids), alike, redundant)


def run_topics(runs: Iterable[Run], depths: Sequence[int], duplicates: Duplicates) -> Iterator[RunTopic]:
    """Count the redundant documents at the top of each run for each topic."""
    for run in runs:
        for topic in sorted(run.topics, key=in_order):
            keepers = duplicates.keepers(run.topics[topic].ids)
            counts = [0, *accumulate(keeper >= 0 for keeper in keepers)]
            for n in depths:
                top = min(n, len(keepers))
                yield RunTopic(run.name, topic, duplicates.least, n, top, counts[top])


def cumulative(rows: Iterable[RunTopic]) -> list[Cumulative]:
    """Return the cells of table 4.1; a share of less than one document of n has none."""
    found: dict[tuple[float | None, int], list[float]] = {}
    for row in rows:
        if row.documents:
            found.setdefault((row.threshold, row.n), []).append(row.redundant / row.documents)
    return [
        Cumulative(threshold, n, least / 100, len(shares), share_of(shares, least / 100))
        for (threshold, n), shares in found.items()
        for least in SHARES
        if least * n >= 100
    ]


def share_of(shares: Sequence[float], least: float) -> float:
    """Return the share of values that reach a bound, rounding aside.

    >>> share_of([0.1, 0.3, 0.5], 0.3)
    0.6666666666666666
    """
    return sum(share >= lowered(least) for share in shares) / len(shares)


def in_order(topic: str) -> tuple[int, str]:
    """Return what topics are sorted by: as numbers if they are numbers.

    >>> sorted(["10", "9", "a"], key=in_order)
    ['9', '10', 'a']
    """
    return (int(topic), "") if topic.isdecimal() else (1 << 62, topic)
