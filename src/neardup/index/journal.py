"""The journal of an index: documents that came a few at a time, on their way into the database.

A transaction of the database takes milliseconds, however little it holds. A record at the end of a
plain file takes one write and one sync; the next transaction takes all of them over, and the file is
gone. After a crash it is still there, and is read again. A record that is not whole was never confirmed.
"""

import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUFFIX = ".journal"
sync = getattr(os, "fdatasync", os.fsync)  # the former is not everywhere
NUMBER = 4  # bytes of a length or a checksum


def encoded(record: Any) -> bytes:
    """Return a record as it is written: its length, its checksum, JSON."""
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    return b"".join(n.to_bytes(NUMBER, "little") for n in (len(body), zlib.crc32(body))) + body


class Journal:
    """Records beside the file of an index; there is no file while there are none."""

    def __init__(self, index: Path) -> None:
        self.path = index.with_name(index.name + SUFFIX)
        self.size = 0
        self._file: int | None = None

    def records(self) -> Iterator[Any]:
        """Yield the records that are whole."""
        data = self.path.read_bytes() if self.path.exists() else b""
        at = 0
        while len(data) - at > 2 * NUMBER:
            size, checksum = (
                int.from_bytes(data[begin : begin + NUMBER], "little") for begin in (at, at + NUMBER)
            )
            record = data[at + 2 * NUMBER : at + 2 * NUMBER + size]
            if len(record) < size or zlib.crc32(record) != checksum:
                return
            yield json.loads(record)
            at += 2 * NUMBER + size

    def append(self, records: bytes) -> None:
        """Write encoded records behind the others; on the disk when this returns, or not at all."""
        if self._file is None:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o666)
            sync_folder(self.path.parent)
        try:
            if os.write(self._file, records) < len(records):
                raise OSError("the disk is full")
            sync(self._file)
        except BaseException:
            os.ftruncate(self._file, self.size)
            raise
        self.size += len(records)

    def clear(self) -> None:
        """Remove all records, for good: what the database has must not come back after a crash."""
        self.close()
        self.size = 0
        if self.path.exists():
            self.path.unlink()
            sync_folder(self.path.parent)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
        self._file = None


def sync_folder(folder: Path) -> None:
    """Write to the disk which files are in a folder."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
