"""Streams of bytes, compressed or not: a broken one ends early and says why; nothing raises."""

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

MAGIC = {
    re.compile(rb"\x1f\x8b\x08"): "gz",
    re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"): "bz2",
    re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"): "zst",
    re.compile(rb"\xfd7zXZ\x00"): "xz",
    re.compile(rb"\x04\x22\x4d\x18"): "lz4",
}
MAGIC_BYTES = 10
MEMBER = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")
ARROW_CODECS = {"zst": "zstd", "lz4": "lz4"}
# Small steps here too: what follows a member is copied, and archives have a member a record.
PACKED_BYTES = 64 << 10
# Small steps: what an Arrow stream had already unpacked when it fails is lost with the step.
ARROW_STEP = 32 << 10
BROKEN = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, pa.ArrowException)


def packing_of(head: bytes) -> str | None:
    """Return how some bytes are compressed, by their first ones: gz, bz2, zst, xz, lz4 or None."""
    return next((name for magic, name in MAGIC.items() if magic.match(head)), None)


class Stream:
    """The unpacked bytes of a file; where they are broken it ends, and `failure` says why."""

    def __init__(self, raw: Any, begin: int = 0) -> None:
        self.failure: tuple[str, str] | None = None
        self.packing: str | None = None
        self._raw = raw
        self._rest = b""
        self._damaged = b""
        if begin:
            raw.seek(begin)  # a range of a plain file, never of a compressed one
        else:
            self._rest = self._guarded(MAGIC_BYTES)
            self.packing = packing_of(self._rest)
        self._pieces: Iterator[bytes] | None = None
        if self.packing:
            self._pieces = self._unpacked(self._rest, self.packing)
            self._rest = b""

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer than asked for only at the end."""
        if self._pieces is None:
            taken, self._rest = self._rest[:size], self._rest[size:]
            return taken + self._guarded(size - len(taken))
        parts, have = [self._rest], len(self._rest)
        while have < size and (piece := next(self._pieces, b"")):
            parts.append(piece)
            have += len(piece)
        data = b"".join(parts)
        self._rest = data[size:]
        return data[:size]

    def resume(self) -> bool:
        """Go on behind a failure, at the next member of a gzip file; say whether there is one."""
        rest, self._damaged = self._damaged if self.packing == "gz" else b"", b""
        start = 1
        while rest:
            found = MEMBER.search(rest, start)
            if found:
                self.failure = None
                self._pieces = self._unpacked(rest[found.start() :], "gz")
                return True
            more = self._guarded(PACKED_BYTES)
            rest, start = (rest[-3:] + more if more else b""), 0
        return False

    def _guarded(self, size: int) -> bytes:
        try:
            return bytes(self._raw.read(size))
        except (OSError, pa.ArrowException) as error:
            self.failure = ("unreadable", str(error))
            return b""

    def _unpacked(self, head: bytes, packing: str) -> Iterator[bytes]:
        pieces = _arrow_pieces if packing in ARROW_CODECS else _pieces
        try:
            yield from pieces(_Chained(head, self._guarded), packing)
        except BROKEN as error:
            self._damaged = getattr(error, "rest", b"")
            text = str(error) or type(error).__name__
            what = "truncated" if "truncated" in text.lower() else "unreadable"
            self.failure = self.failure or (what, f"{packing}: {text}")

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file below."""
        self._raw.close()


class _Chained:
    """Some bytes already read, then the rest of the stream, as Arrow and we like to read them."""

    closed = False

    def __init__(self, first: bytes, read: Any) -> None:
        self._first = first
        self._read = read

    def read(self, size: int = PACKED_BYTES) -> bytes:
        first, self._first = self._first, b""
        return first or self._read(size)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        """Leave the stream open: it belongs to someone else."""


def _arrow_pieces(raw: _Chained, packing: str) -> Iterator[bytes]:
    unpacked = pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), ARROW_CODECS[packing])
    while piece := unpacked.read(ARROW_STEP):
        yield piece


def _pieces(raw: _Chained, packing: str) -> Iterator[bytes]:
    """Unpack members one after the other; zeros between them are padding."""
    start: Any = {"gz": _Inflate, "bz2": bz2.BZ2Decompressor, "xz": lzma.LZMADecompressor}[packing]
    packed = raw.read()
    while packed:
        member = start()
        while not member.eof:
            try:
                piece = member.decompress(packed, PACKED_BYTES * 16)
            except zlib.error as error:
                raise _DamagedError(str(error), member.given) from error
            if piece:
                yield piece
            packed = b""
            if member.needs_input and not member.eof:
                packed = raw.read()
                if not packed:
                    raise EOFError("the compressed data are truncated")
        packed = member.unused_data or raw.read()
        while packed and not packed.strip(b"\0"):
            packed = raw.read()
        packed = packed.lstrip(b"\0")
        if len(packed) < MAGIC_BYTES:
            packed += raw.read()
        if packed and packing_of(packed) != packing:
            raise _DamagedError("bytes after the end that are not compressed", packed)


class _DamagedError(ValueError):
    """Members are damaged; `rest` are the bytes from somewhere inside the damage on."""

    def __init__(self, what: str, rest: bytes) -> None:
        super().__init__(what)
        self.rest = rest


class _Inflate:
    """Gzip with the interface of the decompressors of bz2 and lzma."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)
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


@contextmanager
def written(target: Path, packing: str | None) -> Iterator[IO[bytes]]:
    """Open a file to write, compressed if asked for; it takes its name when all is written."""
    partial = target.with_name(target.name + ".partial")
    try:
        with partial.open("wb") as raw:
            out = packed_writer(raw, packing)
            yield out
            if out is not raw:
                out.close()
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def packed_writer(raw: IO[bytes], packing: str | None) -> IO[bytes]:
    """Return a writer that compresses into another one, and leaves that one open."""
    match packing:
        case "gz":  # no name and time inside: the same input gives the same bytes
            return gzip.GzipFile("", "wb", 6, raw, 0)  # type: ignore[return-value]
        case "bz2":
            return bz2.BZ2File(raw, "wb")
        case "xz":
            return lzma.LZMAFile(raw, "wb")
        case "zst" | "lz4":
            sink = pa.PythonFile(_Open(raw), mode="w")
            return pa.CompressedOutputStream(sink, ARROW_CODECS[packing])  # type: ignore[no-any-return]
    return raw


class _Open:
    """A writer that stays open when Arrow closes it."""

    closed = False

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw

    def write(self, data: Any) -> int:
        return self._raw.write(data)

    def flush(self) -> None:
        self._raw.flush()

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Leave the file open."""
