"""Measures other than our own: ir_measures computes them, if it is installed."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from neardup.arrays import Floats
from neardup.errors import InputError, SettingsError
from neardup.retrieval.files import Qrels
from neardup.retrieval.measures import HIGHEST_GRADE, MEASURES, Scores
from neardup.retrieval.runs import Run

INSTALL = "Install it in neardup's folder with: pip install '.[trec]'"
MASK = "!duplicate"  # after an id, it sorts where the id did, and nobody has judged it


def parsed(name: str) -> Any:
    """Return the measure of a name."""
    try:
        return library(name).parse_measure(name)
    except (NameError, ValueError, TypeError, SyntaxError) as error:
        hint = "Take the names of ir_measures, such as MAP, nDCG@20 or P(rel=2)@10."
        raise SettingsError(f"{name!r} is not a measure: {error}", hint=hint) from None


def library(name: str) -> Any:
    """Import ir_measures, for the measure of this name."""
    try:
        import ir_measures
    except ImportError:
        raise InputError(
            f"{name} needs the package ir-measures",
            hint=f"{INSTALL}\nWithout it there are {', '.join(MEASURES)}, to any depth.",
        ) from None
    return ir_measures


def split_names(text: str) -> list[str]:
    """Cut a list of measures at commas and blanks outside of parentheses.

    >>> split_names("MAP, P(rel=2, judged_only=True)@10 nDCG@20")
    ['MAP', 'P(rel=2, judged_only=True)@10', 'nDCG@20']
    """
    return [name for name in re.split(r"[,\s]+(?![^(]*\))", text) if name]


def needs_subtopics(measure: object) -> bool:
    """Return whether a measure asks for judgements of subtopics."""
    return computed_by("pyndeval", measure)


def why_not(name: str, measure: object, qrels: Qrels) -> str | None:
    """Say why a measure cannot be computed, if so."""
    highest = max(row.relevance for row in qrels.rows)
    if computed_by("gdeval", measure) and highest > HIGHEST_GRADE:
        return f"judgements over {HIGHEST_GRADE} are too high for gdeval"
    if not library(name).DefaultPipeline.supports(measure):
        return (
            "what computes it is not here (some measures need Perl, or packages that ir-measures names)"
        )
    return None


def computed_by(provider: str, measure: object) -> bool:
    """Return whether a program computes a measure, and trec_eval does not."""
    programs = library(provider)
    return bool(
        getattr(programs, provider).supports(measure) and not programs.pytrec_eval.supports(measure)
    )


class Borrowed:
    """Scores runs by measures of ir_measures; its topics are those that are judged at first.

    Topics are handed over as numbers, as gdeval takes no others.
    """

    def __init__(
        self, measures: Mapping[str, Any], qrels: Qrels, diversity: Qrels | None, topics: Sequence[str]
    ) -> None:
        self._numbers = {topic: str(number) for number, topic in enumerate(topics, 1)}
        self._names = {repr(measure): name for name, measure in measures.items()}
        self._defaults = {name: measure.DEFAULT for name, measure in measures.items()}
        parts: defaultdict[bool, list[Any]] = defaultdict(list)
        for measure in measures.values():
            parts[needs_subtopics(measure)].append(measure)
        self._evaluators = [
            library("ir_measures").evaluator(
                some, self._judged(qrels, diversity if by_subtopic else None)
            )
            for by_subtopic, some in parts.items()
        ]

    def _judged(self, qrels: Qrels, diversity: Qrels | None) -> list[Any]:
        judged = library("ir_measures").Qrel
        if diversity is None:
            return [
                judged(number, own, grade)
                for topic, number in self._numbers.items()
                for own, grade in qrels.grades.get(topic, {}).items()
            ]
        return [
            judged(self._numbers[row.topic], row.id, row.relevance, row.subtopic)
            for row in diversity.rows
            if row.topic in self._numbers
        ]

    def scores(self, run: Run) -> Scores:
        """Return the values of all topics; a topic that the run lacks has the lowest value."""
        found = {name: np.full(len(self._numbers), value) for name, value in self._defaults.items()}
        names = run.catalogue.names
        rankings = {
            self._numbers[topic]: {
                names[doc] if doc >= 0 else names[~doc] + MASK: score
                for doc, score in zip(docs.tolist(), scores.tolist(), strict=True)
            }
            for topic, (docs, scores, _) in run.topics.items()
            if topic in self._numbers
        }
        for evaluator in self._evaluators:
            for metric in evaluator.iter_calc(rankings):
                found[self._names[repr(metric.measure)]][int(metric.query_id) - 1] = metric.value
        return found


def mean(measure: Any, values: Floats) -> float:
    """Return a measure over all topics, as ir_measures sums it up."""
    aggregator = measure.aggregator()
    for value in values.tolist():
        aggregator.add(value)
    return float(aggregator.result())
