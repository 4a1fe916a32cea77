"""Giving memory back to the system, for runs that may use little of it; holding it ready for others.

All of this is a courtesy that Linux offers: without it, a run only takes more memory, or time.
"""

import ctypes
import math
import mmap
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa

SMALL_MEMORY = 1 << 30
PAUSE = 0.5  # seconds
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # the parameters of these names in glibc's malloc.h
GIVEN = 1 << 20  # bytes that come from the system, and go back to it, if memory is saved
HELD = 32 << 20  # the same if it is not: more than a task asks for at once
READY = 512 << 20  # bytes that are held ready
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
    """Have this whole process save memory if a run may use little of it, and else hold it ready."""
    with saving_memory() if limit < SMALL_MEMORY else holding_memory():
        yield


@contextmanager
def holding_memory() -> Iterator[None]:
    """Let the C library keep for the next task what one has freed: new pages take time."""
    if not Frugality.on:
        _ask_for_memory(HELD, READY)
    try:
        yield
    finally:
        _libc("malloc_trim", 0)


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
    _ask_for_memory(GIVEN, GIVEN)
    Frugality.on = True


def _ask_for_memory(at_once: int, ready: int) -> None:
    """Say how much at once is the system's to give, and how much of the rest is held."""
    _libc("mallopt", MMAP_THRESHOLD, at_once)
    _libc("mallopt", TRIM_THRESHOLD, ready)


def _libc(function: str, *given: object) -> None:
    """Call what the C library may have."""
    with suppress(OSError, AttributeError, TypeError):  # the last is how Windows says that there is none
        getattr(ctypes.CDLL(None), function)(*given)


def give_back(mapped: mmap.mmap) -> None:
    """Let go of what was read of a mapped file, so that it does not count as memory in use."""
    if Frugality.on and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
        mapped.madvise(mmap.MADV_DONTNEED)


def release_memory() -> None:
    """Return what the C library holds ready for later, and the code that has run, to the system.

    Now and then: the code has to be read again, which would take longer than short steps do.
    """
    now = time.monotonic()
    if not Frugality.on or now - Frugality.given_back < PAUSE:
        return
    Frugality.given_back = now
    _libc("malloc_trim", 0)
    with suppress(OSError, AttributeError):
        for start, end in unchanged_mappings(MAPPINGS.read_text()):
            _libc("madvise", ctypes.c_void_p(start), ctypes.c_size_t(end - start), mmap.MADV_DONTNEED)


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
