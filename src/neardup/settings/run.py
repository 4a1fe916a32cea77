"""The settings of methods and runs: checked when made, printed as the user writes them."""

import math
import os
import re
from dataclasses import dataclass
from typing import Any

from neardup.errors import SettingsError
from neardup.settings.base import in_range, raise_all
from neardup.settings.machine import addresses_left, core_limit, memory_limit

LEAST_MEMORY = 32 << 20
NO_LIMIT = 1 << 62
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


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
    return int(min(size, memory_limit(), addresses_left()))
