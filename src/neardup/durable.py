"""Files and folders that are whole or not there: on the disk before they take their names.

What fails is deleted. What a killed process leaves is deleted by the next one that comes by.
"""

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

PARTIAL = ".partial"
LOCK = "lock"  # in a folder on a filesystem that locks files only
PREFIX = "neardup-"
TEMPORARY = re.compile(rf"{PREFIX}(\d+)-\w+")  # with the number of the process that works there
AT_ONCE = 8  # files that are synced together: the disk writes its own journal once for them
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EMFILE, errno.ENFILE)
FILE_LIMIT = "a file would be larger than this session may write"
RAISE_LIMIT = "Raise the limit, if you may: ulimit -f unlimited"
_HELD: dict[Path, int] = {}  # the temporary folders of this process, with their locks


def partial_of(path: Path) -> Path:
    """Return where something is written before it takes its name."""
    return path.with_name(path.name + PARTIAL)


def is_for_want_of_room(error: BaseException) -> bool:
    """Return whether this machine has no room left, for bytes or for open files; no input is wrong."""
    return getattr(error, "errno", None) in NO_ROOM


def sync(path: Path) -> None:
    """Return when a file, or the list of what is in a folder, is on the disk."""
    if os.name == "nt":  # has no such call for folders, nor for files that are only read
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sync_all(path: Path) -> None:
    """Return when a file, or a folder with all that is in it, is on the disk."""
    if not path.is_dir():
        sync(path)
        return
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(sync, [found for found in path.rglob("*") if not found.is_symlink()]))
    sync(path)


def put(work: Path, target: Path) -> None:
    """Give a file or folder its name when all of it is on the disk; a file of that name is replaced."""
    sync_all(work)
    work.replace(target)
    sync(target.parent)


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """Give a path to write a file to; it takes its name when it is whole, and is gone if that fails."""
    partial = partial_of(path)
    try:
        yield partial
        put(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text file that is whole or not there."""
    with written(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def lock(folder: Path) -> int | None:
    """Keep others out of a folder; the lock ends when what is returned is closed, or with the process.

    Raises BlockingIOError if another one holds it. It is the folder itself that is locked, whatever
    its name: no file is left behind.
    """
    try:
        import fcntl
    except ImportError:  # Windows: two that work in one folder are not noticed
        return None
    how = fcntl.LOCK_EX | fcntl.LOCK_NB
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, how)
    except BlockingIOError:
        os.close(opened)
        raise
    except OSError:  # some network filesystems lock nothing but files
        os.close(opened)
        opened = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        fcntl.flock(opened, how)
    return opened


def unlock(held: int | None) -> None:
    """Let others in again."""
    if held is not None:
        os.close(held)


def made_and_locked(folder: Path) -> int | None:
    """Make a folder and lock it."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            held = lock(folder)
        except FileNotFoundError:
            continue
        if held is None or is_at(held, folder):
            return held
        unlock(held)  # meanwhile, the folder took another name


def is_at(held: int, folder: Path) -> bool:
    """Return whether what is locked has its name still."""
    own = os.fstat(held)
    return any(path.exists() and os.path.samestat(own, path.stat()) for path in (folder, folder / LOCK))


def temporary_folder() -> Path:
    """Make a folder that is there until `delete_temporary`; that of a killed process is deleted here."""
    delete_abandoned(Path(tempfile.gettempdir()))
    path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    held = lock(path)
    if held is not None:
        _HELD[path] = held
    return path


def delete_temporary(path: str | Path) -> None:
    """Delete a temporary folder, whatever is still in it."""
    shutil.rmtree(path, ignore_errors=True)
    unlock(_HELD.pop(Path(path), None))


@contextmanager
def temporary() -> Iterator[Path]:
    """Give a folder that is deleted at the end."""
    path = temporary_folder()
    try:
        yield path
    finally:
        delete_temporary(path)


def delete_abandoned(folder: Path) -> None:
    """Delete the temporary folders of processes that were killed."""
    with os.scandir(folder) as found:
        named = [(entry, TEMPORARY.fullmatch(entry.name)) for entry in found]
    for entry, name in named:
        if name and not is_running(int(name[1])) and entry.is_dir(follow_symlinks=False):
            delete_unlocked(Path(entry.path))


def delete_unlocked(path: Path) -> None:
    """Delete a folder that nobody locks: processes of other containers have numbers of their own."""
    try:
        held = lock(path)
    except OSError:
        return  # somebody's, or gone
    shutil.rmtree(path, ignore_errors=True)
    unlock(held)


def is_running(process: int) -> bool:
    """Return whether there is a process of this number; on Windows that is not known."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def mapped(path: Path, kind: "np.dtype[Any]", size: int) -> "np.memmap[Any, Any]":
    """Map a new file into memory, with its room on the disk: a full one would end the process."""
    import numpy as np

    with path.open("wb") as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size * kind.itemsize)
        else:
            file.truncate(size * kind.itemsize)
    return np.memmap(path, kind, "r+", shape=(size,))
