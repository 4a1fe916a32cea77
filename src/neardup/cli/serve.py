"""`neardup serve`: an index to ask and a result to browse."""

from pathlib import Path
from typing import Annotated

import typer

from neardup.cli.app import app
from neardup.index.settings import Sync


@app.command()
def serve(
    targets: Annotated[
        list[Path],
        typer.Argument(
            metavar="INDEX|OUT", help="The file of an index, the folder of a result, or both."
        ),
    ],
    host: Annotated[
        str, typer.Option(help="The address to listen on; others than this machine's need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.")] = 8765,
    token: Annotated[
        str | None,
        typer.Option(
            help="Who asks must know this.", show_default="made up, if others can reach the server"
        ),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Let nobody add or remove documents.")
    ] = False,
    sync: Annotated[
        Sync,
        typer.Option(
            help="When added documents are on the disk: a tenth of a second later, or at once."
        ),
    ] = "soon",
    max_body: Annotated[str, typer.Option(help="The largest request.")] = "16MB",
    max_text: Annotated[int, typer.Option(help="The most characters of a text to look up.")] = 1_000_000,
    timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.")] = 10.0,
    concurrency: Annotated[
        int, typer.Option(help="Requests that are worked on or wait at a time.")
    ] = 64,
) -> None:
    """Serve an index or a result: an API, and pages to search and browse in."""
    import secrets

    from neardup.server.run import prepare
    from neardup.server.settings import ServerSettings, is_loopback
    from neardup.settings.run import parse_size
    from neardup.showing.console import ERR, OUT

    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    settings = ServerSettings(
        host, port, token, parse_size(max_body), max_text, timeout, concurrency, sync
    )

    ERR.print("Getting ready; the first time on a machine, this takes a minute.", style="dim")
    prepared = prepare(targets, settings, read_only)
    secret = f"?token={token}" if token else ""
    OUT.print(f"Serving at {prepared.address}{secret} (Ctrl-C ends)", markup=False)
    prepared.run()
