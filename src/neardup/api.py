"""The commands' Python twins: one function a method, with the same words and defaults."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.engines.base import Progress
from neardup.errors import InputError, SettingsError
from neardup.methods import documents as documents_method
from neardup.methods import passages as passages_method
from neardup.methods import sentences as sentences_method
from neardup.methods.candidates import counters_size
from neardup.methods.units import extras
from neardup.plan import Plan
from neardup.readers.listed import listed_pairs
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, open_both, open_source, paths_in
from neardup.result import Result
from neardup.runs import run_into
from neardup.settings import (
    Candidates,
    Clustering,
    DocumentSettings,
    Measure,
    PassageSettings,
    RunSettings,
    SentenceCandidates,
    SentenceSettings,
    SparkSettings,
    Split,
    parse_size,
)


def documents(
    source: Any,
    *,
    output: str | Path | None = None,
    threshold: float = 0.7,
    measure: Measure = "resemblance",
    candidates: Candidates = "exact",
    shingle: str = "word:5",
    clusters: Clustering = "star",
    keep: str = "longest",
    sample: int = 16,
    bands: int = 14,
    rows: int = 8,
    max_postings: int = 10_000,
    max_copies: int = 1_000,
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
    """Find near-duplicate documents, verify them, and group them into clusters.

    `source` is a path or pattern, a list of `Path`s, or data: a list of strings or dicts, a pandas or
    Polars DataFrame, or anything of Arrow. Without `output` the result lives as long as the object.
    `engine` is "local", "spark" (at a `master`, with Spark's own settings in `conf`), or a session of
    Spark's; then `source` may be a DataFrame, and the result's tables are DataFrames.

    >>> result = neardup.documents(["To be or not to be, that is the question.",
    ...                             "To be, or not to be: that is the question!"])
    >>> result.pairs["similarity"].to_pylist()
    [1.0]
    """
    settings = DocumentSettings(
        threshold=threshold,
        measure=measure,
        shingle=shingle,
        candidates=candidates,
        sample=sample,
        bands=bands,
        rows=rows,
        max_postings=max_postings,
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
    return run_documents(opened, settings, run, output, progress=progress, overwrite=overwrite)


def run_documents(
    source: Any,
    settings: DocumentSettings,
    run: RunSettings,
    output: str | Path | None,
    *,
    progress: Progress | None = None,
    overwrite: bool = False,
) -> Result:
    """Run the method over a source that is open already."""
    size = sum(split.size for split in source.splits())
    plan = documents_method.plan(settings, source.schema, counters_size(run.summary_memory, size))
    rename = {f"extra_{i}": name for i, name in enumerate(extras(source.schema))}
    return run_into(
        output,
        plan,
        source,
        settings.as_dict(),
        run,
        progress=progress,
        overwrite=overwrite,
        rename=rename,
    )


def passages(
    source: Any,
    *,
    against: Any = None,
    pairs: Any = None,
    output: str | Path | None = None,
    signature: str = "auto",
    min_length: int = 150,
    min_sentences: int | None = None,
    max_gap: int | None = None,
    soft: bool | None = None,
    within: bool = False,
    max_documents: int = 100,
    threshold: float = 0.9,
    idf_low: float = 0.1,
    idf_high: float = 1.0,
    antecedents: int | None = None,
    spot_distance: int = 1,
    spot_chain: int = 2,
    language: str = "auto",
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
    """Find the passages that documents share, and locate them in both.

    `source` is what `documents` takes. With `against`, its documents are compared with those only; with
    `pairs`, a file or a list of pairs of ids, just these are compared.
    """
    settings = PassageSettings(
        signature=signature,
        min_length=min_length,
        min_sentences=min_sentences,
        max_gap=max_gap,
        soft=soft,
        within=within,
        max_documents=max_documents,
        threshold=threshold,
        idf_low=idf_low,
        idf_high=idf_high,
        antecedents=antecedents,
        spot_distance=spot_distance,
        spot_chain=spot_chain,
        language=language,
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
    boundary = None
    if against is None:
        opened = opened_source(source, reader, spark)
    else:
        opened, boundary = open_both(source, against, reader)
    return run_passages(
        opened,
        settings,
        run,
        output,
        boundary=boundary,
        listed=None if pairs is None else listed_pairs(pairs),
        progress=progress,
        overwrite=overwrite,
    )


def run_passages(
    source: Any,
    settings: PassageSettings,
    run: RunSettings,
    output: str | Path | None,
    *,
    boundary: int | None = None,
    listed: pa.Table | None = None,
    progress: Progress | None = None,
    overwrite: bool = False,
) -> Result:
    """Run the method over a source that is open already."""
    settings = passages_method.resolved(settings, size_of(source))
    plan = passages_plan(source, settings, run, boundary, listed)
    rename = {f"extra_{i}": name for i, name in enumerate(extras(source.schema))}
    return run_into(
        output,
        plan,
        source,
        settings.as_dict(),
        run,
        progress=progress,
        overwrite=overwrite,
        rename=rename,
        tables=None if listed is None else {"listed": listed},
        check=check_listed,
    )


def check_listed(counts: Mapping[str, int]) -> None:
    """Refuse a result for pairs of which none is known."""
    listed = counts.get("listed pairs", 0)
    if listed and counts["listed pairs not found"] == listed:
        raise InputError(
            f"none of the {listed:,} listed pairs names two documents",
            hint="Write two ids or file names a line, as documents are called in the input.",
        )


def passages_plan(
    source: Any,
    settings: PassageSettings,
    run: RunSettings,
    boundary: int | None,
    listed: pa.Table | None,
) -> Plan:
    """Return the plan for a source that is open already."""
    size = size_of(source)
    task = passages_method.Task(counters_size(run.summary_memory, size), boundary, listed is not None)
    return passages_method.plan(passages_method.resolved(settings, size), source.schema, task)


def size_of(source: Any) -> int:
    """Return the bytes of a source, as far as they are known."""
    return sum(split.size for split in source.splits())


def sentences(
    source: Any,
    *,
    output: str | Path | None = None,
    preset: str | None = None,
    max_distance: float | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    split: Split | None = None,
    language: str | None = None,
    candidates: SentenceCandidates | None = None,
    keys: int | None = None,
    shingle: int | None = None,
    signatures: int | None = None,
    rows: int | None = None,
    hash_bits: int | None = None,
    seed: int | None = None,
    max_bucket: int | None = None,
    max_copies: int | None = None,
    clusters: Clustering | None = None,
    revisions: bool = False,
    namespaces: str = "0",
    redirects: bool = False,
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
    """Find similar sentences, what differs in them, and the kind of change.

    `source` is what `documents` takes; settings that are None have the preset's value, or the default
    of `SentenceSettings`.

    >>> result = neardup.sentences(["The bridge was opened in 1874 by the mayor of the town.",
    ...                             "The bridge was opened in 1878 by the mayor of the town."])
    >>> result.pairs["kind"].to_pylist()
    ['factual drift']
    """
    settings = SentenceSettings.make(
        preset,
        max_distance=max_distance,
        min_length=min_length,
        max_length=max_length,
        split=split,
        language=language,
        candidates=candidates,
        keys=keys,
        shingle=shingle,
        signatures=signatures,
        rows=rows,
        hash_bits=hash_bits,
        seed=seed,
        max_bucket=max_bucket,
        max_copies=max_copies,
        clusters=clusters,
        revisions=revisions,
    )
    reader = ReaderSettings(
        text_column=text_column,
        id_column=id_column,
        columns=tuple(columns),
        raw=raw,
        strict=strict,
        max_record=parse_size(max_record),
        namespaces=namespaces,
        redirects=redirects,
        revisions=revisions,
    )
    spark = spark_settings(engine, master, conf)
    run = RunSettings.make(workers, memory, keep_steps, spark=spark)
    opened = opened_source(source, reader, spark)
    return run_sentences(opened, settings, run, output, progress=progress, overwrite=overwrite)


def run_sentences(
    source: Any,
    settings: SentenceSettings,
    run: RunSettings,
    output: str | Path | None,
    *,
    progress: Progress | None = None,
    overwrite: bool = False,
) -> Result:
    """Run the method over a source that is open already."""
    settings = sentences_method.resolved(settings, source)
    plan = sentences_plan(source, settings, run)
    rename = {f"extra_{i}": name for i, name in enumerate(extras(source.schema))}
    return run_into(
        output,
        plan,
        source,
        settings.as_dict(),
        run,
        progress=progress,
        overwrite=overwrite,
        rename=rename | {"start_at": "start", "end_at": "end"},
    )


def sentences_plan(source: Any, settings: SentenceSettings, run: RunSettings) -> Plan:
    """Return the plan for a source that is open already; nothing is open in the settings."""
    counters = counters_size(run.summary_memory, sentences_method.RUNS_A_SHINGLE * size_of(source))
    return sentences_method.plan(settings, source.schema, counters)


def spark_settings(
    engine: Any, master: str = "local[*]", conf: Mapping[str, str] | None = None
) -> SparkSettings | None:
    """Return how Spark is to be used, None for the local engine."""
    if engine == "local":
        return None
    if engine == "spark":
        return SparkSettings(master, tuple((conf or {}).items()))
    if type(engine).__name__ == "SparkSession":
        return SparkSettings(session=engine)
    raise SettingsError(
        f"there is no engine {engine!r}", hint='Take "local", "spark" or a SparkSession.'
    )


def opened_source(source: Any, reader: ReaderSettings, spark: SparkSettings | None) -> Any:
    """Open a source; a DataFrame of Spark's only for Spark."""
    if paths := paths_in(source):
        return opened_files(paths, reader, spark)
    if not type(source).__module__.startswith("pyspark."):
        return open_source(source, reader)
    if spark is None:
        hint = "Give its session, too: engine=df.sparkSession."
        raise InputError("a DataFrame of Spark's is for Spark's engine", hint=hint)
    from neardup.spark.frames import FrameSource

    return FrameSource(source, reader)


def opened_files(
    inputs: Sequence[str | Path], reader: ReaderSettings, spark: SparkSettings | None
) -> Any:
    """Open files; by Spark's own readers where only Spark can reach them."""
    if spark is not None:
        from neardup.spark.remote import only_spark_reaches, open_remote

        if only_spark_reaches(inputs):
            return open_remote(inputs, reader, spark)
    return FileSource.open(inputs, reader)
