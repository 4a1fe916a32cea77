"""Repeated sentences, lines or paragraphs cut out of documents: of identical ones, one stays.

They were counted one by one, and are the same but for white space: nothing goes by mistake.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from neardup.errors import SettingsError
from neardup.readers.source import fetch
from neardup.results.cutting import Cut, CutRemoval
from neardup.results.folder import ResultFolder
from neardup.results.reclustering import ranks
from neardup.results.removing import new_documents
from neardup.settings.base import Clustering

WHAT = {"lines": "repeated line", "paragraphs": "repeated paragraph", "records": "repeated record"}


def removal(
    result: ResultFolder, keep: str | None, threshold: float | None, clusters: Clustering | None
) -> CutRemoval:
    """Decide which repeated sentences are cut out."""
    if threshold is not None:
        raise result.lacks("rethreshold")
    if clusters is not None:
        raise SettingsError("only identical sentences are removed", hint="Leave clusters= out.")
    what = WHAT.get(result.settings["split"], "repeated sentence")
    return CutRemoval(result, find_cuts(result, keep or "first"), what)


def find_cuts(result: ResultFolder, keep: str) -> dict[int, list[Cut]]:
    """Return what can be cut out of each document, in the order of its text."""
    rank, new = ranks(result.documents, keep), set(new_documents(result)["doc"].to_pylist())
    columns = ["doc", "sentence", "start", "end", "text", "id"]
    by_text: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in result.sentences.select(columns).to_pylist():
        by_text.setdefault((scope(result, row["id"]), row["text"]), []).append(row)
    going: dict[int, list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    for rows in by_text.values():
        best, *others = sorted(rows, key=lambda row: (rank[row["doc"]], row["sentence"]))
        for row in others:
            if row["doc"] in new:
                going.setdefault(row["doc"], []).append((row, best))
    return {doc: list(cuts(going[doc], text)) for doc, text in texts(result, sorted(going))}


def scope(result: ResultFolder, given: str) -> str:
    """Return within what sentences are the same: a page, if its revisions were compared."""
    return given.partition("@")[0] if result.settings.get("revisions") else ""


def texts(result: ResultFolder, docs: list[int]) -> Iterator[tuple[int, str]]:
    """Yield documents with their texts."""
    files = [file["name"] for file in result.run["input"].get("files", [])]
    numbers = {name: number for number, name in enumerate(files)}
    names = ("doc", "source", "position")
    rows = zip(*(result.documents[name].to_pylist() for name in names), strict=True)
    places = {doc: (numbers.get(source, 0), position - 1) for doc, source, position in rows}
    found = fetch(result.source(), [places[doc] for doc in docs])
    return ((doc, text or "") for doc, text in zip(docs, found, strict=True))


def cuts(going: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]], text: str) -> Iterator[Cut]:
    """Yield what goes, with the white space behind each, or before those behind which more is left."""
    rows = sorted(going, key=lambda pair: int(pair[0]["start"]))
    spans = [(int(row["start"]), int(row["end"])) for row, _ in rows]
    for (row, best), (start, end) in zip(rows, reaches(text, spans), strict=True):
        kept = int(best["doc"]), int(best["start"]), int(best["end"])
        yield Cut(int(row["doc"]), start, end, *kept, 1.0)


def reaches(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    r"""Return spans with white space that goes with them; runs of spans go together.

    Of the break before a run and that behind it, the greater one stays.

    >>> reaches("One.\n\nTwo. Three.\n\nFour.", [(6, 10)]), reaches("One. Two.", [(5, 9)])
    ([(6, 11)], [(4, 9)])
    """
    found: list[tuple[int, int]] = []
    runs: list[list[tuple[int, int]]] = []
    for span in spans:
        if runs and not text[runs[-1][-1][1] : span[0]].strip():
            runs[-1].append(span)
        else:
            runs.append([span])
    for run in runs:
        begin, end = run[0][0], run[-1][1]
        before, behind = begin, end
        while before and text[before - 1].isspace():
            before -= 1
        while behind < len(text) and text[behind].isspace():
            behind += 1
        lines_before, lines_behind = (text.count("\n", *gap) for gap in ((before, begin), (end, behind)))
        keeps_behind = behind == len(text) or lines_behind > lines_before
        if before == 0 and behind == len(text):
            first, last = 0, len(text)
        elif keeps_behind and before > 0:
            first, last = before, end
        else:
            first, last = begin, behind
        starts = [first, *(start for start, _ in run[1:])]
        found += zip(starts, [*starts[1:], last], strict=True)
    return found
