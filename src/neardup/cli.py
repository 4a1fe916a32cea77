"""The command line: `neardup documents`, `dedup`, `explain`, `show`, `estimate`, `demo`."""

import os
import sys
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from neardup import __version__
from neardup.errors import NeardupError, SettingsError, StoppedEarlyError

if TYPE_CHECKING:
    from neardup.engines.base import Progress
    from neardup.result import Result

SMALL_MEMORY = 1 << 30
INTERRUPTED = 130  # as shells say it: 128 and the number of the signal

app = typer.Typer(
    name="neardup",
    help="Finds near-duplicate text, proves it, and shows where.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Candidates(StrEnum):
    """How candidate pairs are proposed."""

    exact = "exact"
    sampled = "sampled"
    minhash = "minhash"


class Measure(StrEnum):
    """What is measured."""

    resemblance = "resemblance"
    containment = "containment"


class Clustering(StrEnum):
    """How pairs become clusters."""

    star = "star"
    components = "components"


class Mode(StrEnum):
    """What `dedup` does with duplicates."""

    list = "list"
    annotate = "annotate"
    remove = "remove"


Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT…",
        help="Files, folders, patterns or remote paths: JSONL, JSON, Parquet, Arrow, CSV, text, HTML, "
        "WARC; gz, bz2, zst, xz or lz4.",
        show_default=False,
    ),
]
ResultFolder = Annotated[Path, typer.Argument(metavar="OUT", help="The folder of a result.")]
Threshold = Annotated[float, typer.Option(help="The least similarity of a pair, above 0 to 1.")]
TextColumn = Annotated[
    str | None, typer.Option(help="The column with the text; nested ones with dots: meta.body.")
]
IdColumn = Annotated[str | None, typer.Option(help="The column with the documents' ids.")]
Columns = Annotated[
    str, typer.Option(help="More columns to carry into the result, with commas between them.")
]
Raw = Annotated[bool, typer.Option("--raw", help="All text of HTML pages, not the main content.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first record that is bad.")]
MaxRecord = Annotated[str, typer.Option(help="Skip records that are larger than this.")]
Workers = Annotated[int | None, typer.Option(help="Cores to use.  [default: all]")]
Memory = Annotated[
    str | None, typer.Option(help="Memory to work in, such as 4GB.  [default: half of all]")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
Json = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a result that is there.")]


@app.command()
def documents(
    inputs: Inputs,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder for the result.")
    ] = None,
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
    overwrite: Overwrite = False,
    keep_steps: Annotated[
        bool, typer.Option("--keep-steps", help="Keep each step's table in the result folder.")
    ] = False,
    stop_after: Annotated[str | None, typer.Option(help="Stop after this step of the plan.")] = None,
    explain_plan: Annotated[
        bool, typer.Option("--explain", help="Print the plan and do nothing.")
    ] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find documents that resemble each other, verify them and group them into clusters."""
    from neardup.api import run_documents
    from neardup.engines.frugality import save_memory
    from neardup.methods import documents as method
    from neardup.readers.source import FileSource
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
    run = RunSettings.make(workers, memory, keep_steps, stop_after)
    reader = reader_settings(text_column, id_column, columns, raw, strict, max_record)
    source = FileSource.open(inputs, reader)
    if explain_plan:
        typer.echo("\n".join(method.plan(settings, source.schema).explain()))
        return
    if output is None:
        raise SettingsError("no folder for the result", hint="Name one with -o, such as -o OUT.")
    if run.memory < SMALL_MEMORY:
        save_memory()
    progress = progress_for(quiet or as_json)
    try:
        result = run_documents(source, settings, run, output, progress=progress, overwrite=overwrite)
    except KeyboardInterrupt:
        typer.echo("interrupted; the same command goes on from the last whole step", err=True)
        raise typer.Exit(INTERRUPTED) from None
    report(result, quiet, as_json)


def reader_settings(
    text_column: str | None,
    id_column: str | None,
    columns: str,
    raw: bool,
    strict: bool,
    max_record: str,
) -> Any:
    """Make the reader's settings from the options."""
    from neardup.readers.records import ReaderSettings
    from neardup.settings import parse_size

    return ReaderSettings(
        text_column=text_column,
        id_column=id_column,
        columns=tuple(name.strip() for name in columns.split(",") if name.strip()),
        raw=raw,
        strict=strict,
        max_record=parse_size(max_record),
    )


def progress_for(quiet: bool) -> "Progress | None":
    """Choose bars for a terminal, lines for anything else, nothing if quiet."""
    if quiet:
        return None
    from neardup.console import ERR, Bars, Lines

    return Bars() if ERR.is_terminal else Lines()


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
        if result.counts["pairs"]:
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
def dedup(
    out: ResultFolder,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")],
    mode: Annotated[
        Mode, typer.Option(help="List ids, annotate records, or write files without duplicates.")
    ] = Mode.list,
    keep: Annotated[
        str | None, typer.Option(help="The keeper: longest, first, newest or a carried column.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="A higher threshold than that of the run.")
    ] = None,
    clusters: Annotated[Clustering | None, typer.Option(help="Other clusters.")] = None,
    quiet: Quiet = False,
) -> None:
    """List, annotate or remove the duplicates that a run found."""
    from neardup.cleaning import dedup as run_dedup
    from neardup.console import OUT, number
    from neardup.result import Result

    done = run_dedup(
        Result(out),
        output,
        mode=mode.value,
        keep=keep,
        threshold=threshold,
        clusters=clusters.value if clusters else None,
    )
    if not quiet:
        verb = {"list": "listed", "annotate": "annotated", "remove": "removed"}[done.mode]
        rest = f", {number(done.kept, 'document')} kept" if mode is Mode.remove else ""
        OUT.print(f"[bold]{number(done.removed, 'duplicate')}[/bold] {verb}{rest}")
        OUT.print(f"Written to {done.output}: neardup-removed.parquet says why", markup=False)
        for path in done.files[:10]:
            OUT.print(f"  {path}", markup=False)
        if len(done.files) > 10:
            OUT.print(f"  … and {len(done.files) - 10:,} more files")


@app.command()
def explain(
    out: ResultFolder,
    id_a: Annotated[str, typer.Argument(metavar="ID_A", help="A document's id.")],
    id_b: Annotated[str, typer.Argument(metavar="ID_B", help="Another one's.")],
    as_json: Json = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show long texts whole, not just around differences.")
    ] = False,
) -> None:
    """Show the common passages and the differences of two documents."""
    from neardup.console import OUT
    from neardup.result import Result
    from neardup.views import explanation_json, show_explanation

    found = Result(out).explain(id_a, id_b)
    if as_json:
        OUT.print_json(data=explanation_json(found))
    else:
        show_explanation(found, full)


@app.command()
def show(
    out: ResultFolder,
    cluster: Annotated[int | None, typer.Option(help="Show the texts of this cluster.")] = None,
    page: Annotated[int, typer.Option(min=1, help="Which page of clusters.")] = 1,
    per_page: Annotated[int, typer.Option(min=1, help="Clusters on a page.")] = 20,
    sort: Annotated[
        str, typer.Option(help="size: largest first; similarity: least similar first; number.")
    ] = "size",
) -> None:
    """Page through the clusters of a result."""
    from neardup.result import Result
    from neardup.views import show_cluster_page, show_cluster_texts

    result = Result(out)
    if cluster is not None:
        show_cluster_texts(result, cluster)
    else:
        show_cluster_page(result, page, per_page, sort)


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
    from neardup.demo import run_demo

    result = run_demo(output, progress_for(False))
    report(result, quiet=False, as_json=False)


class WithoutPandas:
    """Hides pandas: Arrow imports it at its first array wherever it is installed.

    That takes half a second and 50 MB, and nothing on the command line needs it.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Find nothing, and stop the search for pandas."""
        del path, target
        if name == "pandas":
            raise ModuleNotFoundError(name)


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""
    if show_version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line; errors end with a message and exit code 1, wrong usage with 2."""
    sys.meta_path.insert(0, WithoutPandas())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode shows question marks
    try:
        app()
    except StoppedEarlyError as stop:
        typer.echo(str(stop))
    except NeardupError as error:
        from neardup.console import show_error

        show_error(error)
        sys.exit(2 if isinstance(error, SettingsError) else 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (OSError, MemoryError) as error:
        if os.environ.get("NEARDUP_DEBUG"):
            raise
        from neardup.console import show_error

        show_error(error)
        sys.exit(1)
