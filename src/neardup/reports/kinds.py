"""What a report shows of each kind of result: one class a method.

A method that is added later is shown as pairs of documents with all its columns; to say more of it, add
a class to KINDS.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.tlcs import first_round
from neardup.page_pairs import boilerplate_of, settings_of, trimmed
from neardup.reports.alignment import Match
from neardup.reports.kind import (
    Card,
    Clusters,
    Column,
    Compared,
    Integers,
    Kind,
    Measure,
    clusters_of,
    document_clusters,
    pair_numbers,
    share,
)
from neardup.reports.what_if import Effect, effects
from neardup.result import Result
from neardup.web.curves import points_of

MOST_POINTS = 100  # of an edit curve


class Documents(Kind):
    """Near-duplicate documents and their clusters."""

    heading = "Near-duplicate documents"

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
        return document_clusters(self.result)

    def effects(self, grid: Sequence[float]) -> list[Effect]:
        """Return the clusters at other thresholds, as `rethreshold` makes them."""
        return effects(self.result, grid)


class Threads(Kind):
    """Near-duplicate questions and answers, and their clusters."""

    heading = "Near-duplicate threads"
    item = ("thread", "threads")
    side_labels = ("Thread A", "Thread B")

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts, settings = self.result.counts, self.result.run["settings"]
        fields = ", ".join(f"{name} {weight:g}" for name, weight in settings["fields"].items())
        return [
            f"{counts['duplicates']:,} of {counts['documents']:,} threads "
            f"({share(counts['duplicates'], counts['documents'])}) repeat another one, "
            f"in {counts['clusters']:,} clusters.",
            f"The similarity of two threads is the weighted mean of that of their fields ({fields}); "
            f"pairs have {settings['threshold']} at least.",
        ]

    def clusters(self) -> Clusters:
        """Return the clusters, largest first."""
        return document_clusters(self.result)

    def effects(self, grid: Sequence[float]) -> list[Effect]:
        """Return the clusters at other thresholds, as `rethreshold` makes them."""
        return effects(self.result, grid)


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


class Passages(Located):
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


class Pages(Located):
    """Near-duplicate web pages, with the regions that match, and their clusters."""

    heading = "Near-duplicate pages"
    item = ("page", "pages")
    side_labels = ("Page A", "Page B")

    @property
    def measure(self) -> Measure:
        """Return the resemblance; a pair may have little of it if one page contains the other."""
        return Measure("similarity", "resemblance", None)

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts = self.result.counts
        sites = self.pairs["same_site"]
        inside = f"; {pc.sum(sites).as_py() or 0:,} of {counts['pairs']:,} pairs are of one site"
        return [
            f"{counts['duplicates']:,} of {counts['documents']:,} pages "
            f"({share(counts['duplicates'], counts['documents'])}) repeat another one, in "
            f"{counts['clusters']:,} clusters{inside if pc.count(sites).as_py() else ''}.",
        ]

    def clusters(self) -> Clusters:
        """Return the clusters, largest first."""
        return document_clusters(self.result)

    @cached_property
    def _boilerplate(self) -> Any:
        return boilerplate_of(self.result)

    def curve(self, row: int, texts: Mapping[int, str]) -> dict[str, Any] | None:
        """Return how the edits run up along the shorter page, and the region that is trusted first."""
        docs = [self.rows[name][row].as_py() for name in ("doc_a", "doc_b")]
        settings = settings_of(self.result)
        if settings.measure != "tlcs" or not all(doc in texts for doc in docs):
            return None
        urls = self.result.documents["url"].take(pa.array(docs)).to_pylist()
        own = [texts[doc] for doc in docs]
        a, b = trimmed(settings, self._boilerplate, own, urls)
        found = first_round(a, b, settings)
        if found is None:
            return None
        region = [int(found.places[at]) for at in (found.begin, found.end)]
        return {"points": points_of(found, MOST_POINTS), "region": region}


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
    def _sentences(self) -> pa.Table:
        """Return the sentences of the result, and those that are in no pair but nearly."""
        names = ["id", "sentence", "start", "end", "text", "doc"]
        found = self.result.sentences.select(names)
        if self.rejected is None:
            return found
        missed = [self.rejected.select([f"{name}_{side}" for name in names]) for side in "ab"]
        return pa.concat_tables([found, *(table.rename_columns(names) for table in missed)])

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        """Return numbers of all sentences in order, and the row that each has."""
        table = self._sentences
        numbers = sentence_numbers(table["doc"], table["sentence"])
        order = np.argsort(numbers, kind="stable")
        return numbers[order], order

    def keys(self, side: str) -> Integers:
        """Return the row of each pair's sentence in the table of sentences."""
        wanted = sentence_numbers(self.rows[f"doc_{side}"], self.rows[f"sentence_{side}"])
        numbers, rows = self._places
        return rows[np.searchsorted(numbers, wanted)]

    def items(self, keys: Integers) -> pa.Table:
        """Return the text of some sentences, and the title and file of their documents."""
        own = self._sentences.select(["text", "id", "doc"]).take(pa.array(keys))
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
            self._sentences.select(names).slice(int(side[row]), 1).to_pylist()[0] for side in self._sides
        ]
        whole = [texts.get(s["doc"]) for s in sides]
        spans = [(s["start"], s["end"]) for s in sides]
        for at, (s, text) in enumerate(zip(sides, whole, strict=True)):
            if text is None or text[s["start"] : s["end"]].split() != s["text"].split():
                whole[at], spans[at] = s["text"], (0, len(s["text"]))
        kind, distance = (self.rows[name][row].as_py() for name in ("kind", "distance"))
        match = Match(*spans[0], *spans[1], kind, 1 - distance)
        return Compared(str(whole[0]), str(whole[1]), [match])


KINDS: dict[str, type[Kind]] = {
    "documents": Documents,
    "pages": Pages,
    "passages": Passages,
    "sentences": Sentences,
    "threads": Threads,
}


def kind_of(result: Result) -> Kind:
    """Return what is shown of a result."""
    return KINDS.get(result.method, Kind)(result)


def sentence_numbers(docs: pa.ChunkedArray, sentences: pa.ChunkedArray) -> Integers:
    """Return one number for a document and the number of a sentence in it."""
    numbers: Integers = (docs.to_numpy() << 32) + sentences.to_numpy()
    return numbers
