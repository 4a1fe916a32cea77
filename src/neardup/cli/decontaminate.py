"""`neardup decontaminate`."""

from typing import Annotated, Any

import typer

from neardup.cli.app import MethodCommand, app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedOfTexts, sharing
from neardup.methods.decontaminate import Decontaminate
from neardup.methods.decontaminate.settings import DecontaminateSettings


@app.command(cls=MethodCommand)
@sharing(SharedOfTexts, DecontaminateSettings)
def decontaminate(
    inputs: Inputs,
    *,
    benchmarks: Annotated[
        list[str],
        typer.Option(
            metavar="INPUT",
            help="Files or folders of test items, each file a benchmark; may be given several times.",
        ),
    ],
    chosen: dict[str, Any],
    shared: SharedOfTexts,
) -> None:
    """Find test items of benchmarks in training data: verbatim, nearly, with other numbers or order."""
    from neardup.methods.decontaminate.items import read_items
    from neardup.readers.source import Named

    settings = DecontaminateSettings(**chosen)
    source = shared.open_files(inputs)
    items = read_items([Named(name) for name in benchmarks], settings.columns, shared.encoding)
    shared.tell(shared.finish(Decontaminate().job(source, settings, shared.run, items)))
