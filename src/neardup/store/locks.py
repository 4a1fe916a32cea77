"""One process at a time writes an index: who comes second waits a little, or is told who does."""

import os
import time
import weakref
from pathlib import Path

from neardup.errors import InputError, LockedError, OutputError

LOCK = "lock"
PATIENCE = 2.0  # seconds
PAUSE = 0.05
NUMBER = 20  # digits of a process


class Lock:
    """The right to write an index, until it is released, forgotten, or the process ends."""

    def __init__(self, folder: Path) -> None:
        try:
            opened = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            hint = "Open it for queries only (writable=False), or check your permissions and the disk."
            raise OutputError(f"cannot be written: {error}", where=str(folder), hint=hint) from error
        self._end = weakref.finalize(self, os.close, opened)
        until = time.monotonic() + PATIENCE
        while not taken(opened, folder):
            holder = os.pread(opened, NUMBER, 0).decode("ascii", "replace").strip()
            if holder == str(os.getpid()):
                hint = "Add to the Index that is open, or close() it first; queries work meanwhile."
                raise self._refused("this process has this index open for writing", folder, hint)
            if time.monotonic() > until:
                hint = "Wait until it is done. A server adds documents itself: POST /documents."
                what = f"another process ({holder or 'unknown'}) has this index open for writing"
                raise self._refused(what, folder, hint)
            time.sleep(PAUSE)
        os.ftruncate(opened, 0)
        os.write(opened, str(os.getpid()).encode())

    def _refused(self, what: str, folder: Path, hint: str) -> LockedError:
        self.release()
        return LockedError(what, where=str(folder), hint=hint)

    def release(self) -> None:
        """Let others write."""
        self._end()


def taken(opened: int, folder: Path) -> bool:
    """Lock a file, and return whether nobody else has."""
    try:
        import fcntl
    except ImportError:  # Windows: two that write are not noticed
        return True
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        hint = "Copy the index to a disk of this machine's own."
        raise InputError(f"this disk locks no files: {error}", where=str(folder), hint=hint) from error
    return True
