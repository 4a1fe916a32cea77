"""Sheets of pairs that people have judged: how precise a result is, and how far the judges agree."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.chance import Concord, Interval, concord, share_interval
from neardup.errors import InputError, SettingsError
from neardup.evaluation.gold import Pair, ordered, read_text
from neardup.result import Result
from neardup.showing.kind import Integers, Kind, shortened
from neardup.web.cells import unguarded

DRAWN_BY = "drawn_by"  # of a sheet: the column by which pairs were drawn, empty if by chance alone
HEAD = (
    *("left", "right", "kind", "similarity", "label", "judge", "note", DRAWN_BY),
    *("left_text", "right_text"),
)
NEEDED = ("left", "right", "label")
Label = Literal["same", "different", "unsure"]
LABELS: tuple[Label, ...] = get_args(Label)
COLUMNS = f"A sheet has the columns {', '.join(NEEDED)}; neardup sample makes one."
ALL = "all pairs"
BANDS = 10  # of a column of numbers
csv.field_size_limit(1 << 30)


class Judgement(NamedTuple):
    """What one judge said of one pair."""

    pair: Pair
    judge: str
    label: Label


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


@dataclass(frozen=True)
class SheetScores:
    """What judges say of a result: of all pairs, and of each kind by itself, or of each value of `by`.

    Of several judges, the majority decides. `answers` is how far they agree over the pairs that all have
    judged, with unsure as an answer of its own; `sure` over those of which none was unsure. Of the
    `unjudged`, nothing is known: they are of kinds of which no pair was judged.
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

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers, for JSON."""
        return asdict(self)


class Read(NamedTuple):
    """What sheets say: judgements, how many pairs have none, and by which column they were drawn.

    Who marked pairs in a report of everything drew by nothing; that is None.
    """

    said: list[Judgement]
    empty: int
    by: str | None


def judged(result: Result | str | Path, sheets: str | Path | Iterable[str | Path]) -> SheetScores:
    """Read sheets that were filled in, each by one judge or with a column of judges."""
    found = Result.opened(result)
    found.check("report")
    paths = list(dict.fromkeys(map(Path, [sheets] if isinstance(sheets, str | Path) else sheets)))
    pairs = NamedPairs(found)
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
    return SheetScores(whole, kinds, read.by or "kind", judges, *agreement, *left)


class NamedPairs:
    """The pairs of a result by the names of their two sides."""

    def __init__(self, result: Result) -> None:
        kind = result.own_method.report(result)
        names = zip(*pair_names(kind, np.arange(len(result.pairs))), strict=True)
        self.rows = {ordered(a, b): row for row, (a, b) in enumerate(names)}
        self._shortened = {ordered(*map(shortened, pair)): pair for pair in self.rows}

    def pair(self, left: str, right: str) -> Pair:
        """Return a pair by its names, which may be as short, and as guarded, as a sheet has them."""
        pair = ordered(left, right)
        for tried in (pair, ordered(unguarded(left), unguarded(right))):
            if tried in self.rows or tried in self._shortened:
                return tried if tried in self.rows else self._shortened[tried]
        return pair


def values_of(result: Result, by: str) -> list[str]:
    """Return of each pair what it has in a column; of numbers, in which tenth of all pairs it is."""
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


def pair_names(kind: Kind, rows: Integers) -> tuple[list[str], list[str]]:
    """Return the names of both sides of pairs, as reports show them."""
    sides = (kind.items(kind.keys(side)[rows])["id"] for side in "ab")
    left, right = ([str(name) for name in side.to_pylist()] for side in sides)
    return left, right


def read_sheets(paths: Sequence[Path], pairs: NamedPairs) -> Read:
    """Read what sheets say, all drawn in the same way."""
    alike = Counter(path.name for path in paths)
    read = [read_sheet(path, pairs, path.name if alike[path.name] == 1 else str(path)) for path in paths]
    drawn = {one.by for one in read}
    if len(drawn) > 1:
        ways = ", ".join(
            sorted(f"by {by}" if by else "by chance" if by == "" else "not at all" for by in drawn)
        )
        hint = "Evaluate them one at a time: what each pair stands for differs."
        raise InputError(f"the pairs of these sheets were drawn differently ({ways})", hint=hint)
    return Read([row for one in read for row in one.said], sum(one.empty for one in read), drawn.pop())


def read_sheet(path: Path, pairs: NamedPairs, judge: str) -> Read:
    """Read what a sheet says; `judge` is who says it where no column does."""
    if not path.is_file():
        raise InputError("no such file", where=str(path), hint="Check the spelling of sheet=.")
    text = read_text(path)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter_of(text))
    columns = [str(name).strip().lower() for name in rows.fieldnames or ()]
    if missing := [name for name in NEEDED if name not in columns]:
        raise InputError(f"there is no column {missing[0]}", where=str(path), hint=COLUMNS)
    rows.fieldnames = columns
    found: list[Judgement] = []
    drawn: set[str] = set()
    empty = 0
    for row in rows:
        label = str(row["label"] or "").strip().lower()
        drawn.add((row.get(DRAWN_BY) or "").strip())
        if not label:
            empty += 1
        elif label not in LABELS:
            where = f"{path}:{rows.line_num}"
            hint = f"It is one of {', '.join(LABELS)}."
            raise InputError(f"{label!r} is not a label", where=where, hint=hint)
        else:
            pair = pairs.pair(str(row["left"]), str(row["right"]))
            found.append(Judgement(pair, (row.get("judge") or "").strip() or judge, label))
    if len(drawn) > 1:
        raise InputError(f"the column {DRAWN_BY} has several values", where=str(path))
    return Read(found, empty, drawn.pop() if drawn and DRAWN_BY in columns else None)


def delimiter_of(text: str) -> str:
    """Return what stands between columns; spreadsheets of some countries write semicolons."""
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


def votes(said: Iterable[Judgement]) -> dict[Pair, dict[str, Label]]:
    """Return what each judge says of each pair; of one judge, the last word counts."""
    found: defaultdict[Pair, dict[str, Label]] = defaultdict(dict)
    for row in said:
        found[row.pair][row.judge] = row.label
    return dict(found)


def majority(labels: Iterable[Label]) -> Label:
    """Return what more than half of the judges said; where there is no such answer, unsure."""
    counts = Counter(labels)
    label, number = counts.most_common(1)[0]
    return label if 2 * number > counts.total() else "unsure"


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
