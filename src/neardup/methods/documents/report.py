"""What a report shows of near-duplicate documents."""

from collections.abc import Sequence

from neardup.showing.console import new_in
from neardup.showing.excluded import said_excluded
from neardup.showing.kind import Card, Kind, ShownMeasure, share
from neardup.showing.what_if import Regrouped, regrouped
from neardup.steps.declared import CLUSTERS, DOCUMENTS, DUPLICATES, PAIRS
from neardup.web.words import counted, say


class DocumentKind(Kind):
    """Near-duplicate documents and their clusters."""

    @property
    def measure(self) -> ShownMeasure:
        """Return resemblance or containment."""
        settings = self.result.run["settings"]
        return ShownMeasure("similarity", say(f"measure.{settings['measure']}"), settings["threshold"])

    def cards(self) -> list[Card]:
        """Return the figures that sum up the result."""
        counts = self.result.counts
        return [
            Card(f"{counts[DOCUMENTS]:,}", say("card.documents.read")),
            Card(f"{counts[PAIRS]:,}", say("card.pairs.verified")),
            Card(f"{counts[CLUSTERS]:,}", say("card.clusters")),
            Card(share(counts[DUPLICATES], new_in(counts)), say("card.removable")),
        ]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts, settings = self.result.counts, self.result.run["settings"]
        many = counts[CLUSTERS] + counts[DUPLICATES]
        of = "smaller" if settings["measure"] == "containment" else "all"
        return [
            say(
                "documents.found",
                many=many,
                documents=counts[DOCUMENTS],
                share=share(many, counts[DOCUMENTS]),
                clusters=counted(counts[CLUSTERS], "cluster"),
                duplicates=counts[DUPLICATES],
            ),
            say(
                "documents.counted",
                threshold=f"{settings['threshold']:.0%}",
                of=say(f"documents.of.{of}"),
                what=say(f"documents.runs.{self.shingles.kind}", width=self.shingles.width),
            ),
            *said_excluded(counts),
        ]

    def regrouped(self, grid: Sequence[float]) -> Regrouped:
        """Return the clusters at other thresholds, as `rethreshold` makes them."""
        return regrouped(self.result, grid)
