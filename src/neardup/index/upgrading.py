"""Indexes of earlier versions: a file of DuckDB's, and beside it a journal of what came last."""

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neardup.errors import InputError, OutputError
from neardup.index.adding import Row
from neardup.index.kept import making
from neardup.index.online import Index, facts_of
from neardup.index.settings import IndexSettings
from neardup.store.files import is_of_old
from neardup.store.manifest import About

JOURNAL = ".journal"
NUMBER = 4  # bytes of a length or a checksum
ROWS = 4096
REBUILD = "Build it again from the documents, with: neardup index build"


def upgrade(old: Path, new: Path) -> Index:
    """Make an index of this version of one that an earlier version made, which stays as it is."""
    import duckdb

    if not is_of_old(old):
        hint = "Indexes of earlier versions are files; this version opens folders as they are."
        raise InputError("this is not an index of an earlier version", where=str(old), hint=hint)
    if new.exists():
        raise OutputError("this is already there", where=str(new), hint="Name another place.")
    try:
        with duckdb.connect(str(old), read_only=not Path(f"{old}.wal").exists()) as database:
            facts = dict(database.execute("select name, value from meta").fetchall())
            settings = IndexSettings(**json.loads(facts["settings"]))
            with making(Index, new, facts_of(settings)) as made:
                made.add_rows(stored(database))
                for record in journal(Path(f"{old}{JOURNAL}"), int(facts.get("taken", 0))):
                    rows = [Row(About(*own), text.encode()) for _, *own, text in record["documents"]]
                    made.add_rows(rows, replace_ids=True)
    except (duckdb.Error, KeyError, TypeError, ValueError) as error:
        what = str(error).partition("\n")[0]
        raise InputError(f"this index cannot be read: {what}", where=str(old), hint=REBUILD) from error
    return Index(new)


def stored(database: Any) -> Iterator[Row]:
    """Yield the documents of a database, in their order."""
    found = database.cursor()
    found.execute("select id, title, url, date, text from documents order by doc")
    while rows := found.fetchmany(ROWS):
        for *about, text in rows:
            yield Row(About(*about), bytes(text))


def journal(path: Path, taken: int) -> Iterator[dict[str, Any]]:
    """Yield the records that are whole and not in the database yet."""
    data = path.read_bytes() if path.exists() else b""
    at = 0
    while len(data) - at > 2 * NUMBER:
        size, checksum = (int.from_bytes(data[at + n : at + n + NUMBER], "little") for n in (0, NUMBER))
        body = data[at + 2 * NUMBER : at + 2 * NUMBER + size]
        if not body or len(body) < size or zlib.crc32(body) != checksum:
            return
        record: dict[str, Any] = json.loads(body)
        if record["documents"][0][0] >= taken:
            yield record
        at += 2 * NUMBER + size
