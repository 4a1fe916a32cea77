"""What a run may use: cores, memory, an engine; and what this machine has of that."""

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from neardup.errors import OutputError, SettingsError
from neardup.settings.base import in_range, raise_all

LEAST_MEMORY = 32 << 20
NO_LIMIT = 1 << 62
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
ROOT = Path("/")
OWN_ADDRESSES = 2800 << 20  # bytes that libraries and their threads reserve; they use a tenth of it
LEAST_ADDRESSES = 3 << 30


@dataclass(frozen=True)
class EngineSettings:
    """Which engine runs a plan, with its own options and the most memory for its summaries."""

    name: str = "local"
    options: Any = None
    summaries: int = NO_LIMIT


@dataclass(frozen=True)
class RunSettings:
    """Where and with what a run works, and what it keeps: none of this changes what it finds."""

    workers: int
    memory: int
    keep_steps: bool = False
    stop_after: str | None = None
    engine: EngineSettings = EngineSettings()
    keep_texts: bool = False

    @classmethod
    def make(
        cls,
        workers: int | None = None,
        memory: str | int | None = None,
        keep_steps: bool = False,
        stop_after: str | None = None,
        engine: EngineSettings | None = None,
    ) -> "RunSettings":
        """Fill in what is not given: all cores, half of the memory."""
        half = max(total_memory() // 2, LEAST_MEMORY)
        size = half if memory is None else parse_size(memory)
        cores = available_cores() if workers is None else workers
        found = cls(cores, size, keep_steps, stop_after, engine or EngineSettings())
        problems = [in_range("workers", found.workers, 1, 1_000)]
        if found.memory < LEAST_MEMORY:
            problems.append(f"memory must be at least {LEAST_MEMORY >> 20}MB")
        raise_all(problems)
        return found

    @property
    def summary_memory(self) -> int:
        """Return the memory by which summaries are sized: an engine may send them around."""
        return min(self.memory, self.engine.summaries)


def parse_size(text: str | int) -> int:
    """Read a number of bytes.

    >>> parse_size("2GB"), parse_size("512 MiB")
    (2147483648, 536870912)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", str(text).lower())
    if not found:
        raise SettingsError(f"{text!r} is not a size", hint="Write it like 512MB or 2GB.")
    return int(float(found[1]) * UNITS[found[2]])


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    return math.ceil(min(cores, core_limit()))


def total_memory() -> int:
    """Return the memory of the machine, or of the container that this process is in, in bytes."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        size = 4 << 30
    left = max(address_limit(), LEAST_ADDRESSES) - OWN_ADDRESSES  # when all libraries are loaded
    return int(min(size, memory_limit(), left))


def memory_limit(root: Path = ROOT) -> float:
    """Return the bytes that this process may use, infinite if nothing limits them."""
    names = ("memory.max", "memory.limit_in_bytes")
    found = [numbers(folder / name) for folder in groups("memory", root) for name in names]
    return min((limit[0] for limit in found if limit), default=math.inf)


def address_limit() -> float:
    """Return the bytes of addresses that this process may reserve, infinite if nothing limits them."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows
        return math.inf
    limit = getrlimit(RLIMIT_AS)[0]
    return math.inf if limit == RLIM_INFINITY else limit


def check_addresses() -> None:
    """Refuse to work in a session in which libraries would crash sooner or later."""
    if (limit := address_limit()) < LEAST_ADDRESSES:
        least = LEAST_ADDRESSES >> 10
        raise OutputError(
            f"this session may reserve {limit / 2**30:.1f} GB of addresses (ulimit -v); neardup needs "
            f"{LEAST_ADDRESSES >> 30} GB, as libraries reserve much more than they use",
            hint=f"Raise the limit, if you may: ulimit -v unlimited, or at least ulimit -v {least}",
        )


def core_limit(root: Path = ROOT) -> float:
    """Return the cores that this process may keep busy, infinite if nothing limits them."""
    shares = [math.inf]
    for folder in groups("cpu", root):
        quota = numbers(folder / "cpu.max") or [
            *numbers(folder / "cpu.cfs_quota_us"),
            *numbers(folder / "cpu.cfs_period_us"),
        ]
        if len(quota) == 2 and quota[0] > 0 and quota[1] > 0:
            shares.append(quota[0] / quota[1])
    return min(shares)


def groups(controller: str, root: Path) -> Iterator[Path]:
    """Yield the folders of this process's groups, in both versions of the interface, up to the top."""
    mounted = root / "sys/fs/cgroup"
    for line in lines(root / "proc/self/cgroup"):
        number, controllers, path = line.split(":", 2)
        if number != "0" and controller not in controllers.split(","):
            continue
        tops = [mounted] if number == "0" else [mounted / controllers, mounted / controller]
        way = PurePosixPath(path.lstrip("/"))
        yield from (top / part for top in tops for part in (way, *way.parents))


def numbers(path: Path) -> list[float]:
    """Return the numbers in a file, none if it is not there; `max` is infinite."""
    words = " ".join(lines(path)).split()
    try:
        return [math.inf if word == "max" else float(word) for word in words]
    except ValueError:
        return []


def lines(path: Path) -> list[str]:
    """Return the lines of a file, none if it cannot be read."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
