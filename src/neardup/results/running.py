"""Running a plan into a result folder: whole or not at all, resumed after an interruption."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup import __version__
from neardup.engines import engine_named
from neardup.engines.base import Progress, Runner, Silent, Table
from neardup.engines.disk import DiskFolder
from neardup.errors import InputError, SettingsError, StoppedEarlyError
from neardup.plan import Plan
from neardup.readers.files import check_unchanged
from neardup.readers.memory import TableSource
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, Source
from neardup.results.files import RUN, TIMINGS, delete_with, result_folder
from neardup.results.folder import ResultFolder
from neardup.results.keeping import TEXTS, check_keeping, keep_texts
from neardup.results.marks import keep_marks
from neardup.results.places import Place, check_input, check_name, check_replaceable, sent
from neardup.results.sources import describe, describing
from neardup.settings.run import RunSettings, check_addresses
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.declared import CLUSTER_SIZES, DOCUMENTS, RECORDS
from neardup.steps.naming import PLACES
from neardup.storage import located
from neardup.tables import Table as Declared
from neardup.text import unicode_version

LITTLE = 256 << 10  # bytes of input that are looked at before kernels are compiled
A_RECORD = 10  # times its bytes are needed to read and compare a record: 9.7 for one of 494 MB


@dataclass(frozen=True)
class Job:
    """A plan over a source, with what a run needs beside it."""

    plan: Plan
    source: Source
    settings: Mapping[str, Any]  # nothing in them is left open
    names: Mapping[str, str] = field(default_factory=dict)  # the users' names of columns
    tables: Mapping[str, pa.Table] = field(default_factory=dict)  # more that the plan starts from
    check: Callable[[Mapping[str, int]], None] | None = None  # may refuse what was counted
    against: Against = EVERYTHING  # which documents of the source are old
    paired: tuple[str, ...] = ("doc_a", "doc_b")  # what in pairs is a document of the source
    last: Callable[[Path], None] | None = None  # what is done when its folder has only to be renamed


def run_job(
    job: Job,
    run: RunSettings,
    output: str | Path | None = None,
    *,
    progress: Progress | None = None,
    overwrite: bool = False,
) -> ResultFolder:
    """Run a job and write its tables; without `output`, they live as long as somebody reads them."""
    check_addresses()
    progress = progress or Silent()
    if output is None:
        with result_folder(None) as folder:
            result = run_job(job, run, folder, progress=progress)
            delete_with(result.tables, folder.parent)
            return result
    engine = engine_named(run.engine.name)
    if engine.writes_to_addresses:
        return run_there(job, run, str(output), progress, overwrite)
    where = located(output)
    if isinstance(where, Path):
        return run_there(job, run, str(where), progress, overwrite)
    check_input(job.source, str(where))
    with sent(where, RUN, partial(check_replaceable, overwrite=overwrite)) as near:
        live = run_there(job, run, str(near), progress, overwrite=True).live_source
        if where.exists():
            keep_marks(where, DiskFolder(near), progress)
    return ResultFolder(where, live)


def run_there(
    job: Job, run: RunSettings, output: str, progress: Progress, overwrite: bool
) -> ResultFolder:
    """Run a job and write its tables to a folder that its engine can write to."""
    engine = engine_named(run.engine.name)
    begun = time.perf_counter()
    with describing(job.source, job.against) as described:  # files are read while libraries load
        place, runner = prepared(job, run, output, progress, overwrite)
        with engine.limits(run), place.claimed(fingerprint(job)):
            place.write_json(RUN, carried_out(job, run, place, runner, described))
            place.write_json(TIMINGS, timings(run, runner.seconds, time.perf_counter() - begun))
            place.finish(job.last)
    read = engine.tables(place.output, run)
    lasts = describe(job.source)["kind"] not in ("memory", "pipe")
    return ResultFolder(str(read.folder), None if lasts else job.source, read)


def prepared(
    job: Job, run: RunSettings, output: str, progress: Progress, overwrite: bool
) -> tuple[Place[Any], Runner]:
    """Return where a job's tables go and what runs it, all that can be checked before checked."""
    from neardup.results.compiling import compile_for, lacking

    engine = engine_named(run.engine.name)
    check_name(output)  # before the engine looks at it, which may take long
    place = Place(engine.folder(output, run), progress, run.keep_steps)
    runner = engine.runner(place.work, run, progress)
    place.check_free(overwrite)
    check_input(job.source, output)
    check_step(job.plan, run.stop_after)
    if run.engine.name == "local":  # elsewhere, the memory is that of other machines
        check_memory(job.source, run.memory)
    if run.keep_texts:
        check_keeping(place.work, job.source)
    if lacking(job.plan.name, job.source):
        check_readable(job.source)
    compile_for(job.plan.name, progress, job.source)
    return place, runner


def carried_out(
    job: Job,
    run: RunSettings,
    place: Place[Any],
    runner: Runner,
    described: Callable[[], dict[str, Any]],
) -> dict[str, Any]:
    """Run all steps, deliver their tables, and return what is known of them."""
    given = {"files": file_names(job.source), **job.tables}
    found = runner.run(job.plan, {"records": job.source}, given, job.names)
    if run.stop_after:
        raise StoppedEarlyError(f"stopped after step {run.stop_after!r}", where=str(runner.steps))
    counts = take_counts(found["facts"])
    sizes = take_sizes(counts)
    if not counts[DOCUMENTS] and (counts[RECORDS] or not isinstance(job.source, TableSource)):
        raise nothing_read(found["skipped"], counts)
    if job.check:
        job.check(counts)
    delivered = {name: table for name, table in found.items() if name != "facts"}
    check_declared(job, delivered)
    runner.deliver(delivered)
    if run.keep_texts:
        keep_texts(Path(str(place.work.local_path())), job.source, job.paired)
    input_read = described()
    if isinstance(job.source, FileSource):  # a result of some of it would look whole
        check_unchanged(job.source.files)
    return {
        "method": job.plan.name,
        "settings": dict(job.settings),
        "versions": versions(),
        "input": input_read,
        "tables": sorted([*delivered, *([TEXTS] if run.keep_texts else [])]),
        "counts": counts,
        **({"cluster_sizes": sizes} if "clusters" in delivered else {}),
    }


def check_declared(job: Job, delivered: Mapping[str, Table]) -> None:
    """Refuse tables whose columns are not as the plan declares them; those of users may be any."""
    for table in job.plan.outputs:
        if isinstance(table, Declared):
            schema = delivered[table].schema
            own = {f.name for f in schema if f.name in PLACES or f.name not in job.names}
            users = {job.names[f.name] for f in schema if f.name not in own}
            types = {known.name: known.type for known in table.columns if known.name in users}
            types |= {job.names.get(f.name, f.name): type_name(f.type) for f in schema if f.name in own}
            if wrong := table.problems(types):
                raise ValueError(f"table {table!r} is not as declared: {', '.join(wrong)}")


def type_name(kind: pa.DataType) -> str:
    """Return what a type is called where columns are declared.

    >>> type_name(pa.list_(pa.string())), type_name(pa.large_string()), type_name(pa.float64())
    ('list', 'string', 'double')
    """
    return "list" if pa.types.is_list(kind) else str(kind).removeprefix("large_")


def check_memory(source: Source, memory: int) -> None:
    """Refuse larger records than usual if the memory is too small for one: none can be read in parts."""
    if not isinstance(source, FileSource):
        return
    allowed = source.settings.max_record
    largest = min(allowed, max((file.size for file in source.files), default=0))
    if allowed > ReaderSettings.max_record and A_RECORD * largest > memory:
        needed = f"{1 + (A_RECORD * largest >> 30)}GB"
        what = f"a record of {largest >> 20}MB takes up to {needed} of memory"
        hint = f"Set memory={needed}; max_record=256MB skips such records."
        raise SettingsError(f"{what}, and memory is {memory >> 20}MB", hint=hint)


def check_readable(source: Source) -> None:
    """Refuse a small input that nothing can be read of, before a wait for the compiler."""
    if not isinstance(source, FileSource) or source.kernels:
        return
    splits = source.splits()
    if sum(split.size for split in splits) > LITTLE:
        return
    first = None
    records = 0
    for split in splits:
        for batch in source.read(split):
            bad = pc.is_valid(batch["problem"])
            if pc.any(pc.invert(bad)).as_py():
                return
            if first is None and len(batch):
                first = batch.slice(0, 1).to_pylist()[0] | {"source": source.names[split.file]}
            records += len(batch)
    if first is not None:
        raise nothing_usable(first | {"position": 1}, records)


def check_step(plan: Plan, name: str | None) -> None:
    """Refuse a name that no step has."""
    known = [step.name for step in plan.steps]
    if name is not None and name not in known:
        hint = f"The steps are: {', '.join(known)}."
        raise SettingsError(f"there is no step {name!r} to stop after", hint=hint)


def versions() -> dict[str, Any]:
    """Return what a result depends on beside its input and settings."""
    from neardup.kernels.hashing import HASH_VERSION

    return {"neardup": __version__, "hash": HASH_VERSION, "unicode": unicode_version()}


def fingerprint(job: Job) -> str:
    """Return a digest of all that the steps' tables depend on."""
    tables = {name: table.to_pydict() for name, table in job.tables.items()}
    marks = [job.settings, asdict(job.against), tables]
    facts = [job.plan.name, list(job.plan.explain()), marks, versions(), job.source.fingerprint()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def file_names(source: Source) -> pa.Table:
    """Return the table of the files' numbers and names."""
    numbers = pa.array(range(len(source.names)), pa.int32())
    return pa.table({"file": numbers, "name": pa.array(source.names, pa.string())})


def take_counts(facts: Table) -> dict[str, int]:
    """Return the counts of a run by their keys."""
    rows = [row for batch in facts.batches() for row in batch.to_pylist()]
    return {row["name"]: row["value"] for row in sorted(rows, key=itemgetter("name"))}


def take_sizes(counts: dict[str, int]) -> dict[str, int]:
    """Take out of the counts how many clusters there are of each size.

    >>> counts = {"clusters": 3, "cluster_sizes.12": 1, "cluster_sizes.3": 2}
    >>> take_sizes(counts), counts
    ({'3': 2, '12': 1}, {'clusters': 3})
    """
    sizes = sorted(CLUSTER_SIZES.each(counts), key=int)
    return {size: counts.pop(f"{CLUSTER_SIZES}.{size}") for size in sizes}


def timings(run: RunSettings, steps: Mapping[str, float], seconds: float) -> dict[str, Any]:
    """Return what differs from run to run."""
    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "workers": run.workers,
        "memory": run.memory,
        "steps": {name: round(spent, 3) for name, spent in steps.items()},
    }


def nothing_read(skipped: Table, counts: Mapping[str, int]) -> InputError:
    """Return the error for an input without a single usable document."""
    first = next((row for batch in skipped.batches() for row in batch.to_pylist()), None)
    if first is None:
        return InputError("the input holds no documents", hint="Is it the right file?")
    return nothing_usable(first, counts[RECORDS])


def nothing_usable(first: Mapping[str, Any], records: int) -> InputError:
    """Return the error for records of which none can be used, with what is wrong with the first."""
    where = f"{first['source']}, record {first['position']}"
    what = f"none of {records:,} records could be used; the first: {first['problem']}"
    return InputError(f"{what} ({first['detail']})" if first["detail"] else what, where=where)
