"""What rests on the insides of Typer, for which it promises nothing.

Tried with Typer 0.29, whose values are read by pydantic. With any other, nothing of this is done: Typer
reads all values by itself, which may take a tenth of a second more, says in its own words what is wrong
with them, and its help may name types of Python; zsh completes at the second TAB.
"""

from typing import Any, Literal, get_args, get_origin

import typer

TRIED = "0.29"


def is_tried() -> bool:
    """Return whether the insides of the Typer that is installed are known."""
    return typer.__version__.rpartition(".")[0] == TRIED


class AsGiven:
    """Takes correct values as they are, and leaves others to Typer, which loads pydantic for them."""

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
    """Return whether a number may be too small or too large, which Typer sees to."""
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
    """Return whether a value is one of some words."""
    return get_origin(kind) is Literal and value in get_args(kind)


def plain(parameters: list[Any]) -> list[Any]:
    """Take what is right as it is given, and leave out of the help which type of Python it has."""
    for own in parameters:
        if own.param_type_name == "option" and own.is_flag:
            own.metavar = ""
        if is_tried() and hasattr(own, "get_runtime_param"):  # all but --help
            own.get_runtime_param = AsGiven
        if is_tried() and own.param_type_name == "argument":
            own.display_type_rich = lambda **_: ""
    return parameters


def complete_at_once() -> None:
    """Let zsh complete at the first TAB, at which Typer's script only says how to."""
    if not is_tried():
        return
    from typer import _completion_shared as shared

    scripts, added = shared._completion_scripts, "compdef %(complete_func)s %(prog_name)s"
    called = "if [[ $funcstack[1] = _%(prog_name)s ]]; then %(complete_func)s; fi"
    if scripts["zsh"].count(added) == 1 and called not in scripts["zsh"]:
        scripts["zsh"] += called
