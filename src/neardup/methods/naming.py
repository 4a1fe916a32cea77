"""Names: how documents are called in a result, and which records became none."""

import pyarrow as pa

from neardup.methods.units import extras
from neardup.plan import Sql, Step
from neardup.readers.records import KNOWN


def carried_columns(records: pa.Schema) -> dict[str, str]:
    """Return the columns that users carry along, by their names in SQL."""
    return {name: f"extra_{i}" for i, name in enumerate(extras(records))}


def steps(units: str, numbers: str, records: pa.Schema, more: str = "") -> list[Step]:
    """Return the steps from units and their numbers to `named`, `documents` and `skipped`.

    `numbers` has doc, number and whatever columns `more` takes from it, as in ", c.size as size".
    """
    carried = carried_columns(records)
    named = NAMED.replace("UNITS", f"{{{units}}}").replace("EXTRA", _columns(carried, "u"))
    documents = DOCUMENTS.replace("NUMBERS", f"{{{numbers}}}").replace("EXTRA", _columns(carried, "n"))
    return [
        Sql("named", (units, "files"), named),
        Sql("documents", ("named", numbers), documents.replace("MORE", more)),
        Sql("skipped", ("named",), SKIPPED),
    ]


def _columns(names: dict[str, str], table: str) -> str:
    return "".join(f", {table}.{name} as {name}" for name in (*KNOWN, *names.values()))


# A document without an id of its own is named by file and position.
NAMED = """
select u.doc as key, f.name as source,
  row_number() over (partition by u.file order by u.doc) as position,
  u.id as given, row_number() over (partition by u.id order by u.doc) as repeat,
  u.length as length, u.problem as problem, u.detail as detail EXTRA
from UNITS u join {files} f on f.file = u.file
"""

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
select source, cast(position as bigint) as position, given as id, problem, detail
from {named} where problem is not null order by key
"""
