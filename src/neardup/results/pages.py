"""On which pages something is: of documents that have any, such as PDFs."""

from collections.abc import Mapping
from typing import Any

from neardup.results.folder import ResultFolder
from neardup.text.layout import PAGE_STARTS, place_of

SIDES = ("a", "b")


class Pages:
    """Names pages of a result's documents by the numbers of these; None where there are none."""

    def __init__(self, result: ResultFolder) -> None:
        known = PAGE_STARTS in result.documents.column_names
        self._starts = result.documents[PAGE_STARTS] if known else None

    def at(self, doc: int, begin: int, end: int) -> str | None:
        """Return the page, or pages, on which some characters of a document are."""
        return place_of(self._starts[doc].as_py(), begin, end) if self._starts is not None else None

    def of(self, row: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the pages of both sides of a row that says where something is in two documents."""
        if self._starts is None:
            return {}
        sides = [(s, *(row[f"{name}_{s}"] for name in ("doc", "start", "end"))) for s in SIDES]
        return {f"page_{s}": self.at(doc, start, end) for s, doc, start, end in sides}


def where(row: Mapping[str, Any], between: str) -> str:
    """Say where something is in two documents.

    >>> where({"start_a": 0, "end_a": 9, "page_a": "p. 1", "start_b": 5, "end_b": 14}, " = ")
    '0–9 (p. 1) = 5–14'
    """
    names = (f" ({row[f'page_{s}']})" if row.get(f"page_{s}") else "" for s in SIDES)
    spans = (f"{row[f'start_{s}']}–{row[f'end_{s}']}" for s in SIDES)
    return between.join(f"{span}{name}" for span, name in zip(spans, names, strict=True))
