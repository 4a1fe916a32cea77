"""What near-duplicates do to measures of effectiveness: ir_measures computes them, before and after."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError, SettingsError
from neardup.retrieval.files import Qrels, Ranking, Run
from neardup.retrieval.prevalence import in_order

MEASURES = ("MAP", "nDCG@20", "P@20", "ERR@20", "alpha_nDCG@20", "ERR_IA@20")
HIGHEST_GRADE = 4  # that gdeval, which computes ERR, takes
SIGNIFICANT = 0.05
EVEN = 1e-12  # what rounding leaves of no difference
INSTALL = "Install it in neardup's folder with: pip install '.[trec]'"

Scores = dict[str, npt.NDArray[np.float64]]  # by the measure: the values of all topics


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


def chosen_measures(given: Sequence[str] | None, qrels: Qrels, diversity: Qrels | None) -> Measures:
    """Look up the measures by name; the usual ones if none are given, as far as they can be had."""
    ir_measures = library()
    highest = max(row.relevance for row in qrels.rows)
    names: dict[str, Any] = {}
    remarks: list[str] = []
    for name in given or MEASURES:
        measure = parsed(name)
        why = None
        if needs_subtopics(measure) and diversity is None:
            why = "it needs judgements of subtopics: give diversity"
        elif is_gdeval(measure) and highest > HIGHEST_GRADE:
            why = f"judgements over {HIGHEST_GRADE} are too high for gdeval"
        elif not ir_measures.DefaultPipeline.supports(measure):
            why = "what computes it is not here (ERR needs Perl, subtopics need neardup[trec])"
        if why and given:
            raise SettingsError(f"{name} cannot be computed: {why}")
        if why:
            remarks.append(f"{name} is left out: {why}")
        else:
            names[name] = measure
    return Measures(names, remarks)


def parsed(name: str) -> Any:
    """Return the measure of a name."""
    try:
        return library().parse_measure(name)
    except (NameError, ValueError, TypeError, SyntaxError) as error:
        hint = "Take the names of ir_measures, such as MAP, nDCG@20 or P(rel=2)@10."
        raise SettingsError(f"{name!r} is not a measure: {error}", hint=hint) from None


def library() -> Any:
    """Import ir_measures."""
    try:
        import ir_measures
    except ImportError:
        raise InputError("measures need the package ir-measures", hint=INSTALL) from None
    return ir_measures


def split_names(text: str) -> list[str]:
    """Cut a list of measures at commas and blanks outside of parentheses.

    >>> split_names("MAP, P(rel=2, judged_only=True)@10 nDCG@20")
    ['MAP', 'P(rel=2, judged_only=True)@10', 'nDCG@20']
    """
    return [name for name in re.split(r"[,\s]+(?![^(]*\))", text) if name]


def needs_subtopics(measure: Any) -> bool:
    """Say whether a measure asks for judgements of subtopics."""
    ir_measures = library()
    return bool(ir_measures.pyndeval.supports(measure) and not ir_measures.pytrec_eval.supports(measure))


def is_gdeval(measure: Any) -> bool:
    """Say whether gdeval computes a measure."""
    ir_measures = library()
    return bool(ir_measures.gdeval.supports(measure) and not ir_measures.pytrec_eval.supports(measure))


def depth_of(measure: Any) -> int | None:
    """Return the rank below which nothing counts, None if everything does."""
    parameters = measure.SUPPORTED_PARAMS
    if "cutoff" not in parameters or ("judged_only" in parameters and measure["judged_only"]):
        return None
    return int(measure["cutoff"]) if isinstance(measure["cutoff"], int) else None


class Evaluator:
    """Scores runs with some judgements; its topics are those that are judged at first.

    Measures that look at the top only get the top only: the programs behind some of them are slow.
    Topics are handed over as numbers, as gdeval takes no others. Runs may be scored side by side:
    gdeval is a program of its own, and all else takes its turn.
    """

    def __init__(
        self, measures: Measures, qrels: Qrels, diversity: Qrels | None, topics: Sequence[str]
    ) -> None:
        ir_measures = library()
        self._numbers = {topic: str(number) for number, topic in enumerate(topics, 1)}
        self._names = {repr(measure): name for name, measure in measures.names.items()}
        parts: defaultdict[tuple[int | None, bool, bool], list[Any]] = defaultdict(list)
        for measure in measures.names.values():
            parts[depth_of(measure), needs_subtopics(measure), is_gdeval(measure)].append(measure)
        self._turn = Lock()
        self._parts: list[tuple[int | None, AbstractContextManager[Any], Any]] = []
        for (depth, by_subtopic, by_gdeval), some in parts.items():
            given = diversity if by_subtopic and diversity else qrels
            # gdeval reads them again for each run, and leaves out what is not relevant
            judged = self._judgements(given, by_subtopic, 1 if by_gdeval else None)
            turn = nullcontext() if by_gdeval else self._turn
            self._parts.append((depth, turn, ir_measures.evaluator(some, judged)))
        self._defaults = {name: measure.DEFAULT for name, measure in measures.names.items()}

    def _judgements(self, qrels: Qrels, by_subtopic: bool, least: int | None) -> Any:
        if not by_subtopic:
            grades = qrels.grades
            return {
                number: {
                    own: grade
                    for own, grade in grades.get(topic, {}).items()
                    if least is None or grade >= least
                }
                for topic, number in self._numbers.items()
            }
        qrel = library().Qrel
        return [
            qrel(self._numbers[row.topic], row.id, row.relevance, row.subtopic)
            for row in qrels.rows
            if row.topic in self._numbers
        ]

    def scores(self, run: Run) -> Scores:
        """Return the values of all topics; a topic that the run lacks has the lowest value."""
        found = {name: np.full(len(self._numbers), value) for name, value in self._defaults.items()}
        for depth, turn, evaluator in self._parts:
            rankings = {
                self._numbers[topic]: dict(zip(*top(ranking, depth), strict=True))
                for topic, ranking in run.topics.items()
                if topic in self._numbers
            }
            with turn:
                metrics = list(evaluator.iter_calc(rankings))
            for metric in metrics:
                found[self._names[repr(metric.measure)]][int(metric.query_id) - 1] = metric.value
        return found


def top(ranking: Ranking, depth: int | None) -> Ranking:
    """Return the best documents and all that have, roughly, the score of the last of them."""
    if depth is None or len(ranking.ids) <= depth:
        return ranking
    least = np.float32(ranking.scores[depth - 1])
    while depth < len(ranking.ids) and np.float32(ranking.scores[depth]) == least:
        depth += 1
    return Ranking(ranking.ids[:depth], ranking.scores[:depth])


def means(measures: Measures, scores: Scores) -> dict[str, float]:
    """Return each measure over all topics, as ir_measures sums it up."""
    found = {}
    for name, measure in measures.names.items():
        aggregator = measure.aggregator()
        for value in scores[name]:
            aggregator.add(float(value))
        found[name] = float(aggregator.result())
    return found


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
    policy: str, measures: Measures, before: Mapping[str, Scores], after: Mapping[str, Scores]
) -> Iterator[Order]:
    """Compare the order of the systems, and which of them differ significantly."""
    from scipy.stats import kendalltau

    for name in measures.names:
        old, new = (stacked(scores, name).mean(axis=1) for scores in (before, after))
        tau, tau_p = (float("nan"),) * 2
        if len(old) > 1:
            tau, tau_p = kendalltau(old, new)
        first, second = (significant(name, scores) for scores in (before, after))
        pairs = math.comb(len(old), 2)
        both = len(first & second)
        yield Order(policy, name, known(tau), known(tau_p), pairs, len(first), len(second), both)


def significant(name: str, scores: Mapping[str, Scores]) -> set[tuple[int, int]]:
    """Return the pairs of systems that differ significantly, by number, the better one first."""
    values = stacked(scores, name)
    one, other = np.triu_indices(len(values), 1)
    tests = paired_tests(values[one], values[other])
    means = values.mean(axis=1)
    pairs = zip(one[tests < SIGNIFICANT].tolist(), other[tests < SIGNIFICANT].tolist(), strict=True)
    return {(a, b) if means[a] > means[b] else (b, a) for a, b in pairs}


def stacked(scores: Mapping[str, Scores], name: str) -> npt.NDArray[np.float64]:
    """Return the values of a measure: systems in rows, topics in columns."""
    return np.array([found[name] for found in scores.values()])


def paired_tests(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return p of the paired t-test for each row; 1 where nothing differs, nan with one topic."""
    from scipy.stats import ttest_rel

    if a.shape[1] < 2 or not len(a):
        return np.full(len(a), np.nan)
    difference = a - b
    always = np.ptp(difference, axis=1) < EVEN  # the test would divide by the deviation
    found = np.where(np.abs(difference[:, 0]) < EVEN, 1.0, 0.0)
    if not always.all():
        found[~always] = ttest_rel(a[~always], b[~always], axis=1).pvalue
    return found


def known(value: Any) -> float | None:
    """Return a number as it is, and None for what is none."""
    return None if math.isnan(value) else float(value)


def judged_topics(qrels: Qrels) -> list[str]:
    """Return the topics that have judgements, in order."""
    return sorted(qrels.grades, key=in_order)


def topic_rows(
    policy: str, topics: Sequence[str], scores: Mapping[str, Scores]
) -> Iterable[tuple[str, str, str, str, float]]:
    """Yield policy, run, topic, measure and value of everything that was measured."""
    for run, found in scores.items():
        for name, values in found.items():
            for topic, value in zip(topics, values.tolist(), strict=True):
                yield policy, run, topic, name, value
