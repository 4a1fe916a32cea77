"""What judged pairs say of thresholds: how precise a result is beyond each, and which one to take."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from neardup.evaluation.precision import Precision, precisions, together, whole_precision
from neardup.showing.judged import Label, Pair
from neardup.showing.kind import Kind, ShownMeasure
from neardup.web.words import say

TARGET = 0.95  # of the pairs are to be right
LEAST_JUDGED = 20  # pairs of which judges are sure, before anything is advised


@dataclass(frozen=True)
class Step:
    """The pairs that remain at a threshold, and how many of them are right."""

    at: float
    pairs: int
    found: Precision


def steps(
    kind: Kind,
    values: Sequence[str],
    rows: Mapping[Pair, int],
    by_pair: Mapping[Pair, Mapping[str, Label]],
    by_chance: bool,
) -> list[Step]:
    """Return the precision at each threshold, the run's first; `values` are what pairs were drawn by."""
    measure = kind.measure
    if measure is None:
        return []
    names, codes = np.unique(np.asarray(values, object).astype(str), return_inverse=True)
    close = kind.pairs[measure.column].to_numpy()
    found = []
    for at in kind.grid:
        stays = close >= at if measure.higher_is_closer else close <= at
        judged = {pair: own for pair, own in by_pair.items() if stays[rows[pair]]}
        if not judged:
            break
        left = np.bincount(codes[stays], minlength=len(names)).tolist()
        counts = Counter(dict(zip(names.tolist(), left, strict=True)))
        kinds = precisions({pair: values[rows[pair]] for pair in judged}, judged, counts)
        pairs = int(stays.sum())
        found.append(Step(at, pairs, whole_precision(kinds, pairs) if by_chance else together(kinds)))
    return found


def advice(measure: ShownMeasure | None, found: Sequence[Step]) -> str | None:
    """Say in one sentence which threshold the judges would take; None without any."""
    if measure is None or not found:
        return None
    first = found[0]
    enough = [own for own in found if own.found.same + own.found.different >= LEAST_JUDGED]
    if not enough or first.found.precision is None:
        return say("advice.few", least=LEAST_JUDGED)
    right = [own for own in enough if (own.found.precision or 0) >= TARGET]
    before = {
        "before": percent(first.found.precision),
        "label": measure.label,
        "target": percent(TARGET),
    }
    if not right:
        return say("advice.none", **before)
    best = right[0]
    key = "stay" if best is first else "raise" if measure.higher_is_closer else "lower"
    return say(
        f"advice.{key}",
        **before,
        at=f"{best.at:.6g}",
        share=percent(best.found.precision or 0),
        low=percent(best.found.low),
        high=percent(best.found.high),
        some=f"{best.pairs:,}",
        all=f"{first.pairs:,}",
    )


def percent(value: float) -> str:
    """Write a share in per cent, rounded down: 99.96 % is not all.

    >>> percent(0.9996), percent(1.0), percent(0.5)
    ('99.9 %', '100 %', '50.0 %')
    """
    return "100 %" if value == 1 else f"{np.floor(1000 * value + 1e-9) / 10:.1f} %"
