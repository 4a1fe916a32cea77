"""Records of several texts, such as the title, body and answer of a thread: its fields.

One of the fields takes the place of the text; the others are columns. Any of them may be missing.
"""

from collections.abc import Iterable
from dataclasses import replace

import pyarrow as pa

from neardup.readers.records import KNOWN, ReaderSettings


def with_fields(settings: ReaderSettings, fields: Iterable[str]) -> ReaderSettings:
    """Return settings to read these fields.

    >>> with_fields(ReaderSettings(), ["title", "body", "answer"]).text_column
    'body'
    """
    fields = tuple(fields)
    text = next((f for f in fields if f == "text"), None) or next(
        (f for f in fields if f not in KNOWN), fields[0]
    )
    others = tuple(f for f in fields if f != text and f not in KNOWN)
    columns = tuple(dict.fromkeys((*others, *settings.columns)))
    return replace(settings, fields=fields, text_column=text, columns=columns)


def column_of(field: str, fields: Iterable[str]) -> str:
    """Return the column of the records in which a field is read."""
    return "text" if field == with_fields(ReaderSettings(), fields).text_column else field


def without_fields(records: pa.Schema, fields: Iterable[str]) -> pa.Schema:
    """Return the schema of what is carried along besides the fields."""
    own = set(fields) - set(KNOWN)
    return pa.schema([field for field in records if field.name not in own])
