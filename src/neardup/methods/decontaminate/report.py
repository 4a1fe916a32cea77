"""What a report shows of test items in training data: the items are documents of a side of their own."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.methods.decontaminate import declared as own
from neardup.methods.decontaminate.explain import item_named
from neardup.methods.decontaminate.settings import FIELDS, KINDS
from neardup.showing.alignment import Match
from neardup.showing.kind import Card, Kind, ShownColumn, ShownMeasure, share
from neardup.steps.against import OLD
from neardup.steps.declared import DOCUMENTS
from neardup.web.numbers import Figure
from neardup.web.page import visible
from neardup.web.svg import bars
from neardup.web.words import say

MOST = 20  # benchmarks or sources in a plot
WIDTH = 520


class ItemKind(Kind):
    """Training documents and the test items that stand in them; items are numbered behind documents."""

    columns_of_items = ("document", "item")
    sides = ("training", "items")

    @property
    def measure(self) -> ShownMeasure:
        """Return how much of an item's weight is there."""
        return ShownMeasure("similarity", say("measure.similarity"), self.result.settings["threshold"])

    @cached_property
    def columns(self) -> list[ShownColumn]:
        """Return what is shown of a document and an item that stands in it."""
        return [
            ShownColumn("benchmark", say("column.benchmark"), "category"),
            ShownColumn("kind", say("column.kind"), "category", KINDS),
            ShownColumn("fields", say("column.fields"), "category"),
            ShownColumn("similarity", say("column.similarity"), "number"),
            ShownColumn("start", say("column.start"), "count"),
            ShownColumn("places", say("column.places"), "count"),
        ]

    @cached_property
    def pairs(self) -> pa.Table:
        """Return the pairs of documents and items, with the numbers that items have here."""
        found = self.result.pairs
        numbers = pc.add(found["doc_b"], len(self.result.documents))
        return found.set_column(found.column_names.index("doc_b"), "doc_b", numbers)

    @cached_property
    def known(self) -> pa.Table:
        """Return the training documents, and behind them the items."""
        documents, items = self.result.documents, self.result.items
        lengths = [len(text_of(item)) for item in items.to_pylist()]
        own = pa.table(
            {
                "id": items["id"],
                "title": items["question"],
                "source": items["benchmark"],
                "length": pa.array(lengths, pa.int64()),
                OLD: pa.array([True] * len(items)),
            }
        )
        with_side = documents.append_column(OLD, pa.array([False] * len(documents)))
        return pa.concat_tables([with_side, own], promote_options="permissive")

    def own_texts(self, docs: Sequence[int]) -> dict[int, str]:
        """Return the texts of items, which the result has."""
        first = len(self.result.documents)
        wanted = [doc for doc in docs if doc >= first]
        rows = self.result.items.take(pa.array([doc - first for doc in wanted], pa.int64())).to_pylist()
        return {doc: text_of(row) for doc, row in zip(wanted, rows, strict=True)}

    def row_of(self, id_a: str, id_b: str) -> int | None:
        """Return the row of a document and an item, whichever is named first."""
        for given, item in ((id_a, id_b), (id_b, id_a)):
            try:
                named = item_named(self.result, item)["id"]
            except InputError:
                continue
            chosen = pc.and_(pc.equal(self.pairs["id_a"], given), pc.equal(self.pairs["id_b"], named))
            if (row := pc.index(chosen, True).as_py()) >= 0:
                return int(row)
        return None

    @cached_property
    def _places(self) -> dict[tuple[int, int], list[dict[str, Any]]]:
        """Return where fields of items are in documents, by the numbers of both."""
        names = ("doc", "item_number", "field", "kind", "similarity", "start", "end")
        found: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for row in self.result.matches.select(names).to_pylist():
            found.setdefault((row["doc"], row["item_number"]), []).append(row)
        return found

    def matches(self, row: int, text_a: str, text_b: str) -> list[Match]:
        """Return the places of an item's fields, in all places of the document that have some."""
        doc, item = (self.result.pairs[name][row].as_py() for name in ("doc_a", "doc_b"))
        texts = self.result.items.slice(item, 1).to_pylist()[0]
        begins: dict[str, int] = {}
        at = 0
        for field in FIELDS:
            if texts[field]:
                begins[field] = at
                at += len(texts[field]) + 1
        return [
            Match(
                one["start"],
                one["end"],
                begins[one["field"]],
                begins[one["field"]] + len(texts[one["field"]]),
                one["kind"],
                one["similarity"],
            )
            for one in self._places.get((doc, item), [])
        ]

    def cards(self) -> list[Card]:
        """Return the figures that sum up the result."""
        counts = self.result.counts
        return [
            Card(f"{counts[DOCUMENTS]:,}", say("card.documents.read")),
            Card(f"{counts[own.DOCUMENTS_WITH_ITEMS]:,}", say("card.with.items")),
            Card(f"{counts[own.ITEMS]:,}", say("card.items")),
            Card(f"{counts[own.ITEMS_FOUND]:,}", say("card.items.found")),
            Card(share(counts[own.ITEMS_FOUND], counts[own.ITEMS]), say("card.contaminated")),
        ]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts = self.result.counts
        rows = self.result.benchmarks.sort_by([("found", "descending")]).to_pylist()
        some = ", ".join(
            say("decontaminate.some", found=row["found"], items=row["items"], benchmark=row["benchmark"])
            for row in rows[:3]
        )
        if len(rows) > 3:
            some = say("decontaminate.more", some=some, number=len(rows))
        unsearched = sum(own.ITEMS_NOT_SEARCHED.each(counts).values())
        found = [say("decontaminate.found", some=some), say("decontaminate.counted")]
        if unsearched:
            found.append(say("decontaminate.unsearched", number=unsearched))
        return found

    def plots(self) -> list[Figure]:
        """Draw how much of each benchmark was found, and where."""
        heads = ("benchmark", "items", "searched", "found", *FIELDS, *KINDS, "documents")
        rows = self.result.benchmarks.select(heads).to_pylist()
        shares = [(row["benchmark"], 100 * row["found"] / max(row["items"], 1)) for row in rows]
        found = [figure("benchmarks", shares, rows)]
        sources = self.result.sources.select(["source", "benchmark", "items", "documents"]).to_pylist()
        named = [(f"{row['source']}: {row['benchmark']}", float(row["items"])) for row in sources]
        if named:
            found.append(figure("sources", named, sources))
        return found


def text_of(item: dict[str, Any]) -> str:
    """Return the fields of an item, one below the other."""
    return "\n".join(item[field] for field in FIELDS if item[field])


def figure(name: str, values: Sequence[tuple[str, float]], rows: Sequence[dict[str, Any]]) -> Figure:
    """Draw the largest of some values, with the table behind them."""
    top = sorted(values, key=lambda one: (-one[1], one[0]))[:MOST]
    title, x = say(f"decontaminate.{name}"), say(f"decontaminate.{name}.x")
    plot = bars([(visible(own), value) for own, value in top], title=title, x=x, width=WIDTH)
    head = tuple(rows[0]) if rows else ()
    table = [[visible(v) if isinstance(v, str) else v for v in row.values()] for row in rows]
    rest = say("figure.some", number=MOST, all=len(values)) if len(values) > MOST else ""
    return Figure(name, plot, head, table, rest)
