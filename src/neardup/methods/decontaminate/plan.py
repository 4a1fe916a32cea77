"""decontaminate: test items of benchmarks that stand in training data, located to the character.

The items are few and read beforehand. One pass over the training data looks their runs of words up and
aligns what is proposed (`kernels/items.py`); the rest counts what was found.
"""

from functools import partial

import pyarrow as pa

from neardup.methods.decontaminate import declared as own
from neardup.methods.decontaminate import probes
from neardup.methods.decontaminate.index import ItemIndex
from neardup.methods.decontaminate.items import NO_ITEMS, Items
from neardup.methods.decontaminate.settings import FIELDS, KINDS, DecontaminateSettings
from neardup.methods.decontaminate.units import (
    JUDGED,
    LOCATED,
    REPEATED,
    UNIT,
    WHOLE,
    find_items,
    judge_parts,
    list_boilerplate,
    list_found,
    units_schema,
)
from neardup.plan import Fold, Map, Plan, Sql, Step
from neardup.readers.source import Source
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.steps import declared, facts, naming
from neardup.steps.naming import users_names

NOTES = {
    "parts": "the passages, questions, options and answers of the benchmarks",
    "index": "what their words weigh, which are boilerplate, and where runs of words stand",
    "units": "read every record and find items in it; a problem is a row too",
    "located": "one row a field, and one a place of an item",
    "judged": "which parts of items can be looked for by themselves",
    "probes": "questions and passages with words exchanged: how many of them would be found?",
    "matches": "the fields of items that were found, located",
    "pairs": "each document and item once, by the place where most of the item stands",
    "items": "all items, and in how many documents each was found",
    "benchmarks": "how much of each benchmark was found",
    "sources": "how much of each benchmark was found in each source of training data",
    "boilerplate": "runs of words that very many items share: they do not count",
    "facts": "what was read, skipped and found",
}


def plan(settings: DecontaminateSettings, records: pa.Schema) -> Plan:
    """Return the plan for records of this schema."""
    schema = units_schema(records)
    steps: list[Step] = [
        Sql("parts", "select * from {item_parts} order by part"),
        Fold("index", "parts", partial(ItemIndex, settings)),
        Map("units", "records", partial(find_items, schema), schema, sides=("index",)),
        naming.parts("units"),
        Sql("numbers", naming.numbered("units"), keep=True),
        *naming.steps("units", "numbers", records),
        Map("located", "units", list_found, LOCATED),
        Sql("placed", PLACED, keep=True),
        Map("judged", "parts", judge_parts, JUDGED, sides=("index",)),
        Map("repeated", "parts", list_boilerplate, REPEATED, sides=("index",)),
        *probes.steps(),
        Sql("matches", MATCHES),
        Sql("pairs", PAIRS),
        Sql("searched", SEARCHED, keep=True),
        Sql("items", ITEMS),
        Sql("benchmarks", BENCHMARKS),
        Sql("sources", SOURCES),
        Sql("boilerplate", BOILERPLATE),
        facts.step(
            declared.DOCUMENTS.of("numbers"),
            own.DOCUMENTS_WITH_ITEMS,
            own.ITEMS,
            own.ITEMS_FOUND,
            own.ITEMS_NOT_SEARCHED,
            declared.PAIRS,
            declared.PAIRS_BY_KIND,
            own.BOILERPLATE,
            *declared.OF_PROBES,
        ),
    ]
    sources = ("records", "files", "test_items", "item_parts")
    return Plan("decontaminate", sources, tuple(steps), (*own.TABLES, "facts"), NOTES)


def named(column: str, names: tuple[str, ...]) -> str:
    """Return the SQL for the name of a number."""
    whens = "".join(f" when {number} then '{name}'" for number, name in enumerate(names))
    return f"case {column}{whens} end"


# The names of fields that were found together, by the sum of 1, 2, 4 and 8.
COMBINED = tuple(
    ", ".join(name for bit, name in enumerate(FIELDS) if bits >> bit & 1)
    for bits in range(1 << len(FIELDS))
)
BITS = f"case field {' '.join(f'when {at} then {1 << at}' for at in range(len(FIELDS)))} else 0 end"

PLACED = f"""
select n.number as doc, l.item as item, l.occurrence as occurrence, l.field as field, l.kind as kind,
  l.start_at as start_at, l.end_at as end_at, cast(l.likeness as double) / {UNIT} as similarity
from {{located}} l join {{numbers}} n on n.doc = l.doc
"""

MATCHES = f"""
select d.id as id, i.id as item, i.benchmark as benchmark, p.occurrence as occurrence,
  {named("p.field", FIELDS)} as field, {named("p.kind", KINDS)} as kind, p.similarity as similarity,
  p.start_at as start_at, p.end_at as end_at, d.source as source, p.doc as doc, p.item as item_number
from {{placed}} p join {{documents}} d on d.doc = p.doc join {{test_items}} i on i.item = p.item
where p.field < {WHOLE} order by p.doc, p.start_at, p.item, p.occurrence, p.field
"""

# Of several places of an item in a document, the one with the most fields, and the most alike.
PAIRS = f"""
select d.id as id_a, i.id as id_b, i.benchmark as benchmark,
  {named("b.bits", COMBINED)} as fields,
  {named("b.kind", KINDS)} as kind, b.similarity as similarity, b.start_at as start_at,
  b.end_at as end_at, b.places as places, d.source as source, b.doc as doc_a, b.item as doc_b
from (
  select g.*, row_number() over (partition by doc, item
      order by fields desc, similarity desc, start_at, occurrence) as rank,
    count(*) over (partition by doc, item) as places
  from (
    select doc, item, occurrence, count(*) as fields,
      cast(sum({BITS}) as bigint) as bits,
      max(case when field = {WHOLE} then kind end) as kind,
      max(case when field = {WHOLE} then similarity end) as similarity,
      min(start_at) as start_at, max(end_at) as end_at
    from {{placed}} group by doc, item, occurrence
  ) g
) b join {{documents}} d on d.doc = b.doc join {{test_items}} i on i.item = b.item
where b.rank = 1 order by b.doc, b.start_at, b.item
"""

SEARCHED = """
select item, max(case when searched = 1 then 1 else 0 end) as searched,
  max(case when searched = 2 then 1 else 0 end) as generic, sum(words) as words
from {judged} group by item
"""

ITEMS = """
select i.id as id, i.benchmark as benchmark, i.passage as passage, i.question as question,
  i.options as options,
  i.answer as answer, cast(coalesce(s.words, 0) as bigint) as words,
  case when p.documents > 0 then 'dirty' when s.searched = 1 then 'clean'
    when s.generic = 1 then 'only boilerplate' else 'too short' end as status,
  coalesce(p.documents, 0) as documents, p.similarity as similarity, i.item as item
from {test_items} i left join {searched} s on s.item = i.item
left join (
  select doc_b, count(*) as documents, max(similarity) as similarity from {pairs} group by doc_b
) p on p.doc_b = i.item
order by i.item
"""

# Items by what was found of them in any document; each counts once, as the kind that differs least.
BENCHMARKS = f"""
select i.benchmark as benchmark, count(*) as items,
  count(case when i.status in ('clean', 'dirty') then 1 end) as searched,
  count(case when i.documents > 0 then 1 end) as found,
  {", ".join(f"count(case when f.{name} > 0 then 1 end) as {name}" for name in FIELDS)},
  {", ".join(f"count(case when f.kind = {n} then 1 end) as {name}" for n, name in enumerate(KINDS))},
  max(coalesce(d.documents, 0)) as documents
from {{items}} i
left join (
  select doc_b,
    {", ".join(f"max(case when fields like '%{f}%' then 1 else 0 end) as {f}" for f in FIELDS)},
    min(case kind {" ".join(f"when '{name}' then {n}" for n, name in enumerate(KINDS))} end) as kind
  from {{pairs}} group by doc_b
) f on f.doc_b = i.item
left join (
  select benchmark, count(distinct doc_a) as documents from {{pairs}} group by benchmark
) d on d.benchmark = i.benchmark
group by i.benchmark order by i.benchmark
"""

SOURCES = """
select source, benchmark, count(distinct doc_b) as items, count(distinct doc_a) as documents
from {pairs} group by source, benchmark order by source, benchmark
"""

BOILERPLATE = """
select r.text as text, r.items as items, i.id as item
from (
  select text, count(distinct item) as items, min(item) as first from {repeated} group by text
) r join {test_items} i on i.item = r.first
order by r.items desc, r.text
"""


def job(source: Source, settings: DecontaminateSettings, _: RunSettings, items: Items = NO_ITEMS) -> Job:
    """Plan `decontaminate`."""
    return Job(
        plan(settings, source.schema),
        source,
        settings.as_dict(),
        users_names(source.schema),
        {"test_items": items.items, "item_parts": items.parts},
        paired=("doc_a",),
    )
