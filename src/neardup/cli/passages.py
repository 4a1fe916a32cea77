"""`neardup passages`."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
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
    Quiet,
    Raw,
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
def passages(
    inputs: Inputs,
    output: Output = None,
    against: Annotated[
        list[str] | None,
        typer.Option(help="Compare the input with these sources only; may be given several times."),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(help="Compare just the pairs of this file: two ids or file names a line."),
    ] = None,
    signature: Annotated[
        str,
        typer.Option(
            help="What proposes a match: winnowing:N,W (runs of N words, one in W kept), or of "
            "sentences imatch, shingles:N or spotsigs. auto is winnowing by the size of the input."
        ),
    ] = "auto",
    min_length: Annotated[int, typer.Option(help="winnowing: characters of a passage.")] = 150,
    min_sentences: Annotated[
        int | None, typer.Option(help="Sentences of a passage.  [default: 3; winnowing: 1]")
    ] = None,
    max_gap: Annotated[
        int | None,
        typer.Option(help="Changed sentences inside a passage.  [default: 1; winnowing: 4]"),
    ] = None,
    soft: Annotated[
        bool | None,
        typer.Option(
            "--soft/--verbatim",
            help="winnowing: find rewritten passages too.  [default: if the input is up to 64 MB]",
        ),
    ] = None,
    within: Annotated[
        bool, typer.Option("--within", help="Find what is repeated inside a document too.")
    ] = False,
    max_documents: Annotated[
        int, typer.Option(help="What more documents than this share is boilerplate, shown once.")
    ] = 100,
    threshold: Annotated[
        float, typer.Option(help="shingles, spotsigs: Jaccard similarity of two sentences.")
    ] = 0.9,
    idf_low: Annotated[float, typer.Option(help="imatch: the least normalised idf of a word.")] = 0.1,
    idf_high: Annotated[float, typer.Option(help="imatch: the highest one.")] = 1.0,
    antecedents: Annotated[
        int | None,
        typer.Option(help="spotsigs: so many frequent words.  [default: 60 % of the text]"),
    ] = None,
    spot_distance: Annotated[int, typer.Option(help="spotsigs: distance of chained words.")] = 1,
    spot_chain: Annotated[int, typer.Option(help="spotsigs: words in a chain.")] = 2,
    language: Annotated[
        str,
        typer.Option(help="The language for splitting sentences, such as en or zh; auto detects it."),
    ] = "auto",
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
    """Find passages that documents share, and locate them to the character."""
    from neardup.api import opened_files, passages_plan, run_passages
    from neardup.readers.listed import listed_pairs
    from neardup.readers.source import FileSource
    from neardup.settings import PassageSettings, RunSettings

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
    spark = spark_options(engine, master, conf)
    run = RunSettings.make(workers, memory, keep_steps, stop_after, spark)
    reader = reader_settings(text_column, id_column, columns, raw, strict, max_record)
    boundary = None
    if against:
        source, boundary = FileSource.open_both(inputs, against, reader)
    else:
        source = opened_files(inputs, reader, spark)
    listed = listed_pairs(pairs) if pairs else None
    if explain_plan:
        plan = passages_plan(source, settings, run, boundary, listed)
        typer.echo("\n".join(plan.explain()))
        return
    folder = needed_output(output)
    with interruptible(), frugal(run.memory):
        result = run_passages(
            source,
            settings,
            run,
            folder,
            boundary=boundary,
            listed=listed,
            progress=progress_for(quiet or as_json),
            overwrite=overwrite,
        )
    report(result, quiet, as_json)


def report(result: "Result", quiet: bool, as_json: bool) -> None:
    """Print what a run found."""
    from neardup.console import OUT, show_passages_summary

    if as_json:
        OUT.print_json(data={"output": str(result.folder), **result.run})
    elif not quiet:
        show_passages_summary(result.counts, result.run)
        folder = quote(str(result.folder))
        OUT.print(f"\nResult in {result.folder}; look at it with:", markup=False)
        OUT.print(f"  neardup show {folder}", markup=False)
        if result.counts["pairs"]:
            first = result.pairs.slice(0, 1).to_pylist()[0]
            OUT.print(
                f"  neardup explain {folder} {quote(first['id_a'])} {quote(first['id_b'])}", markup=False
            )
