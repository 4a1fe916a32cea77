"""Which documents have a key, in memory: sorted arrays that grow by small ones.

A new list of keys becomes an array of its own; when it is half as long as the one before, the two are
merged. So there are few arrays, and a key is moved a few times only. Nothing is changed in
place: whoever looks something up goes on with what was there.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.kernels.inverted import bucket_starts, enough, gathered, key_ranges, merged, tally
from neardup.store.postings import Hashes, Numbers, Tally


class Sorted(NamedTuple):
    """Sorted keys, the document of each, and where the keys of each bucket begin."""

    keys: Hashes
    docs: npt.NDArray[np.int32]
    starts: Numbers

    @classmethod
    def of(cls, keys: Hashes, docs: npt.NDArray[np.int32]) -> "Sorted":
        """Make one of keys that are sorted."""
        return cls(keys, docs, bucket_starts(keys))


def sorted_keys(keys: Hashes, docs: Numbers) -> tuple[Hashes, npt.NDArray[np.int32]]:
    """Sort keys with their documents."""
    order = np.argsort(keys)
    return keys[order], docs[order].astype(np.int32)


class Ranges(NamedTuple):
    """Where the wanted keys begin and end in each array, and how many documents each has in all."""

    ranges: list[tuple[Numbers, Numbers]]
    counts: Numbers


@dataclass(frozen=True)
class Postings:
    """The documents of each key."""

    arrays: tuple[Sorted, ...] = ()

    def with_more(self, keys: Hashes, docs: Numbers) -> "Postings":
        """Return these postings and more; the last arrays are merged."""
        arrays = [*self.arrays, Sorted.of(*sorted_keys(keys, docs))]
        while len(arrays) > 1 and 2 * len(arrays[-1].keys) >= len(arrays[-2].keys):
            last, before = arrays.pop(), arrays.pop()
            none = np.zeros(int(max(last.docs.max(initial=0), before.docs.max(initial=0))) + 1, np.bool_)
            arrays.append(Sorted.of(*merged(*before[:2], *last[:2], none)))
        return Postings(tuple(arrays))

    def find(self, wanted: Hashes) -> Ranges:
        """Look keys up."""
        ranges = [key_ranges(own.keys, own.starts, wanted) for own in self.arrays]
        counts = np.zeros(len(wanted), np.int64)
        for begins, ends in ranges:
            counts += ends - begins
        return Ranges(ranges, counts)

    def docs(self, found: Ranges) -> tuple[Numbers, Numbers]:
        """Return the number of the wanted key, and a document that has it, for all there are.

        Those with a count of 0 are not wanted any more.
        """
        none = np.empty(0, np.int64)
        parts = [(none, none)]
        for own, (begins, ends) in zip(self.arrays, found.ranges, strict=True):
            parts.append(gathered(own.docs, begins, np.where(found.counts > 0, ends, begins)))
        numbers, docs = (np.concatenate(column) for column in zip(*parts, strict=True))
        return numbers, docs

    def count(self, wanted: Hashes, room: Tally) -> npt.NDArray[np.int32]:
        """Count in the table how many wanted keys each document has; return those that have any."""
        count = 0
        for own in self.arrays:
            count = tally(*own, wanted, *room, count)
        return room.found[:count]

    def near(
        self, wanted: Hashes, room: Tally, documents: tuple[Any, Any], size: int, least: float
    ) -> Numbers:
        """Return the documents that may be like a text, as `Packed` does."""
        found = self.count(wanted, room)
        near: Numbers = enough(found, room.table, *documents, size, least)
        room.table[found] = 0
        return near

    @property
    def rows(self) -> int:
        """Return the number of keys, each as often as a document has it."""
        return sum(len(own.keys) for own in self.arrays)
