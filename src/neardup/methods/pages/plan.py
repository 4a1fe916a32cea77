"""pages: near-duplicate web pages by their trustable longest common subsequence.

After Huang, Wang and Li (2008): pages that share signatures of sentences (`page_candidates`) are
compared without the boilerplate of their site (`boilerplate`), by what they have in common in one
piece (`tlcs`). Simhash and cosine are there to compare with. Identical pages are compared only once.
"""

import pyarrow as pa

from neardup.methods.pages import boilerplate, candidates
from neardup.methods.pages.matches import BELOW, FOUND, LOOKED_UP, PAIR, VERIFIED, Compare, Locate
from neardup.methods.pages.settings import PageSettings
from neardup.methods.pages.tlcs import ACROSS
from neardup.methods.pages.units import MakePages, units_schema
from neardup.plan import Map, Plan, Sql, Step
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.steps import clusters, naming, rejected
from neardup.steps.columns import extras
from neardup.steps.copies import identical_pairs
from neardup.steps.naming import named

NOTES = {
    "units": "read every page, split it into words and sentences; a problem is a row too",
    "copies": "identical pages are compared with others only once",
    "site_rows": "the pieces of sentences of each page",
    "repeated": "those that several pages of a site have",
    "shares": "how much of a page as many pages have",
    "template": "the pieces of pages that differ in the rest: boilerplate",
    "pages": "what remains of each page, and its signatures",
    "shared": "the pairs that share a signature, and the signatures of templates",
    "sets": "perhaps-similar pages and the page that represents them",
    "candidates": "each pair once",
    "verified": "filtered sketches, common subsequence, trustable region",
    "rejected": "the most similar that are no pair, to choose other limits by",
    "found": "where the pages of a pair match",
    "sites": "pages, near-duplicates and boilerplate of each site",
    "facts": "what was read, skipped, capped and found",
}
PAGE_BYTES = 5_000  # of text, about
OUTPUTS = (
    *("documents", "pairs", "rejected", "passages", "clusters", "sites", "boilerplate"),
    *("skipped", "facts"),
)


def plan(settings: PageSettings, records: pa.Schema, expected: int = 100_000) -> Plan:
    """Return the plan for records of this schema, of which about so many are expected."""
    schema = units_schema(records)
    order = clusters.keeper_order(settings.keep, naming.carried_columns(records))
    most = str(settings.max_copies)
    by_sets = settings.measure != "simhash"
    steps: list[Step] = [
        Map("units", "records", MakePages(schema), schema),
        naming.parts("units"),
        Sql("copies", ("units", "input_parts"), COPIES, keep=True),
        Sql("firsts", ("copies",), "select doc from {copies} where doc = first order by doc"),
        *boilerplate.steps(settings),
        *candidates.steps(settings, expected),
        Map(
            "verified",
            "candidates",
            Compare(settings),
            VERIFIED,
            lookup="pages",
            lookup_columns=LOOKED_UP,
            lookup_keys=("a", "b"),
            task_rows=1024,
        ),
        Map("found", "verified", Locate(), FOUND),
        Sql("contents", ("copies", "pages"), CONTENTS, keep=True),
        *naming.steps("units", "contents", records, CARRIED),
        Sql("expanded", ("verified", "copies"), EXPANDED.replace("MOST", most)),
        Sql("pairs", ("expanded", "documents"), PAIRS),
        rejected.rejected(table="verified", condition=f"says = {BELOW}"),
        Sql("passages", ("found", "copies", "documents"), PASSAGES.replace("MOST", most)),
        *clusters.steps(order, settings.clusters, least_contained(settings)),
        Sql("boilerplate", ("template", "places", "contents", "documents"), BOILERPLATE),
        Sql("sites", ("documents", "pairs", "clusters", "boilerplate"), SITES),
        Sql(
            "facts",
            (
                *(
                    "named",
                    "copies",
                    "contents",
                    "boilerplate",
                    "shared",
                    "candidates",
                    "verified",
                    "pairs",
                ),
                *("clusters", "sites", *(("sets",) if by_sets else ())),
            ),
            FACTS.replace("MOST", most) + (SET_FACTS if by_sets else "") + "order by 1",
        ),
    ]
    return Plan("pages", ("records", "files"), tuple(steps), OUTPUTS, NOTES)


def least_contained(settings: PageSettings) -> float:
    """Return how much of a page must be in another one for this to be kept in its place.

    So much of each of two pages of the same length is in the other at the least resemblance.
    """
    least = ACROSS * settings.threshold
    return 2 * least / (1 + least) if settings.measure == "tlcs" else settings.threshold


CARRIED = ", c.same_as as same_as, c.site as site, c.content as content"

COPIES = f"""
select doc, number, size, length, site,
  min(doc) over (partition by digest, length) as first,
  min(number) over (partition by digest, length) as same_as,
  row_number() over (partition by digest, length order by doc) as rank
from ({naming.numbered("units", ", u.digest as digest, u.length as length, u.site as site")}) u
"""

CONTENTS = """
select c.doc as doc, c.number as number, c.same_as as same_as, c.site as site, p.content as content
from {copies} c join {pages} p on p.doc = c.first
"""

SAME = """x.number as x, y.number as y, cast(1 as double) as similarity, cast(1 as double) as in_x,
  cast(1 as double) as in_y, 1 as same"""

# Identical pages resemble all others alike; of very many, each is paired with the first only.
EXPANDED = f"""
select x.number as x, y.number as y, v.similarity as similarity,
  v.containment_a as in_x, v.containment_b as in_y, 0 as same
from {{verified}} v join {{copies}} x on x.first = v.a join {{copies}} y on y.first = v.b
where v.says = {PAIR} and x.rank <= MOST and y.rank <= MOST
union all {identical_pairs(SAME)}"""

PAIRS = """
select a.id as id_a, b.id as id_b, e.similarity as similarity,
  case when e.x < e.y then e.in_x else e.in_y end as containment_a,
  case when e.x < e.y then e.in_y else e.in_x end as containment_b,
  case when e.same = 1 then 'identical'
    when least(e.in_x, e.in_y) < 0.7 and greatest(e.in_x, e.in_y) >= 0.7 then 'contained'
    else 'near-duplicate' end as kind,
  a.site = b.site as same_site, a.doc as doc_a, b.doc as doc_b
from {expanded} e
join {documents} a on a.doc = least(e.x, e.y) join {documents} b on b.doc = greatest(e.x, e.y)
order by doc_a, doc_b
"""

PASSAGES = f"""
select a.id as id_a, l.start_a as start_a, l.end_a as end_a,
  b.id as id_b, l.start_b as start_b, l.end_b as end_b,
  l.sentences as sentences, cast(2 * l.words as double) / l.both as similarity,
  case when 2 * l.words = l.both then 'identical' else 'edited' end as kind,
  l.words as words, a.doc as doc_a, b.doc as doc_b
from (
  select least(x.number, y.number) as doc_a, greatest(x.number, y.number) as doc_b,
    case when x.number < y.number then f.start_a else f.start_b end as start_a,
    case when x.number < y.number then f.end_a else f.end_b end as end_a,
    case when x.number < y.number then f.start_b else f.start_a end as start_b,
    case when x.number < y.number then f.end_b else f.end_a end as end_b,
    f.sentences as sentences, f.words as words, f.both as both
  from {{found}} f join {{copies}} x on x.first = f.a join {{copies}} y on y.first = f.b
  where x.rank <= MOST and y.rank <= MOST
  union all
  {identical_pairs("x.number, y.number, 0, x.length, 0, y.length, 1, x.size, x.size + y.size")}
) l join {{documents}} a on a.doc = l.doc_a join {{documents}} b on b.doc = l.doc_b
order by doc_a, doc_b, start_a, start_b
"""

# What several sites have is without a site; what is boilerplate on one site and on all is listed once.
BOILERPLATE = f"""
select id, start_at, end_at, documents, doc, site, key from (
  select d.id as id, p.start_at as start_at, p.end_at as end_at, t.pages as documents, d.doc as doc,
    case when t.level = {boilerplate.WEB} then null else d.site end as site, t.key as key,
    row_number() over (partition by d.doc, p.start_at order by t.pages desc, t.level, t.key) as rank
  from {{template}} t join {{places}} p on p.key = t.key and p.doc = t.doc
  join {{contents}} c on c.doc = t.doc join {{documents}} d on d.doc = c.number
) b where rank = 1 order by doc, start_at
"""

SITES = """
select s.site as site, s.pages as pages, coalesce(c.duplicates, 0) as duplicates,
  coalesce(p.inside, 0) as pairs_inside, coalesce(q.across, 0) as pairs_across,
  coalesce(b.boilerplate, 0) as boilerplate
from (select site, count(*) as pages from {documents} where site is not null group by site) s
left join (
  select d.site as site, count(*) as duplicates from {clusters} c join {documents} d on d.doc = c.doc
  where c.id <> c.keeper_id group by d.site
) c on c.site = s.site
left join (
  select d.site as site, count(*) as inside from {pairs} p join {documents} d on d.doc = p.doc_a
  where p.same_site group by d.site
) p on p.site = s.site
left join (
  select site, count(*) as across from (
    select a.site as site from {pairs} p join {documents} a on a.doc = p.doc_a where not p.same_site
    union all
    select b.site as site from {pairs} p join {documents} b on b.doc = p.doc_b where not p.same_site
  ) e group by site
) q on q.site = s.site
left join (select site, count(*) as boilerplate from {boilerplate} group by site) b on b.site = s.site
order by s.site
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
union all select 'pages of boilerplate only', count(*) from {contents} where content = 0
union all select 'pieces of boilerplate', count(*) from {boilerplate}
union all select 'signatures of templates or spam', count(*) from {shared} where says = 1
union all select 'lists too long to pair all', count(*) from {shared} where says = 2
union all select 'candidates', count(*) from {candidates}
union all select 'candidates stopped by their sketches', count(*) from {verified} where says = 0
union all select 'candidates verified', count(*) from {verified} where says = 2
union all select 'pairs', count(*) from {pairs}
union all select concat('pairs: ', kind), count(*) from {pairs} group by kind
union all select 'pairs of the same site', count(*) from {pairs} where same_site
union all select 'sites', count(*) from {sites}
union all select 'clusters', count(distinct cluster) from {clusters}
union all select 'duplicates', count(*) - count(distinct cluster) from {clusters}
union all select 'members that do not resemble their keeper', count(*) from {clusters}
  where similarity is null
"""

SET_FACTS = """
union all select 'perhaps-similar sets', count(distinct representative) from {sets}
union all select 'pages in perhaps-similar sets', count(*) from {sets}
"""


def job(source: Source, settings: PageSettings, run: RunSettings) -> Job:
    """Plan `pages`."""
    from neardup.kernels.pages import page_sentences

    del run  # its memory does not change the plan
    return Job(
        plan(settings, source.schema, size_of(source) // PAGE_BYTES + 1),
        source,
        settings.as_dict(),
        named(extras(source.schema)),
        kernels=(page_sentences,),
    )
