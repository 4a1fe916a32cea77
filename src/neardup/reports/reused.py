"""The passages that most documents have: where the matches of one document lie on top of each other."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

MOST = 30
MOST_TRIED = 3_000
GRAM = 12  # letters, by which two passages are known to be the same
LEAST_LENGTH = 30  # characters
EXCERPT = 300

Placed = tuple[int, int, int]  # start and end of a match, and the document on its other side


class Reused(NamedTuple):
    """A passage of a document, and how many other documents have it."""

    doc: int
    start: int
    end: int
    others: int
    text: str


def most_reused(matches: Mapping[int, Iterable[Placed]], texts: Mapping[int, str]) -> list[Reused]:
    """Return the passages that most other documents share with one; none that is mostly in another."""
    found = [
        Reused(doc, start, end, others, excerpt(texts[doc], start, end))
        for doc, own in matches.items()
        if doc in texts
        for start, end, others in heights(own)
        if end - start >= LEAST_LENGTH and others > 1
    ]
    found.sort(key=lambda one: (-one.others, one.start - one.end, one.doc, one.start))
    chosen: list[Reused] = []
    known: set[str] = set()
    for one in found[:MOST_TRIED]:
        letters = "".join(one.text.lower().split())
        grams = {letters[i : i + GRAM] for i in range(max(len(letters) - GRAM, 0) + 1)}
        if 2 * len(grams & known) > len(grams):
            continue
        known |= grams
        chosen.append(one)
        if len(chosen) == MOST:
            break
    return chosen


def excerpt(text: str, start: int, end: int) -> str:
    """Return a passage of a text; of a long one the beginning, which ends with a word if it has spaces.

    >>> excerpt("a" * 299 + " bc", 0, 302)[-3:], excerpt("one two", 4, 7)
    ('aa…', 'two')
    """
    if end - start <= EXCERPT:
        return text[start:end]
    shown = text[start : start + EXCERPT]
    return f"{shown.rpartition(' ')[0] or shown}…"


def heights(matches: Iterable[Placed]) -> Iterator[tuple[int, int, int]]:
    """Yield the stretches of a document in which equally many others match it.

    >>> list(heights([(0, 9, 1), (4, 9, 2), (4, 9, 2)]))
    [(0, 4, 1), (4, 9, 2)]
    """
    edges: list[tuple[int, int, int]] = []
    for start, end, other in matches:
        edges += (start, 1, other), (end, -1, other)
    covering: dict[int, int] = {}
    at = 0
    for place, step, other in sorted(edges):
        if place > at and covering:
            yield at, place, len(covering)
        at = place
        covering[other] = covering.get(other, 0) + step
        if not covering[other]:
            del covering[other]
