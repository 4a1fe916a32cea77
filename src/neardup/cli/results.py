"""What one does with a result: `dedup`, `export`, `explain`, `show`, `report`, `origins` and `check`."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    ALL_OPTIONS,
    Conf,
    EngineName,
    InputNow,
    Json,
    Master,
    Open,
    Quiet,
    ResultFolder,
    progress_for,
    read_typed,
)
from neardup.durable import write_text
from neardup.errors import InputError, SettingsError
from neardup.settings.base import MANY, Clustering, Format, Mode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from neardup.reports import Report
    from neardup.result import Result


@app.command()
def dedup(
    out: ResultFolder,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="CLEAN", help="The folder to write the files to.")
    ],
    mode: Annotated[
        Mode,
        typer.Option(
            help="list: list ids; annotate: mark records; remove: write files without duplicates."
        ),
    ] = "list",
    keep: Annotated[
        str | None,
        typer.Option(
            help="Which document to keep: longest, first, newest, a column of the result (score or "
            "score:asc), or a source (source:wikipedia>books); several with commas.",
            show_default="as in the run; passages: first",
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Keep what is less similar than this. documents, threads: at least the threshold of "
            "the run; passages: 0.95 by default."
        ),
    ] = None,
    clusters: Annotated[
        Clustering | None, typer.Option(help="Make other clusters than the run: star or components.")
    ] = None,
    keep_at_most: Annotated[
        int, typer.Option(help="How many documents of a cluster to keep, the best ones.")
    ] = 1,
    add: Annotated[
        str,
        typer.Option(
            help="Columns to add to every record, with commas: cluster, cluster_size, cluster_keeper, "
            "similarity_to_keeper, duplicates_removed."
        ),
    ] = "",
    least_left: Annotated[
        float,
        typer.Option(
            help="passages, sentences: drop a document if less than this share of it would be left."
        ),
    ] = 0,
    except_: Annotated[
        str | None,
        typer.Option(
            "--except",
            metavar="MARKS",
            help="Keep documents that people marked as different from their keeper: marked-different "
            "takes the marks of neardup serve; or a file of marks, or a sheet.",
        ),
    ] = None,
    input: InputNow = None,  # noqa: A002  (the word of the option)
    engine: EngineName = "local",
    master: Master = "local[*]",
    conf: Conf = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """List, mark or remove the duplicates, or the repeated passages, that a run found."""
    from neardup.cleaning.dedup import dedup as run_dedup
    from neardup.result import Result
    from neardup.showing.console import OUT, number

    result = Result(out, input=input)
    done = run_dedup(
        result,
        output,
        mode=mode,
        keep=keep,
        threshold=threshold,
        clusters=clusters,
        keep_at_most=keep_at_most,
        add=add,
        least_left=least_left,
        except_=except_,
        engine=engine,
        master=master,
        conf=read_typed(ALL_OPTIONS["conf"], conf),
    )
    if as_json:
        shown = {name: value for name, value in vars(done).items() if name != "table"}
        OUT.print_json(data=shown, default=str)
    elif not quiet:
        verb = {"list": "listed", "annotate": "annotated", "remove": "removed"}[done.mode]
        rest = f", {number(done.kept, 'document')} kept" if mode == "remove" else ""
        size = "" if done.characters is None else f" ({number(done.characters, 'character')})"
        OUT.print(f"[bold]{number(done.removed, done.what)}[/bold] {verb}{size}{rest}")
        written = "" if done.mode == "list" else f"Written to {done.output}; "
        OUT.print(f"{written}{done.tables}/neardup-removed.parquet says why", markup=False)
        tell_damaged(done.damaged)
        for path in done.files[:10]:
            OUT.print(f"  {path}", markup=False)
        if len(done.files) > 10:
            OUT.print(f"  … and {number(len(done.files) - 10, 'more file')}")


def tell_damaged(damaged: "Mapping[str, str]") -> None:
    """Name the files that were copied as they are."""
    from neardup.showing.console import OUT, number

    if damaged:
        files = number(len(damaged), "file")
        OUT.print(f"[bold]{files}[/bold] could not be read whole: nothing was left out of it")
    for name, what in list(damaged.items())[:5]:
        OUT.print(f"  {name}: {what}", markup=False)
    if len(damaged) > 5:
        OUT.print(f"  … and {len(damaged) - 5:,} more")


@app.command()
def export(
    out: ResultFolder,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="A new folder for tables; a file for xlsx, graphml, gexf and tei."
        ),
    ],
    format: Annotated[  # noqa: A002  (the word of the option)
        Format | None,
        typer.Option(
            help="csv, jsonl, parquet: a file for each table; xlsx: a workbook; graphml, gexf: a graph "
            "of documents; tei: their texts with links.",
            show_default="as the name of --output ends, or csv",
        ),
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option(help="Write only this table; may be given several times.")
    ] = None,
    input: InputNow = None,  # noqa: A002  (the word of the option)
    quiet: Quiet = False,
) -> None:
    """Write a result in another format: tables, a graph, or texts with what they share."""
    from neardup.exports.export import export as run_export
    from neardup.result import Result
    from neardup.showing.console import OUT

    for path in run_export(Result(out, input=input), output, format=format, tables=table or ()):
        if not quiet:
            OUT.print(f"Written: {path}", markup=False)


@app.command()
def explain(
    out: ResultFolder,
    id_a: Annotated[str, typer.Argument(metavar="ID_A", help="The id of a document, or its title.")],
    id_b: Annotated[str, typer.Argument(metavar="ID_B", help="The id or title of the other document.")],
    input: InputNow = None,  # noqa: A002  (the word of the option)
    as_json: Json = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show long texts in full, not just around differences.")
    ] = False,
    curve: Annotated[
        Path | None,
        typer.Option(
            help="pages: draw the edit curve of the two pages, with the trustable region, to this SVG "
            "file."
        ),
    ] = None,
) -> None:
    """Show two documents of a result side by side: what they share, and how they differ."""
    from neardup.engines.base import Silent
    from neardup.result import Result
    from neardup.results.compiling import compile_for
    from neardup.results.texts import id_of
    from neardup.showing.console import OUT

    result = Result(out, input=input)
    id_a, id_b = id_of(result, id_a), id_of(result, id_b)
    compile_for("explain", progress_for(as_json) or Silent())
    if curve is not None:
        draw_curve(result, id_a, id_b, curve)
    explained = result.explain(id_a, id_b)
    if as_json:
        OUT.print_json(data=result.own_method.explanation_json(explained))
    else:
        result.own_method.show_explanation(explained, full)


def draw_curve(result: "Result", id_a: str, id_b: str, path: Path) -> None:
    """Write the edit curve of two pages as SVG."""
    from neardup.methods.pages.curve import ACROSS
    from neardup.results.files import check_file

    check_file(path, ACROSS, "curve")
    write_text(path, result.own_method.curve(result, id_a, id_b))


@app.command()
def report(
    out: ResultFolder,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="The file to write.", show_default="report.html in OUT"),
    ] = None,
    study: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Also show the curves from this folder of neardup study sampling."
        ),
    ] = None,
    max_size: Annotated[
        str, typer.Option(help="The largest size of the file; the report leaves out what does not fit.")
    ] = "19MB",
    input: InputNow = None,  # noqa: A002  (the word of the option)
    open_it: Open = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Write a result as one HTML file to browse: figures, tables, and pairs side by side."""
    from neardup.reports import report as write_report
    from neardup.result import Result
    from neardup.showing.console import OUT

    progress = progress_for(quiet or as_json)
    made = write_report(
        Result(out, input=input), output, study=study, max_size=max_size, progress=progress
    )
    if as_json:
        OUT.print_json(data=made._asdict(), default=str)
    else:
        show_report(made, quiet, open_it)


@app.command()
def origins(
    out: ResultFolder,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The page to write; a table of all duplicates goes beside it.",
            show_default="origins.html in OUT",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find out why there are duplicates, from addresses and dates: mirrors, updates, varying URLs."""
    from rich.text import Text

    from neardup.reports import origins as write_origins
    from neardup.showing.console import OUT
    from neardup.showing.tables import plain_table, show_wide
    from neardup.web.page import visible

    made = write_origins(out, output)
    counts = made.found.counts
    if as_json:
        OUT.print_json(data={"report": str(made.path), "table": str(made.table), "origins": counts})
        return
    shown = plain_table(("origin", "such as", "duplicates", "%"), words=2)
    for kind, count in counts.items():
        [own] = made.found.examples(kind, 1)
        names = (own.url or own.id, own.keeper_url or own.keeper)
        share = f"{100 * count / len(made.found.duplicates):.1f}"
        shown.add_row(kind, Text(visible(" = ".join(names))), f"{count:,}", share)
    show_wide(shown)
    OUT.print(f"Open it in a browser: {made.path}; all duplicates: {made.table}", markup=False)
    OUT.print(f"Draw some of each to judge: neardup sample {quote(out)} --by origin", markup=False)


def show_report(made: "Report", quiet: bool = False, open_it: bool = False) -> None:
    """Print where a report is and what it leaves out; open it, if that is asked for and can be done."""
    from neardup.showing.console import OUT, number

    opened = open_it and open_in_browser(made.path)
    if quiet:
        return
    texts = f" of {number(made.pairs, 'pair')}, {made.texts:,} of them with their texts"
    OUT.print(f"[bold]Report[/bold]{texts if made.pairs else ''}: {made.size / 1e6:,.1f} MB")
    for remark in made.left_out:
        OUT.print(f"  {remark}", style="yellow", markup=False)
    what = "It is open in a browser" if opened else "Open it in a browser"
    OUT.print(f"{what}: {made.path}", markup=False)


def open_in_browser(path: Path) -> bool:
    """Open a file in a browser with windows, if there is one; say whether there is."""
    import os
    import sys
    import webbrowser

    if (
        sys.platform not in ("win32", "darwin")
        and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    ):
        return False
    try:
        return webbrowser.open(path.resolve().as_uri())
    except (webbrowser.Error, OSError):
        return False


@app.command()
def check(
    target: Annotated[
        Path, typer.Argument(metavar="OUT|INDEX", help="The folder of a result or an index.")
    ],
    as_json: Json = False,
) -> None:
    """Check that nothing of a result or an index is missing or changed since it was written.

    Exits with code 1 if anything is.
    """
    from neardup.showing.console import ERR, OUT

    found = damages_of(target)
    if as_json:
        OUT.print_json(data={"target": str(target), "whole": not found, "damages": found})
    elif not found:
        OUT.print(f"{target} is whole", markup=False)
    for line in [] if as_json else found:
        ERR.print(f"{target}: {line}", style="red", markup=False)
    if found:
        raise typer.Exit(1)


def damages_of(target: Path) -> list[str]:
    """Return what is wrong with a result or an index."""
    from neardup.store.files import is_index

    if target.is_dir() and not is_index(target):
        from neardup.result import Result

        return Result(target).damages()
    if not target.exists():
        hint = "Give the folder of a result or of an index."
        raise InputError("no such file or folder", where=str(target), hint=hint)
    from neardup.index.asked import opened

    with opened(target, writable=False) as index:
        return index.damages()


@app.command()
def show(
    out: ResultFolder,
    table: Annotated[
        str | None,
        typer.Argument(
            metavar="[TABLE]",
            help="The table to show, such as pairs, clusters, boilerplate or skipped.",
            show_default="what the result is about",
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="Show only rows for which this holds, such as \"kind = 'factual drift'\", "
            '"similarity < 0.9" or "title ~ bridge"; may be given several times.',
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column to sort by, such as similarity, similarity:asc or similarity:desc.",
        ),
    ] = None,
    cluster: Annotated[
        int | None, typer.Option(help="Show the texts of this cluster.", max=MANY)
    ] = None,
    page: Annotated[int, typer.Option(min=1, help="Which page of the list to show.")] = 1,
    per_page: Annotated[
        int | None, typer.Option(min=1, help="How many rows to show on a page.", show_default="10 or 20")
    ] = None,
    input: InputNow = None,  # noqa: A002  (the word of the option)
    as_json: Json = False,
) -> None:
    """Page through a result in the terminal: its clusters or pairs, or any other table."""
    from neardup.result import Result
    from neardup.showing.console import OUT
    from neardup.showing.listed import Asked, View, listing, listing_json, show_listing

    result = Result(out, input=input)
    method = result.own_method
    asked = Asked(where or (), sort, page, per_page)
    if cluster is not None:
        show_cluster(result, cluster, table, as_json)
        return
    chosen = result.declared(table or method.first)
    view = method.views().get(chosen)
    if as_json:
        view = view or View(lambda *_: None)
        OUT.print_json(
            data=listing_json(result, listing(result, chosen, view, asked), view.told), default=str
        )
    elif table or where:
        show_listing(result, chosen, view, asked)
    else:
        method.show_page(result, chosen, asked)


def show_cluster(result: "Result", cluster: int, table: str | None, as_json: bool) -> None:
    """Print the texts of a cluster, or tell them to programs."""
    from neardup.showing.console import OUT

    if table is not None:
        raise SettingsError("--cluster shows texts, not a table", hint="Leave the table out.")
    result.check("cluster")
    method = result.own_method
    if not as_json:
        method.show_cluster(result, cluster)
        return
    rows = method.members(result, cluster)
    about = {"output": str(result.where), "method": result.method, "what": "members"}
    counts = {"total": len(rows), "page": 1, "pages": 1}
    OUT.print_json(data=about | counts | {"rows": rows}, default=str)
