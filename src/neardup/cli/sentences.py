"""`neardup sentences`."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from neardup.cli.app import MethodCommand, app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedAgainstOfTexts, sharing
from neardup.methods.sentences import Sentences
from neardup.methods.sentences.settings import SentenceSettings


@app.command(cls=MethodCommand)
@sharing(SharedAgainstOfTexts, SentenceSettings)
def sentences(
    inputs: Inputs,
    *,
    chosen: dict[str, Any],
    namespaces: Annotated[
        str, typer.Option(help="Wikis: numbers of the namespaces to read, with commas; or all.")
    ] = "0",
    redirects: Annotated[bool, typer.Option("--redirects", help="Wikis: read redirects too.")] = False,
    shared: SharedAgainstOfTexts,
) -> None:
    """Find similar sentences, such as facts that articles state differently, and say what changed."""
    method, settings = Sentences(), SentenceSettings(**chosen)
    reader = replace(shared.reader, namespaces=namespaces, redirects=redirects)
    source, old = shared.opened_files(inputs, method.reader(settings, reader))
    result = shared.finish(method.job(source, settings, shared.run, old))
    shared.tell(result)
