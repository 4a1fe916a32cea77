"""`neardup serve`: an index to ask and a result to browse."""

from pathlib import Path
from typing import Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import InputNow
from neardup.errors import SettingsError
from neardup.store.database import Sync


@app.command()
def serve(
    targets: Annotated[
        list[Path] | None,
        typer.Argument(metavar="INDEX|OUT", help="The folder of an index, of a result, or both."),
    ] = None,
    mcp: Annotated[
        bool,
        typer.Option(
            "--mcp",
            help="Serve a program by MCP, on standard input and output: look a text up, compare two, "
            "find duplicates in a file, explain a pair, evaluate.",
        ),
    ] = False,
    input: InputNow = None,  # noqa: A002  (the word of the option)
    host: Annotated[
        str, typer.Option(help="The address to listen on; a token is needed if others can reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any free one.")] = 8765,
    token: Annotated[
        str | None,
        typer.Option(
            help="A secret that every request must carry.",
            show_default="made up, if other machines can reach the server",
        ),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Do not let anybody add or remove documents.")
    ] = False,
    sync: Annotated[
        Sync,
        typer.Option(
            help="When added documents are safe on disk: soon (a tenth of a second later), or with each "
            "request, before its answer."
        ),
    ] = "soon",
    max_body: Annotated[str, typer.Option(help="Refuse requests that are larger than this.")] = "16MB",
    max_text: Annotated[
        int, typer.Option(help="Refuse to look up texts with more characters than this.")
    ] = 1_000_000,
    timeout: Annotated[
        float | None,
        typer.Option(help="How many seconds an answer may take.", show_default="10; 120 with --mcp"),
    ] = None,
    concurrency: Annotated[
        int, typer.Option(help="How many requests may run or wait; more are refused.")
    ] = 64,
) -> None:
    """Start a web server for an index or a result, with pages and an API; or serve a program by MCP."""
    import secrets

    from neardup.server.run import check_installed, prepare
    from neardup.server.settings import ServerSettings, is_loopback
    from neardup.settings.run import parse_size
    from neardup.showing.console import ERR, OUT

    timeout = timeout or (120.0 if mcp else 10.0)
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    settings = ServerSettings(
        host, port, token, parse_size(max_body), max_text, timeout, concurrency, sync
    )
    if mcp:
        from neardup.server.tools import serve_tools

        serve_tools(targets or [], settings, input)
        return
    if not targets:
        raise SettingsError("there is nothing to serve", hint="Name an index, a result, or both.")
    check_installed()
    ERR.print("Getting ready; the first time on a machine, this takes a minute.", style="dim")
    prepared = prepare(targets, settings, read_only, input)
    secret = f"?token={token}" if token else ""
    OUT.print(f"Serving at {prepared.address}{secret} (Ctrl-C ends)", markup=False)
    prepared.run()
