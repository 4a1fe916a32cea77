"""What a report shows of documents that share passages."""

from functools import cached_property

import pyarrow as pa

from neardup.methods.passages.view import sharing
from neardup.showing.console import number
from neardup.showing.kind import Column, Integers, Located, ShownMeasure


class PassageKind(Located):
    """Pairs of documents that share passages."""

    heading = "Shared passages"
    sides = ("documents", "sources")

    @property
    def measure(self) -> ShownMeasure:
        """Return how much of both documents is covered by common passages."""
        return ShownMeasure("similarity", "coverage", None)

    @cached_property
    def columns(self) -> list[Column]:
        """Return what is shown of a pair besides its two documents."""
        return [
            column._replace(label="Coverage", type="share") if column.name == "similarity" else column
            for column in super().columns
        ]

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts = self.result.counts
        found = [
            f"{sharing(counts)}: {number(counts['passages'], 'passage')} in "
            f"{number(counts['pairs'], 'pair')}.",
            "Coverage is the share of both documents that lies in common passages.",
        ]
        if repeated := counts.get("passages of boilerplate"):
            found.append(
                f"{number(repeated, 'passage')} that very many documents share: boilerplate, in no pair."
            )
        return found

    def shares(self, docs: Integers) -> pa.Table | None:
        """Return how much of some documents stands in others, all of them together."""
        return self.result.shares.take(pa.array(docs)) if self.result.has("shares") else None
