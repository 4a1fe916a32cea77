"""Measures on arrays, equal to those of the field's tools: trec_eval, gdeval and ndeval.

Rows of a matrix are rankings, columns are ranks; a shorter ranking ends in documents that are worth
nothing. Judgements below 0 count as 0. A ranking has up to three orders: trec_eval compares scores as
32-bit numbers, gdeval as 64-bit ones, of equal ones the later id first; ndeval goes by the ranks of
the file.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.arrays import Bools, Floats, Integers
from neardup.errors import SettingsError
from neardup.retrieval.files import Qrels
from neardup.retrieval.runs import Catalogue, Ranking, Run

MEASURES = ("MAP", "nDCG@20", "P@20", "ERR@20", "alpha_nDCG@20", "ERR_IA@20")
HIGHEST_GRADE = 4  # that gdeval takes
NOVELTY = 0.5  # what a subtopic is worth if one document more has it (alpha of ndeval)
NAME = re.compile(r"(MAP|AP|nDCG|P|ERR|alpha_nDCG|ERR_IA)(?:@([1-9][0-9]{0,5}))?")
WHOLE = ("MAP", "nDCG")  # what needs no depth

Scores = dict[str, Floats]  # by the measure: the values of all topics


@dataclass(frozen=True)
class Measure:
    """One of our own measures, to a depth or of the whole ranking."""

    kind: str
    depth: int | None

    @property
    def needs_subtopics(self) -> bool:
        """Return whether it asks for judgements of subtopics."""
        return self.kind in ("alpha_nDCG", "ERR_IA")

    @property
    def tool(self) -> str:
        """Return which of the official tools computes it."""
        return "ndeval" if self.needs_subtopics else "gdeval" if self.kind == "ERR" else "trec_eval"


def own_measure(name: str) -> Measure | None:
    """Return one of our own measures by its name, None for any other name.

    >>> own_measure("P@20"), own_measure("P(rel=2)@20")
    (Measure(kind='P', depth=20), None)
    """
    found = NAME.fullmatch(name)
    if not found:
        return None
    kind = "MAP" if found[1] == "AP" else found[1]
    if found[2] is None and kind not in WHOLE:
        raise SettingsError(f"{name} needs a depth", hint=f"Write it like {name}@20.")
    return Measure(kind, int(found[2]) if found[2] else None)


class Topic(NamedTuple):
    """The judgements of a topic: documents, their grades, which subtopics each is relevant for.

    Subtopics that no document is relevant for are left out. In `ideal`, documents are in the order
    that is best for novelty, as far as that is known: one row each.
    """

    docs: Integers
    grades: Integers
    subtopics: Bools
    ideal: Bools


class Judgements:
    """The judgements of all topics as arrays; those of subtopics may be others, or none."""

    def __init__(
        self,
        qrels: Qrels,
        diversity: Qrels | None,
        topics: Sequence[str],
        catalogue: Catalogue,
        depth: int,
    ) -> None:
        self.topics = list(topics)
        self._catalogue = catalogue
        relevant: dict[str, dict[str, set[str]]] = {}
        for topic, subtopic, own, relevance in diversity.rows if diversity else ():
            if relevance > 0:
                relevant.setdefault(topic, {}).setdefault(own, set()).add(subtopic)
        self._topics = [
            self._topic(qrels.grades.get(topic, {}), relevant.get(topic, {}), depth) for topic in topics
        ]

    def _topic(self, grades: Mapping[str, int], relevant: Mapping[str, set[str]], depth: int) -> Topic:
        ids = sorted(grades.keys() | relevant, reverse=True)  # of equal gains, ndeval takes the later id
        names = sorted(set().union(*relevant.values()))
        subtopics = np.zeros((len(ids), len(names)), bool)
        for row, own in enumerate(ids):
            if own in relevant:
                subtopics[row] = [name in relevant[own] for name in names]
        numbers = [max(0, grades.get(own, 0)) for own in ids]
        docs = self._catalogue.numbers(ids)
        return Topic(docs, np.array(numbers, np.int64), subtopics, ideal_order(subtopics, depth))

    def scores(self, measures: Mapping[str, Measure], runs: Sequence[Run]) -> list[Scores]:
        """Return the values of all topics for each run; a topic that the run lacks has 0.

        As gdeval leaves out topics without relevant documents, its measures are nan there.
        """
        found = np.zeros((len(measures), len(runs), len(self.topics)))
        places = np.full(len(self._catalogue) + 1, -1)  # the last one is for what nobody has judged
        for number, (name, topic) in enumerate(zip(self.topics, self._topics, strict=True)):
            places[topic.docs] = np.arange(len(topic.docs))
            rankings = [run.topics.get(name) for run in runs]
            rows = [judged_rows(ranking, places) for ranking in rankings]
            places[topic.docs] = -1
            orders = {tool: matrix(list(map(order, rows, rankings))) for tool, order in ORDERS.items()}
            for place, measure in enumerate(measures.values()):
                own = FUNCTIONS[measure.kind](orders[measure.tool], topic, measure.depth)
                found[place, :, number] = own
        return [dict(zip(measures, found[:, run], strict=True)) for run in range(len(runs))]


def judged_rows(ranking: Ranking | None, places: Integers) -> Integers:
    """Return for each document of a ranking the row of its judgement, -1 if there is none."""
    if ranking is None:
        return np.zeros(0, np.int64)
    return places[np.maximum(ranking.docs, -1)]


def by_exact_scores(rows: Integers, ranking: Ranking | None) -> Integers:
    """Put what has the same score as a 32-bit number into the order of 64-bit ones."""
    if ranking is None or not (ranking.scores[1:] > ranking.scores[:-1]).any():
        return rows
    return rows[np.argsort(-ranking.scores, kind="stable")]


def by_ranks(rows: Integers, ranking: Ranking | None) -> Integers:
    """Put documents into the order of the file's ranks, if it has one for each, and else of scores."""
    if ranking is None or (ranking.ranks[1:] > ranking.ranks[:-1]).all():
        return rows
    order = np.argsort(ranking.ranks, kind="stable")
    ranks = ranking.ranks[order]
    if ranks[0] < 0 or (ranks[1:] == ranks[:-1]).any():
        return by_exact_scores(rows, ranking)
    return rows[order]


def matrix(lists: Sequence[Integers]) -> Integers:
    """Put lists below each other, and fill up with -1."""
    found = np.full((len(lists), max(map(len, lists), default=0)), -1)
    for row, values in zip(found, lists, strict=True):
        row[: len(values)] = values
    return found


def grades_of(rows: Integers, topic: Topic, depth: int | None) -> Integers:
    """Return the grade at each rank."""
    grades: Integers = np.append(topic.grades, 0)[rows[:, :depth]]
    return grades


def average_precision(rows: Integers, topic: Topic, depth: int | None) -> Floats:
    """Return the mean precision at each relevant document, 0 at those that were not found."""
    relevant = grades_of(rows, topic, depth) > 0
    precisions = np.cumsum(relevant, axis=1) / np.arange(1, relevant.shape[1] + 1)
    sums: Floats = (precisions * relevant).sum(axis=1)
    return sums / max(1, int((topic.grades > 0).sum()))


def precision(rows: Integers, topic: Topic, depth: int | None) -> Floats:
    """Return the share of relevant documents among the first ones."""
    relevant = grades_of(rows, topic, depth) > 0
    shares: Floats = relevant.sum(axis=1) / (depth or 1)
    return shares


def ndcg(rows: Integers, topic: Topic, depth: int | None) -> Floats:
    """Return the discounted gain, as a share of what the best order has."""
    ideal = dcg(np.sort(topic.grades)[::-1][None, :depth])[0]
    gains = dcg(grades_of(rows, topic, depth))
    return gains / ideal if ideal else np.zeros(len(rows))


def dcg(gains: npt.NDArray[Any]) -> Floats:
    """Return the sums of gains, each divided by the logarithm of its rank + 1."""
    found: Floats = (gains / np.log2(np.arange(2, gains.shape[1] + 2))).sum(axis=1)
    return found


def err(rows: Integers, topic: Topic, depth: int | None) -> Floats:
    """Return the expected reciprocal rank at which a reader is satisfied; nan if nobody ever is."""
    if not (topic.grades > 0).any():
        return np.full(len(rows), np.nan)
    satisfied = (2.0 ** grades_of(rows, topic, depth) - 1) / 2**HIGHEST_GRADE
    going_on = np.cumprod(1 - satisfied, axis=1)
    before = np.hstack([np.ones((len(rows), 1)), going_on])[:, : satisfied.shape[1]]
    found: Floats = (satisfied * before / np.arange(1, satisfied.shape[1] + 1)).sum(axis=1)
    return found


def gains_of(subtopics: Bools) -> Floats:
    """Return the gain at each rank: a subtopic is worth half as much each time that it comes again."""
    seen: Integers = np.cumsum(subtopics, axis=-2) - subtopics
    gains: Floats = np.where(subtopics, NOVELTY**seen, 0.0).sum(axis=-1)
    return gains


def covered(rows: Integers, topic: Topic, depth: int | None) -> Bools:
    """Return which subtopics the document at each rank is relevant for."""
    nothing = np.zeros((1, topic.subtopics.shape[1]), bool)
    return np.concatenate([topic.subtopics, nothing])[rows[:, :depth]]


def alpha_ndcg(rows: Integers, topic: Topic, depth: int | None) -> Floats:
    """Return the discounted gain with novelty, as a share of what a greedy order has."""
    ideal = dcg(gains_of(topic.ideal[None, :depth]))[0]
    gains = dcg(gains_of(covered(rows, topic, depth)))
    return gains / ideal if ideal else np.zeros(len(rows))


def err_ia(rows: Integers, topic: Topic, depth: int | None) -> Floats:
    """Return expected reciprocal ranks over subtopics, as a share of what no order can exceed."""
    count = topic.subtopics.shape[1]
    if not count or not depth:
        return np.zeros(len(rows))
    gains = gains_of(covered(rows, topic, depth))
    ranks = np.arange(depth)
    most = count * (NOVELTY**ranks / (ranks + 1)).sum()
    found: Floats = (gains / (ranks[: gains.shape[1]] + 1)).sum(axis=1) / most
    return found


def ideal_order(subtopics: Bools, depth: int) -> Bools:
    """Take the document with the highest gain each time, of equal ones the first."""
    worth = np.ones(subtopics.shape[1])
    gains = subtopics.astype(np.float64)
    left = np.ones(len(subtopics), bool)
    chosen: list[int] = []
    while len(chosen) < min(depth, len(subtopics)) and subtopics.shape[1]:
        best = int(np.argmax(np.where(left, gains @ worth, -1.0)))
        chosen.append(best)
        left[best] = False
        worth = np.where(subtopics[best], worth * NOVELTY, worth)
    return subtopics[chosen] if chosen else subtopics[:0]


FUNCTIONS = {
    "MAP": average_precision,
    "nDCG": ndcg,
    "P": precision,
    "ERR": err,
    "alpha_nDCG": alpha_ndcg,
    "ERR_IA": err_ia,
}
ORDERS = {"trec_eval": lambda rows, _: rows, "gdeval": by_exact_scores, "ndeval": by_ranks}
