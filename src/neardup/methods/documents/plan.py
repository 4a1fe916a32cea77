"""documents: resemblance of whole documents by shingles, verified on their whole sets.

Broder's shingling as in Khoshdel Nikkhoo's thesis (Waterloo, 2010), with an exact join: see
`candidates` for how pairs are proposed and `verify` for how they are checked.
"""

import pyarrow as pa

from neardup.methods.documents import candidates
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.documents.units import MakeUnits, units_schema
from neardup.methods.documents.verify import COMPARED, Verify
from neardup.plan import Map, Plan, Sql, Step
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.signatures.shingles import Shingles
from neardup.steps import clusters, naming, rejected
from neardup.steps.columns import extras
from neardup.steps.copies import identical_pairs
from neardup.steps.counters import counters_size
from neardup.steps.naming import named

NOTES = {
    "units": "read, normalise and shingle every record; a problem is a row too",
    "copies": "documents with the same set of shingles are compared with others only once",
    "counts": "how many documents have a shingle, roughly: gives the order, rarest first",
    "keys": "what documents must share to become candidates",
    "shared": "the pairs of documents that share a key",
    "candidates": "each pair once, if its sizes allow the threshold",
    "compared": "common shingles counted on the whole sets",
    "verified": "the pairs that reach the threshold",
    "rejected": "those that miss it by least, to choose another threshold by",
    "facts": "what was read, skipped and capped",
}


def plan(settings: DocumentSettings, records: pa.Schema, counters: int = 1 << 20) -> Plan:
    """Return the plan for records of this schema; `counters` are the bytes of the table of counts."""
    schema = units_schema(records)
    shingles = Shingles.parse(settings.shingle)
    order = clusters.keeper_order(settings.keep, naming.carried_columns(records))
    most = str(settings.max_copies)
    steps: list[Step] = [
        Map("units", "records", MakeUnits(shingles, schema), schema),
        naming.parts("units"),
        Sql("copies", ("units", "input_parts"), COPIES, keep=True),
        Sql("firsts", ("copies",), "select doc from {copies} where doc = first order by doc"),
        *candidates.steps(settings, counters),
        Sql(
            "candidates",
            ("shared", "copies"),
            CANDIDATES.replace("SIZES", _sizes(settings)),
            keep=True,
        ),
        Map(
            "compared",
            "candidates",
            Verify(settings.measure, settings.threshold),
            COMPARED,
            lookup="units",
            lookup_columns=("shingles",),
            lookup_keys=("a", "b"),
            task_rows=512,
        ),
        rejected.verified(),
        *naming.steps("units", "copies", records, ", c.same_as as same_as"),
        Sql("expanded", ("verified", "copies"), EXPANDED.replace("MOST", most)),
        Sql("pairs", ("expanded", "documents"), PAIRS.replace("KIND", _contained(settings))),
        rejected.rejected(),
        *clusters.steps(order, settings.clusters, settings.threshold),
        Sql(
            "facts",
            ("named", "copies", "shared", "candidates", "verified", "pairs", "clusters"),
            FACTS.replace("MOST", most),
        ),
    ]
    outputs = ("documents", "pairs", "rejected", "clusters", "skipped", "facts")
    return Plan("documents", ("records", "files"), tuple(steps), outputs, NOTES)


def _sizes(settings: DocumentSettings) -> str:
    if settings.measure == "containment":
        return "1 = 1"
    # A little lower, so that rounding loses no pair. Both sizes stand on one side: as two comparisons
    # this would look like a range join of all documents with all.
    return f"least(x.size, y.size) >= {settings.threshold * (1 - 1e-12):.17f} * greatest(x.size, y.size)"


def _contained(settings: DocumentSettings) -> str:
    """Return the SQL condition for a pair in which one document holds the other."""
    least = f"{settings.threshold * (1 - 1e-12):.17f}"
    return f"least(e.in_x, e.in_y) < {least}"


COPIES = f"""
select doc, number, size,
  min(doc) over (partition by digest, size) as first,
  min(number) over (partition by digest, size) as same_as,
  row_number() over (partition by digest, size order by doc) as rank
from ({naming.numbered("units", ", u.digest as digest")}) u
"""

CANDIDATES = """
select s.a as a, s.b as b, x.size as size_a, y.size as size_b
from (select distinct a, b from {shared} where a < b) s
join {copies} x on x.doc = s.a join {copies} y on y.doc = s.b
where SIZES
order by 1, 2
"""

SAME = """x.number as x, y.number as y, cast(1 as double) as similarity, cast(1 as double) as in_x,
  cast(1 as double) as in_y"""

# Identical documents resemble all others alike; of very many, each is paired with the first only.
EXPANDED = f"""
select x.number as x, y.number as y, v.similarity as similarity,
  v.containment_a as in_x, v.containment_b as in_y
from {{verified}} v join {{copies}} x on x.first = v.a join {{copies}} y on y.first = v.b
where x.rank <= MOST and y.rank <= MOST
union all {identical_pairs(SAME)}"""

PAIRS = """
select a.id as id_a, b.id as id_b, e.similarity as similarity,
  case when e.x < e.y then e.in_x else e.in_y end as containment_a,
  case when e.x < e.y then e.in_y else e.in_x end as containment_b,
  case when e.in_x = 1 and e.in_y = 1 then 'identical'
    when KIND then 'contained' else 'near-duplicate' end as kind,
  a.doc as doc_a, b.doc as doc_b
from {expanded} e
join {documents} a on a.doc = least(e.x, e.y) join {documents} b on b.doc = greatest(e.x, e.y)
order by doc_a, doc_b
"""

FACTS = """
select 'records' as name, count(*) as value from {named}
union all select concat('skipped: ', problem), count(*) from {named}
  where problem is not null group by problem
union all select 'ids given twice', count(*) from {named}
  where problem is null and given is not null and repeat > 1
union all select 'documents', count(*) from {copies}
union all select 'identical copies', count(*) from {copies} where rank > 1
union all select 'copies paired with the first only', count(*) from {copies} where rank > MOST
union all select 'shingles too common to pair all', count(*) from {shared} where a = b
union all select 'candidates', count(*) from {candidates}
union all select 'candidates verified', count(*) from {verified}
union all select 'pairs', count(*) from {pairs}
union all select 'clusters', count(distinct cluster) from {clusters}
union all select 'duplicates', count(*) - count(distinct cluster) from {clusters}
union all select 'members that do not resemble their keeper', count(*) from {clusters}
  where similarity is null
order by 1
"""


def job(source: Source, settings: DocumentSettings, run: RunSettings) -> Job:
    """Plan `documents`."""
    from neardup.kernels.shingles import shingle_characters, shingle_words

    return Job(
        plan(settings, source.schema, counters_size(run.summary_memory, size_of(source))),
        source,
        settings.as_dict(),
        named(extras(source.schema)),
        kernels=(shingle_words, shingle_characters),
    )
