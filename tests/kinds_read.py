"""Kinds of change on pairs of sentences of real corpora that were read and labelled.

`tests/data/kinds-read.csv` has a digest of each pair, as the texts belong to others: the corpora are in
the folder NEARDUP_DATA; those of packages (RFCs, licences, manuals, a factbook, newswire) are not read.

How labels were given, by what was visible of the pair, by one reader; most of them twice, in another
order: where the two readings named other kinds, what both allowed was kept:

- reference: both are entries of a bibliography, or links, whatever differs in them;
- other: hardly language (drawings, tables, formulas, code), or other statements that share words;
- template: the same frame about another subject: rows of lists, fields, boilerplate with another holder;
- factual drift: the same statement about the same thing, and who reads both must ask which is right;
- copy edit: the same facts: spelling, misread print, capitals, numbering, other words for the same.

Where a reader may say either, `or` has the other kinds; each of them counts as right.
"""

import csv
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import neardup
from neardup.methods.sentences.kinds import DRIFT

LABELS = Path(__file__).parent / "data" / "kinds-read.csv"


class Label(NamedTuple):
    """A pair that was read."""

    corpus: str
    part: str
    kinds: tuple[str, ...]


class Figures(NamedTuple):
    """How well kinds are told: shares of pairs that are right, and of those called or labelled drift."""

    pairs: int
    right: float
    precision: float
    recall: float


@cache
def labels() -> dict[str, Label]:
    """Return the label of each pair, by its digest."""
    with LABELS.open(encoding="utf-8") as lines:
        return {
            row["pair"]: Label(
                row["corpus"], row["part"], (row["label"], *filter(None, row["or"].split("/")))
            )
            for row in csv.DictReader(lines)
        }


def digest(a: str, b: str) -> str:
    """Return the digest of a pair."""
    return hashlib.blake2b(f"{a}\0{b}".encode(), digest_size=8).hexdigest()


def records(corpus: str, data: Path) -> Iterator[dict[str, Any]] | Path | None:
    """Return the records of a corpus, or a file of it; None if it is not there."""
    readers = {
        "bible": (data / "bible", verses),
        "stackexchange": (data / "stackexchange", revisions),
        "laws": (data / "laws-zh", laws),
        "ocr": (data / "ocr-news" / "train.csv", newspapers),
        "bugs": (data / "bug-reports" / "reports.jsonl", bugs),
        "pan": (data / "pan13-train", stories),
    }
    if corpus == "wiki":
        return next((data / "wiki").glob("enwiki*.bz2"), None)
    folder, reader = readers.get(corpus, (data / "none", bugs))
    return reader(folder) if folder.exists() else None


def verses(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the verses of two versions of the Bible."""
    for version in ("KJV", "ASV"):
        for path in sorted((folder / version).iterdir()):
            for chapter, own in json.loads(path.read_text(encoding="utf-8"))[path.stem].items():
                for number, text in own.items():
                    yield {"id": f"{version} {path.stem} {chapter}:{number}", "text": text}


def revisions(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the texts of posts, in all revisions."""
    for site in ("th3", "woodstock"):
        for _, row in ET.iterparse(folder / site / "PostHistory.xml"):
            if row.tag == "row" and row.get("PostHistoryTypeId") in ("2", "5", "8"):
                name = f"{site}/{row.get('PostId')}@{row.get('Id')}"
                yield {"id": name, "text": row.get("Text") or ""}
            row.clear()


def laws(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield versions of laws."""
    for path in sorted(folder.glob("*.md")):
        title = re.sub(r"\(.*", "", path.stem)
        yield {"id": path.stem, "title": title, "text": path.read_text(encoding="utf-8")}


def newspapers(path: Path) -> Iterator[dict[str, Any]]:
    """Yield sentences as they were recognised, and as they are."""
    with path.open(encoding="utf-8") as lines:
        for number, row in enumerate(csv.DictReader(lines)):
            for mark, name in (("o", "OCR Text"), ("t", "Ground Truth")):
                yield {"id": f"{row['Sample ID']}.{number}{mark}", "text": row[name]}


def bugs(path: Path) -> Iterator[dict[str, Any]]:
    """Yield bug reports."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield {"id": row["id"], "title": row["title"], "text": row["body"]}


def stories(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield sources, suspicious documents and short answers."""
    for part in ("src", "susp"):
        for path in sorted((folder / part).glob("*.txt")):
            yield {"id": path.stem, "text": path.read_bytes().decode()}
    for path in sorted((folder.parent / "clough-stevenson").glob("*.txt")):
        content = path.read_bytes()
        try:
            text = content.decode()
        except UnicodeDecodeError:
            text = content.decode("cp1252")
        yield {"id": path.stem, "text": text}


def kinds_of(result: neardup.Result) -> dict[str, str]:
    """Return the kind of each labelled pair that a result has, by digest."""
    names = ("doc", "sentence", "text")
    columns = (result.sentences[name].to_pylist() for name in names)
    texts = {(doc, number): text for doc, number, text in zip(*columns, strict=True)}
    pairs = result.pairs.select(["doc_a", "sentence_a", "doc_b", "sentence_b", "kind"]).to_pydict()
    known = labels()
    found = {}
    for doc_a, at_a, doc_b, at_b, kind in zip(*pairs.values(), strict=True):
        key = digest(texts[doc_a, at_a], texts[doc_b, at_b])
        if key in known:
            found[key] = kind
    return found


@cache
def said(data: Path) -> dict[str, str]:
    """Return what is said of all labelled pairs whose corpora are there."""
    found: dict[str, str] = {}
    for corpus in sorted({label.corpus for label in labels().values()}):
        source = records(corpus, data)
        if source is not None:
            found |= kinds_of(neardup.sentences(source if isinstance(source, Path) else list(source)))
    return found


def figures(found: dict[str, str], chosen: str) -> Figures:
    """Return how many pairs of a part, or a corpus, are right."""
    table: Counter[tuple[str, str]] = Counter()
    for pair, kind in found.items():
        label = labels()[pair]
        if chosen in (label.part, label.corpus):
            table[kind if kind in label.kinds else label.kinds[0], kind] += 1
    right = sum(count for (label, kind), count in table.items() if label == kind)
    drift = table[DRIFT, DRIFT]
    called = sum(count for (_, kind), count in table.items() if kind == DRIFT)
    meant = sum(count for (label, _), count in table.items() if label == DRIFT)
    total = max(table.total(), 1)
    return Figures(table.total(), right / total, drift / max(called, 1), drift / max(meant, 1))
