"""sentences: similar sentences of a corpus, with what differs and the kind of change.

After Ayhan, Bradley and Weissman (2013): sentences that share a bucket (`candidates`) are
compared by edit distance (`changes`), and those within the limit are grouped. Identical sentences are
compared with others only once.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pyarrow as pa

from neardup.errors import SettingsError
from neardup.methods.sentences import candidates, drift, grouping, history
from neardup.methods.sentences import declared as own
from neardup.methods.sentences.changes import (
    COMPARED,
    LOOKED_UP,
    NEAR,
    Describe,
    MeasureDistance,
)
from neardup.methods.sentences.settings import SentenceSettings
from neardup.methods.sentences.units import SENTENCES, MakeSentences, SplitText, carried, split_schema
from neardup.plan import Map, Plan, Sql, Step
from neardup.readers.records import HEADINGS, ReaderSettings
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.steps import declared, facts, moments, naming, rejected
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.clusters import part_of, rows_before
from neardup.steps.copies import copied_pairs, identical_pairs
from neardup.steps.counters import counters_size
from neardup.steps.naming import users_names

NOTES = {
    "texts": "read every record and split it into sentences; a problem is a row too",
    "units": "one row a sentence within the limits of length",
    "copies": "identical sentences are compared with others only once",
    "counts": "how many sentences have a run of words, roughly: gives the order, rarest first",
    "keys": "what sentences must share to become candidates",
    "shared": "the pairs that share a key, if lengths, letters and places allow the distance",
    "probes": "sentences edited up to the limit: how many of them would be found?",
    "near": "the candidates within the edit distance, or nearly",
    "compared": "the words that differ in them, and the kind of change",
    "frames": "what sentences have in common, if it has many fillings: templates",
    "running": "what sentences have in common that a document has several times: page headings",
    "repeated": "the sentences of documents that have copies",
    "doubted": "those of documents that may have drifted from others",
    "versions": "documents that have many sentences in common: versions of one text",
    "crowded": "sentences that are like more than one other",
    "styles": "two names that are exchanged in very many frames",
    "subjects": "two values that two documents exchange more than once",
    "nearest": "how near the nearest counterpart of a sentence in another document is",
    "stock": "the documents of every phrase with many copies",
    "either": "two of these that seldom stand together",
    "judged": "what the corpus says of a pair: many fillings, a style, a nearer counterpart",
    "verified": "the pairs within the edit distance",
    "rejected": "those that are beyond it by least, to choose another distance by",
    "groups": "all that signatures connect, whether or not it is within the edit distance",
    "grouped": "clusters around a keeper, or all that is connected",
    "articles": "how many similar sentences each two documents have",
    "drifted": "what a sentence itself drifted from",
    "latest": "the newest revision of each page",
    "suggestions": "sentences that differ from what most of their kind say: an editor's work list",
    "chains": "documents that shared sentences connect",
    "facts": "what was read, skipped, capped and found",
}


RUNS_A_SHINGLE = 4  # how many times more runs of words than shingles a text has
LOOKED_AT = 60  # records that say what a corpus is made of


def resolved(settings: SentenceSettings, source: Source) -> SentenceSettings:
    """Return the settings with nothing left open: a corpus of single sentences is not split.

    Pages with headings are none, and to read them needs kernels that are not compiled yet.
    """
    if settings.split != "auto":
        return settings
    if HEADINGS in source.schema.names:
        return replace(settings, split="sentences")
    splitter = SplitText(replace(settings, split="sentences"), source.schema)
    counts = [splitter.count(text) for text in first_texts(source)]
    single = sum(count <= 1 for count in counts)
    return replace(settings, split="records" if counts and 2 * single > len(counts) else "sentences")


def first_texts(source: Source) -> Iterator[str]:
    """Yield the texts of the first records."""
    batches = (batch for split in source.splits() for batch in source.read(split))
    rows = (text.as_py() for batch in batches for text in batch["text"])
    yield from islice((text for text in rows if text), LOOKED_AT)


def plan(
    settings: SentenceSettings,
    records: pa.Schema,
    counters: int = 1 << 20,
    against: Against = EVERYTHING,
) -> Plan:
    """Return the plan for records of this schema; `counters` are the bytes of the table of counts."""
    steps = (
        *units(settings, records, against),
        *compared(settings, counters, against),
        *grouping.clustered(settings, against),
        *(history.steps(carried(records)) if settings.revisions else []),
        *shown(settings, against),
    )
    tables = [table for table in own.TABLES if settings.revisions or table != own.CHANGES]
    return Plan("sentences", ("records", "files"), steps, (*tables, "facts"), NOTES)


def units(settings: SentenceSettings, records: pa.Schema, against: Against) -> list[Step]:
    """Return the steps from records to numbered sentences."""
    schema = split_schema(records)
    return [
        Map("texts", "records", SplitText(settings, schema), schema, holds_gil=True),
        naming.parts("texts", "problem is null"),
        Sql("numbers", NUMBERS, keep=True),
        *naming.steps("texts", "numbers", carried(records), against.named("c.doc")),
        *moments.steps(),
        Map(
            "units",
            "texts",
            MakeSentences(settings.revisions),
            SENTENCES,
            lookup="numbers",
            lookup_columns=("number", "first_sentence"),
            lookup_keys=("doc",),
        ),
    ]


def compared(settings: SentenceSettings, counters: int, against: Against) -> list[Step]:
    """Return the steps from sentences to pairs of them within the edit distance."""
    return [
        copies(against),
        Sql("firsts", "select sentence from {copies} where sentence = first order by 1"),
        *candidates.steps(settings, counters),
        *grouping.steps(settings, against),
        Map(
            "near",
            "candidates",
            MeasureDistance(settings.max_distance),
            NEAR,
            lookup="units",
            lookup_columns=LOOKED_UP,
            lookup_keys=("a", "b"),
            task_rows=1 << 14,
        ),
        Map("compared", "near", Describe(), COMPARED, holds_gil=True),
        *drift.steps(),
    ]


def shown(settings: SentenceSettings, against: Against) -> list[Step]:
    """Return the steps to the tables of the result."""
    most = settings.max_copies
    too_large, by_candidates = f"size > {grouping.MOST_GROUPED}", settings.grouping == "candidates"
    pairs = copied_pairs(EXPANDED, most, against=against)
    same = identical_pairs(SAME, most, against)
    return [
        Sql("sentences", SENTENCES_FOUND),
        Sql("expanded", f"{pairs} union all {same}"),
        Sql("places", "select sentence, number, ordinal from {units}"),
        Sql("pairs", PAIRS),
        Sql("rejected", REJECTED),
        Sql("articles", ARTICLES),
        *drift.suggested(settings.revisions),
        *drift.chained(),
        facts.step(
            declared.DOCUMENTS.of("texts", "problem is null"),
            declared.UNREAD_DATES,
            *([declared.OLD_DOCUMENTS.of("documents", "old")] if against.is_given else []),
            own.SENTENCES,
            own.TOO_SHORT,
            own.TOO_LONG,
            own.TOO_DEEP,
            own.UNDER_DEEPER_HEADINGS,
            declared.IDENTICAL_COPIES.of("copies", "sentence <> first"),
            declared.COPIES_WITH_FIRST_ONLY.of("copies", f"rank > {most}"),
            own.BUCKETS_TOO_LARGE,
            *([own.CLUSTERS_TOO_LARGE.of("groups", too_large)] if by_candidates else []),
            declared.CANDIDATES,
            *declared.OF_PROBES,
            declared.PAIRS,
            declared.PAIRS_BY_KIND,
            own.DOCUMENT_PAIRS,
            own.DOCUMENT_PAIRS_OVER_50,
            own.DOCUMENTS_IN_CLUSTERS,
            own.DIFFERENT_IN_CLUSTERS,
            own.SUGGESTIONS,
            own.CHAINS,
            *([own.EDITS] if settings.revisions else []),
            own.CLUSTERS,
            own.CLUSTERS_BY_KIND,
            own.SENTENCES_IN_CLUSTERS,
            own.NOT_COMPARED_WITH_KEEPER,
        ),
    ]


# Part by part, which many tasks can do at a time: only the few parts are summed up by one.
NUMBERS = f"""
select t.doc as doc,
  cast(p.documents_before + row_number() over (partition by p.part order by t.doc) - 1 as bigint)
    as number,
  cast(s.sentences_before + sum(t.sentence_count) over (partition by p.part order by t.doc
    rows between unbounded preceding and current row) as bigint) - t.sentence_count as first_sentence
from {{texts}} t
join {{input_parts}} p on p.part = t.doc - t.doc % {naming.WIDTH}
join (
  select part, coalesce(sum(sentences) over (order by part
    rows between unbounded preceding and 1 preceding), 0) as sentences_before
  from (
    select doc - doc % {naming.WIDTH} as part, sum(sentence_count) as sentences
    from {{texts}} where problem is null group by doc - doc % {naming.WIDTH}
  ) c
) s on s.part = p.part
where t.problem is null order by t.doc
"""

SAME_TEXT = "partition by digest, characters"


def copies(against: Against) -> Sql:
    """Return the step to `copies`: of identical sentences, the first stands for all, an old one if any.

    Old ones are counted apart from new ones.
    """
    first, apart, table = f"min(sentence) over ({SAME_TEXT})", SAME_TEXT, "{units}"
    if against.is_given:
        first = f"coalesce(min(case when old = 1 then sentence end) over ({SAME_TEXT}), {first})"
        apart, table = f"{SAME_TEXT}, old", f"({OF_SIDES}) u"
    text = f"""
select sentence, digest, {first} as first,
  row_number() over ({apart} order by sentence) as rank{against.flags(SAME_TEXT)}
from {table}
"""
    return Sql("copies", text, keep=True)


OF_SIDES = """
select u.sentence as sentence, u.digest as digest, u.characters as characters,
  case when d.old then 1 else 0 end as old
from {units} u join {documents} d on d.doc = u.number
"""


SENTENCES_FOUND = f"""
select case when m.size > 1 then cast(p.earlier + dense_rank() over (
    partition by p.part, case when m.size > 1 then 0 else 1 end order by m.keeper) - 1 as bigint)
  end as cluster,
  d.id as id, s.ordinal as sentence, s.start_at as start_at, s.end_at as end_at,
  cast(s.start_at as double) / d.length as depth,
  nullif(s.level, -1) as level, s.section as section, s.text as text,
  m.sentence = m.keeper as keeper, m.distance as distance, m.kind as kind,
  m.size as size, k.kind as cluster_kind, d.doc as doc
from {{members}} m
join {{units}} s on s.sentence = m.sentence
join {{documents}} d on d.doc = s.number
left join {{kinds}} k on k.keeper = m.keeper
left join (
  {rows_before("(select distinct keeper from {members} where size > 1)", part_of("keeper"))}
) p on p.part = {part_of("m.keeper")}
order by case when m.size > 1 then 0 else 1 end, m.keeper, m.sentence
"""

SAME = """x.sentence as a, y.sentence as b, cast(0 as double) as distance, 'identical' as kind,
  cast(1 as double) as confidence, null as types, null as words_a, null as words_b"""

EXPANDED = """least(x.sentence, y.sentence) as a, greatest(x.sentence, y.sentence) as b,
  v.distance as distance, v.kind as kind, v.confidence as confidence, v.types as types,
  case when x.sentence < y.sentence then v.words_a else v.words_b end as words_a,
  case when x.sentence < y.sentence then v.words_b else v.words_a end as words_b"""

PAIRS = """
select x.id as id_a, p.ordinal as sentence_a, y.id as id_b, q.ordinal as sentence_b,
  e.distance as distance, e.kind as kind, e.confidence as confidence, e.types as types,
  e.words_a as words_a, e.words_b as words_b, x.doc as doc_a, y.doc as doc_b
from {expanded} e
join {places} p on p.sentence = e.a join {places} q on q.sentence = e.b
join {documents} x on x.doc = p.number join {documents} y on y.doc = q.number
order by e.a, e.b
"""

# With their texts: most of these sentences are in no pair. Of identical ones, the first stands for all.
# Their few sentences are taken first: a join with all might hold the texts of all in memory.
REJECTED = f"""
with near as (
  select a, b, distance from {{compared}} where not holds
  order by distance, a, b limit {rejected.MOST}
),
said as (
  select sentence, number, ordinal, start_at, end_at, text from {{units}}
  where sentence in (select a from near union select b from near)
)
select x.id as id_a, p.ordinal as sentence_a, p.start_at as start_a, p.end_at as end_a, p.text as text_a,
  y.id as id_b, q.ordinal as sentence_b, q.start_at as start_b, q.end_at as end_b, q.text as text_b,
  r.distance as distance, x.doc as doc_a, y.doc as doc_b
from near r
join said p on p.sentence = r.a join said q on q.sentence = r.b
join {{documents}} x on x.doc = p.number join {{documents}} y on y.doc = q.number
order by distance, p.sentence, q.sentence
"""

ARTICLES = """
select x.id as id_a, y.id as id_b, x.title as title_a, y.title as title_b, p.pairs as sentences,
  x.doc as doc_a, y.doc as doc_b
from (
  select doc_a, doc_b, count(*) as pairs from {pairs} where doc_a < doc_b group by doc_a, doc_b
) p join {documents} x on x.doc = p.doc_a join {documents} y on y.doc = p.doc_b
order by p.pairs desc, x.doc, y.doc
"""


def sentence_reader(settings: SentenceSettings, reader: ReaderSettings) -> ReaderSettings:
    """Return how texts are read: with the headings over their sentences."""
    return replace(reader, revisions=settings.revisions, headings=True)


def job(
    source: Source, settings: SentenceSettings, run: RunSettings, against: Against = EVERYTHING
) -> Job:
    """Plan `sentences`."""

    if settings.max_level is not None and HEADINGS not in source.schema.names:
        hint = "Dumps of MediaWiki tell them; if other files are given with these, nothing does."
        raise SettingsError("max_level needs headings, and this input tells none", hint=hint)
    settings = resolved(settings, source)
    counters = counters_size(run.summary_memory, RUNS_A_SHINGLE * size_of(source))
    names = users_names(carried(source.schema))
    return Job(
        plan(settings, source.schema, counters, against),
        source,
        settings.as_dict(),
        names,
        against=against,
    )
