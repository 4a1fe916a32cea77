"""Families: a passage in all documents that have it, earliest first, and from whom each has it.

Passages that nearly coincide in a document are one *witness* there. Two witnesses are linked by what a
run found in both. A family is a witness that is linked with most, and all that are linked with it and
with no better one: so each shares a verified passage with the middle of its family, and strangers are
not chained.
"""

from array import array
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.plan import Cluster, Map, Sides, Sql, Step
from neardup.steps.columns import Lookup, schema_of

MUTUAL = 0.8  # of the longer of two spans of a document that are one witness, which they share
GROUPED = schema_of("doc start_at end_at first_at last_at int64")
SOURCES = schema_of("node other since int64, likeness double")
WORDS = ("words", "starts", "ends")
PLACED = schema_of("family place node doc start_at end_at via depth first int64, likeness float64")
Span = tuple[int, int]


def steps() -> list[Step]:
    """Return the steps from `located` and `documents` to `families` and `witnesses`."""
    return [
        Sql("family_spans", SPANS),
        Map("family_groups", "family_spans", GroupSpans(), GROUPED, grouped=True),
        Sql("family_links", LINKS, keep=True),
        Sql("family_nodes", NODES, keep=True),
        Sql("family_edges", EDGES, keep=True),
        Cluster("family_stars", "family_nodes", "family_edges", "star"),
        Sql("family_earlier", EARLIER),
        Map(
            "family_sources",
            "family_earlier",
            CompareWitnesses(),
            SOURCES,
            lookup="texts",
            lookup_columns=WORDS,
            lookup_keys=("a", "b"),
            task_rows=1 << 14,
            holds_gil=True,
        ),
        Sql("family_members", MEMBERS, keep=True),
        Map("family_places", "family_members", PlaceWitnesses(), PLACED, grouped=True),
        Sql("family_sizes", SIZES, keep=True),
        Sql("witnesses", WITNESSES),
        Sql("families", FAMILIES),
    ]


@dataclass(frozen=True)
class GroupSpans:
    """Puts the spans of a document together that are one witness."""

    def __call__(self, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
        """Return the spans of documents, each with that of its witness."""
        rows = sorted(zip(*(column.to_pylist() for column in batch.columns), strict=True))
        found: list[tuple[int, ...]] = []
        for doc, own in groupby(rows, key=lambda row: row[0]):
            spans = [(start, end) for _, start, end in own]
            found += [(doc, *span, *witness) for span, witness in witnesses_of(spans).items()]
        columns = [*zip(*found, strict=True)] if found else [()] * len(GROUPED)
        return pa.RecordBatch.from_arrays(columns, schema=GROUPED)


def witnesses_of(spans: Sequence[Span]) -> dict[Span, Span]:
    """Return for each span of a document the longest that it nearly coincides with, often itself.

    >>> witnesses_of([(0, 100), (5, 98), (0, 50), (90, 190)])[(5, 98)]
    (0, 100)
    """
    found: dict[Span, Span] = {}
    known: list[Span] = []  # in the order of their starts
    for start, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        reach = int((end - start) * (1 / MUTUAL - 1)) + 1
        near = known[bisect_left(known, (start - reach, 0)) : bisect_left(known, (start + reach, 0))]
        shared = [
            (min(end, behind) - max(start, first), first, behind)
            for first, behind in near
            if min(end, behind) - max(start, first) >= MUTUAL * (behind - first)
        ]
        if shared:
            _, first, behind = max(shared, key=lambda one: (one[0], -one[1], -one[2]))
            found[start, end] = first, behind
        else:
            insort(known, (start, end))
            found[start, end] = start, end
    return found


@dataclass(frozen=True)
class CompareWitnesses:
    """Finds for each witness, of some earlier ones of its family, the one that is most like it.

    Two are as alike as they have words in common, in the same order, of all that both have.
    """

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return the best of the rows of each node, of equals the earliest."""
        lookup = sides["lookup"]
        found = [row for part in lookup.portions(batch) for row in _most_alike(part, lookup)]
        columns = zip(*found, strict=True) if found else [()] * len(SOURCES)
        fields = zip(columns, SOURCES.types, strict=True)
        return pa.RecordBatch.from_arrays([pa.array(c, t) for c, t in fields], schema=SOURCES)


def _most_alike(batch: pa.RecordBatch, lookup: Lookup) -> Iterator[tuple[int, int, int, float]]:
    from rapidfuzz.distance import Indel

    own, others = (words_of(batch, side, lookup) for side in "ab")
    best: dict[int, tuple[float, int, int]] = {}
    rows = zip(*(batch[name].to_pylist() for name in ("node", "other", "since")), strict=True)
    for row, (node, other, since) in enumerate(rows):
        known = best.get(node, (0.0, 0, 0))
        likeness = Indel.normalized_similarity(own[row], others[row], score_cutoff=-known[0])
        if node not in best or (-likeness, since, other) < known:
            best[node] = -likeness, since, other
    return ((node, other, since, -less) for node, (less, since, other) in best.items())


def words_of(batch: pa.RecordBatch, side: str, lookup: Lookup) -> list["array[int]"]:
    """Return the words of the witnesses of one side, as RapidFuzz takes them."""
    from neardup.kernels.lists import values_32, values_64

    texts = [lookup.lists(name, batch[side].to_numpy()) for name in WORDS]
    spans = zip(batch[f"start_{side}"].to_pylist(), batch[f"end_{side}"].to_pylist(), strict=True)
    known: dict[tuple[int, int, int], array[int]] = {}
    found = []
    for row, (doc, (start, end)) in enumerate(zip(batch[side].to_pylist(), spans, strict=True)):
        if (doc, start, end) not in known:
            words, starts, ends = (
                read(own, row)
                for read, own in zip((values_64, values_32, values_32), texts, strict=True)
            )
            first, last = np.searchsorted(starts, start), np.searchsorted(ends, end, "right")
            known[doc, start, end] = array("Q", words[first:last].tobytes())
        found.append(known[doc, start, end])
    return found


class Member(NamedTuple):
    """A witness of a family, from when it is, and the earlier one that is most like it (-1: itself)."""

    family: int
    node: int
    doc: int
    start: int
    end: int
    since: int | None
    until: int | None
    other: int
    other_since: int | None
    likeness: float


@dataclass(frozen=True)
class PlaceWitnesses:
    """Puts the witnesses of each family in order, and says from whom each may have its text."""

    def __call__(self, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
        """Return a row a witness."""
        rows = [Member(*row) for row in zip(*(c.to_pylist() for c in batch.columns), strict=True)]
        rows.sort(key=lambda row: (row.family, row.node, row.other))
        found = [w for _, own in groupby(rows, key=lambda row: row.family) for w in placed(list(own))]
        columns = [*zip(*found, strict=True)] if found else [()] * len(PLACED)
        return pa.RecordBatch.from_arrays(columns, schema=PLACED)


def placed(members: Sequence[Member]) -> Iterator[tuple[Any, ...]]:
    """Yield the witnesses of a family, those without a date last.

    A witness may have its text from the one that is most like it, of those that are earlier; of equals,
    from the earliest. `depth` says through how many steps it came, and
    `first` that it is earlier than all that have a date in other documents: of one day, nobody is.
    """
    by_node = {node: list(own) for node, own in groupby(members, key=lambda row: row.node)}
    order = sorted(
        (own[0] for own in by_node.values()),
        key=lambda one: (one.since is None, one.since or 0, one.doc, one.start),
    )
    first = order[0]
    others = [one.since for one in order if one.since is not None and one.doc != first.doc]
    alone = first.until is not None and all(first.until <= since for since in others)
    depths: dict[int, int | None] = {}
    for place, one in enumerate(order, 1):
        earlier = [
            (-link.likeness, link.other_since, link.other)
            for link in by_node[one.node]
            if link.other >= 0
        ]
        likeness, via = None, None
        if earlier:
            less, _, via = min(earlier)
            likeness, depths[one.node] = -less, (depths[via] or 0) + 1
        else:
            depths[one.node] = None if one.since is None else 0
        yield (
            *(one.family, place, one.node, one.doc, one.start, one.end),
            *(via, depths[one.node], int(place == 1 and alone), likeness),
        )


SPANS = """
select doc_a as doc, start_a as start_at, end_a as end_at from {located} where kind <> 'summary'
union select doc_b, start_b, end_b from {located} where kind <> 'summary'
"""

LINKS = """
select distinct l.doc_a as doc_a, x.first_at as start_a, x.last_at as end_a,
  l.doc_b as doc_b, y.first_at as start_b, y.last_at as end_b, l.similarity as similarity
from {located} l
join {family_groups} x on x.doc = l.doc_a and x.start_at = l.start_a and x.end_at = l.end_a
join {family_groups} y on y.doc = l.doc_b and y.start_at = l.start_b and y.end_at = l.end_b
where l.kind <> 'summary'
"""

# The best middle of a family is linked with most documents; of equals, the longest.
NODES = """
select cast(row_number() over (order by links desc, end_at - start_at desc, doc, start_at, end_at) - 1
    as bigint) as node, doc, start_at, end_at
from (
  select doc, start_at, end_at, count(distinct other) as links
  from (
    select doc_a as doc, start_a as start_at, end_a as end_at, doc_b as other from {family_links}
    union all select doc_b, start_b, end_b, doc_a from {family_links}
  ) s group by doc, start_at, end_at
) g
"""

# That both ends differ is asked of the links: asked of the nodes, it made DuckDB join each node with
# each before anything else.
EDGES = """
select greatest(x.node, y.node) as worse, least(x.node, y.node) as better,
  max(l.similarity) as similarity
from {family_links} l
join {family_nodes} x on x.doc = l.doc_a and x.start_at = l.start_a and x.end_at = l.end_a
join {family_nodes} y on y.doc = l.doc_b and y.start_at = l.start_b and y.end_at = l.end_b
where l.doc_a <> l.doc_b or l.start_a <> l.start_b or l.end_a <> l.end_b
group by greatest(x.node, y.node), least(x.node, y.node) order by worse, better
"""

EARLIER = """
select n.node as node, o.node as other, z.start_at as since, x.doc as a, y.doc as b,
  n.start_at as start_a, n.end_at as end_a, o.start_at as start_b, o.end_at as end_b
from {family_stars} s join {family_stars} t on t.keeper = s.keeper
join {family_nodes} n on n.node = s.node join {family_nodes} o on o.node = t.node and o.doc <> n.doc
join {moments} m on m.doc = n.doc join {moments} z on z.doc = o.doc and z.end_at <= m.start_at
join {numbers} x on x.number = n.doc join {numbers} y on y.number = o.doc
order by 1, 3, 2
"""

MEMBERS = """
select s.keeper as family, n.node as node, n.doc as doc, n.start_at as start_at, n.end_at as end_at,
  m.start_at as since, m.end_at as until, cast(-1 as bigint) as other,
  cast(null as bigint) as other_since, cast(0 as double) as likeness
from {family_stars} s join {family_nodes} n on n.node = s.node left join {moments} m on m.doc = n.doc
union all
select s.keeper, n.node, n.doc, n.start_at, n.end_at, m.start_at, m.end_at, e.other, e.since, e.likeness
from {family_sources} e join {family_stars} s on s.node = e.node
join {family_nodes} n on n.node = e.node join {moments} m on m.doc = n.doc
"""

# Families are numbered by their size, largest first.
SIZES = """
select family, witnesses, documents, longest, last_place,
  cast(row_number() over (order by documents desc, longest desc, family) as bigint) as number
from (
  select family, count(*) as witnesses, count(distinct doc) as documents,
    max(end_at - start_at) as longest,
    max(case when depth is not null then place end) as last_place
  from {family_places} group by family having count(*) > 1
) g
"""

WITNESSES = """
select s.number as family, p.place as place, d.id as id, d.title as title, d.date as date,
  p.start_at as start_at, p.end_at as end_at, v.id as via, p.likeness as via_similarity,
  p.depth as depth, p.node = p.family as middle, p.doc as doc
from {family_places} p join {family_sizes} s on s.family = p.family
join {documents} d on d.doc = p.doc
left join {family_nodes} n on n.node = p.via left join {documents} v on v.doc = n.doc
order by family, place
"""

FAMILIES = """
select s.number as family, s.documents as documents, s.witnesses as witnesses, s.longest as length,
  case when f.first = 1 then d.id end as first_id, case when f.first = 1 then d.title end as first_title,
  case when f.depth is not null then d.date end as first_date, e.date as last_date
from {family_sizes} s
join {family_places} f on f.family = s.family and f.place = 1
join {documents} d on d.doc = f.doc
left join {family_places} l on l.family = s.family and l.place = s.last_place
left join {documents} e on e.doc = l.doc
order by family
"""
