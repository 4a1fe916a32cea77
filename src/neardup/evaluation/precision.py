"""How many of the pairs that people judged are right: of each kind, and of all, with intervals."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from neardup.chance import Interval, share_interval
from neardup.showing.judged import LABELS, Label, Pair, majority

ALL = "all pairs"


@dataclass(frozen=True)
class Precision:
    """How many judged pairs of a kind are the same text to their judges; `low` to `high` is 95 % sure.

    `pairs` is how many of the kind the result has.
    """

    kind: str
    pairs: int
    same: int
    different: int
    unsure: int
    precision: float | None
    low: float
    high: float


def precisions(
    kind_of: Mapping[Pair, str], by_pair: Mapping[Pair, Mapping[str, Label]], counts: Mapping[str, int]
) -> list[Precision]:
    """Return the precision of each kind of pairs that anybody has judged."""
    decided: defaultdict[str, Counter[Label]] = defaultdict(Counter)
    for pair, labels in by_pair.items():
        decided[kind_of[pair]][majority(labels.values())] += 1
    return [precision(name, counts[name], found) for name, found in sorted(decided.items())]


def precision(kind: str, pairs: int, found: Mapping[Label, int]) -> Precision:
    """Return the precision of one kind of pairs, of which some were drawn by chance.

    Of those that nobody judged, as many would be sure as of those that were.
    """
    same, different, unsure = (found.get(label, 0) for label in LABELS)
    sure = same + different
    value = same / sure if sure else None
    ends = share_interval(same, sure, population=pairs * sure / max(sure + unsure, 1))
    return Precision(kind, pairs, same, different, unsure, value, *ends)


def whole_precision(kinds: Sequence[Precision], pairs: int) -> Precision:
    """Return the precision of all pairs, of which some were drawn by chance alone."""
    return precision(ALL, pairs, sums(kinds))


def sums(kinds: Sequence[Precision]) -> dict[Label, int]:
    """Return how many pairs of all kinds got each label."""
    return {label: sum(getattr(own, label) for own in kinds) for label in LABELS}


def together(kinds: Sequence[Precision]) -> Precision:
    """Return the precision of all kinds, each weighed by how many sure pairs of it the result has.

    So rare kinds may be judged as often as others. The ends of the interval are put together from
    those of the kinds, as by Zou and Donner (2008).
    """
    weights = [
        own.pairs * (own.same + own.different) / (own.same + own.different + own.unsure) for own in kinds
    ]
    whole = sum(weights)
    value = down = up = 0.0
    for own, weight in zip(kinds, weights, strict=True):
        if own.precision is not None:
            share = weight / whole
            value += share * own.precision
            down += (share * (own.precision - own.low)) ** 2
            up += (share * (own.high - own.precision)) ** 2
    ends = Interval(max(0.0, value - sqrt(down)), min(1.0, value + sqrt(up)))
    pairs = sum(own.pairs for own in kinds)
    shown = (value, *ends) if whole else (None, 0.0, 1.0)
    return Precision(ALL, pairs, *sums(kinds).values(), *shown)
