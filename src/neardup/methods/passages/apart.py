"""Pairs of documents that are not compared: of the same author, series or site, or far apart in time."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa

from neardup.methods.passages.settings import PassageSettings
from neardup.readers.records import KNOWN, ReaderSettings
from neardup.steps.columns import schema_of
from neardup.text.dates import DAY

SITE = "site"  # no column: the host of the address
COLUMNS = schema_of("same string")


def reader(settings: PassageSettings, given: ReaderSettings) -> ReaderSettings:
    """Return how the input is read, with the column by which pairs are kept apart."""
    name = settings.exclude_same
    if name is None or name in (SITE, *KNOWN, *given.columns):
        return given
    return replace(given, columns=(*given.columns, name))


@dataclass(frozen=True)
class Apart:
    """Keeps pairs apart whose documents have the same value in a column, or dates too far apart."""

    column: str | None
    days: int | None

    @classmethod
    def asked(cls, settings: PassageSettings) -> "Apart | None":
        """Return what keeps pairs apart by these settings, None if nothing does."""
        given = settings.exclude_same, settings.within_days
        return None if given == (None, None) else cls(*given)

    def columns(self, batch: pa.RecordBatch) -> dict[str, pa.Array]:
        """Return what is compared of some records: a value."""
        same: list[Any] = [None] * batch.num_rows
        if self.column == SITE:
            same = [host_of(url) for url in batch["url"].to_pylist()]
        elif self.column is not None:
            same = [None if v is None or v == "" else str(v) for v in batch[self.column].to_pylist()]
        return {"same": pa.array(same, pa.string())}

    def kept(self, pairs: str) -> str:
        """Return the statement for the pairs (a, b) of a table that are kept apart."""
        known, far = "", "1 = 0"
        if self.days is not None:
            known = "".join(
                f"""join {{numbers}} n{x} on n{x}.doc = {x}.doc
left join {{moments}} m{x} on m{x}.doc = n{x}.number
"""
                for x in "xy"
            )
            days = (f"floor(cast(m{x}.start_at as double) / {DAY})" for x in "xy")
            far = f"abs({' - '.join(days)}) > {self.days}"
        return f"""
select distinct p.a as a, p.b as b
from {{{pairs}}} p join {{texts}} x on x.doc = p.a join {{texts}} y on y.doc = p.b
{known}where p.a <> p.b and (coalesce(x.same = y.same, false) or coalesce({far}, false))
"""


def host_of(url: str | None) -> str | None:
    """Return the host of an address.

    >>> host_of("https://www.example.org/a"), host_of("a//["), host_of(None)
    ('www.example.org', None, None)
    """
    try:
        return urlsplit(url or "").hostname
    except ValueError:
        return None


def without(rows: str, columns: str = "r.*") -> str:
    """Return the statement for the rows of a table whose pairs are not kept apart."""
    return f"""
select {columns} from {{{rows}}} r left join {{kept_apart}} k on k.a = r.a and k.b = r.b
where k.a is null
"""
