"""The table of passages for people: with what is known of both documents, pages, and the words."""

from typing import Any

import pyarrow as pa

from neardup.errors import NeardupError
from neardup.results.folder import ResultFolder
from neardup.results.texts import SIDES, Pages
from neardup.showing.passages import texts_by_id

ROWS = 20_000  # whose texts are fetched at a time
FACTS = ("title", "date")
WORDS = ("page_a", "text_a", "page_b", "text_b")


def exported(result: ResultFolder, name: str) -> pa.Table:
    """Return a table; passages with titles, dates, pages and words of both sides."""
    table = result.table(name)
    if name != "passages":
        return table
    known = result.documents
    for side in SIDES:
        for fact in FACTS:
            values = known[fact].take(table[f"doc_{side}"])
            table = table.append_column(f"{fact}_{side}", values)
    pages = Pages(result)
    found: dict[str, list[str | None]] = {word: [] for word in WORDS}
    for start in range(0, len(table), ROWS):
        rows = table.slice(start, ROWS).to_pylist()
        texts = texts_of(result, rows)
        for row in rows:
            on = pages.of(row)
            for side in SIDES:
                text = texts.get(row[f"id_{side}"])
                found[f"page_{side}"].append(on.get(f"page_{side}"))
                words = text[row[f"start_{side}"] : row[f"end_{side}"]] if text else None
                found[f"text_{side}"].append(words)
    for word, values in found.items():
        if any(any(found[f"{word[:-1]}{side}"]) for side in SIDES):
            table = table.append_column(word, pa.array(values, pa.string()))
    return table


def texts_of(result: ResultFolder, rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return the texts of both sides of rows, as far as the input is still there."""
    try:
        return texts_by_id(result, {row[f"id_{side}"] for row in rows for side in SIDES})
    except NeardupError:
        return {}
