"""What a report shows of documents that share passages."""

from functools import cached_property

import numpy as np

from neardup.showing.console import number
from neardup.showing.kind import Column, Located, ShownMeasure, share


class PassageKind(Located):
    """Pairs of documents that share passages."""

    heading = "Shared passages"

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
        docs = len(np.union1d(self.keys("a"), self.keys("b")))
        found = [
            f"{docs:,} of {counts['documents']:,} documents ({share(docs, counts['documents'])}) share "
            f"a passage with another one: {number(counts['passages'], 'passage')} in "
            f"{number(counts['pairs'], 'pair')}.",
            "Coverage is the share of both documents that lies in common passages.",
        ]
        if repeated := counts.get("passages of boilerplate"):
            found.append(
                f"{number(repeated, 'passage')} that very many documents share: boilerplate, in no pair."
            )
        return found
