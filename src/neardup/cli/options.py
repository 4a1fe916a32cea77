"""Options that several commands share, and what is made of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import typer

from neardup.cli.app import NEEDED, MethodCommand, Together, tell_waits
from neardup.engines import ENGINES
from neardup.errors import SettingsError
from neardup.readers import READERS
from neardup.results.options import TextOptions, options_of
from neardup.settings.base import RESULT, Expert, Setting
from neardup.settings.run import RunSettings

if TYPE_CHECKING:
    from neardup.engines.base import Progress
    from neardup.readers.records import ReaderSettings
    from neardup.settings.file import Option

Number = TypeVar("Number", int, float)
TAKES = {  # options whose type alone does not say what they take
    "output": NEEDED,
    "text_column": "COLUMN",
    "id_column": "COLUMN",
    "columns": "COLUMNS",
    "exclude": "FILE",
    "exclude_same": "COLUMN",
    "encoding": "NAME",
    "max_record": "SIZE",
    "memory": "SIZE",
}


def option_of(setting: Setting) -> Any:
    """Return what Typer needs to know of a setting."""
    about = setting.about
    flags = about.flags or (f"--{setting.name.replace('_', '-')}" if setting.type is bool else "")
    return typer.Option(
        *flags.split(),
        help=about.help,
        show_default=True if about.otherwise is None else about.otherwise,
        metavar="KEY=VALUE" if is_mapping(setting) else TAKES.get(setting.name),
        rich_help_panel=about.heading,
        hidden=isinstance(about, Expert),
    )


def is_mapping(setting: Setting) -> bool:
    """Return whether the values of a setting have names."""
    return get_origin(setting.type) is Mapping


def typed(setting: Setting) -> Any:
    """Return the type of a setting as it is typed: what may be a string is one; engines have names."""
    if setting.name == "engine":
        return Literal.__getitem__(tuple(ENGINES))
    if setting.name in ("against", "exclude"):
        return list[str] | None
    kind = list[str] if is_mapping(setting) else setting.type
    kind = str if str in get_args(kind) and get_origin(kind) is Union else kind
    return kind | None if setting.optional else kind


def read_typed(setting: Setting, value: Any) -> Any:
    """Return what a value that was typed stands for in Python."""
    if is_mapping(setting):
        return dict(pair(item, f"--{setting.name} KEY=VALUE") for item in value or ())
    if any(get_origin(part) is Iterable for part in get_args(setting.type)):
        return tuple(name.strip() for name in value.split(",") if name.strip())
    return value


def pair(item: str, like: str) -> tuple[str, str]:
    """Take a name and its value apart."""
    name, is_there, value = item.partition("=")
    if not is_there:
        raise SettingsError(f"{item!r} has no value", hint=f"Write it like {like}.")
    return name, value


ALL_OPTIONS = options_of(TextOptions)
Open = Annotated[bool, typer.Option("--open", help="Open the report in a browser, where there is one.")]
Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT…",
        help="Files, folders, patterns, web or cloud addresses, or - for standard input. Formats: "
        f"{', '.join(READERS.values())}; gz, bz2, zst, xz or lz4; in zip or tar archives, too.",
        show_default=False,
    ),
]
ResultFolder = Annotated[
    str, typer.Argument(metavar="OUT", help="The folder of a result, or an address such as s3://…")
]
InputNow = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        metavar="FOLDER",
        help="Where the input files are now, if you moved them; may be given several times.",
    ),
]
Threshold = Annotated[float, typer.Option(help="The lowest similarity of a pair: above 0, at most 1.")]
Output = Annotated[str | None, option_of(ALL_OPTIONS["output"])]
TextColumn = Annotated[str | None, option_of(ALL_OPTIONS["text_column"])]
IdColumn = Annotated[str | None, option_of(ALL_OPTIONS["id_column"])]
Raw = Annotated[bool, option_of(ALL_OPTIONS["raw"])]
Strict = Annotated[bool, option_of(ALL_OPTIONS["strict"])]
MaxRecord = Annotated[str, option_of(ALL_OPTIONS["max_record"])]
Encoding = Annotated[str, option_of(ALL_OPTIONS["encoding"])]
Workers = Annotated[int | None, option_of(ALL_OPTIONS["workers"])]
Memory = Annotated[str | None, option_of(ALL_OPTIONS["memory"])]
EngineName = Annotated[str, option_of(ALL_OPTIONS["engine"])]
Master = Annotated[str, option_of(ALL_OPTIONS["master"])]
Conf = Annotated[list[str] | None, option_of(ALL_OPTIONS["conf"])]
Overwrite = Annotated[bool, option_of(ALL_OPTIONS["overwrite"])]
FailOnDuplicates = Annotated[
    bool,
    typer.Option(
        "--fail-on-duplicates",
        help="Exit with code 3 if any pair is found, for checks.",
        rich_help_panel=RESULT,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.", rich_help_panel=RESULT)]
Json = Annotated[
    bool, typer.Option("--json", help="Print the result of the command as JSON.", rich_help_panel=RESULT)
]
StopAfter = Annotated[
    str | None,
    typer.Option(help="Stop after this step; --explain lists the steps.", rich_help_panel=RESULT),
]
ExplainPlan = Annotated[
    bool,
    typer.Option(
        "--explain", help="Print the steps of the run without running them.", rich_help_panel=RESULT
    ),
]
EstimateRun = Annotated[
    bool,
    typer.Option(
        "--estimate",
        help="Run on a sample, and estimate what the whole run will take and find.",
        rich_help_panel=RESULT,
    ),
]


@dataclass(frozen=True, kw_only=True)
class ReadTexts(Together):
    """Which text of a record is read."""

    text_column: TextColumn = None
    raw: Raw = False

    @property
    def reader(self) -> "ReaderSettings":
        """Return how the input is read."""
        return TextOptions(**vars(self)).reader


@dataclass(frozen=True, kw_only=True)
class ReadDocuments(ReadTexts):
    """Which text of a record is read, and which id."""

    id_column: IdColumn = None


@dataclass(frozen=True, kw_only=True)
class ReadRecords(ReadDocuments):
    """All that is said of records."""

    strict: Strict = False
    max_record: MaxRecord = "256MB"
    encoding: Encoding = "auto"


@dataclass(frozen=True, kw_only=True)
class Machine(Together):
    """What a command may use of the machine."""

    workers: Workers = None
    memory: Memory = None

    @property
    def run(self) -> RunSettings:
        """Return what a run may use."""
        return RunSettings.make(self.workers, self.memory)


def take_settings(context: typer.Context, path: Path | None) -> Path | None:
    """Let a file of settings stand for options that are not given; those by --set go before it."""
    if path is not None:
        from neardup.methods import all_methods, method_named
        from neardup.settings.file import read_options

        known = vars(context.command.callback)  # what `sharing` says of a command
        name, kind = str(context.info_name), known.get("settings")
        name = next((method.name for method in all_methods() if method.settings is kind), name)
        derived = (*method_named(name).derived, *known.get("apart", ()))
        found = read_options(path, name, allowed_in(context), derived)
        context.default_map = {**found, **(context.default_map or {})}
    return path


def take_set(context: typer.Context, items: list[str] | None) -> list[str] | None:
    """Let --set NAME=VALUE stand for the option of this name, also if the help does not show it."""
    if items:
        from neardup.settings.file import checked_options

        allowed, given = allowed_in(context), dict[str, Any]()
        for name, value in (pair(item, "--set threshold=0.5") for item in items):
            known = allowed.get(name.replace("-", "_"))
            if known and known.several:
                given.setdefault(name, []).append(value)
            elif name in given:
                raise given_twice(name)
            else:
                given[name] = value
        found = checked_options(given, str(context.info_name), allowed)
        context.default_map = {**(context.default_map or {}), **found}
    return items


def given_twice(name: str) -> SettingsError:
    """Return the error for a setting that has two values."""
    return SettingsError(f"{name} is given twice", hint="Give it as an option or with --set, once.")


def allowed_in(context: typer.Context) -> "dict[str, Option]":
    """Return the options of a command that a file of settings may give."""
    from neardup.settings.file import Option

    return {
        own.name: Option(bool(own.multiple), partial(problem_of, context, own))
        for own in context.command.params
        if own.param_type_name == "option" and not own.is_eager
    }


def show_all(context: typer.Context, asked: bool) -> None:
    """Print the help with all options."""
    if asked and isinstance(context.command, MethodCommand):
        context.command.format_all(context)
        raise typer.Exit


def problem_of(context: typer.Context, parameter: Any, value: Any) -> str | None:
    """Return what is wrong with the value of an option, if anything."""
    if isinstance(value, bool) and not parameter.is_flag:
        return "it takes a value, not true or false"
    try:
        parameter.process_value(context, value)
    except typer.BadParameter as error:
        return error.message
    return None


SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        is_eager=True,
        callback=take_settings,
        help="Take settings from a file: TOML, JSON, the output of neardup tune, or the run.json of "
        "a result; other options override it.",
    ),
]
SetByName = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        is_eager=True,
        callback=take_set,
        help="Set any setting by its name, as in a file; may be given several times.",
    ),
]
HelpAll = Annotated[
    bool,
    typer.Option(
        "--help-all",
        is_eager=True,
        callback=show_all,
        help="Show all options with their explanations, and exit.",
    ),
]


def needed_output(output: str | Path | None) -> str:
    """Return the folder for the result, or say that there must be one."""
    if output is None:
        raise SettingsError("no folder for the result", hint="Name one with -o, such as -o OUT.")
    return str(output)


def progress_for(quiet: bool) -> "Progress | None":
    """Choose bars for a terminal, lines for anything else, nothing if quiet."""
    from neardup.showing.progress import shown

    tell_waits(not quiet)
    return shown(not quiet)


def listed_numbers(option: str, text: str, kind: type[Number]) -> list[Number]:
    """Read numbers with commas between them.

    >>> listed_numbers("depths", "0, 5", int)
    [0, 5]
    """
    try:
        return [kind(part) for part in text.replace(",", " ").split()]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise SettingsError(f"--{option} takes {what} with commas between them, not {text!r}") from None
