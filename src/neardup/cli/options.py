"""Options that several commands share, and what is made of them."""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import typer

from neardup.cli.app import NEEDED
from neardup.cli.waits import tell_waits
from neardup.engines import ENGINES
from neardup.errors import SettingsError
from neardup.readers import READERS
from neardup.results.options import TextOptions, options_of
from neardup.settings.base import RESULT, Setting

if TYPE_CHECKING:
    from neardup.engines.base import Progress


TAKES = {  # options whose type alone does not say what they take
    "output": NEEDED,
    "text_column": "COLUMN",
    "id_column": "COLUMN",
    "columns": "COLUMNS",
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
    )


def is_mapping(setting: Setting) -> bool:
    """Say whether the values of a setting have names."""
    return get_origin(setting.type) is Mapping


def typed(setting: Setting) -> Any:
    """Return the type of a setting as it is typed: what may be a string is one; engines have names."""
    if setting.name == "engine":
        return Literal.__getitem__(tuple(ENGINES))
    if setting.name == "against":
        return list[str] | None
    kind = list[str] if is_mapping(setting) else setting.type
    kind = str if str in get_args(kind) and get_origin(kind) is Union else kind
    return kind | None if setting.optional else kind


def read_typed(setting: Setting, value: Any) -> Any:
    """Return what a value that was typed stands for in Python."""
    if is_mapping(setting):
        return dict(named(setting, item) for item in value or ())
    if any(get_origin(part) is Iterable for part in get_args(setting.type)):
        return tuple(name.strip() for name in value.split(",") if name.strip())
    return value


def named(setting: Setting, item: str) -> tuple[str, str]:
    """Take a name and its value apart."""
    name, is_there, value = item.partition("=")
    if not is_there:
        hint = f"Write it like --{setting.name} KEY=VALUE."
        raise SettingsError(f"{item!r} has no value", hint=hint)
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
    str,
    typer.Argument(
        metavar="OUT", help="The folder that a run wrote its result to, or an address such as s3://…"
    ),
]
InputNow = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        metavar="FOLDER",
        help="Where the files of the input are now, if they were moved; may be given several times.",
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
        help="End with exit code 3 if any pair is found, for checks.",
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
        "--explain", help="Print the steps of the run, and do nothing.", rich_help_panel=RESULT
    ),
]


def take_settings(context: typer.Context, path: Path | None) -> Path | None:
    """Let a file of settings stand for options that are not given."""
    if path is not None:
        from neardup.methods import method_named
        from neardup.settings.file import Option, read_options

        allowed = {
            parameter.name: Option(bool(parameter.multiple), partial(problem_of, context, parameter))
            for parameter in options_in(context)
        }
        command = str(context.info_name)
        found = read_options(path, command, allowed, method_named(command).derived)
        context.default_map = {**(context.default_map or {}), **found}
    return path


def options_in(context: typer.Context) -> list[Any]:
    """Return the options of a command that a file of settings may give."""
    options = [p for p in context.command.params if p.param_type_name == "option"]
    return [option for option in options if option.name != "settings_file"]


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
        help="Take settings from a file: TOML or JSON, what neardup tune wrote, or the run.json of a "
        "result; options given here win.",
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
