"""The counts of a run, and the units that it is tried on.

A table `facts` has names and values, one statement a count.
"""

from collections.abc import Iterable

from neardup.plan import Sql
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.declared import (
    COPIES_WITH_FIRST_ONLY,
    DOCUMENTS,
    IDENTICAL_COPIES,
    IDS_GIVEN_TWICE,
    OLD_DOCUMENTS,
    RECORDS,
    SKIPPED,
)
from neardup.tables import Count

SPREAD = 2654435761  # times the number of a unit: the lowest are from all over the input


def of_copies(most: int, against: Against = EVERYTHING) -> tuple[Count, ...]:
    """Return the counts of documents and their identical copies, of which `most` are paired."""
    old = (OLD_DOCUMENTS,) if against.is_given else ()
    listed = COPIES_WITH_FIRST_ONLY.of("copies", f"rank > {most}")
    return (*old, DOCUMENTS, IDENTICAL_COPIES, listed)


def step(*counts: Count, tables: Iterable[str] = ()) -> Sql:
    """Return the step to `facts`: what was read and skipped, these counts, and those of other tables."""
    every = [count.sql for count in (RECORDS, SKIPPED, IDS_GIVEN_TWICE, *counts)]
    every += [f"select name, value from {{{table}}}" for table in tables]
    return Sql("facts", "\nunion all ".join(every) + "\norder by 1")


def probed(
    table: str, most: int, condition: str = "true", unit: str = "doc", number: str = "number"
) -> str:
    """Return the statement for the first `most` units of a table in an order of no meaning."""
    return f"""
select {unit} from (
  select {unit}, {number} * {SPREAD} % {1 << 32} as place from {table} where {condition}
  order by place limit {most}
) p order by {unit}
"""
