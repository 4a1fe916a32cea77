"""From a text to an answer: what is found, what that makes of the two, the best of it first."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from neardup.errors import InputError
from neardup.index.answers import Answer, Match, covered, pair_kinds, passage_kind
from neardup.index.contents import View
from neardup.index.phrases import places, too_short
from neardup.index.search import Rows, Search, Text
from neardup.index.settings import QuerySettings
from neardup.methods.passages.plan import REFERENCE_LIST, WHOLE
from neardup.steps.pair_kinds import CONTAINED, kind_by_shares
from neardup.store.manifest import About
from neardup.text import tokenise

FILE_NAME = re.compile(r"^\S*/\S*$|^\S+\.[A-Za-z]\w{0,4}$")  # what is hardly ever a text to look up
PART = 0.25  # of a short text: where a document has so much of it, that is a passage


class Scored(NamedTuple):
    """A document that was found, before it is compared word by word."""

    doc: int
    about: About
    kind: str
    near: bool  # like the text as a whole
    resemblance: float
    containment_document: float
    containment_query: float
    coverage_document: float
    coverage_query: float

    @property
    def rank(self) -> tuple[float, ...]:
        """Return what is sorted by: how much of the text is there, then how alike the wholes are."""
        there = self.containment_query + self.coverage_query
        return -there, -self.resemblance, -self.coverage_document, self.doc


class Findings(NamedTuple):
    """All that was found for a text: documents, the best first, and the passages of each, by number."""

    documents: list[Scored]
    passages: dict[int, Rows]


def nothing() -> None:
    """Do nothing: nobody asks whether the work should go on."""


def answer(
    search: Search, text: str, settings: QuerySettings, going_on: Callable[[], None] = nothing
) -> Answer:
    """Find what is like a text; the best of it can be compared word by word."""
    view = search.contents.view.keeping()
    own = search.text(text.encode("utf-8", "replace"))
    found = find(search, text, settings, going_on, in_part=True, known=(view, own))
    note = too_short(search, own)
    if note:
        found = with_phrases(search, view, found, own, len(text), going_on)
    words = tokenise(text)
    matches = tuple(
        Match(
            score.about,
            text_of(view, score.doc),
            text,
            words,
            score.kind,
            score.resemblance,
            score.containment_document,
            score.containment_query,
            score.coverage_document,
            score.coverage_query,
            found.passages.get(score.doc, []),
            search.analysis.shingles,
        )
        for score in found.documents[: settings.limit]
    )
    search.contents.answered()
    return Answer(text, matches, len(found.documents), note)


def with_phrases(
    search: Search, view: View, found: Findings, own: Text, length: int, going_on: Callable[[], None]
) -> Findings:
    """Add the documents that hold the words of a short text in a row, behind those that are like it."""
    known = {score.doc for score in found.documents}
    held = places(search, view, own, going_on)
    held = {doc: rows for doc, rows in held.items() if doc not in known}
    more = []
    for doc, about in search.contents.about(list(held)).items():
        spans = ((row["start_a"], row["end_a"]) for row in held[doc])
        inside = covered(spans, len(text_of(view, doc)))
        shown = covered([(held[doc][0]["start_b"], held[doc][0]["end_b"])], length)
        more.append(Scored(doc, about, CONTAINED, False, 0.0, 0.0, 1.0, inside, shown))
    more.sort(key=lambda scored: scored.rank)
    return Findings([*found.documents, *more], {**held, **found.passages})


def find(
    search: Search,
    text: str,
    settings: QuerySettings,
    going_on: Callable[[], None] = nothing,
    in_part: bool = False,
    known: tuple[View, Text] | None = None,
) -> Findings:
    """Find the documents that are like a text, and the passages that they share with it.

    With `in_part`, a part of a short text is a passage, too: it is found whatever stands beside it.
    """
    view, own = known or (search.contents.view.keeping(), search.text(text.encode("utf-8", "replace")))
    if not len(own.shingles):
        raise InputError("the query has no words", hint="Give a text of at least one word.")
    going_on()
    passages = by_document(search.passages(view, own))
    going_on()
    shortest = int(PART * len(text))
    in_part = in_part and shortest < search.least_length
    least = min(settings.threshold, PART) if in_part else settings.threshold
    docs, measured = search.alike(view, own, least, list(passages))
    going_on()
    if in_part:
        order = np.lexsort((docs, -measured.in_b))
        best = [at for at in order.tolist() if measured.in_b[at] >= PART and docs[at] not in passages]
        chosen = np.sort(docs[best[: search.most_documents]])
        passages |= by_document(search.short_passages(view, chosen, own, shortest))
    near = measured.of(settings.measure) >= settings.threshold
    coverages, kinds = coverage(text, passages)
    found = []
    columns = docs, near, measured.resemblance, measured.in_a, measured.in_b
    rows = list(zip(*(c.tolist() for c in columns), strict=True))
    abouts = search.contents.about([row[0] for row in rows if row[1] or row[0] in passages])
    for doc, is_near, resemblance, *shares in rows:
        about = abouts.get(doc)
        if about is None:
            continue
        in_a, in_b = shares
        kind = kinds.get(doc, "")
        if is_near:
            same = in_a == in_b == 1 and same_words(own, search.text(view.text(doc)))
            kind = kind_by_shares(same, in_a, in_b, settings.threshold)
        more = coverages.get(doc, (0.0, 0.0))
        found.append(Scored(doc, about, kind, is_near, resemblance, in_a, in_b, *more))
    return Findings(sorted(found, key=lambda scored: scored.rank), passages)


def same_words(a: Text, b: Text) -> bool:
    """Return whether two texts have the same words in the same order."""
    return np.array_equal(a.words.words, b.words.words)


def by_document(rows: Rows) -> dict[int, Rows]:
    """Return the passages of each document, with what they are."""
    found: dict[int, Rows] = {}
    for row in rows:
        found.setdefault(row["a"], []).append(with_kind(row))
    return found


def coverage(
    text: str, passages: dict[int, Rows]
) -> tuple[dict[int, tuple[float, float]], dict[int, str]]:
    """Return what share of each document's and the text's words passages have, and the kind of pair.

    Kinds are those of what is there word for word.
    """
    found = {doc: matched(rows) for doc, rows in passages.items()}
    verbatim = {doc: [row for row in rows if row["verbatim"]] for doc, rows in passages.items()}
    shares = {
        doc: found[doc] if len(rows) == len(passages[doc]) else matched(rows)
        for doc, rows in verbatim.items()
    }
    held = [doc for doc, (in_a, in_b) in shares.items() if in_a >= WHOLE > in_b]
    spans = ((row["start_b"], row["end_b"]) for doc in held for row in verbatim[doc])
    kinds = pair_kinds(list(shares.values()), covered(spans, len(text)))
    return found, dict(zip(found, kinds, strict=True))


def matched(rows: Rows) -> tuple[float, float]:
    """Return what share of the words of a document, and of the text, some of its passages have."""
    shares = []
    for side in "ab":
        runs = [zip(*[iter(row[f"matched_{side}"])] * 2, strict=True) for row in rows]
        size = rows[0][f"size_{side}"] if rows else 1
        shares.append(covered((run for own in runs for run in own), size))
    return shares[0], shares[1]


def is_file(given: str) -> bool:
    """Return whether a file has the name that may be a text to look up."""
    try:
        return bool(given.strip()) and Path(given).exists()
    except OSError:  # too long for a name
        return False


def is_name(given: str) -> bool:
    """Return whether something is the name of a file, rather than a text to look up.

    >>> is_name("letters/*.txt"), is_name("community promotion ads")
    (True, False)
    """
    return bool(FILE_NAME.search(given.strip()))


def with_kind(row: dict[str, Any]) -> dict[str, Any]:
    """Say how alike the two sides of a passage are."""
    kind = passage_kind(row["similarity"], row["same_words"], row["summary"])
    shown = REFERENCE_LIST if row["references"] else kind
    return {**row, "kind": shown, "verbatim": kind in ("identical", "edited")}


def text_of(view: View, doc: int) -> str:
    """Return the text of a document."""
    return view.text(doc).decode("utf-8", "replace")


class Between(NamedTuple):
    """What two texts share: measured on their whole sets of shingles, and the rows of their passages."""

    resemblance: float
    containment_a: float
    containment_b: float
    passages: Rows


def between(search: Search, text_a: str, text_b: str) -> Between:
    """Compare two texts, whether they are in the index or not."""
    measured, passages = search.between(*(t.encode("utf-8", "replace") for t in (text_a, text_b)))
    shares = (measured.resemblance, measured.in_a, measured.in_b)
    resemblance, in_a, in_b = (float(share[0]) for share in shares)
    return Between(resemblance, in_a, in_b, [with_kind(row) for row in passages])
