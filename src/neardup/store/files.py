"""Files of a store: mapped into memory to be read where they lie, written once."""

import math
import mmap
import os
import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from neardup.errors import InputError

MANIFEST = "manifest.sqlite"  # in the folder of an index: it makes it one
ADDRESS = re.compile(r"[a-z]\w+:/")  # what is left of s3://bucket/… in a path
IN_ORDER = 256  # buckets or texts that a disk reads in their order while it finds one at random
CAN_READ_PIECES = hasattr(os, "pread")  # Windows has no such function
PIECE = 32 << 10  # bytes that are written at once
WAYS = "See what can be saved with: neardup index check"


def damaged(path: Path, what: str = "this index is damaged") -> InputError:
    """Return the error for a file that is not as it was written."""
    folder = path if path.is_dir() else path.parent
    return InputError(f"{what}: {path.name}", where=str(folder), hint=f"{WAYS} {folder}")


def unreadable(path: Path, error: OSError) -> InputError:
    """Return the error for a file that is there but cannot be opened or mapped into memory."""
    hint = "May it be read? If so, copy the folder to this machine's own disk: some others map none."
    return InputError(f"{path.name} cannot be read: {error}", where=str(path.parent), hint=hint)


def are_few(wanted: int, total: int) -> bool:
    """Return whether so many of all, in their order, are sooner read at random than with all between.

    >>> are_few(3, 1_000), are_few(100, 1_000)
    (True, False)
    """
    return wanted * IN_ORDER < total


def write(file: BinaryIO, data: Any) -> None:
    """Write data a piece at a time.

    Linux may keep what is written at once together and, when a byte of it is looked at, map all of it:
    hundreds of MB for a look-up that reads some of each.
    """
    view = memoryview(data)
    if view.nbytes:  # a view of nothing cannot be cast
        view = view.cast("B")
        for at in range(0, len(view), PIECE):
            file.write(view[at : at + PIECE])


class Mapped:
    """A file in memory, of which the system holds what was read lately.

    Where pieces can be read, it stays open as long as somebody has this.
    """

    def __init__(self, path: Path, size: int) -> None:
        self.path, self.is_at_random = path, False
        try:
            self.number = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except FileNotFoundError as error:
            raise damaged(path, "a file of this index is missing") from error
        except OSError as error:
            raise unreadable(path, error) from error
        close = weakref.finalize(self, os.close, self.number)
        stays = False
        try:
            found = os.fstat(self.number).st_size
            if found != size:
                raise damaged(path, f"it has {found:,} bytes in place of {size:,}")
            self.bytes = mmap.mmap(self.number, 0, access=mmap.ACCESS_READ) if size else b""
            stays = CAN_READ_PIECES
        except OSError as error:
            raise unreadable(path, error) from error
        finally:
            if not stays:
                close()

    def piece(self, begin: int, end: int) -> bytes:
        """Return some bytes; a file that is read at random does not become memory by it."""
        if self.is_at_random and CAN_READ_PIECES:
            return os.pread(self.number, end - begin, begin)
        return self.bytes[begin:end]

    def expect(self, at_random: bool) -> None:
        """Tell the system how this is read: at random, it reads no more than what is asked for.

        Else it reads megabytes around each place, and for a few look-ups all of a file.
        """
        self.is_at_random = at_random
        self._advise("MADV_RANDOM" if at_random else "MADV_NORMAL")

    @contextmanager
    def in_order(self) -> Iterator[None]:
        """Read all of it for once."""
        before = self.is_at_random
        self.expect(at_random=False)
        try:
            yield
        finally:
            self.expect(before)

    def soon(self, begin: int) -> None:
        """Tell the system that all from here on is read next."""
        self._advise("MADV_WILLNEED", begin // mmap.PAGESIZE * mmap.PAGESIZE)

    def _advise(self, word: str, begin: int = 0) -> None:
        if isinstance(self.bytes, mmap.mmap) and hasattr(mmap, word):
            self.bytes.madvise(getattr(mmap, word), begin)

    def release(self, begin: int = 0) -> None:
        """Let go of what was read from here on: it is no longer this process's memory."""
        self._advise("MADV_DONTNEED", begin // mmap.PAGESIZE * mmap.PAGESIZE)


def mapped_bytes() -> float:
    """Return how much of files is this process's memory; where the system does not say, endless."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[2])
    except OSError:  # only Linux has it
        return math.inf
    return pages * mmap.PAGESIZE


def is_index(path: Path) -> bool:
    """Return whether a path is that of an index."""
    return (path / MANIFEST).is_file()


def check_folder(folder: Path) -> None:
    """Refuse what is no index."""
    if is_index(folder):
        return
    where = str(folder)
    if ADDRESS.match(where):
        raise elsewhere(where.replace(":/", "://", 1))
    if not folder.exists():
        hint = f"Make one with: neardup index build {folder} INPUT…"
        if (folder.parent / "run.json").is_file():
            hint = f"The first question makes one: neardup asked {folder.parent}"
        raise InputError("there is no such index", where=where, hint=hint)
    if is_of_old(folder):
        hint = f"Make it one of this version: neardup index upgrade {folder} NEW"
        raise InputError("this index was made by an earlier version of neardup", where=where, hint=hint)
    hint = "Make one of a corpus with: neardup index build INDEX INPUT…"
    raise InputError("this is not an index of neardup", where=where, hint=hint)


def elsewhere(address: str) -> InputError:
    """Return the error for an index at an address."""
    hint = "Copy it to this machine. Or neardup index export INDEX ALL.parquet: that is read there."
    return InputError("an index is only read on a disk of this machine", where=address, hint=hint)


def is_of_old(path: Path) -> bool:
    """Return whether this is a file of DuckDB's, as indexes were."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(12)[8:] == b"DUCK"
