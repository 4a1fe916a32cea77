"""Archives, zip and tar: their members as files of their own, called `archive.zip/member`.

Nothing is unpacked to the disk. What is not to be read (links, archives in archives, members with a
password, names that lead elsewhere) is a file with a problem, so that it is counted and said.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath

from neardup.readers import tars, zips
from neardup.readers.file import File, Inside
from neardup.readers.members import Entry, Problem
from neardup.readers.unpacking import MAGIC_BYTES

COMPRESSIONS = {".gz": "gz", ".bz2": "bz2", ".zst": "zst", ".xz": "xz", ".lz4": "lz4"}
NAMED = re.compile(r".\.(zip|tgz|tbz2?|txz|tzst|tar(\.(gz|bz2|zst|xz|lz4))?)$", re.IGNORECASE)
TAR = slice(257, 262)
OF_A_MAC = "__MACOSX"  # its folder of what is no file
NESTED = "archive in an archive"
UNSAFE = "unsafe name"
EMPTY = ("empty file", "the archive has no members to be read")
CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
LONGEST_NAME = 255  # bytes of one part
SHOWN = 60  # characters of a name that nobody should have to read
DRIVE = re.compile(r"[A-Za-z]:")


def is_named(path: str) -> bool:
    """Return whether a file has the name of an archive.

    >>> [is_named(name) for name in ("a.zip", "a/b.TAR.gz", "a.tgz", "a.gz", ".zip")]
    [True, True, True, False, False]
    """
    return NAMED.search(path.rpartition("/")[2]) is not None


def looks_like(file: File) -> bool:
    """Return whether a file is an archive by its first bytes, whatever its name."""
    with file.open_stream() as stream:
        head = stream.read(TAR.stop)
    return head.startswith(zips.MAGIC) or head[TAR] == b"ustar"


def can_be_copied(file: File) -> bool:
    """Return whether a member that is not read can be copied as it is: only an archive in an archive."""
    return bool(file.problem and file.inside and file.inside.readable)


@lru_cache(8)
def members(archive: File) -> tuple[File, ...]:
    """Return the members of an archive, in its order; the file itself if it is none."""
    with archive.raw() as raw:
        is_zip = raw.read(MAGIC_BYTES).startswith(zips.MAGIC)
    kind = zips if is_zip or archive.suffix == ".zip" else tars
    found = tuple(_files(archive, kind.entries(archive)))
    if not any(file.inside and file.inside.readable for file in found) and not looks_like(archive):
        return (archive,)
    return found or (_file(archive, "#", archive.name, Entry("", Inside(archive)), EMPTY),)


@lru_cache(8)
def by_path(archive: File) -> dict[str, File]:
    """Return the members of an archive by their paths."""
    return {file.path: file for file in members(archive)}


def _files(archive: File, entries: Iterable[Entry]) -> Iterator[File]:
    """Make files of what an archive lists; of several members of one name, the last one counts."""
    found = [(entry, *_placed(entry)) for entry in entries]
    last = {name: number for number, (_, name, _) in enumerate(found)}
    damages = 0
    for number, (entry, name, problem) in enumerate(found):
        if not entry.inside.readable:
            damages += 1
            shown = archive.name if damages == 1 else f"{archive.name} ({damages})"
            yield _file(archive, f"#{number}", shown, entry, problem)
        elif not _is_hidden(name):
            if last[name] != number:
                name = f"{name}#{number}"
                problem = ("replaced", "a later member of the archive has the same name")
            yield _file(archive, name, f"{archive.name}/{name}", entry, problem)


def _placed(entry: Entry) -> tuple[str, Problem | None]:
    """Return the name of a member below its archive, and why it is not read, if it is not."""
    plain = entry.name.replace("\\", "/")
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    name, problem = "/".join(parts), entry.problem
    if plain.startswith("/") or DRIVE.match(plain) or ".." in parts:
        problem = problem or (UNSAFE, "the name of the member leads out of the archive")
    if entry.inside.readable and not name:
        name, problem = "?", (UNSAFE, "the member has no name")
    if CONTROLS.search(name) or max(map(len, name.encode().split(b"/"))) > LONGEST_NAME:
        name, problem = CONTROLS.sub("?", name)[:SHOWN], (UNSAFE, "no file can have this name")
    if is_named(name):
        problem = problem or (NESTED, "unpack the outer one and give the folder")
    return name, problem


def _is_hidden(name: str) -> bool:
    parts = name.split("/")
    return parts[0] == OF_A_MAC or any(p.startswith(".") and p != ".." for p in parts)


def _file(archive: File, below: str, name: str, entry: Entry, problem: Problem | None) -> File:
    suffix, compression = kind_of(below)
    closed = problem is not None and problem[0] != NESTED
    return replace(
        archive,
        path=f"{archive.path}/{below}",
        name=name,
        size=0 if problem else entry.inside.size,
        compression=compression,
        suffix=suffix,
        inside=Inside(archive, entry.inside.at) if closed else entry.inside,
        problem=problem,
    )


def kind_of(path: str) -> tuple[str, str | None]:
    """Return the suffix that gives a file's format, and what its compression is called.

    >>> kind_of("a/news.jsonl.gz"), kind_of("news.TXT")
    (('.jsonl', 'gz'), ('.txt', None))
    """
    place = PurePosixPath(path)
    compression = COMPRESSIONS.get(place.suffix.lower())
    return (place.with_suffix("") if compression else place).suffix.lower(), compression
