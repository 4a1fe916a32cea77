"""What is in a file, told by a short digest: so that it is known again wherever it is."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

from neardup.readers.file import File, check

BLOCK = 8 << 20  # bytes: after each, a thread may wait for those that import, or load, the rest


def digest(file: File, stop: Event | None = None) -> str | None:
    """Return the CRC-32 of a file's bytes as stored, None if it was to `stop` before their end.

    It notices accidents, not forgers, and reads faster than a disk: see docs/results.md.
    """
    found = 0
    if file.inside and file.inside.crc is not None:
        return f"crc32:{file.inside.crc:08x}"  # which the archive says, and reading the member tries
    with file.raw() as raw:
        while block := raw.read(BLOCK):
            if stop and stop.is_set():
                return None
            found = zlib.crc32(block, found)
        check(raw)
    return f"crc32:{found:08x}"


@contextmanager
def digesting(files: Iterable[File]) -> Iterator[Callable[[], dict[str, str]]]:
    """Take the digests of those files that are on this machine, while other work goes on.

    Gives a function that waits for them and returns them by the files' paths.
    """
    near = [file for file in files if file.is_local and (file.inside or not file.problem)]
    stop = Event()
    with ThreadPoolExecutor(1) as pool:
        found = pool.map(lambda file: _tried(file, stop), near)
        try:
            yield lambda: {file.path: own for file, own in zip(near, found, strict=True) if own}
        finally:
            stop.set()


def _tried(file: File, stop: Event) -> str | None:
    """Return the digest of a file, None if it has gone: a comparison with its past will show that."""
    try:
        return digest(file, stop)
    except OSError:
        return None
