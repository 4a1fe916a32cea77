"""Pairs of documents in a terminal, whatever columns a result has."""

from shlex import quote
from typing import Any

import pyarrow as pa

from neardup.results.folder import ResultFolder
from neardup.showing.console import OUT, similarity_text
from neardup.showing.tables import order_of, page_of, show_rows

ORDERS = {
    "number": [("doc_a", "ascending"), ("doc_b", "ascending")],
    "similarity": [("similarity", "ascending"), ("doc_a", "ascending"), ("doc_b", "ascending")],
}
HIDDEN = ("doc_a", "doc_b", "id_a", "id_b")


def show_pair_page(result: ResultFolder, page: int, per_page: int, sort: str) -> None:
    """Print one page of pairs with all their columns."""
    rows, title = page_of(ordered_pairs(result, sort), page, per_page, "pair")
    shown = [name for name in rows.column_names if name not in HIDDEN]
    cells = [
        (*(cell(row[name]) for name in shown), row["id_a"], row["id_b"]) for row in rows.to_pylist()
    ]
    heads = [*shown, "id_a", "id_b"]
    show_rows(heads, cells, words=(len(heads) - 1, len(heads) - 2), title=title)
    OUT.print("\n[dim]--page N turns pages; neardup explain shows what two have in common[/dim]")


def ordered_pairs(result: ResultFolder, sort: str) -> pa.Table:
    """Return the pairs in the order asked for."""
    order = [key for key in order_of(ORDERS, sort) if key[0] in result.pairs.column_names]
    return result.pairs.sort_by(order)


def cell(value: Any) -> str:
    """Show one value of a pair."""
    return similarity_text(value) if isinstance(value, float) else "" if value is None else str(value)


def explaining(result: ResultFolder, folder: str) -> list[str]:
    """Return the command that explains the first pair of a result, if it has any."""
    first = result.pairs.slice(0, 1).to_pylist()
    return [f"explain {folder} {quote(pair['id_a'])} {quote(pair['id_b'])}" for pair in first]
