"""What a report shows of each kind of result: one class a method, and one for all others.

A method that is added later is shown as pairs of documents with all its columns; to say more of it, add
a class to KINDS.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import OutputError
from neardup.explain import least_words
from neardup.reports.alignment import Match, common_matches
from neardup.reports.what_if import Effect, effects
from neardup.result import Result
from neardup.signatures.shingles import Shingles

Integers = npt.NDArray[np.int64]
LABELS = {
    "similarity": "Similarity",
    "containment_a": "A in B",
    "containment_b": "B in A",
    "passage_similarity": "Likeness",
}
SHARES = ("containment_a", "containment_b")
MOST_CATEGORIES = 50  # more different words than these are no categories to filter by


class Column(NamedTuple):
    """A column of the table of pairs: its name there, what it is called, and how it is shown."""

    name: str
    label: str
    type: Literal["number", "share", "count", "category", "text"]


class Measure(NamedTuple):
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


class Compared(NamedTuple):
    """Two texts and what matches in them."""

    text_a: str
    text_b: str
    matches: list[Match]


class Kind:
    """Pairs of documents with whatever columns a result has."""

    unit = ("pair", "pairs")
    item = ("document", "documents")
    side_labels = ("Document A", "Document B")
    nothing_beyond = "The run kept no pair that just missed being one."
    longest_text = 20_000  # characters of a side that are shown; longer ones are cut around the matches

    def __init__(self, result: Result) -> None:
        self.result = result

    @property
    def heading(self) -> str:
        """Return what was looked for."""
        return f"Similar {self.result.method}"

    @cached_property
    def pairs(self) -> pa.Table:
        """Return the pairs, one row each."""
        return self.result.pairs

    @cached_property
    def rows(self) -> pa.Table:
        """Return what can be shown: the pairs, and below them some that just missed being one."""
        return self.pairs

    @property
    def measure(self) -> Measure | None:
        """Return the column that pairs are chosen by."""
        if "similarity" not in self.pairs.column_names:
            return None
        threshold = self.result.run["settings"].get("threshold")
        return Measure("similarity", "similarity", threshold)

    @cached_property
    def columns(self) -> list[Column]:
        """Return what is shown of a pair beside its two documents."""
        hidden = ("id_a", "id_b", "doc_a", "doc_b")
        found = [column_of(self.rows, name) for name in self.rows.column_names if name not in hidden]
        return [column for column in found if column is not None]

    def cards(self) -> list[Card]:
        """Return the figures that sum up the result."""
        counts = self.result.counts
        names = [name for name in ("documents", "pairs", "clusters", "passages") if name in counts]
        return [Card(f"{counts[name]:,}", name) for name in names]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        return []

    def keys(self, side: str) -> Integers:
        """Return which item each row has on a side, a or b."""
        found: Integers = self.rows[f"doc_{side}"].to_numpy()
        return found

    def items(self, keys: Integers) -> pa.Table:
        """Return id, title and source of some items."""
        return self.result.documents.select(["id", "title", "source"]).take(pa.array(keys))

    def docs(self, rows: Integers) -> Integers:
        """Return the numbers of the documents whose texts are needed to show some pairs."""
        sides = [self.rows[name].take(pa.array(rows)).to_numpy() for name in ("doc_a", "doc_b")]
        return np.unique(np.concatenate(sides))

    def clusters(self) -> Clusters | None:
        """Return the clusters, if the result has any."""
        return None

    def effects(self, grid: Sequence[float]) -> list[Effect] | None:
        """Return the clusters at other thresholds, if that can be said without a new run."""
        del grid
        return None

    def rerun(self) -> str:
        """Say what it takes to go beyond the run's threshold."""
        return (
            "The slider leaves out pairs that the run accepted. To find more than those, run neardup "
            f"{self.result.method} again with another threshold."
        )

    def compared(self, row: int, texts: Mapping[int, str]) -> Compared | None:
        """Return the two texts of a pair and their matches, None if a text is not there."""
        doc_a, doc_b = (self.rows[name][row].as_py() for name in ("doc_a", "doc_b"))
        if doc_a not in texts or doc_b not in texts:
            return None
        text_a, text_b = texts[doc_a], texts[doc_b]
        return Compared(text_a, text_b, self.matches(row, text_a, text_b))

    def matches(self, row: int, text_a: str, text_b: str) -> list[Match]:
        """Return the passages that two texts share."""
        del row
        return common_matches(text_a, text_b, least_words(self.shingles))

    @cached_property
    def shingles(self) -> Shingles:
        """Return what documents were compared by."""
        return Shingles.parse(self.result.run["settings"].get("shingle", "word:5"))


class Documents(Kind):
    """Near-duplicate documents and their clusters."""

    heading = "Near-duplicate documents"
    nothing_beyond = "Of all that was compared, nothing came close to being a pair."

    @cached_property
    def rows(self) -> pa.Table:
        """Return the pairs, and those that missed the threshold by least."""
        try:
            missed = self.result.rejected
        except OutputError:  # an older result
            return self.pairs
        kind = pa.array(["no pair"] * len(missed), pa.string())
        missed = missed.append_column("kind", kind).select(self.pairs.column_names)
        return pa.concat_tables([self.pairs, missed])

    @property
    def measure(self) -> Measure:
        """Return resemblance or containment."""
        settings = self.result.run["settings"]
        return Measure("similarity", settings["measure"], settings["threshold"])

    def cards(self) -> list[Card]:
        """Return the figures that sum up the result."""
        counts = self.result.counts
        return [
            Card(f"{counts['documents']:,}", "documents read"),
            Card(f"{counts['pairs']:,}", "verified pairs"),
            Card(f"{counts['clusters']:,}", "clusters"),
            Card(share(counts["duplicates"], counts["documents"]), "could be removed"),
        ]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts, settings = self.result.counts, self.result.run["settings"]
        many = counts["clusters"] + counts["duplicates"]
        what = f"runs of {self.shingles.width} {self.shingles.kind}s".replace("chars", "characters")
        of = "the smaller one's" if settings["measure"] == "containment" else "all their"
        return [
            f"{many:,} of {counts['documents']:,} documents ({share(many, counts['documents'])}) are "
            f"like another one, in {counts['clusters']:,} clusters. With one document of each cluster "
            f"kept, {counts['duplicates']:,} could be removed.",
            f"Two documents are a pair if {settings['threshold']:.0%} or more of {of} {what} are in "
            "both of them. Every pair was counted on the whole texts; no similarity is an estimate.",
        ]

    def clusters(self) -> Clusters:
        """Return the clusters, largest first."""
        table = self.result.clusters
        ids = table.filter(pc.equal(table["id"], table["keeper_id"])).sort_by("cluster")
        return clusters_of(table, ids["doc"], table["doc"], table["similarity"], ids["lowest"])

    def effects(self, grid: Sequence[float]) -> list[Effect]:
        """Return the clusters at other thresholds, as `rethreshold` makes them."""
        return effects(self.result, grid)


class Passages(Kind):
    """Pairs of documents that share passages."""

    heading = "Shared passages"

    @property
    def measure(self) -> Measure:
        """Return how much of both documents is covered by common passages."""
        return Measure("similarity", "coverage", None)

    @cached_property
    def columns(self) -> list[Column]:
        """Return what is shown of a pair beside its two documents."""
        return [
            column._replace(label="Coverage", type="share") if column.name == "similarity" else column
            for column in super().columns
        ]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts = self.result.counts
        docs = len(np.union1d(self.keys("a"), self.keys("b")))
        found = [
            f"{docs:,} of {counts['documents']:,} documents ({share(docs, counts['documents'])}) share "
            f"a passage with another one: {counts['passages']:,} passages in {counts['pairs']:,} pairs.",
            "Coverage is the share of both documents that lies in common passages.",
        ]
        if repeated := counts.get("passages of boilerplate"):
            found.append(
                f"{repeated:,} passages that very many documents share are boilerplate and in no pair."
            )
        return found

    @cached_property
    def _order(self) -> Integers:
        return pair_numbers(self.result.passages, self.result.documents.num_rows)

    def matches(self, row: int, text_a: str, text_b: str) -> list[Match]:
        """Return the passages that the run found in a pair."""
        del text_a, text_b
        own = pair_numbers(self.pairs.slice(row, 1), self.result.documents.num_rows)[0]
        first, behind = np.searchsorted(self._order, own), np.searchsorted(self._order, own, "right")
        names = ("start_a", "end_a", "start_b", "end_b", "kind", "similarity")
        rows = self.result.passages.slice(first, behind - first).select(names).to_pylist()
        return [Match(**passage) for passage in rows]


class Sentences(Kind):
    """Pairs of similar sentences and their clusters."""

    heading = "Similar sentences"
    item = ("sentence", "sentences")
    side_labels = ("Sentence A", "Sentence B")
    longest_text = 1_500

    @property
    def measure(self) -> Measure:
        """Return the edit distance."""
        return Measure("distance", "distance", self.result.run["settings"]["max_distance"], False)

    @cached_property
    def columns(self) -> list[Column]:
        """Return what is shown of a pair beside its two sentences."""
        return [Column("distance", "Distance", "number"), Column("kind", "Change", "category")]

    def cards(self) -> list[Card]:
        """Return the figures that sum up the result."""
        counts = self.result.counts
        names = ("documents", "sentences", "pairs", "clusters")
        drifted = counts.get("pairs: factual drift", 0)
        found = [Card(f"{counts[name]:,}", name) for name in names]
        return [*found, Card(f"{drifted:,}", "pairs with drifted facts")]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts = self.result.counts
        return [
            f"{counts['sentences in clusters']:,} of {counts['sentences']:,} sentences are like another "
            f"one, in {counts['clusters']:,} clusters.",
            "The distance of two sentences is the share of their characters that must be changed to "
            f"turn one into the other; pairs have {self.measure.threshold} at most.",
        ]

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        """Return numbers of all sentences in order, and the row that each has."""
        table = self.result.sentences
        numbers = sentence_numbers(table["doc"], table["sentence"])
        order = np.argsort(numbers, kind="stable")
        return numbers[order], order

    def keys(self, side: str) -> Integers:
        """Return the row of each pair's sentence in the table of sentences."""
        wanted = sentence_numbers(self.pairs[f"doc_{side}"], self.pairs[f"sentence_{side}"])
        numbers, rows = self._places
        return rows[np.searchsorted(numbers, wanted)]

    def items(self, keys: Integers) -> pa.Table:
        """Return the text of some sentences, and the title and file of their documents."""
        own = self.result.sentences.select(["text", "id", "doc"]).take(pa.array(keys))
        about = self.result.documents.select(["title", "source"]).take(own["doc"])
        return pa.table(
            {
                "id": own["text"],
                "title": pc.coalesce(about["title"], own["id"]),
                "source": about["source"],
            }
        )

    def clusters(self) -> Clusters:
        """Return the clusters of sentences, largest first."""
        table = self.result.sentences
        numbered = table.append_column("row", pa.array(np.arange(len(table))))
        members = numbered.filter(pc.is_valid(table["cluster"])).sort_by(
            [("cluster", "ascending"), ("row", "ascending")]
        )
        keepers = members.filter(members["keeper"])
        closeness = pc.subtract(1.0, members["distance"])
        lowest = pa.nulls(len(keepers), pa.float64())
        return clusters_of(members, keepers["row"], members["row"], closeness, lowest)

    @cached_property
    def _sides(self) -> tuple[Integers, Integers]:
        return self.keys("a"), self.keys("b")

    def compared(self, row: int, texts: Mapping[int, str]) -> Compared:
        """Return two sentences where they stand, or by themselves if their texts are not there."""
        names = ["doc", "start", "end", "text"]
        sides = [
            self.result.sentences.select(names).slice(int(side[row]), 1).to_pylist()[0]
            for side in self._sides
        ]
        whole = [texts.get(s["doc"]) for s in sides]
        spans = [(s["start"], s["end"]) for s in sides]
        for at, (s, text) in enumerate(zip(sides, whole, strict=True)):
            if text is None or text[s["start"] : s["end"]].split() != s["text"].split():
                whole[at], spans[at] = s["text"], (0, len(s["text"]))
        kind, distance = (self.pairs[name][row].as_py() for name in ("kind", "distance"))
        match = Match(*spans[0], *spans[1], kind, 1 - distance)
        return Compared(str(whole[0]), str(whole[1]), [match])


KINDS: dict[str, type[Kind]] = {
    "documents": Documents,
    "passages": Passages,
    "sentences": Sentences,
}


def kind_of(result: Result) -> Kind:
    """Return what is shown of a result."""
    return KINDS.get(result.method, Kind)(result)


def column_of(table: pa.Table, name: str) -> Column | None:
    """Say how a column is shown; None if it is not."""
    kind = table.schema.field(name).type
    label = LABELS.get(name, name.replace("_", " ").capitalize())
    if name in SHARES:
        return Column(name, label, "share")
    if pa.types.is_floating(kind):
        return Column(name, label, "number")
    if pa.types.is_integer(kind):
        return Column(name, label, "count")
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_boolean(kind):
        few = pc.count_distinct(table[name]).as_py() <= MOST_CATEGORIES
        return Column(name, label, "category" if few else "text")
    return None


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


def sentence_numbers(docs: pa.ChunkedArray, sentences: pa.ChunkedArray) -> Integers:
    """Return one number for a document and the number of a sentence in it."""
    numbers: Integers = (docs.to_numpy() << 32) + sentences.to_numpy()
    return numbers


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
