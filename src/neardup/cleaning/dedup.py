"""Removing duplicates or repeated passages: list, annotate or remove them, with a table that says why.

What neardup could not read is never removed.
"""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.engines.parquet import write_table
from neardup.errors import InputError, OutputError, SettingsError
from neardup.methods.pages import plan as pages
from neardup.methods.pages.pairs import settings_of
from neardup.methods.passages.cleaning import THRESHOLD, Cut, find_cuts, removed_rows, without
from neardup.readers import formats
from neardup.readers.files import File
from neardup.readers.records import Decisions, PassageNotes, ReaderSettings
from neardup.readers.source import FileSource, fetch, rewrite
from neardup.results.folder import Result
from neardup.results.reclustering import cluster
from neardup.settings.base import Clustering

Mode = Literal["list", "annotate", "remove"]  # of what dedup does

REMOVED = "neardup-removed.parquet"
IDS = "neardup-removed.txt"


@dataclass(frozen=True)
class Cleaning:
    """What `dedup` did: where it wrote, how many documents it kept, and how many it removed.

    For a result of `passages`, `removed` are passages, of so many `characters` in all; what has no
    other text is not kept.
    """

    output: Path
    mode: Mode
    kept: int
    removed: int
    files: tuple[Path, ...]
    characters: int = 0


def dedup(
    result: Result | str | Path,
    output: str | Path,
    *,
    mode: Mode = "list",
    keep: str | None = None,
    threshold: float | None = None,
    clusters: Clustering | None = None,
) -> Cleaning:
    """List, annotate or remove the duplicates, or the repeated passages, that a run found.

    `result` may also be the folder of one. One document of each cluster stays: the longest, first or
    newest one, or the one with the highest value of a column (`keep`). `threshold` may be raised above
    that of a run, but not of `pages`.

    Of a result of `passages`, one copy of each repeated sentence stays: that in the first document, or
    in the one that `keep` prefers. `threshold` is the least similarity of a passage, 0.95 unless given.
    """
    result = (result if isinstance(result, Result) else Result(result)).local()
    result.check("dedup")
    if mode not in get_args(Mode):
        raise SettingsError(f"mode must be one of {', '.join(get_args(Mode))}: got {mode!r}")
    output = Path(output)
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise OutputError("this is not an empty folder", where=str(output), hint="Choose another.")
    if result.method == "passages":
        if clusters is not None:
            raise SettingsError("a result of passages has no clusters", hint="Leave clusters= out.")
        return dedup_passages(result, output, mode, keep or "first", threshold)
    result = result if threshold is None else result.rethreshold(threshold)
    members = members_of(result, keep, clusters)
    removed = removed_table(result, members)
    with written_folder(output) as work:
        write_table(work / REMOVED, removed.schema, removed.to_batches())
        ids = "".join(f"{on_one_line(given)}\n" for given in removed["id"].to_pylist())
        (work / IDS).write_text(ids, encoding="utf-8")
        files = [] if mode == "list" else list(rewrite_members(result, members, work, mode))
    kept = result.counts["documents"] - len(removed)
    return Cleaning(output, mode, kept, len(removed), tuple(output / name for name in files))


def on_one_line(given: str) -> str:
    r"""Write an id so that it takes one line.

    >>> print(on_one_line("a\nb"))
    a\nb
    """
    return given.replace("\r", r"\r").replace("\n", r"\n")


def dedup_passages(
    result: Result, output: Path, mode: Mode, keep: str, threshold: float | None
) -> Cleaning:
    """List, annotate or cut out repeated sentences."""
    found = find_cuts(result, keep, THRESHOLD if threshold is None else threshold)
    removed = removed_rows(result, found)
    with written_folder(output) as work:
        write_table(work / REMOVED, removed.schema, removed.to_batches())
        files = [] if mode == "list" else list(rewrite_passages(result, found, removed, work, mode))
    documents = result.documents.filter(
        pc.is_in(result.documents["doc"], pa.array(list(found), pa.int64()))
    )
    lengths = zip(documents["doc"].to_pylist(), documents["length"].to_pylist(), strict=True)
    sizes = {doc: sum(cut.end - cut.start for cut in cuts) for doc, cuts in found.items()}
    emptied = sum(sizes[doc] == length for doc, length in lengths)
    paths = tuple(output / name for name in files)
    kept = result.counts["documents"] - emptied
    return Cleaning(output, mode, kept, len(removed), paths, sum(sizes.values()))


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
    return cluster(result.documents, result.pairs, keep, clusters, least_contained(result))


def least_contained(result: Result) -> float:
    """Return how much of a document must be in another one for this to be kept in its place."""
    if result.method == "pages":
        return pages.least_contained(settings_of(result))
    return result.threshold


def removed_table(result: Result, members: pa.Table) -> pa.Table:
    """Return one row a removed document: where it was, who stays instead, and why."""
    gone = members.filter(pc.not_equal(members["id"], members["keeper_id"]))
    where = result.documents.select(["doc", "source", "position"])
    table = gone.join(where, "doc").sort_by("doc")
    reasons = [reason(result, similarity) for similarity in table["similarity"].to_pylist()]
    columns = ["id", "source", "position", "keeper_id", "similarity", "cluster"]
    return table.select(columns).append_column("reason", pa.array(reasons, pa.string()))


def reason(result: Result, similarity: float | None) -> str:
    """Say why a document was removed, by its similarity to its keeper."""
    measure = result.run["settings"].get("measure", "similarity")
    if similarity is None:
        return "connected to the keeper through others"
    if similarity == 1 and measure == "resemblance":
        return "the same shingles as the keeper"
    if measure == "tlcs":  # a pair by its resemblance or containment, with limits of their sites
        return f"resemblance {similarity:.4f} to the keeper by trustable common subsequence"
    return f"{measure} {similarity:.4f} to the keeper, at least {result.threshold}"


def rewrite_members(result: Result, members: pa.Table, work: Path, mode: Mode) -> Iterator[str]:
    """Write the input files without duplicates, or with notes on them; yields their names."""
    documents = result.documents.select(["doc", "source", "position"])
    columns = ["source", "position", "cluster", "id", "keeper_id", "similarity"]
    by_file = rows_by_file(members.join(documents, "doc").select(columns))
    records = Counter(result.documents["source"].to_pylist())
    records.update(result.skipped["source"].to_pylist())

    def decide(file: File) -> Decisions:
        return decisions(by_file.get(file.name, []), records[file.name], mode)

    yield from rewrite_files(result, work, mode, decide)


def rows_by_file(table: pa.Table) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a table by the file in their column `source`."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        found.setdefault(row["source"], []).append(row)
    return found


def rewrite_passages(
    result: Result, found: Mapping[int, list[Cut]], removed: pa.Table, work: Path, mode: Mode
) -> Iterator[str]:
    """Write the input files without repeated passages, or with notes on them; yields their names."""
    cut_from = result.documents.filter(
        pc.is_in(result.documents["doc"], pa.array(list(found), pa.int64()))
    )
    reader = getattr(result.source(), "settings", ReaderSettings())
    cut_by_file = rows_by_file(cut_from.select(["source", "position", "doc"]))
    removed_by_file = rows_by_file(removed)

    def decide(file: File) -> Decisions:
        if mode == "annotate":
            return Decisions(notes=passage_notes(removed_by_file.get(file.name, [])))
        own = {row["position"] - 1: row["doc"] for row in cut_by_file.get(file.name, [])}
        if own and not formats.reader_of(file).cuts:
            able = formats.those_that(lambda reader: reader.cuts)
            raise InputError(
                "texts in files of this format cannot be cut",
                where=file.name,
                hint=f'Those in {able} can. Take mode="list" for the others.',
            )
        texts = fetch(FileSource((file,), reader), [(0, position) for position in own])
        new = {
            position: without(text or "", [(cut.start, cut.end) for cut in found[doc]])
            for (position, doc), text in zip(own.items(), texts, strict=True)
        }
        keep = np.ones(max(own, default=-1) + 1, bool)
        keep[[position for position, text in new.items() if not text]] = False
        return Decisions(keep=keep, texts={at: text for at, text in new.items() if text})

    yield from rewrite_files(result, work, mode, decide)


def passage_notes(removed: Iterable[Mapping[str, Any]]) -> PassageNotes:
    """Return the notes on the records of one file."""
    notes = PassageNotes()
    for row in removed:
        note = notes.setdefault(row["position"] - 1, {"passages": []})
        names = ("start", "end", "keeper_id", "keeper_start", "keeper_end")
        note["passages"].append({name.removesuffix("_id"): row[name] for name in names})
    return notes


def rewrite_files(
    result: Result, work: Path, mode: Mode, decide: Callable[[File], Decisions]
) -> Iterator[str]:
    """Write the input files anew, each in its own format; yields their names."""
    source = result.source()
    if not hasattr(source, "files"):
        raise InputError(
            "this result was made from data in memory",
            hint="Use mode 'list', or change your data by the table of what is removed.",
        )
    for file in source.files:
        if mode == "annotate" and file.size and not formats.reader_of(file).annotates:
            raise InputError(
                "files of this format have no place for notes",
                where=file.name,
                hint='Take mode="list" and join its table with your own records.',
            )
        target = inside(work, file.name)
        rewrite(file, target, decide(file), source.settings)
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


def decisions(members: Iterable[Mapping[str, Any]], records: int, mode: Mode) -> Decisions:
    """Return which of so many records of a file stay, or what is noted on them."""
    if mode == "annotate":
        notes = {
            row["position"] - 1: {
                "cluster": row["cluster"],
                "keeper": row["keeper_id"],
                "similarity": row["similarity"],
            }
            for row in members
        }
        return Decisions(notes=notes)
    keep = np.ones(records, bool)
    keep[[row["position"] - 1 for row in members if row["id"] != row["keeper_id"]]] = False
    return Decisions(keep=keep)
