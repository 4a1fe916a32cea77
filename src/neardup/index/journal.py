"""The journal of an index: documents that came a few at a time, on their way into the database.

A transaction of the database takes milliseconds, however little it holds. A record at the end of a
plain file takes one write; the next transaction takes all of them over, and the file is gone. After a
crash it is still there, and is read again, up to the first record that is not whole.

What is written survives the process. It survives a power cut when it is synced to the disk, too: with
each record, or some time later with all that came meanwhile.
"""

import json
import os
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neardup.durable import sync as sync_folder
from neardup.index.settings import Sync

SUFFIX = ".journal"
sync = getattr(os, "fdatasync", os.fsync)  # the former is not everywhere
BINARY = getattr(os, "O_BINARY", 0)  # Windows would change line ends
NUMBER = 4  # bytes of a length or a checksum
to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
SOON = 0.1  # seconds until records are synced that need not be so at once


def encoded(record: Any) -> bytes:
    """Return a record as it is written: its length, its checksum, JSON."""
    body = to_json(record).encode()
    return b"".join(n.to_bytes(NUMBER, "little") for n in (len(body), zlib.crc32(body))) + body


class Journal:
    """Records beside the file of an index; there is no file while there are none."""

    def __init__(self, index: Path, policy: Sync = "soon") -> None:
        self.path = index.with_name(index.name + SUFFIX)
        self.size = 0
        self.failed = False  # to be synced: what it holds has to be written elsewhere
        self._policy = policy
        self._file: int | None = None
        self._synced = 0
        self._syncing = threading.Lock()
        self._soon: threading.Timer | None = None

    def records(self) -> Iterator[Any]:
        """Yield the records that are whole."""
        data = self.path.read_bytes() if self.path.exists() else b""
        at = 0
        while len(data) - at > 2 * NUMBER:
            size, checksum = (
                int.from_bytes(data[begin : begin + NUMBER], "little") for begin in (at, at + NUMBER)
            )
            record = data[at + 2 * NUMBER : at + 2 * NUMBER + size]
            if not record or len(record) < size or zlib.crc32(record) != checksum:
                return  # after a power cut there may be zeros
            yield json.loads(record)
            at += 2 * NUMBER + size

    def append(self, records: bytes) -> None:
        """Write encoded records behind the others, one caller at a time: all of them or nothing."""
        if self._file is None:
            self._file = os.open(
                self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | BINARY, 0o666
            )
            sync_folder(self.path.parent)
        before = self.size
        try:
            if os.write(self._file, records) < len(records):
                raise OSError("the disk is full")
            self.size += len(records)
            self._sync_soon() if self._policy == "soon" else self.flush()
        except BaseException:
            self.size = before
            os.ftruncate(self._file, before)
            raise

    def _sync_soon(self) -> None:
        """See to it that what was written is synced before long."""
        if self._soon is None:
            self._soon = threading.Timer(SOON, self._sync_unheard)
            try:
                self._soon.start()
            except RuntimeError:  # Python ends, or there are too many threads
                self.flush()

    def _sync_unheard(self) -> None:
        try:
            self.flush()
        except OSError:
            return  # `failed` says so to whoever adds next

    def flush(self) -> None:
        """Sync what was written, from any thread."""
        with self._syncing:
            self._cancel()  # what is written from here on may come too late for this sync
            size = self.size
            if self._file is None or size == self._synced:
                return
            try:
                sync(self._file)
            except BaseException:
                self.failed = True  # the system may have dropped what it could not write
                raise
            self._synced = size

    def clear(self) -> None:
        """Remove all records, for good: what the database has must not come back after a crash."""
        self._let_go()
        if self.path.exists():
            self.path.unlink()
            sync_folder(self.path.parent)

    def close(self) -> None:
        """Let go of the file, which stays if it was not cleared."""
        self._sync_unheard()
        self._let_go()

    def _let_go(self) -> None:
        with self._syncing:
            self._cancel()
            if self._file is not None:
                os.close(self._file)
            self._file, self.size, self._synced, self.failed = None, 0, 0, False

    def _cancel(self) -> None:
        soon, self._soon = self._soon, None
        if soon is not None:
            soon.cancel()
