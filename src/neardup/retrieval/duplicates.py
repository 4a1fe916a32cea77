"""Which documents are near-duplicates of each other: groups of them, or pairs with a similarity.

Both answer one question. Of some documents in order of preference, which stay, and which go because
they are near-duplicates of one that stays? So nothing goes that does not resemble what is kept.
"""

import json
from collections.abc import Iterable, Sequence
from copy import copy
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow.compute as pc

from neardup.arrays import Floats, Integers
from neardup.errors import InputError, SettingsError
from neardup.result import Result
from neardup.retrieval.files import content, lines_in, refuse
from neardup.retrieval.runs import Catalogue
from neardup.steps.declared import COPIES_WITH_FIRST_ONLY


class Near(Protocol):
    """The near-duplicates among numbered documents, at one threshold or without any."""

    least: float | None

    def at(self, threshold: float | None) -> "Near":
        """Return those of another threshold."""

    def meet(self, docs: Integers) -> tuple[Integers, Integers]:
        """Return for each document of a list two places in it.

        The first is that of the one that stays for it, -1 if it stays itself; the second is that of the
        first other one that it resembles, the length of the list if there is none.
        """

    def similarity(self, a: int, b: int) -> float | None:
        """Return how similar two near-duplicates are, if that is known."""


class Duplicates:
    """Near-duplicates by their ids; `least` is the lowest similarity among them, if they have any."""

    least: float | None = None
    remarks: list[str]

    def near(self, catalogue: Catalogue) -> Near:
        """Return those among the documents of a catalogue, which has all that are asked for."""
        raise NotImplementedError

    def keepers(self, ids: Sequence[str]) -> list[int]:
        """Return for each document the place of the one that stays for it, -1 if it stays itself."""
        catalogue = Catalogue()
        docs = catalogue.numbers(ids)
        found: list[int] = self.near(catalogue).meet(docs)[0].tolist()
        return found


class Groups(Duplicates):
    """Groups of documents that are all near-duplicates of each other; groups that overlap are one."""

    def __init__(self, groups: Iterable[Iterable[str]], remarks: Iterable[str] = ()) -> None:
        self.group: dict[str, int] = {}
        self.remarks = list(remarks)
        merged: dict[int, list[str]] = {}
        overlaps = alone = 0
        for number, ids in enumerate(groups):
            members = list(dict.fromkeys(ids))
            alone += len(members) < 2
            older = {self.group[own] for own in members if own in self.group}
            overlaps += bool(older)
            members += [own for old in sorted(older) for own in merged.pop(old)]
            self.group.update(dict.fromkeys(members, number))
            merged[number] = members
        if overlaps:
            self.remarks.append(f"{overlaps:,} groups share documents with others: they count as one")
        if alone:
            self.remarks.append(f"{alone:,} groups have less than two documents: nothing follows")

    def near(self, catalogue: Catalogue) -> "NearGroups":
        """Return these groups by number; who is in none is a group alone."""
        count = len(catalogue)
        numbers = np.arange(count)
        for own, group in self.group.items():
            if (doc := catalogue.get(own)) is not None:
                numbers[doc] = count + group
        return NearGroups(numbers)


class NearGroups:
    """Groups of numbered documents: each one's group."""

    least: float | None = None

    def __init__(self, groups: Integers) -> None:
        self._groups = groups
        self._first, self._second = (np.zeros(groups.max(initial=-1) + 1, np.int64) for _ in range(2))

    def at(self, threshold: float | None) -> "NearGroups":
        """Return these groups: they have no threshold."""
        return self

    def meet(self, docs: Integers) -> tuple[Integers, Integers]:
        """Return the first of each one's group, and the first other one of it."""
        places, groups = np.arange(len(docs)), self._groups[docs]
        self._first[groups[::-1]] = places[::-1]  # of several, what is written last stays
        first = self._first[groups]
        others = np.flatnonzero(first != places)
        self._second[groups] = len(docs)
        self._second[groups[others[::-1]]] = others[::-1]
        leads = first == places
        return np.where(leads, -1, first), np.where(leads, self._second[groups], first)

    def similarity(self, a: int, b: int) -> float | None:
        """Return None: groups do not say."""
        return None


class Pairs(Duplicates):
    """Pairs of near-duplicates with their similarity.

    >>> pairs = Pairs([("a", "b", 0.9), ("b", "c", 0.6)], 0.5)
    >>> pairs.keepers(["a", "b", "c"])  # c resembles b only, and b does not stay
    [-1, 0, -1]
    """

    def __init__(
        self, pairs: Iterable[tuple[str, str, float]], least: float, remarks: Iterable[str] = ()
    ) -> None:
        self.least: float | None = least
        self.remarks = list(remarks)
        self.pairs = {(min(a, b), max(a, b)): similarity for a, b, similarity in pairs if a != b}

    def near(self, catalogue: Catalogue) -> "NearPairs":
        """Return these pairs by number."""
        known = [
            (one, other, similarity)
            for (a, b), similarity in self.pairs.items()
            if (one := catalogue.get(a)) is not None and (other := catalogue.get(b)) is not None
        ]
        a, b = (np.array([pair[side] for pair in known], np.int64) for side in (0, 1))
        similarities = np.array([pair[2] for pair in known], np.float64)
        return NearPairs(len(catalogue), a, b, similarities, self.least or 0.0)


class NearPairs:
    """Pairs of numbered documents: the others that each resembles, with their similarities."""

    def __init__(self, count: int, a: Integers, b: Integers, similarities: Floats, least: float) -> None:
        sides = np.concatenate([a, b])
        order = np.lexsort((np.concatenate([b, a]), sides))
        self._starts = np.searchsorted(sides[order], np.arange(count + 1))
        self._others = np.concatenate([b, a])[order]
        self._similarities = np.concatenate([similarities] * 2)[order]
        self._places = np.full(count, -1)
        self.least: float | None = least

    def at(self, threshold: float | None) -> "NearPairs":
        """Return the pairs that reach a threshold."""
        if threshold is None or threshold == self.least:
            return self
        if self.least is not None and threshold < self.least:
            raise SettingsError(
                f"near-duplicates below {self.least} are not known, and {threshold} was asked for",
                hint="Run neardup documents with a lower threshold, or ask for a higher one.",
            )
        found = copy(self)
        found.least = threshold
        return found

    def meet(self, docs: Integers) -> tuple[Integers, Integers]:
        """Return who stays for each, and the first other one that it resembles."""
        from neardup.kernels.rankings import meet

        lists = self._starts, self._others, self._similarities
        keepers, partners = meet(docs, *lists, self.least, self._places)
        return keepers, partners

    def similarity(self, a: int, b: int) -> float | None:
        """Return the similarity of a pair."""
        begin, end = self._starts[a], self._starts[a + 1]
        place = begin + np.searchsorted(self._others[begin:end], b)
        known = place < end and self._others[place] == b
        return float(self._similarities[place]) if known else None


def read_groups(path: str | Path, lenient: bool = False) -> Groups:
    """Read groups from JSON Lines: objects with a list of `ids`."""
    groups: list[list[str]] = []
    broken: list[str] = []
    for number, line in lines_in(content(path)):
        try:
            ids = json.loads(line)["ids"]
        except (ValueError, KeyError, TypeError, RecursionError):
            ids = None
        if isinstance(ids, list) and all(isinstance(own, str) for own in ids):
            groups.append(ids)
        else:
            broken.append(f'line {number}: not an object with a list of strings "ids"')
    remarks = refuse(broken, path, lenient)
    if not groups:
        raise InputError("there are no groups", where=str(path), hint="Is it the right file?")
    return Groups(groups, remarks)


def pairs_of(result: Result) -> Pairs:
    """Take the near-duplicates that a run of neardup found."""
    result.check("trec")
    columns = (result.pairs[name].to_pylist() for name in ("id_a", "id_b", "similarity"))
    remarks = []
    if capped := result.counts.get(COPIES_WITH_FIRST_ONLY):
        remarks.append(f"{capped:,} identical copies are paired with the first of their kind only")
    least = result.settings.get("threshold")
    if least is None:  # of a method without one, the lowest that there is
        least = pc.min(result.pairs["similarity"]).as_py() or 0.0
    return Pairs(zip(*columns, strict=True), least, remarks=remarks)
