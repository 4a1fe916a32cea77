"""What a report shows of near-duplicate threads."""

from collections.abc import Sequence

from neardup.showing.kind import Clusters, Kind, document_clusters, share
from neardup.showing.what_if import Effect, effects


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
