"""The whole analysis: prevalence, origins, effect, and files without near-duplicates."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple, get_args

from neardup.engines.base import Progress, Silent
from neardup.errors import InputError, SettingsError
from neardup.retrieval import policies
from neardup.retrieval.duplicates import Duplicates
from neardup.retrieval.effect import (
    Effect,
    Evaluator,
    Measures,
    Order,
    Scores,
    chosen_measures,
    effects,
    judged_topics,
    orders,
    topic_rows,
)
from neardup.retrieval.files import Qrels, Run
from neardup.retrieval.origins import origin
from neardup.retrieval.policies import DIVERSITY, POLICIES, QRELS, RUNS, Keep, Removed
from neardup.retrieval.prevalence import (
    Cumulative,
    Prevalence,
    RunTopic,
    cumulative,
    pools,
    prevalence,
    relevant_documents,
    run_topics,
)

THRESHOLDS = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
DEPTHS = (10, 20, 50, 100, 200, 500)
USUAL = 0.5  # the lowest resemblance of what the thesis calls near-duplicates
BEFORE = "before"
NAMED = 3  # topics or runs that a remark names


@dataclass(frozen=True)
class TrecSettings:
    """What is counted, measured and kept.

    `threshold` says what a near-duplicate is; None stands for 0.5, or the lowest that is known. The
    prevalence is counted for all `thresholds` too; None stands for 0.9, 0.8, … as far as they are known.
    Judgements from `relevance` on are relevant.
    """

    threshold: float | None = None
    thresholds: tuple[float, ...] | None = None
    depths: tuple[int, ...] = DEPTHS
    measures: tuple[str, ...] | None = None
    relevance: int = 1
    keep: Keep = "first"
    shingle: str = "word:5"

    def __post_init__(self) -> None:
        given = [t for t in (self.threshold, *(self.thresholds or ())) if t is not None]
        if bad := [t for t in given if not 0 < t <= 1]:
            raise SettingsError(f"thresholds lie above 0 and up to 1, not at {bad[0]}")
        if bad_depths := [n for n in self.depths if n < 1]:
            raise SettingsError(f"the top of a ranking has 1 document at least, not {bad_depths[0]}")
        if self.keep not in get_args(Keep):
            raise SettingsError(
                f"keep is {self.keep!r}", hint=f"It is one of {', '.join(get_args(Keep))}."
            )

    @property
    def least(self) -> float:
        """Return the lowest threshold that anything is asked for."""
        return min(*(self.thresholds or ()), self.threshold or USUAL, 1)


class Pair(NamedTuple):
    """A redundant document of a pool, the one that it resembles, and where the two come from."""

    topic: str
    id: str
    keeper: str
    similarity: float | None
    url: str | None
    keeper_url: str | None
    origin: str


@dataclass(frozen=True)
class Analysis:
    """All that was found."""

    threshold: float | None
    prevalence: list[Prevalence]
    run_topics: list[RunTopic]
    cumulative: list[Cumulative]
    origins: list[Pair]
    effects: list[Effect]
    orders: list[Order]
    by_topic: list[tuple[str, str, str, str, float]]
    removed: list[Removed]
    runs: list[Run]
    qrels: Qrels
    diversity: Qrels | None
    counts: dict[str, int]
    remarks: list[str] = field(default_factory=list)


def analyse(
    runs: Sequence[Run],
    qrels: Qrels,
    duplicates: Duplicates,
    settings: TrecSettings,
    *,
    diversity: Qrels | None = None,
    urls: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    workers: int = 1,
) -> Analysis:
    """Say how common near-duplicates are, where they come from, and what they do."""
    remarks = [*input_remarks(runs, qrels, diversity), *duplicates.remarks]
    if diversity is None and qrels.has_subtopics:
        diversity = qrels
        remarks.append("a document's judgement is the highest of its subtopics")
    elif diversity is not None and not diversity.has_subtopics:
        raise InputError("these judgements know no subtopics", where=diversity.name)
    chosen, grid, more = known_thresholds(duplicates, settings)
    remarks += more
    near = duplicates.at(chosen)
    counted = count_all(runs, qrels, duplicates, grid, settings)
    measures = chosen_measures(settings.measures, qrels, diversity)
    remarks += measures.remarks
    cleaned, removed = judged_once(qrels, diversity, near, settings.keep)
    shorter = []
    for run in runs:
        short, gone = policies.without(run, near, settings.keep, qrels.grades)
        shorter.append(short)
        removed += gone
    scores = measure_all(
        runs,
        shorter,
        (qrels, diversity),
        cleaned,
        near,
        measures,
        progress or Silent(),
        workers,
    )
    pairs = pooled_pairs(runs, near, urls or {})
    if pairs and not any(pair.url for pair in pairs):
        remarks.append("no addresses of documents are known, so their origins are not: give urls")
    after = [(policy, scores[policy]) for policy in POLICIES]
    before, topics = scores[BEFORE], judged_topics(qrels)
    return Analysis(
        chosen,
        *counted,
        pairs,
        [row for policy, found in after for row in effects(policy, measures, before, found)],
        [row for policy, found in after for row in orders(policy, measures, before, found)],
        [row for policy in scores for row in topic_rows(policy, topics, scores[policy])],
        removed,
        shorter,
        *cleaned,
        counts_of(runs, qrels, removed, pairs),
        remarks,
    )


def known_thresholds(
    duplicates: Duplicates, settings: TrecSettings
) -> tuple[float | None, list[float | None], list[str]]:
    """Return the threshold, the grid of thresholds, and what had to be left out."""
    least = duplicates.least
    if least is None:
        return None, [None], ["groups have no similarity: one prevalence, whatever the threshold"]
    chosen = max(USUAL, least) if settings.threshold is None else settings.threshold
    asked = settings.thresholds or THRESHOLDS
    grid: list[float | None] = [t for t in sorted(asked, reverse=True) if t >= least]
    remarks = []
    if (missing := len(asked) - len(grid)) and settings.thresholds:
        remarks.append(f"{missing} thresholds below {least} are left out: such pairs are not known")
    if chosen not in grid:
        grid = sorted([*grid, chosen], key=lambda t: -(t or 0))
    return chosen, grid, remarks


def input_remarks(runs: Sequence[Run], qrels: Qrels, diversity: Qrels | None) -> list[str]:
    """Say what is odd about the input, and what is done about it."""
    remarks: dict[str, list[str]] = {}
    judged = set(qrels.grades)
    for run in runs:
        if not judged & set(run.topics):
            hint = "Is it a run for these topics?"
            raise InputError("no topic of this run has judgements", where=run.name, hint=hint)
        own = [*run.remarks]
        if extra := set(run.topics) - judged:
            own.append(f"topics without judgements are not measured: {listed(extra)}")
        if missing := judged - set(run.topics):
            own.append(f"nothing was found for topics that are measured as 0: {listed(missing)}")
        for remark in own:
            remarks.setdefault(remark, []).append(run.name)
    found = [f"{listed(names)}: {remark}" for remark, names in remarks.items()]
    found += [f"{given.name}: {r}" for given in (qrels, diversity) if given for r in given.remarks]
    total = sum(len(run.topics) for run in runs)
    if tied := sum(run.tied for run in runs):
        found.append(
            f"equal scores in {tied:,} of {total:,} run-topics: of those, the later id goes first"
        )
    if misplaced := sum(run.misplaced for run in runs):
        found.append(f"ranks against the scores in {misplaced:,} of {total:,} run-topics: scores count")
    return found


def listed(names: Iterable[str]) -> str:
    """Name some, and say how many more there are.

    >>> listed(["4", "1", "3", "2"])
    '1, 2, 3 and 1 more'
    """
    known = sorted(names)
    more = f" and {len(known) - NAMED:,} more" if len(known) > NAMED else ""
    return ", ".join(known[:NAMED]) + more


def count_all(
    runs: Sequence[Run],
    qrels: Qrels,
    duplicates: Duplicates,
    grid: Sequence[float | None],
    settings: TrecSettings,
) -> tuple[list[Prevalence], list[RunTopic], list[Cumulative]]:
    """Count near-duplicates at every threshold."""
    sets = {
        "relevant": relevant_documents(qrels, settings.relevance),
        "judged": {topic: list(grades) for topic, grades in qrels.grades.items()},
        "pool": pools(runs),
    }
    found: list[Prevalence] = []
    tops: list[RunTopic] = []
    for threshold in grid:
        near = duplicates.at(threshold)
        for scope, documents in sets.items():
            found += prevalence(scope, documents, near)
        tops += run_topics(runs, settings.depths, near)
    found.sort(key=lambda row: list(sets).index(row.scope))
    return found, tops, cumulative(tops)


def judged_once(
    qrels: Qrels, diversity: Qrels | None, near: Duplicates, keep: Keep
) -> tuple[tuple[Qrels, Qrels | None], list[Removed]]:
    """Remove near-duplicates from all judgements."""
    cleaned, removed = policies.judged_once(qrels, near, keep)
    if diversity is None or diversity is qrels:
        return (cleaned, cleaned if diversity else None), removed
    other, more = policies.judged_once(diversity, near, keep, DIVERSITY, cleaned.grades)
    return (cleaned, other), removed + more


def measure_all(
    runs: Sequence[Run],
    shorter: Sequence[Run],
    given: tuple[Qrels, Qrels | None],
    cleaned: tuple[Qrels, Qrels | None],
    near: Duplicates,
    measures: Measures,
    progress: Progress,
    workers: int,
) -> dict[str, dict[str, Scores]]:
    """Measure all runs before and under every policy."""
    topics = judged_topics(given[0])
    old, new = (Evaluator(measures, *qrels, topics) for qrels in (given, cleaned))
    ways: dict[str, tuple[Evaluator, Iterable[Run]]] = {
        BEFORE: (old, runs),
        "runs": (old, shorter),
        "irrelevant": (old, (policies.masked(run, near) for run in runs)),
        "qrels": (new, runs),
        "both": (new, (policies.collapsed(run, near, cleaned[0].grades) for run in runs)),
    }
    scores: dict[str, dict[str, Scores]] = {}
    with (
        progress.step("measure", len(ways) * len(runs), "runs") as advance,
        ThreadPoolExecutor(workers) as pool,
    ):
        for policy, (evaluator, changed) in ways.items():
            waiting = {run.name: pool.submit(evaluator.scores, run) for run in changed}
            scores[policy] = {}
            for name, job in waiting.items():
                scores[policy][name] = job.result()
                advance(1)
    return scores


def pooled_pairs(runs: Sequence[Run], near: Duplicates, urls: Mapping[str, str]) -> list[Pair]:
    """Return each redundant document of the pools with the one that stays for it."""
    found = []
    for topic, ids in sorted(pools(runs).items()):
        for own, keeper in zip(ids, near.keepers(ids), strict=True):
            if keeper >= 0:
                other = ids[keeper]
                similarity = near.similarity(own, other)
                a, b = urls.get(own), urls.get(other)
                found.append(Pair(topic, own, other, similarity, a, b, origin(a, b, similarity)))
    return found


def counts_of(
    runs: Sequence[Run], qrels: Qrels, removed: Sequence[Removed], pairs: Sequence[Pair]
) -> dict[str, int]:
    """Count what was read, found and removed."""
    counts = {
        "runs": len(runs),
        "run-topics": sum(len(run.topics) for run in runs),
        "documents in runs": sum(len(r.ids) for run in runs for r in run.topics.values()),
        "topics judged": len(qrels.grades),
        "judgements": len(qrels.rows),
        "documents judged": sum(map(len, qrels.grades.values())),
        "removed from qrels": sum(row.file == QRELS for row in removed),
        "removed from runs": sum(row.file.startswith(RUNS) for row in removed),
        "redundant in pools": len(pairs),
    }
    origins = sorted({pair.origin for pair in pairs})
    counts |= {f"origin: {kind}": sum(p.origin == kind for p in pairs) for kind in origins}
    return counts
