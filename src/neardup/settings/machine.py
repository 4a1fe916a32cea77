"""What a container, another control group of Linux, or a session lets processes use: memory and cores.

Limits hold for a group and all groups below it, so those on the whole way up count. Inside a container
the way may begin at its own group or at the machine's; files that are not there limit nothing.
"""

import math
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from neardup.errors import OutputError

ROOT = Path("/")
OWN_ADDRESSES = 2800 << 20  # bytes that libraries and their threads reserve; they use a tenth of it
LEAST_ADDRESSES = 3 << 30


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


def addresses_left() -> float:
    """Return the bytes of addresses that are left for data when all libraries are loaded."""
    return max(address_limit(), LEAST_ADDRESSES) - OWN_ADDRESSES


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
