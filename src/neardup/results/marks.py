"""What people said of pairs, when another result takes the name of the one that they looked at."""

import json
import shutil
from collections.abc import Mapping
from typing import Any

from neardup.durable import sync
from neardup.engines.base import Folder, Progress
from neardup.results.files import MARKS, RUN
from neardup.storage import Address

ASIDE = "marks-before"  # how the names of those begin that were said of other texts
IF_SAME = "where its documents are still the same, it can be named marks.csv again"


def keep_marks(before: Folder | Address, now: Folder, progress: Progress) -> None:
    """Copy marks to the result that replaces another; those of other texts under another name.

    An id may be that of another text there: then nothing may follow from what was said of the first.
    """
    names = before.names() or ()
    kept = [name for name in names if is_aside(name)]
    for name in kept:
        copy(before / name, now / name)
    if MARKS not in names:
        return
    if is_same(run_in(before), run_in(now)):
        copy(before / MARKS, now / MARKS)
        return
    aside = next(name for n in range(1, len(kept) + 2) if (name := f"{ASIDE}-{n}.csv") not in kept)
    copy(before / MARKS, now / aside)
    progress.note(f"the marks of the result before, of other input, are in {aside}: {IF_SAME}")


def run_in(folder: Folder | Address) -> dict[str, Any]:
    """Return what the result says of its run; nothing where it is not whole."""
    try:
        return dict(json.loads((folder / RUN).read_text()))
    except (OSError, ValueError):
        return {}


def is_aside(name: str) -> bool:
    """Return whether a file holds marks that were put aside.

    >>> is_aside("marks-before-2.csv"), is_aside("marks.csv")
    (True, False)
    """
    return name.startswith(f"{ASIDE}-") and name.endswith(".csv")


def is_same(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Return whether all documents of a run are also those of another, by what both say they read."""
    if before.get("method") != now.get("method"):
        return False
    old, new = (run.get("input", {}) for run in (before, now))
    if old.get("kind") == new.get("kind") == "files":
        same_way = old.get("reader") == new.get("reader")
        return same_way and {*map(known_by, old["files"])} <= {*map(known_by, new["files"])}
    return "fingerprint" in old and old == new


def known_by(file: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return by what a file is known again: its bytes; where these were not read, its size and time."""
    own = [file.get("digest")] if file.get("digest") else map(file.get, ("path", "size", "modified"))
    return (file.get("name"), *own, file.get("text_column"))


def copy(file: Folder | Address, target: Folder) -> None:
    """Copy a small file, from and to anywhere."""
    if (source := file.local_path()) and (there := target.local_path()):
        shutil.copy2(source, there)
        sync(there)
    else:
        target.write_text(file.read_text())
