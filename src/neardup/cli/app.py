"""The command line's app: commands add themselves to it, and say in plain words what they take."""

import inspect
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo

from neardup.engines.pandas import load_arrow

WORDS = {bool: "", int: "N", float: "NUMBER", Path: "FILE"}  # for what an option takes; others: TEXT
USAGE: Any = typer.BadParameter.__base__  # the error of wrong usage, which Typer does not name
NEEDED = "OUT"  # what stands for a folder without which a command does not run


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


class Group(TyperGroup):
    """A group of commands."""

    def get_params(self, ctx: Any) -> Any:
        """Return the options before a command: False, not None, for which Typer would load pydantic."""
        own = plain(super().get_params(ctx))
        for option in own:
            option.default = option.default or False
        return own


class AsGiven:
    """Takes what is right as it is given, and leaves all else to Typer, which loads pydantic for it."""

    @staticmethod
    def coerce(value: Any, param: Any, ctx: Any) -> Any:
        """Return the value that a command is called with."""
        kind = param.type_descriptor.annotation
        if param.multiple or param.nargs == -1:
            if value is None or (kind == list[str] and isinstance(value, list | tuple)):
                return () if value is None else list(value)
        elif value is None or type(value) is kind or is_choice(value, kind):
            return value
        elif not is_bounded(param) and (number := plain_number(value, kind)) is not None:
            return number
        try:
            return type(param).get_runtime_param(param).coerce(value, param=param, ctx=ctx)
        except typer.BadParameter as error:
            error.message = in_words(error.message, value)
            raise


def in_words(message: str, value: Any) -> str:
    """Say what is wrong with a value as people would.

    >>> in_words("Input should be a valid number, unable to parse string as a number", "70%")
    "'70%' is not a number. Write it like 0.7."
    """
    if message.startswith("Input should be a valid number"):
        return f"{value!r} is not a number. Write it like 0.7."
    if message.startswith("Input should be a valid integer"):
        return f"{value!r} is not a whole number."
    return message.removeprefix("Value error, ")


def is_bounded(param: Any) -> bool:
    """Say whether a number may be too small or too large, which Typer sees to."""
    return any(getattr(param, bound, None) is not None for bound in ("min", "max"))


def plain_number(value: Any, kind: Any) -> float | None:
    """Return a number that is written with digits and a point, None if that is not all.

    >>> plain_number("0.7", float), plain_number("2", int | None), plain_number("2.0", int)
    (0.7, 2, None)
    """
    wanted = {int, float}.intersection(get_args(kind) or (kind,))
    if not isinstance(value, str):
        return None
    if int in wanted and value.isascii() and value.isdecimal():
        return int(value)
    if float in wanted and value.isascii() and value.replace(".", "", 1).isdecimal():
        return float(value)
    return None


def is_choice(value: Any, kind: Any) -> bool:
    """Say whether a value is one of some words."""
    return get_origin(kind) is Literal and value in get_args(kind)


def plain(parameters: list[Any]) -> list[Any]:
    """Leave out of the help which type of Python an argument or a flag has."""
    for own in parameters:
        if hasattr(own, "get_runtime_param"):
            own.get_runtime_param = AsGiven
        if own.param_type_name == "argument":
            own.display_type_rich = lambda **_: ""
        elif own.is_flag:
            own.metavar = ""
    return parameters


def is_needed(option: Any) -> bool:
    """Say whether an option is the folder for what a command writes, and there is no other."""
    return bool(option.name == "output" and option.metavar == NEEDED)


class App(typer.Typer):
    """An app, or a group of commands, whose options say in words what they take."""

    def command(self, *given: Any, **named: Any) -> Callable[..., Any]:
        """Add a command."""
        add = super().command(*given, **{"cls": Command, **named})

        def added(function: Callable[..., Any]) -> Any:
            for parameter in inspect.signature(function).parameters.values():
                describe(parameter)
            return add(function)

        return added


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


def complete_at_once() -> None:
    """Let zsh complete at the first TAB, at which Typer's script only says how to."""
    from typer import _completion_shared as shared

    scripts, added = shared._completion_scripts, "compdef %(complete_func)s %(prog_name)s"
    called = "if [[ $funcstack[1] = _%(prog_name)s ]]; then %(complete_func)s; fi"
    if scripts["zsh"].count(added) == 1 and called not in scripts["zsh"]:
        scripts["zsh"] += called


app = App(
    name="neardup",
    help="Finds near-duplicate text, proves it, and shows where.",
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
