"""The Python twin of `neardup pages`."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from neardup.api import opened_source, size_of, spark_settings
from neardup.engines.base import Progress
from neardup.methods import pages as method
from neardup.methods.units import extras
from neardup.plan import Plan
from neardup.readers.records import ReaderSettings
from neardup.result import Result
from neardup.runs import run_into
from neardup.settings import Clustering, PageMeasure, PageSettings, RunSettings, parse_size


def pages(
    source: Any,
    *,
    output: str | Path | None = None,
    measure: PageMeasure = "tlcs",
    resemblance: float = 0.28,
    containment: float = 0.7,
    slope: float = 0.1,
    rounds: int = 8,
    window: int = 16,
    limit: int = 10_000,
    subsets: int = 7,
    turns: int = 16,
    chosen: int = 2,
    shortest: int = 16,
    site_pages: int = 3,
    max_pages: int = 10_000,
    max_site_pages: int = 400,
    cosine: float = 0.95,
    bits: int = 64,
    distance: int = 5,
    max_list: int = 100,
    max_copies: int = 1_000,
    clusters: Clustering = "star",
    keep: str = "longest",
    text_column: str | None = None,
    id_column: str | None = None,
    columns: Iterable[str] = (),
    raw: bool = False,
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
    """Find near-duplicate web pages, whatever the templates of their sites, and where they match.

    `source` is what `documents` takes; a column `html` is reduced to its text, a column `url` gives the
    site. The settings are those of `PageSettings`.

    >>> story = "The ferry to the islands stays in harbour because of the storm. " * 3
    >>> result = neardup.pages([{"text": "Home News Sport. " + story, "url": "https://a.example/1"},
    ...                         {"text": story + "All rights reserved.", "url": "https://b.example/2"}])
    >>> result.pairs["same_site"].to_pylist()
    [False]
    """
    settings = PageSettings(
        measure=measure,
        resemblance=resemblance,
        containment=containment,
        slope=slope,
        rounds=rounds,
        window=window,
        limit=limit,
        subsets=subsets,
        turns=turns,
        chosen=chosen,
        shortest=shortest,
        site_pages=site_pages,
        max_pages=max_pages,
        max_site_pages=max_site_pages,
        cosine=cosine,
        bits=bits,
        distance=distance,
        max_list=max_list,
        max_copies=max_copies,
        clusters=clusters,
        keep=keep,
    )
    reader = ReaderSettings(
        text_column=text_column,
        id_column=id_column,
        columns=tuple(columns),
        raw=raw,
        strict=strict,
        max_record=parse_size(max_record),
    )
    spark = spark_settings(engine, master, conf)
    run = RunSettings.make(workers, memory, keep_steps, spark=spark)
    opened = opened_source(source, reader, spark)
    return run_pages(opened, settings, run, output, progress=progress, overwrite=overwrite)


def run_pages(
    source: Any,
    settings: PageSettings,
    run: RunSettings,
    output: str | Path | None,
    *,
    progress: Progress | None = None,
    overwrite: bool = False,
) -> Result:
    """Run the method over a source that is open already."""
    rename = {f"extra_{i}": name for i, name in enumerate(extras(source.schema))}
    return run_into(
        output,
        pages_plan(source, settings),
        source,
        settings.as_dict(),
        run,
        progress=progress,
        overwrite=overwrite,
        rename=rename,
    )


def pages_plan(source: Any, settings: PageSettings) -> Plan:
    """Return the plan for a source that is open already."""
    return method.plan(settings, source.schema, size_of(source) // method.PAGE_BYTES + 1)
