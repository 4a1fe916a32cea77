"""What a query found: documents that are like the text, and where the two share passages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from neardup.arrays import Array
from neardup.methods.passages.plan import EDITED, OVERLAP, WHOLE
from neardup.showing.differing import Passage
from neardup.showing.explaining import (
    WITHIN_PASSAGES,
    Explanation,
    LocatedPassage,
    common_passages,
    compare,
    least_words,
    located_passage,
)
from neardup.signatures.shingles import Shingles
from neardup.store.manifest import About
from neardup.text import Tokens, tokenise

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
    words: Tokens = field(repr=False, compare=False)  # of the query
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
        return tuple(
            located_passage(row, self.text, self.query, self.id, QUERY)
            for row in self.rows[:MOST_PASSAGES]
        )

    @cached_property
    def difference(self) -> Explanation | None:
        """Return how the whole texts differ, if there are no passages."""
        if self.rows:
            return None
        return compare(self.text, self.query, self.shingles, self.id, QUERY)

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
            found |= self._in_both(passages)
        return found

    def _in_both(self, passages: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return the runs of words that are the same in both texts, and the share of all words they are.

        Those of passages are put into these.
        """
        document = tokenise(self.text)
        runs = [self._in_passage(document, row) for row in self.rows]
        for shown, own in zip(passages, runs, strict=False):
            shown["common"] = [run_dict(run) for run in own]
        if not self.rows:
            runs = [common_passages(document, self.words, least_words(self.shingles))]
        places = np.array([run for own in runs for run in own], np.int64).reshape(-1, 5)
        return {
            "common": [] if self.rows else [run_dict(run) for run in runs[0]],
            "words_query": words_covered(places[:, 2:4], self.words.starts),
            "words_document": words_covered(places[:, :2], document.starts),
        }

    def _in_passage(self, document: Tokens, row: Mapping[str, Any]) -> list[Passage]:
        a = within(document, row["start_a"], row["end_a"])
        b = within(self.words, row["start_b"], row["end_b"])
        return common_passages(a, b, WITHIN_PASSAGES.width)


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


def run_dict(run: Passage) -> dict[str, int]:
    """Return a run of words that two texts share for programs."""
    return {
        "start_query": run.start_b,
        "end_query": run.end_b,
        "start_document": run.start_a,
        "end_document": run.end_a,
        "words": run.words,
    }


def within(words: Tokens, start: int, end: int) -> Tokens:
    """Return the words of a text that begin between two places."""
    own = slice(*words.starts.searchsorted((start, end)))
    return Tokens(words.hashes[own], words.starts[own], words.ends[own])


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


def words_covered(places: Array, starts: Array) -> float:
    """Return the share of words, by where they begin, that lie between some places.

    >>> words_covered(np.array([[0, 7], [4, 13]]), np.array([0, 4, 8, 15, 19]))
    0.6
    """
    if not len(starts):
        return 0.0
    begins, ends = np.searchsorted(starts, places.T)
    steps = np.bincount(begins, minlength=len(starts) + 1) - np.bincount(ends, minlength=len(starts) + 1)
    return float(np.count_nonzero(np.cumsum(steps[:-1])) / len(starts))


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
