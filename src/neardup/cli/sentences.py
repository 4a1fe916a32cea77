"""`neardup sentences`."""

from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    Clustering,
    Columns,
    Conf,
    Engine,
    EngineName,
    ExplainPlan,
    IdColumn,
    Inputs,
    Json,
    KeepSteps,
    Master,
    MaxRecord,
    Memory,
    Output,
    Overwrite,
    Preset,
    Quiet,
    Raw,
    SentenceCandidates,
    Split,
    StopAfter,
    Strict,
    TextColumn,
    Workers,
    frugal,
    interruptible,
    needed_output,
    progress_for,
    reader_settings,
    spark_options,
)

if TYPE_CHECKING:
    from neardup.result import Result


@app.command()
def sentences(
    inputs: Inputs,
    output: Output = None,
    max_distance: Annotated[
        float | None,
        typer.Option(help="The highest normalised edit distance of a pair.  [default: 0.25]"),
    ] = None,
    preset: Annotated[
        Preset | None, typer.Option(help="The paper's settings, for recall or for precision.")
    ] = None,
    min_length: Annotated[
        int | None, typer.Option(help="Characters of the shortest sentence.  [default: 20]")
    ] = None,
    max_length: Annotated[
        int | None, typer.Option(help="Characters of the longest.  [default: 1000]")
    ] = None,
    split: Annotated[
        Split | None,
        typer.Option(
            help="Compare sentences, or whole records.  [default: auto: records, if most are one "
            "sentence]"
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(help="The language for splitting, such as en or zh.  [default: auto]"),
    ] = None,
    candidates: Annotated[
        SentenceCandidates | None,
        typer.Option(
            help="What is compared: those that share rare runs of words, or a signature of the paper. "
            " [default: rare]"
        ),
    ] = None,
    keys: Annotated[
        int | None, typer.Option(help="rare: runs of words taken of a sentence.  [default: 12]")
    ] = None,
    shingle: Annotated[
        int | None, typer.Option(help="minhash: characters of a shingle (L).  [default: 10]")
    ] = None,
    signatures: Annotated[
        int | None, typer.Option(help="minhash: signatures of a sentence (N).  [default: 10]")
    ] = None,
    rows: Annotated[
        int | None, typer.Option(help="minhash: hashes in a signature (K).  [default: 8]")
    ] = None,
    hash_bits: Annotated[
        int | None, typer.Option(help="minhash: bits of a hash.  [default: 32]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="minhash: another family of functions.  [default: 1]")
    ] = None,
    max_bucket: Annotated[
        int | None,
        typer.Option(help="Sentences of one bucket that are all compared.  [default: 100]"),
    ] = None,
    max_copies: Annotated[
        int | None,
        typer.Option(help="Identical sentences that are listed pair by pair.  [default: 20]"),
    ] = None,
    clusters: Annotated[
        Clustering | None,
        typer.Option(help="Around one keeper, or everything that is connected.  [default: star]"),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="A folder for pairs.csv, drift.csv and articles.csv.")
    ] = None,
    revisions: Annotated[
        bool, typer.Option("--revisions", help="Wikis: compare revisions of a page with each other.")
    ] = False,
    namespaces: Annotated[
        str, typer.Option(help="Wikis: numbers of the namespaces to read, with commas; or all.")
    ] = "0",
    redirects: Annotated[bool, typer.Option("--redirects", help="Wikis: read redirects too.")] = False,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    columns: Columns = "",
    raw: Raw = False,
    strict: Strict = False,
    max_record: MaxRecord = "256MB",
    workers: Workers = None,
    memory: Memory = None,
    engine: EngineName = Engine.local,
    master: Master = "local[*]",
    conf: Conf = None,
    overwrite: Overwrite = False,
    keep_steps: KeepSteps = False,
    stop_after: StopAfter = None,
    explain_plan: ExplainPlan = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find similar sentences, what differs in them, and the kind of change."""
    from neardup.api import opened_files, run_sentences, sentences_plan
    from neardup.settings import RunSettings, SentenceSettings

    settings = SentenceSettings.make(
        preset.value if preset else None,
        max_distance=max_distance,
        min_length=min_length,
        max_length=max_length,
        split=split.value if split else None,
        language=language,
        candidates=candidates.value if candidates else None,
        keys=keys,
        shingle=shingle,
        signatures=signatures,
        rows=rows,
        hash_bits=hash_bits,
        seed=seed,
        max_bucket=max_bucket,
        max_copies=max_copies,
        clusters=clusters.value if clusters else None,
        revisions=revisions,
    )
    spark = spark_options(engine, master, conf)
    run = RunSettings.make(workers, memory, keep_steps, stop_after, spark)
    reader = reader_settings(text_column, id_column, columns, raw, strict, max_record)
    reader = replace(reader, namespaces=namespaces, redirects=redirects, revisions=revisions)
    source = opened_files(inputs, reader, spark)
    if explain_plan:
        typer.echo("\n".join(sentences_plan(source, settings, run).explain()))
        return
    folder = needed_output(output)
    with interruptible(), frugal(run.memory):
        result = run_sentences(
            source,
            settings,
            run,
            folder,
            progress=progress_for(quiet or as_json),
            overwrite=overwrite,
        )
    report(result, csv, quiet, as_json)


def report(result: "Result", csv: Path | None, quiet: bool, as_json: bool) -> None:
    """Print what a run found."""
    from neardup.console import OUT
    from neardup.sentence_tables import write_csv
    from neardup.sentence_views import expected_recall, show_sentences_summary

    if csv:
        write_csv(result, csv)
    if as_json:
        recall = expected_recall(result.counts)
        OUT.print_json(data={"output": str(result.folder), "expected_recall": recall, **result.run})
    elif not quiet:
        show_sentences_summary(result)
        folder = quote(str(result.folder))
        OUT.print(f"\nResult in {result.folder}; look at it with:", markup=False)
        OUT.print(f"  neardup show {folder}", markup=False)
        if result.counts.get("pairs: factual drift"):
            OUT.print(f"  neardup show {folder} --kind 'factual drift'", markup=False)
        OUT.print(f"  neardup show {folder} --csv FOLDER", markup=False)
