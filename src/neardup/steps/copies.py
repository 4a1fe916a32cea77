"""Identical units: compared with others only once, and then listed with all that the others are."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from neardup.plan import Sql
from neardup.steps import naming


class Measured(NamedTuple):
    """A column of pairs: of verified ones (v, of copies x and y), and of identical ones (x and y)."""

    verified: str
    identical: str = "cast(1 as double)"


def steps(size: str = "size", more: Iterable[str] = ()) -> list[Sql]:
    """Return the steps from `units` to `copies` and `firsts`.

    Units of the same digest and size are copies: each has the `first` of them, and the number of that.
    `more` columns are taken over.
    """
    more = tuple(more)
    numbers = naming.numbered("units", "".join(f", u.{name} as {name}" for name in ("digest", *more)))
    same = f"partition by digest, {size}"
    text = f"""
select {", ".join(("doc", "number", "size", *more))},
  min(doc) over ({same}) as first, min(number) over ({same}) as same_as,
  row_number() over ({same} order by doc) as rank
from ({numbers}) u
"""
    return [
        naming.parts("units"),
        Sql("copies", ("units", "input_parts"), text, keep=True),
        Sql("firsts", ("copies",), "select doc from {copies} where doc = first order by doc"),
    ]


def identical_pairs(columns: str, most: int) -> str:
    """Return the SQL for these columns of all pairs x, y of the table `copies` that are identical.

    Of more than `most` copies, the others are paired with the first only. They are joined apart: one
    join with both conditions would look at every copy with every other.
    """
    joined = f"select {columns} from {{copies}} x join {{copies}} y on x.first = y.first"
    return f"""
{joined} where x.rank < y.rank and x.rank <= {most} and y.rank <= {most}
union all
{joined} where x.rank = 1 and y.rank > {most}
"""


def copied_pairs(columns: str, most: int, table: str = "verified") -> str:
    """Return the SQL for these columns of all pairs x, y that are copies of two, v, in a table.

    Identical documents resemble all others alike; of very many, each is paired with the first only.
    """
    return f"""
select {columns}
from {{{table}}} v join {{copies}} x on x.first = v.a join {{copies}} y on y.first = v.b
where x.rank <= {most} and y.rank <= {most}"""


def expanded(columns: Mapping[str, Measured], most: int, condition: str = "1 = 1") -> Sql:
    """Return the step to `expanded`: the pairs of all documents, x and y, and what was measured."""
    both = "x.number as x, y.number as y"
    near = "".join(f", {value.verified} as {name}" for name, value in columns.items())
    same = "".join(f", {value.identical} as {name}" for name, value in columns.items())
    text = f"""{copied_pairs(both + near, most)} and {condition}
union all {identical_pairs(both + same, most)}"""
    return Sql("expanded", ("verified", "copies"), text)


SHARES = {
    "similarity": Measured("v.similarity"),
    "in_x": Measured("v.containment_a"),
    "in_y": Measured("v.containment_b"),
}
IN_ORDER = """e.similarity as similarity,
  case when e.x < e.y then e.in_x else e.in_y end as containment_a,
  case when e.x < e.y then e.in_y else e.in_x end as containment_b"""


def pairs(columns: str) -> Sql:
    """Return the step to `pairs`, with these columns of pairs e of `expanded` of documents a and b."""
    text = f"""
select a.id as id_a, b.id as id_b, {columns}, a.doc as doc_a, b.doc as doc_b
from {{expanded}} e
join {{documents}} a on a.doc = least(e.x, e.y) join {{documents}} b on b.doc = greatest(e.x, e.y)
order by doc_a, doc_b
"""
    return Sql("pairs", ("expanded", "documents"), text)
