"""The commands of the methods: one for each in the list.

A method with options of its own beside its settings has a module here that is called as it is; the
command of any other is made of its settings and of what its class says of itself.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from neardup.cli.app import MethodCommand, app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedAgainstOfTexts, SharedOfTexts, sharing, show_grown
from neardup.methods import ADDED, METHODS, loaded
from neardup.methods.method import Method


def add_command(method: Method) -> None:
    """Make the command of a method, which reads files, compares them, and prints what it found."""

    def command(inputs: Inputs, chosen: dict[str, Any], shared: SharedAgainstOfTexts) -> None:
        settings = method.settings(**chosen)
        reader = method.reader(settings, shared.reader)
        if method.has_old and shared.add:
            show_grown(method, settings, shared, shared.opened_files(inputs, reader), shared.against)
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


@cache
def add(name: str) -> None:
    """Add the command of one method."""
    if name not in ADDED and find_spec(f"neardup.cli.{name}"):
        import_module(f"neardup.cli.{name}")  # which may be no command, but about signals or options
    if name not in (
        command.callback and command.callback.__name__ for command in app.registered_commands
    ):
        method = loaded(name, METHODS[name])
        if method:  # else a warning says what is wrong with its package
            add_command(method)
