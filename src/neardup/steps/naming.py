"""Names: how documents are called in a result, and which records became none."""

from collections.abc import Iterable

import pyarrow as pa

from neardup.plan import Sql, Step
from neardup.readers.numbers import ROW_BITS
from neardup.readers.records import KNOWN
from neardup.steps.columns import extras, numbered_names

WIDTH = 1 << ROW_BITS
PLACES = {"start_at": "start", "end_at": "end"}  # `end` is a word of SQL


def carried_columns(records: pa.Schema) -> dict[str, str]:
    """Return the columns that users carry along, by their names in SQL."""
    return numbered_names(extras(records))


def parts(units: str, document: str = "size > 0") -> Sql:
    """Return the step to `input_parts`: what comes before each part of the input.

    So that documents are numbered part by part, which many tasks can do at a time. `document` is the
    condition for a unit that is one.
    """
    text = f"""
select part,
  cast(coalesce(sum(records) over (partition by file order by part
    rows between unbounded preceding and 1 preceding), 0) as bigint) as records_before,
  cast(coalesce(sum(documents) over (order by part
    rows between unbounded preceding and 1 preceding), 0) as bigint) as documents_before
from (
  select part, min(file) as file, count(*) as records,
    count(case when document then 1 end) as documents
  from (select doc - doc % {WIDTH} as part, file, {document} as document from {{{units}}}) u
  group by part
) p
"""
    return Sql("input_parts", text, keep=True)


def numbered(units: str, more: str = "") -> str:
    """Return the statement for the documents' numbers; `more` columns as in ", u.digest as digest"."""
    return f"""
select u.doc as doc, u.size as size {more},
  cast(p.documents_before + row_number() over (partition by p.part order by u.doc) - 1 as bigint)
    as number
from {{{units}}} u join {{input_parts}} p on p.part = u.doc - u.doc % {WIDTH} where u.size > 0
"""


def steps(units: str, numbers: str, records: pa.Schema, more: str = "") -> list[Step]:
    """Return the steps from units, `input_parts` and numbers to `named`, `documents` and `skipped`.

    `numbers` has doc, number and whatever columns `more` takes from it, as in ", c.size as size".
    """
    carried = carried_columns(records)
    return [
        Sql("named", named(units, _columns(carried, "u")), keep=True),
        Sql("documents", documents(numbers, _columns(carried, "n") + more)),
        Sql("skipped", SKIPPED),
    ]


def named(units: str, more: str) -> str:
    """Return the statement for records with their files, positions and ids, and `more` columns.

    Whether an id was there before is told by its first record, not by numbering all that have it: one
    task would do that.
    """
    return f"""
select u.doc as key, f.name as source,
  cast(p.records_before + row_number() over (partition by p.part order by u.doc) as bigint) as position,
  nullif(u.id, '') as given, nullif(u.id, '') is not null and i.first is null as repeated,
  u.length as length, u.problem as problem, u.detail as detail {more}
from {{{units}}} u join {{input_parts}} p on p.part = u.doc - u.doc % {WIDTH}
join {{files}} f on f.file = u.file
left join (select min(doc) as first from {{{units}}} where nullif(id, '') is not null group by id) i
  on i.first = u.doc
"""


def documents(numbers: str, more: str) -> str:
    """Return the statement for documents; one without an id of its own is named by file and position."""
    return f"""
select c.number as doc,
  case when n.given is not null and not n.repeated then n.given
    when t.given is null then concat(n.source, '#', cast(n.position as varchar(20)))
    else concat(n.source, '##', cast(n.position as varchar(20))) end as id,
  n.source as source, n.position as position, n.length as length {more}
from {{named}} n join {{{numbers}}} c on c.doc = n.key
left join (select distinct given from {{named}} where given like '%#%') t
  on t.given = concat(n.source, '#', cast(n.position as varchar(20)))
order by 1
"""


def _columns(names: dict[str, str], table: str) -> str:
    return "".join(f", {table}.{name} as {name}" for name in (*KNOWN, *names.values()))


SKIPPED = """
select source, position, given as id, problem, detail
from {named} where problem is not null order by key
"""


def users_names(records: pa.Schema, **numbered: Iterable[str]) -> dict[str, str]:
    """Return what users call the columns that have other names in SQL.

    These are places in a text (`PLACES`), the columns that users carry along, and others that are
    `numbered` with a prefix.
    """
    columns = {"extra": extras(records), **numbered}
    own = (numbered_names(names, prefix) for prefix, names in columns.items())
    # users' columns come last: read back by its name, a `start` of theirs is theirs
    return PLACES | {number: name for names in own for name, number in names.items()}
