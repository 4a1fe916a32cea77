"""Streams of bytes, compressed or not: a broken one ends early and says why; nothing raises."""

import bz2
import gzip
import io
import lzma
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from neardup.errors import DamagedFileError
from neardup.readers.unpacking import (
    ARROW_CODECS,
    MAGIC_BYTES,
    PACKED_BYTES,
    DamagedError,
    Packed,
    packing_of,
    salvaged,
    unpacked,
)

MEMBERS = {  # how one begins
    "gz": re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"),
    "bz2": re.compile(rb"BZh[1-9]1AY&SY"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
}
LONGEST = 10  # bytes of such a beginning
WRITTEN = 1 << 16  # bytes that are written together
HOLE = 4 << 10  # bytes of zeros that are worth one


class Stream:
    """The unpacked bytes of a file; where they are broken it ends, and `failure` says why."""

    def __init__(self, raw: Any, begin: int = 0, again: Callable[[], Any] | None = None) -> None:
        """Read `raw` from a byte on; `again` opens the same file for random access, if it can."""
        self.failure: tuple[str, str] | None = None
        self.packing: str | None = None
        self._raw = raw
        self._again = again
        self._rest = b""
        self._given = 0
        self._damaged = (b"", 0)  # bytes from somewhere inside a damage on, and where the file stands
        if begin:
            raw.seek(begin)  # a range of a plain file, never of a compressed one
        else:
            self._rest = self._guarded(MAGIC_BYTES)
            self.packing = packing_of(self._rest)
        self._pieces: Iterator[bytes] | None = None
        if self.packing:
            self._pieces = self._unpacked(Packed(self._rest, self._guarded), self.packing)
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
        """Go on behind a failure, at the next member of a packed file; say whether there is one."""
        packing = self.packing if self.packing in MEMBERS else None
        rest, at = self._damaged if packing else (b"", 0)
        self._damaged = (b"", 0)
        start = 1
        while packing and rest:
            found = MEMBERS[packing].search(rest, start)
            if found:
                self.failure = None
                rest = rest[found.start() :]
                self._pieces = self._unpacked(Packed(rest, self._guarded, at - len(rest)), packing)
                return True
            more = self._guarded(PACKED_BYTES)
            at += len(more)
            rest, start = (rest[1 - LONGEST :] + more if more else b""), 0
        return False

    def _guarded(self, size: int) -> bytes:
        try:
            data = bytes(self._raw.read(size))
            self.failure = self.failure or getattr(self._raw, "failure", None)
            return data
        except (OSError, pa.ArrowException) as error:
            self.failure = ("unreadable", str(error))
            return b""

    def _unpacked(self, packed: Packed, packing: str) -> Iterator[bytes]:
        try:
            for piece in unpacked(packed, packing):
                self._given += len(piece)
                yield piece
        except DamagedError as damage:
            more = self._salvaged(packing, damage)
            self._damaged = (damage.rest, damage.end)
            what = "truncated" if "truncated" in str(damage).lower() else "unreadable"
            self._given += len(more)
            why = str(damage).removeprefix("Error -3 while decompressing data: ")
            detail = f"{packing}: {why}, behind {self._given:,} unpacked bytes"
            self.failure = self.failure or (what, detail)
            if more:
                yield more

    def _salvaged(self, packing: str, damage: DamagedError) -> bytes:
        if self._again is None:
            return b""
        try:
            with self._again() as raw:
                return salvaged(raw, packing, damage)
        except OSError:  # the file has gone meanwhile
            return b""

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file below."""
        self._raw.close()


class WholeStream(Stream):
    """A stream that raises where it is broken, so that a copy never loses the rest."""

    def __init__(self, name: str, *rest: Any) -> None:
        super().__init__(*rest)
        self._name = name

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer than asked for only at the end."""
        data = super().read(size)
        if self.failure:
            raise DamagedFileError(self.failure[1], where=self._name)
        return data


@contextmanager
def written(target: Path, packing: str | None) -> Iterator[IO[bytes]]:
    """Open a file to write, compressed if asked for; it takes its name when all is written."""
    partial = target.with_name(target.name + ".partial")
    try:
        with io.BufferedWriter(HoledFile(partial, "wb"), WRITTEN) as raw:
            out = packed_writer(raw, packing)
            yield out
            if out is not raw:
                out.close()
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


class HoledFile(io.FileIO):
    """A file that is written, with holes where there are but zeros: a sparse one stays sparse."""

    def write(self, data: Any) -> int:
        """Write bytes, or step over them."""
        with memoryview(data) as given:
            if given.nbytes < HOLE or given[0] or bytes(given).strip(b"\0"):
                return super().write(given) or 0
            self.seek(given.nbytes, os.SEEK_CUR)
            return given.nbytes

    def close(self) -> None:
        """End the file, in a hole if there is one."""
        if not self.closed:
            self.truncate()
        super().close()


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
    """A writer that stays open when Arrow closes it, and takes the rest of a copy that was given up."""

    closed = False

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw

    def write(self, data: Any) -> int:
        return len(data) if self._raw.closed else self._raw.write(data)

    def flush(self) -> None:
        if not self._raw.closed:
            self._raw.flush()

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Leave the file open."""
