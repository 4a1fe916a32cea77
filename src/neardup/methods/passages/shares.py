"""How much of each document stands elsewhere: the table `shares`, and what is counted of it."""

from neardup.plan import Sql, Step
from neardup.steps.against import Against
from neardup.steps.facts import counted

SHARING = "documents that share text"
OLD_SHARING = "old documents that share text"


def steps(against: Against) -> list[Step]:
    """Return the steps from `located` and `covered` to `shares`, one row a document."""
    old = ", d.old as old" if against.is_given else ""
    return [
        Sql("elsewhere", ("located",), ELSEWHERE),
        Sql("bests", ("covered",), BESTS),
        Sql("shares", ("documents", "elsewhere", "bests"), SHARES.replace("OLD", old), keep=True),
    ]


def facts(against: Against) -> tuple[str, ...]:
    """Return the lines that count the documents of each side, and those that share text."""
    sharing = counted(SHARING, "shares", "sources > 0")
    if not against.is_given:
        return (sharing,)
    return (
        sharing,
        counted("old documents", "shares", "old"),
        counted(OLD_SHARING, "shares", "sources > 0 and old"),
    )


# What a passage covers of a document that none before it did, whatever document it is shared with.
ELSEWHERE = """
select doc, cast(sum(greatest(end_at - greatest(start_at, reached), 0)) as bigint) as characters
from (
  select doc, start_at, end_at, coalesce(max(end_at) over (partition by doc
    order by start_at, end_at rows between unbounded preceding and 1 preceding), 0) as reached
  from (
    select doc_a as doc, start_a as start_at, end_a as end_at from {located} where doc_a <> doc_b
    union all select doc_b, start_b, end_b from {located} where doc_a <> doc_b
  ) s
) w group by doc
"""

BESTS = """
select doc, other, share, sources
from (
  select doc, other, share, count(*) over (partition by doc) as sources,
    row_number() over (partition by doc order by share desc, other) as place
  from (
    select doc_a as doc, doc_b as other, in_a as share from {covered} where doc_a <> doc_b
    union all select doc_b, doc_a, in_b from {covered} where doc_a <> doc_b
  ) s
) r where place = 1
"""

SHARES = """
select d.id as id, cast(coalesce(e.characters, 0) as double) / d.length as share,
  coalesce(e.characters, 0) as characters, coalesce(b.sources, 0) as sources,
  o.id as best_source, b.share as best_share OLD, d.doc as doc, b.other as best_doc
from {documents} d left join {elsewhere} e on e.doc = d.doc left join {bests} b on b.doc = d.doc
left join {documents} o on o.doc = b.other
order by doc
"""
