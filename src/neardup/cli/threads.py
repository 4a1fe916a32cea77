"""`neardup threads`."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from neardup.cli.app import MethodCommand, app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedAgainst, sharing, show_grown
from neardup.methods.threads import Threads
from neardup.methods.threads.settings import ThreadSettings
from neardup.signatures import SIGNATURES
from neardup.signatures.signature import forms

Fields = Annotated[
    str | None,
    typer.Option(
        help="The fields to compare, with weights that sum to 1.",
        show_default="title=0.4,body=0.2,answer=0.4",
    ),
]
Signatures = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[FIELD=]KIND",
        help=f"How fields are compared: {forms(SIGNATURES.values())}; for all fields or for one; may be "
        "given several times.",
        show_default="shingles:3",
    ),
]

Revisions = Annotated[
    bool, typer.Option(help="Dumps of Stack Exchange: read revisions in place of posts.")
]


@app.command(cls=MethodCommand)
@sharing(SharedAgainst, ThreadSettings)
def threads(
    inputs: Inputs,
    *,
    fields: Fields = None,
    signature: Signatures = None,
    revisions: Revisions = False,
    chosen: dict[str, Any],
    shared: SharedAgainst,
) -> None:
    """Find near-duplicate questions of a forum, comparing titles, bodies and answers."""
    from neardup.methods.threads.plan import thread_reader

    settings = ThreadSettings.make(fields, signature, **chosen)
    reader = thread_reader(settings, replace(shared.reader, revisions=revisions))
    source, old = shared.opened_files(inputs, reader)
    if shared.add:
        show_grown(Threads(), settings, shared, (source, old), shared.against)
        return
    result = shared.finish(Threads().job(source, settings, shared.run, old))
    shared.tell(result)
