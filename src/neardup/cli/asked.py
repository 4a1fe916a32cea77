"""`neardup asked` says whether a question was asked before."""

import json
import sys
from typing import Annotated, Any

import typer

from neardup.cli.app import app
from neardup.cli.options import Json, Memory, Quiet, ResultFolder, Workers, progress_for
from neardup.errors import InputError, SettingsError


@app.command()
def asked(
    out: ResultFolder,
    title: Annotated[str | None, typer.Option(help="The title of the new thread.")] = None,
    body: Annotated[str | None, typer.Option(help="Its body.")] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=TEXT", help="Another field; may be given several times."),
    ] = None,
    top: Annotated[int, typer.Option(help="How many threads to show.")] = 5,
    least: Annotated[float, typer.Option(help="The least similarity, above 0 to 1.")] = 0.3,
    workers: Workers = None,
    memory: Memory = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Show the threads of a result that are most similar to a new one.

    Without any field, the new thread is read from standard input, as a JSON object. The first time, an
    index is made in the folder of the result.
    """
    from neardup.methods.threads.index import FOLDER, ThreadIndex
    from neardup.methods.threads.view import show_asked
    from neardup.result import Result
    from neardup.showing.console import OUT

    result = Result(out)
    thread = given_thread(title, body, field or [])
    progress = progress_for(quiet or as_json)
    if progress and not (out / FOLDER).is_dir():
        progress.note("making an index, once: this takes about as long as reading the input")
    index = ThreadIndex.build(result, progress=progress, workers=workers, memory=memory)
    found = index.ask(thread, top, least)
    if as_json:
        OUT.print_json(data={"found": [one.as_dict() for one in found]})
    else:
        show_asked(found, least)


def given_thread(title: str | None, body: str | None, others: list[str]) -> dict[str, Any]:
    """Return the fields of the new thread."""
    if wrong := [item for item in others if "=" not in item]:
        raise SettingsError(f"{wrong[0]!r} is no NAME=TEXT", hint="Write it like --field answer='…'.")
    pairs = [item.partition("=")[::2] for item in others]
    given = {"title": title, "body": body} | dict(pairs)
    found = {name: text for name, text in given.items() if text is not None}
    if found:
        return found
    try:
        thread = json.loads(sys.stdin.read())
    except ValueError as error:
        hint = "Give the new thread with --title, --body or --field, or as JSON on standard input."
        raise InputError(f"this is no JSON: {error}", where="standard input", hint=hint) from None
    if not isinstance(thread, dict) or not all(isinstance(v, str | None) for v in thread.values()):
        raise InputError("this is no JSON object of texts", where="standard input")
    return thread
