"""`neardup pages`."""

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
    PageMeasure,
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
def pages(
    inputs: Inputs,
    output: Output = None,
    measure: Annotated[
        PageMeasure,
        typer.Option(help="Trustable common subsequence; simhash and cosine are there to compare with."),
    ] = PageMeasure.tlcs,
    resemblance: Annotated[float, typer.Option(help="tlcs: the least resemblance of a pair, or")] = 0.28,
    containment: Annotated[
        float, typer.Option(help="tlcs: how much of the shorter page is in the other.")
    ] = 0.7,
    slope: Annotated[
        float, typer.Option(help="tlcs: the most edits a character in a trustable region.")
    ] = 0.1,
    rounds: Annotated[
        int, typer.Option(help="tlcs: so many regions are looked for; 1 finds no moved paragraphs.")
    ] = 8,
    window: Annotated[
        int, typer.Option(help="tlcs: characters that both must have in a row to count.")
    ] = 16,
    limit: Annotated[int, typer.Option(help="Only so many first characters of a page count.")] = 10_000,
    subsets: Annotated[int, typer.Option(help="Signatures of one turn of the ring (m).")] = 7,
    turns: Annotated[int, typer.Option(help="Turns of the ring, up to 16 (n).")] = 16,
    chosen: Annotated[int, typer.Option(help="Sentences that make one signature.")] = 2,
    shortest: Annotated[
        int, typer.Option(help="Sentences of up to so many characters make no signature.")
    ] = 16,
    site_pages: Annotated[
        int,
        typer.Option(help="tlcs: what so many pages of a site share is boilerplate; 0: nothing is."),
    ] = 3,
    max_pages: Annotated[
        int, typer.Option(help="A signature of more pages than this is of spam or a template.")
    ] = 10_000,
    max_site_pages: Annotated[
        int, typer.Option(help="So is one of more pages than this, mostly of one site.")
    ] = 400,
    cosine: Annotated[float, typer.Option(help="cosine: the least one of a pair.")] = 0.95,
    bits: Annotated[int, typer.Option(help="simhash: 64 or 128.")] = 64,
    distance: Annotated[int, typer.Option(help="simhash: bits that may differ, up to 8.")] = 5,
    max_list: Annotated[
        int, typer.Option(help="Pages of one signature that are all compared with each other.")
    ] = 100,
    max_copies: Annotated[
        int, typer.Option(help="Identical pages that are listed pair by pair.")
    ] = 1_000,
    clusters: Annotated[
        Clustering, typer.Option(help="Around one keeper, or everything that is connected.")
    ] = Clustering.star,
    keep: Annotated[
        str, typer.Option(help="The keeper of a cluster: longest, first, newest or a column.")
    ] = "longest",
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
    """Find near-duplicate web pages, whatever the templates of their sites."""
    from neardup.api import opened_files
    from neardup.page_runs import pages_plan, run_pages
    from neardup.settings import PageSettings, RunSettings

    settings = PageSettings(
        measure=measure.value,
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
        clusters=clusters.value,
        keep=keep,
    )
    spark = spark_options(engine, master, conf)
    run = RunSettings.make(workers, memory, keep_steps, stop_after, spark)
    reader = reader_settings(text_column, id_column, columns, raw, strict, max_record)
    source = opened_files(inputs, reader, spark)
    if explain_plan:
        typer.echo("\n".join(pages_plan(source, settings).explain()))
        return
    folder = needed_output(output)
    progress = progress_for(quiet or as_json)
    with interruptible(), frugal(run.memory):
        result = run_pages(source, settings, run, folder, progress=progress, overwrite=overwrite)
    report(result, quiet, as_json)


def report(result: "Result", quiet: bool, as_json: bool) -> None:
    """Print what a run found."""
    from neardup.console import OUT
    from neardup.page_views import show_pages_summary

    if as_json:
        OUT.print_json(data={"output": str(result.folder), **result.run})
    elif not quiet:
        show_pages_summary(result)
        folder = quote(str(result.folder))
        OUT.print(f"\nResult in {result.folder}; look at it with:", markup=False)
        OUT.print(f"  neardup show {folder}", markup=False)
        if result.counts["sites"]:
            OUT.print(f"  neardup show {folder} --sites", markup=False)
        if result.counts["pairs"]:
            first = result.pairs.slice(0, 1).to_pylist()[0]
            OUT.print(
                f"  neardup explain {folder} {quote(first['id_a'])} {quote(first['id_b'])}", markup=False
            )
