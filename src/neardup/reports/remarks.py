"""What a report says in the margin: what was skipped, and what is not in it."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from neardup.reports.packing import Packed
from neardup.showing.kind import Integers, Kind
from neardup.web.page import Html, element, table, visible

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
        said = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in why.most_common())
        rows = [
            [visible(str(row[name] or "")) for name in ("source", "position", "problem", "detail")]
            for row in skipped[:MOST_SKIPPED]
        ]
        rest = len(skipped) - len(rows)
        more = [element("p", f"… and {rest:,} more, in skipped.parquet.")] if rest else []
        listed = table(("file", "record", "problem", "detail"), rows)
        what = "record" if len(skipped) == 1 else "records"
        found.append(Remark(f"{len(skipped):,} {what} skipped: {said}", [listed, *more]))
    if left_out:
        items = element("ul", *(element("li", visible(remark)) for remark in left_out))
        found.append(Remark("Not all is in this file", [items]))
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
        found.append(
            f"The table has {some:,} of {len(kind.pairs):,} pairs: those nearest to a threshold, those "
            "of clusters' keepers, then the least similar ones."
        )
    if shown < some:
        found.append(
            f"{shown:,} of {some:,} pairs have their texts in this file. neardup explain shows the "
            "others."
        )
    if texts.cut:
        found.append(
            f"Pairs with a text of over {texts.limit:,} characters are cut around their matches: "
            f"{texts.cut:,} documents, of which {len(texts.rests):,} can be opened whole."
        )
    return found
