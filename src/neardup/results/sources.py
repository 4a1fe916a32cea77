"""What a run reads: opened, and described in `run.json`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from neardup.engines import all_engines, engine_named
from neardup.errors import InputError, SettingsError
from neardup.readers.contents import digesting
from neardup.readers.file import File
from neardup.readers.numbers import ROW_BITS
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, Source, open_both, open_source, paths_in
from neardup.settings.run import RunSettings
from neardup.steps.against import EVERYTHING, OLD, Against
from neardup.storage import without_secrets


def describe(source: Source) -> dict[str, Any]:
    """Return what is needed to open the source again and to see whether it is still the same."""
    if source.names == ["dataframe"]:
        return {"kind": "dataframe"}
    if not isinstance(source, FileSource):
        return {"kind": "memory", "fingerprint": source.fingerprint()}
    if not source.can_be_reopened:
        return {"kind": "pipe"}
    files = [described_file(file) for file in source.files]
    found = {"kind": "files", "files": files, "reader": asdict(source.settings)}
    guessed = source.guessed_encodings()
    return found | {"guessed_encodings": guessed} if guessed else found


def described_file(file: File) -> dict[str, Any]:
    """Return what is needed to find a file again."""
    found: dict[str, Any] = {
        "path": without_secrets(file.path),
        "name": file.name,
        "size": file.size,
        "modified": file.modified,
    }
    found |= {"problem": list(file.problem)} if file.problem else {}
    return found | ({"text_column": file.text_column} if file.text_column else {})


@contextmanager
def describing(source: Source, against: Against) -> Iterator[Callable[[], dict[str, Any]]]:
    """Give what describes a source with digests of its files, which are taken while a run goes on."""
    files = source.files if isinstance(source, FileSource) and source.can_be_reopened else ()
    with digesting(files) as digests:
        yield lambda: described(source, against, digests())


def described(source: Source, against: Against, digests: Mapping[str, str]) -> dict[str, Any]:
    """Return the same with digests of files, and of two inputs which is old and what is compared."""
    found = describe(source)
    if isinstance(source, FileSource) and "files" in found:
        found |= {"unseen_characters": unseen} if (unseen := source.unseen()) else {}
        found["files"] = [file | {"digest": digests.get(file["path"])} for file in found["files"]]
    if against.boundary is None:
        return found
    if "files" in found:
        first = next(s.file for s in source.splits() if s.number == against.boundary >> ROW_BITS)
        found["files"] = [
            file | {"old": True} if n >= first else file for n, file in enumerate(found["files"])
        ]
    return found | {"against": {"within": against.within}}


def opened_source(source: object, reader: ReaderSettings, run: RunSettings) -> Source:
    """Open a source: files as the engine opens them, data that one engine owns for that engine only."""
    if paths := paths_in(source):
        return opened_files(paths, (), reader, run)[0]
    owner = next((engine for engine in all_engines() if engine.owns(source)), None)
    if owner is None:
        return open_source(source, reader)
    if owner.name != run.engine.name:
        what, hint = owner.refusal
        raise InputError(what, hint=hint)
    return owner.open_data(source, reader)


def opened_files(
    inputs: Sequence[str | Path], against: Sequence[str | Path], reader: ReaderSettings, run: RunSettings
) -> tuple[Source, int | None]:
    """Open files as the engine does, and those to compare them with; tell where these begin."""
    return engine_named(run.engine.name).open_files(inputs, against, reader, run)


def opened_named(
    inputs: Sequence[str | Path],
    against: Sequence[str | Path],
    reader: ReaderSettings,
    run: RunSettings,
    within: bool = True,
) -> tuple[Source, Against]:
    """Open files, and old ones to compare them with; tell which of their documents are old."""
    if against:
        check_columns(reader)
    source, boundary = opened_files(inputs, against, reader, run)
    return source, Against(boundary, within)


def opened_both(
    source: object, against: object, reader: ReaderSettings, run: RunSettings, within: bool = True
) -> tuple[Source, Against]:
    """Open files or data, and old ones to compare them with; tell which of their documents are old."""
    if against is None:
        return opened_source(source, reader, run), EVERYTHING
    paths = paths_in(source), paths_in(against)
    if all(paths):
        return opened_named(*paths, reader, run, within)
    check_columns(reader)
    both, boundary = open_both(source, against, reader)
    return both, Against(boundary, within)


def check_columns(reader: ReaderSettings) -> None:
    """Refuse to carry a column along that has the name of one of ours."""
    if OLD in reader.columns:
        hint = "Rename that column in the input; neardup has its own of that name."
        raise SettingsError(f"the column {OLD!r} cannot be carried along", hint=hint)
