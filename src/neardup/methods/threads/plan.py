"""threads: near-duplicate questions and answers, compared field by field.

After Wu, Zhang and Huang (2011): each field of a thread is a set of signatures, the similarity of two
threads is the weighted mean of the Jaccard similarities of their fields. `thread_candidates` says how
pairs are found; every one of them is scored on its whole sets.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa

from neardup.engines.base import Progress, Table
from neardup.engines.local.engine import LocalEngine
from neardup.methods.threads import boilerplate, candidates
from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import (
    CountFieldWords,
    MakeThreads,
    SignThreads,
    signatures_of,
    size_names,
    units_schema,
)
from neardup.plan import Fold, Map, Plan, Sql, Step
from neardup.readers.fields import with_fields, without_fields
from neardup.readers.records import KNOWN, ReaderSettings
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.steps import clusters, naming, rejected
from neardup.steps.clusters import ORDERS
from neardup.steps.columns import extras
from neardup.steps.copies import identical_pairs
from neardup.steps.counters import counters_size
from neardup.steps.naming import named

NOTES = {
    "units": "a set of signatures for each field of each thread; a problem is a row too",
    "sets": "as units, before boilerplate is taken out",
    "rough_counts": "how many threads have a signature, roughly and never too low",
    "suspects": "the signatures that may be boilerplate, once a thread",
    "boilerplate": "the signatures that more threads have than max_shared",
    "word_counts": "how common each word is, for signatures that must know",
    "copies": "threads with the same sets in all fields are compared with others only once",
    "counts": "how many threads have a signature, roughly: gives the order, rarest first",
    "keys": "what threads must share to become candidates",
    "shared": "term: the pairs of each posting list, if their sizes allow the threshold",
    "blocked": "doc: each block of threads with itself and with every later one",
    "compared": "the similarity of each field, and their weighted mean",
    "verified": "the pairs that reach the threshold",
    "rejected": "those that miss it by least, to choose another threshold by",
    "facts": "what was read, skipped and capped",
}


def plan(settings: ThreadSettings, records: pa.Schema, counters: int = 1 << 20) -> Plan:
    """Return the plan for records of this schema; `counters` are the bytes of the table of counts."""
    rest = without_fields(records, settings.fields)
    order = clusters.keeper_order(settings.keep or "longest", naming.carried_columns(rest))
    most = str(settings.max_copies)
    measures = candidates.measures(settings)
    counted = ("shared", "candidates") if settings.index == "term" else ()
    steps: list[Step] = [
        *unit_steps(settings, records, counters),
        naming.parts("units"),
        Sql("copies", ("units", "input_parts"), copies_sql(settings), keep=True),
        Sql("firsts", ("copies",), "select doc from {copies} where doc = first order by doc"),
        *candidates.steps(settings, counters),
        rejected.verified(measures),
        *naming.steps("units", "copies", rest, ", c.same_as as same_as"),
        Sql("expanded", ("verified", "copies"), expanded_sql(settings)),
        Sql("pairs", ("expanded", "documents"), pairs_sql(settings)),
        rejected.rejected(measures),
        *clusters.steps(order, settings.clusters, settings.threshold, ("p.similarity", "p.similarity")),
        Sql(
            "facts",
            ("named", "copies", *counted, "verified", "pairs", "clusters"),
            (FACTS + (TERM_FACTS if counted else DOC_FACTS)).replace("MOST", most),
        ),
    ]
    outputs = ("documents", "pairs", "rejected", "clusters", "skipped", "facts")
    return Plan("threads", ("records", "files"), tuple(steps), outputs, NOTES)


def unit_steps(settings: ThreadSettings, records: pa.Schema, counters: int) -> list[Step]:
    """Return the steps from `records` to `units`, by way of words and of boilerplate where needed."""
    schema = units_schema(settings, records)
    signatures = signatures_of(settings)
    make = MakeThreads(settings, schema)
    sets = "sets" if settings.max_shared else "units"
    first: list[Step] = [Map(sets, "records", make, schema)]
    if any(signature.counts for signature in signatures):
        first = [
            Map("words", "records", make, schema),
            Fold("word_counts", "words", partial(CountFieldWords, signatures)),
            Map(sets, "words", SignThreads(settings, schema), schema, sides=("word_counts",)),
        ]
    return first + (boilerplate.steps(settings, schema, counters) if settings.max_shared else [])


def copies_sql(settings: ThreadSettings) -> str:
    """Return the SQL for threads with their numbers, each with the first that has the same sets."""
    sizes = "".join(f", u.{name} as {name}" for name in size_names(settings))
    own = "".join(f", {name}" for name in size_names(settings))
    numbers = naming.numbered("units", ", u.digest as digest" + sizes)
    return f"""
select doc, number, size{own},
  min(doc) over (partition by digest, size) as first,
  min(number) over (partition by digest, size) as same_as,
  row_number() over (partition by digest, size order by doc) as rank
from ({numbers}) u
"""


def expanded_sql(settings: ThreadSettings) -> str:
    """Return the SQL for the pairs of all threads.

    Identical threads resemble all others alike; of very many, each is paired with the first only.
    """
    fields = range(len(settings.fields))
    scores = "".join(f", v.score_{i} as score_{i}" for i in fields)
    same = "".join(f", case when x.size_{i} > 0 then cast(1 as double) end as score_{i}" for i in fields)
    identical = identical_pairs(f"x.number as x, y.number as y, cast(1 as double) as similarity{same}")
    return f"""
select x.number as x, y.number as y, v.similarity as similarity{scores}
from {{verified}} v join {{copies}} x on x.first = v.a join {{copies}} y on y.first = v.b
where x.rank <= MOST and y.rank <= MOST
union all {identical}""".replace("MOST", str(settings.max_copies))


def pairs_sql(settings: ThreadSettings) -> str:
    """Return the SQL for the pairs that users get."""
    scores = "".join(f", e.score_{i} as score_{i}" for i in range(len(settings.fields)))
    return f"""
select a.id as id_a, b.id as id_b, e.similarity as similarity{scores},
  case when e.similarity = 1 then 'identical' else 'near-duplicate' end as kind,
  a.doc as doc_a, b.doc as doc_b
from {{expanded}} e
join {{documents}} a on a.doc = least(e.x, e.y) join {{documents}} b on b.doc = greatest(e.x, e.y)
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
union all select 'candidates verified', count(*) from {verified}
union all select 'pairs', count(*) from {pairs}
union all select 'clusters', count(distinct cluster) from {clusters}
union all select 'duplicates', count(*) - count(distinct cluster) from {clusters}
union all select 'members that do not resemble their keeper', count(*) from {clusters}
  where similarity is null
"""

TERM_FACTS = """
union all select 'shingles too common to pair all', count(*) from {shared} where a = b
union all select 'candidates', count(*) from {candidates}
order by 1
"""

DOC_FACTS = "order by 1"
THREAD_COUNTERS = 3  # times those of documents: more threads are then known to share nothing
BEST_THREADS = ("score", "answers")  # of a dump of Stack Exchange


def job(source: Source, settings: ThreadSettings, run: RunSettings) -> Job:
    """Plan `threads`."""
    from neardup.kernels.threads import field_sets, field_words

    best = set(BEST_THREADS) <= set(source.schema.names)
    keep = settings.keep or ",".join((*(BEST_THREADS if best else ()), "longest"))
    settings = replace(settings, keep=keep)
    counters = counters_size(run.summary_memory, THREAD_COUNTERS * size_of(source))
    names = named(extras(without_fields(source.schema, settings.fields)))
    names |= named(settings.fields, "score")
    return Job(
        plan(settings, source.schema, counters),
        source,
        settings.as_dict(),
        names,
        kernels=(field_sets, field_words),
    )


def thread_reader(settings: ThreadSettings, reader: ReaderSettings) -> ReaderSettings:
    """Return how the fields of threads are read, with the columns by which keepers are chosen."""
    known = {*ORDERS, *KNOWN, *settings.fields}
    asked = [name.strip() for name in (settings.keep or "").split(",")]
    columns = (*reader.columns, *(name for name in asked if name and name not in known))
    return with_fields(replace(reader, columns=tuple(dict.fromkeys(columns))), settings.fields)


def signed_threads(
    source: Source,
    settings: ThreadSettings,
    work: Path,
    run: RunSettings,
    progress: Progress | None = None,
) -> Mapping[str, Table]:
    """Return the table `units` of all threads; `words` and `boilerplate` if settings need them."""
    counters = counters_size(run.summary_memory, THREAD_COUNTERS * size_of(source))
    steps = tuple(unit_steps(settings, source.schema, counters))
    wanted = ("words", "boilerplate", "units")
    outputs = tuple(step.name for step in steps if step.name in wanted)
    engine = LocalEngine(work, workers=run.workers, memory=run.memory, progress=progress)
    return engine.run(Plan("units", ("records",), steps, outputs), {"records": source}, {})
