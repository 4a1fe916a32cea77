"""What a report shows of any result: pairs of documents with all their columns; `kinds` say more."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup import tables
from neardup.arrays import Integers
from neardup.errors import OutputError
from neardup.readers.source import Source, fetch
from neardup.results.folder import COUNTED, ResultFolder
from neardup.results.texts import Pages, locate
from neardup.showing.alignment import Match, common_matches
from neardup.showing.console import new_in
from neardup.showing.excluded import counted_only, spans_of
from neardup.showing.explaining import least_words
from neardup.showing.what_if import Regrouped, thresholds
from neardup.signatures.shingles import Shingles
from neardup.steps.against import OLD
from neardup.steps.declared import DOCUMENTS, OLD_DOCUMENTS, PAIRS_NOT_LISTED, PAIRS_TABLE
from neardup.web.numbers import Figure
from neardup.web.page import visible
from neardup.web.words import all_words, column_label, plural, say

LONGEST_NAME = 200  # characters of an id or title in a report
MOST_CATEGORIES = 50  # more different words than these are not categories to filter by


class ShownColumn(NamedTuple):
    """A column of the table of pairs: its name there, what it is called, and how it is shown.

    `order` are categories that come before all others, in this order.
    """

    name: str
    label: str
    type: tables.Shown
    order: tuple[str, ...] = ()


class ShownMeasure(NamedTuple):
    """The column by which pairs are accepted, and the run's threshold if it had one for that."""

    column: str
    label: str
    threshold: float | None
    higher_is_closer: bool = True


class Card(NamedTuple):
    """A figure that sums up a result, and what it is."""

    value: str
    label: str


class Clusters(NamedTuple):
    """Clusters by columns, and the members of all of them one after the other.

    `items` are numbers as in `Kind.items`; `similarity` is that to the keeper, null if unknown.
    """

    keeper: Integers
    size: Integers
    lowest: pa.Array
    bounds: Integers
    items: Integers
    similarity: pa.Array


class PairTexts(NamedTuple):
    """Two texts and what matches in them."""

    text_a: str
    text_b: str
    matches: list[Match]


class Kind:
    """Pairs of documents with whatever columns a result has."""

    table: ClassVar[tables.Table] = PAIRS_TABLE  # as the method declares it
    # keys of words.json
    unit = "pair"
    item = "document"
    read = "document"  # what is counted first
    columns_of_items = ("document.a", "document.b")
    sides = ("new", "old")  # of a run against old documents
    leads_with: Literal["id", "title"] = "id"  # what people know an item by
    longest_text = 20_000  # characters of a side that are shown; longer ones are cut around the matches

    def __init__(self, result: ResultFolder) -> None:
        self.result = result

    @property
    def heading(self) -> str:
        """Return what was looked for."""
        method = self.result.method
        own = all_words()["words"].get(f"{method}.heading")
        return str(own) if own else say("report.heading", method=method)

    @cached_property
    def pairs(self) -> pa.Table:
        """Return the pairs, one row each."""
        return self.result.pairs

    @cached_property
    def rows(self) -> pa.Table:
        """Return what can be shown: the pairs, and below them some that just missed being one."""
        if self.rejected is None:
            return self.pairs
        known = [name for name in self.rejected.column_names if name in self.pairs.column_names]
        kind = pa.array(["no pair"] * len(self.rejected), pa.string())
        missed = self.rejected.select(known).append_column("kind", kind)
        return pa.concat_tables([self.pairs, missed], promote_options="default")

    @cached_property
    def rejected(self) -> pa.Table | None:
        """Return the pairs that just missed being one, if such a result has them."""
        try:
            return self.result.rejected
        except OutputError:  # or an older one
            return None

    @property
    def nothing_beyond(self) -> str:
        """Say why there is nothing to show on the other side of the threshold."""
        return say("report.none.kept" if self.rejected is None else "report.none.close")

    @property
    def measure(self) -> ShownMeasure | None:
        """Return the column that pairs are chosen by."""
        if "similarity" not in self.pairs.column_names:
            return None
        threshold = self.result.run["settings"].get("threshold")
        return ShownMeasure("similarity", say("measure.similarity"), threshold)

    @cached_property
    def lead(self) -> str:
        """Return what items are shown by: their titles, where ids are mere numbers."""
        known = self.known
        if "title" not in known.column_names or 2 * known["title"].null_count > len(known):
            return "id"
        numbered = len(known) and pc.all(pc.match_substring_regex(known["id"], r"^\d+$")).as_py()
        return "title" if numbered else self.leads_with

    @cached_property
    def grid(self) -> list[float]:
        """Return the thresholds to choose from, that of the run first."""
        measure = self.measure
        if measure is None or not len(self.pairs) or self.result.counts.get(PAIRS_NOT_LISTED):
            return []
        span = pc.min_max(self.pairs[measure.column]).as_py()
        if measure.higher_is_closer:
            least = measure.threshold
            if least is None:
                least = np.floor(100 * span["min"]) / 100
            return thresholds(least, max(1.0, span["max"]))
        return thresholds(0.0, span["max"] if measure.threshold is None else measure.threshold)[::-1]

    @cached_property
    def columns(self) -> list[ShownColumn]:
        """Return what is shown of a pair besides its two documents."""
        known = {own.name: own for own in self.table.columns}
        found = [column_of(self.rows, name, known.get(name)) for name in self.rows.column_names]
        return [column for column in found if column is not None]

    def cards(self) -> list[Card]:
        """Return the figures that sum up the result."""
        counts = self.result.counts
        names = [name for name in COUNTED if name in counts]
        labels = [say(f"card.{name}") if name != DOCUMENTS else plural(self.read)[1] for name in names]
        found = [Card(f"{counts[n]:,}", label) for n, label in zip(names, labels, strict=True)]
        if (old := counts.get(OLD_DOCUMENTS)) is None:
            return found
        apart = (new_in(counts), old)
        named = (say(f"sides.{side}") for side in self.sides)
        return [*(Card(f"{n:,}", side) for n, side in zip(apart, named, strict=True)), *found[1:]]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        return []

    def warnings(self) -> list[str]:
        """Say what a reader has to know before anything else."""
        return []

    def keys(self, side: str) -> Integers:
        """Return which item each row has on a side, a or b."""
        found: Integers = self.rows[f"doc_{side}"].to_numpy()
        return found

    def items(self, keys: Integers) -> pa.Table:
        """Return id, title and source of some items, and what else is known of them."""
        return self.documents(keys)

    @property
    def known(self) -> pa.Table:
        """Return all that rows may name, in the order of its numbers."""
        return self.result.documents

    def own_texts(self, docs: Sequence[int]) -> dict[int, str]:
        """Return those of some texts that stand in the result's own tables, by their numbers."""
        return {}

    def row_of(self, id_a: str, id_b: str) -> int | None:
        """Return the first row that has these two documents, in any order; None if none has."""
        docs = sorted(doc_of(self.result, given) for given in (id_a, id_b))
        a, b = (self.pairs[name].to_numpy() for name in ("doc_a", "doc_b"))
        rows = ((a == docs[0]) & (b == docs[1])).nonzero()[0]
        return int(rows[0]) if len(rows) else None

    def plots(self) -> list[Figure]:
        """Return the plots that only such a result has."""
        return []

    def documents(self, docs: Integers) -> pa.Table:
        """Return id, title and source of some documents, and their addresses, dates, lengths, sides."""
        known = self.known
        names = ("id", "title", "source", "url", "date", "length", OLD)
        return known.select([n for n in names if n in known.column_names]).take(pa.array(docs))

    def shares(self, docs: Integers) -> pa.Table | None:
        """Return how much of some documents stands in others, if the method says it."""
        return None

    def item_docs(self, keys: Integers) -> Integers | None:
        """Return the document of each of some items, None if items are documents."""
        return None

    @property
    def first_sort(self) -> tuple[str, bool] | None:
        """Return the column that the table is sorted by at first, and whether downwards."""
        return self.measure and (self.measure.column, self.measure.higher_is_closer)

    def docs(self, rows: Integers) -> Integers:
        """Return the numbers of the documents whose texts are needed to show some pairs."""
        sides = [self.rows[name].take(pa.array(rows)).to_numpy() for name in ("doc_a", "doc_b")]
        return np.unique(np.concatenate(sides))

    def texts(self, source: Source, places: Sequence[tuple[int, int]]) -> list[str | None]:
        """Fetch the whole texts of records, None for what is not there."""
        return fetch(source, places)

    def clusters(self) -> Clusters | None:
        """Return the clusters, if the result has any of documents."""
        return document_clusters(self.result) if self.result.has("clusters") else None

    def regrouped(self, grid: Sequence[float]) -> Regrouped | None:
        """Return the clusters at other thresholds, if that can be said without a new run."""
        return None

    @property
    def others(self) -> str:
        """Say how the texts can be seen that are not in a report."""
        return say("report.others", folder=visible(self.result.where.name))

    def rerun(self) -> str:
        """Say what it takes to go beyond the run's threshold."""
        return say("report.rerun", method=self.result.method)

    def compared(self, row: int, texts: Mapping[int, str]) -> PairTexts | None:
        """Return the two texts of a pair and their matches, None if a text is not there."""
        doc_a, doc_b = (self.rows[name][row].as_py() for name in ("doc_a", "doc_b"))
        if doc_a not in texts or doc_b not in texts:
            return None
        text_a, text_b = texts[doc_a], texts[doc_b]
        return PairTexts(text_a, text_b, self._on_pages(doc_a, doc_b, self.matches(row, text_a, text_b)))

    @cached_property
    def _pages(self) -> Pages:
        return Pages(self.result)

    def _on_pages(self, doc_a: int, doc_b: int, matches: list[Match]) -> list[Match]:
        docs = {"doc_a": doc_a, "doc_b": doc_b}
        return [Match(**match._asdict() | self._pages.of(docs | match._asdict())) for match in matches]

    def curve(self, row: int, texts: Mapping[int, str]) -> dict[str, Any] | None:
        """Return the edit curve of a pair for the viewer, if the method has one."""
        return None

    def matches(self, row: int, text_a: str, text_b: str) -> list[Match]:
        """Return the passages that two texts share."""
        docs = [self.rows[name][row].as_py() for name in ("doc_a", "doc_b")]
        spans = spans_of(self.result, docs)
        own_a, own_b = (
            counted_only(text, spans.get(doc, []))
            for doc, text in zip(docs, (text_a, text_b), strict=True)
        )
        return common_matches(own_a, own_b, least_words(self.shingles))

    @cached_property
    def shingles(self) -> Shingles:
        """Return what documents were compared by."""
        return Shingles.parse(self.result.run["settings"].get("shingle", "word:5"))


def doc_of(result: ResultFolder, given: str) -> int:
    """Return the number of a document by its id."""
    locate(result, given)  # raises if there is none
    return int(result.documents["id"].index(given).as_py())


def column_of(table: pa.Table, name: str, declared: tables.Column | None) -> ShownColumn | None:
    """Say how a column is shown, as declared or by its type; None if it is not."""
    if len(table) and table[name].null_count == len(table):
        return None
    kind = str(table.schema.field(name).type)
    shown = declared.shown if declared else tables.BY_TYPE.get(kind, "hidden")
    if shown in ("name", "hidden"):
        return None
    if shown in ("text", "category"):
        few = pc.count_distinct(table[name]).as_py() <= MOST_CATEGORIES
        shown = "category" if few else "text"
    return ShownColumn(name, column_label(name), shown)


def share(part: int, whole: int) -> str:
    """Write a share in per cent.

    >>> share(1, 3), share(1, 100_000), share(0, 0)
    ('33.3 %', 'under 0.1 %', '0 %')
    """
    if not part or not whole:
        return "0 %"
    return f"{100 * part / whole:.1f} %" if 1000 * part >= whole else "under 0.1 %"


def pair_numbers(table: pa.Table, width: int) -> Integers:
    """Return one number for both documents of each row, in the order of tables."""
    numbers: Integers = table["doc_a"].to_numpy() * width + table["doc_b"].to_numpy()
    return numbers


def document_clusters(result: ResultFolder) -> Clusters:
    """Return the clusters of a result that has them of documents, largest first."""
    table = result.clusters
    ids = table.filter(pc.equal(table["id"], table["keeper_id"])).sort_by("cluster")
    return clusters_of(table, ids["doc"], table["doc"], table["similarity"], ids["lowest"])


def clusters_of(members: pa.Table, keepers: Any, items: Any, similarity: Any, lowest: Any) -> Clusters:
    """Put clusters in order of their size, largest first; `members` is sorted by cluster."""
    numbers = members["cluster"].to_numpy()
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    sizes = np.diff(np.append(first, len(numbers)))
    order = np.argsort(-sizes, kind="stable")
    rows = np.concatenate([np.arange(first[c], first[c] + sizes[c]) for c in order.tolist()] or [first])
    return Clusters(
        keepers.to_numpy()[order],
        sizes[order],
        lowest.take(pa.array(order)),
        np.concatenate([[0], np.cumsum(sizes[order])]),
        items.to_numpy()[rows],
        similarity.take(pa.array(rows)),
    )


class Located(Kind):
    """Pairs of documents in which a run located what matches."""

    @cached_property
    def _order(self) -> Integers:
        return pair_numbers(self.result.passages, self.result.documents.num_rows)

    def matches(self, row: int, text_a: str, text_b: str) -> list[Match]:
        """Return the passages that the run found in a pair; if it looked for none, what both say."""
        own = pair_numbers(self.rows.slice(row, 1), self.result.documents.num_rows)[0]
        first, behind = np.searchsorted(self._order, own), np.searchsorted(self._order, own, "right")
        names = ("start_a", "end_a", "start_b", "end_b", "kind", "similarity")
        rows = self.result.passages.slice(first, behind - first).select(names).to_pylist()
        return [Match(**passage) for passage in rows] or super().matches(row, text_a, text_b)


def shortened(name: str) -> str:
    """Return a name as reports have it: the beginning of one that is very long."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
