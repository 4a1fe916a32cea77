"""One pair as the viewer shows it: the JSON that `neardup.renderPair` takes.

    {"a": {"id": …, "title": …, "source": …, "length": …, "parts": […]},
     "b": the same of the other,
     "facts": [["Similarity", "0.790"], …],
     "matches": [["edited", 0.95, 71], …],
     "curve": {"points": [[0, 0], …], "region": [120, 980]},
     "note": null}

`parts` is the text in the order of reading, null where it is not there. A part is `["text"]` outside of
all matches, `["text", n]` in match n (from 0), `["text", n, 1]` for words of match n that its other side
does not have, or a number: that of characters left out. A match has its kind, its similarity and the
number of words that both sides have. `curve` is there for pages: places in the shorter one with the
edits up to them, and where the trustable region begins and ends. `note` says what else is to be
known, such as why there is no text.
"""

from typing import Any

from neardup.errors import InputError
from neardup.reports.texts import texts_of_docs
from neardup.result import Result
from neardup.results.texts import locate
from neardup.showing.alignment import Match, align
from neardup.showing.kind import Kind

Side = dict[str, Any]


def side(
    item: str, title: str | None = None, source: str | None = None, length: int | None = None
) -> Side:
    """Describe one of two texts; its parts come later."""
    return {"id": item, "title": title, "source": source, "length": length, "parts": None}


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
        view["a"]["parts"], view["b"]["parts"] = aligned.parts_a, aligned.parts_b
        view["matches"] = aligned.matches
    return view


def pair_view(result: Result, row: int, limit: int | None = None) -> dict[str, Any]:
    """Return the view of the pair in one row of a result's pairs."""
    kind = result.own_method.report(result)
    docs = [int(result.pairs[name][row].as_py()) for name in ("doc_a", "doc_b")]
    found = texts_of_docs(kind, docs)
    compared = kind.compared(row, found.by_doc)
    sides = []
    for letter, doc in zip("ab", docs, strict=True):
        key = kind.keys(letter)[row : row + 1]
        item = kind.items(key).to_pylist()[0]
        length = result.documents["length"][doc].as_py()
        sides.append(side(item["id"], item["title"], item["source"], length))
    a, b = sides
    view = view_of_texts(
        a,
        b,
        None if compared is None else (compared.text_a, compared.text_b),
        [] if compared is None else compared.matches,
        facts_of(kind, row),
        limit,
        None if compared is not None else " ".join(found.remarks) or "A text is no longer there.",
    )
    return {**view, "curve": kind.curve(row, found.by_doc)}


def pair_row(result: Result, id_a: str, id_b: str) -> int:
    """Return the first row that has these two documents, in any order."""
    docs = sorted(result_doc(result, given) for given in (id_a, id_b))
    a, b = (result.pairs[name].to_numpy() for name in ("doc_a", "doc_b"))
    rows = ((a == docs[0]) & (b == docs[1])).nonzero()[0]
    if not len(rows):
        raise InputError(f"{id_a} and {id_b} are not a pair of this result")
    return int(rows[0])


def result_doc(result: Result, given: str) -> int:
    """Return the number of a document by its id."""
    locate(result, given)  # raises if there is none
    return int(result.documents["id"].index(given).as_py())


def facts_of(kind: Kind, row: int) -> list[tuple[str, str]]:
    """Return what is known of a pair, as text."""
    found = []
    for column in kind.columns:
        value = kind.pairs[column.name][row].as_py()
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
            return f"{100 * value:.1f} %"
        case "number":
            return f"{value:.3f}"
        case "count":
            return f"{value:,}"
    return str(value)
