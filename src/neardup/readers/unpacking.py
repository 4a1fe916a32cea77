"""Unpacking compressed bytes member by member; what is before a damage is given to the last byte.

A decompressor that fails keeps what it had unpacked in that step. So a damaged member is unpacked
once more, up to the step that failed, and from there on in the smallest steps.
"""

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

MAGIC = {
    re.compile(rb"\x1f\x8b\x08"): "gz",
    re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"): "bz2",
    re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"): "zst",
    re.compile(rb"\xfd7zXZ\x00"): "xz",
    re.compile(rb"\x04\x22\x4d\x18"): "lz4",
}
MAGIC_BYTES = 10
ARROW_CODECS = {"zst": "zstd", "lz4": "lz4"}
# Small steps: what follows a member is copied, and archives have a member a record.
PACKED_BYTES = 64 << 10
MOST_UNPACKED = 1 << 20
ARROW_STEP = 32 << 10  # a beginning is not unpacked again: it should lose little
SMALL_STEP = 1  # of bytes that Arrow unpacks near a damage: those of a step that fails are lost
BROKEN = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, pa.ArrowException)
# what may stand in the header of a gzip member behind its ten bytes
EXTRA, NAME, COMMENT, CHECK = 4, 8, 16, 2


def packing_of(head: bytes) -> str | None:
    """Return how some bytes are compressed, by their first ones: gz, bz2, zst, xz, lz4 or None."""
    return next((name for magic, name in MAGIC.items() if magic.match(head)), None)


class DamagedError(ValueError):
    """A member is damaged: `rest` are bytes from somewhere inside the damage on.

    The member begins at byte `start` of the file, None if the damage is not inside one; it gave `given`
    bytes before, and the file was read up to `end`.
    """

    def __init__(
        self, what: str, end: int, start: int | None = None, given: int = 0, rest: bytes = b""
    ) -> None:
        super().__init__(what)
        self.end = end
        self.start = start
        self.given = given
        self.rest = rest


class Packed:
    """Some bytes already read, then the rest of a file; `at` is the place in it of what comes next."""

    closed = False

    def __init__(self, first: bytes, read: Callable[[int], bytes], at: int = 0) -> None:
        self.at = at
        self._first = first
        self._read = read

    def read(self, size: int = PACKED_BYTES) -> bytes:
        """Return the next bytes, as many as come easily."""
        first, self._first = self._first, b""
        data = first or self._read(size)
        self.at += len(data)
        return data

    def readable(self) -> bool:
        """Say that this can be read, which Arrow asks."""
        return True

    def close(self) -> None:
        """Leave the file open: it belongs to someone else."""


def unpacked(raw: Packed, packing: str) -> Iterator[bytes]:
    """Yield what compressed bytes hold; raises DamagedError."""
    return _arrow_pieces(raw, packing) if packing in ARROW_CODECS else _pieces(raw, packing)


def _arrow_pieces(raw: Packed, packing: str) -> Iterator[bytes]:
    start, given = raw.at, 0
    try:
        stream = pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), ARROW_CODECS[packing])
        while piece := stream.read(ARROW_STEP):
            yield piece
            given += len(piece)
    except BROKEN as error:
        raise DamagedError(str(error), raw.at, start, given) from error


def _pieces(raw: Packed, packing: str) -> Iterator[bytes]:
    """Unpack members one after the other; zeros between them are padding."""
    packed = raw.read()
    while packed:
        start, given, last = raw.at - len(packed), 0, packed
        member = _decompressor(packing)
        while not member.eof:
            try:
                piece = member.decompress(packed, MOST_UNPACKED)
            except BROKEN as error:
                rest = getattr(member, "given", last)
                raise DamagedError(str(error), raw.at, start, given, rest) from error
            if piece:
                yield piece
                given += len(piece)
            packed = b""
            if member.needs_input and not member.eof:
                last = packed = raw.read()
                if not packed:
                    raise DamagedError("the compressed data are truncated", raw.at)
        packed = member.unused_data or raw.read()
        while packed and not packed.strip(b"\0"):
            packed = raw.read()
        packed = packed.lstrip(b"\0")
        if len(packed) < MAGIC_BYTES:
            packed += raw.read()
        if packed and packing_of(packed) != packing:
            raise DamagedError("bytes after the end that are not compressed", raw.at, rest=packed)


def _decompressor(packing: str) -> Any:
    kinds = {"gz": _Inflate, "bz2": bz2.BZ2Decompressor, "xz": lzma.LZMADecompressor}
    return kinds[packing]()


class _Inflate:
    """Gzip with the interface of the decompressors of bz2 and lzma."""

    def __init__(self, wbits: int = 31) -> None:
        self._inner = zlib.decompressobj(wbits=wbits)
        self.given = b""

    def decompress(self, data: bytes, most: int) -> bytes:
        self.given = self._inner.unconsumed_tail + data
        return self._inner.decompress(self.given, most)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data


def salvaged(raw: Any, packing: str, damage: DamagedError) -> bytes:
    """Unpack a damaged member once more; return what it holds behind what it gave at first."""
    if damage.start is None:
        return b""
    raw.seek(damage.start)
    if packing in ARROW_CODECS:
        return _arrow_salvaged(raw, packing, damage)
    member = _decompressor(packing)
    packed = raw.read(PACKED_BYTES)
    if packing == "gz":  # without the checksum at its end, the failing of which would cost the last byte
        member, packed = _Inflate(wbits=-15), packed[_gzip_header(packed) :]
    left, found = damage.given, bytearray()
    try:
        while not member.eof:
            piece = member.decompress(packed, min(left, MOST_UNPACKED) or 1)
            if not left:
                found += piece
            left -= min(left, len(piece))
            packed = b"" if piece or not member.needs_input else raw.read(PACKED_BYTES)
            if not piece and not packed and member.needs_input:
                break
    except BROKEN:
        pass
    return bytes(found)


def _gzip_header(data: bytes) -> int:
    """Return how long the header of a gzip member is.

    >>> _gzip_header(bytes([31, 139, 8, 0, 0, 0, 0, 0, 0, 0]))
    10
    >>> _gzip_header(bytes([31, 139, 8, NAME | CHECK, 0, 0, 0, 0, 0, 0]) + b"name\\0..")
    17
    """
    flags, size = data[3], 10
    if flags & EXTRA:
        size += 2 + int.from_bytes(data[size : size + 2], "little")
    for flag in (NAME, COMMENT):
        if flags & flag:
            size = data.find(b"\0", size) + 1 or len(data)
    return size + 2 * bool(flags & CHECK)


def _arrow_salvaged(raw: Any, packing: str, damage: DamagedError) -> bytes:
    """Do the same with what Arrow unpacks: fed byte by byte, it fails no sooner than it must."""
    careful = damage.end - 2 * PACKED_BYTES

    def feed(size: int) -> bytes:
        return bytes(raw.read(size if raw.tell() + size < careful else 1))

    stream = pa.CompressedInputStream(pa.PythonFile(Packed(b"", feed), mode="r"), ARROW_CODECS[packing])
    left, found = damage.given, bytearray()
    try:
        while piece := stream.read(min(left, MOST_UNPACKED) or SMALL_STEP):
            if not left:
                found += piece
            left -= min(left, len(piece))
    except BROKEN:
        pass
    return bytes(found)
