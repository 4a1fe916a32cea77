"""The counts of a run: a table `facts` of names and values, one statement a count."""

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
