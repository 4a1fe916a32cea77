"""The manifest's database: SQLite, in the mode in which one writes while others read.

A commit is a write to SQLite's log, which survives the process. It survives a power cut when the log is
synced to the disk, too: with each commit, or some time later with all that came meanwhile.
"""

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from neardup.durable import FILE_LIMIT, RAISE_LIMIT
from neardup.errors import InputError, OutputError
from neardup.store.files import damaged

Sync = Literal["soon", "each"]  # of documents that are added to an index a few at a time
sync = getattr(os, "fdatasync", os.fsync)  # the former is not everywhere
SOON = 0.1  # seconds until a commit is synced that need not be so at once
LOG = "-wal"
PATIENCE = 10.0  # seconds for which somebody else may hold the database
LOG_PAGES = 4000  # until the log is taken over
APART = "Copy the folder to a disk of this machine's own: some network disks lock nothing."


class Database:
    """A connection, for one thread at a time."""

    def __init__(self, path: Path, writable: bool, policy: Sync = "soon") -> None:
        self.path = path
        self.lock = threading.RLock()
        self._policy = policy
        self._syncing = threading.Lock()
        self._soon: threading.Timer | None = None
        self._failed = self._is_dirty = False
        self._connection = connected(path, writable)
        if writable:
            self.execute(f"pragma wal_autocheckpoint = {LOG_PAGES}")
            self.execute(f"pragma synchronous = {'full' if policy == 'each' else 'normal'}")

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement, and return its rows."""
        with self.lock, failures_told(self.path):
            return self._connection.execute(statement, values).fetchall()

    def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each of some rows."""
        with self.lock, failures_told(self.path):
            self._connection.executemany(statement, rows)

    def copy_to(self, path: Path) -> None:
        """Write a copy of the database, as it is at one moment."""
        with self.lock, failures_told(self.path), closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one state, whatever others write meanwhile."""
        with self.lock:
            self.execute("begin")
            try:
                yield
            finally:
                with suppress(InputError, OutputError):
                    self.execute("rollback")

    @contextmanager
    def transaction(self, at_once: bool = False) -> Iterator[None]:
        """Write all or nothing; with `at_once`, it is on the disk then."""
        with self.lock:
            if self._failed:
                self.flush()
            if at_once:
                self.execute("pragma synchronous = full")
            self.execute("begin immediate")
            try:
                yield
                self.execute("commit")
            except BaseException:
                with suppress(InputError, OutputError):
                    self.execute("rollback")
                raise
            finally:
                if at_once and self._policy != "each":
                    self.execute("pragma synchronous = normal")
            self._is_dirty = True
            if not at_once and self._policy == "soon":
                self._sync_soon()

    def _sync_soon(self) -> None:
        """See to it that what was committed is synced before long."""
        if self._soon is None:
            self._soon = threading.Timer(SOON, self._sync_unheard)
            try:
                self._soon.start()
            except RuntimeError:  # Python ends, or there are too many threads
                self._sync_unheard()

    def _sync_unheard(self) -> None:
        with suppress(OSError):
            self._sync()

    def _sync(self) -> None:
        with self._syncing:
            soon, self._soon = self._soon, None
            if soon is not None:
                soon.cancel()
            if not self._is_dirty:
                return
            self._is_dirty = False
            try:
                log = os.open(f"{self.path}{LOG}", os.O_RDWR)
                try:
                    sync(log)
                finally:
                    os.close(log)
            except FileNotFoundError:
                return  # it was taken over
            except OSError:
                self._is_dirty = self._failed = (
                    True  # the system may have dropped what it could not write
                )
                raise

    def flush(self) -> None:
        """Return when all that was committed is on the disk: in the log, or else in the database."""
        try:
            self._sync()
        except OSError:
            self._take_over()
        if self._failed:
            self._take_over()

    def _take_over(self) -> None:
        """Write the log to the database, which syncs it."""
        with self.lock:
            self.execute("pragma synchronous = full")
            self.execute("pragma wal_checkpoint(full)")
            self._failed = self._is_dirty = False
            if self._policy != "each":
                self.execute("pragma synchronous = normal")

    def close(self) -> None:
        """Close the connection."""
        with suppress(OSError):
            self._sync()
        with self.lock:
            self._connection.close()


def connected(path: Path, writable: bool) -> sqlite3.Connection:
    """Open a database, or say why that cannot be.

    Nothing else may open the file in this process: when it is closed, the system forgets SQLite's locks.
    """
    try:
        return opened(path, "rw", writable)
    except sqlite3.OperationalError as error:
        if writable:
            raise unwritable(path, error) from error
        for mode in ("ro", "ro&immutable=1"):  # of a disk that nobody writes to
            with suppress(sqlite3.OperationalError):
                if mode == "ro" or not Path(f"{path}{LOG}").exists():
                    return opened(path, mode, writable)
        raise unwritable(path, error) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise damaged(path) from error


def opened(path: Path, mode: str, writable: bool) -> sqlite3.Connection:
    """Open a database in a mode of SQLite's."""
    address = f"{path.resolve().as_uri()}?mode={mode}"
    found = sqlite3.connect(
        address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        if not writable:
            found.execute("pragma query_only = 1")
        elif found.execute("pragma journal_mode = wal").fetchone() != ("wal",):
            raise InputError("this disk has no room for SQLite's log", where=str(path), hint=APART)
        found.execute("select count(*) from sqlite_master").fetchone()
    except BaseException:
        found.close()
        raise
    return found


def unwritable(path: Path, error: Exception) -> OutputError:
    """Return the error for a database that cannot be opened or written."""
    hint = f"May it be written to, and is there room? What was added before is safe. {APART}"
    if "I/O" in str(error):
        hint = f"{hint} Or {FILE_LIMIT}. {RAISE_LIMIT}"
    return OutputError(f"cannot be opened or written: {error}", where=str(path.parent), hint=hint)


@contextmanager
def failures_told(path: Path) -> Iterator[None]:
    """Say in plain words that a database cannot be read or written."""
    try:
        yield
    except sqlite3.ProgrammingError as error:
        raise InputError("this index is closed", where=str(path.parent)) from error
    except sqlite3.OperationalError as error:
        hint = "Free some space, and try again: what was added before is safe."
        what = str(error)
        if "no such table" in what:
            raise damaged(path) from error
        if "I/O" in what:
            what, hint = f"{what}; or {FILE_LIMIT}", f"{hint} {RAISE_LIMIT}"
        raise OutputError(f"cannot be written: {what}", where=str(path.parent), hint=hint) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise damaged(path) from error
