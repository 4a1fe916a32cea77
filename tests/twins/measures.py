"""Readable twins of the measures: slow, obvious Python that says what each computes."""

from collections.abc import Sequence
from itertools import combinations

from neardup.evaluation import (
    Passage,
)


def slow_adjusted_rand(gold: Sequence[int], found: Sequence[int]) -> float:
    """Count all pairs of documents one by one."""
    pairs = list(combinations(range(len(gold)), 2))
    same_gold = {(i, j) for i, j in pairs if gold[i] == gold[j]}
    same_found = {(i, j) for i, j in pairs if found[i] == found[j]}
    expected = len(same_gold) * len(same_found) / len(pairs) if pairs else 0
    most = (len(same_gold) + len(same_found)) / 2
    return (len(same_gold & same_found) - expected) / (most - expected) if most != expected else 1.0


def slow_b_cubed(gold: Sequence[int], found: Sequence[int]) -> tuple[float, float]:
    """Look from each document at the members of its two clusters."""
    precision, recall = [], []
    for g, f in zip(gold, found, strict=True):
        own_gold = {i for i, other in enumerate(gold) if other == g}
        own_found = {i for i, other in enumerate(found) if other == f}
        precision.append(len(own_gold & own_found) / len(own_found))
        recall.append(len(own_gold & own_found) / len(own_gold))
    return sum(precision) / len(gold), sum(recall) / len(gold)


def slow_exact(gold: Sequence[int], found: Sequence[int]) -> int:
    """Compare the sets themselves."""

    def sets(values: Sequence[int]) -> set[frozenset[int]]:
        own = (frozenset(i for i, v in enumerate(values) if v == value) for value in set(values))
        return {members for members in own if len(members) > 1}

    return len(sets(gold) & sets(found))


Characters = set[tuple[str, str, int]]


def slow_characters(one: Passage) -> Characters:
    """List the characters of a passage one by one."""
    side_a = {("a", one.id_a, at) for at in range(one.start_a, one.end_a)}
    return side_a | {("b", one.id_b, at) for at in range(one.start_b, one.end_b)}


def slow_common(one: Passage, other: Passage) -> Characters:
    """Return the common characters of two passages of one pair that overlap on both sides."""
    common = slow_characters(one) & slow_characters(other)
    same = one.pair == other.pair
    return common if same and {side for side, _, _ in common} == {"a", "b"} else set()


def slow_recall(cases: set[Passage], found: set[Passage]) -> float:
    """Return the macro-averaged recall; with both exchanged it is the precision."""
    if not cases or not found:
        return 0.0 if cases or found else 1.0
    shares = []
    for case in cases:
        covered = set().union(*(slow_common(case, other) for other in found))
        shares.append(len(covered) / len(slow_characters(case)))
    return sum(shares) / len(cases)


def slow_micro_recall(cases: set[Passage], found: set[Passage]) -> float:
    if not cases or not found:
        return 0.0 if cases or found else 1.0
    common = set().union(*(slow_common(case, other) for case in cases for other in found))
    return len(common) / len(set().union(*map(slow_characters, cases)))


def slow_granularity(cases: set[Passage], found: set[Passage]) -> float:
    counts = [sum(bool(slow_common(case, other)) for other in found) for case in cases]
    detected = [count for count in counts if count]
    return sum(detected) / len(detected) if detected else 1.0
