"""What can be done about near-duplicates in an evaluation: four policies.

- `runs`: lower ranked near-duplicates are removed from the runs; the judgements stay.
- `irrelevant`: they stay where they are, and count as irrelevant; the judgements stay.
- `qrels`: of near-duplicates that are judged for a topic, one stays; the runs stay.
- `both`: the judgements as in `qrels`, and a run that has any document of a group has the judged one,
  where the first of them stood.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from neardup.retrieval.duplicates import Duplicates
from neardup.retrieval.files import Judgement, Qrels, Ranking, Run

Policy = Literal["runs", "irrelevant", "qrels", "both"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
Keep = Literal["first", "relevant", "judged", "id"]
QRELS, DIVERSITY, RUNS = "qrels.txt", "diversity.txt", "runs"  # the files without near-duplicates
MASK = "!duplicate"  # after an id, it sorts where the id did, and nobody has judged it
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
    if keep == "first":
        return list(range(len(ids)))
    keys: dict[str, Callable[[int], tuple[object, ...]]] = {
        "relevant": lambda i: (-grades.get(ids[i], -(1 << 30)), i),
        "judged": lambda i: (ids[i] not in grades, i),
        "id": lambda i: (ids[i],),
    }
    return sorted(range(len(ids)), key=keys[keep])


def keepers(ids: Sequence[str], duplicates: Duplicates, order: Sequence[int]) -> list[int]:
    """Return for each document the place of the one that stays for it, -1 if it stays itself.

    `order` has the places of those first that should rather stay.
    """
    found = [-1] * len(ids)
    for place, keeper in zip(order, duplicates.keepers([ids[i] for i in order]), strict=True):
        found[place] = order[keeper] if keeper >= 0 else -1
    return found


def removals(
    name: str, topic: str, ids: Sequence[str], found: Sequence[int], duplicates: Duplicates
) -> Iterator[Removed]:
    """Yield what goes out of a list, and why."""
    for place, keeper in enumerate(found):
        if keeper >= 0:
            own, other = ids[place], ids[keeper]
            similarity = duplicates.similarity(own, other)
            yield Removed(name, topic, own, place + 1, other, keeper + 1, similarity)


def without(
    run: Run, duplicates: Duplicates, keep: Keep, grades: Mapping[str, Grades]
) -> tuple[Run, list[Removed]]:
    """Remove near-duplicates from a run."""
    topics: dict[str, Ranking] = {}
    removed: list[Removed] = []
    for topic, (ids, scores) in run.topics.items():
        found = keepers(ids, duplicates, preference(ids, keep, grades.get(topic, {})))
        removed += removals(f"{RUNS}/{run.name}", topic, ids, found, duplicates)
        kept = [i for i, keeper in enumerate(found) if keeper < 0]
        topics[topic] = Ranking([ids[i] for i in kept], [scores[i] for i in kept])
    return Run(run.name, topics, run.tag), removed


def masked(run: Run, duplicates: Duplicates) -> Run:
    """Give lower ranked near-duplicates an id that nobody has judged."""
    topics = {
        topic: Ranking(
            [
                own if keeper < 0 else own + MASK
                for own, keeper in zip(ids, duplicates.keepers(ids), strict=True)
            ],
            scores,
        )
        for topic, (ids, scores) in run.topics.items()
    }
    return Run(run.name, topics, run.tag)


def judged_once(
    qrels: Qrels,
    duplicates: Duplicates,
    keep: Keep,
    name: str = QRELS,
    rather: Mapping[str, Grades] | None = None,
) -> tuple[Qrels, list[Removed]]:
    """Remove near-duplicates from the judgements of each topic; those stay that `rather` has."""
    gone: set[tuple[str, str]] = set()
    removed: list[Removed] = []
    for topic, grades in qrels.grades.items():
        ids = list(grades)
        stays = (rather or {}).get(topic, {})
        order = sorted(preference(ids, keep, grades), key=lambda i: ids[i] not in stays)
        found = keepers(ids, duplicates, order)
        removed += removals(name, topic, ids, found, duplicates)
        gone.update((topic, own) for own, keeper in zip(ids, found, strict=True) if keeper >= 0)
    rows: list[Judgement] = [row for row in qrels.rows if (row.topic, row.id) not in gone]
    return Qrels(rows, qrels.name), removed


def collapsed(run: Run, duplicates: Duplicates, judged: Mapping[str, Grades]) -> Run:
    """Give each group the name of its judged document; only the first of a group stays.

    `judged` has no near-duplicates any more. Scores are made new, as names decide between equal ones.
    """
    topics: dict[str, Ranking] = {}
    for topic, (ids, _) in run.topics.items():
        grades = judged.get(topic, {})
        named = [*grades, *(own for own in ids if own not in grades)]
        staying = {
            own: named[keeper] if keeper >= 0 else own
            for own, keeper in zip(named, duplicates.keepers(named), strict=True)
        }
        kept = list(dict.fromkeys(staying[own] for own in ids))
        topics[topic] = Ranking(kept, [float(len(kept) - i) for i in range(len(kept))])
    return Run(run.name, topics, run.tag)
