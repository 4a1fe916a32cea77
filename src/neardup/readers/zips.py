"""Zip archives: their list of members, or what can be told without it; and members, unpacked."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

from neardup.readers.file import File, Inside
from neardup.readers.members import STEP, Entry, Part, Pieces, Problem, bomb, is_bomb
from neardup.readers.unpacking import MOST_UNPACKED, DamagedError, Packed, unpacked

STORED, DEFLATED = 0, 8
OTHERS = {12: "bz2", 93: "zst"}
LOCAL = b"PK\3\4"
CENTRAL = b"PK\1\2"
MAGIC = (LOCAL, b"PK\5\6")
HEAD = struct.Struct("<4s2xHHxxxxLLLHH")
ENCRYPTED, STREAMED, UTF8 = 1, 8, 0x800
WIDE = 0xFFFFFFFF  # a size that stands in the field of large sizes instead
LINK = 0o120000
LARGE = 100 << 20
CAREFUL = 16  # bytes that are unpacked at a time near a damage


@dataclass(frozen=True)
class ZipMember(Inside):
    """The place of a member: its local header is at byte `at`."""

    method: int = STORED
    packed: int = 0

    readable = True

    @property
    def can_seek(self) -> bool:
        """Return whether reading can begin anywhere."""
        return self.method == STORED

    def opened(self, begin: int = 0) -> Any:
        """Open the member's bytes, unpacked; only what is stored as it is can begin later."""
        raw = self.archive.open()
        raw.seek(self.at)
        head = _head(raw.read(HEAD.size))
        if head is None:
            lost = Part(raw, 0, raw.close)
            lost.failure = ("unreadable", f"no member begins at byte {self.at:,} of the archive")
            return lost
        raw.seek(self.at + HEAD.size + head.name + head.extra + begin)
        part = Part(raw, self.packed - begin, raw.close)
        checked = _Checksum(None if begin else self.crc)
        return Pieces(_pieces(part, self.method), self.size - begin, checked, part)


class _Checksum:
    """The CRC-32 of what was read so far; says whether it is the one that it should be."""

    def __init__(self, expected: int | None) -> None:
        self._expected = expected
        self._found = 0

    def __call__(self, data: bytes) -> bool:
        self._found = zlib.crc32(data, self._found)
        return self._expected is None or self._found == self._expected


class _Head(NamedTuple):
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    name: int
    extra: int


def _head(data: bytes) -> _Head | None:
    """Return what a member's own header says, None if this is none."""
    if len(data) < HEAD.size or not data.startswith(LOCAL):
        return None
    return _Head(*HEAD.unpack(data)[1:])


def _pieces(part: Part, method: int) -> Iterator[bytes]:
    if method == STORED:
        return iter(lambda: part.read(STEP), b"")
    return _inflated(part) if method == DEFLATED else unpacked(Packed(b"", part.read), OTHERS[method])


def _inflated(part: Part) -> Iterator[bytes]:
    """Unpack a member; what is before a damage is given to the last byte."""
    inner = zlib.decompressobj(-15)
    while not inner.eof and (data := part.read(STEP)):
        while data and not inner.eof:
            before = inner.copy()
            try:
                piece = inner.decompress(data, MOST_UNPACKED)
            except zlib.error as error:
                if rest := _salvaged(before, data):
                    yield rest
                raise DamagedError(str(error), 0) from error
            if piece:
                yield piece
            data = inner.unconsumed_tail
    if not inner.eof:
        raise DamagedError("the packed data have no end", 0)


def _salvaged(inner: Any, data: bytes) -> bytes:
    """Unpack what comes before a damage: a few bytes at a time, and the last of them one by one."""
    found = bytearray()
    for at in range(0, len(data), CAREFUL):
        before = inner.copy()
        try:
            found += inner.decompress(data[at : at + CAREFUL])
        except zlib.error:
            inner, packed = before, data[at : at + CAREFUL]
            break
    try:
        while piece := inner.decompress(packed, 1):
            found += piece
            packed = inner.unconsumed_tail
    except zlib.error:
        pass
    return bytes(found)


def entries(archive: File) -> Iterator[Entry]:
    """Yield the members of an archive, in the order of their places in it."""
    with archive.open() as raw:
        try:
            listed = zipfile.ZipFile(raw).infolist()
        except Exception:  # its list, at the end, is damaged or not there
            yield from _without_list(archive, raw)
            return
    total = sum(info.file_size for info in listed)
    harmless = 0 if is_bomb(total, archive.size) else LARGE
    listed.sort(key=lambda info: info.header_offset)
    ends = [info.header_offset for info in listed[1:]] + [archive.size]
    for info, end in zip(listed, ends, strict=True):
        if info.is_dir():
            continue
        packed, size = info.compress_size, info.file_size
        at = max(info.header_offset, 0)
        inside = ZipMember(archive, at, size, info.CRC, info.compress_type, packed)
        problem = _problem(info.flag_bits, inside, harmless)
        if at + HEAD.size + packed > end:
            problem = ("unreadable", "the member lies over another one in the archive")
        if (info.external_attr >> 16) & 0o170000 == LINK:
            problem = ("link", "the member is a link to another file")
        yield Entry(info.filename, inside, problem)


def _problem(flags: int, inside: ZipMember, harmless: int) -> Problem | None:
    """Return why a member is not read, if it is not."""
    if flags & ENCRYPTED:
        return "encrypted", "unpack the member with its password and give the file"
    if inside.method not in (STORED, DEFLATED, *OTHERS):
        return "unreadable", f"it is packed by method {inside.method}: unpack it and give the file"
    if is_bomb(inside.size, inside.packed, harmless):
        return bomb(inside.size)
    return None


def _without_list(archive: File, raw: IO[bytes]) -> Iterator[Entry]:
    """Yield the members that announce themselves; the archive's list of them cannot be read."""
    at, damage = 0, None
    while at < archive.size:
        raw.seek(at)
        data = raw.read(HEAD.size)
        head = _head(data)
        if head is None:
            if data.startswith(CENTRAL):
                break
            damage = at if damage is None else damage
            at = _next_head(raw, at + 1, archive.size)
            continue
        name = raw.read(head.name)
        start = at + HEAD.size + head.name + head.extra
        size, packed = (
            _wide(raw.read(head.extra), head) if WIDE in head[3:5] else (head.size, head.packed)
        )
        crc: int | None = head.crc
        if head.flags & STREAMED and not packed:
            size, packed, crc = *_measured(archive, raw, start, head.method), None
        inside = ZipMember(archive, at, size, crc, head.method, packed)
        yield Entry(_decoded(name, head.flags), inside, _problem(head.flags, inside, LARGE))
        at = start + packed
        if head.flags & STREAMED:  # sizes and checksum follow
            at = _next_head(raw, at, archive.size)
    end = min(at, archive.size) if damage is None else damage
    detail = f"the archive's list of its members is damaged or missing; whole up to byte {end:,}"
    yield Entry("", Inside(archive, archive.size), ("truncated", detail))


def _decoded(name: bytes, flags: int) -> str:
    return name.decode("utf-8", "backslashreplace") if flags & UTF8 else name.decode("cp437")


def _wide(extra: bytes, head: _Head) -> tuple[int, int]:
    """Return the two sizes of a large member, from the field that has them."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1 and length >= 16 and at + 20 <= len(extra):
            size, packed = struct.unpack_from("<QQ", extra, at + 4)
            return size, packed
        at += 4 + length
    return head.size, head.packed


def _measured(archive: File, raw: IO[bytes], start: int, method: int) -> tuple[int, int]:
    """Unpack a member whose sizes are not known; return them, unpacked first."""
    if method != DEFLATED:
        end = _next_head(raw, start, archive.size)
        return end - start, end - start
    raw.seek(start)
    inner, size, packed = zlib.decompressobj(-15), 0, 0
    try:
        while not inner.eof and (data := raw.read(STEP)):
            packed += len(data)
            while data and not inner.eof and not is_bomb(size, packed, LARGE):
                size += len(inner.decompress(data, MOST_UNPACKED))
                data = inner.unconsumed_tail
    except zlib.error:
        pass
    return size, packed - len(inner.unused_data)


def _next_head(raw: IO[bytes], at: int, size: int) -> int:
    """Return where the next header of a member or of the list begins, the size if none does."""
    raw.seek(at)
    rest = b""
    while data := raw.read(STEP):
        block = rest + data
        found = [place for place in map(block.find, (LOCAL, CENTRAL)) if place >= 0]
        if found:
            return at - len(rest) + int(min(found))
        at += len(data)
        rest = block[-3:]
    return size
