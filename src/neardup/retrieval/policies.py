"""What can be done about near-duplicates in an evaluation: four policies.

- `runs`: lower ranked near-duplicates are removed from the runs; the judgements stay.
- `irrelevant`: they stay where they are, and count as irrelevant; the judgements stay.
- `qrels`: of near-duplicates that are judged for a topic, one stays; the runs stay.
- `both`: the judgements as in `qrels`, and a run that has any document of a group has the judged one,
  where the first of them stood.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from neardup.arrays import Integers
from neardup.retrieval.duplicates import Near
from neardup.retrieval.files import Judgement, Qrels
from neardup.retrieval.runs import Catalogue, Ranking, Run

Policy = Literal["runs", "irrelevant", "qrels", "both"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
Keep = Literal["first", "relevant", "judged", "id"]
QRELS, DIVERSITY, RUNS = "qrels.txt", "diversity.txt", "runs"  # the files without near-duplicates
Grades = Mapping[str, int]


class Removed(NamedTuple):
    """A document that is not in a file any more, and the one that stays for it."""

    file: str
    topic: str
    id: str
    rank: int
    keeper: str
    keeper_rank: int
    similarity: float | None


def preference(ids: Sequence[str], keep: Keep, grades: Grades) -> list[int]:
    """Return the places of some documents, those first that should rather stay."""
    places = range(len(ids))
    if keep == "relevant":
        return sorted(places, key=lambda i: (-grades.get(ids[i], -(1 << 30)), i))
    if keep == "judged":
        return sorted(places, key=lambda i: (ids[i] not in grades, i))
    return sorted(places, key=lambda i: ids[i]) if keep == "id" else list(places)


def keepers(docs: Integers, near: Near, order: Sequence[int] | None = None) -> Integers:
    """Return for each document the place of the one that stays for it, -1 if it stays itself.

    `order` has the places of those first that should rather stay.
    """
    if order is None:
        return near.meet(docs)[0]
    places = np.array(order, np.int64)
    kept = near.meet(docs[places])[0]
    found = np.empty(len(docs), np.int64)
    found[places] = np.where(kept < 0, -1, places[kept])
    return found


def removals(
    name: str, topic: str, docs: Integers, found: Integers, near: Near, catalogue: Catalogue
) -> Iterator[Removed]:
    """Yield what goes out of a list, and why."""
    names = catalogue.names
    places = np.flatnonzero(found >= 0)
    pairs = docs[places].tolist(), docs[found[places]].tolist()
    ranks = (places + 1).tolist(), (found[places] + 1).tolist()
    for own, other, rank, keeper_rank in zip(*pairs, *ranks, strict=True):
        similarity = near.similarity(own, other)
        yield Removed(name, topic, names[own], rank, names[other], keeper_rank, similarity)


def without(run: Run, near: Near, keep: Keep, grades: Mapping[str, Grades]) -> tuple[Run, list[Removed]]:
    """Remove near-duplicates from a run."""
    topics: dict[str, Ranking] = {}
    removed: list[Removed] = []
    for topic, ranking in run.topics.items():
        docs, order = ranking.docs, None
        if keep != "first":
            order = preference(run.catalogue.ids(docs), keep, grades.get(topic, {}))
        found = keepers(docs, near, order)
        removed += removals(f"{RUNS}/{run.name}", topic, docs, found, near, run.catalogue)
        topics[topic] = ranking.chosen(found < 0)
    return changed(run, topics), removed


def masked(run: Run, near: Near) -> Run:
    """Give lower ranked near-duplicates a number that nobody has judged: -1 and less."""
    topics = {
        topic: ranking._replace(
            docs=np.where(near.meet(ranking.docs)[0] < 0, ranking.docs, ~ranking.docs)
        )
        for topic, ranking in run.topics.items()
    }
    return changed(run, topics)


def changed(run: Run, topics: dict[str, Ranking]) -> Run:
    """Return a run with other rankings."""
    return Run(run.name, topics, run.catalogue, run.tag)


def judged_once(
    qrels: Qrels,
    near: Near,
    catalogue: Catalogue,
    keep: Keep,
    name: str = QRELS,
    rather: Mapping[str, Grades] | None = None,
) -> tuple[Qrels, list[Removed]]:
    """Remove near-duplicates from the judgements of each topic; those stay that `rather` has."""
    gone: set[tuple[str, str]] = set()
    removed: list[Removed] = []
    for topic, grades in qrels.grades.items():
        ids = list(grades)
        docs = catalogue.numbers(ids)
        stays = (rather or {}).get(topic, {})
        order = sorted(preference(ids, keep, grades), key=lambda i: ids[i] not in stays)
        found = keepers(docs, near, order)
        removed += removals(name, topic, docs, found, near, catalogue)
        gone.update((topic, ids[place]) for place in np.flatnonzero(found >= 0).tolist())
    rows: list[Judgement] = [row for row in qrels.rows if (row.topic, row.id) not in gone]
    return Qrels(rows, qrels.name), removed


def collapsed(run: Run, near: Near, judged: Mapping[str, Integers]) -> Run:
    """Give each group the name of its judged document; only the first of a group stays.

    `judged` has no near-duplicates any more. Scores are made new, as names decide between equal ones.
    """
    topics: dict[str, Ranking] = {}
    count = len(run.catalogue)
    places, known = np.empty(count, np.int64), np.zeros(count, bool)
    for topic, ranking in run.topics.items():
        docs, grades = ranking.docs, judged.get(topic, np.zeros(0, np.int64))
        known[grades] = True
        named = np.concatenate([grades, docs[~known[docs]]])
        known[grades] = False
        kept = near.meet(named)[0]
        places[named] = np.where(kept < 0, named, named[kept])
        stays = places[docs]
        order = np.arange(len(docs))
        places[stays[::-1]] = order[::-1]
        firsts = stays[places[stays] == order]
        order = order[: len(firsts)]
        topics[topic] = Ranking(firsts, -order.astype(np.float64), order)
    return changed(run, topics)
