"""The command line's app: commands add themselves to it, and say in plain words what they take."""

import inspect
import logging
import types
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from shlex import quote
from typing import Any, Literal, Union, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo

from neardup.cli.inside_typer import plain
from neardup.engines.pandas import load_arrow
from neardup.settings.base import INPUT, RESULT, RUN

WORDS = {bool: "", int: "N", float: "NUMBER", Path: "FILE"}  # for what an option takes; others: TEXT
USAGE: Any = typer.BadParameter.__base__  # the error of wrong usage, which Typer does not name
ADVANCED = "Advanced"  # the heading of options that --help leaves to --help-all
FOLDED = (INPUT, RUN, RESULT)  # headings of what all methods share: a line each
NEEDED = "OUT"  # what stands for a folder without which a command does not run
LOG = logging.getLogger("neardup")


class Command(TyperCommand):
    """A command whose usage shows what must be given: its arguments, then options, then the rest."""

    def get_params(self, ctx: Any) -> Any:
        """Return the arguments and options."""
        return plain(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed; where a shell made several words of a pattern, say how it stays one."""
        several = {
            name for p in self.get_params(ctx) if getattr(p, "multiple", False) for name in p.opts
        }
        used = [word for word in args if word in several]
        try:
            return list(super().parse_args(ctx, args))
        except USAGE as error:
            if used and "unexpected extra argument" in error.message:
                error.message += f". Give {used[0]} before each, or a pattern in quotes: {used[0]} 'a/*'"
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run the command, now that what was typed is right."""
        load_arrow()
        return super().invoke(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words that follow the name of the command."""
        own = self.get_params(ctx)
        arguments = [str(p.metavar) for p in own if p.param_type_name == "argument"]
        needed = [p for p in own if p.param_type_name == "option" and (p.required or is_needed(p))]
        return [*arguments, *(f"{min(p.opts, key=len)} {p.metavar}" for p in needed), "[OPTIONS]"]


class MethodCommand(Command):
    """The command of a method: its help shows what most people need, and names the rest."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help; what all methods share has a line for each heading."""
        options = [p for p in self.get_params(ctx) if p.param_type_name == "option"]
        folded = [p for p in options if p.rich_help_panel in FOLDED and not is_needed(p)]
        for option in folded:
            option.hidden = True
        named = {heading: [p for p in folded if p.rich_help_panel == heading] for heading in FOLDED}
        named[ADVANCED] = [p for p in options if p.hidden and p not in folded]
        lines = [
            f"{heading}: {', '.join(max(option.opts, key=len) for option in own)}"
            for heading, own in named.items()
            if own
        ]
        self.epilog = "\n\n".join([f"{ctx.command_path} --help-all explains these, too:", *lines])
        super().format_help(ctx, formatter)

    def format_all(self, ctx: Any) -> None:
        """Print the help with everything in it."""
        for option in self.get_params(ctx):
            if getattr(option, "hidden", False):
                option.hidden, option.rich_help_panel = False, option.rich_help_panel or ADVANCED
        super().format_help(ctx, ctx.make_formatter())


class Group(TyperGroup):
    """A group of commands."""

    def get_params(self, ctx: Any) -> Any:
        """Return the options before a command: False, not None, for which Typer would load pydantic."""
        own = plain(super().get_params(ctx))
        for option in own:
            option.default = option.default or False
        return own

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that was typed; to give a path alone means to find its duplicates."""
        try:
            return super().resolve_command(ctx, args)
        except USAGE as error:
            if ctx.parent is None and Path(args[0]).exists():
                what = "folder" if Path(args[0]).is_dir() else "file"
                told = f"neardup documents {quote(args[0])} -o OUT"
                error.message = f"This {what} is no command. To find near-duplicates in it: {told}"
            raise


def is_needed(option: Any) -> bool:
    """Return whether an option is the folder for what a command writes, and there is no other."""
    return bool(option.name == "output" and option.metavar == NEEDED)


class App(typer.Typer):
    """An app, or a group of commands, whose options say in words what they take."""

    def command(self, *given: Any, **named: Any) -> Callable[..., Any]:
        """Add a command."""
        add = super().command(*given, **{"cls": Command, **named})

        def added(function: Callable[..., Any]) -> Any:
            function = ungrouped(function)
            for parameter in inspect.signature(function).parameters.values():
                describe(parameter)
            return add(function)

        return added


class Together:
    """Options that go together: a dataclass of them, which commands take as one parameter."""

    @classmethod
    def options(cls) -> Mapping[str, inspect.Parameter]:
        """Return the options by their names."""
        return inspect.signature(cls).parameters


def ungrouped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command, in place of each parameter that is options together, these options."""
    own = inspect.signature(function)
    kinds = {name: p.annotation for name, p in own.parameters.items()}
    groups = {n: k for n, k in kinds.items() if isinstance(k, type) and issubclass(k, Together)}
    if not groups:
        return function

    @wraps(function)
    def command(**given: Any) -> Any:
        made = {n: kind(**{own: given.pop(own) for own in kind.options()}) for n, kind in groups.items()}
        return function(**given, **made)

    parameters = [
        spread
        for p in own.parameters.values()
        for spread in (groups[p.name].options().values() if p.name in groups else [p])
    ]
    command.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def describe(parameter: inspect.Parameter) -> None:
    """Give an option a word for what it takes, if it has none of its own."""
    kind, *notes = get_args(parameter.annotation) or (None,)
    for note in notes:
        if isinstance(note, OptionInfo) and note.metavar is None:
            note.metavar = word(kind)


def word(kind: Any) -> str:
    """Return what stands for the value of an option in its help.

    >>> word(list[str] | None), word(Literal["star", "components"]), word(Path | None)
    ('TEXT', 'star|components', 'FILE')
    """
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    if get_origin(kind) is list:
        [kind] = get_args(kind)
    if get_origin(kind) is Literal:
        return "|".join(get_args(kind))
    return WORDS.get(kind, "TEXT")


class Told(logging.Handler):
    """Shows one message on a line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Show it."""
        from neardup.showing.progress import shown

        if progress := shown(True):
            progress.note(record.getMessage())


def tell_waits(told: bool = True) -> None:
    """Show messages from now on, or errors only."""
    if not any(isinstance(handler, Told) for handler in LOG.handlers):
        LOG.addHandler(Told())
    LOG.setLevel(logging.WARNING if told else logging.ERROR)


app = App(
    name="neardup",
    help="Finds near-duplicate text, proves it, and shows where.",
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
