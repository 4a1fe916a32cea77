"""The commands of the methods: one for each in the list.

A method with options of its own beside its settings has a module here that is called as it is; the
command of any other is made of its settings and of what its class says of itself.
"""

from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from neardup.cli.app import MethodCommand, app
from neardup.cli.options import Inputs, needed_output, progress_for
from neardup.cli.shared import SharedAgainstOfTexts, SharedOfTexts, sharing
from neardup.methods import ADDED, METHODS, loaded
from neardup.methods.method import Method


def add_command(method: Method) -> None:
    """Make the command of a method: files are read, compared and told of."""

    def command(inputs: Inputs, chosen: dict[str, Any], shared: Any) -> None:
        settings = method.settings(**chosen)
        reader = method.reader(settings, shared.reader)
        if method.has_old and shared.add:
            show_grown(method, settings, replace(shared, keep_texts=True), inputs)
            return
        if method.has_old:
            source, *old = shared.opened_files(inputs, reader)
        else:
            source, old = shared.open_files(inputs, reader), []
        job = method.job(source, settings, shared.run, *old)
        shared.tell(shared.finish(job))

    command.__name__, command.__doc__ = method.name, type(method).__doc__
    kind = SharedAgainstOfTexts if method.has_old else SharedOfTexts
    app.command(cls=MethodCommand)(sharing(kind, method.settings)(command))


def show_grown(method: Method, settings: Any, shared: SharedAgainstOfTexts, inputs: list[str]) -> None:
    """Compare files with an index, add them, and tell of both."""
    from neardup.engines.base import Silent
    from neardup.index.growing import grown
    from neardup.showing.console import OUT, number

    quiet = shared.quiet or shared.as_json
    opened = shared.opened_files(inputs, method.reader(settings, shared.reader))
    needed_output(shared.output)
    found = grown(method, settings, shared, opened, shared.finish, progress_for(quiet) or Silent())
    if not quiet:
        amount = f"{number(found.added, 'document')} added to {shared.against[0]}"
        OUT.print(f"{amount}; of the {found.had:,} before, {found.read:,} had to be read", markup=False)
    shared.tell(found.result)


@cache
def add(name: str) -> None:
    """Add the command of one method."""
    if name not in ADDED and find_spec(f"neardup.cli.{name}"):
        import_module(f"neardup.cli.{name}")
    else:
        method = loaded(name, METHODS[name])
        if method:  # else a warning says what is wrong with its package
            add_command(method)
