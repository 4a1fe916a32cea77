"""What a report shows of documents that share passages."""

from collections.abc import Mapping
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Integers
from neardup.methods.passages import declared as own
from neardup.showing.console import new_in
from neardup.showing.excluded import said_excluded
from neardup.showing.kind import Located, ShownColumn, ShownMeasure
from neardup.steps.against import OLD
from neardup.steps.declared import OLD_DOCUMENTS, PAIRS, PASSAGES
from neardup.web.words import counted, say

OWN = "share"  # the column of pairs that says how much of the new document stands in the old one


class PassageKind(Located):
    """Pairs of documents that share passages."""

    table = own.PAIRS_TABLE
    sides = ("documents", "sources")

    @cached_property
    def pairs(self) -> pa.Table:
        """Return the pairs; of a run against old documents with what each has of its new one."""
        pairs = super().pairs
        return pairs if self._old is None else pairs.append_column(OWN, own_share(pairs, self._old))

    @cached_property
    def _old(self) -> pa.ChunkedArray | None:
        known = self.result.documents
        return known[OLD] if OLD in known.column_names else None

    @property
    def measure(self) -> ShownMeasure:
        """Return how much of both documents common passages have, or of the new one of two."""
        if self._old is None:
            return ShownMeasure("similarity", say("measure.coverage"), None)
        return ShownMeasure(OWN, say("measure.own"), None)

    @cached_property
    def columns(self) -> list[ShownColumn]:
        """Return what is shown of a pair besides its two documents."""
        first = "similarity" if self._old is None else OWN
        label = say("column.coverage" if self._old is None else "column.own")
        rest = [
            column._replace(type="share") if column.name == "passage_similarity" else column
            for column in super().columns
            if column.name not in (OWN, "similarity")
        ]
        return [ShownColumn(first, label, "share"), *rest]

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
            say("passages.counted" if self._old is None else "passages.counted.against"),
        ]
        if repeated := counts.get(own.BOILERPLATE):
            found.append(say("passages.boilerplate", passages=counted(repeated, "shared")))
        return [*found, *said_excluded(counts)]

    def warnings(self) -> list[str]:
        """Name texts whose words may hide from the comparison."""
        found = dict(own.DISGUISED.each(self.result.counts))
        if not found:
            return []
        more = found.pop("", 0)
        names = ", ".join([*sorted(found), *([counted(more, "more")] if more else [])])
        return [say("passages.disguised", names=names)]

    def shares(self, docs: Integers) -> pa.Table | None:
        """Return how much of some documents stands in others, all of them together."""
        return self.result.shares.take(pa.array(docs)) if self.result.has("shares") else None


def own_share(pairs: pa.Table, old: pa.ChunkedArray) -> pa.Array:
    """Return how much of the new document of a pair is in the other one; of two new ones, the more."""
    shares, sides = [], []
    for side in "ab":
        found = pc.add(pairs[f"containment_{side}"], pairs[f"rewritten_{side}"])
        shares.append(pc.min_element_wise(found, 1.0))
        sides.append(old.take(pairs[f"doc_{side}"]))
    more = pc.max_element_wise(*shares)
    return pc.if_else(sides[0], shares[1], pc.if_else(sides[1], shares[0], more))


def sharing(counts: Mapping[str, int]) -> str:
    """Say how many documents share text, those of each side apart."""
    documents, found = counted(new_in(counts), "document"), counts[own.SHARING]
    if (old := counts.get(OLD_DOCUMENTS)) is None:
        return say("passages.sharing", found=found, documents=documents)
    used, sources = counts[own.OLD_SHARING], counted(old, "source")
    return say(
        "passages.sharing.sources", found=found - used, documents=documents, used=used, sources=sources
    )
