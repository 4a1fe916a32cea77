"""`clean`: a corpus goes through the stages of a recipe and is written once, with a ledger."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from neardup.cleaning.apart import as_folder
from neardup.cleaning.dedup import rewrite_files
from neardup.cleaning.ledger import LedgerRemoval, spare
from neardup.cleaning.plan import job as planned
from neardup.cleaning.recipe import CleanSettings, Recipe
from neardup.engines.base import Silent
from neardup.errors import InputError, OutputError, SettingsError
from neardup.readers.source import FileSource, Source
from neardup.result import Result
from neardup.results.options import TextOptions
from neardup.results.places import BESIDE, HIDDEN, INSIDE, check_empty, written_folder
from neardup.results.running import Job, run_job, versions
from neardup.results.sources import describe
from neardup.storage import HUB, Address, located


@dataclass(frozen=True)
class Cleaned:
    """What `clean` did: the result with its ledger, and the files that were written.

    `damaged` are files that could not be read whole, with what is wrong: copied as they are, and in the
    ledger nothing of them went.
    """

    result: Result
    output: Any
    files: tuple[Any, ...]
    damaged: Mapping[str, str]


def ledger_folder(target: Path | Address) -> Path | Address:
    """Return where the ledger of a cleaned corpus is."""
    if isinstance(target, Path):
        return target.with_name(target.name + BESIDE)
    return target / HIDDEN if str(target).startswith(HUB) else target.beside(BESIDE)


def opened(inputs: Any, recipe: Recipe, options: TextOptions) -> Source:
    """Open a corpus with the columns that the stages need."""
    from neardup.results.sources import opened_source

    asked = (name for name in recipe.columns if name not in ("title", "url", "date", "source"))
    reader = options.reader
    columns = tuple(dict.fromkeys((*reader.columns, *asked)))
    return opened_source(inputs, replace(reader, columns=columns), options.run)


def cleaned(inputs: Any, settings: CleanSettings, options: TextOptions) -> Cleaned:
    """Run a recipe over a corpus, and write what is left of it.

    Decisions come first, into the folder of the ledger; so a run that was interrupted while files were
    written, or one after a dry run, has only to write them.
    """
    recipe = settings.chosen
    source = opened(inputs, recipe, options)
    if options.keep_texts:
        raise SettingsError("keep_texts is for results with pairs", hint="Leave it out.")
    job = planned(source, recipe, options.run, settings.sample)
    if options.output is None:
        if isinstance(source, FileSource) and not settings.dry_run:
            raise SettingsError("no folder for the corpus", hint="Name one with -o, such as -o CLEAN.")
        return Cleaned(Result.of(options.finished(job)), None, (), {})
    target = located(options.output)
    if not str(target).startswith(HUB):
        check_empty(as_folder(target))
    result = decided(job, options, ledger_folder(target))
    if settings.dry_run or settings.sample < 1:
        return Cleaned(result, target, (), {})
    if not isinstance(source, FileSource):
        hint = "Leave output= out: what is returned has the data. Or take dry_run=True for the ledger."
        raise InputError("only files can be written again", hint=hint)
    return written(result, target, options)


def decided(job: Job, options: TextOptions, folder: Path | Address) -> Result:
    """Return what is to go: as an earlier run decided it over the same files, or by a new run."""
    progress = options.progress or Silent()
    try:
        earlier = Result(folder)
    except OutputError:
        earlier = None
    if earlier is not None and is_same(earlier, job):
        progress.note(f"taking the decisions of an earlier run in {folder}")
        return earlier
    again = earlier is not None and earlier.method == job.plan.name  # of a dry run with another recipe
    found = run_job(job, options.run, str(folder), progress=options.progress, overwrite=again)
    return Result.of(found)


def is_same(earlier: Result, job: Job) -> bool:
    """Say whether a run would decide what an earlier one did."""
    run = earlier.run
    if (run["method"], run["settings"], run["versions"]) != (job.plan.name, job.settings, versions()):
        return False
    known, now = run["input"], describe(job.source)
    places = [
        [
            tuple(file.get(name) for name in ("path", "size", "modified"))
            for file in each.get("files", [])
        ]
        for each in (known, now)
    ]
    return places[0] == places[1] != [] and known.get("reader") == as_written(now.get("reader"))


def as_written(reader: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return how files are read as JSON says it."""
    lists = (tuple, list)
    return reader and {n: list(v) if isinstance(v, lists) else v for n, v in reader.items()}  # type: ignore[return-value]


def written(result: Result, target: Path | Address, options: TextOptions) -> Cleaned:
    """Write all files without what is to go, and the ledger beside them."""
    progress = options.progress or Silent()
    local = result.local()
    removal = LedgerRemoval(local)
    names: list[str] = []
    damaged: dict[str, str] = {}
    with written_folder(target, INSIDE) as work:
        shutil.copytree(local.folder, work / INSIDE)
        size = sum(file["size"] for file in local.run["input"]["files"])
        with progress.step("write", size, "bytes") as advance:
            sizes = {file["name"]: file["size"] for file in local.run["input"]["files"]}
            for name, damage, is_there in rewrite_files(local, work, "remove", removal):
                names += [name] * is_there
                damaged |= {name: damage} if damage else {}
                advance(sizes[name])
        if damaged:
            spare(work / INSIDE, damaged)
    files = tuple(target / name for name in names)
    return Cleaned(Result(ledger_folder(target)), target, files, damaged)
