"""Sorting the rows of a statement in parts, where memory is too small to sort them at once."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

from neardup.engines.local.database import Database
from neardup.engines.local.store import Scan, StoredTable

LAST_ORDER = re.compile(r"\sorder by (\w+(?:, *\w+)*)\s*\Z")
APART = "rows_in_no_order"
SAMPLE = 64  # rows of a batch by which parts are made
SHARE = 8  # of the memory for statements that the rows of a part may take


def ordered(text: str) -> tuple[str, list[str]]:
    """Take a statement apart: what it says without its last order, and the columns of that.

    >>> ordered("select a, b from t order by a, 2")
    ('select a, b from t', ['a', '2'])
    """
    found = LAST_ORDER.search(text)
    if found is None:
        return text, []
    return text[: found.start()], [key.strip() for key in found[1].split(",")]


def keys_in(schema: pa.Schema, keys: Sequence[str]) -> list[str]:
    """Return columns by name that are given by name or place.

    Those that are not there are left out: they only keep together what is read together.
    """
    named = [schema.names[int(key) - 1] if key.isdigit() else key for key in keys]
    return [key for key in named if key in schema.names]


def in_parts(
    database: Database, rows: StoredTable, keys: Sequence[str], memory: int, batch_rows: int
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a table in the order of some columns, of which the first one is a number."""
    keys = keys_in(rows.schema, keys)
    seen = [np.empty(0, np.int64)]
    size = 0
    for batch in rows.batches():
        seen.append(batch[keys[0]].to_numpy()[:: max(batch.num_rows // SAMPLE, 1)])
        size += batch.nbytes
    known = np.sort(np.concatenate(seen))
    parts = SHARE * size // memory + 1
    cuts = np.unique(known[len(known) * np.arange(1, parts) // parts])
    database.register(APART, Scan(rows, ["*"]))
    bounds: list[int | None] = [None, *cuts.tolist(), None]
    for begin, end in pairwise(bounds):
        own = [f"{keys[0]} >= {begin}"] * (begin is not None) + [f"{keys[0]} < {end}"] * (
            end is not None
        )
        where = f"where {' and '.join(own)}" if own else ""
        text = f"select * from {APART} {where} order by {', '.join(keys)}"
        yield from database.stream(text, batch_rows)
