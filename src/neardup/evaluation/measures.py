"""The measures: pure functions from what was found and what is right to numbers."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from math import comb, log2
from typing import Any, NamedTuple, TypeVar

import numpy as np

from neardup.arrays import Integers

Labels = Integers
Span = tuple[int, int]
Key = TypeVar("Key", bound=Hashable)


class Passage(NamedTuple):
    """The same wording in two documents: characters of each, end excluded."""

    id_a: str
    start_a: int
    end_a: int
    id_b: str
    start_b: int
    end_b: int

    @property
    def pair(self) -> tuple[str, str]:
        """Return the two documents."""
        return self.id_a, self.id_b

    @property
    def length(self) -> int:
        """Return the number of characters in both documents together."""
        return self.end_a - self.start_a + self.end_b - self.start_b

    def turned(self) -> "Passage":
        """Return the same passage with its sides exchanged."""
        return Passage(self.id_b, self.start_b, self.end_b, self.id_a, self.start_a, self.end_a)


@dataclass(frozen=True)
class PairScores:
    """Precision, recall and F1, and the counts that they come from."""

    precision: float
    recall: float
    f1: float
    right: int
    wrong: int
    missed: int


@dataclass(frozen=True)
class Agreement:
    """Precision, recall and F1 over a number of documents."""

    precision: float
    recall: float
    f1: float
    documents: int


@dataclass(frozen=True)
class ClusterScores:
    """How two ways to cluster the same documents agree."""

    adjusted_rand: float
    b_cubed: Agreement
    b_cubed_clustered: Agreement
    exact: float
    exact_clusters: int
    gold_clusters: int
    found_clusters: int


@dataclass(frozen=True)
class PassageScores:
    """PAN's measures, macro-averaged and micro-averaged, and the counts behind them."""

    plagdet: float
    precision: float
    recall: float
    f1: float
    granularity: float
    cases: int
    cases_found: int
    detections: int
    micro_plagdet: float
    micro_precision: float
    micro_recall: float
    micro_f1: float


class AsDict:
    """What a program is given of a dataclass: all of it, as plain values."""

    def as_dict(self) -> dict[str, Any]:
        """Return all of it."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]


def share(part: float, whole: float, *, otherwise: float) -> float:
    """Return a part of a whole, or something else if there is no whole."""
    return part / whole if whole else otherwise


def harmonic(precision: float, recall: float) -> float:
    """Return F1, which is 0 if both are.

    >>> harmonic(1.0, 0.5)
    0.6666666666666666
    """
    return share(2 * precision * recall, precision + recall, otherwise=0.0)


def pair_scores(right: int, wrong: int, missed: int) -> PairScores:
    """Return the scores for pairs found rightly, found wrongly, and missed.

    Where nothing was found, or nothing was to be found, the value that has no whole is 0; where neither
    was, all are 1.

    >>> pair_scores(3, 1, 3)
    PairScores(precision=0.75, recall=0.5, f1=0.6, right=3, wrong=1, missed=3)
    """
    nothing = 0.0 if right + wrong + missed else 1.0
    precision = share(right, right + wrong, otherwise=nothing)
    recall = share(right, right + missed, otherwise=nothing)
    return PairScores(precision, recall, harmonic(precision, recall), right, wrong, missed)


def cluster_scores(gold: Labels, found: Labels) -> ClusterScores:
    """Compare two clusterings: the label of each document in one and in the other.

    >>> both = cluster_scores(np.array([0, 0, 0, 1]), np.array([5, 5, 6, 7]))
    >>> both.b_cubed.precision, both.exact_clusters, both.gold_clusters
    (1.0, 0, 1)
    """
    size_gold, size_found = sizes(gold), sizes(found)
    common = sizes(numbered(gold) * len(found) + numbered(found))
    alone = (size_gold == 1) & (size_found == 1)
    first = np.unique(gold, return_index=True)[1]  # one document of each of gold's clusters
    first = first[size_gold[first] > 1]
    exact = int(((common == size_gold) & (common == size_found))[first].sum())
    found_first = np.unique(found, return_index=True)[1]
    return ClusterScores(
        adjusted_rand=adjusted_rand(size_gold, size_found, common),
        b_cubed=b_cubed(size_gold, size_found, common),
        b_cubed_clustered=b_cubed(size_gold[~alone], size_found[~alone], common[~alone]),
        exact=share(exact, len(first), otherwise=1.0),
        exact_clusters=exact,
        gold_clusters=len(first),
        found_clusters=int((size_found[found_first] > 1).sum()),
    )


def sizes(labels: Labels) -> Labels:
    """Return for each document how many have the same label.

    >>> sizes(np.array([7, 7, 9])).tolist()
    [2, 2, 1]
    """
    _, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    return counts[inverse.reshape(-1)].astype(np.int64)


def numbered(labels: Labels) -> Labels:
    """Return labels as numbers from 0 on, without gaps.

    >>> numbered(np.array([7, 30, 7])).tolist()
    [0, 1, 0]
    """
    return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)


def adjusted_rand(size_gold: Labels, size_found: Labels, common: Labels) -> float:
    """Return the Rand index, adjusted for chance (Hubert and Arabie 1985)."""
    documents = len(common)
    # Each document has size - 1 partners, and each pair is seen from both its ends.
    both, gold, found = (int((size - 1).sum()) // 2 for size in (common, size_gold, size_found))
    expected = share(gold * found, comb(documents, 2), otherwise=0.0)
    most = (gold + found) / 2
    return share(both - expected, most - expected, otherwise=1.0)


def b_cubed(size_gold: Labels, size_found: Labels, common: Labels) -> Agreement:
    """Return B-cubed precision and recall: means over documents (Bagga and Baldwin 1998)."""
    documents = len(common)
    precision = share(float((common / size_found).sum()), documents, otherwise=1.0)
    recall = share(float((common / size_gold).sum()), documents, otherwise=1.0)
    return Agreement(precision, recall, harmonic(precision, recall), documents)


def passage_scores(cases: Iterable[Passage], detections: Iterable[Passage]) -> PassageScores:
    """Return PAN's measures for the cases there are and the passages that were found.

    As Potthast, Stein, Barrón-Cedeño and Rosso define them (COLING 2010), with the conventions of
    PAN's own scorer (pan13-text-alignment-perfmeasures.py): without cases and detections precision and
    recall are 1, without one of the two they are 0. A passage counts once, however often it is listed.

    >>> case = Passage("a", 0, 100, "b", 0, 100)
    >>> halves = [Passage("a", 0, 50, "b", 0, 50), Passage("a", 50, 100, "b", 50, 100)]
    >>> scores = passage_scores([case], halves)
    >>> scores.precision, scores.recall, scores.granularity, round(scores.plagdet, 4)
    (1.0, 1.0, 2.0, 0.6309)
    """
    known, found = list(dict.fromkeys(cases)), list(dict.fromkeys(detections))
    matches = overlapping(known, found)
    by_case, by_detection = group(matches), group((j, i) for i, j in matches)
    granularity = share(len(matches), len(by_case), otherwise=1.0)
    nothing = 0.0 if known or found else 1.0
    recall = mean_covered(known, found, by_case, nothing)
    precision = mean_covered(found, known, by_detection, nothing)
    micro_precision, micro_recall = micro_averages(known, found, matches, nothing)
    return PassageScores(
        plagdet=plagdet(precision, recall, granularity),
        precision=precision,
        recall=recall,
        f1=harmonic(precision, recall),
        granularity=granularity,
        cases=len(known),
        cases_found=len(by_case),
        detections=len(found),
        micro_plagdet=plagdet(micro_precision, micro_recall, granularity),
        micro_precision=micro_precision,
        micro_recall=micro_recall,
        micro_f1=harmonic(micro_precision, micro_recall),
    )


def plagdet(precision: float, recall: float, granularity: float) -> float:
    """Return F1, lowered where cases were found in pieces."""
    return harmonic(precision, recall) / log2(1 + granularity)


def overlapping(cases: Sequence[Passage], found: Sequence[Passage]) -> list[tuple[int, int]]:
    """Return the places of all cases and detections that overlap in both documents."""
    by_pair = group((passage.pair, j) for j, passage in enumerate(found))
    matches: list[tuple[int, int]] = []
    for pair, numbers in group((case.pair, i) for i, case in enumerate(cases)).items():
        near = sorted(by_pair.get(pair, ()), key=lambda j: found[j].start_a)
        starts = [found[j].start_a for j in near]
        reach = list(accumulate((found[j].end_a for j in near), max))
        for i in numbers:
            # None before `first` reaches the case, none from `last` on begins before its end.
            first, last = bisect_right(reach, cases[i].start_a), bisect_left(starts, cases[i].end_a)
            matches += [(i, j) for j in near[first:last] if overlap(cases[i], found[j])]
    return matches


def overlap(one: Passage, other: Passage) -> bool:
    """Return whether two passages of the same pair have characters in common, on both sides."""
    return (
        one.start_a < other.end_a
        and other.start_a < one.end_a
        and one.start_b < other.end_b
        and other.start_b < one.end_b
    )


def mean_covered(
    passages: Sequence[Passage], others: Sequence[Passage], matches: dict[int, list[int]], nothing: float
) -> float:
    """Return the mean share of a passage's characters that those it overlaps with cover."""
    total = 0.0
    for i, numbers in matches.items():
        one = passages[i]
        side_a = union_length(clip(one, others[j])[0] for j in numbers)
        side_b = union_length(clip(one, others[j])[1] for j in numbers)
        total += share(side_a + side_b, one.length, otherwise=0.0)
    return share(total, len(passages), otherwise=nothing)


def micro_averages(
    cases: Sequence[Passage],
    found: Sequence[Passage],
    matches: Sequence[tuple[int, int]],
    nothing: float,
) -> tuple[float, float]:
    """Return precision and recall over the characters of all passages, each counted once a side."""
    common = [clipped(cases[i], found[j]) for i, j in matches]
    both = characters(common)
    precision = share(both, characters(found), otherwise=nothing)
    recall = share(both, characters(cases), otherwise=nothing)
    return precision, recall


def characters(passages: Iterable[Passage]) -> int:
    """Count the characters in any of the passages, for each side and document."""
    spans: defaultdict[tuple[str, str], list[Span]] = defaultdict(list)
    for passage in passages:
        spans["a", passage.id_a].append((passage.start_a, passage.end_a))
        spans["b", passage.id_b].append((passage.start_b, passage.end_b))
    return sum(map(union_length, spans.values()))


def clip(one: Passage, other: Passage) -> tuple[Span, Span]:
    """Return what two overlapping passages have in common on either side."""
    return (
        (max(one.start_a, other.start_a), min(one.end_a, other.end_a)),
        (max(one.start_b, other.start_b), min(one.end_b, other.end_b)),
    )


def clipped(one: Passage, other: Passage) -> Passage:
    """Return what two overlapping passages have in common as a passage."""
    (start_a, end_a), (start_b, end_b) = clip(one, other)
    return Passage(one.id_a, start_a, end_a, one.id_b, start_b, end_b)


def union_length(spans: Iterable[Span]) -> int:
    """Count the characters in any of the spans.

    >>> union_length([(5, 9), (0, 3), (2, 6)])
    9
    """
    total = reached = 0
    for start, end in sorted(spans):
        total += max(end - max(start, reached), 0)
        reached = max(reached, end)
    return total


def group(items: Iterable[tuple[Key, int]]) -> dict[Key, list[int]]:
    """Collect the numbers of each key.

    >>> group([("x", 1), ("y", 2), ("x", 3)])
    {'x': [1, 3], 'y': [2]}
    """
    out: defaultdict[Key, list[int]] = defaultdict(list)
    for key, value in items:
        out[key].append(value)
    return dict(out)
