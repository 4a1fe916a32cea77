"""What a report shows of documents that were looked up in an index."""

import pyarrow.compute as pc

from neardup.index import corpus as own
from neardup.showing.console import new_in
from neardup.showing.kind import Located, ShownMeasure
from neardup.steps.declared import PAIRS, PASSAGES
from neardup.web.page import visible
from neardup.web.words import counted, say


class KnownKind(Located):
    """Pairs of a new document and one of the index."""

    table = own.PAIRS_TABLE
    sides = ("new", "index")

    @property
    def measure(self) -> ShownMeasure:
        """Return how much of the new document is in that of the index."""
        return ShownMeasure("containment_a", say("measure.containment"), None)

    @property
    def others(self) -> str:
        """Say how more texts can be seen: two documents of the same id are not told apart elsewhere."""
        return say("query.others", folder=visible(self.result.where.name))

    def row_of(self, id_a: str, id_b: str) -> int | None:
        """Return the row of a new document and one of the index, which may have the same id."""
        same = (pc.equal(self.pairs[name], own) for name, own in (("id_a", id_a), ("id_b", id_b)))
        rows = pc.indices_nonzero(pc.and_(*same))
        return int(rows[0].as_py()) if len(rows) else None

    def words(self) -> list[str]:
        """Sum up the result in a sentence."""
        counts = self.result.counts
        return [
            say(
                "query.found",
                found=f"{counts[own.DOCUMENTS_FOUND]:,}",
                documents=counted(new_in(counts), "document"),
                passages=counted(counts[PASSAGES], "shared"),
                pairs=counted(counts[PAIRS], "pair"),
            )
        ]
