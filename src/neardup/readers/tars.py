"""Tar archives, compressed or not: their members one after the other, and each of them opened.

A compressed one can be read from its beginning only. So a thread keeps its place in it: members that
are opened in their order are unpacked once.
"""

import os
import tarfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from neardup.readers.file import File, Inside
from neardup.readers.members import Entry, Part, Problem, bomb, is_bomb
from neardup.readers.streams import Stream
from neardup.readers.values import number_in

BLOCK = tarfile.BLOCKSIZE
STEP = 1 << 20
LONGEST_HEADER = 1 << 20
SPARSE = "GNU.sparse."
LONG_NAME, LONG_LINK, GLOBAL, SOLARIS = b"L", b"K", b"g", b"X"
KEPT = threading.local()


@dataclass(frozen=True)
class TarMember(Inside):
    """The place of a member: its bytes begin at byte `at` of the archive, unpacked if it is packed."""

    packed: bool = False

    readable = True

    @property
    def can_seek(self) -> bool:
        """Return whether reading can begin anywhere."""
        return not self.packed

    def opened(self, begin: int = 0) -> Part:
        """Open the member's bytes."""
        cursor = cursor_at(self.archive, self.at + begin, self.packed)
        return Part(cursor, self.size - begin, partial(kept, self.archive, cursor))


class Cursor:
    """An archive that is read on, and `at` which byte of it, unpacked."""

    def __init__(self, archive: File, packed: bool) -> None:
        self.at = 0
        self.packed = packed
        self._raw: Any = archive.open_stream() if packed else archive.open()

    @property
    def failure(self) -> Problem | None:
        """Return why the archive ends before its time, if it does."""
        return self._raw.failure if isinstance(self._raw, Stream) else None

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer than asked for only at the end."""
        data = bytes(self._raw.read(size))
        self.at += len(data)
        return data

    def go(self, at: int) -> None:
        """Go on to a byte that is not behind."""
        if not self.packed:
            self._raw.seek(at)
            self.at = at
        while self.at < at and self.read(min(at - self.at, STEP)):
            pass

    def close(self) -> None:
        """Close the archive."""
        self._raw.close()


def cursor_at(archive: File, at: int, packed: bool) -> Cursor:
    """Return an archive opened at some byte: the one that this thread kept, if that is not behind it."""
    last: tuple[int, File, Cursor] | None = getattr(KEPT, "last", None)
    KEPT.last = None
    if last and last[0] == os.getpid():  # a child must not move the place of its parent
        _, known, cursor = last
        if known == archive and cursor.at <= at:
            cursor.go(at)
            return cursor
        cursor.close()
    cursor = Cursor(archive, packed)
    cursor.go(at)
    return cursor


def kept(archive: File, cursor: Cursor) -> None:
    """Keep the place in a compressed archive for the member that this thread opens next."""
    if cursor.failure or not cursor.packed:
        cursor.close()
    else:
        KEPT.last = (os.getpid(), archive, cursor)


def entries(archive: File) -> Iterator[Entry]:
    """Yield the members of an archive, in their order, and where it is damaged."""
    packed = archive.packing() is not None
    cursor = Cursor(archive, packed)
    try:
        yield from _walk(archive, cursor, packed)
    finally:
        cursor.close()


def _walk(archive: File, cursor: Cursor, packed: bool) -> Iterator[Entry]:
    more: dict[str, str] = {}  # what headers before a member's own say of it
    damage: int | None = None
    while True:
        begin = cursor.at
        block = cursor.read(BLOCK)
        if len(block) < BLOCK:
            yield _ended(archive, cursor, begin)
            return
        try:
            info = tarfile.TarInfo.frombuf(block, "utf-8", "backslashreplace")
            if info.size < 0:
                raise ValueError("a size below zero")
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            return
        except (tarfile.HeaderError, ValueError):
            damage = begin if damage is None else damage
            continue
        if damage is not None:
            yield _damaged(archive, damage, begin)
            damage = None
        if info.type in (LONG_NAME, LONG_LINK, tarfile.XHDTYPE, SOLARIS, GLOBAL):
            more |= _said(info, _content(cursor, info.size))
            continue
        while info.type == tarfile.GNUTYPE_SPARSE and _extended(block):
            block = cursor.read(BLOCK)
        size = max(number_in(more.get("size")) or 0, 0) if "size" in more else info.size
        holds = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
        inside = TarMember(archive, cursor.at, size, None, packed)
        end = cursor.at + (-(-inside.size // BLOCK) * BLOCK if holds else 0)
        if packed and is_bomb(end, archive.size):
            yield Entry("", Inside(archive, begin), bomb(end))
            return
        if not info.isdir():
            yield Entry(more.get("path", info.name), inside, _problem(info, more))
        more = {}
        if not packed and end > archive.size:
            yield _ended(archive, cursor, begin)
            return
        cursor.go(end)


def _problem(info: tarfile.TarInfo, more: dict[str, str]) -> Problem | None:
    """Return why a member is not read, if it is not."""
    if info.issym() or info.islnk():
        return "link", f"the member is a link to {more.get('linkpath', info.linkname)}"
    if info.isdev():
        return "not text", "the member is a device or a pipe"
    if info.type == tarfile.GNUTYPE_SPARSE or any(name.startswith(SPARSE) for name in more):
        return "unreadable", "the member is stored with holes: unpack it and give the file"
    return None


def _ended(archive: File, cursor: Cursor, at: int) -> Entry:
    cut = ("truncated", f"the archive has no end: it is whole up to byte {at:,}, unpacked")
    return Entry("", Inside(archive, cursor.at), cursor.failure or cut)


def _damaged(archive: File, begin: int, end: int) -> Entry:
    detail = f"the archive is damaged from byte {begin:,} to {end:,}, unpacked: members there are lost"
    return Entry("", Inside(archive, begin), ("unreadable", detail))


def _extended(block: bytes) -> bool:
    return len(block) == BLOCK and bool(block[482] if block[257:262] == b"ustar" else block[504])


def _content(cursor: Cursor, size: int) -> bytes:
    """Return what a header of several blocks holds, nothing if it is far too long."""
    end = cursor.at + -(-size // BLOCK) * BLOCK
    data = cursor.read(size) if size <= LONGEST_HEADER else b""
    cursor.go(end)
    return data


def _said(info: tarfile.TarInfo, data: bytes) -> dict[str, str]:
    """Return what a header says of the member that follows it."""
    if info.type == GLOBAL:
        return {}
    if info.type in (LONG_NAME, LONG_LINK):
        text = data.partition(b"\0")[0].decode("utf-8", "backslashreplace")
        return {"path" if info.type == LONG_NAME else "linkpath": text}
    said = {}
    while data:
        length = number_in(data.partition(b" ")[0].decode("ascii", "replace")) or 0
        name, equals, value = data[:length].partition(b" ")[2].partition(b"=")
        if not equals:
            break
        said[name.decode("utf-8", "replace")] = value[:-1].decode("utf-8", "backslashreplace")
        data = data[length:]
    return said
