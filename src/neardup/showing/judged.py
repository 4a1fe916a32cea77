"""What people say of pairs: sheets that were filled in, and marks of a report."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np

from neardup.arrays import Integers
from neardup.errors import InputError
from neardup.showing.kind import Kind, shortened
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
Pair = tuple[str, str]  # names in their order
csv.field_size_limit(1 << 30)


class Judgement(NamedTuple):
    """What one judge said of one pair."""

    pair: Pair
    judge: str
    label: Label


class Judged(NamedTuple):
    """What sheets say: judgements, how many pairs have none, and by which column they were drawn.

    Who marked pairs in a report of everything drew by nothing; that is None.
    """

    said: list[Judgement]
    empty: int
    by: str | None


class NamedPairs:
    """The pairs of a result by the names of their two sides."""

    def __init__(self, kind: Kind) -> None:
        names = zip(*pair_names(kind, np.arange(len(kind.pairs))), strict=True)
        self.rows = {ordered(a, b): row for row, (a, b) in enumerate(names)}
        self._shortened = {ordered(*map(shortened, pair)): pair for pair in self.rows}

    def pair(self, left: str, right: str) -> Pair:
        """Return a pair by its names, which may be as short, and as guarded, as a sheet has them."""
        pair = ordered(left, right)
        for tried in (pair, ordered(unguarded(left), unguarded(right))):
            if tried in self.rows or tried in self._shortened:
                return tried if tried in self.rows else self._shortened[tried]
        return pair


def marked_different(kind: Kind, path: Path) -> tuple[set[Pair], list[int]]:
    """Return the pairs that most judges call different, and which rows these are."""
    pairs = NamedPairs(kind)
    by_pair = votes(read_sheet(path, pairs, path.name).said)
    apart = {pair for pair, said in by_pair.items() if majority(said.values()) == "different"}
    return apart, [pairs.rows[pair] for pair in apart if pair in pairs.rows]


def pair_names(kind: Kind, rows: Integers) -> tuple[list[str], list[str]]:
    """Return the names of both sides of pairs, as reports show them."""
    sides = (kind.items(kind.keys(side)[rows])["id"] for side in "ab")
    left, right = ([str(name) for name in side.to_pylist()] for side in sides)
    return left, right


def read_sheets(paths: Sequence[Path], pairs: NamedPairs) -> Judged:
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
    return Judged([row for one in read for row in one.said], sum(one.empty for one in read), drawn.pop())


def read_sheet(path: Path, pairs: NamedPairs, judge: str) -> Judged:
    """Read what a sheet says; `judge` is who says it where no column does."""
    if not path.is_file():
        raise InputError("no such file", where=str(path), hint="Check the spelling.")
    text = read_text(path)
    delimiter = max(",;\t", key=text.partition("\n")[0].count)  # spreadsheets of some countries write ;
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
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
    return Judged(found, empty, drawn.pop() if drawn and DRAWN_BY in columns else None)


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


def ordered(one: str, other: str) -> Pair:
    """Return two names in their order.

    >>> ordered("b", "a")
    ('a', 'b')
    """
    return (one, other) if one <= other else (other, one)


def read_text(path: Path) -> str:
    """Return the text of a file."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"this is not UTF-8: bad byte at {error.start}",
            where=str(path),
            hint="Labels are in a plain CSV, TSV, JSONL or XML file, not compressed.",
        ) from None
