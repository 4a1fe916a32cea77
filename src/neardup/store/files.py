"""Files of a store: mapped into memory to be read where they lie, written once."""

import mmap
import os
from pathlib import Path

from neardup.errors import InputError

MANIFEST = "manifest.sqlite"  # in the folder of an index: it makes it one
WAYS = "See what can be saved with: neardup index check"


def damaged(path: Path, what: str = "this index is damaged") -> InputError:
    """Return the error for a file that is not as it was written."""
    folder = path if path.is_dir() else path.parent
    return InputError(f"{what}: {path.name}", where=str(folder), hint=f"{WAYS} {folder}")


class Mapped:
    """A file in memory, of which the system holds what was read lately."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                found = os.fstat(file.fileno()).st_size
                if found != size:
                    raise damaged(path, f"it has {found:,} bytes in place of {size:,}")
                self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        except (FileNotFoundError, ValueError) as error:
            raise damaged(path, "a file of this index is missing") from error

    def release(self) -> None:
        """Let go of what was read: it is no longer this process's memory, and soon read again."""
        if isinstance(self.bytes, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            self.bytes.madvise(mmap.MADV_DONTNEED)


def is_index(path: Path) -> bool:
    """Return whether a path is that of an index."""
    return (path / MANIFEST).is_file()


def check_folder(folder: Path) -> None:
    """Refuse what is no index."""
    if is_index(folder):
        return
    where = str(folder)
    if not folder.exists():
        hint = f"Make one with: neardup index build {folder} INPUT…"
        raise InputError("there is no such index", where=where, hint=hint)
    if is_of_old(folder):
        hint = f"Make it one of this version: neardup index upgrade {folder} NEW"
        raise InputError("this index was made by an earlier version of neardup", where=where, hint=hint)
    hint = "Make one of a corpus with: neardup index build INDEX INPUT…"
    raise InputError("this is not an index of neardup", where=where, hint=hint)


def is_of_old(path: Path) -> bool:
    """Return whether this is a file of DuckDB's, as indexes were."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(12)[8:] == b"DUCK"
