"""Removing duplicates or repeated passages: list, annotate or remove them, with a table that says why.

What neardup could not read is never removed.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from neardup.cleaning.apart import check_places, tables_of
from neardup.cleaning.shards import check_notes, dedup_shards, not_copied
from neardup.engines import engine_named, engine_settings
from neardup.engines.disk import DiskFolder
from neardup.engines.parquet import write_table
from neardup.errors import InputError, OutputError, SettingsError
from neardup.readers.files import check_unchanged
from neardup.readers.source import rewrite
from neardup.result import Result
from neardup.results.cutting import CutRemoval
from neardup.results.files import MARKS, write_json
from neardup.results.marks import is_aside
from neardup.results.places import INSIDE, written_folder
from neardup.results.reclustering import can_recluster, without
from neardup.results.removing import ADDABLE, Deciding, DuplicateRemoval, Removal, new_files
from neardup.settings.base import Clustering, Mode
from neardup.settings.run import RunSettings
from neardup.showing.judged import marked_different
from neardup.storage import located

REMOVED = "neardup-removed.parquet"
IDS = "neardup-removed.txt"
ALL = "neardup-removed.all.parquet"  # what is added, of all documents
SUMMARY = "neardup-removed.json"
MARKED = "marked-different"  # what is excepted: marks that a server keeps


@dataclass(frozen=True)
class Cleaning:
    """What `dedup` did: where it wrote, how many documents it kept, and how many it removed.

    For a result of `passages`, `removed` counts passages, and `characters` those in them; a document
    that has no other text is not kept. `what` says what was removed; what is in the folder `tables`
    says why. `damaged` are files that could not be read whole, with what is wrong: copied as they are,
    so that nothing in them counts as removed.
    """

    output: Any  # a path, or an address elsewhere, as the files are
    mode: Mode
    kept: int
    removed: int
    files: tuple[Any, ...]
    damaged: Mapping[str, str]
    characters: int | None = None
    what: str = "duplicate"
    tables: Any = None
    table: Any = None  # of what is removed, in Arrow, if it was written nowhere


def dedup(
    result: Result | str | Path,
    output: str | Path | None = None,
    *,
    mode: Mode = "list",
    keep: str | None = None,
    threshold: float | None = None,
    clusters: Clustering | None = None,
    keep_at_most: int = 1,
    add: str | Iterable[str] = (),
    least_left: float = 0,
    except_: str | Path | None = None,
    engine: object = "local",
    master: str = "local[*]",
    conf: Mapping[str, str] | None = None,
) -> Cleaning:
    """List, annotate or remove the duplicates, or the repeated passages, that a run found.

    `result` is a result or its folder. Without an `output` nothing is written, and what is returned has
    the `table` of what would go. `mode` says what to write: the ids of duplicates (`list`), all
    records with notes (`annotate`), or the files without duplicates (`remove`). One document of each
    cluster stays: the longest, first or newest one, or the one with the highest value of a column, or of
    the best source (`keep`); or several, the best `keep_at_most`. `add` names columns to add to every
    record (cluster, cluster_size, cluster_keeper, similarity_to_keeper, duplicates_removed); mode
    `list` writes them as a table of all documents. `threshold` may be higher than that of the run, but
    not for `pages`.

    For a result of `passages`, one copy of each repeated sentence stays: the one in the first document,
    or in the one that `keep` prefers. Passages that are less similar than `threshold` (0.95) all stay.
    For one of `sentences`, one of identical sentences, lines or paragraphs stays. A document of which
    less than `least_left` of its characters would be left goes as a whole.

    `except_` keeps what people marked as different from its keeper: `marked-different` takes the marks
    that a server keeps beside the result; or name a file of marks, or a sheet.

    For a run `against` old documents, only the files of new ones are written; nothing old is removed.

    With `engine="spark"` (at a `master`, with Spark's own settings in `conf`) or a session of Spark,
    a task writes each file, with the clusters that the run found.
    """
    chosen = engine_settings(engine, {"master": master, "conf": conf})
    found = result if isinstance(result, Result) else Result(result)
    found.check("dedup")
    if mode not in get_args(Mode):
        raise SettingsError(f"mode must be one of {', '.join(get_args(Mode))}: got {mode!r}")
    if output is None:
        return listed(found, mode, keep, threshold, clusters, except_)
    target = located(output)
    if engine_named(chosen.name).works_by_shard:
        check_as_found(found, [keep, threshold, clusters, keep_at_most != 1, add, least_left, except_])
        kept, done = dedup_shards(found, target, mode, RunSettings.make(engine=chosen))
        files = tuple(target / name for name in done.names)
        told = tables_of(target, mode)
        return Cleaning(target, mode, kept, done.removed, files, done.damaged, tables=told)
    result = found.local()
    removal = removal_of(result, keep, threshold, clusters, except_)
    added = names_of(add)
    if keep_at_most != 1 or added:
        removal = with_counts(removal, keep_at_most, added)
    if least_left:
        removal = leaving(removal, least_left)
    names: list[str] = []
    damaged: dict[str, str] = {}
    check_places(target, mode)
    with written_folder(target, REMOVED if mode == "list" else INSIDE) as work:
        tables = work if mode == "list" else work / INSIDE
        tell_removed(tables, removal)
        if added and mode == "list":
            write_table(tables / ALL, removal.counts.schema, removal.counts.to_batches())
        if mode != "list":
            for name, damage, is_there in rewrite_files(result, work, mode, removal):
                names += [name] * is_there
                damaged |= {name: damage} if damage else {}
        if damaged:
            removal = removal.sparing(damaged)
            tell_removed(tables, removal)
        if added:
            write_json(tables / SUMMARY, summary(removal, mode, keep_at_most))
    files = tuple(target / name for name in names)
    removed, characters = len(removal.removed), removal.characters
    told = tables_of(target, mode)
    return Cleaning(target, mode, removal.kept, removed, files, damaged, characters, removal.what, told)


def listed(
    result: Result,
    mode: Mode,
    keep: str | None,
    threshold: float | None,
    clusters: Clustering | None,
    except_: str | Path | None,
) -> Cleaning:
    """Return the table of what would be removed, and write nothing."""
    if mode != "list":
        hint = "Name a folder for the files. Data in memory is cleaned by result.deduplicated(data)."
        raise SettingsError(f"mode {mode!r} needs an output", hint=hint)
    local = result.local()
    removal = removal_of(local, keep, threshold, clusters, except_)
    gone = removal.removed
    return Cleaning(
        *(None, mode, removal.kept, len(gone), (), {}, removal.characters, removal.what), table=gone
    )


def removal_of(
    result: Result,
    keep: str | None,
    threshold: float | None,
    clusters: Clustering | None,
    except_: str | Path | None,
) -> Any:
    """Return what is removed, but for what people marked as different."""
    if except_ is None:
        return result.own_method.removal(result, keep, threshold, clusters)
    path = result.folder / MARKS if except_ == MARKED else Path(except_)
    if except_ == MARKED and not path.exists():
        hint = "Mark pairs in the browser, with neardup serve; or name a file of marks."
        if aside := sorted(filter(is_aside, DiskFolder(result.folder).names() or ())):
            hint = f"{aside[-1]}, beside it, is for other input: name it if the documents are the same."
        raise InputError("there are no marks yet", where=str(path), hint=hint)
    kind = result.own_method.report(result)
    apart, rows = marked_different(kind, path)
    left = Result.of(without(result, rows)) if can_recluster(result) else result
    removal = left.own_method.removal(left, keep, threshold, clusters)
    if not isinstance(removal, DuplicateRemoval):
        hint = "Leave except_= out: marks are of pairs, and this removes parts of documents."
        raise SettingsError(f"marks except nothing from a result of {result.method}", hint=hint)
    return replace(removal, apart=apart)


def check_as_found(result: Result, chosen: Sequence[object]) -> None:
    """Refuse to remove anything on a cluster but the duplicates in the clusters of the run."""
    if any(chosen) or not result.has("clusters"):
        hint = "Take engine='local', or set it in the run."
        raise SettingsError("on Spark, dedup takes the clusters as the run found them", hint=hint)


def names_of(add: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of columns to add, of which each must be known."""
    names = add.split(",") if isinstance(add, str) else add
    given = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
    if unknown := [name for name in given if name not in ADDABLE]:
        raise SettingsError(f"cannot add {unknown[0]!r}", hint=f"Choose from: {', '.join(ADDABLE)}.")
    return given


def with_counts(removal: Removal, at_most: int, added: Sequence[str]) -> Any:
    """Return what is removed from clusters of which several stay, or whose members get notes."""
    if not isinstance(removal, DuplicateRemoval):
        hint = "Leave keep_at_most= and add= out; mode='annotate' notes the passages of each record."
        raise SettingsError("a result of passages has no clusters", hint=hint)
    if at_most < 1:
        raise SettingsError(f"keep_at_most must be at least 1: got {at_most}")
    return replace(removal, at_most=at_most, added=added)


def leaving(removal: Removal, least_left: float) -> Removal:
    """Return what is removed if documents go of which less than some share would be left."""
    if not isinstance(removal, CutRemoval):
        hint = "Leave least_left= out: documents go as a whole."
        raise SettingsError(
            "least_left is for results of which dedup cuts parts out of documents", hint=hint
        )
    if not 0 <= least_left <= 1:
        raise SettingsError(f"least_left must be from 0 to 1: got {least_left}")
    return replace(removal, least_left=least_left)


def summary(removal: Any, mode: Mode, at_most: int) -> dict[str, Any]:
    """Return what was done in numbers, with how many clusters there are of each size."""
    return {
        "mode": mode,
        "keep_at_most": at_most,
        "kept": removal.kept,
        "removed": len(removal.removed),
        "sizes": {str(size): count for size, count in removal.sizes.items()},
    }


def tell_removed(work: Path, removal: Removal) -> None:
    """Write the tables of what is removed."""
    work.mkdir(exist_ok=True)
    write_table(work / REMOVED, removal.removed.schema, removal.removed.to_batches())
    if removal.ids is not None:
        ids = "".join(f"{on_one_line(given)}\n" for given in removal.ids)
        (work / IDS).write_text(ids, encoding="utf-8")


def on_one_line(given: str) -> str:
    r"""Write an id so that it takes one line.

    >>> print(on_one_line("a\nb"))
    a\nb
    """
    return given.replace("\r", r"\r").replace("\n", r"\n")


def rewrite_files(
    result: Result, work: Path, mode: Mode, removal: Deciding
) -> Iterator[tuple[str, str | None, bool]]:
    """Write the input files again, each in its own format; yields names, damage, and what was written.

    The members of an archive get a folder that is called like it.
    """
    source = result.source(with_old=False)
    if not hasattr(source, "files"):
        raise InputError(
            "this result was made from data in memory",
            hint="Use mode 'list', or change your data by the table of what is removed.",
        )
    for file in new_files(result, source.files):
        if why := not_copied(file):
            yield file.name, why, False
            continue
        if mode == "annotate" or removal.adds:
            check_notes(file)
        target = inside(work, file.name)
        damage = rewrite(file, target, removal.decide(file, mode), source.settings)
        check_unchanged([file])
        if target.exists():
            yield file.name, damage, True


def inside(folder: Path, name: str) -> Path:
    """Return the path of a name in a folder; nothing outside of it is ever written."""
    target = Path(os.path.normpath(folder / name))
    if not target.is_relative_to(folder) or target == folder:
        raise OutputError("this name leads out of the folder", where=name)
    if target.exists():
        raise OutputError("this name is already taken", where=name, hint="Rename the input file.")
    return target
