"""`neardup filter`: lines that are new go through, and into an index."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import Quiet, TextColumn
from neardup.index.settings import Likeness


@app.command(name="filter")
def filter_lines(
    path: Annotated[
        Path, typer.Argument(metavar="INDEX", help="The index; created if it is not there.")
    ],
    threshold: Annotated[
        float, typer.Option(help="The lowest similarity of a known text: above 0, at most 1.")
    ] = 0.7,
    measure: Annotated[
        Likeness,
        typer.Option(
            help="resemblance compares whole texts; containment is the known share of the new."
        ),
    ] = "resemblance",
    key: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="A record is also known if its value here is; for url, any address of the page.",
        ),
    ] = None,
    annotate: Annotated[
        bool,
        typer.Option(
            "--annotate", help="Pass on all records, and mark the known ones with what they are like."
        ),
    ] = False,
    text_column: TextColumn = None,
    quiet: Quiet = False,
) -> None:
    """Pass on new lines from standard input to standard output, and add them to an index.

    A line is a JSON record or a text. If you stop it, whatever was written out is in the index.
    """
    from neardup.cli.options import progress_for
    from neardup.engines.base import Silent
    from neardup.index.filtering import Filter, Lines, blocks
    from neardup.index.online import Index
    from neardup.readers.records import ReaderSettings
    from neardup.results.compiling import compile_for
    from neardup.showing.console import number

    reader = ReaderSettings(text_column=text_column, id_column=key)
    with Index(path) if path.exists() else Index.build(path) as index:
        chosen = Filter(index, threshold, measure, key)
        compile_for("index", progress_for(quiet) or Silent())
        lines = Lines(chosen, reader, "stdin", annotate)
        out = sys.stdout.buffer
        for block in blocks(sys.stdin.fileno()):
            out.write(b"".join(lines.passed(block)))
            out.flush()
        total = len(index)
    if not quiet:
        amounts = lines.amounts
        other = f", {amounts.unusable:,} that are no documents" if amounts.unusable else ""
        told = f"{number(amounts.read, 'line')}: {amounts.new:,} new, {amounts.known:,} known{other}"
        typer.echo(f"{told}; {number(total, 'document')} in {path}", err=True)
