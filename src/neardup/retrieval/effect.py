"""What near-duplicates do to measures of effectiveness, and to the order of the systems."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from neardup.arrays import Floats
from neardup.chance import kendall, paired_tests
from neardup.errors import SettingsError
from neardup.retrieval.borrowed import Borrowed, mean, needs_subtopics, parsed, why_not
from neardup.retrieval.files import Qrels
from neardup.retrieval.measures import HIGHEST_GRADE, MEASURES, Judgements, Measure, Scores, own_measure
from neardup.retrieval.runs import Catalogue, Run

SIGNIFICANT = 0.05
DEPTH = 20  # to which the ideal order is known at least


class Effect(NamedTuple):
    """One measure of one system under one policy, beside what it was before."""

    policy: str
    measure: str
    run: str
    before: float
    after: float
    rank_before: int
    rank_after: int
    p: float | None


class Order(NamedTuple):
    """How the order of the systems changed; pairs of systems that differ significantly."""

    policy: str
    measure: str
    tau: float | None
    tau_p: float | None
    pairs: int
    significant_before: int
    significant_after: int
    significant_in_both: int


@dataclass(frozen=True)
class Measures:
    """The measures asked for, in that order, and why some of the usual ones are left out."""

    names: dict[str, Any]
    remarks: list[str]

    @property
    def own(self) -> dict[str, Measure]:
        """Return those that we compute."""
        return {name: found for name, found in self.names.items() if isinstance(found, Measure)}

    @property
    def borrowed(self) -> dict[str, Any]:
        """Return those of ir_measures."""
        return {name: found for name, found in self.names.items() if not isinstance(found, Measure)}


def measure_named(name: str) -> Any:
    """Return a measure, our own or one of ir_measures."""
    return own_measure(name) or parsed(name)


def chosen_measures(given: Sequence[str] | None, qrels: Qrels, diversity: Qrels | None) -> Measures:
    """Look up the measures by name; the usual ones if none are given, as far as they can be had."""
    names: dict[str, Any] = {}
    remarks: list[str] = []
    for name in given or MEASURES:
        measure = measure_named(name)
        if (why := problem(name, measure, qrels, diversity)) and given:
            raise SettingsError(f"{name} cannot be computed: {why}")
        if why:
            remarks.append(f"{name} is left out: {why}")
        else:
            names[name] = measure
    return Measures(names, remarks)


def problem(name: str, measure: Any, qrels: Qrels, diversity: Qrels | None) -> str | None:
    """Say why a measure cannot be computed, if so."""
    own = isinstance(measure, Measure)
    if diversity is None and (measure.needs_subtopics if own else needs_subtopics(measure)):
        return "it needs judgements of subtopics: give them with diversity="
    if not own:
        return why_not(name, measure, qrels)
    highest = max(row.relevance for row in qrels.rows)
    if measure.kind == "ERR" and highest > HIGHEST_GRADE:
        return f"judgements over {HIGHEST_GRADE} are too high for it, as for gdeval"
    return None


class Evaluator:
    """Scores runs with some judgements, by our own measures and by those of ir_measures."""

    def __init__(
        self,
        measures: Measures,
        qrels: Qrels,
        diversity: Qrels | None,
        topics: Sequence[str],
        catalogue: Catalogue,
    ) -> None:
        self._measures = measures
        deepest = max((own.depth or 0 for own in measures.own.values()), default=0)
        self._own = Judgements(qrels, diversity, topics, catalogue, max(deepest, DEPTH))
        borrowed = measures.borrowed
        self._borrowed = Borrowed(borrowed, qrels, diversity, topics) if borrowed else None

    def scores(self, runs: Sequence[Run]) -> dict[str, Scores]:
        """Return the values of all topics for each run."""
        found = self._own.scores(self._measures.own, runs)
        if self._borrowed:
            found = [own | self._borrowed.scores(run) for own, run in zip(found, runs, strict=True)]
        named = self._measures.names
        return {
            run.name: {name: own[name] for name in named} for run, own in zip(runs, found, strict=True)
        }


def means(measures: Measures, scores: Scores) -> dict[str, float]:
    """Return each measure over all topics that count."""
    return {
        name: mean_of(scores[name]) if isinstance(measure, Measure) else mean(measure, scores[name])
        for name, measure in measures.names.items()
    }


def mean_of(values: Floats) -> float:
    """Return the mean of what is a number."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else 0.0


def ranks(values: Sequence[float]) -> list[int]:
    """Return the rank of each value, 1 for the highest; equal ones share the best.

    >>> ranks([0.2, 0.5, 0.2])
    [2, 1, 2]
    """
    return [1 + sum(other > value for other in values) for value in values]


def effects(
    policy: str, measures: Measures, before: Mapping[str, Scores], after: Mapping[str, Scores]
) -> Iterator[Effect]:
    """Compare each system with itself."""
    olds = {run: means(measures, scores) for run, scores in before.items()}
    news = {run: means(measures, scores) for run, scores in after.items()}
    for name in measures.names:
        old_ranks = ranks([olds[run][name] for run in before])
        new_ranks = ranks([news[run][name] for run in before])
        tests = paired_tests(*(stacked(scores, name) for scores in (before, after)))
        for run, old, new, p in zip(before, old_ranks, new_ranks, tests, strict=True):
            yield Effect(policy, name, run, olds[run][name], news[run][name], old, new, known(p))


def orders(
    measures: Measures, before: Mapping[str, Scores], after: Mapping[str, Mapping[str, Scores]]
) -> Iterator[Order]:
    """Compare the order of the systems under every policy, and which of them differ significantly."""
    olds = {name: [mean_of(found[name]) for found in before.values()] for name in measures.names}
    firsts = {name: significant(name, before) for name in measures.names}
    for policy, scores in after.items():
        for name, old in olds.items():
            tau, tau_p = kendall(old, [mean_of(found[name]) for found in scores.values()])
            first, second = firsts[name], significant(name, scores)
            counts = math.comb(len(old), 2), len(first), len(second), len(first & second)
            yield Order(policy, name, known(tau), known(tau_p), *counts)


def significant(name: str, scores: Mapping[str, Scores]) -> set[tuple[int, int]]:
    """Return the pairs of systems that differ significantly, by number, the better one first."""
    values = stacked(scores, name)
    one, other = np.triu_indices(len(values), 1)
    tests = paired_tests(values[one], values[other])
    means = values.mean(axis=1)
    pairs = zip(one[tests < SIGNIFICANT].tolist(), other[tests < SIGNIFICANT].tolist(), strict=True)
    return {(a, b) if means[a] > means[b] else (b, a) for a, b in pairs}


def stacked(scores: Mapping[str, Scores], name: str) -> Floats:
    """Return the values of a measure: systems in rows, topics that count in columns."""
    values = np.array([found[name] for found in scores.values()])
    return values[:, ~np.isnan(values).any(axis=0)]


def known(value: Any) -> float | None:
    """Return a number as it is, and None for what is none."""
    return None if math.isnan(value) else float(value)


def topic_rows(
    policy: str, topics: Sequence[str], scores: Mapping[str, Scores]
) -> Iterable[tuple[str, str, str, str, float]]:
    """Yield policy, run, topic, measure and value of everything that counts."""
    for run, found in scores.items():
        for name, values in found.items():
            for topic, value in zip(topics, values.tolist(), strict=True):
                if not math.isnan(value):
                    yield policy, run, topic, name, value
