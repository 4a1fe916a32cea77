"""The measures of retrieval as their definitions say them: slow, one ranking at a time."""

from collections.abc import Mapping, Sequence
from math import log2

Grades = Mapping[str, int]
Subtopics = Mapping[str, set[str]]


def average_precision(ids: Sequence[str], grades: Grades) -> float:
    found, total = 0, 0.0
    for rank, own in enumerate(ids, 1):
        if grades.get(own, 0) > 0:
            found += 1
            total += found / rank
    relevant = sum(grade > 0 for grade in grades.values())
    return total / relevant if relevant else 0.0


def precision(ids: Sequence[str], grades: Grades, depth: int) -> float:
    return sum(grades.get(own, 0) > 0 for own in ids[:depth]) / depth


def dcg(gains: Sequence[float]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg(ids: Sequence[str], grades: Grades, depth: int) -> float:
    ideal = dcg(sorted((max(0, grade) for grade in grades.values()), reverse=True)[:depth])
    return dcg([max(0, grades.get(own, 0)) for own in ids[:depth]]) / ideal if ideal else 0.0


def err(ids: Sequence[str], grades: Grades, depth: int) -> float:
    going_on, total = 1.0, 0.0
    for rank, own in enumerate(ids[:depth], 1):
        satisfied = (2 ** max(0, grades.get(own, 0)) - 1) / 16
        total += going_on * satisfied / rank
        going_on *= 1 - satisfied
    return total


def gains(ids: Sequence[str], subtopics: Subtopics) -> list[float]:
    worth: dict[str, float] = {}
    found = []
    for own in ids:
        found.append(sum(worth.get(name, 1.0) for name in subtopics.get(own, ())))
        for name in subtopics.get(own, ()):
            worth[name] = worth.get(name, 1.0) / 2
    return found


def alpha_ndcg(ids: Sequence[str], subtopics: Subtopics, depth: int) -> float:
    left = sorted(subtopics)
    best: list[str] = []
    while left and len(best) < depth:
        chosen = max(left, key=lambda own: (gains([*best, own], subtopics)[-1], own))
        best.append(chosen)
        left.remove(chosen)
    ideal = dcg(gains(best, subtopics))
    return dcg(gains(ids[:depth], subtopics)) / ideal if ideal else 0.0


def err_ia(ids: Sequence[str], subtopics: Subtopics, depth: int) -> float:
    count = len(set().union(*subtopics.values()))
    most = count * sum(0.5**rank / (rank + 1) for rank in range(depth))
    found = sum(gain / rank for rank, gain in enumerate(gains(ids[:depth], subtopics), 1))
    return found / most if count else 0.0
