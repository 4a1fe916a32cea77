"""Removing duplicates: list, annotate or remove them, always with a table that says why.

What neardup could not read is never removed.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError, OutputError, SettingsError
from neardup.readers import formats
from neardup.readers.files import File
from neardup.readers.source import rewrite
from neardup.recluster import cluster, rethreshold
from neardup.result import Result, write_table
from neardup.settings import Clustering

Mode = Literal["list", "annotate", "remove"]
REMOVED = "neardup-removed.parquet"
IDS = "neardup-removed.txt"


@dataclass(frozen=True)
class Cleaning:
    """What `dedup` did: where it wrote, and how many documents it kept and removed."""

    output: Path
    mode: Mode
    kept: int
    removed: int
    files: tuple[Path, ...]


def dedup(
    result: Result,
    output: str | Path,
    *,
    mode: Mode = "list",
    keep: str | None = None,
    threshold: float | None = None,
    clusters: Clustering | None = None,
) -> Cleaning:
    """List, annotate or remove the duplicates that a run found.

    One document of each cluster stays: the longest, first or newest one, or the one with the highest
    value of a column (`keep`). `threshold` may be raised above that of the run.
    """
    if mode not in get_args(Mode):
        raise SettingsError(f"mode must be one of {', '.join(get_args(Mode))}: got {mode!r}")
    output = Path(output)
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise OutputError("this is not an empty folder", where=str(output), hint="Choose another.")
    result = result if threshold is None else rethreshold(result, threshold, None)
    members = members_of(result, keep, clusters)
    removed = removed_table(result, members)
    with written_folder(output) as work:
        write_table(work / REMOVED, removed.schema, removed.to_batches())
        ids = "".join(f"{given}\n" for given in removed["id"].to_pylist())
        (work / IDS).write_text(ids, encoding="utf-8")
        files = list(rewrite_files(result, members, work, mode)) if mode != "list" else []
    kept = result.counts["documents"] - len(removed)
    return Cleaning(output, mode, kept, len(removed), tuple(output / name for name in files))


@contextmanager
def written_folder(output: Path) -> Iterator[Path]:
    """Give a folder that gets its name when all is written, and is deleted if something fails."""
    output.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"{output.name}.", suffix=".partial", dir=output.parent))
    try:
        yield work
        work.chmod(0o755)
        work.rename(output)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def members_of(result: Result, keep: str | None, clusters: Clustering | None) -> pa.Table:
    """Return the clusters for these choices: those of the run where nothing was chosen."""
    settings = result.run["settings"]
    keep, clusters = keep or settings["keep"], clusters or settings["clusters"]
    if (keep, clusters) == (settings["keep"], settings["clusters"]):
        return result.clusters
    return cluster(result.documents, result.pairs, keep, clusters, result.threshold)


def removed_table(result: Result, members: pa.Table) -> pa.Table:
    """Return one row a removed document: where it was, who stays instead, and why."""
    gone = members.filter(pc.not_equal(members["id"], members["keeper_id"]))
    where = result.documents.select(["doc", "source", "position"])
    table = gone.join(where, "doc").sort_by("doc")
    measure = result.run["settings"]["measure"]
    reasons = [
        "connected to the keeper through others"
        if s is None
        else "the same shingles as the keeper"
        if s == 1 and measure == "resemblance"
        else f"{measure} {s:.4f} to the keeper, at least {result.threshold}"
        for s in table["similarity"].to_pylist()
    ]
    columns = ["id", "source", "position", "keeper_id", "similarity", "cluster"]
    return table.select(columns).append_column("reason", pa.array(reasons, pa.string()))


def rewrite_files(result: Result, members: pa.Table, work: Path, mode: Mode) -> Iterator[str]:
    """Write the input files anew, each in its own format; yields their names."""
    source = result.source()
    if not hasattr(source, "files"):
        raise InputError(
            "this result was made from data in memory",
            hint="Use mode 'list', or filter your data by the ids that are removed.",
        )
    documents = result.documents.select(["doc", "source", "position"])
    table = members.join(documents, "doc")
    for file in source.files:
        reader = formats.reader_of(file)
        if mode == "annotate" and file.size and not getattr(reader, "ANNOTATES", True):
            raise InputError(
                "files of this format have no place for notes",
                where=file.name,
                hint="Take --mode list and join its table with your own records.",
            )
        target = inside(work, file.name)
        own = table.filter(pc.equal(table["source"], file.name))
        keep, notes = decisions(result, file, own, mode)
        rewrite(file, target, keep, notes, source.settings)
        if target.exists():
            yield file.name


def inside(folder: Path, name: str) -> Path:
    """Return the path of a name in a folder; nothing outside of it is ever written."""
    target = Path(os.path.normpath(folder / name))
    if not target.is_relative_to(folder) or target == folder:
        raise OutputError("this name leads out of the folder", where=name)
    if target.exists():
        raise OutputError("this name is already taken", where=name, hint="Rename the input file.")
    return target


def decisions(
    result: Result, file: File, members: pa.Table, mode: Mode
) -> tuple[Any, dict[int, dict[str, Any]] | None]:
    """Return which records of a file stay, or what is noted on them."""
    rows = members.select(["position", "cluster", "id", "keeper_id", "similarity"]).to_pylist()
    if mode == "annotate":
        notes = {
            row["position"] - 1: {
                "cluster": row["cluster"],
                "keeper": row["keeper_id"],
                "similarity": row["similarity"],
            }
            for row in rows
        }
        return None, notes
    records = sum(
        pc.sum(pc.equal(table["source"], file.name)).as_py() or 0
        for table in (result.documents, result.skipped)
    )
    keep = np.ones(records, bool)
    gone = [row["position"] - 1 for row in rows if row["id"] != row["keeper_id"]]
    keep[gone] = False
    return keep, None
