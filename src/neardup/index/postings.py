"""Which documents have a key: sorted arrays in memory that grow by small ones.

A new list of keys becomes a segment of its own; when it is half as long as the one before, the two are
merged. So there are few segments, and a key is moved a few times only. Nothing is changed in
place: whoever looks something up goes on with the segments that were there.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.kernels.inverted import bucket_starts, gathered, key_ranges, merged, tally

Hashes = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Gone = npt.NDArray[np.bool_]
MOST_SEGMENTS = 12


class Segment(NamedTuple):
    """Sorted keys, the document of each, and where the keys of each bucket begin."""

    keys: Hashes
    docs: npt.NDArray[np.int32]
    starts: Numbers

    @classmethod
    def of(cls, keys: Hashes, docs: npt.NDArray[np.int32]) -> "Segment":
        """Make a segment of keys that are sorted."""
        return cls(keys, docs, bucket_starts(keys))


def sorted_keys(keys: Hashes, docs: Numbers) -> tuple[Hashes, npt.NDArray[np.int32]]:
    """Sort keys with their documents."""
    order = np.argsort(keys)
    return keys[order], docs[order].astype(np.int32)


class LookedUp(NamedTuple):
    """Rows (number of a wanted key, document), and how many documents each wanted key has."""

    numbers: Numbers
    docs: Numbers
    counts: Numbers


class Tally:
    """Room to count documents in, for one thread: the table is zeros whenever nothing is counted."""

    def __init__(self, documents: int) -> None:
        self.table = np.zeros(documents, np.int32)
        self.found = np.empty(documents, np.int32)


@dataclass(frozen=True)
class Postings:
    """The documents of each key."""

    segments: tuple[Segment, ...] = ()

    def with_more(self, keys: Hashes, docs: npt.NDArray[np.int32]) -> "Postings":
        """Return these postings and more, whose keys are sorted, in a segment of their own."""
        return Postings((*self.segments, Segment.of(keys, docs)))

    @property
    def is_scattered(self) -> bool:
        """Say whether there are more segments than there should be."""
        return len(self.segments) > MOST_SEGMENTS

    def merged(self, gone: Gone) -> "Postings":
        """Return these postings with the last segments merged, without documents that are gone."""
        segments = list(self.segments)
        while len(segments) > 1 and 2 * len(segments[-1].keys) >= len(segments[-2].keys):
            last, before = segments.pop(), segments.pop()
            segments.append(Segment.of(*merged(*before[:2], *last[:2], gone)))
        return Postings(tuple(segments))

    def without(self, gone: Gone) -> "Postings":
        """Return these postings in one segment, without those of documents that are gone."""
        found: Any = (np.empty(0, np.uint64), np.empty(0, np.int32))
        for segment in reversed(self.segments):
            found = merged(*segment[:2], *found, gone)
        return Postings((Segment.of(*found),))

    def look_up(self, wanted: Hashes, gone: Gone | None = None, most: int | None = None) -> LookedUp:
        """Return who has each wanted key; of a key that more than `most` have, only how many.

        `gone` says of each document whether it was removed; None that none was.
        """
        ranges = [key_ranges(segment.keys, segment.starts, wanted) for segment in self.segments]
        counts = np.zeros(len(wanted), np.int64)
        for begins, ends in ranges:
            counts += ends - begins
        if gone is None and most is not None:
            ranges = [(begins, np.where(counts > most, begins, ends)) for begins, ends in ranges]
        parts = [
            gathered(segment.docs, *found) for segment, found in zip(self.segments, ranges, strict=True)
        ]
        none = np.empty(0, np.int64)
        columns = zip((none, none), *parts, strict=True)
        numbers, docs = (np.concatenate([none, *column]) for column in columns)
        if gone is None:
            return LookedUp(numbers, docs, counts)
        there = ~gone[docs]
        numbers, docs = numbers[there], docs[there]
        counts = np.bincount(numbers, minlength=len(wanted))
        if most is not None:
            few = counts[numbers] <= most
            numbers, docs = numbers[few], docs[few]
        return LookedUp(numbers, docs, counts)

    def count(self, wanted: Hashes, room: Tally) -> npt.NDArray[np.int32]:
        """Count how many of the wanted keys each document has; return those that have any.

        Whoever asks sets their counts back to zero.
        """
        count = 0
        for segment in self.segments:
            count = tally(*segment, wanted, room.table, room.found, count)
        return room.found[:count]

    @property
    def rows(self) -> int:
        """Return the number of keys, each as often as a document has it."""
        return sum(len(segment.keys) for segment in self.segments)
