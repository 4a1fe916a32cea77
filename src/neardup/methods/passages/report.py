"""What a report shows of documents that share passages."""

from collections.abc import Mapping
from functools import cached_property

import pyarrow as pa

from neardup.methods.passages import declared as own
from neardup.showing.console import new_in
from neardup.showing.excluded import said_excluded
from neardup.showing.kind import Column, Integers, Located, ShownMeasure
from neardup.steps.declared import OLD_DOCUMENTS, PAIRS, PASSAGES
from neardup.web.words import counted, say


class PassageKind(Located):
    """Pairs of documents that share passages."""

    table = own.PAIRS_TABLE
    sides = ("documents", "sources")

    @property
    def measure(self) -> ShownMeasure:
        """Return how much of both documents is covered by common passages."""
        return ShownMeasure("similarity", say("measure.coverage"), None)

    @cached_property
    def columns(self) -> list[Column]:
        """Return what is shown of a pair besides its two documents."""
        return [
            column._replace(label=say("column.coverage")) if column.name == "similarity" else column
            for column in super().columns
        ]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts = self.result.counts
        found = [
            say(
                "passages.found",
                sharing=sharing(counts),
                passages=counted(counts[PASSAGES], "shared"),
                pairs=counted(counts[PAIRS], "pair"),
            ),
            say("passages.counted"),
        ]
        if repeated := counts.get(own.BOILERPLATE):
            found.append(say("passages.boilerplate", passages=counted(repeated, "shared")))
        return [*found, *said_excluded(counts)]

    def shares(self, docs: Integers) -> pa.Table | None:
        """Return how much of some documents stands in others, all of them together."""
        return self.result.shares.take(pa.array(docs)) if self.result.has("shares") else None


def sharing(counts: Mapping[str, int]) -> str:
    """Say how many documents share text, those of each side apart."""
    documents, found = counted(new_in(counts), "document"), counts[own.SHARING]
    if (old := counts.get(OLD_DOCUMENTS)) is None:
        return say("passages.sharing", found=found, documents=documents)
    used, sources = counts[own.OLD_SHARING], counted(old, "source")
    return say(
        "passages.sharing.sources", found=found - used, documents=documents, used=used, sources=sources
    )
