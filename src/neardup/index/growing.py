"""An index that grows by what is compared with it: of it is read what is needed, and nothing twice."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from neardup.durable import sync_all
from neardup.engines.base import Progress, Silent, ignore
from neardup.engines.disk import DiskFolder
from neardup.errors import SettingsError
from neardup.index.adding import Row, portions, rows_of
from neardup.index.asked import ThreadIndex
from neardup.index.filtering import free_name
from neardup.index.kept import Kept
from neardup.index.online import Index
from neardup.index.shared_runs import SharedRuns
from neardup.index.sweep import Sweep
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.method import Method
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.threads.candidates import measured_by
from neardup.methods.threads.settings import ThreadSettings
from neardup.readers.file import INDEX, File
from neardup.readers.files import check_unchanged
from neardup.readers.indexes import Part
from neardup.readers.numbers import ROW_BITS
from neardup.readers.source import FileSource, Source, size_of
from neardup.result import Result
from neardup.results.compiling import compile_for
from neardup.results.files import RUN, digest
from neardup.results.options import Options
from neardup.results.places import Place
from neardup.results.running import Job
from neardup.settings.base import Settings
from neardup.steps.against import Against
from neardup.storage import Address, located

Needed = tuple[FileSource, int, dict[str, Any]]  # what is read, how much of an index, what else is told
NOTE = "grown"  # the fact of an index that says which run it grew by last
NEED_ALL = ("mask", "max_shared", "within", "exclude", "exclude_quoted", "exclude_bibliography")


@dataclass
class Grown:
    """The result of a run against an index, and how many documents that had, read of it, and got."""

    result: Result
    had: int
    read: int
    added: int


def grown(
    method: Any,
    settings: Settings,
    shared: Options,
    opened: tuple[Source, Against],
    finish: Callable[[Job], Result],
    progress: Progress,
) -> Grown:
    """Run a method on new documents and those of an index that they may be like; then add the new ones.

    What is found is what a run over all finds. When the result is there, they are in the index; a call
    that was killed in between gives the result its name when it is made again.
    """
    output = checked_output(method, settings, shared)
    new, file = sides(*opened)
    kind = ThreadIndex if isinstance(settings, ThreadSettings) else Index
    with kind(file.path, True) as index:
        settings = fitting(index, settings)
        marks = f"{new.fingerprint()} {method.name} {settings}"
        note = {"output": str(output or ""), "of": hashlib.sha256(marks.encode()).hexdigest()}
        had, added = len(index), 0
        last = named_last(index)
        if last and note.items() <= last.items():
            progress.note(f"this run was interrupted when its documents were in {file.name}")
            return Grown(Result(str(output)), had, 0, 0)
        source, docs, more = needed(index, new, file, settings, progress)

        def add(work: Path) -> None:
            """Add what was read, and note which result is to take its name."""
            nonlocal added
            sync_all(work)
            note["run"] = digest(work / RUN)
            added = index.grow(rows_of_new(index, new), {NOTE: json.dumps(note)}).documents

        job = method.job(source, settings, shared.run, opened[1], **more)
        return Grown(finish(replace(job, last=add)), had, docs, added)


def result_of(
    method: Any,
    settings: Settings,
    shared: Options,
    opened: tuple[Source, Against],
    pairs: object = None,
) -> Result:
    """Do the same for who wants no more than the result; texts are kept in it."""
    if pairs is not None:
        raise SettingsError("give add or pairs, not both")
    kept = replace(shared, keep_texts=True)

    def finish(job: Job) -> Result:
        """Run a job."""
        return Result.of(kept.finished(job))

    return grown(method, settings, kept, opened, finish, kept.progress or Silent()).result


def checked_output(method: Method, settings: Settings, shared: Options) -> Path | None:
    """Refuse what cannot be found by a part of an index; return where the result is to be."""
    what, hint = "", "Leave add out: neardup index add INDEX INPUT… adds documents, too."
    if not isinstance(settings, DocumentSettings | PassageSettings | ThreadSettings):
        what = f"{method.name} cannot add to an index what it compares"
    elif others := [name for name in NEED_ALL if getattr(settings, name, None)]:
        what = f"add=True needs texts as the index has them, so it cannot have {others[0]}="
    elif getattr(settings, "language", "auto") != "auto":
        what = "add=True needs words as the index has them, so it cannot have language="
    elif shared.run.engine.name != "local":
        what = "add=True needs the engine of this machine"
    output = None if shared.output is None else located(shared.output)
    if isinstance(output, Address):
        what, hint = "add=True needs a result on this machine", "Send it to its address afterwards."
    if what:
        raise SettingsError(what, hint=hint)
    return output.absolute() if isinstance(output, Path) else None


def sides(source: Source, old: Against) -> tuple[FileSource, File]:
    """Return the new documents, and the index that they are compared with."""
    if isinstance(source, FileSource) and old.boundary is not None:
        first = next(s.file for s in source.splits() if s.number == old.boundary >> ROW_BITS)
        files = source.files[first:]
        if len(files) == 1 and files[0].suffix == INDEX and not files[0].problem:
            return replace(source, files=source.files[:first]), files[0]
    hint = 'Name it and nothing else: neardup.documents(Path("NEW"), against="INDEX", add=True)'
    raise SettingsError("add=True needs files, and against= one index that can be read", hint=hint)


def fitting(index: Any, settings: Any) -> Any:
    """Return settings by which an index can be asked; others than its own are refused."""
    if isinstance(settings, ThreadSettings):
        return fitting_threads(index, settings)
    is_whole = isinstance(settings, DocumentSettings)
    name, what = ("shingle", "documents") if is_whole else ("signature", "passages")
    own, asked = getattr(index.settings, name), getattr(settings, name)
    if asked not in (own, "auto"):
        what = f"the index compares {what} by {own}, this run by {asked}"
        hint = f"Take {name}={own!r}, or leave add out: then all of the index is read."
        raise SettingsError(what, where=str(index.path), hint=hint)
    if getattr(settings, "soft", False) and not index.settings.soft:
        hint = "Take soft=False, or leave add out: then all of the index is read."
        what = "the index was built without soft, and does not know how rare words are"
        raise SettingsError(what, where=str(index.path), hint=hint)
    return replace(settings, **{name: own})


def fitting_threads(index: Any, settings: ThreadSettings) -> ThreadSettings:
    """Return settings of threads if an index has the same sets of each field."""
    own: ThreadSettings = index.settings
    what, hint = "", "Leave add out: then all of the index is read."
    if index.analysis.counts or len(index.analysis.boilerplate.values):
        what = "the sets of this index depend on all its threads together"
    elif [*own.signed.items()] != [*settings.signed.items()]:  # in this order
        what = f"the index compares {listed(own.signed)}, this run {listed(settings.signed)}"
        hint = f"Name the fields and signatures of the index. {hint}"
    if what:
        raise SettingsError(what, where=str(index.path), hint=hint)
    return settings


def listed(signatures: Mapping[str, str]) -> str:
    """Say how fields are compared.

    >>> listed({"title": "shingles:3", "body": "imatch"})
    'title by shingles:3, body by imatch'
    """
    return ", ".join(f"{name} by {kind}" for name, kind in signatures.items())


def named_last(index: Kept) -> dict[str, str] | None:
    """Give the result of the last run its name if that was interrupted then; return its note."""
    note = json.loads(index.facts.get(NOTE, "{}"))
    if not note.get("output"):
        return None
    place = Place(DiskFolder(note["output"]))
    run = place.work.path / RUN
    if not run.exists() or digest(run) != note["run"]:
        return None
    place.take_name()
    return dict(note)


def needed(index: Any, new: FileSource, file: File, settings: Settings, progress: Progress) -> Needed:
    """Return what a run over an index and new documents has to read, and to be told."""
    find: Callable[..., Needed] = documents_needed
    if isinstance(settings, PassageSettings):
        find = passages_needed
    elif isinstance(settings, ThreadSettings):
        find = threads_needed
    return find(index, new, file, settings, progress)


def documents_needed(
    index: Index, new: FileSource, file: File, settings: Any, progress: Progress
) -> Needed:
    """Return what a run of `documents` over an index and new documents has to read."""
    compile_for("index", progress, new)
    ids: set[str] = set()
    sweep = Sweep(index.search.contents.view, index.analysis, settings.threshold, settings.measure)
    with progress.step("look up", size_of(new), "bytes") as advance:
        rows = rows_of(new, Counter(), advance, index.analysis, ids)
        docs = sweep.documents([row.text for row in part] for part in portions(rows)).tolist()
    return with_part(index, new, file, docs, ids), len(docs), {}


def threads_needed(
    index: ThreadIndex, new: FileSource, file: File, settings: Any, progress: Progress
) -> Needed:
    """Return the same for `threads`: what is similar to each is looked up."""
    compile_for("threads", progress, new)
    ids: set[str] = set()
    docs: set[int] = set()
    fields, count = index.analysis, len(settings.fields)
    with progress.step("look up", size_of(new), "bytes") as advance:
        for part in portions(rows_of(new, Counter(), advance, fields, ids)):
            values, bounds = fields.sets(fields.columns([row.text for row in part]))
            for at in range(0, len(bounds) - 1, count):
                sets = bounds[at : at + count + 1]
                own = values[sets[0] : sets[-1]], sets - sets[0]
                found = index.similar(own, measured_by(settings), len(index), settings.threshold)
                docs.update(one.doc for one in found)
    return with_part(index, new, file, sorted(docs), ids), len(docs), {}


def passages_needed(
    index: Index, new: FileSource, file: File, settings: Any, progress: Progress
) -> Needed:
    """Return the same for `passages`, and what such a run has to be told."""
    compile_for("index", progress, new)
    ids: set[str] = set()
    runs = SharedRuns(index.search.contents, settings.max_documents)
    with progress.step("look up", size_of(new), "bytes") as advance:
        for split in new.splits():
            for batch in new.read(split):
                own = batch.filter(pc.is_null(batch["problem"]))
                ids.update(filter(None, own["id"].to_pylist()))
                texts = [text.encode("utf-8", "replace") for text in own["text"].to_pylist()]
                runs.add(own["doc"].to_pylist(), texts)
            advance(split.size)
    near = runs.near()
    docs = sorted(set().union(*(found.tolist() for _, found in near)))
    source = with_part(index, new, file, docs, ids)
    return source, len(docs), {"told": runs.given(near, numbers_in(source, docs))}


def with_part(index: Kept, new: FileSource, file: File, docs: list[int], ids: set[str]) -> FileSource:
    """Return the new documents with some of an index; those with an id of a new one get another."""
    taken = frozenset(index.numbers(ids)).intersection(docs)
    size = max(file.size * len(docs) // max(len(index), 1), 1)
    part = Part.of(replace(file, size=size), docs=tuple(docs), taken=taken)
    return replace(new, files=(*new.files, part))


def numbers_in(source: FileSource, docs: list[int]) -> dict[int, int]:
    """Return the number in a source of each document of the part of an index at its end."""
    found: dict[int, int] = {}
    for split in source.splits():
        if split.file == len(source.files) - 1:
            own = [doc for doc in docs if split.begin <= doc and not 0 <= split.end <= doc]
            found |= {doc: (split.number << ROW_BITS) + row for row, doc in enumerate(own)}
    return found


def rows_of_new(index: Kept, new: FileSource) -> Iterator[Row]:
    """Yield the documents that are added; one whose id the index has gets another."""
    ids: set[str] = set()
    for row in rows_of(new, Counter(), ignore, index.analysis, ids):
        given = free_name(index, row.about.id, ids)
        ids.add(given)
        yield row._replace(about=row.about._replace(id=given))
    check_unchanged(new.files)
