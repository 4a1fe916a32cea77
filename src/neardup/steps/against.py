"""New documents against old ones: which documents are old, and which pairs are asked for.

The documents of the old side are numbered behind all others. What is common, boilerplate or rare is
decided over both sides, so the pairs are those of a run over both, without those of two old documents.
"""

from dataclasses import dataclass

import numpy as np

from neardup.arrays import Bools, Integers

OLD = "old"  # the column of `documents` that says of which side one is


@dataclass(frozen=True)
class Against:
    """Where the old documents begin, and whether new ones are compared with each other.

    Without a `boundary` no document is old. Tables of copies say by 0 or 1 of each unit whether it is
    `old`, and whether of those identical to it any is new (`any_new`) or old (`any_old`).
    """

    boundary: int | None = None
    within: bool = True

    @property
    def is_given(self) -> bool:
        """Return whether some documents are old."""
        return self.boundary is not None

    def old(self, doc: str) -> str:
        """Return the SQL that says whether a record is old, by its number."""
        return f"{doc} >= {self.boundary}"

    def named(self, doc: str) -> str:
        """Return the column `old` of `documents`, to select behind others; nothing if none is old."""
        return f", {self.old(doc)} as {OLD}" if self.is_given else ""

    def marked(self, doc: str) -> str:
        """Return the column `old` of units, to select behind others."""
        return f", case when {self.old(doc)} then 1 else 0 end as old" if self.is_given else ""

    def flags(self, same: str) -> str:
        """Return the columns on all units that are the `same`, as a window says."""
        if not self.is_given:
            return ""
        return f", old, 1 - min(old) over ({same}) as any_new, max(old) over ({same}) as any_old"

    def of_pair(self, x: str = "x", y: str = "y") -> str:
        """Return the SQL condition for a pair of units that is asked for."""
        if not self.is_given:
            return "1 = 1"
        return f"{x}.old + {y}.old < 2" if self.within else f"{x}.old + {y}.old = 1"

    def of_groups(self) -> str:
        """Return the SQL condition for two units x and y if some pair of copies of them is asked for."""
        if not self.is_given:
            return "1 = 1"
        if self.within:
            return "x.any_new + y.any_new > 0"
        return "(x.any_new + y.any_old = 2 or x.any_old + y.any_new = 2)"

    def candidates(self, pairs: str, unit: str = "doc") -> str:
        """Return the statement for candidates a, b in order, of one for pairs: those asked for."""
        if not self.is_given:
            return f"{pairs}\norder by 1, 2"
        return f"""
select c.* from ({pairs}) c
join {{copies}} x on x.{unit} = c.a join {{copies}} y on y.{unit} = c.b
where {self.of_groups()} order by 1, 2
"""

    def first_old(self, docs: Integers) -> int:
        """Return how many of some sorted documents are new, or all if none is old."""
        return len(docs) if self.boundary is None else int(np.searchsorted(docs, self.boundary))

    def some_new(self, a: Integers) -> Bools | slice:
        """Say of which pairs the first documents are new; as a first copy is, if any of them is."""
        return slice(None) if self.boundary is None else a < self.boundary


EVERYTHING = Against()
