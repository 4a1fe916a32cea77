"""What the commands of all methods share: options, the way to a result, and what is said of it."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from neardup.cli.app import ungrouped
from neardup.cli.endings import interruptible
from neardup.cli.options import (
    EstimateRun,
    ExplainPlan,
    FailOnDuplicates,
    HelpAll,
    Json,
    Quiet,
    SetByName,
    SettingsFile,
    StopAfter,
    given_twice,
    needed_output,
    option_of,
    progress_for,
    read_typed,
    typed,
)
from neardup.results.options import AgainstOptions, Options, TextOptions, options_of
from neardup.settings.base import Setting, Settings, settings_of
from neardup.steps.declared import DOCUMENTS, PAIRS, RECORDS

if TYPE_CHECKING:
    from pyarrow import Table

    from neardup.methods.method import Method
    from neardup.readers.source import Source
    from neardup.result import Result
    from neardup.results.running import Job
    from neardup.settings.run import RunSettings
    from neardup.steps.against import Against

GOES_ON = "the same command goes on from the last whole step"
KEYWORD = inspect.Parameter.KEYWORD_ONLY
FOUND = 3  # the exit code of a run that found something, if that is to be an error


@dataclass(frozen=True, kw_only=True)
class Shared(Options):
    """The options of every method, with those that only the command line has."""

    settings_file: SettingsFile = None
    set_by_name: SetByName = None
    help_all: HelpAll = False
    stop_after: StopAfter = None
    explain_plan: ExplainPlan = False
    estimate: EstimateRun = False
    fail_on_duplicates: FailOnDuplicates = False
    quiet: Quiet = False
    as_json: Json = False

    @property
    def run(self) -> "RunSettings":
        """Return where and with what the run works."""
        return replace(super().run, stop_after=self.stop_after)

    def finish(self, job: "Job") -> "Result":
        """Run a job to its end, or only print its plan."""
        from neardup.result import Result

        self.only_told(job)
        needed_output(self.output)
        shown = replace(self, progress=progress_for(self.quiet or self.as_json))
        with interruptible(GOES_ON):
            return Result.of(shown.finished(job))

    def only_told(self, job: "Job") -> None:
        """If that is asked for, print the plan of a job, or what it will take, and end."""
        if self.explain_plan:
            typer.echo("\n".join(job.plan.explain()))
        if self.estimate:
            show_estimated(job, self.run, self.as_json)
        if self.explain_plan or self.estimate:
            raise typer.Exit

    def tell(self, result: "Result") -> None:
        """Say what a run found, in words or as JSON, and if asked by the exit code too."""
        self.show(result)
        if self.fail_on_duplicates and result.counts[PAIRS]:
            raise typer.Exit(FOUND)

    def show(self, result: "Result") -> None:
        """Print what a run found, and the commands to look at it with; or all of it as JSON."""
        from neardup.showing.console import (
            NAMED,
            OUT,
            show_guessed,
            show_skipped,
            show_unseen,
            show_whole,
        )

        method = result.own_method
        if self.as_json:
            figures = method.figures(result)
            OUT.print_json(data={"output": str(result.where), **figures, **result.run})
        elif not self.quiet:
            method.show_summary(result)
            skipped = unexpected(result.local().skipped)
            table = f"{result.where}/skipped.parquet"
            show_skipped(skipped.slice(0, NAMED).to_pylist(), len(skipped), table)
            show_guessed(result.run["input"].get("guessed_encodings", {}))
            show_unseen(result.run["input"].get("unseen_characters", {}))
            show_whole(read_whole(result))
            if not result.counts[PAIRS]:
                method.show_nothing(result)
                OUT.print(f"\nResult in {result.where}", markup=False)
                return
            OUT.print(f"\nResult in {result.where}; look at it with:", markup=False)
            folder = quote(str(result.where))
            first = (f"show {folder}", f"report {folder} --open")
            for command in (*first, *method.commands(result, folder)):
                OUT.print(f"  neardup {command}", markup=False)


def show_estimated(job: "Job", run: "RunSettings", as_json: bool) -> None:
    """Print what a job will take."""
    from neardup.results.estimating import estimate
    from neardup.showing.console import OUT
    from neardup.showing.estimates import show_estimate

    found = estimate(job, run)
    if as_json:
        OUT.print_json(data=found.as_dict())
    else:
        show_estimate(found)


def read_whole(result: "Result") -> list[str]:
    """Return the names of logs, and of a text that is alone: they may be meant line by line."""
    from neardup.readers.archives import kind_of
    from neardup.readers.plain import READER

    described, counts = result.run["input"], result.counts
    if described.get("reader", {}).get("lines", True):
        return []
    names = [file["name"] for file in described["files"]]
    is_alone = counts[DOCUMENTS] == counts[RECORDS] == len(names) == 1
    known = (".log", *(READER.suffixes if is_alone else ()))
    return [name for name in names if kind_of(name)[0] in known]


def unexpected(skipped: "Table") -> "Table":
    """Return the records that were skipped without being what a format has besides texts."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from neardup.readers.formats import left_out

    return skipped.filter(pc.invert(pc.is_in(skipped["problem"], pa.array(left_out(), pa.string()))))


@dataclass(frozen=True, kw_only=True)
class SharedOfTexts(TextOptions, Shared):
    """The options of methods that compare one text of each record."""


@dataclass(frozen=True, kw_only=True)
class SharedAgainst(AgainstOptions, Shared):
    """The options of methods that compare new documents with old ones."""


@dataclass(frozen=True, kw_only=True)
class SharedAgainstOfTexts(AgainstOptions, SharedOfTexts):
    """The options of such methods that compare one text of each record."""


def show_grown(
    method: "Method",
    settings: Settings,
    shared: Shared,
    opened: "tuple[Source, Against]",
    against: Sequence[str],
) -> None:
    """Compare files with the index that they are against, add them, and tell of both."""
    from neardup.engines.base import Silent
    from neardup.index.growing import grown
    from neardup.showing.console import OUT, number

    shared, quiet = replace(shared, keep_texts=True), shared.quiet or shared.as_json
    needed_output(shared.output)
    found = grown(method, settings, shared, opened, shared.finish, progress_for(quiet) or Silent())
    if not quiet:
        amount = f"{number(found.added, 'document')} added to {against[0]}"
        OUT.print(f"{amount}; of the {found.had:,} before, {found.read:,} had to be read", markup=False)
    shared.tell(found.result)


def sharing(
    kind: type[Shared] | None, settings: type[Settings], apart: Sequence[str] = ()
) -> Callable[..., Callable[..., None]]:
    """Give a command, in place of `chosen` and `shared`, the settings of its method and shared options.

    `chosen` are the settings that the user gave, in a file or as options, and those of their preset.
    Without a `kind`, the command has options of its own in place of those of the same name, for which a
    preset may stand, too. It ignores those `apart`, which results of the method may name.
    """
    known = options_of(kind) if kind else {}

    def spread_out(command: Callable[..., None]) -> Callable[..., None]:
        command = ungrouped(command)
        signature = inspect.signature(command)
        parts = {name: [own] for name, own in signature.parameters.items()}
        own = {*parts, *apart} - {"chosen"} if kind is None else set()
        parts["chosen"] = [option(s) for s in settings_of(settings) if s.name not in own]
        file = [parameter("settings_file", None, SettingsFile)]
        parts["shared"] = shared_options(kind) if kind else file

        def spread(context: typer.Context, **given: Any) -> None:
            shared, picked = (
                {p.name: given.pop(p.name) for p in parts[n]} for n in ("shared", "chosen")
            )
            check_set(context, shared.get("set_by_name") or ())
            read = {
                name: read_typed(known[name], value) for name, value in shared.items() if name in known
            }
            # names of files, if there are several: a list would be one of texts
            picked = {n: tuple(v) if isinstance(v, list) else v for n, v in picked.items()}
            by_user = {n: v for n, v in (picked | given | read).items() if is_given(context, n)}
            filled = settings.filled(by_user)
            for options in (shared, read, given):
                options |= {name: filled[name] for name in options if name in filled}
            chosen = {name: value for name, value in filled.items() if name not in shared | given}
            more = {"shared": kind.given(shared | read)} if kind else {}
            command(chosen=chosen, **more, **given)

        spread.__name__, spread.__doc__ = command.__name__, command.__doc__
        spread.settings, spread.apart = settings, apart  # type: ignore[attr-defined]
        context = parameter("context", inspect.Parameter.empty, typer.Context)
        parameters = [context, *(p.replace(kind=KEYWORD) for part in parts.values() for p in part)]
        spread.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        spread.__annotations__ = {p.name: p.annotation for p in parameters}
        return spread

    return spread_out


def check_set(context: typer.Context, items: Iterable[str]) -> None:
    """Refuse a setting that is given as an option and with --set."""
    for item in items:
        name = item.partition("=")[0].replace("-", "_")
        if getattr(context.get_parameter_source(name), "name", None) == "COMMANDLINE":
            raise given_twice(name)


def shared_options(kind: type[Shared]) -> list[inspect.Parameter]:
    """Return the options of every method, then those that only the command line has."""
    others = {f.name for f in fields(Options)}
    own = [parameter(f.name, f.default, f.type) for f in fields(Shared) if f.name not in others]
    return [*map(option, options_of(kind).values()), *own]


def option(setting: Setting) -> inspect.Parameter:
    """Return the option for a setting."""
    default = "" if setting.default == () else setting.default
    return parameter(setting.name, default, Annotated[typed(setting), option_of(setting)])


def parameter(name: str, default: object, annotation: object) -> inspect.Parameter:
    """Return a parameter of a command."""
    return inspect.Parameter(name, KEYWORD, default=default, annotation=annotation)


def is_given(context: typer.Context, name: str) -> bool:
    """Return whether the user gave an option, on the command line or in a file of settings."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
