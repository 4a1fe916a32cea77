"""The files that a run read, found again: where they were, or where they are now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from neardup.errors import InputError
from neardup.readers.contents import digest
from neardup.readers.file import File, Inside
from neardup.readers.files import find, listed
from neardup.readers.pipes import is_pipe
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, fetch

MOVED = "If files were moved, name the folder where they are now with input=."


def reopen(described: Mapping[str, Any], moved: Sequence[str | Path] = ()) -> FileSource:
    """Open the files that a run read once more; they must be what they were."""
    source, changed = reopen_rest(described, moved)
    if not changed:
        return source
    path = changed[0]
    more = f" ({len(changed):,} files)" if len(changed) > 1 else ""
    old = next(file for file in described["files"] if file["path"] == path)
    candidates = by_name(old, [*(listed(moved).values() if moved else ()), *found_at(path)])
    now = next((file.path for file in candidates if base_name(file.path) == base_name(path)), None)
    if now is None:
        where = " or where it is said to be" if moved else ""
        raise InputError(f"the input is no longer there{where}{more}", where=path, hint=MOVED)
    hint = f"Run neardup again on the files as they are now. {MOVED}"
    raise InputError(f"the input has changed since the run{more}", where=now, hint=hint)


def reopen_rest(
    described: Mapping[str, Any], moved: Sequence[str | Path] = ()
) -> tuple[FileSource, list[str]]:
    """Open those of the files that a run read which are what they were; name the others.

    They are looked for where they were `moved` to, if that is given, and where the run read them.
    """
    if described["kind"] != "files":
        came = "came through a pipe" if described["kind"] == "pipe" else "were in memory"
        raise InputError(
            f"the texts of this result {came} and are gone",
            hint="Write the documents to a file and run neardup on it, or run it with keep_texts=True.",
        )
    reader: dict[str, Any] = dict(described["reader"])
    reader |= {name: tuple(value) for name, value in reader.items() if isinstance(value, list)}
    elsewhere = by_size(listed(moved).values() if moved else ())
    files, changed = [], []
    for old in described["files"]:
        candidates = [*by_name(old, elsewhere.get(old["size"], ())), *found_at(old["path"])]
        file = next((file for file in candidates if is_same(old, file)), None)
        if file is None and "problem" in old:
            file = unread(old)
        if file is None:
            changed.append(old["path"])
        else:
            files.append(replace(file, name=old["name"], text_column=old.get("text_column")))
    return FileSource(tuple(files), ReaderSettings(**reader)), changed


def unread(old: Mapping[str, Any]) -> File:
    """Return in the place of a member that was not read one that cannot be: nobody needs it."""
    file = File(old["path"], old["name"], 0)
    return replace(file, inside=Inside(file), problem=tuple(old["problem"]))


class AskedTexts:
    """The texts of a run's input, of which only the files that are asked for must be what they were."""

    def __init__(self, described: Mapping[str, Any], moved: Sequence[str | Path]) -> None:
        self._described = described
        self._moved = moved

    def fetched(self, wanted: Sequence[tuple[int, int]], column: str) -> list[str | None]:
        """Return texts by the number of their file and their position in it."""
        numbers = sorted({file for file, _ in wanted}) if self._described["kind"] == "files" else []
        files = [self._described["files"][number] for number in numbers]
        source = reopen({**self._described, "files": files}, self._moved)
        return fetch(source, [(numbers.index(file), position) for file, position in wanted], column)


def found_at(path: str) -> list[File]:
    """Return the file that is at a path, if there is one; nobody waits for what comes through a pipe."""
    if is_pipe(path):
        return []
    try:
        return [file for file in find([path]) if file.path == path]
    except InputError:
        return []


def by_size(files: Iterable[File]) -> dict[int, list[File]]:
    """Put files together that are of the same size."""
    found: dict[int, list[File]] = {}
    for file in files:
        found.setdefault(file.size, []).append(file)
    return found


def by_name(old: Mapping[str, Any], files: Sequence[File]) -> Iterator[File]:
    """Yield the files that may be one that a run read: of the same name first, then all others."""
    own = base_name(old["path"])
    yield from sorted(files, key=lambda f: (f.name != old["name"], base_name(f.path) != own))


def is_same(old: Mapping[str, Any], file: File) -> bool:
    """Return whether a file is what a run read, by its size, and by its time and name or its content."""
    if file.size != old["size"]:
        return False
    kept = file.modified == old["modified"] and base_name(file.path) == base_name(old["path"])
    return kept or (old.get("digest") is not None and digest(file) == old["digest"])


def base_name(path: str) -> str:
    """Return the last part of a path or an address."""
    return path.rpartition("/")[2]
