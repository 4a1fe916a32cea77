"""Sheets of pairs that people have judged: how precise a result is, and how far the judges agree."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.chance import Concord, concord
from neardup.errors import InputError, SettingsError
from neardup.evaluation.measures import AsDict
from neardup.evaluation.precision import Precision, precisions, together, whole_precision
from neardup.evaluation.thresholds import Step, advice, steps
from neardup.result import Result
from neardup.retrieval.origins import origins_of_pairs
from neardup.showing.judged import LABELS, NamedPairs, read_sheets, votes

ORIGIN = "origin"  # no column of pairs: told by addresses and dates
BANDS = 10  # of a column of numbers


@dataclass(frozen=True)
class SheetScores(AsDict):
    """What judges say of a result: of all pairs, and of each kind by itself, or of each value of `by`.

    Of several judges, the majority decides. `answers` is how far they agree over the pairs that all have
    judged, with unsure as an answer of its own; `sure` over those of which none was unsure. Of the
    `unjudged`, nothing is known: they are of kinds of which no pair was judged. `steps` are the
    thresholds to choose from, and `advice` says which of them the judges would take.
    """

    all: Precision
    kinds: list[Precision]
    by: str
    judges: list[str]
    judged_by_all: int
    answers: Concord | None
    sure_of: int
    sure: Concord | None
    empty: int
    unknown: int
    unjudged: int
    steps: list[Step]
    advice: str | None


def judged(result: Result | str | Path, sheets: str | Path | Iterable[str | Path]) -> SheetScores:
    """Read sheets that were filled in, each by one judge or with a column of judges."""
    found = Result.opened(result)
    found.check("report")
    paths = list(dict.fromkeys(map(Path, [sheets] if isinstance(sheets, str | Path) else sheets)))
    kind = found.own_method.report(found)
    pairs = NamedPairs(kind)
    read = read_sheets(paths, pairs)
    known = [row for row in read.said if row.pair in pairs.rows]
    unknown = len(read.said) - len(known)
    if not known:
        what = f"none of {unknown:,} judged pairs is in this result" if unknown else "no pair is judged"
        hint = f"Write {', '.join(LABELS)} into the column label." if not unknown else None
        raise InputError(what, where=", ".join(map(str, paths)), hint=hint)
    values = values_of(found, "kind" if read.by is None else read.by or "kind")
    by_pair = votes(known)
    kinds = precisions({pair: values[pairs.rows[pair]] for pair in by_pair}, by_pair, Counter(values))
    by_chance = read.by == ""  # then all pairs had the same chance, whatever their kind
    whole = whole_precision(kinds, len(values)) if by_chance else together(kinds)
    judges = sorted({row.judge for row in known})
    complete = [
        tuple(own[judge] for judge in judges) for own in by_pair.values() if len(own) == len(judges)
    ]
    sure = [own for own in complete if "unsure" not in own]
    agreement = (len(complete), concord(complete), len(sure), concord(sure))
    left = (read.empty, unknown, len(values) - whole.pairs)
    beyond = steps(kind, values, pairs.rows, by_pair, by_chance)
    told = (beyond, advice(kind.measure, beyond))
    return SheetScores(whole, kinds, read.by or "kind", judges, *agreement, *left, *told)


def values_of(result: Result, by: str) -> list[str]:
    """Return of each pair what it has in a column; of numbers, in which tenth of all pairs it is."""
    if by == ORIGIN and ORIGIN not in result.pairs.column_names:
        return origins_of_pairs(result)
    if by not in result.pairs.column_names:
        if by == "kind":
            return [""] * len(result.pairs)
        hint = f"Its columns are: {', '.join(result.pairs.column_names)}."
        raise SettingsError(f"pairs of this result have no {by}", hint=hint)
    column = result.pairs[by]
    number = pa.types.is_floating(column.type) or pa.types.is_integer(column.type)
    if number and pc.count_distinct(column).as_py() > BANDS:
        return bands(column)
    shown = "{:.6g}".format if number else str
    return ["" if value is None else shown(value) for value in column.to_pylist()]


def bands(column: pa.ChunkedArray) -> list[str]:
    """Cut numbers into bands of about as many pairs each, and return the band of each."""
    values = pc.fill_null(column.cast(pa.float64()), np.nan).to_numpy()
    known = values[~np.isnan(values)]
    edges = np.unique(np.quantile(known, np.arange(BANDS + 1) / BANDS, method="lower"))
    place = np.clip(np.searchsorted(edges, values, "right") - 1, 0, max(len(edges) - 2, 0))
    ends = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    names = [f"{low:.6g} to {high:.6g}" for low, high in ends]
    return [
        "" if missing else names[band] for band, missing in zip(place, np.isnan(values), strict=True)
    ]
