"""Jobs: what each method does with a source that is open already, planned and ready to run."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from neardup.clusters import ORDERS
from neardup.engines.base import Progress, Table
from neardup.engines.local import LocalEngine
from neardup.errors import InputError
from neardup.methods import documents, pages, passages, sentences, threads
from neardup.methods.candidates import counters_size
from neardup.methods.units import extras
from neardup.page_settings import PageSettings
from neardup.plan import Plan
from neardup.readers.fields import with_fields, without_fields
from neardup.readers.records import KNOWN, ReaderSettings
from neardup.readers.source import Source
from neardup.runs import Job
from neardup.sentence_settings import SentenceSettings
from neardup.settings import (
    DocumentSettings,
    PassageSettings,
    RunSettings,
)
from neardup.thread_settings import ThreadSettings

THREAD_COUNTERS = 3  # times those of documents: more threads are then known to share nothing
BEST_THREADS = ("score", "answers")  # of a dump of Stack Exchange


def documents_job(source: Source, settings: DocumentSettings, run: RunSettings) -> Job:
    """Plan `documents`."""
    plan = documents.plan(settings, source.schema, counters_size(run.summary_memory, size_of(source)))
    return Job(plan, source, settings.as_dict(), named(extras(source.schema)))


def passages_job(
    source: Source,
    settings: PassageSettings,
    run: RunSettings,
    boundary: int | None = None,
    listed: pa.Table | None = None,
) -> Job:
    """Plan `passages`: of documents before the `boundary` with those after it, of the listed pairs."""
    size = size_of(source)
    settings = passages.resolved(settings, size)
    task = passages.Task(counters_size(run.summary_memory, size), boundary, listed is not None)
    return Job(
        passages.plan(settings, source.schema, task),
        source,
        settings.as_dict(),
        named(extras(source.schema)),
        {} if listed is None else {"listed": listed},
        check_listed,
    )


def check_listed(counts: Mapping[str, int]) -> None:
    """Refuse a result for pairs of which none is known."""
    listed = counts.get("listed pairs", 0)
    if listed and counts["listed pairs not found"] == listed:
        raise InputError(
            f"none of the {listed:,} listed pairs names two documents",
            hint="Write two ids or file names a line, as documents are called in the input.",
        )


def sentences_job(source: Source, settings: SentenceSettings, run: RunSettings) -> Job:
    """Plan `sentences`."""
    settings = sentences.resolved(settings, source)
    counters = counters_size(run.summary_memory, sentences.RUNS_A_SHINGLE * size_of(source))
    names = named(extras(source.schema)) | {"start_at": "start", "end_at": "end"}
    return Job(sentences.plan(settings, source.schema, counters), source, settings.as_dict(), names)


def pages_job(source: Source, settings: PageSettings, run: RunSettings) -> Job:
    """Plan `pages`."""
    del run  # its memory does not change the plan
    plan = pages.plan(settings, source.schema, size_of(source) // pages.PAGE_BYTES + 1)
    return Job(plan, source, settings.as_dict(), named(extras(source.schema)))


def threads_job(source: Source, settings: ThreadSettings, run: RunSettings) -> Job:
    """Plan `threads`."""
    best = set(BEST_THREADS) <= set(source.schema.names)
    keep = settings.keep or ",".join((*(BEST_THREADS if best else ()), "longest"))
    settings = replace(settings, keep=keep)
    counters = counters_size(run.summary_memory, THREAD_COUNTERS * size_of(source))
    names = named(extras(without_fields(source.schema, settings.fields)))
    names |= named(settings.fields, "score")
    return Job(threads.plan(settings, source.schema, counters), source, settings.as_dict(), names)


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
    steps = tuple(threads.unit_steps(settings, source.schema, counters))
    wanted = ("words", "boilerplate", "units")
    outputs = tuple(step.name for step in steps if step.name in wanted)
    engine = LocalEngine(work, workers=run.workers, memory=run.memory, progress=progress)
    return engine.run(Plan("units", ("records",), steps, outputs), {"records": source}, {})


def named(columns: Iterable[str], prefix: str = "extra") -> dict[str, str]:
    """Return the users' names of numbered columns."""
    return {f"{prefix}_{i}": name for i, name in enumerate(columns)}


def size_of(source: Source) -> int:
    """Return the bytes of a source, as far as they are known."""
    return sum(split.size for split in source.splits())
