"""Texts with what they share as TEI P5: each document as a text, and links between ranges of them.

A range is string-range(text, start, length), the pointer scheme of TEI, in characters from 0.
"""

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import groupby
from typing import Any, NamedTuple

from neardup.exports.xml import attribute, safe
from neardup.readers.source import fetch
from neardup.result import Result


class Link(NamedTuple):
    """What two documents share: of each its id and, if it is a part, where that begins and ends."""

    a: tuple[str, int | None, int | None]
    b: tuple[str, int | None, int | None]
    kind: str
    similarity: float


def as_tei(result: Result) -> Iterator[str]:
    """Yield the parts of a TEI file."""
    result.check("report")  # which needs both texts, too
    result.check("tei")
    found = list(links(result))
    ids = list(dict.fromkeys(side[0] for link in found for side in (link.a, link.b)))
    names = {given: f"d{number}" for number, given in enumerate(ids)}
    yield '<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
    yield from header(result)
    linked = "passages" if found and found[0].a[1] is not None else "documents"
    yield f'<standOff>\n<linkGrp type="{linked}">\n'
    for link in found:
        targets = " ".join(pointer(side, names) for side in (link.a, link.b))
        how = f'type={attribute(link.kind)} n="{link.similarity:.4f}"'
        yield f'<link {how} target="{targets}"/>\n'
    yield "</linkGrp>\n"
    whole = texts(result, ids)
    if found and result.has("families"):
        yield from apparatus(result, names, dict(zip(ids, whole, strict=True)))
    yield "</standOff>\n<text>\n<group>\n"
    for given, text in zip(ids, whole, strict=True):
        name, words = names[given], safe(text)
        yield f"<text n={attribute(given)}>\n<body>\n"
        yield f'<ab xml:id="{name}" xml:space="preserve">{words}</ab>\n</body>\n</text>\n'
    yield "</group>\n</text>\n</TEI>\n"


def apparatus(result: Result, names: dict[str, str], texts: dict[str, str]) -> Iterator[str]:
    """Yield families of passages as a critical apparatus: a reading for each witness, earliest first."""
    yield '<listApp type="families">\n'
    for number, own in groupby(result.witnesses.to_pylist(), key=lambda row: row["family"]):
        yield f'<app n="{number}">\n'
        for row in own:
            where = pointer((row["id"], row["start"], row["end"]), names)
            words = safe(texts[row["id"]][row["start"] : row["end"]])
            when = f" n={attribute(row['date'])}" if row["date"] else ""
            yield f'<rdg wit="#{names[row["id"]]}" source="{where}"{when}>{words}</rdg>\n'
        yield "</app>\n"
    yield "</listApp>\n"


def header(result: Result) -> Iterator[str]:
    """Yield the description of the file."""
    what = f"Texts that a run of neardup {result.method} found similar, with what they share"
    yield f"<teiHeader>\n<fileDesc>\n<titleStmt><title>{safe(what)}</title></titleStmt>\n"
    yield f"<publicationStmt><p>Exported by neardup {version('neardup')}</p></publicationStmt>\n"
    yield "<sourceDesc><p>The input of the run, unchanged; n of a text is the id of its document"
    yield "</p></sourceDesc>\n</fileDesc>\n</teiHeader>\n"


def links(result: Result) -> Iterator[Link]:
    """Yield what documents share: passages, similar sentences, or each other as a whole."""
    if result.has("passages"):
        for row in result.passages.to_pylist():
            a, b = ((row[f"id_{s}"], row[f"start_{s}"], row[f"end_{s}"]) for s in "ab")
            yield Link(a, b, row["kind"], row["similarity"])
    elif result.has("sentences"):
        names = ("id", "sentence", "start", "end")
        rows = result.sentences.select(names).to_pylist()
        places = {(row["id"], row["sentence"]): (row["start"], row["end"]) for row in rows}
        for row in result.pairs.to_pylist():
            a, b = ((row[f"id_{s}"], *places[row[f"id_{s}"], row[f"sentence_{s}"]]) for s in "ab")
            yield Link(a, b, row["kind"], 1 - row["distance"])
    else:
        for row in result.pairs.to_pylist():
            a, b = ((row[f"id_{s}"], None, None) for s in "ab")
            yield Link(a, b, row.get("kind") or "similar", row["similarity"])


def pointer(side: tuple[str, int | None, int | None], names: dict[str, str]) -> str:
    """Return what a link points to."""
    given, start, end = side
    name = names[given]
    return f"#{name}" if start is None or end is None else f"#string-range({name},{start},{end - start})"


def texts(result: Result, ids: Iterable[str]) -> list[str]:
    """Return the texts of documents."""
    files = [file["name"] for file in result.run["input"].get("files", [])]
    numbers: dict[Any, int] = {name: number for number, name in enumerate(files)}
    columns = (result.documents[name].to_pylist() for name in ("id", "source", "position"))
    places = {i: (numbers.get(s, 0), p - 1) for i, s, p in zip(*columns, strict=True)}
    return [text or "" for text in fetch(result.texts(), [places[given] for given in ids])]
