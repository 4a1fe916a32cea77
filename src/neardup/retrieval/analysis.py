"""The whole analysis: prevalence, origins, effect, and files without near-duplicates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, get_args

import numpy as np

from neardup.arrays import Integers
from neardup.engines.base import Progress, Silent
from neardup.errors import InputError, SettingsError
from neardup.retrieval import declared, policies
from neardup.retrieval.duplicates import Duplicates, Near
from neardup.retrieval.effect import (
    Effect,
    Evaluator,
    Measures,
    Order,
    chosen_measures,
    effects,
    orders,
    topic_rows,
)
from neardup.retrieval.files import Qrels
from neardup.retrieval.measures import Scores
from neardup.retrieval.origins import origin
from neardup.retrieval.policies import DIVERSITY, POLICIES, QRELS, RUNS, Keep, Removed
from neardup.retrieval.prevalence import (
    Cumulative,
    Prevalence,
    RunTopic,
    cumulative,
    in_order,
    pools,
    prevalence,
    relevant_documents,
    run_topics,
)
from neardup.retrieval.runs import Catalogue, Run

THRESHOLDS = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
DEPTHS = (10, 20, 50, 100, 200, 500)
USUAL = 0.5  # the lowest resemblance of what the thesis calls near-duplicates
BEFORE = "before"
NAMED = 3  # topics or runs that a remark names
ONE_TRACK = "Are the runs and the judgements those of one track?"


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
    preset: str | None = None

    def __post_init__(self) -> None:
        given = [t for t in (self.threshold, *(self.thresholds or ())) if t is not None]
        if bad := [t for t in given if not 0 < t <= 1]:
            raise SettingsError(f"thresholds must be above 0 and at most 1: got {bad[0]}")
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
class Counted:
    """How common near-duplicates are."""

    prevalence: list[Prevalence] = field(default_factory=list)
    run_topics: list[RunTopic] = field(default_factory=list)
    cumulative: list[Cumulative] = field(default_factory=list)
    origins: list[Pair] = field(default_factory=list)


@dataclass(frozen=True)
class Measured:
    """What near-duplicates do to measures, and judgements without them."""

    qrels: Qrels
    diversity: Qrels | None
    effects: list[Effect]
    orders: list[Order]
    by_topic: list[tuple[str, str, str, str, float]]


@dataclass(frozen=True)
class Analysis:
    """All that was found; without judgements, nothing is measured."""

    threshold: float | None
    counted: Counted
    measured: Measured | None
    removed: list[Removed]
    runs: list[Run]
    counts: dict[str, int]
    remarks: list[str] = field(default_factory=list)


def analyse(
    runs: Sequence[Run],
    qrels: Qrels | None,
    duplicates: Duplicates,
    settings: TrecSettings,
    *,
    catalogue: Catalogue,
    diversity: Qrels | None = None,
    urls: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Say how common near-duplicates are, where they come from, and what they do."""
    remarks = [*input_remarks(runs, qrels, diversity), *duplicates.remarks]
    diversity, more = subtopics_of(qrels, diversity)
    remarks += more
    for given in (qrels, diversity):
        catalogue.numbers(row.id for row in (given.rows if given else ()))
    chosen, grid, more = known_thresholds(duplicates, settings)
    remarks += more
    near = duplicates.near(catalogue)
    pool = pools(runs, catalogue)
    counted = count_all(runs, qrels, pool, near, grid, settings, catalogue)
    near = near.at(chosen)
    removed: list[Removed] = []
    shorter: list[Run] = []
    for run in runs:
        short, gone = policies.without(run, near, settings.keep, qrels.grades if qrels else {})
        shorter.append(short)
        removed += gone
    measured = None
    if qrels is not None:
        measures = chosen_measures(settings.measures, qrels, diversity)
        remarks += measures.remarks
        cleaned, gone = judged_once(qrels, diversity, near, settings.keep, catalogue)
        removed = gone + removed
        judged = {topic: catalogue.numbers(grades) for topic, grades in cleaned[0].grades.items()}
        ways = changed_runs(runs, shorter, near, judged)
        measured = measure(ways, (qrels, diversity), cleaned, measures, catalogue, progress or Silent())
    pairs = pooled_pairs(pool, near, urls or {}, catalogue)
    if pairs and not any(pair.url for pair in pairs):
        remarks.append("no addresses of documents are known, so no origins are: give them with urls=")
    counts = counts_of(runs, qrels, removed, pairs)
    counted = replace(counted, origins=pairs)
    return Analysis(chosen, counted, measured, removed, shorter, counts, remarks)


def subtopics_of(qrels: Qrels | None, diversity: Qrels | None) -> tuple[Qrels | None, list[str]]:
    """Return the judgements of subtopics, and what is assumed of them."""
    if diversity is None and qrels is not None and qrels.has_subtopics:
        return qrels, ["a document's judgement is the highest of its subtopics"]
    if diversity is not None and not diversity.has_subtopics:
        raise InputError("these judgements have no subtopics", where=diversity.name)
    return diversity, []


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


def input_remarks(runs: Sequence[Run], qrels: Qrels | None, diversity: Qrels | None) -> list[str]:
    """Say what is odd about the input, and what is done about it."""
    remarks: dict[str, list[str]] = {}
    judged = set(qrels.grades) if qrels else set()
    for run in runs:
        own = [*run.remarks]
        if qrels and not judged & set(run.topics):
            raise InputError(
                f"no topic of this run has judgements: line 1 is of topic {next(iter(run.topics))}, and "
                f"line 1 of {qrels.name} of topic {qrels.rows[0].topic}",
                where=run.where or run.name,
                hint=ONE_TRACK,
            )
        if qrels and (extra := set(run.topics) - judged):
            own.append(f"topics without judgements are not measured: {listed(extra)}")
        if missing := judged - set(run.topics):
            own.append(f"nothing was found for topics that are measured as 0: {listed(missing)}")
        for remark in own:
            remarks.setdefault(remark, []).append(run.name)
    found = [f"{listed(names)}: {remark}" for remark, names in remarks.items()]
    found += [f"{given.name}: {r}" for given in (qrels, diversity) if given for r in given.remarks]
    if qrels:
        found += without_relevant(runs, qrels)
    total = sum(len(run.topics) for run in runs)
    if tied := sum(run.tied for run in runs):
        found.append(
            f"equal scores in {tied:,} of {total:,} run-topics: of those, the later id goes first"
        )
    if misplaced := sum(run.misplaced for run in runs):
        found.append(
            f"ranks against the scores in {misplaced:,} of {total:,} run-topics: scores count, but for "
            "measures of subtopics, as ndeval goes by ranks"
        )
    return found


def without_relevant(runs: Sequence[Run], qrels: Qrels) -> list[str]:
    """Name topics without a relevant document; refuse judgements of which no run has a document."""
    known = runs[0].catalogue
    for topic, grades in qrels.grades.items():
        judged = [known[own] for own in grades if own in known]
        if any(np.isin(run.topics[topic].docs, judged).any() for run in runs if topic in run.topics):
            break
    else:
        raise InputError(
            f"no run has any document that is judged for its topic, such as {qrels.rows[0].id} (line 1)",
            where=qrels.name,
            hint=ONE_TRACK,
        )
    empty = [topic for topic, grades in qrels.grades.items() if max(grades.values()) <= 0]
    what = "topics without a relevant document count as 0, and for ERR not at all"
    return [f"{qrels.name}: {what}: {listed(empty)}"] if empty else []


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
    qrels: Qrels | None,
    pool: Mapping[str, Integers],
    near: Near,
    grid: Sequence[float | None],
    settings: TrecSettings,
    catalogue: Catalogue,
) -> Counted:
    """Count near-duplicates at every threshold."""
    sets: dict[str, Mapping[str, Integers]] = {}
    if qrels:
        sets["relevant"] = relevant_documents(qrels, settings.relevance, catalogue)
        sets["judged"] = {t: catalogue.numbers(grades) for t, grades in qrels.grades.items()}
    sets["pool"] = pool
    found: list[Prevalence] = []
    tops: list[RunTopic] = []
    for threshold in grid:
        here = near.at(threshold)
        for scope, documents in sets.items():
            found += prevalence(scope, documents, here)
        tops += run_topics(runs, settings.depths, here)
    found.sort(key=lambda row: list(sets).index(row.scope))
    return Counted(found, tops, cumulative(tops))


def judged_once(
    qrels: Qrels, diversity: Qrels | None, near: Near, keep: Keep, catalogue: Catalogue
) -> tuple[tuple[Qrels, Qrels | None], list[Removed]]:
    """Remove near-duplicates from all judgements."""
    cleaned, removed = policies.judged_once(qrels, near, catalogue, keep)
    if diversity is None or diversity is qrels:
        return (cleaned, cleaned if diversity else None), removed
    rather = cleaned.grades
    other, more = policies.judged_once(diversity, near, catalogue, keep, DIVERSITY, rather)
    return (cleaned, other), removed + more


def changed_runs(
    runs: Sequence[Run], shorter: Sequence[Run], near: Near, judged: Mapping[str, Integers]
) -> dict[str, Sequence[Run]]:
    """Return the runs before and under every policy."""
    return {
        BEFORE: runs,
        "runs": shorter,
        "irrelevant": [policies.masked(run, near) for run in runs],
        "qrels": runs,
        "both": [policies.collapsed(run, near, judged) for run in runs],
    }


def measure(
    ways: Mapping[str, Sequence[Run]],
    given: tuple[Qrels, Qrels | None],
    cleaned: tuple[Qrels, Qrels | None],
    measures: Measures,
    catalogue: Catalogue,
    progress: Progress,
) -> Measured:
    """Measure all runs before and under every policy."""
    topics = sorted(given[0].grades, key=in_order)
    old, new = (Evaluator(measures, *qrels, topics, catalogue) for qrels in (given, cleaned))
    scores: dict[str, dict[str, Scores]] = {}
    with progress.step("measure", len(ways) * len(ways[BEFORE]), "runs") as advance:
        for policy, runs in ways.items():
            evaluator = new if policy in ("qrels", "both") else old
            scores[policy] = same_topics(scores.get(BEFORE), evaluator.scores(runs))
            advance(len(runs))
    before = scores[BEFORE]
    after: dict[str, dict[str, Scores]] = {policy: scores[policy] for policy in POLICIES}
    return Measured(
        *cleaned,
        [row for policy, found in after.items() for row in effects(policy, measures, before, found)],
        list(orders(measures, before, after)),
        [row for policy in scores for row in topic_rows(policy, topics, scores[policy])],
    )


def same_topics(before: Mapping[str, Scores] | None, after: dict[str, Scores]) -> dict[str, Scores]:
    """Let the same topics count as before: one that lost its last relevant document has 0."""
    if before is None:
        return after
    return {
        run: {
            name: np.where(np.isnan(values) & ~np.isnan(before[run][name]), 0.0, values)
            for name, values in found.items()
        }
        for run, found in after.items()
    }


def pooled_pairs(
    pool: Mapping[str, Integers], near: Near, urls: Mapping[str, str], catalogue: Catalogue
) -> list[Pair]:
    """Return each redundant document of the pools with the one that stays for it."""
    found = []
    for topic, docs in sorted(pool.items()):
        keepers = near.meet(docs)[0]
        for place in np.flatnonzero(keepers >= 0).tolist():
            own, other = int(docs[place]), int(docs[keepers[place]])
            similarity = near.similarity(own, other)
            ids = catalogue.names[own], catalogue.names[other]
            a, b = urls.get(ids[0]), urls.get(ids[1])
            found.append(Pair(topic, *ids, similarity, a, b, origin(a, b, similarity)))
    return found


def counts_of(
    runs: Sequence[Run], qrels: Qrels | None, removed: Sequence[Removed], pairs: Sequence[Pair]
) -> dict[str, int]:
    """Count what was read, found and removed."""
    counts: dict[str, int] = {
        declared.RUNS: len(runs),
        declared.RUN_TOPICS: sum(len(run.topics) for run in runs),
        declared.DOCUMENTS_IN_RUNS: sum(len(r.docs) for run in runs for r in run.topics.values()),
        declared.TOPICS_JUDGED: len(qrels.grades) if qrels else 0,
        declared.JUDGEMENTS: len(qrels.rows) if qrels else 0,
        declared.DOCUMENTS_JUDGED: sum(map(len, qrels.grades.values())) if qrels else 0,
        declared.REMOVED_FROM_QRELS: sum(row.file == QRELS for row in removed),
        declared.REMOVED_FROM_RUNS: sum(row.file.startswith(RUNS) for row in removed),
        declared.REDUNDANT_IN_POOLS: len(pairs),
    }
    origins = sorted({pair.origin for pair in pairs})
    counts |= {f"{declared.ORIGINS}.{o}": sum(p.origin == o for p in pairs) for o in origins}
    return counts
