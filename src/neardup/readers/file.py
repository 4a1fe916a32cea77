"""One file of the input: on a disk, far away, or in an archive; and how its bytes are opened."""

import io
import shutil
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.fs as pafs

from neardup.readers.streams import Stream, WholeStream, written
from neardup.readers.unpacking import MAGIC_BYTES, packing_of
from neardup.storage import resolve

INDEX = ".neardup-index"  # stands for the suffix of an index, which is a folder of any name
HELD = 64 << 20  # bytes of a packed member that are held in memory to read them from anywhere


@dataclass(frozen=True)
class Inside:
    """The place of a member in its archive: `at` a byte of it. This one cannot be read at all."""

    archive: "File"
    at: int = 0
    size: int = 0
    crc: int | None = None

    readable = False

    @property
    def can_seek(self) -> bool:
        """Return whether reading can begin anywhere."""
        return False

    def opened(self, begin: int = 0) -> Any:
        """Open the member's bytes; `failure` says why they end before their time, if they do."""
        return io.BytesIO()


@dataclass(frozen=True)
class File:
    """One input file: its address, the name shown to the user, its size, and when it changed.

    A member of an archive has its place `inside`; one that is not read has a `problem` and no size.
    """

    path: str
    name: str
    size: int
    compression: str | None = None
    suffix: str = ""
    modified: int = 0
    is_copy: bool = False  # of what came through a pipe: it goes with this process
    text_column: str | None = None  # of this file, as given behind its name
    inside: Inside | None = None
    problem: tuple[str, str] | None = None

    @classmethod
    def of(cls, file: "File", **more: Any) -> Self:
        """Return the same file as one of this class."""
        return cls(**{field.name: getattr(file, field.name) for field in fields(File)}, **more)

    @property
    def stored(self) -> "File":
        """Return the file that is stored: the archive of a member."""
        return self.inside.archive if self.inside else self

    @property
    def filesystem(self) -> pafs.FileSystem:
        """Return the filesystem that holds the file."""
        return resolve(self.path)[0]

    @property
    def inner_path(self) -> str:
        """Return the file's path within its filesystem."""
        return resolve(self.path)[1]

    @property
    def is_local(self) -> bool:
        """Return whether the file is on this machine."""
        return isinstance(self.filesystem, pafs.LocalFileSystem)

    @property
    def can_be_mapped(self) -> bool:
        """Return whether the bytes are a file of this machine's own."""
        return self.is_local and not self.inside

    @property
    def can_seek(self) -> bool:
        """Return whether reading can begin anywhere, without unpacking an archive up to there."""
        return self.inside is None or self.inside.can_seek

    def open(self) -> pa.NativeFile:
        """Open the bytes as stored, for random access."""
        if self.inside is None:
            return self.filesystem.open_input_file(self.inner_path)
        if self.inside.size > HELD:
            return pa.PythonFile(_Rewound(self.inside), mode="r")
        with self.inside.opened() as raw:
            data = raw.read(self.inside.size)
            check(raw)
            return pa.BufferReader(data)

    def raw(self) -> Any:
        """Open the bytes as stored, to be read from the first to the last."""
        if self.inside is not None:
            return self.inside.opened()
        return self.filesystem.open_input_stream(self.inner_path, compression=None)

    def open_stream(self, begin: int = 0) -> Stream:
        """Open the bytes as a stream, decompressed where they are compressed, whatever the suffix."""
        return Stream(self.open(), begin) if begin else Stream(self.raw(), again=self.open)

    def copy_to(self, target: Path) -> None:
        """Copy the bytes as stored."""
        with self.raw() as raw, written(target, None) as out:
            shutil.copyfileobj(raw, out)

    def packing(self) -> str | None:
        """Return how the file is compressed in fact, by its first bytes."""
        with self.raw() as raw:
            return packing_of(raw.read(MAGIC_BYTES))


@dataclass(frozen=True)
class Beginning(File):
    """A file of which a stream gives no more than the first bytes, as stored."""

    limit: int = 0

    def open_stream(self, begin: int = 0) -> Stream:
        """Open the first bytes as a stream."""
        if begin:
            raise ValueError("a range is not a beginning")
        return Stream(_First(self.raw(), self.limit))


@dataclass(frozen=True)
class Whole(File):
    """A file that is read to its end or not at all: what is damaged raises DamagedFileError."""

    def open_stream(self, begin: int = 0) -> Stream:
        """Open the bytes as a stream that never ends before its time."""
        return WholeStream(self.name, self.open() if begin else self.raw(), begin, self.open)


class _First:
    """The first bytes of a stream."""

    def __init__(self, raw: Any, limit: int) -> None:
        self._raw = raw
        self._left = limit

    def read(self, size: int) -> bytes:
        found = bytes(self._raw.read(min(size, self._left)))
        self._left -= len(found)
        return found

    def close(self) -> None:
        self._raw.close()


class _Rewound(io.RawIOBase):
    """A member in which one can seek: what is packed is unpacked once more to go back."""

    def __init__(self, inside: Inside) -> None:
        super().__init__()
        self._inside = inside
        self._raw = inside.opened()
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._inside.size}[whence]
        target = min(max(base + offset, 0), self._inside.size)
        if self._inside.can_seek or target < self._at:
            self._raw.close()
            self._at = target if self._inside.can_seek else 0
            self._raw = self._inside.opened(self._at)
        while self._at < target and self.read(min(target - self._at, 1 << 20)):
            pass
        return self._at

    def read(self, size: int = -1) -> bytes:
        left = self._inside.size - self._at
        data = bytes(self._raw.read(left if size is None or size < 0 else min(size, left)))
        check(self._raw)
        self._at += len(data)
        return data

    def close(self) -> None:
        self._raw.close()
        super().close()


def check(raw: object) -> None:
    """Raise what is wrong with a member that was opened, as reading a file would."""
    if failure := getattr(raw, "failure", None):
        raise OSError(failure[1])
