"""The command line: one module for the commands of each kind."""

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from neardup import __version__, plugins
from neardup.cli.app import App, Group, app, tell_waits
from neardup.cli.endings import interruptible, signals_heard
from neardup.cli.inside_typer import complete_at_once
from neardup.errors import InputError, NeardupError, SettingsError, StoppedEarlyError
from neardup.methods import ADDED, METHODS
from neardup.settings.run import check_addresses

__all__ = ["main", "whole_app"]

FIND = "Find near-duplicates"  # the heading of methods
# The commands in the order of the help, under its headings.
HEADINGS = {
    "Begin": "demo estimate warm",
    FIND: "",
    "Clean a corpus": "clean",
    "Look at a result": "show explain report origins check",
    "Use a result": "dedup export asked",
    "Index and server": "index query filter serve",
    "Measure": "sample evaluate tune trec study",
}
TAKEN = " ".join(HEADINGS.values()).split()
HEADINGS[FIND] = " ".join(name for name in METHODS if name not in TAKEN)
MODULES = {  # that add commands to the app, where they are not called as the command is
    **dict.fromkeys(("show", "explain", "report", "origins", "check", "dedup", "export"), "results"),
    "demo": "estimate",
    "warm": "estimate",
    "query": "index",
    "sample": "evaluate",
}


LIGHT = {"show", "check", "--version", "--help", "-h"}  # what needs little


class Commands(Group):
    """The commands under their headings."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        for heading, names in HEADINGS.items():
            for name in names.split():
                command: Any = self.commands.pop(name, None)
                if command is not None:
                    command.rich_help_panel = heading
                    self.commands[name] = command

    def invoke(self, ctx: Any) -> Any:
        """Run a command until it ends, or is interrupted."""
        with interruptible():
            return super().invoke(ctx)


@app.callback(cls=Commands)
def options(
    show_version: Annotated[
        bool, typer.Option("--version", is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""
    if show_version:
        typer.echo(__version__)
        raise typer.Exit


def load(name: str = "") -> None:
    """Load the module of a command; of any other word, those of all commands."""
    for refused in set(TAKEN) & set(ADDED):
        plugins.warn(ADDED[refused], f"the name {refused!r} is taken")
    known = " ".join(HEADINGS.values()).split()
    for own in [name] if name in known else known:
        if own in HEADINGS[FIND].split():
            from neardup.cli.methods import add

            add(own)
        else:
            import_module(f"neardup.cli.{MODULES.get(own, own)}")


def whole_app() -> App:
    """Return the app with all its commands; `main` has but the one that is run, to begin at once."""
    load()
    return app


def main() -> None:
    """Run the command line; errors end with a message and exit code 1, wrong usage with 2."""
    with signals_heard(), interruptible():
        try:
            prepare()
            app(prog_name="neardup")
        except StoppedEarlyError as stop:
            typer.echo(str(stop))
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except (NeardupError, OSError, MemoryError) as error:
            if os.environ.get("NEARDUP_DEBUG") and not isinstance(error, NeardupError):
                raise
            from neardup.showing.console import show_error

            show_error(error)
            sys.exit(2 if isinstance(error, SettingsError) else 1)


def check_words(words: Iterable[str]) -> None:
    """Refuse names of files and columns, and texts, that no table could hold."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            where = word.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            hint = "Rename the file or folder, or write the text in UTF-8: tables hold nothing else."
            raise InputError("this is not UTF-8", where=where, hint=hint) from None


def open_closed_streams() -> None:
    """Let what is printed go nowhere if it was closed; the next file would take its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def prepare() -> None:
    """Load the command that is asked for, and set up what is the process's own."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy would start threads that nothing needs
    open_closed_streams()
    if not os.environ.get("COLUMNS", "").strip("0"):  # nothing fits into no columns
        os.environ.pop("COLUMNS", None)
    check_words(sys.argv)
    if not LIGHT.intersection(sys.argv[1:]) and sys.argv[1:]:
        check_addresses()
    tell_waits()
    load(*sys.argv[1:2])
    if {"--install-completion", "--show-completion"}.intersection(sys.argv):
        complete_at_once()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode shows question marks
