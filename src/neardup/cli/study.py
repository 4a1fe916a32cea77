"""`neardup study`: experiments from the papers, on any corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    Inputs,
    Json,
    Memory,
    Overwrite,
    Quiet,
    Raw,
    TextColumn,
    Workers,
    progress_for,
    reader_settings,
)
from neardup.errors import OutputError

if TYPE_CHECKING:
    from rich.table import Table

    from neardup.evaluation.studies import Study, StudyTable

FILE = "study.json"
WIDEST = 160  # so that no number is cut

study = typer.Typer(help="Repeat a paper's experiments on any corpus.", no_args_is_help=True)
app.add_typer(study, name="study")


@study.command()
def signatures(
    inputs: Inputs,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A folder for study.json.")
    ] = None,
    documents: Annotated[int, typer.Option(help="So many documents are read.")] = 2_000,
    sentences: Annotated[int, typer.Option(help="So many sentences of each.")] = 40,
    seed: Annotated[int, typer.Option(help="Another number plants other passages.")] = 1,
    language: Annotated[
        str, typer.Option(help="The language for splitting sentences, such as en or zh.")
    ] = "auto",
    text_column: TextColumn = None,
    workers: Workers = None,
    memory: Memory = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Plant copied sentences in a corpus, and see which signatures of sentences find them."""
    from neardup.console import OUT
    from neardup.evaluation.studies import StudySettings, study_signatures
    from neardup.readers.source import FileSource
    from neardup.result import write_json
    from neardup.settings import RunSettings

    check_free(output, overwrite)
    source = FileSource.open(inputs, reader_settings(text_column, None, "", False, False, "256MB"))
    settings = StudySettings(documents, sentences, seed, language)
    run = RunSettings.make(workers, memory)
    found = study_signatures(source, settings, run, progress_for(quiet or as_json))
    if output:
        output.mkdir(parents=True, exist_ok=True)
        write_json(output / FILE, found.as_dict())
    if as_json:
        OUT.print_json(data=found.as_dict())
    elif not quiet:
        show_study(found)


@study.command()
def sampling(
    inputs: Inputs,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A folder for study.json, report.html and the plots."),
    ] = None,
    documents: Annotated[
        int, typer.Option(help="So many documents are compared, the first ones.")
    ] = 10_000,
    shingle: Annotated[str, typer.Option(help="What is compared: word:N or char:N.")] = "char:64",
    threshold: Annotated[
        float, typer.Option(help="The resemblance from which on documents are near-duplicates.")
    ] = 0.5,
    text_column: TextColumn = None,
    raw: Raw = False,
    workers: Workers = None,
    memory: Memory = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find near-duplicates with fewer and fewer shingles, and see which are lost."""
    from neardup.console import OUT
    from neardup.evaluation.sampling import SamplingSettings, study_sampling
    from neardup.evaluation.sampling_report import plots, report, tables
    from neardup.readers.source import FileSource
    from neardup.result import write_json
    from neardup.settings import RunSettings

    check_free(output, overwrite)
    source = FileSource.open(inputs, reader_settings(text_column, None, "", raw, False, "256MB"))
    settings = SamplingSettings(documents, shingle, threshold)
    run = RunSettings.make(workers, memory)
    found = study_sampling(source, settings, run, progress_for(quiet or as_json))
    if output:
        (output / "plots").mkdir(parents=True, exist_ok=True)
        for name, svg in plots(found).items():
            (output / "plots" / f"{name}.svg").write_text(svg, encoding="utf-8")
        (output / "report.html").write_text(report(found), encoding="utf-8")
        write_json(output / FILE, found.as_dict())
    if as_json:
        OUT.print_json(data=found.as_dict())
    elif not quiet:
        show_counts(found.counts)
        for title, head, rows in tables(found):
            OUT.print()
            show_wide(plain_table(title, head, rows))


def check_free(output: Path | None, overwrite: bool) -> None:
    """Refuse to write over another study."""
    if output and (output / FILE).exists() and not overwrite:
        raise OutputError(
            "this folder already holds a study",
            where=str(output),
            hint="Choose another folder with -o, or add --overwrite.",
        )


def show_counts(counts: Mapping[str, int]) -> None:
    """Print what a study is about."""
    from neardup.console import OUT

    for name, value in counts.items():
        OUT.print(f"{value:,} {name}", markup=False)


def show_wide(table: "Table") -> None:
    """Print a table without cutting anything."""
    from rich.console import Console

    from neardup.console import OUT

    Console(highlight=False, width=max(OUT.width, WIDEST)).print(table)


def plain_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    """Return a table without lines, its first column to the left."""
    from rich.table import Table
    from rich.text import Text

    shown = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for number, name in enumerate(head):
        shown.add_column(name, justify="right" if number else "left")
    for row in rows:
        shown.add_row(*map(Text, row))
    return shown


def show_study(found: "Study") -> None:
    """Print all tables of a study."""
    from neardup.console import OUT

    show_counts(found.counts)
    for table in found.tables:
        OUT.print()
        OUT.print(study_table(table))


def study_table(table: "StudyTable") -> "Table":
    """Return one table, its best row marked."""
    from rich.table import Table
    from rich.text import Text

    shown = Table(
        title=table.title, title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False
    )
    shown.add_column("")
    more = list(table.rows[0].more)
    for name in ("precision", "recall", "F1", *more, ""):
        shown.add_column(f"{name} a sentence" if name in more else name, justify="right")
    for row in table.rows:
        values = [row.scores.precision, row.scores.recall, row.scores.f1]
        best = row is table.best
        shown.add_row(
            Text(row.setting),
            *(f"{value:.3f}" for value in values),
            *(f"{row.more[name]:.1f}" for name in more),
            "best" if best else "",
            style="bold" if best else "",
        )
    return shown
