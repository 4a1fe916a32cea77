"""Which documents are near-duplicates of each other: groups of them, or pairs with a similarity.

Both answer one question. Of some documents in order of preference, which stay, and which go because
they are near-duplicates of one that stays? So nothing goes that does not resemble what is kept.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pyarrow.compute as pc

from neardup.errors import InputError, SettingsError
from neardup.result import Result
from neardup.retrieval.files import lines_of, refuse


class Duplicates(Protocol):
    """Near-duplicates, at one threshold or without any."""

    least: float | None
    remarks: list[str]

    def at(self, threshold: float | None) -> "Duplicates":
        """Return those of another threshold."""

    def keepers(self, ids: Sequence[str]) -> list[int]:
        """Return for each document the place of the one that stays for it, -1 if it stays itself."""

    def alike(self, ids: Iterable[str]) -> int:
        """Return how many of some documents are near-duplicates of another one of them."""

    def similarity(self, a: str, b: str) -> float | None:
        """Return how similar two near-duplicates are, if that is known."""


class Groups:
    """Groups of documents that are all near-duplicates of each other; groups that overlap are one."""

    least: float | None = None

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

    def at(self, threshold: float | None) -> "Groups":
        """Return these groups: they have no threshold."""
        del threshold
        return self

    def keepers(self, ids: Sequence[str]) -> list[int]:
        """Return for each document the place of the first of its group, -1 for that one itself."""
        first: dict[int, int] = {}
        found = [-1] * len(ids)
        for place, group in enumerate(map(self.group.get, ids)):
            if group is not None:
                keeper = first.setdefault(group, place)
                found[place] = -1 if keeper == place else keeper
        return found

    def alike(self, ids: Iterable[str]) -> int:
        """Return how many documents have another one of their group beside them."""
        sizes: dict[int, int] = {}
        for own_id in ids:
            if (group := self.group.get(own_id)) is not None:
                sizes[group] = sizes.get(group, 0) + 1
        return sum(size for size in sizes.values() if size > 1)

    def similarity(self, a: str, b: str) -> float | None:
        """Return None: groups do not say."""
        del a, b
        return None


class Pairs:
    """Pairs of near-duplicates with their similarity.

    >>> pairs = Pairs([("a", "b", 0.9), ("b", "c", 0.6)], 0.5)
    >>> pairs.keepers(["a", "b", "c"])  # c resembles b only, and b does not stay
    [-1, 0, -1]
    """

    def __init__(
        self,
        pairs: Iterable[tuple[str, str, float]],
        least: float,
        known: Mapping[str, dict[str, float]] | None = None,
        remarks: Iterable[str] = (),
    ) -> None:
        self.least: float | None = least
        self.remarks = list(remarks)
        self.near: dict[str, dict[str, float]] = dict(known or {})
        for a, b, similarity in pairs:
            if a != b:
                self.near.setdefault(a, {})[b] = similarity
                self.near.setdefault(b, {})[a] = similarity

    def at(self, threshold: float | None) -> "Pairs":
        """Return the pairs that reach a threshold."""
        if threshold is None or threshold == self.least:
            return self
        if self.least is not None and threshold < self.least:
            raise SettingsError(
                f"near-duplicates below {self.least} are not known, and {threshold} was asked for",
                hint="Run neardup documents with a lower threshold, or ask for a higher one.",
            )
        near = {
            own: {other: s for other, s in others.items() if s >= threshold}
            for own, others in self.near.items()
        }
        return Pairs((), threshold, {own: others for own, others in near.items() if others})

    def keepers(self, ids: Sequence[str]) -> list[int]:
        """Return for each document the place of the first one that it resembles and that stays."""
        staying: dict[str, int] = {}
        found = [-1] * len(ids)
        for place, near in enumerate(map(self.near.get, ids)):
            if near:
                found[place] = min((staying[n] for n in near if n in staying), default=-1)
                if found[place] < 0:
                    staying[ids[place]] = place
        return found

    def alike(self, ids: Iterable[str]) -> int:
        """Return how many documents resemble another one of them."""
        here = {own for own in ids if own in self.near}
        return sum(not here.isdisjoint(self.near[own]) for own in here)

    def similarity(self, a: str, b: str) -> float | None:
        """Return the similarity of a pair."""
        return self.near.get(a, {}).get(b)


def read_groups(path: str | Path, lenient: bool = False) -> Groups:
    """Read groups from JSON Lines: objects with a list of `ids`."""
    groups: list[list[str]] = []
    broken: list[str] = []
    for number, line in lines_of(path):
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
    if capped := result.counts.get("copies paired with the first only"):
        remarks.append(f"{capped:,} identical copies are paired with the first of their kind only")
    least = result.settings.get("threshold")
    if least is None:  # of a method without one, the lowest that there is
        least = pc.min(result.pairs["similarity"]).as_py() or 0.0
    return Pairs(zip(*columns, strict=True), least, remarks=remarks)
