"""What a report says in the margin: what was skipped, and what is not in it."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from neardup.arrays import Integers
from neardup.reports.packing import Packed
from neardup.showing.kind import Kind
from neardup.web.page import Html, element, table, visible
from neardup.web.words import counted as counted_of
from neardup.web.words import say, value_name

MOST_SKIPPED = 20  # records that are named


class Remark(NamedTuple):
    """A line of the margin, and what is to be said when it is opened."""

    title: str
    content: Sequence[Html]


def remarks_of(kind: Kind, left_out: Sequence[str]) -> list[Remark]:
    """Return what was skipped, and what is left out."""
    found = []
    skipped = kind.result.table("skipped").to_pylist() if kind.result.has("skipped") else []
    if skipped:
        why = Counter(row["problem"] for row in skipped)
        said = ", ".join(f"{number:,} {value_name(name)}" for name, number in why.most_common())
        rows = [
            [visible(str(row[name] or "")) for name in ("source", "position", "problem", "detail")]
            for row in skipped[:MOST_SKIPPED]
        ]
        rest = len(skipped) - len(rows)
        more = [element("p", say("remark.skipped.more", number=rest))] if rest else []
        listed = table([say(f"remark.{name}") for name in ("file", "record", "problem", "detail")], rows)
        title = say("remark.skipped", records=counted_of(len(skipped), "record"), why=said)
        found.append(Remark(title, [listed, *more]))
    if left_out:
        items = element("ul", *(element("li", visible(remark)) for remark in left_out))
        found.append(Remark(say("remark.left.out"), [items]))
    return found


def counted(kind: Kind, rows: Integers, texts: Packed) -> tuple[int, int]:
    """Return how many pairs are shown, and how many with their texts; others are not pairs."""
    pairs = rows < len(kind.pairs)
    return int(pairs.sum()), int(pairs[list(texts.rows)].sum())


def left_out_of(kind: Kind, rows: Integers, texts: Packed) -> list[str]:
    """Say what is not in the report."""
    found = []
    some, shown = counted(kind, rows, texts)
    if some < len(kind.pairs):
        found.append(say("remark.pairs", some=some, all=len(kind.pairs)))
    if shown < some:
        found.append(say("remark.texts", shown=shown, some=some, others=kind.others))
    if cut := texts.cut - len(texts.rests):
        found.append(say("remark.cut", limit=texts.limit, cut=cut))
    return found
