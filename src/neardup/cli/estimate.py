"""What to do before a run: `neardup estimate`, `demo` and `warm`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    Inputs,
    Json,
    Machine,
    Open,
    Quiet,
    ReadDocuments,
    Threshold,
    progress_for,
)
from neardup.cli.shared import SharedOfTexts
from neardup.engines import engine_settings
from neardup.methods.documents.settings import Candidates, DocumentSettings


@app.command()
def estimate(
    inputs: Inputs,
    *,
    threshold: Threshold = 0.7,
    candidates: Annotated[
        Candidates, typer.Option(help="The --candidates of the run: exact, sampled or minhash.")
    ] = "exact",
    shingle: Annotated[str, typer.Option(help="The --shingle of the run: word:N or char:N.")] = "word:5",
    read: ReadDocuments,
    machine: Machine,
    engine: Annotated[
        str, typer.Option(help="spark: also propose executors, memory and partitions of a cluster.")
    ] = "local",
    as_json: Json = False,
) -> None:
    """Read a sample, and estimate how long `neardup documents` will take, and what it will find.

    The other methods and clean have the option --estimate for this.
    """
    from neardup.cli.shared import show_estimated
    from neardup.methods.documents import Documents
    from neardup.readers.source import FileSource

    settings = DocumentSettings(threshold=threshold, candidates=candidates, shingle=shingle)
    source = FileSource.open(inputs, read.reader)
    run = replace(machine.run, engine=engine_settings(engine))
    show_estimated(Documents().job(source, settings, run), run, as_json)


@app.command()
def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the result.")
    ] = Path("neardup-demo"),
    into: Annotated[
        Path | None,
        typer.Option(
            "--files", metavar="FOLDER", help="Only write the files of the tutorials to a folder."
        ),
    ] = None,
    open_it: Open = False,
) -> None:
    """Try neardup: find the near-duplicates in a small corpus that comes with it."""
    from neardup.cli.demo import run_demo, write_files
    from neardup.cli.results import show_report
    from neardup.reports import report as write_report
    from neardup.showing.console import OUT

    if into is not None:
        made = write_files(into)
        OUT.print(f"{len(made)} files of the tutorials in {into}", markup=False)
        return
    result = run_demo(output, progress_for(False))
    SharedOfTexts().tell(result)
    OUT.print()
    show_report(write_report(result), open_it=open_it)


@app.command()
def warm(quiet: Quiet = False) -> None:
    """Compile everything ahead, for images, clusters and demonstrations."""
    from neardup.engines.base import Silent
    from neardup.kernels.ahead import compile_ahead, missing, purposes
    from neardup.kernels.cache_folder import folder
    from neardup.showing.console import OUT

    wanted = missing(*purposes())
    with (progress_for(quiet) or Silent()).step("compiling", len(wanted), "parts") as advance:
        compile_ahead(wanted, advance)
    if not quiet:
        OUT.print(
            f"Compiled kernels are in {folder()}" if folder() else "There is no place to keep them."
        )
