"""`neardup asked` says whether a question was asked before."""

import json
import sys
from typing import Annotated, Any

import typer

from neardup.cli.app import app
from neardup.cli.options import InputNow, Json, Machine, Quiet, ResultFolder, progress_for
from neardup.errors import InputError, SettingsError


@app.command()
def asked(
    out: ResultFolder,
    *,
    title: Annotated[str | None, typer.Option(help="The title of the new question.")] = None,
    body: Annotated[str | None, typer.Option(help="The body of the new question.")] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=TEXT", help="Another field of the question; may be repeated."),
    ] = None,
    top: Annotated[int, typer.Option(help="How many threads to show at most.")] = 5,
    least: Annotated[
        float, typer.Option(help="Show threads that are at least this similar: above 0, at most 1.")
    ] = 0.3,
    input: InputNow = None,  # noqa: A002  (the word of the option)
    machine: Machine,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Return whether a question was asked before: show the threads of a result that are most like it.

    Below them come the threads that are nearest in what they say, which may ask the same in other words.

    Without --title, --body and --field, the question is read from standard input, as a JSON object. The
    first call makes an index in the folder of the result, which takes a while.
    """
    from neardup.methods.threads.index import FOLDER, ThreadIndex
    from neardup.methods.threads.view import show_asked, show_suggested
    from neardup.result import Result
    from neardup.showing.console import OUT

    result = Result(out, input=input)
    thread = given_thread(title, body, field or [])
    progress = progress_for(quiet or as_json)
    if progress and not (result.folder / FOLDER).is_dir():
        progress.note("making an index, once: this takes about as long as reading the input")
    index = ThreadIndex.build(result, progress=progress, **vars(machine))
    found = index.ask(thread, top, least)
    known = {one.id for one in found}
    near = [one for one in index.suggest(thread, top) if one.id not in known]
    if as_json:
        data = {"found": [one.as_dict() for one in found], "nearest": [one.as_dict() for one in near]}
        OUT.print_json(data=data)
    else:
        show_asked(found, least)
        show_suggested(near)


def given_thread(title: str | None, body: str | None, others: list[str]) -> dict[str, Any]:
    """Return the fields of the question."""
    if wrong := [item for item in others if "=" not in item]:
        raise SettingsError(f"{wrong[0]!r} is not NAME=TEXT", hint="Write it like --field answer='…'.")
    pairs = [item.partition("=")[::2] for item in others]
    given = {"title": title, "body": body} | dict(pairs)
    found = {name: text for name, text in given.items() if text is not None}
    if found:
        return found
    try:
        thread = json.loads(sys.stdin.read())
    except ValueError as error:
        hint = "Give the question with --title, --body or --field, or as JSON on standard input."
        raise InputError(f"this is not JSON: {error}", where="standard input", hint=hint) from None
    if not isinstance(thread, dict) or not all(isinstance(v, str | None) for v in thread.values()):
        raise InputError("this is not a JSON object whose values are texts", where="standard input")
    return thread
