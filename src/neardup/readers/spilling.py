"""Large pieces of a file: read to a copy without a name, and mapped from there.

The file itself is never mapped: if somebody cuts it off, to touch the mapping would end the process.
"""

import io
import mmap
import tempfile
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

LARGE = 64 << 20  # bytes that memory need not hold at once
STEP = 1 << 20


class Spilling(io.RawIOBase):
    """The bytes of a file for Arrow, which takes a mapping for bytes and copies none of it."""

    def __init__(self, read: Callable[[int], bytes], raw: Any) -> None:
        """Take the function that reads, and what it reads from, to seek in and to close."""
        super().__init__()
        self._read = read
        self._raw = raw
        self._mapped: WeakSet[mmap.mmap] = WeakSet()

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def tell(self) -> int:
        """Return where the next piece begins."""
        return int(self._raw.tell())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go somewhere else."""
        return int(self._raw.seek(offset, whence))

    def read(self, size: int = -1) -> Any:
        """Return the next bytes, or a mapping of many."""
        return self._spilled(size) if size > LARGE else self._read(size)

    def _spilled(self, size: int) -> mmap.mmap | bytes:
        with tempfile.TemporaryFile() as copy:
            while size > 0 and (piece := self._read(min(size, STEP))):
                copy.write(piece)
                size -= len(piece)
            copy.flush()
            if not copy.tell():
                return b""
            mapped = mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ)
        self._mapped.add(mapped)
        return mapped

    def let_go(self) -> None:
        """Take what was read of the mappings out of memory: it can be read again."""
        for mapped in [*self._mapped] if hasattr(mmap, "MADV_DONTNEED") else []:  # not on Windows
            mapped.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Close the file below."""
        self._raw.close()
        super().close()
