"""Clusters of sentences: of the pairs within the distance, or as printed in the paper.

The paper groups all sentences that share a signature, and filters the pairs inside each group by their
distance afterwards. So pairs of a group that share no signature are found, too, and what a sentence
that is like none of them connects stays together.
"""

from neardup.methods.sentences.settings import SentenceSettings
from neardup.plan import Cluster, Sql, Step
from neardup.steps.against import Against
from neardup.steps.clusters import number_by, part_of, rows_before

MOST_GROUPED = 1_000  # sentences of a group of which all pairs are measured


def steps(settings: SentenceSettings, against: Against) -> list[Step]:
    """Return the steps from `shared` to `candidates`, each pair once, if it is asked for."""
    if settings.grouping == "candidates":
        return [
            Sql("bucketed", BUCKETED, keep=True),
            Sql("in_buckets", IN_BUCKETS, keep=True),
            Sql("bucket_nodes", NODES.replace("{twinned}", "{in_buckets}"), keep=True),
            Sql("bucket_edges", BUCKET_EDGES),
            Cluster("connected_buckets", "bucket_nodes", "bucket_edges", "components"),
            Sql("groups", GROUPS, keep=True),
            Sql("candidates", against.candidates(IN_GROUPS, "sentence"), keep=True),
        ]
    return [Sql("candidates", against.candidates(BUCKETED, "sentence"), keep=True)]


def clustered(settings: SentenceSettings, against: Against) -> list[Step]:
    """Return the steps from pairs to clusters of sentences."""
    grouped: list[Step] = [
        Sql("edges", EDGES),
        Cluster("grouped", "nodes", "edges", settings.clusters),
    ]
    if settings.grouping == "candidates":
        grouped = [Sql("grouped", GROUPED, keep=True)]
    return [
        Sql("twinned", twinned(against)),
        Sql("nodes", NODES, keep=True),
        *grouped,
        Sql("members", MEMBERS, keep=True),
        Sql("kinds", KINDS),
    ]


BUCKETED = "select distinct a, b from {shared} where not too_long"

IN_BUCKETS = """
select a as sentence, a as place from {bucketed} union select b as sentence, b as place from {bucketed}
"""

BUCKET_EDGES = """
select y.node as worse, x.node as better, cast(1 as double) as similarity
from {bucketed} s join {bucket_nodes} x on x.sentence = s.a join {bucket_nodes} y on y.sentence = s.b
order by 1, 2
"""

GROUPS = """
select n.sentence as sentence, c.keeper as keeper, count(*) over (partition by c.keeper) as size
from {connected_buckets} c join {bucket_nodes} n on n.node = c.node
"""

# in a group that is too large, those that share a signature
IN_GROUPS = f"""
select x.sentence as a, y.sentence as b from {{groups}} x
join {{groups}} y on y.keeper = x.keeper and y.sentence > x.sentence where x.size <= {MOST_GROUPED}
union select a, b from {{bucketed}}
"""

# of a group, what is in a pair; sentences that have nothing but copies are groups of their own
GROUPED = """
select n.node as node, min(n.node) over (
  partition by g.keeper, case when g.keeper is null then n.sentence end
) as keeper
from {nodes} n left join {groups} g on g.sentence = n.sentence
"""


def twinned(against: Against) -> str:
    """Return the statement for the firsts of identical sentences that are in a pair, the nodes.

    Nodes are in the order of their `place`: the earliest are the best keepers, and old ones before all.
    """
    paired, place = "rank = 2", "s.sentence"
    if against.is_given:
        paired = "any_new + any_old = 2" + (" or (old = 0 and rank = 2)" if against.within else "")
        place = f"case when c.any_old = 1 then s.sentence - {FAR} else s.sentence end"
    return f"""
select s.sentence as sentence, {place} as place
from (
  select first as sentence from {{copies}} where {paired}
  union select a from {{verified}} union select b from {{verified}}
) s join {{copies}} c on c.sentence = s.sentence
"""


FAR = 1 << 48  # more than there are sentences

NODES = f"""
select {number_by("n.place")} as node, n.sentence as sentence
from {{twinned}} n join ({rows_before("{twinned}", part_of("place"))}) p
  on p.part = {part_of("n.place")}
order by 1
"""

EDGES = """
select greatest(x.node, y.node) as worse, least(x.node, y.node) as better, 1 - v.distance as similarity
from {verified} v join {nodes} x on x.sentence = v.a join {nodes} y on y.sentence = v.b
order by 1, 2
"""

MEMBERS = """
select c.sentence as sentence, k.sentence as keeper,
  case when c.first = k.sentence then cast(0 as double) else v.distance end as distance,
  case when c.sentence = k.sentence then null when c.first = k.sentence then 'identical'
    else v.kind end as kind,
  count(*) over (partition by k.sentence) as size
from {copies} c
join {nodes} n on n.sentence = c.first
join {grouped} g on g.node = n.node
join {nodes} k on k.node = g.keeper
left join {verified} v
  on v.a = least(k.sentence, c.first) and v.b = greatest(k.sentence, c.first)
"""

# What most members of a cluster, besides identical ones, did to its keeper.
KINDS = """
select keeper, kind from (
  select keeper, kind, row_number() over (
    partition by keeper order by case when kind = 'identical' then 1 else 0 end, count(*) desc, kind
  ) as place
  from {members} where kind is not null group by keeper, kind
) k where place = 1
"""
