"""`neardup.threads`: the Python twin of the command."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from neardup.api import opened_source, size_of, spark_settings
from neardup.clusters import ORDERS
from neardup.engines.base import Progress, Table
from neardup.engines.local import LocalEngine
from neardup.methods import threads as method
from neardup.methods.candidates import counters_size
from neardup.methods.units import extras
from neardup.plan import Plan
from neardup.readers.fields import with_fields, without_fields
from neardup.readers.records import KNOWN, ReaderSettings
from neardup.result import Result
from neardup.runs import run_into
from neardup.settings import Clustering, RunSettings, parse_size
from neardup.thread_settings import ThreadIndex, ThreadSettings

COUNTERS = 3  # times those of documents: more threads are then known to share nothing
BEST = ("score", "answers")  # of a dump of Stack Exchange


def threads(
    source: Any,
    *,
    output: str | Path | None = None,
    fields: str | Mapping[str, float] | None = None,
    signature: str | Iterable[str] | Mapping[str, str] | None = None,
    threshold: float | None = None,
    max_shared: int | None = None,
    index: ThreadIndex | None = None,
    clusters: Clustering | None = None,
    keep: str | None = None,
    max_postings: int | None = None,
    max_copies: int | None = None,
    id_column: str | None = None,
    columns: Iterable[str] = (),
    strict: bool = False,
    max_record: str | int = "256MB",
    workers: int | None = None,
    memory: str | int | None = None,
    keep_steps: bool = False,
    overwrite: bool = False,
    engine: Any = "local",
    master: str = "local[*]",
    conf: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Find near-duplicate threads: records of several texts, compared field by field.

    `source` is what `documents` takes, with a column for each of the `fields`: names with weights that
    sum to 1. Settings that are None have the default of `ThreadSettings`.

    >>> asked = {"title": "How do I boil an egg?", "answer": "Put it in boiling water for six minutes."}
    >>> again = {"title": "How do I boil an egg??", "answer": "Put it in boiling water for six minutes!"}
    >>> result = neardup.threads([asked, again], fields={"title": 0.5, "answer": 0.5})
    >>> result.pairs.select(["similarity", "title", "answer"]).to_pylist()
    [{'similarity': 1.0, 'title': 1.0, 'answer': 1.0}]
    """
    settings = ThreadSettings.make(
        fields,
        signature,
        threshold=threshold,
        max_shared=max_shared,
        index=index,
        clusters=clusters,
        keep=keep,
        max_postings=max_postings,
        max_copies=max_copies,
    )
    reader = ReaderSettings(
        id_column=id_column,
        columns=tuple(columns),
        strict=strict,
        max_record=parse_size(max_record),
    )
    spark = spark_settings(engine, master, conf)
    run = RunSettings.make(workers, memory, keep_steps, spark=spark)
    opened = opened_source(source, reader_for(settings, reader), spark)
    return run_threads(opened, settings, run, output, progress=progress, overwrite=overwrite)


def reader_for(settings: ThreadSettings, reader: ReaderSettings) -> ReaderSettings:
    """Return how the fields are read, with the columns by which keepers are chosen."""
    known = {*ORDERS, *KNOWN, *settings.fields}
    asked = [name.strip() for name in (settings.keep or "").split(",")]
    columns = (*reader.columns, *(name for name in asked if name and name not in known))
    return with_fields(replace(reader, columns=tuple(dict.fromkeys(columns))), settings.fields)


def run_threads(
    source: Any,
    settings: ThreadSettings,
    run: RunSettings,
    output: str | Path | None,
    *,
    progress: Progress | None = None,
    overwrite: bool = False,
) -> Result:
    """Run the method over a source that is open already."""
    settings = resolved(settings, source)
    carried = extras(without_fields(source.schema, settings.fields))
    rename = {f"extra_{i}": name for i, name in enumerate(carried)}
    rename |= {f"score_{i}": name for i, name in enumerate(settings.fields)}
    return run_into(
        output,
        threads_plan(source, settings, run),
        source,
        settings.as_dict(),
        run,
        progress=progress,
        overwrite=overwrite,
        rename=rename,
    )


def signed_threads(
    source: Any,
    settings: ThreadSettings,
    work: Path,
    run: RunSettings,
    progress: Progress | None = None,
) -> Mapping[str, Table]:
    """Return the table `units` of all threads; `words` and `boilerplate` if settings need them."""
    steps = tuple(method.unit_steps(settings, source.schema))
    wanted = ("words", "boilerplate", "units")
    outputs = tuple(step.name for step in steps if step.name in wanted)
    engine = LocalEngine(work, workers=run.workers, memory=run.memory, progress=progress)
    return engine.run(Plan("units", ("records",), steps, outputs), {"records": source}, {})


def resolved(settings: ThreadSettings, source: Any) -> ThreadSettings:
    """Return the settings with nothing left open: who is kept."""
    best = set(BEST) <= set(source.schema.names)
    return replace(settings, keep=settings.keep or (",".join((*BEST, "longest")) if best else "longest"))


def threads_plan(source: Any, settings: ThreadSettings, run: RunSettings) -> Plan:
    """Return the plan for a source that is open already."""
    counters = counters_size(run.summary_memory, COUNTERS * size_of(source))
    return method.plan(resolved(settings, source), source.schema, counters)
