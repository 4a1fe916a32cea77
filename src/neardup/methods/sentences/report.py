"""What a report shows of similar sentences."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Integers
from neardup.methods.sentences import declared as own
from neardup.methods.sentences.tables import DRIFT
from neardup.showing.alignment import Match
from neardup.showing.kind import Card, Clusters, Kind, PairTexts, ShownColumn, ShownMeasure, clusters_of
from neardup.steps.declared import DOCUMENTS, PAIRS, PAIRS_BY_KIND
from neardup.text.dates import day_of, order_of, spans
from neardup.web.numbers import Figure
from neardup.web.page import visible
from neardup.web.svg import bars
from neardup.web.words import counted, say

DRIFT_FIRST = (DRIFT, "copy edit", "other", "reference", "template", "identical", "no pair")
MOST_BARS = 40
MOST_CHANGES = 1_000  # in a report: the last ones
MOST_SUGGESTED, MOST_DRAWN = 1_000, 20  # of suggestions, the surest


class SentenceKind(Kind):
    """Pairs of similar sentences and their clusters."""

    item = "sentence"
    columns_of_items = ("sentence.a", "sentence.b")

    @property
    def measure(self) -> ShownMeasure:
        """Return the edit distance."""
        return ShownMeasure(
            "distance", say("measure.distance"), self.result.run["settings"]["max_distance"], False
        )

    @cached_property
    def columns(self) -> list[ShownColumn]:
        """Return what is shown of a pair besides its two sentences."""
        return [
            ShownColumn("change", say("column.change"), "text"),
            ShownColumn("kind", say("column.change.kind"), "category", DRIFT_FIRST),
            ShownColumn("distance", say("column.distance"), "number"),
        ]

    @property
    def first_sort(self) -> tuple[str, bool]:
        """Put facts that drifted first, and what is identical last."""
        return "kind", False

    @cached_property
    def rows(self) -> pa.Table:
        """Return pairs, and what just missed being one, with the words that changed."""
        found = super().rows
        words = [found[f"words_{side}"].to_pylist() for side in "ab"]
        change = [change_of(a, b) for a, b in zip(*words, strict=True)]
        return found.append_column("change", pa.array(change, pa.string()))

    def cards(self) -> list[Card]:
        """Return the figures that sum up the result."""
        counts = self.result.counts
        names = (DOCUMENTS, own.SENTENCES, PAIRS, own.CLUSTERS)
        drifted = PAIRS_BY_KIND.each(counts).get(DRIFT, 0)
        found = [Card(f"{counts[name]:,}", say(f"card.{name}")) for name in names]
        return [*found, Card(f"{drifted:,}", say("card.drifted"))]

    def plots(self) -> list[Figure]:
        """Draw what editors want; the numbers below have the sentences."""
        return [*self._suggested(), *self._edited()]

    def _suggested(self) -> list[Figure]:
        """Draw how many have something else than a sentence; the numbers below are the work list."""
        names = ("words", "most_have", "agreeing", "places", "id", "text")
        rows = self.result.suggestions.select(names).slice(0, MOST_SUGGESTED).to_pylist()
        if not rows:
            return []
        drawn = [
            (visible(f"{row['words'] or '∅'} → {row['most_have'] or '∅'}"), row["agreeing"])
            for row in rows[:MOST_DRAWN]
        ]
        x, total = say("figure.suggestions.x"), self.result.counts[own.SUGGESTIONS]
        plot = bars(drawn, title=say("figure.suggestions"), x=x, width=520)
        caption = say("figure.suggestions.some", number=len(drawn), all=total, listed=len(rows))
        cells = [[visible(v) if isinstance(v, str) else v for v in row.values()] for row in rows]
        head = ("words", "most have", "agreeing", "places", "document", "sentence")
        return [Figure("suggestions", plot, head, cells, caption)]

    def _edited(self) -> list[Figure]:
        """Draw when revisions changed sentences; the numbers below say who changed what."""
        if not self.result.has(own.CHANGES) or not len(changes := self.result.table(own.CHANGES)):
            return []
        order = order_of(self.result.documents["date"])
        days = [day_of(own) or "" for own in spans(changes["date"], order)]
        cut = next(n for n in (10, 7, 4) if n == 4 or len({day[:n] for day in days}) <= MOST_BARS)
        bins = sorted(Counter(day[:cut] or "?" for day in days).items())
        plot = bars(bins, title=say("figure.changes"), x=say("figure.changes.x"), width=520)
        names = ("date", "title", "contributor", "kind", "words_a", "words_b", "id_b")
        columns = [changes[name].to_pylist()[-MOST_CHANGES:] for name in names]
        rows = [
            [*(visible(v or "") for v in (*known, change_of(a, b), revision))]
            for *known, a, b, revision in zip(*columns, strict=True)
        ]
        more = say("figure.changes.some", number=MOST_CHANGES, all=len(changes))
        caption = more if len(changes) > MOST_CHANGES else ""
        head = ("date", "title", "contributor", "kind", "change", "revision")
        return [Figure("changes", plot, head, rows, caption)]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts = self.result.counts
        return [
            say(
                "sentences.found",
                many=counts[own.SENTENCES_IN_CLUSTERS],
                sentences=counts[own.SENTENCES],
                clusters=counted(counts[own.CLUSTERS], "cluster"),
            ),
            say("sentences.counted", most=self.measure.threshold),
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

    def item_docs(self, keys: Integers) -> Integers:
        """Return the documents of some sentences."""
        found: Integers = self._sentences["doc"].take(pa.array(keys)).to_numpy()
        return found

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

    def compared(self, row: int, texts: Mapping[int, str]) -> PairTexts:
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
        return PairTexts(str(whole[0]), str(whole[1]), [match])


def change_of(words_a: list[str] | None, words_b: list[str] | None) -> str | None:
    """Write what changed between two sentences.

    >>> change_of(["500"], ["240"]), change_of([], ["very"]), change_of(None, None)
    ('500 → 240', '+ very', None)
    """
    before, after = " ".join(words_a or []), " ".join(words_b or [])
    if before and after:
        return f"{before} → {after}"
    return f"− {before}" if before else f"+ {after}" if after else None


def sentence_numbers(docs: pa.ChunkedArray, sentences: pa.ChunkedArray) -> Integers:
    """Return one number for a document and the number of a sentence in it."""
    numbers: Integers = (docs.to_numpy() << 32) + sentences.to_numpy()
    return numbers
