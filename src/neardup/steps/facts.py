"""The counts of a run: a table `facts` of names and values, one line of SQL each."""

import re

from neardup.plan import Sql
from neardup.steps.against import EVERYTHING, Against


def counted(name: str, table: str, condition: str = "1 = 1") -> str:
    """Return the SQL that counts the rows of a table."""
    return f"select '{name}' as name, count(*) as value from {{{table}}} where {condition}"


def counted_by(prefix: str, column: str, table: str, condition: str = "1 = 1") -> str:
    """Return the SQL that counts the rows of a table for each value of a column, named after it."""
    name = f"concat('{prefix}: ', {column})"
    rows = f"{{{table}}} where {condition} group by {column}"
    return f"select {name} as name, count(*) as value from {rows}"


def summed(name: str, table: str, column: str) -> str:
    """Return the SQL that sums up a column."""
    return (
        f"select '{name}' as name, cast(coalesce(sum({column}), 0) as bigint) as value from {{{table}}}"
    )


def of_copies(most: int, against: Against = EVERYTHING) -> tuple[str, ...]:
    """Return the lines on documents and their identical copies, of which `most` are paired."""
    return (
        *([counted("old documents", "copies", "old = 1")] if against.is_given else []),
        counted("documents", "copies"),
        counted("identical copies", "copies", "doc <> first"),
        counted("copies paired with the first only", "copies", f"rank > {most}"),
    )


SIZES = "clusters of"  # begins the names of facts on sizes, which are a table of their own
OF_CLUSTERS = (
    "select 'clusters' as name, count(distinct cluster) as value from {clusters}",
    "select 'duplicates' as name, count(*) - count(distinct cluster) as value from {clusters}",
    counted("members that do not resemble their keeper", "clusters", "similarity is null"),
    f"""select concat('{SIZES} ', cast(size as varchar(20))) as name, count(distinct cluster) as value
from {{clusters}} group by size""",
)


def step(*lines: str) -> Sql:
    """Return the step to `facts`: what was read and skipped, and these lines."""
    read = (
        counted("records", "named"),
        counted_by("skipped", "problem", "named", "problem is not null"),
        counted("ids given twice", "named", "problem is null and given is not null and repeat > 1"),
    )
    text = "\nunion all ".join((*read, *lines)) + "\norder by 1"
    return Sql("facts", tuple(dict.fromkeys(re.findall(r"{(\w+)}", text))), text)
