"""Test items cut out of training data, or marked in it; the benchmarks are never touched."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import SettingsError
from neardup.readers.records import SPAN, Notes
from neardup.results.cutting import Cut, CutRemoval
from neardup.results.folder import ResultFolder
from neardup.settings.base import Clustering
from neardup.steps.columns import schema_of

REMOVED = schema_of(
    "id source string, position start end int64, item benchmark kind string, similarity float64"
)
ABOUT = {"item": pa.string(), "benchmark": pa.string(), "kind": pa.string()}
NOTES = {"items": pa.list_(pa.struct(SPAN | ABOUT))}


class ItemRemoval(CutRemoval):
    """Removes test items from documents; a document of which too little would be left goes."""

    @cached_property
    def removed(self) -> pa.Table:
        """Return one row a place that goes, with the first item that stands there."""
        documents = self.result.documents
        names = ("doc", "id", "source", "position")
        known = {row["doc"]: row for row in documents.select(names).to_pylist()}
        numbers = {row["item_number"]: row for row in self.result.matches.to_pylist()}
        kinds = {(row["doc_a"], row["doc_b"]): row["kind"] for row in self.result.pairs.to_pylist()}
        rows = [
            {
                **{name: known[doc][name] for name in names[1:]},
                **{"start": cut.start, "end": cut.end, "similarity": cut.similarity},
                **{name: numbers[cut.keeper][name] for name in ("item", "benchmark")},
                "kind": kinds[doc, cut.keeper],
            }
            for doc in sorted(self.cuts)
            for cut in self.cuts[doc]
        ]
        return pa.Table.from_pylist(rows, REMOVED)

    def notes(self, removed: Iterable[Mapping[str, Any]]) -> Mapping[int, dict[str, Any]]:
        """Return the notes on the records of one file: which items stand where."""
        notes = Notes(NOTES)
        for row in removed:
            note = notes.setdefault(row["position"] - 1, {"items": []})
            note["items"].append({name: row[name] for name in (*SPAN, *ABOUT)})
        return notes


def removal(
    result: ResultFolder, keep: str | None, threshold: float | None, clusters: Clustering | None
) -> ItemRemoval:
    """Decide which test items are cut out: those that are at least as similar as `threshold`."""
    if clusters is not None or keep is not None:
        hint = "Leave clusters= and keep= out."
        raise SettingsError("test items are removed from all documents", hint=hint)
    return ItemRemoval(result, find_cuts(result, threshold or 0), "place of test items")


def find_cuts(result: ResultFolder, threshold: float) -> dict[int, list[Cut]]:
    """Return what is cut out of each document, in the order of its text; no two cuts overlap."""
    matches = result.matches.filter(pc.greater_equal(result.matches["similarity"], threshold))
    places: dict[tuple[int, int, int], list[dict[str, Any]]] = {}
    for row in matches.to_pylist():
        places.setdefault((row["doc"], row["item_number"], row["occurrence"]), []).append(row)
    spans = sorted(
        (doc, min(row["start"] for row in rows), max(row["end"] for row in rows), item, rows)
        for (doc, item, _), rows in places.items()
    )
    found: dict[int, list[Cut]] = {}
    for doc, start, end, item, rows in spans:
        similarity = min(row["similarity"] for row in rows)
        cuts = found.setdefault(doc, [])
        if cuts and start < cuts[-1].end:
            cuts[-1] = cuts[-1]._replace(end=max(end, cuts[-1].end))
        else:
            cuts.append(Cut(doc, start, end, item, 0, 0, similarity))
    return found
