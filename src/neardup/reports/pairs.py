"""One pair as the viewer shows it: the JSON that `showPair` of `pair.js` takes.

    {"a": {"id": …, "title": …, "source": …, "url": …, "length": …, "text": [[0, "One two three"]]},
     "b": the same of the other,
     "facts": [["Similarity", "0.790"], …],
     "matches": [["edited", 0.95, 71, 0, 420, 12, 431, [0, 200, 0, 200, 3, 217, 4, 215]], …],
     "curve": {"points": [[0, 0], …], "region": [120, 980]},
     "note": null}

`text` is the text in pieces, each with where it begins; what is not in a piece is left out. It is null
where there is no text. A match has its kind, its similarity, the number of words that both sides have,
where it starts and ends in both, and the runs of words that are the same: of each, how far it is behind
the last one and how long it is, in the first text and in the second; no run means that all is the same.
Offsets count characters, that is code points. `curve` is there for pages: places in the shorter one with
the edits up to them, and where the trustable region begins and ends. `note` says what else is to be
known, such as why there is no text.
"""

from typing import Any

from neardup.errors import InputError
from neardup.reports.texts import texts_of_docs
from neardup.result import Result
from neardup.showing.alignment import Match, align, pieces
from neardup.showing.console import share_text, similarity_text
from neardup.showing.kind import Kind
from neardup.web.words import say

Side = dict[str, Any]


def side(
    item: str,
    title: str | None = None,
    source: str | None = None,
    length: int | None = None,
    url: str | None = None,
) -> Side:
    """Describe one of two texts, which comes later."""
    found = {"id": item, "title": title, "source": source, "url": url, "length": length}
    return {**found, "text": None}


def view_of_texts(
    a: Side,
    b: Side,
    texts: tuple[str, str] | None,
    matches: list[Match],
    facts: list[tuple[str, str]],
    limit: int | None = None,
    note: str | None = None,
) -> dict[str, Any]:
    """Return the view of two texts and their matches; `limit` is the most characters of a side."""
    view: dict[str, Any] = {"a": dict(a), "b": dict(b), "facts": facts, "matches": [], "curve": None}
    view["note"] = note
    if texts is not None:
        aligned = align(*texts, matches, limit)
        view["a"]["text"] = pieces(texts[0], aligned.shown_a)
        view["b"]["text"] = pieces(texts[1], aligned.shown_b)
        view["matches"] = aligned.matches
    return view


def pair_view(result: Result, row: int, limit: int | None = None) -> dict[str, Any]:
    """Return the view of one row that a report can show: a pair, or what just missed being one."""
    kind = result.own_method.report(result)
    docs = [int(kind.rows[name][row].as_py()) for name in ("doc_a", "doc_b")]
    found = texts_of_docs(kind, docs)
    compared = kind.compared(row, found.by_doc)
    sides = []
    for letter, doc in zip("ab", docs, strict=True):
        key = kind.keys(letter)[row : row + 1]
        item = kind.items(key).to_pylist()[0]
        length = kind.known["length"][doc].as_py()
        sides.append(side(item["id"], item["title"], item["source"], length, item.get("url")))
    a, b = sides
    view = view_of_texts(
        a,
        b,
        None if compared is None else (compared.text_a, compared.text_b),
        [] if compared is None else compared.matches,
        facts_of(kind, row),
        limit,
        None if compared is not None else " ".join(found.remarks) or say("report.text.gone"),
    )
    return {**view, "curve": kind.curve(row, found.by_doc)}


def pair_row(result: Result, id_a: str, id_b: str) -> int:
    """Return the first row that has these two documents, in any order."""
    row = result.own_method.report(result).row_of(id_a, id_b)
    if row is None:
        raise InputError(f"{id_a} and {id_b} are not a pair of this result")
    return row


def facts_of(kind: Kind, row: int) -> list[tuple[str, str]]:
    """Return what is known of a pair, as text."""
    found = []
    for column in kind.columns:
        value = kind.rows[column.name][row].as_py()
        if value is not None:
            found.append((column.label, shown(column.type, value)))
    return found


def shown(kind: str, value: Any) -> str:
    """Write a value as tables do.

    >>> shown("share", 0.5), shown("number", 0.79), shown("count", 1200), shown("category", "identical")
    ('50.0 %', '0.790', '1,200', 'identical')
    """
    match kind:
        case "share":
            return share_text(value)
        case "number":
            return similarity_text(value)
        case "count":
            return f"{value:,}"
    return str(value)
