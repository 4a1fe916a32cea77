"""`neardup threads`."""

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
    Quiet,
    SettingsFile,
    StopAfter,
    Strict,
    ThreadIndex,
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

Fields = Annotated[
    str | None,
    typer.Option(
        help="Fields with their weights, which sum to 1.  [default: title=0.4,body=0.2,answer=0.4]"
    ),
]
Signatures = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[FIELD=]KIND",
        help="shingles:N, winnowing:K,W, imatch, imatch:LOW,HIGH, spotsigs or spotsigs:ANTECEDENTS, for "
        "all fields or for one; may be given several times.  [default: shingles:3]",
    ),
]


@app.command()
def threads(
    inputs: Inputs,
    output: Output = None,
    fields: Fields = None,
    signature: Signatures = None,
    threshold: Annotated[
        float, typer.Option(help="The least weighted similarity of a pair, above 0 to 1.")
    ] = 0.5,
    index: Annotated[
        ThreadIndex, typer.Option(help="Candidates by posting lists, or by blocks of threads.")
    ] = ThreadIndex.term,
    clusters: Annotated[
        Clustering, typer.Option(help="Around one keeper, or everything that is connected.")
    ] = Clustering.star,
    keep: Annotated[
        str | None,
        typer.Option(
            help="The keeper of a cluster: longest, first, newest, oldest or a column, or several with "
            "commas.  [default: longest; in dumps of Stack Exchange score,answers,longest]"
        ),
    ] = None,
    max_postings: Annotated[
        int,
        typer.Option(
            help="term: threads of one signature that are all compared with each other; 0: no limit."
        ),
    ] = 10_000,
    max_copies: Annotated[
        int, typer.Option(help="Identical threads that are listed pair by pair.")
    ] = 1_000,
    settings_file: SettingsFile = None,
    id_column: IdColumn = None,
    columns: Columns = "",
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
    """Find near-duplicate questions and answers, compared field by field."""
    from neardup.api import opened_files
    from neardup.settings import RunSettings
    from neardup.thread_api import reader_for, run_threads, threads_plan
    from neardup.thread_settings import ThreadSettings

    del settings_file
    settings = ThreadSettings.make(
        fields,
        signature,
        threshold=threshold,
        index=index.value,
        clusters=clusters.value,
        keep=keep,
        max_postings=max_postings,
        max_copies=max_copies,
    )
    spark = spark_options(engine, master, conf)
    run = RunSettings.make(workers, memory, keep_steps, stop_after, spark)
    reader = reader_settings(None, id_column, columns, False, strict, max_record)
    source = opened_files(inputs, reader_for(settings, reader), spark)
    if explain_plan:
        typer.echo("\n".join(threads_plan(source, settings, run).explain()))
        return
    folder = needed_output(output)
    with interruptible(), frugal(run.memory):
        result = run_threads(
            source,
            settings,
            run,
            folder,
            progress=progress_for(quiet or as_json),
            overwrite=overwrite,
        )
    report(result, quiet, as_json)


def report(result: "Result", quiet: bool, as_json: bool) -> None:
    """Print what a run found."""
    from neardup.console import OUT
    from neardup.thread_views import show_threads_summary

    if as_json:
        OUT.print_json(data={"output": str(result.folder), **result.run})
    elif not quiet:
        show_threads_summary(result)
        folder = quote(str(result.folder))
        OUT.print(f"\nResult in {result.folder}; look at it with:", markup=False)
        OUT.print(f"  neardup show {folder}", markup=False)
        if result.pairs.num_rows:
            first = result.pairs.slice(0, 1).to_pylist()[0]
            OUT.print(
                f"  neardup explain {folder} {quote(first['id_a'])} {quote(first['id_b'])}",
                markup=False,
            )
