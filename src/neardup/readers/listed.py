"""A list of document pairs: two ids or file names a line."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.errors import InputError

SCHEMA = pa.schema([("id_a", pa.string()), ("id_b", pa.string())])


def listed_pairs(given: Any) -> pa.Table:
    """Return the pairs of a file, or of a list of pairs, as a table."""
    rows = pairs_in(Path(given)) if isinstance(given, str | Path) else list(given)
    bad = next((p for p in rows if not isinstance(p, list | tuple) or len(p) != 2), None)
    if bad is not None:
        raise InputError(f"this is not a pair: {bad!r}", hint="Give a list of two ids each.")
    if not rows:
        raise InputError("the list of pairs is empty", hint="Write two ids or file names on each line.")
    columns = [[str(a) for a, _ in rows], [str(b) for _, b in rows]]
    return pa.table(columns, schema=SCHEMA)


def pairs_in(path: Path) -> list[tuple[str, ...]]:
    """Read a file of pairs; a tab or, where there is none, white space lies between two names."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise InputError("no such file", where=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from None
    found: list[tuple[str, ...]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        names = tuple(n.strip() for n in line.split("\t")) if "\t" in line else tuple(line.split())
        if len(names) != 2 or not all(names):
            what = f"{len(names)} names where two should be"
            hint = "Write two ids or file names on a line, with a tab between them if they hold spaces."
            raise InputError(what, where=f"{path}, line {number}", hint=hint)
        found.append(names)
    return found
