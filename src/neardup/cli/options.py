"""Options that several commands share, and what is made of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from neardup.errors import SettingsError
from neardup.readers import READERS

if TYPE_CHECKING:
    from neardup.engines.base import Progress
    from neardup.readers.records import ReaderSettings
    from neardup.settings.run import SparkSettings

INPUT, RUN, RESULT = "Input", "Run", "Result"  # headings in the help
INTERRUPTED = 130  # as shells say it: 128 and the number of the signal


Engine = Literal["local", "spark"]
Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT…",
        help="Files, folders, patterns, remote paths, or - for standard input: "
        f"{', '.join(READERS.values())}; gz, bz2, zst, xz or lz4.",
        show_default=False,
    ),
]
ResultFolder = Annotated[Path, typer.Argument(metavar="OUT", help="The folder of a result.")]
Threshold = Annotated[float, typer.Option(help="The least similarity of a pair, above 0 to 1.")]
TextColumn = Annotated[
    str | None,
    typer.Option(
        help="The column with the text; nested ones with dots: meta.body.", rich_help_panel=INPUT
    ),
]
IdColumn = Annotated[
    str | None, typer.Option(help="The column with the documents' ids.", rich_help_panel=INPUT)
]
Columns = Annotated[
    str,
    typer.Option(
        help="More columns to carry into the result, with commas between them.", rich_help_panel=INPUT
    ),
]
Raw = Annotated[
    bool,
    typer.Option("--raw", help="All text of HTML pages, not the main content.", rich_help_panel=INPUT),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Stop at the first record that is bad.", rich_help_panel=INPUT)
]
MaxRecord = Annotated[
    str, typer.Option(help="Skip records that are larger than this.", rich_help_panel=INPUT)
]
Workers = Annotated[
    int | None, typer.Option(help="Cores to use.", show_default="all", rich_help_panel=RUN)
]
Memory = Annotated[
    str | None,
    typer.Option(
        help="Memory to work in, such as 4GB.", show_default="half of all", rich_help_panel=RUN
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.", rich_help_panel=RESULT)]
Json = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.", rich_help_panel=RESULT)]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace a result that is there.", rich_help_panel=RESULT)
]


Output = Annotated[
    str | None, typer.Option("--output", "-o", help="The folder for the result.", rich_help_panel=RESULT)
]
EngineName = Annotated[
    Engine,
    typer.Option(
        "--engine", help="Where to run: on this machine, or on Apache Spark.", rich_help_panel=RUN
    ),
]
Master = Annotated[
    str,
    typer.Option(help="spark: local[*], spark://HOST:PORT, yarn or k8s://ADDRESS.", rich_help_panel=RUN),
]
Conf = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="spark: one of its own settings.", rich_help_panel=RUN),
]
KeepSteps = Annotated[
    bool,
    typer.Option(
        "--keep-steps", help="Keep each step's table in the result folder.", rich_help_panel=RESULT
    ),
]
StopAfter = Annotated[
    str | None, typer.Option(help="Stop after this step of the plan.", rich_help_panel=RESULT)
]
ExplainPlan = Annotated[
    bool, typer.Option("--explain", help="Print the plan and do nothing.", rich_help_panel=RESULT)
]


def take_settings(context: typer.Context, path: Path | None) -> Path | None:
    """Let a file of settings stand for options that are not given."""
    if path is not None:
        from neardup.methods import method_named
        from neardup.settings.file import Option, read_options

        allowed = {
            parameter.name: Option(bool(parameter.multiple), partial(problem_of, context, parameter))
            for parameter in options_of(context)
        }
        command = str(context.info_name)
        found = read_options(path, command, allowed, method_named(command).derived)
        context.default_map = {**(context.default_map or {}), **found}
    return path


def options_of(context: typer.Context) -> list[Any]:
    """Return the options of a command that a file of settings may give."""
    options = [p for p in context.command.params if p.param_type_name == "option"]
    return [option for option in options if option.name != "settings_file"]


def problem_of(context: typer.Context, parameter: Any, value: Any) -> str | None:
    """Return what is wrong with the value of an option, if anything."""
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
        help="A file of settings: TOML or JSON, from neardup tune, or the run.json of a result; options "
        "go before.",
    ),
]


def needed_output(output: str | None) -> str:
    """Return the folder for the result, or say that there must be one."""
    if output is None:
        raise SettingsError("no folder for the result", hint="Name one with -o, such as -o OUT.")
    return output


def spark_options(engine: Engine, master: str, conf: list[str] | None) -> "SparkSettings | None":
    """Return how Spark is to be used, None for the local engine."""
    from neardup.cli.pandas import show_pandas
    from neardup.settings.run import SparkSettings

    if engine == "local":
        return None
    show_pandas()  # Spark's Python side needs it
    if wrong := [item for item in conf or [] if "=" not in item]:
        hint = "Write it like --conf spark.executor.memory=4g."
        raise SettingsError(f"{wrong[0]!r} is no KEY=VALUE", hint=hint)
    pairs = [item.split("=", 1) for item in conf or []]
    return SparkSettings(master, tuple((key, value) for key, value in pairs))


@contextmanager
def interruptible() -> Iterator[None]:
    """End with a kind word and the usual code when the user interrupts a run."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("interrupted; the same command goes on from the last whole step", err=True)
        raise typer.Exit(INTERRUPTED) from None


def reader_settings(
    text_column: str | None,
    id_column: str | None,
    columns: str,
    raw: bool,
    strict: bool,
    max_record: str,
) -> "ReaderSettings":
    """Make the reader's settings from the options."""
    from neardup.readers.records import ReaderSettings
    from neardup.settings.run import parse_size

    return ReaderSettings(
        text_column=text_column,
        id_column=id_column,
        columns=tuple(name.strip() for name in columns.split(",") if name.strip()),
        raw=raw,
        strict=strict,
        max_record=parse_size(max_record),
    )


def progress_for(quiet: bool) -> "Progress | None":
    """Choose bars for a terminal, lines for anything else, nothing if quiet."""
    if quiet:
        return None
    from neardup.showing.console import ERR, Bars, Lines

    return Bars() if ERR.is_terminal else Lines()
