"""`clean`: a corpus goes through the stages of a recipe and is written once, with a ledger."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from neardup.cleaning.apart import check_free, tables_of
from neardup.cleaning.datasets import cleaned_dataset
from neardup.cleaning.ledger import check_cuts
from neardup.cleaning.plan import job as planned
from neardup.cleaning.recipe import CleanSettings, CutBy, Recipe
from neardup.cleaning.written import Cleaned, written, written_by_shard
from neardup.engines import engine_named
from neardup.engines.base import Silent
from neardup.errors import InputError, OutputError, SettingsError
from neardup.readers import hub
from neardup.readers.files import absolute
from neardup.readers.memory import TableSource
from neardup.readers.source import FileSource, Source, paths_in
from neardup.result import Result
from neardup.results.options import TextOptions
from neardup.results.running import Job, run_job, versions
from neardup.results.sources import describe
from neardup.showing.progress import shown
from neardup.storage import HUB, Address, located

FILE_FACTS = ("path", "size", "modified")  # if these are the same, so is a file


def clean(
    source: Any,
    output: str | Path | None = None,
    *,
    recipe: str | Path | Mapping[str, Any] | None = None,
    keep: str | None = None,
    keep_per: str | None = None,
    group: str | None = None,
    add: str | None = None,
    span_words: int | None = None,
    cut: CutBy | None = None,
    dry_run: bool = False,
    sample: float = 1.0,
    **options: Any,
) -> Cleaned:
    """Take a corpus through the stages of a recipe, and write what is left of it, with a ledger.

    `source` and the `options` are as for `documents`. Files go to the folder `output` under their own
    names, the ledger to `output.removed`; it is also the `result.ledger` of what this returns. With
    `dry_run`, or a `sample` of the records, only the ledger is made. For a dataset of Hugging Face,
    `data` is what is left, also without an `output`.

    >>> same = "This text stands in the corpus twice, and one copy of it is enough."
    >>> found = neardup.clean([same, same, "Another one."], dry_run=True)
    >>> found.result.ledger.select(["stage", "action", "id", "keeper_id"]).to_pylist()
    [{'stage': 'exact', 'action': 'dropped', 'id': 'memory#2', 'keeper_id': 'memory#1'}]
    """
    settings = CleanSettings(recipe, keep, keep_per, group, add, span_words, cut, dry_run, sample)
    progress = shown(options.pop("progress", None))
    return cleaned(
        source, settings, TextOptions.given({"output": output, "progress": progress, **options})
    )


def opened(inputs: object, recipe: Recipe, options: TextOptions) -> Source:
    """Open a corpus with the columns that the stages need."""
    from neardup.results.sources import opened_source

    asked = (name for name in recipe.columns if name not in ("title", "url", "date", "source"))
    reader = options.reader
    columns = tuple(dict.fromkeys((*reader.columns, *asked)))
    source = opened_source(inputs, replace(reader, columns=columns), options.run)
    try:
        source.schema  # noqa: B018  (looks at the columns of all files)
    except InputError as error:
        for name, by in recipe.columns.items():
            if error.what == f"no column {name!r}" and name not in reader.columns and error.hint:
                error.hint = error.hint.replace("columns= or keep=", by)
        raise
    return source


def cleaned(inputs: object, settings: CleanSettings, options: TextOptions) -> Cleaned:
    """Run a recipe over a corpus, and write what is left of it.

    Decisions come first, into the folder of the ledger; so a run that was interrupted while files were
    written, or one after a dry run, has only to write them.
    """
    recipe = settings.chosen
    source = opened(inputs, recipe, options)
    check_asked(source, settings, options)
    job = planned(source, recipe, options.run, settings.sample)
    target = None if options.output is None else located(options.output)
    if target is None:
        result = Result.of(options.finished(job))
    else:
        check_apart(inputs, target)
        if not str(target).startswith(HUB):
            check_free(target)
        result = decided(job, options, target)
    if isinstance(source, TableSource) and source.origin is not None and settings.writes:
        return Cleaned(result, target, (), {}, cleaned_dataset(source, source.origin, result))
    if target is None or not settings.writes:
        return Cleaned(result, target, (), {})
    by_shard = engine_named(options.run.engine.name).works_by_shard
    return (written_by_shard if by_shard else written)(result, target, options)


def check_asked(source: Source, settings: CleanSettings, options: TextOptions) -> None:
    """Refuse what cannot be done, before anything is."""
    if options.keep_texts:
        raise SettingsError("keep_texts is for results with pairs", hint="Leave it out.")
    if options.overwrite:
        hint = "Delete it, or choose another folder. The ledger of a dry run needs no overwrite=True."
        raise SettingsError("clean does not replace a corpus", hint=hint)
    if isinstance(source, TableSource) and source.origin is not None:
        if any(hub.is_stream(part) for part in hub.parts_of(source.origin.data).values()):
            hint = "Take dry_run=True, or load the dataset."
            raise InputError("a stream is read once: its rows cannot be cut", hint=hint)
        return
    if settings.writes and not (isinstance(source, FileSource) and source.can_be_reopened):
        hint = "Take dry_run=True, and change your data by the ledger."
        raise InputError("only files can be rewritten", hint=hint)
    if settings.writes and options.output is None:
        raise SettingsError("no folder for the corpus", hint="Name one with output=.")
    if settings.writes and isinstance(source, FileSource) and settings.chosen.cuts:
        check_cuts(source.files)


def check_apart(inputs: object, target: Path | Address) -> None:
    """Refuse to write into a folder that is read: the next run would read what this one wrote."""
    for path in map(located, paths_in(inputs)):
        if not (isinstance(path, Path) and isinstance(target, Path)):
            continue
        if Path(absolute(path)) in Path(absolute(target)).parents:
            raise OutputError(
                "this is inside a folder of the input", where=str(target), hint="Choose another."
            )


def decided(job: Job, options: TextOptions, target: Path | Address) -> Result:
    """Return what is to go: as an earlier run decided it over the same files, or by a new run."""
    progress, run = options.progress or Silent(), options.run
    engine, folder = engine_named(run.engine.name), tables_of(target, "remove")
    where = as_named(folder, str(options.output)) if engine.writes_to_addresses else str(folder)
    try:
        earlier = Result(folder)
    except OutputError:
        earlier = None
    if earlier is not None and is_same(earlier, job):
        progress.note(f"taking the decisions of an earlier run in {folder}")
        if engine.writes_to_addresses:
            return Result(folder, None, engine.tables(engine.folder(where, run), run))
        return earlier
    again = earlier is not None and earlier.method == job.plan.name  # of a dry run with another recipe
    return Result.of(run_job(job, run, where, progress=progress, overwrite=again))


def as_named(folder: Path | Address, output: str) -> str:
    """Return a folder as Spark takes it: what Arrow calls s3://, the user may have to call s3a://.

    >>> as_named(Address("s3://bucket/clean.removed"), "s3a://bucket/clean")
    's3a://bucket/clean.removed'
    >>> as_named(Path("/mnt/my data.removed"), "/mnt/my data")
    'file:///mnt/my data.removed'
    """
    if isinstance(folder, Path):
        return f"file://{absolute(folder)}"  # Hadoop may look for plain paths elsewhere
    return f"{output.partition(':')[0]}:{str(folder).partition(':')[2]}"


def is_same(earlier: Result, job: Job) -> bool:
    """Return whether a run would decide what an earlier one did."""
    now = {"method": job.plan.name, "settings": job.settings, "versions": versions()}
    known = [asked_of(run) for run in (earlier.run, now | {"input": describe(job.source)})]
    return bool(known[0][0]) and known[0] == known[1]


def asked_of(run: Mapping[str, Any]) -> list[Any]:
    """Return of which files a run was, how they were read and what was asked, as JSON says it."""
    read = run["input"]
    files = [[file.get(name) for name in FILE_FACTS] for file in read.get("files", [])]
    asked = [files, read.get("reader"), *(run[name] for name in ("method", "settings", "versions"))]
    return list(json.loads(json.dumps(asked)))
