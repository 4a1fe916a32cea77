"""A cleaned corpus written as its ledger says: by this machine, or by a task for each file."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.fs as pafs

from neardup import durable
from neardup.cleaning.apart import tables_of
from neardup.cleaning.declared import KEPT_TABLE, LEDGER
from neardup.cleaning.dedup import rewrite_files
from neardup.cleaning.ledger import LedgerRemoval, decisions, spare
from neardup.cleaning.recipe import names_in
from neardup.cleaning.shards import (
    Shard,
    begun,
    fingerprint,
    new_files,
    read_by,
    shards_written,
    table_path,
)
from neardup.engines.base import Silent
from neardup.result import Result
from neardup.results.files import RUN
from neardup.results.folder import ResultFolder
from neardup.results.options import TextOptions
from neardup.results.places import INSIDE, written_folder
from neardup.storage import Address, resolve, send_folder

ROWS = """
select source, position, action, start, `end`, cast(null as bigint) as cluster_size,
  cast(null as double) as commonness
from {ledger}"""
KEPT_ROWS = """
union all
select source, position, 'kept' as action, cast(null as bigint) as start, cast(null as bigint) as `end`,
  cluster_size, commonness
from {kept}"""


@dataclass(frozen=True)
class Cleaned:
    """What `clean` did: the result with its ledger, and the files that were written.

    `damaged` are files that could not be read whole, with what is wrong: copied as they are, and in the
    ledger nothing of them went. `data` is what is left of a dataset of Hugging Face.
    """

    result: Result
    output: Any
    files: tuple[Any, ...]
    damaged: Mapping[str, str]
    data: Any = None


def written(result: Result, target: Path | Address, options: TextOptions) -> Cleaned:
    """Write all files without what is to go, and the ledger beside them."""
    progress = options.progress or Silent()
    local = result.local()
    removal = LedgerRemoval(local)
    names: list[str] = []
    damaged: dict[str, str] = {}
    with written_folder(target, INSIDE) as work:
        copy_ledger(local, work / INSIDE)
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
    return Cleaned(Result(tables_of(target, "remove")), target, files, damaged)


def copy_ledger(result: ResultFolder, target: Path) -> None:
    """Copy a ledger to this machine's disk, from wherever it is."""
    folder = result.tables.folder
    if local := folder.local_path():
        shutil.copytree(local, target)
        return
    filesystem, inner = resolve(str(folder))
    target.mkdir(parents=True)
    pafs.copy_files(inner, str(target), source_filesystem=filesystem)


@dataclass(frozen=True)
class LedgerShard(Shard):
    """Writes a file without what is to go of it."""

    added: tuple[str, ...]

    def worked(self, shard: dict[str, Any], rows: pa.Table) -> tuple[int, str | None, bool]:
        """Write the file, by its rows of the ledger and what is added to those that stay."""
        stays = pc.equal(rows["action"], "kept")
        gone, kept = rows.filter(pc.invert(stays)), None
        if self.added:
            kept = rows.filter(stays).select(["position", *self.added])
        decide = partial(decisions, rows=gone, kept=kept)
        return gone.num_rows, *self.rewritten(shard, bool(self.added), decide)


def written_by_shard(result: Result, target: Path | Address, options: TextOptions) -> Cleaned:
    """Do the same by a task for each file; files that an interrupted run wrote are not written again."""
    added, files = names_in(result.settings.get("add")), new_files(result, "remove")
    tables = {str(name): table_path(result, name) for name in (LEDGER, KEPT_TABLE)}
    statement = ROWS + (KEPT_ROWS if added else "")
    names = [file["name"] for file in files]
    mark = fingerprint([result.run[name] for name in ("settings", "versions", "input")])
    with begun(target, mark, names) as (base, inside):
        work = LedgerShard(base, read_by(result), result.moved, added)
        done = shards_written(files, tables, statement, work, options.run)
        if done.damaged:
            with durable.temporary() as folder:
                near = inside if isinstance(inside, Path) else folder / inside.name
                copy_ledger(result.local(), near)
                spare(near, done.damaged)
                if isinstance(inside, Address):
                    send_folder(near, inside, RUN)
    left = Result(result.where, None, result.tables)
    return Cleaned(left, target, tuple(target / name for name in done.names), done.damaged)
