"""`neardup passages`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from neardup.cli.app import MethodCommand, app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedOfTexts, sharing, show_grown
from neardup.errors import SettingsError
from neardup.methods.passages import Passages
from neardup.methods.passages.settings import PassageSettings


@app.command(cls=MethodCommand)
@sharing(SharedOfTexts, PassageSettings)
def passages(
    inputs: Inputs,
    *,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="INPUT",
            help="Compare the input only with these files or folders; may be given several times.",
        ),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(help="Compare only the pairs listed in this file: two ids or file names per line."),
    ] = None,
    add: Annotated[
        bool,
        typer.Option(
            "--add", help="Against an index: read only what is needed of it, and add the input to it."
        ),
    ] = False,
    chosen: dict[str, Any],
    shared: SharedOfTexts,
) -> None:
    """Find passages that documents share, such as quotations or reused text, to the character."""
    from neardup.readers.listed import listed_pairs
    from neardup.results.sources import opened_named

    settings = PassageSettings(**chosen)
    reader = Passages().reader(settings, shared.reader)
    source, old = opened_named(inputs, against or (), reader, shared.run, within=False)
    if add:
        if pairs:
            raise SettingsError("give --add or --pairs, not both")
        show_grown(Passages(), settings, shared, (source, old), against or ())
        return
    listed = listed_pairs(pairs) if pairs else None
    result = shared.finish(Passages().job(source, settings, shared.run, old, listed))
    shared.tell(result)
