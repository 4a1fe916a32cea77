"""Identical units: compared with others only once, and then listed with all that the others are."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from neardup.plan import Sql
from neardup.steps import naming
from neardup.steps.against import EVERYTHING, Against


class Measured(NamedTuple):
    """A column of pairs: of verified ones (v, of copies x and y), and of identical ones (x and y)."""

    verified: str
    identical: str = "cast(1 as double)"


def steps(size: str = "size", more: Iterable[str] = (), against: Against = EVERYTHING) -> list[Sql]:
    """Return the steps from `units` to `copies` and `firsts`.

    Units of the same digest and size are copies: each has the `first` of them, and the number of that.
    `more` columns are taken over. Copies that make no pair, as two old ones, are not the same.
    """
    more = tuple(more)
    own = "".join(f", u.{name} as {name}" for name in ("digest", *more))
    numbers = naming.numbered("units", own + against.marked("u.doc"))
    same = f"partition by digest, {size}"
    side = ", old" if against.is_given else ""
    text = f"""
select {", ".join(("doc", "number", "size", *more))},
  min(doc) over ({same}) as first, {same_as(same, against)} as same_as,
  row_number() over ({same}{side} order by doc) as rank{against.flags(same)}
from ({numbers}) u
"""
    return [
        naming.parts("units"),
        Sql("copies", text, keep=True),
        Sql("firsts", "select doc from {copies} where doc = first order by doc"),
    ]


def same_as(same: str, against: Against) -> str:
    """Return the SQL for the number of the first copy that a unit makes a cluster with."""
    first = f"min(number) over ({same})"
    if not against.is_given:
        return first
    return f"case when old = 1 then number else {first} end" if against.within else "number"


def identical_pairs(columns: str, most: int, against: Against = EVERYTHING) -> str:
    """Return the SQL for these columns of all pairs x, y of the table `copies` that are identical.

    Of more than `most` copies, the others are paired with the first only. They are joined apart: one
    join with both conditions would look at every copy with every other. Old copies are counted apart
    from new ones.
    """
    joined = f"select {columns} from {{copies}} x join {{copies}} y on x.first = y.first"
    few, many = f"x.rank <= {most} and y.rank <= {most}", f"x.rank = 1 and y.rank > {most}"
    conditions = [f"x.rank < y.rank and {few}", many]
    if against.is_given:
        alike, across = "x.old = 0 and y.old = 0 and", "x.old = 0 and y.old = 1 and"
        conditions = [f"{alike} {each}" for each in conditions if against.within]
        conditions += [f"{across} {each}" for each in (few, many, f"x.rank > {most} and y.rank = 1")]
    return "\nunion all\n".join(f"{joined} where {each}" for each in conditions)


def copied_pairs(columns: str, most: int, table: str = "verified", against: Against = EVERYTHING) -> str:
    """Return the SQL for these columns of all pairs x, y that are copies of two, v, in a table.

    Identical documents resemble all others alike; of very many, each is paired with the first only.
    """
    return f"""
select {columns}
from {{{table}}} v join {{copies}} x on x.first = v.a join {{copies}} y on y.first = v.b
where x.rank <= {most} and y.rank <= {most} and {against.of_pair()}"""


SHARES = {
    "similarity": Measured("v.similarity"),
    "in_x": Measured("v.containment_a"),
    "in_y": Measured("v.containment_b"),
}
COPIED = {"copied": Measured("0", "1")}  # whether the units are identical
IN_ORDER = """e.similarity as similarity,
  case when e.x < e.y then e.in_x else e.in_y end as containment_a,
  case when e.x < e.y then e.in_y else e.in_x end as containment_b"""


def every(
    measured: Mapping[str, Measured], most: int, condition: str = "1 = 1", against: Against = EVERYTHING
) -> str:
    """Return the SQL for all pairs: the numbers of two documents, x and y, and what is measured."""
    near, same = measured_columns(measured)
    return f"""
{copied_pairs(near, most, against=against)} and {condition}
union all {identical_pairs(same, most, against)}
"""


def measured_columns(measured: Mapping[str, Measured]) -> tuple[str, str]:
    """Return the columns of pairs that were verified, and of identical ones."""
    both = "x.number as x, y.number as y"
    near = "".join(f", {value.verified} as {name}" for name, value in measured.items())
    same = "".join(f", {value.identical} as {name}" for name, value in measured.items())
    return both + near, both + same


def pairs(
    columns: str,
    measured: Mapping[str, Measured],
    most: int,
    condition: str = "1 = 1",
    against: Against = EVERYTHING,
    chosen: str = "",
) -> Sql:
    """Return the step to `pairs`: these columns of all pairs e of documents a and b, or of those chosen.

    `measured` are the columns of e, which has the numbers of two documents, x and y, in any order.
    """
    text = f"""
select a.id as id_a, b.id as id_b, {columns}, a.doc as doc_a, b.doc as doc_b
from (
{chosen or every(measured, most, condition, against)}
) e
join {{documents}} a on a.doc = least(e.x, e.y) join {{documents}} b on b.doc = greatest(e.x, e.y)
order by doc_a, doc_b
"""
    return Sql("pairs", text)
