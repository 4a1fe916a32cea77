"""pages: near-duplicate web pages by their trustable longest common subsequence.

After Huang, Wang and Li (2008): pages that share signatures of sentences (`candidates`) are
compared without the boilerplate of their site (`boilerplate`), by what they have in common in one
piece (`tlcs`). Simhash and cosine are there to compare with. Identical pages are compared only once.
"""

from dataclasses import replace

import pyarrow as pa

from neardup.methods.pages import boilerplate, candidates
from neardup.methods.pages import declared as own
from neardup.methods.pages.matches import BELOW, FOUND, REACHED, STOPPED, list_passages, verified
from neardup.methods.pages.settings import PageSettings
from neardup.methods.pages.tlcs import ACROSS
from neardup.methods.pages.units import MakePages, units_schema
from neardup.plan import Map, Plan, Sql, Step
from neardup.readers.records import LINK_SHARE, ReaderSettings
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.steps import clusters, copies, declared, facts, naming, rejected
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.copies import copied_pairs, identical_pairs
from neardup.steps.naming import users_names
from neardup.steps.pair_kinds import kind_sql

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
    "probes": "pages with other sentences, up to the limit: how many of them would be found?",
    "verified": "filtered sketches, common subsequence, trustable region",
    "rejected": "the most similar ones that are not a pair, to choose other limits by",
    "found": "where the pages of a pair match",
    "sites": "pages, near-duplicates and boilerplate of each site",
    "facts": "what was read, skipped, capped and found",
}
PAGE_BYTES = 5_000  # of text, about


def plan(
    settings: PageSettings, records: pa.Schema, expected: int = 100_000, against: Against = EVERYTHING
) -> Plan:
    """Return the plan for records of this schema, of which about this many are expected."""
    schema = units_schema(records)
    order = clusters.keeper_order(settings.keep, naming.carried_columns(records), against.is_given)
    steps: list[Step] = [
        Map("units", "records", MakePages(schema, settings), schema),
        *copies.steps("length", ("length", "site", "page_type"), against),
        *boilerplate.steps(settings),
        *candidates.steps(settings, expected, against),
        verified(settings),
        Map("found", "verified", list_passages, FOUND),
        Sql("contents", CONTENTS, keep=True),
        *naming.steps("units", "contents", records, CARRIED + against.named("c.doc")),
        copies.pairs(
            f"{copies.IN_ORDER}, {kind(settings)} as kind, a.site = b.site as same_site",
            copies.SHARES | copies.COPIED,
            settings.max_copies,
            f"v.says = {REACHED}",
            against,
        ),
        rejected.rejected(table="verified", condition=f"says = {BELOW}"),
        passages(settings.max_copies, against),
        *clusters.dated(order),
        *clusters.steps(order, settings.clusters, least_contained(settings)),
        Sql("boilerplate", BOILERPLATE),
        Sql("sites", SITES),
        facts.step(
            *facts.of_copies(settings.max_copies, against),
            *((declared.UNREAD_DATES,) if clusters.dated(order) else ()),
            own.BOILERPLATE_ONLY,
            own.BOILERPLATE,
            own.TEMPLATE_SIGNATURES.of("shared", f"says = {candidates.TEMPLATE}"),
            own.LISTS_TOO_LONG.of("shared", f"says = {candidates.LONG}"),
            declared.CANDIDATES,
            own.CANDIDATES_STOPPED.of("verified", f"says = {STOPPED}"),
            declared.CANDIDATES_VERIFIED.of("verified", f"says = {REACHED}"),
            declared.PAIRS,
            declared.PAIRS_BY_KIND,
            own.PAIRS_OF_SAME_SITE,
            own.SITES,
            *declared.OF_CLUSTERS,
            declared.CLUSTER_SIZES,
            *((own.SIMILAR_SETS, own.PAGES_IN_SIMILAR_SETS) if settings.measure != "simhash" else ()),
            *(declared.OF_PROBES if settings.measure == "tlcs" else ()),
        ),
    ]
    return Plan("pages", ("records", "files"), tuple(steps), (*own.TABLES, "facts"), NOTES)


def least_contained(settings: PageSettings) -> float:
    """Return how much of a page must be in another one for this to be kept in its place.

    So much of each of two pages of the same length is in the other at the least resemblance.
    """
    least = ACROSS * settings.threshold
    return 2 * least / (1 + least) if settings.measure == "tlcs" else settings.threshold


CARRIED = ", c.same_as as same_as, c.site as site, c.content as content, c.page_type as page_type"

CONTENTS = """
select c.doc as doc, c.number as number, c.same_as as same_as, c.site as site,
  c.page_type as page_type, p.content as content
from {copies} c join {pages} p on p.doc = c.first
"""


def kind(settings: PageSettings) -> str:
    """Return the SQL for the kind of a pair: contained if so much of just one page is in the other."""
    least = settings.containment
    return kind_sql(
        "e.copied = 1", f"least(e.in_x, e.in_y) < {least} and greatest(e.in_x, e.in_y) >= {least}"
    )


def passages(most: int, against: Against) -> Sql:
    """Return the step to `passages`: those of pairs, in all copies of their pages, and whole copies."""
    whole = "x.number, y.number, 0, x.length, 0, y.length, 1, x.size, x.size + y.size"
    near = copied_pairs(LOCATED, most, "found", against)
    text = f"""
select a.id as id_a, l.start_a as start_a, l.end_a as end_a,
  b.id as id_b, l.start_b as start_b, l.end_b as end_b,
  l.sentences as sentences, cast(2 * l.words as double) / l.both as similarity,
  case when 2 * l.words = l.both then 'identical' else 'edited' end as kind,
  l.words as words, a.doc as doc_a, b.doc as doc_b
from ({near} union all {identical_pairs(whole, most, against)}) l
join {{documents}} a on a.doc = l.doc_a join {{documents}} b on b.doc = l.doc_b
order by doc_a, doc_b, start_a, start_b
"""
    return Sql("passages", text)


LOCATED = """least(x.number, y.number) as doc_a, greatest(x.number, y.number) as doc_b,
  case when x.number < y.number then v.start_a else v.start_b end as start_a,
  case when x.number < y.number then v.end_a else v.end_b end as end_a,
  case when x.number < y.number then v.start_b else v.start_a end as start_b,
  case when x.number < y.number then v.end_b else v.end_a end as end_b,
  v.sentences as sentences, v.words as words, v.both as both"""

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


def page_reader(settings: PageSettings, reader: ReaderSettings) -> ReaderSettings:
    """Return how pages are read: with the share of their text in links, and what weighs them."""
    weight = (settings.weight_column,) if settings.weight_column else ()
    columns = dict.fromkeys((*reader.columns, LINK_SHARE, *weight))
    return replace(reader, columns=tuple(columns))


def job(source: Source, settings: PageSettings, _: RunSettings, against: Against = EVERYTHING) -> Job:
    """Plan `pages`."""
    return Job(
        plan(settings, source.schema, size_of(source) // PAGE_BYTES + 1, against),
        source,
        settings.as_dict(),
        users_names(source.schema),
        against=against,
    )
