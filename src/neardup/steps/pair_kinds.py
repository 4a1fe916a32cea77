"""What the two documents of a pair are to each other, said once: in SQL, of a table, of one pair.

Identical if they have the same words in the same order, which sets of shingles do not say;
`contained` if at most one of them lies in the other up to a limit; else near-duplicates.
"""

import pyarrow as pa
import pyarrow.compute as pc

from neardup.steps.rounding import lowered, lowered_sql

IDENTICAL, CONTAINED, NEAR_DUPLICATE = "identical", "contained", "near-duplicate"


def kind_sql(identical: str, contained: str = "1 = 0") -> str:
    """Return the SQL for the kind of a pair by the conditions for the first two kinds."""
    return (
        f"case when {identical} then '{IDENTICAL}' when {contained} then '{CONTAINED}' "
        f"else '{NEAR_DUPLICATE}' end"
    )


def kind_by_shares_sql(identical: str, in_a: str, in_b: str, limit: float) -> str:
    """Return the SQL for the kind of a pair by the share of each document that is in the other."""
    return kind_sql(identical, f"least({in_a}, {in_b}) < {lowered_sql(limit)}")


def kind_by_shares(identical: bool, in_a: float, in_b: float, limit: float) -> str:
    """Return the kind of a pair by the share of each document that is in the other."""
    if identical:
        return IDENTICAL
    return CONTAINED if min(in_a, in_b) < lowered(limit) else NEAR_DUPLICATE


def with_kinds(pairs: pa.Table, limit: float) -> pa.Table:
    """Say the kinds of pairs again, for another limit; what is identical stays so."""
    less = pc.min_element_wise(pairs["containment_a"], pairs["containment_b"])
    kinds = pc.if_else(pc.less(less, lowered(limit)), CONTAINED, NEAR_DUPLICATE)
    kinds = pc.if_else(pc.equal(pairs["kind"], IDENTICAL), IDENTICAL, kinds)
    return pairs.set_column(pairs.schema.get_field_index("kind"), "kind", kinds)
