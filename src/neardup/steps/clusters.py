"""Clusters: who is a copy of whom, and which copy is kept.

Documents with the same set of shingles stand or fall together: they are one node of the graph, the
node's keeper is the best of them. That gives the same clusters as if all their pairs were listed.

A member's similarity is to its keeper; in a component it is missing where the two are not a pair.
`lowest` is the least similarity of any pair by which the cluster hangs together.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from neardup.errors import SettingsError
from neardup.plan import Cluster, Sql, Step
from neardup.readers.records import KNOWN
from neardup.settings.base import Clustering
from neardup.steps import moments
from neardup.steps.against import OLD
from neardup.steps.columns import numbered_names
from neardup.steps.rounding import lowered_sql


class Criterion(NamedTuple):
    """What better keepers come first by, in SQL."""

    value: str
    direction: str = ""


Order = tuple[Criterion, ...]
DOWN = "desc nulls last"
MOMENT = "d.moment"  # from when a document is
ORDERS = {
    "longest": (Criterion("d.length", "desc"),),
    "first": (Criterion("d.doc"),),
    "newest": (Criterion(MOMENT, DOWN),),
    "oldest": (Criterion(MOMENT, "nulls last"),),
}
SOURCE = "source"  # the file of a document
DIRECTIONS = {"desc": DOWN, "asc": "nulls last"}
PATTERN = re.compile(r"[\w .+:@=&%#~/*?-]+")
WIDTH = 1 << 16  # of the parts in which rows are numbered
CONTAINMENT = ("p.containment_a", "p.containment_b")
OWN_COLUMNS = frozenset(("doc", "id", "source", "position", "length", "same_as", OLD, *KNOWN))
# A score may be text, as all columns of CSV are. What is not a number at all comes after those that are.
NUMBER = "^ *(-?(?:[iI]nf(?:inity)?|[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][-+]?[0-9]+)?) *$"


def sql_names(columns: Iterable[str]) -> dict[str, str]:
    """Return names for the users' columns of a table of documents: no user's name gets into SQL."""
    return numbered_names(name for name in columns if name not in OWN_COLUMNS)


def keeper_order(keep: str, columns: dict[str, str], some_old: bool = False) -> Order:
    """Return the order from best keeper to worst; `columns` maps names to those in SQL.

    Several with commas between them decide one after the other: `longest`, a column, which may say its
    direction (`score:asc`) or which of its values are preferred (`source:wikipedia>books`). If some are
    old, those come first.
    """
    if wrong := [own for own in columns.values() if not re.fullmatch(r"\w+", own)]:
        raise ValueError(wrong)
    parts = [keep] if keep in columns else [part.strip() for part in keep.split(",")]
    before = (Criterion(f"d.{OLD}", "desc"),) if some_old else ()
    return (*before, *chain(*(criteria(part, columns) for part in parts)), Criterion("d.id"))


def criteria(part: str, columns: dict[str, str]) -> Order:
    """Return what one part of `keep` stands for: `longest`, `score`, `score:asc` or `source:a>b`."""
    if part in ORDERS:
        return ORDERS[part]
    name, _, wish = (part, "", "") if part in columns else part.partition(":")
    if name not in (SOURCE, *KNOWN, *columns) or (name == SOURCE and not wish):
        known = ", ".join((*ORDERS, *KNOWN, *columns, "source:A>B"))
        hint = f'Choose one of: {known}; or carry a column along with columns=["{name}"].'
        raise SettingsError(f"cannot keep by {part!r}", hint=hint)
    dated = name == "date" and (not wish or wish in DIRECTIONS)
    value = MOMENT if dated else f"d.{columns.get(name, name)}"
    if name == SOURCE or (wish and wish not in DIRECTIONS):
        return (preferred(value, part, wish.split(">"), name == SOURCE),)
    direction = DIRECTIONS[wish or "desc"]
    number = f"try_cast(regexp_extract(cast({value} as string), '{NUMBER}', 1) as double)"
    numbers = (Criterion(number, direction),) if name in columns else ()
    return (*numbers, Criterion(value, direction))


def preferred(value: str, part: str, patterns: Sequence[str], files: bool) -> Criterion:
    """Return the order of values by the first of several patterns that they match; * is any text.

    A pattern of files is that of a file's name, with or without its suffixes, or of a folder above it.
    """
    whens = ""
    for place, pattern in enumerate(each.strip() for each in patterns):
        if not PATTERN.fullmatch(pattern):
            hint = "Write it like source:wikipedia>books*>crawl, with letters, digits and . - _ / * ?"
            raise SettingsError(f"cannot keep by {part!r}", hint=hint)
        plain = "".join(f"[{each}]" if each in ".-+:@=&%#~" else each for each in pattern)
        inner = plain.replace("*", "[^/]*" if files else ".*").replace("?", "[^/]" if files else ".")
        whole = f"(^|/){inner}([./]|$)" if files else f"^{inner}$"
        whens += f" when regexp_extract(cast({value} as string), '{whole}', 0) <> '' then {place}"
    return Criterion(f"case{whens} else {len(patterns)} end")


def columns_in(keep: str) -> list[str]:
    """Return the users' columns that a keeper is chosen by, if their names are plain ones.

    >>> columns_in("source:wiki>books, score:desc,longest")
    ['score']
    """
    names = [part.strip().partition(":")[0] for part in keep.split(",")]
    return [name for name in names if name and name not in (SOURCE, *ORDERS, *KNOWN)]


def in_sql(order: Order) -> str:
    """Return an order as it stands behind `order by`."""
    return ", ".join(f"{value} {direction}" for value, direction in order)


def dated(order: Order) -> list[Step]:
    """Return the steps from `documents` to what an order needs to know of their dates."""
    return moments.steps() if MOMENT in in_sql(order) else []


def documents_for(order: Order) -> str:
    """Return the table of documents, as it stands behind `from`, with all that an order needs."""
    if not dated(order):
        return "{documents}"
    known = "{documents} o left join {moments} m on m.doc = o.doc"
    return f"(select o.*, m.start_at as moment from {known})"


def steps(
    order: Order,
    kind: Clustering,
    threshold: float,
    contained: tuple[str, str] = CONTAINMENT,
    between: str = "",
) -> list[Step]:
    """Return the steps from `documents` and `pairs` to `clusters`, one row a member.

    `documents` has doc, id, same_as (the first document with the same shingles) and what the order
    needs; `pairs` has doc_a, doc_b, similarity, how much of each is `contained` in the other, and at
    least the pairs of first documents; or a statement finds what is `between` these. In a star a
    document joins a keeper only if it is contained in it up to the threshold: two that resemble each
    other are, but a long text is not in its excerpt.
    """
    least = lowered_sql(threshold if kind == "star" else 0)
    return [
        Sql("edges_by_doc", between or edges_by_doc(*contained)),
        Sql("related", related(order), keep=True),
        Sql("ranked", ranked(order), keep=True),
        Sql("nodes", NODES, keep=True),
        Sql("edges", edges(least), keep=True),
        Cluster("grouped", "nodes", "edges", kind),
        Sql("membership", MEMBERSHIP, keep=True),
        Sql("clusters", CLUSTERS),
    ]


def edges_by_doc(in_a: str, in_b: str) -> str:
    """Return the statement for the pairs of first documents, and how much of each is in the other."""
    return f"""
        select p.doc_a as a, p.doc_b as b, p.similarity as similarity, {in_a} as in_a, {in_b} as in_b
        from {{pairs}} p
        join {{documents}} x on x.doc = p.doc_a join {{documents}} y on y.doc = p.doc_b
        where x.same_as = x.doc and y.same_as = y.doc
        """


def related(order: Order) -> str:
    """Return the statement for the documents that have a copy, with what the order needs."""
    first = order[0].value
    part = part_of(first) if first == "d.doc" else first
    needed = dict.fromkeys(re.findall(r"d\.(\w+)", in_sql(order)))
    carried = "".join(f", d.{name} as {name}" for name in needed if name not in ("doc", "id"))
    return f"""
        select d.doc as doc, d.id as id, d.same_as as same_as, {part} as part {carried}
        from {documents_for(order)} d
        join (
          select same_as as node from {{documents}} group by same_as having count(*) > 1
          union select a from {{edges_by_doc}} union select b from {{edges_by_doc}}
        ) n on n.node = d.same_as
        """


def ranked(order: Order) -> str:
    """Return the statement that numbers documents from the best keeper to the worst."""
    before = rows_before("{related}", "part", order[0].direction)
    return f"""
        select d.doc as doc, d.id as id, d.same_as as same_as, {number_by(in_sql(order))} as rank
        from {{related}} d join ({before}) p on p.part is not distinct from d.part
        """


def part_of(column: str) -> str:
    """Return the SQL for the part of the numbers that one belongs to."""
    return f"{column} - {column} % {WIDTH}"


def rows_before(table: str, part: str, direction: str = "") -> str:
    """Return the statement for how many rows come before each part of a table: `part`, `earlier`.

    So that rows are numbered part by part, which many tasks can do at a time: only the parts are summed
    up by one. `part` is a column, or an expression over one, and `direction` its order.
    """
    return f"""
        select part, cast(coalesce(sum(total) over (order by part {direction}
          rows between unbounded preceding and 1 preceding), 0) as bigint) as earlier
        from (select {part} as part, count(*) as total from {table} t group by {part}) u
        """


def number_by(order: str, function: str = "row_number") -> str:
    """Return the SQL for the numbers, from 0, of rows joined with what is before each part, `p`."""
    return f"cast(p.earlier + {function}() over (partition by p.part order by {order}) - 1 as bigint)"


BEST = "select same_as, min(rank) as best from {ranked} group by same_as"

NODES = f"""
select {number_by("n.best")} as node, n.same_as as same_as, n.best as best
from ({BEST}) n join ({rows_before(f"({BEST})", part_of("best"))}) p on p.part = {part_of("n.best")}
order by 1
"""


def edges(least: str) -> str:
    """Return the statement for the edges of nodes of which so much of the worse is in the better."""
    return f"""
select greatest(x.node, y.node) as worse, least(x.node, y.node) as better, e.similarity as similarity
from {{edges_by_doc}} e join {{nodes}} x on x.same_as = e.a join {{nodes}} y on y.same_as = e.b
where case when x.node > y.node then e.in_a else e.in_b end >= {least}
order by 1, 2
"""


MEMBERSHIP = """
select r.doc as doc, r.id as id, k.doc as keeper, k.id as keeper_id, g.similarity as lowest,
  case when n.node = g.keeper then cast(1 as double) else e.similarity end as similarity
from {ranked} r
join {nodes} n on n.same_as = r.same_as
join {grouped} g on g.node = n.node
join {nodes} m on m.node = g.keeper
join {ranked} k on k.rank = m.best
left join {edges} e on e.worse = n.node and e.better = g.keeper
"""

FIRSTS = "select min(doc) as first from {membership} group by keeper having count(*) > 1"

CLUSTERS = f"""
select {number_by("c.first", "dense_rank")} as cluster, c.id as id, c.keeper_id as keeper_id,
  c.similarity as similarity, c.lowest as lowest, c.size as size, c.doc as doc
from (
  select doc, id, keeper_id, similarity,
    min(lowest) over (partition by keeper) as lowest,
    min(doc) over (partition by keeper) as first,
    count(*) over (partition by keeper) as size
  from {{membership}}
) c
join ({rows_before(f"({FIRSTS})", part_of("first"))}) p on p.part = {part_of("c.first")}
where c.size > 1
order by cluster, doc
"""
