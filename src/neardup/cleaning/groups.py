"""Groups of records, such as the files of a repository: dropped together, or not at all.

From the best group to the worst: one goes if more than half of it, in characters, stands in better ones
that stay. So of all that is repeated a copy stays, in a group that is whole.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa

from neardup.plan import Map, Sides, Sql, Step
from neardup.steps.columns import schema_of

GOING = schema_of("doc keeper number int64")  # of groups that go; only what is repeated has a keeper


def numbered(column: str) -> Sql:
    """Return the step to `groups`: their numbers, from the best to the worst."""
    name = f"coalesce(nullif(cast({column} as string), ''), concat('#', cast(d.key as string)))"
    text = f"""
select d.key as doc, d.length as length, min(r.rank) over (partition by {name}) as number
from {{known}} d join {{ranks}} r on r.doc = d.key
"""
    return Sql("groups", text, keep=True)


def steps(label: str, text: str, left: str) -> list[Step]:
    """Return the steps to LABEL_gone, from the statement for records that would go by themselves."""
    alike, chosen = f"{label}_alike", f"{label}_chosen"
    return [
        Sql(alike, text, keep=True),
        Sql(f"{label}_copies_by_group", COPIES.format(alike=alike, left=left)),
        Map(chosen, f"{label}_copies_by_group", choose_groups, GOING, grouped=True),
        Sql(f"{label}_gone", GONE.format(alike=alike, left=left, chosen=chosen), keep=True),
    ]


COPIES = """
select cast(0 as bigint) as whole, g.number as number, m.doc as doc, m.keeper as same,
  g.length as length, t.length as total
from (
  select doc, keeper from {{{alike}}} union all select distinct keeper as doc, keeper from {{{alike}}}
) m
join {{groups}} g on g.doc = m.doc
join (
  select g.number as number, cast(sum(g.length) as bigint) as length
  from {{{left}}} l join {{groups}} g on g.doc = l.doc group by g.number
) t on t.number = g.number
"""
GONE = """
select l.doc as doc, c.keeper as keeper, a.similarity as similarity,
  case when c.keeper is not null
    then concat(coalesce(a.reason, 'near-duplicate'), ', in a repeated group')
    else 'most of its group is repeated' end as reason
from {{{left}}} l join {{groups}} g on g.doc = l.doc
join (select distinct number from {{{chosen}}}) n on n.number = g.number
left join {{{chosen}}} c on c.doc = l.doc
left join {{{alike}}} a on a.doc = l.doc and a.keeper = c.keeper
"""


def choose_groups(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Choose the groups that go, all in one task: of each record that has a copy a few numbers.

    Returns the records with copies in groups that go, and the copies that stay.
    """
    names = ("number", "doc", "same", "length", "total")
    columns = [batch[name].to_numpy() for name in names]
    order = np.lexsort((columns[1], columns[0]))
    numbers, docs, same, lengths, totals = (column[order] for column in columns)
    stays: dict[int, int] = {}  # of each set of copies, the first that stays
    found: list[tuple[int, int | None, int]] = []
    edges = np.flatnonzero(np.diff(numbers, prepend=-1, append=-1)).tolist()
    for begin, end in pairwise(edges):
        own = list(zip(docs[begin:end].tolist(), same[begin:end].tolist(), strict=True))
        repeated = np.array([copies in stays for _, copies in own])
        if 2 * int(lengths[begin:end][repeated].sum()) > int(totals[begin]):
            found += [(doc, stays.get(copies), int(numbers[begin])) for doc, copies in own]
        else:
            for doc, copies in own:
                stays.setdefault(copies, doc)
    going = zip(*found, strict=True) if found else ((),) * len(GOING)
    return pa.RecordBatch.from_arrays([pa.array(own, pa.int64()) for own in going], schema=GOING)
