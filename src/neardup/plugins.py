"""What other packages add: methods, readers and signatures, by entry points.

A package that is broken, or takes a name that is taken, is left out with a warning; nothing else
depends on it.
"""

import logging
import os
import sys
from collections.abc import Collection, Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

METHODS, READERS, SIGNATURES = "neardup.methods", "neardup.readers", "neardup.signatures"  # groups
INSTALLED = (".dist-info", ".egg-info")  # how folders of packages' metadata end
Found = TypeVar("Found")


def added(group: str, taken: Collection[str]) -> "dict[str, EntryPoint]":
    """Return what packages add to a group, by name."""
    found: dict[str, EntryPoint] = {}
    for point in points():
        if point.group == group:
            if point.name in taken or point.name in found:
                warn(point, f"the name {point.name!r} is taken")
            else:
                found[point.name] = point
    return found


def loaded(point: "EntryPoint", kind: type[Found]) -> Found | None:
    """Return what a package adds, None with a warning if it cannot be loaded or is of another kind."""
    try:
        found = point.load()
    except Exception as error:  # whatever is wrong with a package of others
        warn(point, f"{type(error).__name__}: {error}")
        return None
    if isinstance(found, kind):
        return found
    warn(point, f"this is not a {kind.__name__}")
    return None


@cache
def warn(point: "EntryPoint", what: str) -> None:
    """Say once why something that a package adds is left out."""
    package = point.dist.name if point.dist else point.module
    where = f"{point.group}, {point.name} = {point.value}"
    logging.getLogger("neardup").warning("the package %s is left out (%s): %s", package, where, what)


@cache
def points() -> "tuple[EntryPoint, ...]":
    """Return the entry points for neardup, in the order of packages and names."""
    if not any(map(may_add, sys.path)):
        return ()
    from importlib.metadata import entry_points

    groups = (METHODS, READERS, SIGNATURES)
    found = (point for group in groups for point in entry_points(group=group))
    return tuple(sorted(found, key=lambda p: (p.dist.name if p.dist else "", p.group, p.name)))


def may_add(folder: str) -> bool:
    """Return whether packages in a folder may add something: importlib takes ten times as long."""
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.path for entry in entries if entry.name.endswith(INSTALLED)]
    except NotADirectoryError:  # an archive
        return True
    except OSError:
        return False
    return any(b"[neardup." in text for name in names for text in contents(name))


def contents(folder: str) -> Iterator[bytes]:
    """Yield the list of a package's entry points, if it has one."""
    try:
        with open(os.path.join(folder, "entry_points.txt"), "rb") as file:  # noqa: PTH118, PTH123
            yield file.read()
    except OSError:
        return
