"""Which pairs are listed: all of them, those of documents with their keepers, or none.

Of a million rows that are much alike, all pairs are tens of millions, which nobody reads. So clusters
are made of what was verified, and pairs are listed when it is known who is whose keeper.
"""

from collections.abc import Mapping
from dataclasses import replace

from neardup.plan import Sql
from neardup.settings.base import Listing
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.copies import Measured, copied_pairs, every, identical_pairs, measured_columns, pairs
from neardup.steps.declared import PAIRS, PAIRS_NOT_LISTED
from neardup.tables import Count

MANY = 10_000_000  # more pairs than this are listed only if all were asked for
FIRST = "x.same_as = x.number and y.same_as = y.number"
COUNTS = (PAIRS.of("amount", value="pairs"), PAIRS_NOT_LISTED)


def amount(most: int, against: Against = EVERYTHING) -> Sql:
    """Return the step that counts the pairs that there are."""
    text = f"select count(*) as pairs from ({every({}, most, against=against)}) e"
    return Sql("amount", text, keep=True)


def edges(measured: Mapping[str, Measured], most: int, against: Against = EVERYTHING) -> str:
    """Return the statement for the pairs of first documents, which clusters are made of."""
    near, same = measured_columns(measured)
    text = f"{copied_pairs(near, most, against=against)} and {FIRST}"
    if against.is_given:  # otherwise the first of identical documents is one
        where = f"{same}, case when {FIRST} then 1 else 0 end as firsts"
        own = ", ".join(("x", "y", *measured))
        text += (
            f"\nunion all select {own} from ({identical_pairs(where, most, against)}) i where firsts = 1"
        )
    return f"""
select x as a, y as b, similarity, in_x as in_a, in_y as in_b from (
{text}
) e
"""


def steps(
    columns: str,
    listing: Listing | None,
    measured: Mapping[str, Measured],
    most: int,
    against: Against = EVERYTHING,
) -> list[Sql]:
    """Return the steps to `pairs`, with these columns: the pairs that are to be listed."""
    all_of_them = pairs(columns, measured, most, against=against)
    if listing == "all":
        return [all_of_them]
    keepers = f"select * from ({with_keepers(measured, against)}) k"
    if listing == "none":
        keepers += " where 1 = 0"
    few = pairs(columns, measured, most, against=against, chosen=keepers)
    if listing is not None:
        return [amount(most, against), few]
    many = Sql("many", f"select pairs from {{amount}} where pairs > {MANY}")
    return [amount(most, against), many, replace(all_of_them, unless="many", instead=few.text)]


def with_keepers(measured: Mapping[str, Measured], against: Against) -> str:
    """Return the SQL for the pairs of a document and its keeper."""
    near, same = measured_columns(measured)
    named = "join {copies} x on x.number = g.one join {copies} y on y.number = g.other"
    members = "select doc as one, keeper as other from {membership}"
    return f"""
select {near} from ({members} union all select keeper, doc from {{membership}}) g {named}
join {{verified}} v on v.a = x.first and v.b = y.first where {against.of_pair()}
union all select {same} from ({members}) g {named}
where x.first = y.first and x.number <> y.number and {against.of_pair()}
"""


def counts(listing: Listing | None) -> tuple[Count, ...]:
    """Return the counts of pairs."""
    return (PAIRS,) if listing == "all" else COUNTS
