"""What the commands of all methods share: options, the way to a result, and what is said of it."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from neardup.cli.options import (
    Columns,
    Conf,
    EngineName,
    ExplainPlan,
    IdColumn,
    Json,
    KeepSteps,
    Master,
    MaxRecord,
    Memory,
    Output,
    Overwrite,
    Quiet,
    Raw,
    SettingsFile,
    StopAfter,
    Strict,
    TextColumn,
    Workers,
    interruptible,
    needed_output,
    progress_for,
    reader_settings,
    spark_options,
)
from neardup.settings.base import Setting, Settings, settings_of

if TYPE_CHECKING:
    from neardup.readers.records import ReaderSettings
    from neardup.result import Result
    from neardup.results.running import Job
    from neardup.settings.run import RunSettings

KEYWORD = inspect.Parameter.KEYWORD_ONLY


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The options of every method."""

    output: Output = None
    settings_file: SettingsFile = None
    id_column: IdColumn = None
    columns: Columns = ""
    strict: Strict = False
    max_record: MaxRecord = "256MB"
    workers: Workers = None
    memory: Memory = None
    engine: EngineName = "local"
    master: Master = "local[*]"
    conf: Conf = None
    overwrite: Overwrite = False
    keep_steps: KeepSteps = False
    stop_after: StopAfter = None
    explain_plan: ExplainPlan = False
    quiet: Quiet = False
    as_json: Json = False

    @property
    def reader(self) -> "ReaderSettings":
        """Return how the input is read."""
        return reader_settings(None, self.id_column, self.columns, False, self.strict, self.max_record)

    @property
    def run(self) -> "RunSettings":
        """Return where and with what the run works."""
        from neardup.settings.run import RunSettings

        spark = spark_options(self.engine, self.master, self.conf)
        return RunSettings.make(self.workers, self.memory, self.keep_steps, self.stop_after, spark)

    def finish(self, job: "Job", run: "RunSettings") -> "Result":
        """Run a job to its end, or only print its plan."""
        from neardup.result import Result
        from neardup.results.running import run_job

        if self.explain_plan:
            typer.echo("\n".join(job.plan.explain()))
            raise typer.Exit
        folder = needed_output(self.output)
        progress = progress_for(self.quiet or self.as_json)
        with interruptible():
            return Result.of(run_job(job, run, folder, progress=progress, overwrite=self.overwrite))

    def tell(self, result: "Result") -> None:
        """Print what a run found, and the commands to look at it with; or all of it as JSON."""
        from neardup.showing.console import OUT

        method = result.own_method
        if self.as_json:
            figures = method.figures(result)
            OUT.print_json(data={"output": str(result.folder), **figures, **result.run})
        elif not self.quiet:
            method.show_summary(result)
            if not result.counts["pairs"]:
                method.show_nothing(result)
                OUT.print(f"\nResult in {result.folder}", markup=False)
                return
            OUT.print(f"\nResult in {result.folder}; look at it with:", markup=False)
            folder = quote(str(result.folder))
            for command in (f"show {folder}", *method.commands(result, folder)):
                OUT.print(f"  neardup {command}", markup=False)


@dataclass(frozen=True, kw_only=True)
class SharedOfTexts(Shared):
    """The options of methods that compare one text of each record."""

    text_column: TextColumn = None
    raw: Raw = False

    @property
    def reader(self) -> "ReaderSettings":
        """Return how the input is read."""
        return replace(super().reader, text_column=self.text_column, raw=self.raw)


def sharing(kind: type[Shared], settings: type[Settings]) -> Callable[..., Callable[..., None]]:
    """Give a command, in place of `chosen` and `shared`, the settings of its method and shared options.

    `chosen` are the settings that the user gave, in a file or as options.
    """

    def spread_out(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command)
        parts = {name: [own] for name, own in signature.parameters.items()}
        parts["chosen"] = [parameter(s.name, s.default, option_of(s)) for s in settings_of(settings)]
        parts["shared"] = [parameter(o.name, o.default, o.type) for o in fields(kind)]

        def spread(context: typer.Context, **given: Any) -> None:
            shared, picked = (
                {p.name: given.pop(p.name) for p in parts[n]} for n in ("shared", "chosen")
            )
            chosen = {name: value for name, value in picked.items() if is_given(context, name)}
            command(chosen=chosen, shared=kind(**shared), **given)

        spread.__name__, spread.__doc__ = command.__name__, command.__doc__
        context = parameter("context", inspect.Parameter.empty, typer.Context)
        parameters = [context, *(p.replace(kind=KEYWORD) for part in parts.values() for p in part)]
        spread.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        spread.__annotations__ = {p.name: p.annotation for p in parameters}
        return spread

    return spread_out


def parameter(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    """Return a parameter of a command."""
    return inspect.Parameter(name, KEYWORD, default=default, annotation=annotation)


def is_given(context: typer.Context, name: str) -> bool:
    """Say whether the user gave an option, as such or in a file of settings."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def option_of(setting: Setting) -> Any:
    """Return the option for a setting."""
    about = setting.about
    flags = about.flags or (f"--{setting.name.replace('_', '-')}" if setting.type is bool else None)
    shown = True if about.otherwise is None else about.otherwise
    option = typer.Option(*([flags] if flags else []), help=about.help, show_default=shown)
    return Annotated[setting.type | None if setting.optional else setting.type, option]
