"""Which columns of a table are text and id: what the user named, or else the usual names."""

import difflib
from collections.abc import Iterable
from typing import Any, NamedTuple

import pyarrow as pa

from neardup.errors import InputError
from neardup.readers.records import LINK_SHARE, ReaderSettings
from neardup.text.layout import PAGE_STARTS

TEXT_NAMES = ("text", "content", "body", "raw_content", "document")
HTML_NAMES = ("html", "raw_html")  # taken if there is no text: the text is extracted from them
KNOWN_NAMES = {
    "title": ("title", "headline"),
    "url": ("url",),
    "date": (
        *("date", "published", "published_at", "publication_date", "publish_date", "pub_date"),
        *("pubdate", "date_published", "datetime", "timestamp", "created_at"),
    ),
}
ID_NAMES = ("id", "_id", "doc_id", "docid", "docno", "uid", "guid")


class NoTextColumnError(InputError):
    """A file has no text: among others that have, it is skipped and counted. `names` are its columns."""

    names: tuple[str, ...] = ()


class Columns(NamedTuple):
    """The columns to read from one file; `others` maps our name to the file's.

    `lenient` says that a record without the text may still have others, and is not a problem. `flat` are
    names with a dot that are not nested.
    """

    text: str
    id: str | None
    others: dict[str, str]
    lenient: bool = False
    flat: frozenset[str] = frozenset()

    @property
    def is_html(self) -> bool:
        """Return whether the text is to be extracted from HTML.

        >>> Columns("page.html", None, {}).is_html
        True
        """
        return self.text.rpartition(".")[2].lower() in HTML_NAMES


Looked = tuple[
    Columns, dict[str, pa.DataType]
]  # what a look at a file finds: the types of its columns, too


def unknown(settings: ReaderSettings) -> Looked:
    """Return the columns asked for, where a file does not say which it has."""
    return Columns(settings.text_column or "text", settings.id_column, {}), {}


def choose(names: Iterable[str], settings: ReaderSettings, where: str) -> Columns:
    """Choose the columns to read; `names` are all that the file has, nested ones with dots."""
    names = list(names)
    check_fields(names, settings.fields, where)
    text = settings.text_column or usual((*TEXT_NAMES, *HTML_NAMES), names)
    if text is None or text not in names:
        what = f"no column {text!r}" if text else "no column that looks like the text"
        refused = NoTextColumnError(what, where=where, hint=_advice(text, names, "text_column="))
        refused.names = tuple(names)
        raise refused
    if settings.id_column and settings.id_column not in names:
        raise InputError(
            f"no column {settings.id_column!r}",
            where=where,
            hint=_advice(settings.id_column, names, "id_column="),
        )
    for name in settings.columns:
        if name not in (*names, LINK_SHARE, PAGE_STARTS):
            hint = _advice(name, names, "columns= or keep=")
            raise InputError(f"no column {name!r}", where=where, hint=hint)
    chosen = settings.id_column or usual(ID_NAMES, [n for n in names if n != text])
    rest = [n for n in names if n != text and (n != chosen or n.lower() in KNOWN_NAMES)]
    others = {own: found for own, known in KNOWN_NAMES.items() if (found := usual(known, rest))}
    others |= {n: n for n in settings.columns if n in names and n != text}
    return Columns(text, chosen, others, bool(settings.fields))


def usual(known: Iterable[str], names: list[str]) -> str | None:
    """Return the first column with a known name: as it is, or else in other letters.

    >>> usual(("text", "body"), ["ID", "Body", "Text"])
    'Text'
    """
    known = list(known)
    lowered = {name.lower(): name for name in reversed(names)}
    return next((n for n in known if n in names), None) or next(
        (lowered[n] for n in known if n in lowered), None
    )


def check_fields(names: Iterable[str], fields: Iterable[str], where: str) -> None:
    """Refuse fields that the input does not have, all at once."""
    names = list(names)
    if missing := [field for field in fields if field not in names]:
        what = f"no field{'s' if len(missing) > 1 else ''} {', '.join(map(repr, missing))}"
        hint = _advice(missing[0], names, "fields=")
        if there := [field for field in fields if field in names]:
            weighted = ",".join(f"{field}={1 / len(there):.2g}" for field in there)
            hint = hint.replace("with fields=", f"with fields=, such as '{weighted}'")
        raise InputError(what, where=where, hint=hint)


def _advice(wanted: str | None, names: list[str], option: str) -> str:
    if not names:
        return "The file has no columns at all."
    close = difflib.get_close_matches(wanted or "", names, n=1)
    listed = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    guess = f" Did you mean {close[0]!r}?" if close else ""
    return f"Its columns are: {listed}. Name one with {option}.{guess}"


def pick(record: object, path: str) -> Any:
    """Return a field of a nested record by its dotted name, None where it is missing.

    >>> pick({"meta": {"url": "x"}}, "meta.url")
    'x'
    """
    if isinstance(record, dict) and path in record:
        return record[path]
    for part in path.split("."):
        if not isinstance(record, dict):
            return None
        record = record.get(part)
    return record


def names_of(record: object, prefix: str = "") -> list[str]:
    """Return the names of all fields of a nested record, with dots."""
    if not isinstance(record, dict):
        return []
    names = []
    for key, value in record.items():
        names.append(f"{prefix}{key}")
        names += names_of(value, f"{prefix}{key}.")
    return names
