"""From a text to an answer: what is found, the best of it, located and compared word by word."""

from typing import Any, NamedTuple

import numpy as np

from neardup.errors import InputError
from neardup.explain import compare, located_passage
from neardup.index.answers import Answer, Match, covered, document_kind, pair_kinds, passage_kind
from neardup.index.memory import About
from neardup.index.search import Search
from neardup.settings import QuerySettings

MOST_PASSAGES = 100  # of a match that are compared word by word
QUERY = "query"
Rows = list[dict[str, Any]]


class Scored(NamedTuple):
    """A document that was found, before it is compared word by word."""

    doc: int
    about: About
    kind: str
    resemblance: float
    containment_document: float
    containment_query: float
    coverage_document: float = 0.0
    coverage_query: float = 0.0

    @property
    def rank(self) -> tuple[float, ...]:
        """Return what is sorted by: how much of the text is there, how alike the wholes are, the order."""
        there = self.containment_query + self.coverage_query
        return -there, -self.resemblance, -self.coverage_document, self.doc


class Found(NamedTuple):
    """All that was found for a text: documents, the best first, and the passages of each, by number."""

    documents: list[Scored]
    passages: dict[int, Rows]


def answer(search: Search, text: str, settings: QuerySettings) -> Answer:
    """Find what is like a text, and compare the best of it word by word."""
    documents, passages = find(search, text, settings)
    best = documents[: settings.limit]
    matches = (compared(search, found, text, passages.get(found.doc, [])) for found in best)
    return Answer(text, tuple(matches), len(documents))


def find(search: Search, text: str, settings: QuerySettings) -> Found:
    """Find the documents that are like a text, and the passages that they share with it."""
    view = search.memory.view
    own = search.text(view, text.encode("utf-8", "replace"))
    if not len(own.shingles):
        raise InputError("the query has no words", hint="Give a text of at least one word.")
    near = search.documents(view, own, settings)["a"].to_pylist()
    passages: dict[int, Rows] = {}
    for row in search.passages(view, own).to_pylist():
        row["kind"] = passage_kind(row["similarity"], row["same_words"])
        passages.setdefault(row["a"], []).append(row)
    docs = np.array(sorted({*near, *passages}), np.int64)
    measured = search.verified(view, own, docs, "resemblance", 0.0).to_pylist()
    scored = scores(search, text, measured, set(near), passages, settings.threshold)
    return Found(sorted(scored, key=lambda found: found.rank), passages)


def scores(
    search: Search,
    text: str,
    measured: Rows,
    near: set[int],
    passages: dict[int, Rows],
    threshold: float,
) -> list[Scored]:
    """Say of each document that was found what it is to the text."""
    lengths = {doc: len(text_of(search, doc)) for doc in passages}
    coverages = {
        doc: (
            covered(((row["start_a"], row["end_a"]) for row in rows), lengths[doc]),
            covered(((row["start_b"], row["end_b"]) for row in rows), len(text)),
        )
        for doc, rows in passages.items()
    }
    kinds = dict(zip(coverages, pair_kinds(list(coverages.values())), strict=True))
    found = []
    for row in measured:
        doc, shares = row["a"], (row["containment_a"], row["containment_b"])
        kind = document_kind(threshold, *shares) if doc in near else kinds[doc]
        about = search.memory.about[doc] or About("")
        found.append(Scored(doc, about, kind, row["similarity"], *shares, *coverages.get(doc, ())))
    return found


def compared(search: Search, found: Scored, text: str, rows: Rows) -> Match:
    """Locate what a document and the text share, and the words in which they differ."""
    doc, about, *scores = found
    own = text_of(search, doc)
    passages = (located_passage(row, own, text, about.id, QUERY) for row in rows[:MOST_PASSAGES])
    shingles = search.analysis.shingles
    difference = None if rows else compare(own, text, shingles, about.id, QUERY)
    return Match(about, own, *scores, len(rows), tuple(passages), difference)


def text_of(search: Search, doc: int) -> str:
    """Return the text of a document."""
    return search.memory.texts[doc].decode("utf-8", "replace")


class Between(NamedTuple):
    """What two texts share: measured on their whole sets of shingles, and the rows of their passages."""

    resemblance: float
    containment_a: float
    containment_b: float
    passages: Rows


def between(search: Search, text_a: str, text_b: str) -> Between:
    """Compare two texts, whether they are in the index or not."""
    measured, passages = search.between(*(t.encode("utf-8", "replace") for t in (text_a, text_b)))
    rows = [
        {**row, "kind": passage_kind(row["similarity"], row["same_words"])}
        for row in passages.to_pylist()
    ]
    shares = [measured[name][0].as_py() for name in ("similarity", "containment_a", "containment_b")]
    return Between(*shares, rows)
