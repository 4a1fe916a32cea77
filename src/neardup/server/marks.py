"""What people say of pairs, kept in a file beside a result: a line for each pair and judge."""

import csv
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from neardup.durable import written
from neardup.server.models import Mark
from neardup.web.cells import guarded, unguarded

MOST = 100_000  # marks: each of them writes the file again


class Said(NamedTuple):
    """What somebody says of a pair, and when; a judge without a name is nobody in particular."""

    left: str
    right: str
    label: str
    judge: str = ""
    note: str = ""
    when: str = ""


Known = dict[tuple[str, str, str], Said]  # by both ids and the judge


def read_marks(path: Path) -> Known:
    """Return what was said of pairs so far; files of older versions name no judges."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            {name: unguarded(row.get(name) or "") for name in Said._fields}
            for row in csv.DictReader(file)
        ]
    return {(row["left"], row["right"], row["judge"]): Said(**row) for row in rows}


def with_mark(known: Known, mark: Mark) -> Known:
    """Return all marks and this one, or without it where it is taken back."""
    own = mark.left, mark.right, mark.judge
    found = {key: said for key, said in known.items() if key != own}
    if mark.label != "none":
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        found[own] = Said(mark.left, mark.right, mark.label, mark.judge, mark.note, when)
    return found


def write_marks(path: Path, known: Mapping[tuple[str, str, str], Said]) -> None:
    """Write all marks; the file is whole, or as it was."""
    with written(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(Said._fields)
        rows.writerows(tuple(map(guarded, said)) for said in known.values())
