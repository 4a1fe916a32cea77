"""What a report shows of near-duplicate documents."""

from collections.abc import Sequence

from neardup.showing.console import new_in, number
from neardup.showing.kind import Card, Kind, ShownMeasure, share
from neardup.showing.what_if import Regrouped, regrouped


class DocumentKind(Kind):
    """Near-duplicate documents and their clusters."""

    heading = "Near-duplicate documents"

    @property
    def measure(self) -> ShownMeasure:
        """Return resemblance or containment."""
        settings = self.result.run["settings"]
        return ShownMeasure("similarity", settings["measure"], settings["threshold"])

    def cards(self) -> list[Card]:
        """Return the figures that sum up the result."""
        counts = self.result.counts
        return [
            Card(f"{counts['documents']:,}", "documents read"),
            Card(f"{counts['pairs']:,}", "verified pairs"),
            Card(f"{counts['clusters']:,}", "clusters"),
            Card(share(counts["duplicates"], new_in(counts)), "could be removed"),
        ]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts, settings = self.result.counts, self.result.run["settings"]
        many = counts["clusters"] + counts["duplicates"]
        what = f"runs of {self.shingles.width} {self.shingles.kind}s".replace("chars", "characters")
        of = "the smaller one's" if settings["measure"] == "containment" else "all their"
        return [
            f"{many:,} of {counts['documents']:,} documents ({share(many, counts['documents'])}) are "
            f"like another one, in {number(counts['clusters'], 'cluster')}. With one document of each "
            f"cluster kept, {counts['duplicates']:,} could be removed.",
            f"Two documents are a pair if {settings['threshold']:.0%} or more of {of} {what} are in "
            "both of them. Every pair was counted on the whole texts; no similarity is an estimate.",
        ]

    def regrouped(self, grid: Sequence[float]) -> Regrouped:
        """Return the clusters at other thresholds, as `rethreshold` makes them."""
        return regrouped(self.result, grid)
