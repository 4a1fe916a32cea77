"""Where compiled kernels are kept: in a folder that belongs to these very sources.

Numba keeps code for as long as the file of a kernel stays the same, whatever happens to the kernels
that it calls: after an update, old machine code might run. And it wants to write beside the package.
So the folder here is the user's, and its name a digest of all kernels and of what compiles them.
"""

import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

import llvmlite
import numba
import numpy as np

IN_TEMPORARY = "neardup-kernels-"
UNUSED = 30 * 24 * 3600  # seconds after which the folder of other sources is deleted
TRIED = (0, 61), (0, 68)  # the oldest and the newest Numba with which inside_numba.py was tried


def names_kept() -> set[str]:
    """Return the modules and names of the kernels that are kept, for some types at least."""
    where = folder()
    names = os.listdir(where) if where else []  # noqa: PTH208 (hundreds of them, at every run)
    return {name.rpartition("-")[0] for name in names}


@cache
def tell_wait() -> None:
    """Say, once in a process, that kernels are compiled: whoever needs them waits for that."""
    logging.getLogger("neardup").warning(waiting(folder()))


def waiting(kept: Path | None) -> str:
    """Return why there is a wait, and when it will be there again."""
    if not is_tried(numba.__version__):
        oldest, newest = (".".join(map(str, version)) for version in TRIED)
        told = f"Numba {numba.__version__} is not one of {oldest} to {newest}, whose code can be kept"
        return f"compiling, as in every run here: {told}"
    if kept is None:
        return "compiling, as in every run here: set NUMBA_CACHE_DIR to a folder that can be written to"
    if kept.parent.name.startswith(IN_TEMPORARY):
        lasts = "set NUMBA_CACHE_DIR to a folder that lasts"
        return f"compiling, which may take a minute, and again once {kept.parent} is emptied: {lasts}"
    return "compiling, once on this machine: this may take a minute"


def is_tried(version: str) -> bool:
    """Return whether code of a version of Numba can be kept.

    >>> is_tried("0.61.2"), is_tried("0.68.0rc1"), is_tried("0.9.0"), is_tried("1.0")
    (True, True, False, False)
    """
    return TRIED[0] <= tuple(map(int, version.split(".")[:2])) <= TRIED[1]


@cache
def folder() -> Path | None:
    """Return where compiled kernels are kept; None if there is no such place."""
    if not is_tried(numba.__version__):
        return None
    for place in _places():
        own = place / digest(_sources())
        try:
            is_new = not own.exists()
            own.mkdir(0o700, parents=True, exist_ok=True)
            if _is_mine(own) and os.access(own, os.W_OK):
                os.utime(own)
                if is_new:
                    _forget_others(own)
                return own
        except OSError:
            pass
        if _is_mine(own) and os.access(own, os.R_OK | os.X_OK):  # in an image: filled when built
            return own
    return None


def _places() -> Iterator[Path]:
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen)
    if home := os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"):  # noqa: PTH111
        yield Path(home) / "neardup" / "kernels"
    with suppress(FileNotFoundError):
        user = os.getuid() if hasattr(os, "getuid") else ""
        yield Path(tempfile.gettempdir()) / f"{IN_TEMPORARY}{user}"


def _is_mine(own: Path) -> bool:
    """Return whether nobody but this user and the system can have put code there."""
    try:
        facts = [(path.stat().st_uid, path.stat().st_mode) for path in (own, own.parent)]
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return all(owner in (0, os.getuid()) and not mode & 0o022 for owner, mode in facts)


def _sources() -> list[tuple[str, bytes]]:
    """Return the names and contents of all modules with kernels."""
    found = [path for path in files(__package__).iterdir() if path.name.endswith(".py")]
    return sorted((path.name, path.read_bytes()) for path in found)


def digest(sources: list[tuple[str, bytes]]) -> str:
    """Return a name for sources and for what compiles them."""
    versions = numba.__version__, llvmlite.__version__, np.__version__, sys.version_info[:2]
    return hashlib.sha256(repr((versions, sources)).encode()).hexdigest()[:20]


def _forget_others(own: Path) -> None:
    """Delete what was compiled from other sources, and not used for long."""
    for other in own.parent.iterdir():
        ours = other != own and len(other.name) == len(own.name)
        if ours and time.time() - other.stat().st_mtime > UNUSED:
            shutil.rmtree(other, ignore_errors=True)
