"""The texts of documents, fetched by their ids, and the pages of those that have any, such as PDFs."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any
from unicodedata import normalize

import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.readers.source import fetch
from neardup.results.folder import ResultFolder
from neardup.text.layout import PAGE_STARTS, place_of

LOOKED_AT = 10_000  # ids among which one may be meant
SIDES = ("a", "b")


def texts_of(result: ResultFolder, ids: list[str]) -> list[str]:
    """Fetch the texts of documents by their ids."""
    texts = fetch(result.texts(), [locate(result, given) for given in ids])
    if None in texts:
        raise InputError("the text is no longer there", where=ids[texts.index(None)])
    return [str(text) for text in texts]


def id_of(result: ResultFolder, given: str) -> str:
    """Return the id of a document that is named by it, or by a title that no other one has.

    Characters may be composed in one, and in several in the other: file systems differ in that.
    """
    documents = result.documents
    if not given.isascii():
        same = pc.index(pc.utf8_normalize(documents["id"], "NFC"), normalize("NFC", given)).as_py()
        exact = pc.index(documents["id"], given).as_py()
        given = given if exact >= 0 or same < 0 else str(documents["id"][same].as_py())
    if pc.index(documents["id"], given).as_py() >= 0 or "title" not in documents.column_names:
        return given
    named = documents.filter(pc.equal(documents["title"], given))["id"].to_pylist()
    if len(named) > 1:
        hint = f"Take the id of one: {', '.join(named[:3])}{', …' if len(named) > 3 else '.'}"
        raise InputError(f"{len(named):,} documents have the title {given!r}", hint=hint)
    return named[0] if named else given


def alike(ids: pa.ChunkedArray, given: str) -> str:
    """Say which id may be meant: one that begins or ends like it, or is spelt much like it.

    >>> alike(pa.chunked_array([["essay-1.txt", "essay-2.txt"]]), "essays/essay-2.txt")
    'Did you mean essay-2.txt?'
    """
    some = ids.slice(0, LOOKED_AT).to_pylist()
    held = [own for own in some if own.startswith(given) or given.endswith(own)]
    if found := held or get_close_matches(given, some, n=1):
        return f"Did you mean {max(found, key=len)}?"
    return f"Ids look like: {', '.join(some[:3])}, …"


def locate(result: ResultFolder, given: str) -> tuple[int, int]:
    """Return the file's number and the record's position, from 0, of a document."""
    documents = result.documents
    at = pc.index(documents["id"], given).as_py()
    if at < 0:
        hint = alike(documents["id"], given)
        raise InputError(f"no document has the id or title {given!r}", hint=hint)
    names = [file["name"] for file in result.run["input"].get("files", [])]
    source = documents["source"][at].as_py()
    return (names.index(source) if names else 0), documents["position"][at].as_py() - 1


class Pages:
    """Names pages of a result's documents by the numbers of these; None where there are none."""

    def __init__(self, result: ResultFolder) -> None:
        known = PAGE_STARTS in result.documents.column_names
        self._starts = result.documents[PAGE_STARTS] if known else None

    def at(self, doc: int, begin: int, end: int) -> str | None:
        """Return the page, or pages, on which some characters of a document are."""
        return place_of(self._starts[doc].as_py(), begin, end) if self._starts is not None else None

    def of(self, row: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the pages of both sides of a row that says where something is in two documents."""
        if self._starts is None:
            return {}
        sides = [(s, *(row[f"{name}_{s}"] for name in ("doc", "start", "end"))) for s in SIDES]
        return {f"page_{s}": self.at(doc, start, end) for s, doc, start, end in sides}


def where(row: Mapping[str, Any], between: str) -> str:
    """Say where something is in two documents.

    >>> where({"start_a": 0, "end_a": 9, "page_a": "p. 1", "start_b": 5, "end_b": 14}, " = ")
    '0–9 (p. 1) = 5–14'
    """
    names = (f" ({row[f'page_{s}']})" if row.get(f"page_{s}") else "" for s in SIDES)
    spans = (f"{row[f'start_{s}']}–{row[f'end_{s}']}" for s in SIDES)
    return between.join(f"{span}{name}" for span, name in zip(spans, names, strict=True))
