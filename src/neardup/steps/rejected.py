"""Candidates that just missed being a pair: a few are kept, to choose another threshold by.

What verification returns of each candidate, `compared`, says whether it `holds`; those that do are
`verified`, the closest of the others are `rejected`.
"""

from collections.abc import Sequence

import numpy as np

from neardup.arrays import Bools, Floats, Integers
from neardup.plan import Sql

REACH = 0.05  # how far below the threshold a candidate may be to be remembered
MOST = 100  # of them
OUT_OF_REACH = -1.0
MEASURES = ("similarity", "containment_a", "containment_b")


def worth_keeping(a: Integers, b: Integers, closeness: Floats, limit: float) -> tuple[Integers, Bools]:
    """Return which candidates of a batch to return, and which of these hold: they reach the limit.

    Of the others, as many as there can be of them in `rejected`, the closest ones.

    >>> kept, holds = worth_keeping(np.arange(200), np.arange(200), np.arange(200) / 2000, 0.099)
    >>> kept[[0, -1]].tolist(), holds.sum().item()
    ([98, 199], 2)
    """
    holds = closeness >= limit
    near = np.flatnonzero((closeness >= limit - REACH) & ~holds)
    closest = near[np.lexsort((b[near], a[near], -closeness[near]))[:MOST]]
    kept = np.union1d(np.flatnonzero(holds), closest)
    return kept, holds[kept]


def verified(columns: Sequence[str] = MEASURES) -> Sql:
    """Return the step that takes the pairs."""
    return Sql("verified", f"select a, b, {', '.join(columns)} from {{compared}} where holds")


def rejected(
    columns: Sequence[str] = MEASURES, table: str = "compared", condition: str = "not holds"
) -> Sql:
    """Return the step that takes the closest of the others: of identical documents, the first ones."""
    own = ", ".join(columns)
    shown = ", ".join(f"r.{name} as {name}" for name in columns)
    return Sql(
        "rejected",
        f"""
select x.id as id_a, y.id as id_b, {shown}, x.doc as doc_a, y.doc as doc_b
from (
  select a, b, {own} from {{{table}}} where {condition} order by similarity desc, a, b limit {MOST}
) r
join {{copies}} m on m.doc = r.a join {{copies}} n on n.doc = r.b
join {{documents}} x on x.doc = m.number join {{documents}} y on y.doc = n.number
order by similarity desc, doc_a, doc_b
""",
    )
