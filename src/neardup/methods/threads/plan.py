"""threads: near-duplicate questions and answers, compared field by field.

After Wu, Zhang and Huang (2011): each field of a thread is a set of signatures, the similarity of two
threads is the weighted mean of the Jaccard similarities of their fields. `candidates` says how
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
from neardup.methods.threads.declared import TABLES
from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import (
    CountFieldWords,
    make_threads,
    sign_threads,
    signatures_of,
    size_names,
    units_schema,
)
from neardup.plan import Fold, Map, Plan, Step
from neardup.readers.fields import with_fields, without_fields
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.steps import clusters, copies, declared, facts, naming, rejected
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.clusters import columns_in
from neardup.steps.copies import Measured
from neardup.steps.counters import counters_size
from neardup.steps.naming import users_names
from neardup.steps.pair_kinds import kind_sql

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


def plan(
    settings: ThreadSettings, records: pa.Schema, counters: int = 1 << 20, against: Against = EVERYTHING
) -> Plan:
    """Return the plan for records of this schema; `counters` are the bytes of the table of counts."""
    rest = without_fields(records, settings.fields)
    carried = naming.carried_columns(rest)
    order = clusters.keeper_order(settings.keep or "longest", carried, against.is_given)
    measures = candidates.measures(settings)
    scores = ", ".join(f"e.{name} as {name}" for name in measures)
    steps: list[Step] = [
        *unit_steps(settings, records, counters),
        *copies.steps(more=size_names(settings), against=against),
        *naming.steps("units", "copies", rest, f", c.same_as as same_as{against.named('c.doc')}"),
        *clusters.dated(order),
        *candidates.steps(settings, counters, order, against),
        rejected.verified(measures),
        copies.pairs(
            f"{scores}, {kind_sql('e.copied = 1')} as kind",
            measured(settings),
            settings.max_copies,
            against=against,
        ),
        rejected.rejected(measures),
        *clusters.steps(order, settings.clusters, settings.threshold, ("p.similarity", "p.similarity")),
        facts.step(
            *facts.of_copies(settings.max_copies, against),
            *((declared.UNREAD_DATES,) if clusters.dated(order) else ()),
            *((declared.KEYS_TOO_COMMON, declared.CANDIDATES) if settings.index == "term" else ()),
            declared.CANDIDATES_VERIFIED,
            declared.PAIRS,
            *declared.OF_CLUSTERS,
            declared.CLUSTER_SIZES,
        ),
    ]
    return Plan("threads", ("records", "files"), tuple(steps), (*TABLES, "facts"), NOTES)


def unit_steps(settings: ThreadSettings, records: pa.Schema, counters: int) -> list[Step]:
    """Return the steps from `records` to `units`, by way of words and of boilerplate where needed."""
    schema = units_schema(settings, records)
    signatures = signatures_of(settings)
    make = partial(make_threads, settings, schema)
    sets = "sets" if settings.max_shared else "units"
    first: list[Step] = [Map(sets, "records", make, schema)]
    if any(signature.counts for signature in signatures):
        first = [
            Map("words", "records", make, schema),
            Fold("word_counts", "words", partial(CountFieldWords, signatures)),
            Map(sets, "words", partial(sign_threads, settings, schema), schema, sides=("word_counts",)),
        ]
    return first + (boilerplate.steps(settings, schema, counters) if settings.max_shared else [])


def measured(settings: ThreadSettings) -> dict[str, Measured]:
    """Return what is measured of a pair; a field that identical threads lack has no score."""
    scores = {
        f"score_{i}": Measured(f"v.score_{i}", f"case when x.size_{i} > 0 then cast(1 as double) end")
        for i in range(len(settings.fields))
    }
    similarity = Measured("v.similarity", similarity_of_copies(settings))
    return {"similarity": similarity, **scores, **copies.COPIED}


def similarity_of_copies(settings: ThreadSettings) -> str:
    """Return the SQL for the similarity of identical threads x and y: 1, or that of all they have."""
    if settings.scaled:
        return "cast(1 as double)"
    return " + ".join(
        f"case when x.size_{field} > 0 then cast({weight!r} as double) else cast(0 as double) end"
        for field, weight in enumerate(settings.weights)
    )


THREAD_COUNTERS = 3  # times those of documents: more threads are then known to share nothing
BEST_THREADS = ("score", "answers")  # of a dump of Stack Exchange


def job(
    source: Source, settings: ThreadSettings, run: RunSettings, against: Against = EVERYTHING
) -> Job:
    """Plan `threads`."""

    best = set(BEST_THREADS) <= set(source.schema.names)
    keep = settings.keep or ",".join((*(BEST_THREADS if best else ()), "longest"))
    settings = replace(settings, keep=keep)
    counters = counters_size(run.summary_memory, THREAD_COUNTERS * size_of(source))
    names = users_names(without_fields(source.schema, settings.fields), score=settings.fields)
    return Job(
        plan(settings, source.schema, counters, against),
        source,
        settings.as_dict(),
        names,
        against=against,
    )


def thread_reader(settings: ThreadSettings, reader: ReaderSettings) -> ReaderSettings:
    """Return how the fields of threads are read, with the columns by which keepers are chosen."""
    asked = [name for name in columns_in(settings.keep or "") if name not in settings.fields]
    columns = (*reader.columns, *asked)
    return with_fields(replace(reader, columns=tuple(dict.fromkeys(columns))), settings.fields)


def signed_threads(
    source: Source,
    settings: ThreadSettings,
    work: Path,
    run: RunSettings,
    progress: Progress | None = None,
) -> Mapping[str, Table]:
    """Return the table `units` of all threads; others if settings need them."""
    counters = counters_size(run.summary_memory, THREAD_COUNTERS * size_of(source))
    steps = tuple(unit_steps(settings, source.schema, counters))
    outputs = tuple(s.name for s in steps if s.name in ("words", "boilerplate", "units"))
    engine = LocalEngine(work, run, progress)
    return engine.run(Plan("units", ("records",), steps, outputs), {"records": source}, {})
