"""Runs of words that two chapters of the Bible share: how many of them `passages` finds.

As `tests.quality`, on data that are no part of the project. Chapters tell the same story in other words
and in another order, with formulas that stand everywhere: what is easy to find by itself is hard there.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tests.quality import DATA

import neardup

BIBLE = DATA / "bible" / "KJV"
SEED = 12  # words in a row: what fewer than all chapters share is looked at
MOST = 60  # chapters that share them
LEAST = 150  # characters
FOUND = 0.8  # of a run lies in one passage, in both chapters

Span = tuple[int, int]


class Shared(NamedTuple):
    """A longest run that two chapters share, and where it is in each, in characters."""

    a: str
    b: str
    in_a: Span
    in_b: Span


@cache
def chapters() -> dict[str, str]:
    """Return the text of each chapter."""
    found: dict[str, str] = {}
    for path in sorted(BIBLE.glob("*.json")):
        for book, own in json.loads(path.read_text()).items():
            if book != "Info":
                found |= {f"{book} {number}": "\n".join(v.values()) for number, v in own.items()}
    return found


@cache
def shared_runs() -> set[Shared]:
    """Return all longest runs of words that two chapters share, by an index of short ones."""
    words = {
        name: [(m.group().lower(), m.start(), m.end()) for m in re.finditer(r"[^\W_]+", text)]
        for name, text in chapters().items()
    }
    places = defaultdict(set)
    for name, own in words.items():
        for at in range(len(own) - SEED + 1):
            places[tuple(word for word, _, _ in own[at : at + SEED])].add((name, at))
    few = (sorted(own) for own in places.values() if 1 < len(own) <= MOST)
    return {
        run
        for own in few
        for (a, i), (b, j) in combinations(own, 2)
        if a != b
        for run in longest(a, b, words[a], words[b], i, j)
    }


def longest(a: str, b: str, one: list, other: list, i: int, j: int) -> Iterator[Shared]:  # type: ignore[type-arg]
    """Yield the run that begins at these words, if it begins there and is long enough."""
    if i and j and one[i - 1][0] == other[j - 1][0]:
        return
    n = 0
    while i + n < len(one) and j + n < len(other) and one[i + n][0] == other[j + n][0]:
        n += 1
    spans = (one[i][1], one[i + n - 1][2]), (other[j][1], other[j + n - 1][2])
    if all(end - start >= LEAST for start, end in spans):
        yield Shared(a, b, *spans)


def found(**settings: object) -> tuple[int, int]:
    """Return how many of the runs lie in passages, and how many there are."""
    rows = [{"id": name, "text": text} for name, text in chapters().items()]
    result = neardup.passages(rows, **settings)  # type: ignore[arg-type]
    names = result.documents["id"].to_pylist()
    passages = defaultdict(list)
    for row in result.passages.to_pylist():
        spans = (row["start_a"], row["end_a"]), (row["start_b"], row["end_b"])
        a, b = names[row["doc_a"]], names[row["doc_b"]]
        passages[a, b].append(spans)
        passages[b, a].append(spans[::-1])
    runs = shared_runs()
    held = [run for run in runs if any(holds(own, run) for own in passages[run.a, run.b])]
    return len(held), len(runs)


def holds(passage: tuple[Span, Span], run: Shared) -> bool:
    """Return whether most of a run lies in a passage, on both sides."""
    return all(
        min(end, last) - max(start, first) >= FOUND * (end - start)
        for (start, end), (first, last) in zip((run.in_a, run.in_b), passage, strict=True)
    )


def missing() -> str:
    """Return why nothing can be measured, if so."""
    return "" if BIBLE.is_dir() else f"there is no {BIBLE}"
