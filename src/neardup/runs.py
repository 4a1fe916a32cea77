"""Running a plan into a result folder: whole or not at all, resumed after an interruption.

While a run works, its steps and tables are in `OUT.partial`. It gets the name `OUT` when everything
is written, so a folder of that name is always a whole result.
"""

import hashlib
import json
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup import kernels
from neardup.engines.base import Progress, Silent, Table
from neardup.engines.local import LocalEngine
from neardup.errors import InputError, OutputError, SettingsError, StoppedEarlyError
from neardup.kernels.hashing import HASH_VERSION
from neardup.plan import Plan
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, Source
from neardup.result import RUN, TIMINGS, Result, write_json, write_table
from neardup.settings import RunSettings
from neardup.text import unicode_version

FINGERPRINT = "fingerprint"
LOCK = "lock"
OLD = ".old"
FIRST_KERNELS = {
    "documents": "shingles.shingle_words*.nbi",
    "passages": "texts.split_texts*.nbi",
    "sentences": "sentence_keys.runs_of_words*.nbi",
}


def run_into(
    output: Path,
    plan: Plan,
    source: Source,
    settings: Mapping[str, Any],
    run: RunSettings,
    *,
    progress: Progress | None = None,
    overwrite: bool = False,
    rename: Mapping[str, str] | None = None,
    tables: Mapping[str, pa.Table] | None = None,
    check: Callable[[Mapping[str, int]], None] | None = None,
) -> Result:
    """Run a plan over a source and write its tables.

    `rename` maps columns to the user's names; `tables` are further ones that the plan starts from;
    `check` may refuse what was counted.
    """
    progress = progress or Silent()
    check_free(output, overwrite)
    check_step(plan, run.stop_after)
    begun = time.perf_counter()
    if not any(Path(kernels.__path__[0], "__pycache__").glob(FIRST_KERNELS.get(plan.name, "*.nbi"))):
        progress.note(f"first run of {plan.name} on this machine: compiling may take a minute or two")
    marks = [settings, {name: table.to_pydict() for name, table in (tables or {}).items()}]
    with work_folder(output, fingerprint(plan, source, marks), progress) as work:
        engine = LocalEngine(
            work,
            workers=run.workers,
            memory=run.memory,
            progress=progress,
            keep_steps=run.keep_steps,
            stop_after=run.stop_after,
        )
        given = {"files": file_names(source), **(tables or {})}
        found = engine.run(plan, {"records": source}, given)
        if run.stop_after:
            raise StoppedEarlyError(f"stopped after step {run.stop_after!r}", where=str(engine.steps))
        counts = take_counts(found["facts"])
        write_tables(work, found, rename or {})
        if not counts["documents"]:
            raise nothing_read(found["skipped"], counts)
        if check:
            check(counts)
        content = {
            "method": plan.name,
            "settings": dict(settings),
            "versions": versions(),
            "input": describe(source),
            "counts": counts,
        }
        write_json(work / RUN, content)
        write_json(work / TIMINGS, timings(run, engine, time.perf_counter() - begun))
        finish(work, output, run.keep_steps)
    return Result(output, None if isinstance(source, FileSource) else source)


def check_step(plan: Plan, name: str | None) -> None:
    """Refuse a name that no step has."""
    known = [step.name for step in plan.steps]
    if name is not None and name not in known:
        hint = f"The steps are: {', '.join(known)}."
        raise SettingsError(f"there is no step {name!r} to stop after", hint=hint)


@contextmanager
def result_folder(output: str | Path | None) -> Iterator[Path]:
    """Give the folder for a result: the one named, or one in a new temporary folder."""
    if output is not None:
        yield Path(output)
        return
    temporary = Path(tempfile.mkdtemp(prefix="neardup-"))
    try:
        yield temporary / "result"
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def delete_with(result: Result, folder: Path) -> None:
    """Delete a temporary folder when the result that lives in it is gone."""
    weakref.finalize(result, shutil.rmtree, str(folder), ignore_errors=True)


def versions() -> dict[str, Any]:
    """Return what a result depends on beside its input and settings."""
    return {"neardup": version("neardup"), "hash": HASH_VERSION, "unicode": unicode_version()}


def fingerprint(plan: Plan, source: Source, settings: Any) -> str:
    """Return a digest of all that the steps' tables depend on."""
    facts = [plan.name, list(plan.explain()), settings, versions(), source.fingerprint()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def file_names(source: Source) -> pa.Table:
    """Return the table of the files' numbers and names."""
    numbers = pa.array(range(len(source.names)), pa.int32())
    return pa.table({"file": numbers, "name": pa.array(source.names, pa.string())})


def take_counts(facts: Table) -> dict[str, int]:
    """Return the counts of a run by name."""
    rows = [row for batch in facts.batches() for row in batch.to_pylist()]
    return {row["name"]: row["value"] for row in rows}


def write_tables(work: Path, tables: Mapping[str, Table], rename: Mapping[str, str]) -> None:
    """Write the tables that users get."""
    for name, table in tables.items():
        if name == "facts":
            continue
        fields = [f.with_name(rename.get(f.name, f.name)) for f in table.schema]
        schema = pa.schema(fields)
        batches = (b.rename_columns(schema.names) for b in table.batches())
        write_table(work / f"{name}.parquet", schema, batches)


def describe(source: Source) -> dict[str, Any]:
    """Return what is needed to open the source again and to see whether it is still the same."""
    if not isinstance(source, FileSource):
        return {"kind": "memory", "fingerprint": source.fingerprint()}
    files = [
        {"path": f.path, "name": f.name, "size": f.size, "modified": f.modified} for f in source.files
    ]
    return {"kind": "files", "files": files, "reader": asdict(source.settings)}


def reopen(result: Result) -> FileSource:
    """Open the files that a run read once more; they must be what they were."""
    given = result.run["input"]
    if given["kind"] != "files":
        raise InputError(
            "the texts of this result were in memory and are gone",
            hint="Write the documents to a file and run neardup on it to explain or remove them.",
        )
    reader = {**given["reader"], "columns": tuple(given["reader"]["columns"])}
    order = {f["path"]: number for number, f in enumerate(given["files"])}
    source = FileSource.open(list(order), ReaderSettings(**reader))
    ordered = sorted(source.files, key=lambda file: order.get(file.path, len(order)))
    source = FileSource(tuple(ordered), source.settings)
    changed = [
        old["path"]
        for old, new in zip(given["files"], source.files, strict=False)
        if (old["path"], old["size"], old["modified"]) != (new.path, new.size, new.modified)
    ]
    if changed or len(source.files) != len(given["files"]):
        raise InputError(
            "the input has changed since the run",
            where=changed[0] if changed else None,
            hint="Run neardup again on the files as they are now.",
        )
    named = [
        replace(new, name=old["name"]) for old, new in zip(given["files"], source.files, strict=True)
    ]
    return FileSource(tuple(named), source.settings)


def timings(run: RunSettings, engine: LocalEngine, seconds: float) -> dict[str, Any]:
    """Return what differs from run to run."""
    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "workers": run.workers,
        "memory": run.memory,
        "steps": {name: round(spent, 3) for name, spent in engine.seconds.items()},
    }


def nothing_read(skipped: Table, counts: Mapping[str, int]) -> InputError:
    """Return the error for an input without a single usable document."""
    first = next((row for batch in skipped.batches() for row in batch.to_pylist()), None)
    if first is None:
        return InputError("the input holds no documents", hint="Is it the right file?")
    where = f"{first['source']}, record {first['position']}"
    what = f"none of {counts['records']:,} records could be used; the first: {first['problem']}"
    return InputError(f"{what} ({first['detail']})" if first["detail"] else what, where=where)


def check_free(output: Path, overwrite: bool) -> None:
    """Refuse to write over something that is already there."""
    old = output.with_name(output.name + OLD)
    if old.exists() and not output.exists():
        old.rename(output)  # an earlier run was killed just as it replaced this
    if not output.exists() or (overwrite and (output / RUN).is_file()):
        return
    if (output / RUN).is_file():
        raise OutputError(
            "this folder already holds a result",
            where=str(output),
            hint="Choose another folder with -o, or add --overwrite.",
        )
    if not output.is_dir() or any(output.iterdir()):
        raise OutputError(
            "this is not an empty folder", where=str(output), hint="Choose another one with -o."
        )


@contextmanager
def work_folder(output: Path, fingerprint: str, progress: Progress) -> Iterator[Path]:
    """Claim `OUT.partial`: go on with what an interrupted run left there if it was the same run."""
    work = output.with_name(output.name + ".partial")
    try:
        work.mkdir(parents=True, exist_ok=True)
        with locked(work / LOCK, output):
            known = work / FINGERPRINT
            if known.exists() and known.read_text() == fingerprint:
                progress.note(f"going on with an interrupted run in {work}")
            else:
                for old in work.iterdir():
                    if old.name != LOCK:
                        shutil.rmtree(old) if old.is_dir() else old.unlink()
                known.write_text(fingerprint)
            yield work
    except InputError:
        shutil.rmtree(work, ignore_errors=True)  # the same run would end in the same way
        raise
    except PermissionError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=str(output)) from error


@contextmanager
def locked(path: Path, output: Path) -> Iterator[None]:
    """Hold a lock that ends with this process, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows: two runs into one folder are not noticed
        yield
        return
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError("another run is writing this result", where=str(output)) from None
        yield


def finish(work: Path, output: Path, keep_steps: bool) -> None:
    """Give the finished folder its name."""
    for name in (LOCK, FINGERPRINT):
        (work / name).unlink(missing_ok=True)
    if not keep_steps:
        shutil.rmtree(work / "steps", ignore_errors=True)
    if output.exists():
        old = output.with_name(output.name + OLD)
        shutil.rmtree(old, ignore_errors=True)
        output.rename(old)
        work.rename(output)
        shutil.rmtree(old)
    else:
        work.rename(output)
