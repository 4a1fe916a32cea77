"""Giving memory back to the system, for runs that may use little of it.

All of this is a courtesy that Linux offers: where it cannot be had, a run only takes more memory.
"""

import ctypes
import math
import mmap
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import pyarrow as pa

SMALL_MEMORY = 1 << 30
PAUSE = 0.5  # seconds
MMAP_THRESHOLD = -3  # the parameter of that name in glibc's malloc.h
MAPPINGS = Path("/proc/self/smaps")
MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ +/")


class Frugality:
    """Whether this process gives memory back at once: as long as any run may use little of it."""

    on = False
    runs = 0
    given_back = -math.inf  # when memory was
    pool: pa.MemoryPool | None = None
    lock = threading.Lock()


@contextmanager
def within(limit: int) -> Iterator[None]:
    """Have this whole process save memory if a run may use little of it."""
    with saving_memory() if limit < SMALL_MEMORY else nullcontext():
        yield


@contextmanager
def saving_memory() -> Iterator[None]:
    """Have this whole process return memory at once instead of holding it ready: slower, smaller."""
    with Frugality.lock:
        Frugality.runs += 1
        if Frugality.runs == 1:
            _begin()
    try:
        yield
    finally:
        with Frugality.lock:
            Frugality.runs -= 1
            if not Frugality.runs:
                Frugality.on = False
                pa.set_memory_pool(Frugality.pool)


def _begin() -> None:
    Frugality.pool = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    with suppress(OSError, AttributeError, TypeError):  # the last is how Windows says that there is none
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, 1 << 20)
    Frugality.on = True


def give_back(mapped: mmap.mmap) -> None:
    """Let go of what was read of a mapped file, so that it does not count as memory in use."""
    if Frugality.on and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
        mapped.madvise(mmap.MADV_DONTNEED)


def give_back_memory() -> None:
    """Return what the C library holds ready for later, and the code that has run, to the system.

    Now and then: the code has to be read again, which would take longer than short steps do.
    """
    now = time.monotonic()
    if not Frugality.on or now - Frugality.given_back < PAUSE:
        return
    Frugality.given_back = now
    with suppress(OSError, AttributeError, TypeError):
        libc = ctypes.CDLL(None)
        libc.malloc_trim(0)
        for start, end in unchanged_mappings(MAPPINGS.read_text()):
            libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), mmap.MADV_DONTNEED)


def unchanged_mappings(smaps: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of libraries' code and constants: unchanged, so they can be read again.

    Loading libraries and kernels goes once through 150 MB of them that are not needed again.
    """
    start = end = 0
    for line in smaps.splitlines():
        if line[:1].islower() or line[:1].isdigit():
            found = MAPPING.match(line)
            fixed = found is not None and found[3] in ("r-xp", "r--p")
            start, end = (int(found[1], 16), int(found[2], 16)) if found and fixed else (0, 0)
        elif end and line.startswith("Anonymous:") and line.split()[1] == "0":
            yield start, end
