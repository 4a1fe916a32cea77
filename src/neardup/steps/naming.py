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
    text = PARTS.replace("UNITS", f"{{{units}}}").replace("DOCUMENT", document)
    return Sql("input_parts", (units,), text, keep=True)


def numbered(units: str, more: str = "") -> str:
    """Return the statement for the documents' numbers; `more` columns as in ", u.digest as digest"."""
    return NUMBERED.replace("UNITS", f"{{{units}}}").replace("MORE", more)


def steps(units: str, numbers: str, records: pa.Schema, more: str = "") -> list[Step]:
    """Return the steps from units, `input_parts` and numbers to `named`, `documents` and `skipped`.

    `numbers` has doc, number and whatever columns `more` takes from it, as in ", c.size as size".
    """
    carried = carried_columns(records)
    named = NAMED.replace("UNITS", f"{{{units}}}").replace("EXTRA", _columns(carried, "u"))
    documents = DOCUMENTS.replace("NUMBERS", f"{{{numbers}}}").replace("EXTRA", _columns(carried, "n"))
    return [
        Sql("named", (units, "input_parts", "files"), named, keep=True),
        Sql("documents", ("named", numbers), documents.replace("MORE", more)),
        Sql("skipped", ("named",), SKIPPED),
    ]


def _columns(names: dict[str, str], table: str) -> str:
    return "".join(f", {table}.{name} as {name}" for name in (*KNOWN, *names.values()))


PARTS = """
select part,
  cast(coalesce(sum(records) over (partition by file order by part
    rows between unbounded preceding and 1 preceding), 0) as bigint) as records_before,
  cast(coalesce(sum(documents) over (order by part
    rows between unbounded preceding and 1 preceding), 0) as bigint) as documents_before
from (
  select part, min(file) as file, count(*) as records,
    count(case when document then 1 end) as documents
  from (select doc - doc % WIDTH as part, file, DOCUMENT as document from UNITS) u group by part
) p
""".replace("WIDTH", str(WIDTH))

NUMBERED = """
select u.doc as doc, u.size as size MORE,
  cast(p.documents_before + row_number() over (partition by p.part order by u.doc) - 1 as bigint)
    as number
from UNITS u join {input_parts} p on p.part = u.doc - u.doc % WIDTH where u.size > 0
""".replace("WIDTH", str(WIDTH))

# A document without an id of its own is named by file and position.
NAMED = """
select u.doc as key, f.name as source,
  cast(p.records_before + row_number() over (partition by p.part order by u.doc) as bigint) as position,
  nullif(u.id, '') as given,
  row_number() over (partition by u.id, case when nullif(u.id, '') is null then u.doc end order by u.doc)
    as repeat,
  u.length as length, u.problem as problem, u.detail as detail EXTRA
from UNITS u join {input_parts} p on p.part = u.doc - u.doc % WIDTH join {files} f on f.file = u.file
""".replace("WIDTH", str(WIDTH))

DOCUMENTS = """
select c.number as doc,
  case when n.given is not null and n.repeat = 1 then n.given
    when t.given is null then concat(n.source, '#', cast(n.position as varchar(20)))
    else concat(n.source, '##', cast(n.position as varchar(20))) end as id,
  n.source as source, n.position as position, n.length as length EXTRA MORE
from {named} n join NUMBERS c on c.doc = n.key
left join (select distinct given from {named} where given like '%#%') t
  on t.given = concat(n.source, '#', cast(n.position as varchar(20)))
order by 1
"""

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
