"""What of texts does not count: blanked where they are compared, and pale in a report."""

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from neardup.results.folder import ResultFolder
from neardup.steps.declared import EXCLUDED, EXCLUDED_KINDS, EXCLUDED_TABLE
from neardup.web.words import counted, say

Spans = list[tuple[int, int, int]]  # start, end, and the place of its kind in EXCLUDED_KINDS


def spans_of(result: ResultFolder, docs: Iterable[int]) -> dict[int, Spans]:
    """Return what of some documents does not count, by their numbers."""
    if not result.has(EXCLUDED_TABLE):
        return {}
    table = result.table(EXCLUDED_TABLE)
    own = table.filter(pc.is_in(table["doc"], pa.array(sorted(docs), pa.int64())))
    found: dict[int, Spans] = {}
    for row in own.to_pylist():
        span = row["start"], row["end"], EXCLUDED_KINDS.index(row["kind"])
        found.setdefault(row["doc"], []).append(span)
    return found


def counted_only(text: str, spans: Spans) -> str:
    """Return a text with spaces in the place of what does not count.

    >>> counted_only("One two three.", [(4, 7, 0)])
    'One     three.'
    """
    for start, end, _ in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def counted_texts(result: ResultFolder, ids: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return texts, by the ids of their documents, with what does not count blanked."""
    if not result.has(EXCLUDED_TABLE):
        return list(texts)
    docs = [result.documents["id"].index(own).as_py() for own in ids]
    spans = spans_of(result, docs)
    return [counted_only(text, spans.get(doc, [])) for doc, text in zip(docs, texts, strict=True)]


def said_excluded(counts: Mapping[str, int]) -> list[str]:
    """Say in a report how much does not count, if anything."""
    number = counts.get(EXCLUDED)
    return [say("passages.excluded", parts=counted(number, "part"))] if number else []
