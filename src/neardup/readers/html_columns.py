"""HTML in a column of a table: its text is extracted, as from a file of its own."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from neardup.readers.records import LINK_SHARE

FILLED = ("title", "url", LINK_SHARE)  # what a page says of itself, where the table does not


def extracted(batches: Iterable[pa.RecordBatch], raw: bool) -> Iterator[pa.RecordBatch]:
    """Yield the records with the text of their pages in place of HTML."""
    for batch in batches:
        if batch["text"].null_count == batch.num_rows:
            yield batch
            continue
        rows = [_extracted(row, raw) for row in batch.to_pylist()]
        yield pa.RecordBatch.from_pylist(rows, schema=batch.schema)


def _extracted(row: dict[str, Any], raw: bool) -> dict[str, Any]:
    from neardup.readers.html import page_of

    if row["text"] is None:
        return row
    links = LINK_SHARE in row and row[LINK_SHARE] is None
    page = page_of(row["text"], raw, None, links)
    known = {name: row[name] or page.others.get(name) for name in FILLED if name in row}
    return row | known | {"text": page.text, "problem": page.problem, "detail": page.detail}
