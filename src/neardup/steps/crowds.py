"""Crowds: very many documents that all share something, of which each is compared with a few only.

Twelve thousand texts that resemble each other are 78 million true pairs, and nobody reads them. So in
too long a list all are paired with its first documents only (`postings`), and here with those that would
be kept: in a star each document joins the best keeper that it resembles. And of more candidates than
`max_pairs`, the best keepers are taken. What is left out is counted, and so are the documents that stay
though they were not compared with all of their crowd.
"""

from neardup.steps.clusters import Order, documents_for, in_sql
from neardup.steps.postings import SIZE

ALL_OF = ", ".join(
    f"p.{name} as {name}" for name in ("a", "b", "size_a", "size_b", "block_a", "block_b")
)
PAIR = "cast(null as bigint) as left_out"  # nothing is said to be left out
KEEPERS = 100  # of a crowd, with which all others of it are compared


def ranks_of(members: str, order: Order, more: str = "") -> str:
    """Return the statement for the ranks as keepers of `members`: of each the best of its copies'."""
    return f"""
  select first, min(rank) as rank {more}
  from (
    select c.first as first, row_number() over (order by {in_sql(order)}) as rank {more}
    from {members} k join {{copies}} c on c.first = k.doc
    join {documents_for(order)} d on d.doc = c.number
  ) r
  group by first {more}"""


CROWDS = """
heads as (select distinct a from {shared} where too_long),
crowds as (select s.b as doc, min(s.a) as head from {shared} s join heads h on h.a = s.a group by s.b)"""
PAIRS = "select a, b from {shared} where not too_long union select a, b from kept"

COUNTED_CROWDS = """
crowds as (
  select b as doc, min(a) as head, sum(lists) as lists from {shared} where lists > 0 group by b
)"""
COUNTED_PAIRS = f"""
select a, b, sum(common) as common
from (select a, b, common from {{shared}} where common > 0 union all select a, b, {SIZE} from kept) e
group by a, b"""


def paired(order: Order, longest: int, counted: bool = False) -> str:
    """Return the beginning of a statement: `pairs` of a and b in `shared`, those of crowds with keepers.

    A crowd is a list over `longest`, which its first document marks in `shared`. Where keys were
    `counted`, pairs say how many they have in common; those with keepers, enough.
    """
    return f"""
with {COUNTED_CROWDS if counted else CROWDS},
crowd_ranks as ({ranks_of("crowds", order, ", head")}),
keepers as (
  select head, first as keeper
  from (
    select head, first, row_number() over (partition by head order by rank) as place from crowd_ranks
  ) r
  where place <= {min(KEEPERS, longest)}
),
kept as (
  select distinct least(c.doc, k.keeper) as a, greatest(c.doc, k.keeper) as b
  from crowds c join keepers k on k.head = c.head where c.doc <> k.keeper
),
pairs as ({COUNTED_PAIRS if counted else PAIRS})"""


def candidates(proposed: str, order: Order, longest: int, most: int, counted: bool) -> str:
    """Return the statement for the pairs a, b to compare: each with at most `most` better keepers.

    `proposed` selects, from `pairs`, a and b with their sizes and the blocks in which they are read. In
    rows of pairs, `left_out` is null. Other rows are of one document that was not compared with all of
    its crowd, and say how many candidates were left out for `most`.
    """
    return f"""{paired(order, longest, counted)},
proposed as ({proposed}),
crowded as (
  select doc from (select a as doc from proposed union all select b from proposed) e
  group by doc having count(*) > {most}
),
touched as (
  select {ALL_OF} from proposed p left join crowded x on x.doc = p.a left join crowded y on y.doc = p.b
  where x.doc is not null or y.doc is not null
),
ranks as ({ranks_of("(select a as doc from touched union select b from touched)", order)}),
placed as (
  select {ALL_OF}, case when x.rank > y.rank then p.a else p.b end as worse,
    row_number() over (partition by greatest(x.rank, y.rank) order by least(x.rank, y.rank)) as place
  from touched p join ranks x on x.first = p.a join ranks y on y.first = p.b
)
select a, b, size_a, size_b, left_out
from (
  select {ALL_OF}, {PAIR}
  from proposed p left join crowded x on x.doc = p.a left join crowded y on y.doc = p.b
  where x.doc is null and y.doc is null
  union all select a, b, size_a, size_b, block_a, block_b, {PAIR} from placed where place <= {most}
  union all select worse, worse, 0, 0, -1, -1, count(*)
  from placed where place > {most} group by worse
  union all select c.doc, c.doc, 0, 0, -1, -1, 0
  from crowds c left join keepers k on k.keeper = c.doc where k.keeper is null
) c
order by block_a, block_b, 1, 2
"""
