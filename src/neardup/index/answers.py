"""What a query found: documents that are like the text, and where the two share passages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from neardup.methods.passages.plan import EDITED, OVERLAP, WHOLE
from neardup.showing.explaining import Explanation, LocatedPassage, compare, located_passage
from neardup.signatures.shingles import Shingles
from neardup.store.manifest import About
from neardup.text import tokenise

QUERY = "query"  # what stands for the id of a text that is looked up
MOST_PASSAGES = 100  # of a match that are reported one by one
SHARES = (
    "resemblance",
    "containment_query",
    "containment_document",
    "coverage_query",
    "coverage_document",
)


@dataclass(frozen=True)
class Match:
    """A document of the index, and what a text, the query, shares with it.

    `resemblance` and the containments are counted on the whole sets of shingles; a coverage is the share
    of the words that passages have in both. `rows` are the passages as they were found: a is the
    document and b the query. They are compared word by word when that is asked for.
    """

    about: About
    text: str
    query: str
    kind: str
    resemblance: float
    containment_document: float
    containment_query: float
    coverage_document: float
    coverage_query: float
    rows: list[dict[str, Any]]
    shingles: Shingles

    @property
    def id(self) -> str:
        """Return the document's id."""
        return self.about.id

    @cached_property
    def passages(self) -> tuple[LocatedPassage, ...]:
        """Return the first passages, each with the words in which it differs."""
        return tuple(self._located(row) for row in self.rows[:MOST_PASSAGES])

    def _located(self, row: dict[str, Any]) -> LocatedPassage:
        return located_passage(row, self.text, self.query, self.id, QUERY)

    @cached_property
    def difference(self) -> Explanation | None:
        """Return how the whole texts differ, if there are no passages."""
        if self.rows:
            return None
        return compare(self.text, self.query, self.shingles, self.id, QUERY)

    def common(self) -> list[dict[str, int]]:
        """Return the runs of words that are the same in both texts: in passages, if there are any."""
        if self.difference is not None:
            return common_runs(self.difference, 0, 0)
        rest = (self._located(row) for row in self.rows[MOST_PASSAGES:])
        both = (*self.passages, *rest)
        return [run for p in both for run in common_runs(p.difference, p.start_a, p.start_b)]

    def as_dict(self, differences: bool = True) -> dict[str, Any]:
        """Return the match for programs, without the texts; offsets are characters, ends excluded.

        With `differences`, there are also the runs of words that are the same in both, and how many of
        all words these are.
        """
        passages = [passage_dict(row) for row in self.rows[:MOST_PASSAGES]]
        found: dict[str, Any] = {
            **self.about._asdict(),
            "length": len(self.text),
            "kind": self.kind,
            **{name: getattr(self, name) for name in SHARES},
            "passages_found": len(self.rows),
            "passages": passages,
        }
        if differences:
            for shown, passage in zip(passages, self.passages, strict=True):
                shown["common"] = common_runs(passage.difference, passage.start_a, passage.start_b)
            common = self.common()
            found["common"] = [] if self.rows else common
            for side, text in (("query", self.query), ("document", self.text)):
                spans = ((run[f"start_{side}"], run[f"end_{side}"]) for run in common)
                found[f"words_{side}"] = words_covered(spans, text)
        return found


@dataclass(frozen=True)
class Answer:
    """What was found for one text: the best matches, how many there are in all, and a note on how."""

    text: str
    matches: tuple[Match, ...]
    total: int
    note: str | None = None

    def as_dict(self, differences: bool = True) -> dict[str, Any]:
        """Return the answer for programs."""
        matches = [match.as_dict(differences) for match in self.matches]
        return {"total": self.total, **({"note": self.note} if self.note else {}), "matches": matches}


def passage_dict(row: dict[str, Any]) -> dict[str, Any]:
    """Return a passage for programs."""
    return {
        "start_query": row["start_b"],
        "end_query": row["end_b"],
        "start_document": row["start_a"],
        "end_document": row["end_a"],
        "sentences": row["sentences"],
        "words": row["words"],
        "similarity": row["similarity"],
        "kind": row["kind"],
    }


def common_runs(found: Explanation, begin_a: int, begin_b: int) -> list[dict[str, int]]:
    """Return the runs of words that two texts share, with offsets into the whole texts."""
    return [
        {
            "start_query": begin_b + run.start_b,
            "end_query": begin_b + run.end_b,
            "start_document": begin_a + run.start_a,
            "end_document": begin_a + run.end_a,
            "words": run.words,
        }
        for run in found.passages
    ]


def passage_kind(similarity: float, same_words: bool, summary: bool) -> str:
    """Say how alike the two sides of a passage are, as the method `passages` does."""
    if summary:
        return "summary"
    if same_words:
        return "identical"
    return "edited" if similarity >= EDITED else "rewritten"


def pair_kinds(coverages: Sequence[tuple[float, float]], together: float) -> list[str]:
    """Say what passages make of each document and the text, by the share of both that they cover.

    `together` is the share of the text that the documents that it holds as a whole cover.
    As the method `passages` does, but for what a document of the index holds beside this text: that
    would need a comparison of all with all.
    """
    held = [in_b for in_a, in_b in coverages if in_a >= WHOLE > in_b]
    several = "multiple pages" if together >= WHOLE else "collection"
    if len(held) == 1 or sum(held) > OVERLAP * together:
        several = "contained"
    kinds = []
    for in_a, in_b in coverages:
        if in_a >= WHOLE and in_b >= WHOLE:
            kinds.append("near-duplicate")
        elif not (in_a or in_b):
            kinds.append("rewritten")
        elif max(in_a, in_b) < WHOLE:
            kinds.append("partial quotation")
        else:
            kinds.append(several if in_a >= WHOLE else "contained")
    return kinds


def words_covered(spans: Iterable[tuple[int, int]], text: str) -> float:
    """Return the share of a text's words that lie in some spans.

    >>> words_covered([(0, 7), (4, 13)], "one two three, and four")
    0.6
    """
    starts = tokenise(text).starts
    places = np.array([*spans], np.int64).reshape(-1, 2)
    begins, ends = np.searchsorted(starts, places.T)
    steps = np.bincount(begins, minlength=len(starts) + 1) - np.bincount(ends, minlength=len(starts) + 1)
    return float((np.cumsum(steps[:-1]) > 0).mean()) if len(starts) else 0.0


def covered(spans: Iterable[tuple[int, int]], length: int) -> float:
    """Return the share of a text that some spans cover.

    >>> covered([(0, 4), (2, 6), (8, 10)], 10)
    0.8
    """
    total = reached = 0
    for start, end in sorted(spans):
        if end > reached:
            total += end - (start if start > reached else reached)
            reached = end
    return total / max(length, 1)
