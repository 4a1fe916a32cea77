"""`neardup documents`, `estimate` and `demo`."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    Candidates,
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
    Measure,
    Memory,
    Output,
    Overwrite,
    Quiet,
    Raw,
    StopAfter,
    Strict,
    TextColumn,
    Threshold,
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
def documents(
    inputs: Inputs,
    output: Output = None,
    threshold: Threshold = 0.7,
    measure: Annotated[
        Measure, typer.Option(help="Resemblance of the wholes, or one inside the other.")
    ] = Measure.resemblance,
    candidates: Annotated[
        Candidates, typer.Option(help="exact finds every pair; sampled and minhash are cheaper.")
    ] = Candidates.exact,
    shingle: Annotated[
        str, typer.Option(help="What is compared: runs of N words (word:N) or characters (char:N).")
    ] = "word:5",
    clusters: Annotated[
        Clustering, typer.Option(help="Around one keeper, or everything that is connected.")
    ] = Clustering.star,
    keep: Annotated[
        str, typer.Option(help="The keeper of a cluster: longest, first, newest or a column.")
    ] = "longest",
    sample: Annotated[int, typer.Option(help="sampled: one shingle in so many.")] = 16,
    bands: Annotated[int, typer.Option(help="minhash: number of bands.")] = 14,
    rows: Annotated[int, typer.Option(help="minhash: rows in a band.")] = 8,
    max_postings: Annotated[
        int, typer.Option(help="Documents of one shingle that are all compared with each other.")
    ] = 10_000,
    max_copies: Annotated[
        int, typer.Option(help="Identical documents that are listed pair by pair.")
    ] = 1_000,
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
    """Find documents that resemble each other, verify them and group them into clusters."""
    from neardup.api import opened_files, run_documents
    from neardup.methods import documents as method
    from neardup.settings import DocumentSettings, RunSettings

    settings = DocumentSettings(
        threshold=threshold,
        measure=measure.value,
        shingle=shingle,
        candidates=candidates.value,
        sample=sample,
        bands=bands,
        rows=rows,
        max_postings=max_postings,
        max_copies=max_copies,
        clusters=clusters.value,
        keep=keep,
    )
    spark = spark_options(engine, master, conf)
    run = RunSettings.make(workers, memory, keep_steps, stop_after, spark)
    reader = reader_settings(text_column, id_column, columns, raw, strict, max_record)
    source = opened_files(inputs, reader, spark)
    if explain_plan:
        typer.echo("\n".join(method.plan(settings, source.schema).explain()))
        return
    folder = needed_output(output)
    progress = progress_for(quiet or as_json)
    with interruptible(), frugal(run.memory):
        result = run_documents(source, settings, run, folder, progress=progress, overwrite=overwrite)
    report(result, quiet, as_json)


def report(result: "Result", quiet: bool, as_json: bool) -> None:
    """Print what a run found."""
    from neardup.console import OUT, show_summary
    from neardup.methods.candidates import expected_recall
    from neardup.settings import DocumentSettings

    recall = expected_recall(DocumentSettings(**result.run["settings"]))
    if as_json:
        capped = result.counts["shingles too common to pair all"] > 0
        expected = None if capped else recall
        OUT.print_json(data={"output": str(result.folder), "expected_recall": expected, **result.run})
    elif not quiet:
        show_summary(result.counts, result.run, recall)
        folder = quote(str(result.folder))
        OUT.print(f"\nResult in {result.folder}; look at it with:", markup=False)
        OUT.print(f"  neardup show {folder}", markup=False)
        if result.counts["pairs"] and hasattr(result, "explain"):
            first = least_similar(result)
            ids = f"{quote(first['id_a'])} {quote(first['id_b'])}"
            OUT.print(f"  neardup explain {folder} {ids}", markup=False)
        OUT.print(f"  neardup dedup {folder} --mode remove -o CLEAN", markup=False)


def least_similar(result: "Result") -> dict[str, Any]:
    """Return the pair with the lowest similarity: the one worth looking at."""
    import pyarrow.compute as pc

    at = pc.index(result.pairs["similarity"], pc.min(result.pairs["similarity"])).as_py()
    return dict(result.pairs.slice(at, 1).to_pylist()[0])


@app.command()
def estimate(
    inputs: Inputs,
    threshold: Threshold = 0.7,
    candidates: Annotated[Candidates, typer.Option(help="As for documents.")] = Candidates.exact,
    shingle: Annotated[str, typer.Option(help="As for documents.")] = "word:5",
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    raw: Raw = False,
    workers: Workers = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Read a sample and say how long a run will take, and what it will need and find."""
    from neardup.console import OUT
    from neardup.estimate import estimate as run_estimate
    from neardup.readers.source import FileSource
    from neardup.settings import DocumentSettings, RunSettings
    from neardup.views import show_estimate

    settings = DocumentSettings(threshold=threshold, candidates=candidates.value, shingle=shingle)
    reader = reader_settings(text_column, id_column, "", raw, False, "256MB")
    source = FileSource.open(inputs, reader)
    found = run_estimate(source, settings, RunSettings.make(workers, memory))
    if as_json:
        OUT.print_json(data=found.as_dict())
    else:
        show_estimate(found)


@app.command()
def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the result.")] = Path(
        "neardup-demo"
    ),
) -> None:
    """Find the near-duplicates of a small corpus that comes with neardup."""
    from neardup.cli.results import show_report
    from neardup.console import OUT
    from neardup.demo import run_demo
    from neardup.reports import report as write_report

    result = run_demo(output, progress_for(False))
    report(result, quiet=False, as_json=False)
    OUT.print()
    show_report(write_report(result))
