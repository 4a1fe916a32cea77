"""`dedup` on a cluster: a task for each file of the input, which writes the file of the same name.

The driver knows the files, and no documents. A file is written beside its place and takes its name when
it is whole; then a note says that it is done, and a run that goes on leaves it alone.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from neardup import durable
from neardup.cleaning.apart import check_places, tables_of
from neardup.engines import engine_named
from neardup.engines.disk import SUFFIX, DiskFolder
from neardup.errors import InputError, OutputError
from neardup.methods import method_named
from neardup.readers import formats
from neardup.readers.archives import can_be_copied
from neardup.readers.file import File
from neardup.readers.files import check_unchanged
from neardup.readers.folders import NO_FILE, NO_NAME
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import rewrite
from neardup.result import Result
from neardup.results.files import FINGERPRINT, as_json
from neardup.results.places import INSIDE, Place, beside_data, check_empty, set_apart
from neardup.results.removing import REMOVED_COLUMNS, cluster_notes
from neardup.results.reopening import reopen
from neardup.settings.base import Mode
from neardup.settings.run import RunSettings
from neardup.steps.against import OLD
from neardup.storage import MARK, Address

SUMMARY = "neardup-removed.json"
REMOVED = "neardup-removed"  # what every name begins with that is not one of the input's
DONE = f"{REMOVED}.done"  # a folder, while the work goes on: a note for each file that is whole
DONE_SCHEMA = pa.schema(
    [("number", pa.int64()), ("removed", pa.int64()), ("written", pa.bool_()), ("damage", pa.string())]
)


@dataclass(frozen=True)
class Shard:
    """What is done with a file of the input, once."""

    base: Path | Address
    read: Mapping[str, Any]  # what the run says of its input, but the files
    moved: Sequence[str | Path]

    def __call__(self, shard: dict[str, Any], rows: pa.Table) -> dict[str, Any]:
        """Work on the file, unless that was done before."""
        note = self.base / DONE / f"{shard['number']}.json"
        if note.exists():
            return dict(json.loads(note.read_text()))
        removed, damage, written = self.worked(shard, rows)
        found = {"number": shard["number"], "removed": removed, "written": written, "damage": damage}
        with placed(self.base, f"{DONE}/{note.name}") as path:
            path.write_text(json.dumps(found))
        return found

    def worked(self, shard: dict[str, Any], rows: pa.Table) -> tuple[int, str | None, bool]:
        """Write what belongs to the file: how many records went, what is wrong, and is it there."""
        raise NotImplementedError

    def rewritten(
        self, shard: dict[str, Any], noted: bool, decide: Callable[[File, ReaderSettings], Decisions]
    ) -> tuple[str | None, bool]:
        """Write the file as it was decided; say what is wrong with it, and whether it is there."""
        source = reopen({**self.read, "files": [json.loads(shard["file"])]}, self.moved)
        [file] = source.files
        if why := not_copied(file):
            return why, False
        if noted:
            check_notes(file)
        with placed(self.base, file.name) as path:
            damage = rewrite(file, path, decide(file, source.settings), source.settings)
            check_unchanged([file])
            written = path.exists()
        return damage, written


@dataclass(frozen=True)
class DedupShard(Shard):
    """Removes the duplicates of a file or notes them, and tells what went in a table."""

    tables: Path | Address
    mode: Mode
    method: str
    settings: Mapping[str, Any]  # of the run that found the duplicates

    def worked(self, shard: dict[str, Any], rows: pa.Table) -> tuple[int, str | None, bool]:
        """Write the file and what is removed of it."""
        rows = rows.sort_by("doc")
        goes = pc.and_not(pc.not_equal(rows["id"], rows["keeper_id"]), rows["is_old"])
        gone = rows.filter(goes)
        damage, written = None, False
        if self.mode != "list":
            decided = self._decided(rows, gone)
            damage, written = self.rewritten(shard, self.mode == "annotate", lambda *_: decided)
            gone = gone.slice(0, 0) if damage else gone
        table = f"{REMOVED}.parquet/{REMOVED}.{shard['number']:08}.parquet"
        with placed(self.tables, table, self.base) as path:
            pq.write_table(self._table(gone), path, compression="zstd")
        return len(gone), damage, written

    def _decided(self, rows: pa.Table, gone: pa.Table) -> Decisions:
        if self.mode == "annotate":
            return Decisions(notes=cluster_notes(rows.to_pylist()))
        keep = np.ones(max(gone["position"].to_pylist(), default=0), bool)
        keep[gone["position"].to_numpy() - 1] = False
        return Decisions(keep=keep)

    def _table(self, gone: pa.Table) -> pa.Table:
        method, result = method_named(self.method), SimpleNamespace(settings=self.settings)
        reasons = [method.reason(result, own) for own in gone["similarity"].to_pylist()]  # type: ignore[arg-type]
        return gone.select(REMOVED_COLUMNS).append_column("reason", pa.array(reasons, pa.string()))


def not_copied(file: File) -> str | None:
    """Say why a member of an archive cannot be written anywhere; None if it can."""
    if not file.problem or can_be_copied(file):
        return None
    where = "" if file.problem[0] in (NO_FILE, NO_NAME) else " (it is in the archive only)"
    return f"not copied: {': '.join(file.problem)}{where}"


def check_notes(file: File) -> None:
    """Refuse to note something in a file whose format has no place for it."""
    if file.size and not formats.reader_of(file).annotates:
        raise InputError(
            "files of this format have no place for notes",
            where=file.name,
            hint='Take mode="list" and join its table with your own records.',
        )


@contextmanager
def placed(base: Path | Address, name: str, near: Path | Address | None = None) -> Iterator[Path]:
    """Give a path to write a file to, which then takes its name in a folder, whole; nothing may come.

    Until then it is in that folder, or in another one `near`.
    """
    if isinstance(base, Address):
        with durable.temporary() as folder:
            path = folder / Path(name).name
            yield path
            if path.exists():
                (base / name).send(path)
        return
    work = near if isinstance(near, Path) else base
    path = work / DONE / uuid4().hex / Path(name).name  # of this attempt only
    path.parent.mkdir(parents=True)
    yield path
    if path.exists():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        durable.put(path, base / name)
    path.parent.rmdir()


@dataclass(frozen=True)
class Written:
    """What was done: the files that were written, how many records went, and damaged files."""

    names: tuple[str, ...]
    removed: int
    damaged: Mapping[str, str]


def shards_written(
    files: Sequence[Mapping[str, Any]],
    tables: Mapping[str, str],
    statement: str,
    work: Shard,
    run: RunSettings,
) -> Written:
    """Work on all files, each with the rows of a statement that belong to it."""
    engine = engine_named(run.engine.name)
    found = engine.each_shard(run, tables, statement, shards_of(files), work, DONE_SCHEMA)
    rows = [(files[row["number"]]["name"], row) for row in found.sort_by("number").to_pylist()]
    return Written(
        tuple(name for name, row in rows if row["written"]),
        sum(row["removed"] for _, row in rows),
        {name: row["damage"] for name, row in rows if row["damage"]},
    )


def dedup_shards(
    result: Result, target: Path | Address, mode: Mode, run: RunSettings
) -> tuple[int, Written]:
    """Write all files without duplicates, or with notes, and the table of what is removed.

    Return how many documents are left, and what was written.
    """
    files = new_files(result, mode)
    filesystem, path = result.local().tables.file("documents")
    documents = ds.dataset(path, filesystem=filesystem)
    is_old = f"d.{OLD}" if OLD in documents.schema.names else "false"
    new = documents.count_rows(filter=~ds.field(OLD) if OLD in documents.schema.names else None)
    statement = f"""
select d.source, d.position, m.doc, m.id, m.keeper_id, m.similarity, m.cluster, {is_old} as is_old
from {{clusters}} m join {{documents}} d on m.doc = d.doc"""
    tables = {name: table_path(result, name) for name in ("clusters", "documents")}
    check_places(target, mode)
    mark = fingerprint([result.run, mode])
    names = [file["name"] for file in files]
    with begun(target, mark, names, tables_of(target, mode)) as (base, told_in):
        own = told_in, mode, result.method, result.settings
        work = DedupShard(base, read_by(result), result.moved, *own)
        done = shards_written(files, tables, statement, work, run)
        told = {"mode": mode, "kept": new - done.removed, "removed": done.removed}
        (told_in / SUMMARY).write_text(as_json(told | {"damaged": dict(done.damaged)}))
    return new - done.removed, done


def read_by(result: Result) -> dict[str, Any]:
    """Return what a run says of its input, but the files."""
    return {name: own for name, own in result.run["input"].items() if name != "files"}


def new_files(result: Result, mode: Mode) -> list[dict[str, Any]]:
    """Return what the run says of the files that are not old; of other sources, only their names."""
    described = result.run["input"]
    if described["kind"] == "files":
        return [file for file in described["files"] if not file.get(OLD)]
    if mode != "list":
        raise InputError(
            "this result was not made from files",
            hint="Use mode 'list', and join its table with your own rows.",
        )
    return [{"name": described["kind"]}]


def shards_of(files: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return the files as a table, by their names."""
    return pa.table(
        {
            "name": pa.array([file["name"] for file in files], pa.string()),
            "size": pa.array([file.get("size", 0) for file in files], pa.int64()),
            "number": pa.array(range(len(files)), pa.int64()),
            "file": pa.array([json.dumps(file) for file in files], pa.string()),
        }
    )


def table_path(result: Result, name: str) -> str:
    """Return the address of a table as Spark takes it."""
    folder = result.tables.folder
    local = folder.local_path()
    return f"{f'file://{local.absolute()}' if local else folder}/{name}{SUFFIX}"


def fingerprint(facts: object) -> str:
    """Return a digest of all that the files depend on."""
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


@contextmanager
def begun(
    target: Path | Address, mark: str, names: Sequence[str], tables: Path | Address | None = None
) -> Iterator[tuple[Path | Address, Path | Address]]:
    """Give the folder to work in: beside its place, or at its address with a mark that it is not whole.

    The other one is that for tables, which may be the same; without `tables`, older ones are left alone.
    What an interrupted run left there is kept, if it was the same run.
    """
    for name in names:
        check_inside(name)
    if isinstance(target, Path):
        place = Place(DiskFolder(target))
        place.check_free(overwrite=False)
        with place.claimed(mark, partial(has_notes, place.work / DONE)):
            work = place.work.path.absolute()
            yield work, work if tables is target else work / INSIDE
            (place.work / DONE).delete()
            place.work.rename(place.output)
            (place.output / FINGERPRINT).delete()
            set_apart(place.output.path)
        return
    with target.failures_told():
        check_empty(target)
        known = target / DONE / FINGERPRINT
        if not (known.exists() and known.read_text() == mark):
            for folder in (target, tables):
                clear(folder)
            roots = {name.partition("/")[0] for name in names}
            (target / MARK).write_text(json.dumps([*sorted(roots), DONE, f"{REMOVED}.parquet", SUMMARY]))
            known.write_text(mark)
        try:
            yield target, tables or beside_data(target)
        except BaseException:
            if not has_notes(target / DONE):
                for folder in (target, tables):
                    clear(folder)
            raise
        (target / DONE).delete()
        (target / MARK).delete()


def has_notes(done: DiskFolder | Address) -> bool:
    """Return whether a file is whole: else there is nothing that a later run could go on with."""
    return any(name.endswith(".json") for name in done.names() or ())


def clear(target: Any) -> None:
    """Delete what another interrupted run left, its mark last."""
    for name in sorted((target and target.names()) or [], key=lambda name: name == MARK):
        (target / name).delete()


def check_inside(name: str) -> None:
    """Refuse a name that leads out of the folder, or is one that is ours."""
    parts = PurePosixPath(name).parts
    if ".." in parts or name.startswith("/") or parts[0].startswith(f"{REMOVED}."):
        raise OutputError("this name cannot be written to the folder", where=name)
