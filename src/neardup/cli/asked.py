"""`neardup asked` says whether a question was asked before."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from neardup.cli.app import app
from neardup.cli.options import InputNow, Json, Machine, Quiet, ResultFolder, progress_for
from neardup.errors import InputError, SettingsError
from neardup.store.files import is_index


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
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="INPUT", help="Add the threads of a file to the index; may be repeated."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="With --add: replace threads that have the same id.")
    ] = False,
    remove: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Remove the thread with this id; may be repeated."),
    ] = None,
    top: Annotated[int, typer.Option(help="The most threads to show.")] = 5,
    least: Annotated[
        float, typer.Option(help="Show threads that are at least this similar: above 0, at most 1.")
    ] = 0.3,
    input: InputNow = None,  # noqa: A002  (the word of the option)
    machine: Machine,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find the threads of a result that are most similar to a new question.

    Below them, suggest threads that may ask the same in other words.

    Without --title, --body and --field, it reads the question from standard input, as a JSON object. The
    first call makes an index in the folder of the result, which takes a while. --add and --remove change
    the threads in the index: all of them or, if that fails, none.
    """
    from neardup.index.asked import FOLDER, ThreadIndex
    from neardup.methods.threads.view import show_asked, show_suggested
    from neardup.result import Result
    from neardup.showing.console import OUT

    changes = bool(add or remove)
    progress = progress_for(quiet or as_json)
    result = None if is_index(Path(out)) else Result(out, input=input)
    is_question = not changes or title is not None or body is not None or bool(field)
    thread = given_thread(title, body, field or []) if is_question else {}
    if result is None:
        index = ThreadIndex(out, changes)
    else:
        if progress and not is_index(result.folder / FOLDER):
            progress.note("making an index, once: this takes about as long as reading the input")
        index = ThreadIndex.build(result, progress=progress, writable=changes, **vars(machine))
    data: dict[str, Any] = {}
    with index:
        if remove:
            data["removed"] = index.remove(remove)
        if add:
            data["added"] = index.add_files(add, replace_ids=replace, progress=progress)._asdict()
        if changes:
            data["threads"] = len(index)
        found = index.ask(thread, top, least) if is_question else []
        known = {one.id for one in found}
        near = [one for one in index.suggest(thread, top) if one.id not in known] if is_question else []
    if as_json:
        own = {"found": [one.as_dict() for one in found], "nearest": [one.as_dict() for one in near]}
        OUT.print_json(data=data | (own if is_question else {}))
        return
    if changes and not quiet:
        show_changes(data)
    if is_question:
        show_asked(found, least)
        show_suggested(near)


def show_changes(data: dict[str, Any]) -> None:
    """Print how many threads were added and removed, and how many can be asked now."""
    from neardup.showing.console import OUT, number

    if "removed" in data:
        OUT.print(f"[bold]{number(data['removed'], 'thread')}[/bold] removed")
    if added := data.get("added"):
        again = f", {added['replaced']:,} of them in place of others" if added["replaced"] else ""
        OUT.print(f"[bold]{number(added['documents'], 'thread')}[/bold] added{again}")
        for problem, count in added["skipped"].items():
            OUT.print(f"  skipped {count:,}: {problem}", style="yellow", markup=False)
    OUT.print(f"{number(data['threads'], 'thread')} can be asked")


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
