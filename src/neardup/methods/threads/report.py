"""What a report shows of near-duplicate threads."""

from collections.abc import Sequence

from neardup.readers.fields import column_of
from neardup.readers.source import Source, fetch
from neardup.showing.kind import Kind, share
from neardup.showing.what_if import Regrouped, regrouped
from neardup.steps.declared import CLUSTERS, DOCUMENTS, DUPLICATES
from neardup.web.words import counted, say


class ThreadKind(Kind):
    """Near-duplicate questions and answers, and their clusters."""

    item = read = "thread"
    columns_of_items = ("thread.a", "thread.b")
    leads_with = "title"

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts, settings = self.result.counts, self.result.run["settings"]
        fields = ", ".join(f"{name} {weight:g}" for name, weight in settings["fields"].items())
        return [
            say(
                "threads.found",
                duplicates=counts[DUPLICATES],
                documents=counts[DOCUMENTS],
                share=share(counts[DUPLICATES], counts[DOCUMENTS]),
                clusters=counted(counts[CLUSTERS], "cluster"),
            ),
            say("threads.counted", fields=fields, threshold=settings["threshold"]),
        ]

    def texts(self, source: Source, places: Sequence[tuple[int, int]]) -> list[str | None]:
        """Fetch the fields of threads, one below the other."""
        fields = list(self.result.settings["fields"])
        texts = [fetch(source, places, column_of(field, fields)) for field in fields]
        return ["\n\n".join(filter(None, own)) or None for own in zip(*texts, strict=True)]

    def regrouped(self, grid: Sequence[float]) -> Regrouped:
        """Return the clusters at other thresholds, as `rethreshold` makes them."""
        return regrouped(self.result, grid)
