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

from neardup.chance import Interval, cohen, fleiss, share_interval
from neardup.errors import InputError
from neardup.evaluation.gold import Pair, ordered, read_text
from neardup.result import Result
from neardup.showing.kind import Integers, Kind, shortened
from neardup.web.cells import unguarded

HEAD = ("left", "right", "kind", "similarity", "label", "judge", "note", "left_text", "right_text")
NEEDED = ("left", "right", "label")
Label = Literal["same", "different", "unsure"]
LABELS: tuple[Label, ...] = get_args(Label)
COLUMNS = f"A sheet has the columns {', '.join(NEEDED)}; neardup sample makes one."
ALL = "all kinds"
csv.field_size_limit(1 << 30)


class Judgement(NamedTuple):
    """What one judge said of one pair."""

    pair: Pair
    judge: str
    label: Label
    kind: str


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
    """What judges say of a result: for all kinds of pairs together, and for each by itself.

    Of several judges, the majority decides. `kappa` is their agreement beyond chance: Cohen's of two,
    Fleiss' of more, over the pairs that all have judged.
    """

    all: Precision
    kinds: list[Precision]
    judges: list[str]
    judged_by_all: int
    kappa: float | None
    empty: int
    unknown: int

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers, for JSON."""
        return asdict(self)


def judged(result: Result | str | Path, sheets: str | Path | Iterable[str | Path]) -> SheetScores:
    """Read sheets that were filled in, each by one judge or with a column of judges."""
    found = Result.opened(result)
    found.check("report")
    paths = [sheets] if isinstance(sheets, str | Path) else list(sheets)
    kinds = KindsOfPairs(found)
    said: list[Judgement] = []
    empty = unknown = 0
    for path in map(Path, paths):
        rows, blank = read_sheet(path, kinds)
        known = [row for row in rows if row.pair in kinds.known]
        said += known
        empty += blank
        unknown += len(rows) - len(known)
    if not said:
        what = f"none of {unknown:,} judged pairs is in this result" if unknown else "no pair is judged"
        hint = f"Write {', '.join(LABELS)} into the column label." if not unknown else None
        raise InputError(what, where=", ".join(map(str, paths)), hint=hint)
    return scores_of(said, kinds.counts, empty, unknown)


class KindsOfPairs:
    """The kind of each pair of a result by the names of its two sides."""

    def __init__(self, result: Result) -> None:
        kind = result.own_method.report(result)
        rows = np.arange(len(result.pairs))
        names = zip(*pair_names(kind, rows), strict=True)
        given = (
            result.pairs["kind"].to_pylist() if "kind" in result.pairs.column_names else [""] * len(rows)
        )
        own = [str(name or "") for name in given]
        self.known = dict(zip((ordered(a, b) for a, b in names), own, strict=True))
        self._shortened = {ordered(*map(shortened, pair)): pair for pair in self.known}
        self.counts = Counter(own)

    def pair(self, left: str, right: str) -> Pair:
        """Return a pair by its names, which may be as short, and as guarded, as a sheet has them."""
        pair = ordered(left, right)
        for tried in (pair, ordered(unguarded(left), unguarded(right))):
            if tried in self.known or tried in self._shortened:
                return tried if tried in self.known else self._shortened[tried]
        return pair


def pair_names(kind: Kind, rows: Integers) -> tuple[list[str], list[str]]:
    """Return the names of both sides of pairs, as reports show them."""
    sides = (kind.items(kind.keys(side)[rows])["id"] for side in "ab")
    left, right = ([str(name) for name in side.to_pylist()] for side in sides)
    return left, right


def read_sheet(path: Path, kinds: KindsOfPairs) -> tuple[list[Judgement], int]:
    """Read what a sheet says, and how many of its pairs have no label."""
    if not path.is_file():
        raise InputError("no such file", where=str(path), hint="Check the spelling of --sheet.")
    text = read_text(path)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter_of(text))
    columns = [str(name).strip().lower() for name in rows.fieldnames or ()]
    if missing := [name for name in NEEDED if name not in columns]:
        raise InputError(f"there is no column {missing[0]}", where=str(path), hint=COLUMNS)
    rows.fieldnames = columns
    found: list[Judgement] = []
    empty = 0
    for row in rows:
        label = str(row["label"] or "").strip().lower()
        if not label:
            empty += 1
        elif label not in LABELS:
            where = f"{path}:{rows.line_num}"
            hint = f"It is one of {', '.join(LABELS)}."
            raise InputError(f"{label!r} is not a label", where=where, hint=hint)
        else:
            pair = kinds.pair(str(row["left"]), str(row["right"]))
            judge = (row.get("judge") or "").strip() or path.name
            found.append(Judgement(pair, judge, label, kinds.known.get(pair, "")))
    return found, empty


def delimiter_of(text: str) -> str:
    """Return what stands between columns; spreadsheets of some countries write semicolons."""
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


def scores_of(
    said: Sequence[Judgement], counts: Mapping[str, int], empty: int, unknown: int
) -> SheetScores:
    """Sum up what judges said."""
    by_pair: defaultdict[Pair, dict[str, Label]] = defaultdict(dict)
    kind_of: dict[Pair, str] = {}
    for row in said:
        by_pair[row.pair][row.judge] = row.label  # of one judge, the last word counts
        kind_of[row.pair] = row.kind
    judges = sorted({row.judge for row in said})
    decided: defaultdict[str, Counter[Label]] = defaultdict(Counter)
    for pair, labels in by_pair.items():
        decided[kind_of[pair]][majority(labels.values())] += 1
    kinds = [precision(name, counts.get(name, 0), found) for name, found in sorted(decided.items())]
    complete = [labels for labels in by_pair.values() if len(labels) == len(judges)]
    return SheetScores(
        together(kinds), kinds, judges, len(complete), agreement(complete, judges), empty, unknown
    )


def majority(labels: Iterable[Label]) -> Label:
    """Return what more judges said, unsure if there are as many on both sides."""
    counts = Counter(labels)
    if counts["same"] == counts["different"]:
        return "unsure"
    return "same" if counts["same"] > counts["different"] else "different"


def precision(kind: str, pairs: int, found: Mapping[Label, int]) -> Precision:
    """Return the precision of one kind of pairs."""
    same, different, unsure = (found.get(label, 0) for label in LABELS)
    value = same / (same + different) if same + different else None
    ends = share_interval(same, same + different)
    return Precision(kind, pairs, same, different, unsure, value, *ends)


def together(kinds: Sequence[Precision]) -> Precision:
    """Return the precision of all kinds, each weighed by how many pairs of it the result has.

    So rare kinds may be judged as often as others. The ends of the interval are put together from
    those of the kinds, as by Zou and Donner (2008).
    """
    whole = sum(own.pairs for own in kinds if own.precision is not None)
    value = down = up = 0.0
    for own in kinds:
        if own.precision is not None:
            weight = own.pairs / whole
            value += weight * own.precision
            down += (weight * (own.precision - own.low)) ** 2
            up += (weight * (own.high - own.precision)) ** 2
    ends = Interval(max(0.0, value - sqrt(down)), min(1.0, value + sqrt(up)))
    return Precision(
        ALL,
        sum(own.pairs for own in kinds),
        sum(own.same for own in kinds),
        sum(own.different for own in kinds),
        sum(own.unsure for own in kinds),
        value if whole else None,
        *(ends if whole else Interval(0.0, 1.0)),
    )


def agreement(complete: Sequence[Mapping[str, Label]], judges: Sequence[str]) -> float | None:
    """Return Cohen's kappa of two judges, Fleiss' of more, None of one."""
    if len(judges) < 2 or not complete:
        return None
    if len(judges) == 2:
        one, other = ([labels[judge] for labels in complete] for judge in judges)
        return cohen(one, other)
    table = [[list(labels.values()).count(label) for label in LABELS] for labels in complete]
    return fleiss(table)
