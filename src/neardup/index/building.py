"""Segments made of texts: what is remembered of them put together, until they are enough for one."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from neardup.index.analysis import Analysis, Remembered
from neardup.index.counted import Counts
from neardup.store.postings import Hashes, Numbers
from neardup.store.segments import KINDS, New

SEGMENT_BYTES = 24 << 20  # of text whose keys are sorted together


class Batch:
    """Documents that are to be a segment, from the first one's number on."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.bytes = 0
        self._texts: list[tuple[int, bytes]] = []
        self._sizes: list[tuple[Numbers, Numbers]] = []
        self._keys: dict[str, list[tuple[Hashes, Numbers]]] = {kind: [] for kind in KINDS}

    @property
    def is_full(self) -> bool:
        """Return whether there should be no more."""
        return self.bytes >= SEGMENT_BYTES

    def add(self, docs: Numbers, texts: Sequence[bytes], remembered: Remembered) -> None:
        """Take in documents with these numbers; what is remembered counts them from 0 on."""
        own = docs - self.first
        self._texts += zip(own.tolist(), texts, strict=True)
        self._sizes.append((own, remembered.sizes))
        for kind in KINDS:
            keys, places = getattr(remembered, kind)
            self._keys[kind].append((keys, own[places]))
        self.bytes += sum(map(len, texts))

    def made(self, until: int) -> New:
        """Return the segment of the documents up to a number, which may not all be there."""
        sizes: npt.NDArray[np.int32] = np.zeros(until - self.first, np.int32)
        for docs, own in self._sizes:
            sizes[docs] = own
        none: tuple[Hashes, Numbers] = (np.empty(0, np.uint64), np.empty(0, np.int64))
        keys = {}
        for kind, parts in self._keys.items():
            whole, docs = (np.concatenate(column) for column in zip(none, *parts, strict=True))
            keys[kind] = whole, docs
        return New(self.first, sizes, self._texts, keys)


def batch_of(
    documents: Sequence[tuple[int, bytes]], first: int, analysis: Analysis, counts: Counts | None
) -> Batch:
    """Return documents as a segment is made of them; their words are counted."""
    batch = Batch(first)
    for begin in range(0, len(documents), PORTION):
        docs, texts = zip(*documents[begin : begin + PORTION], strict=True)
        remembered = analysis.remembered(np.arange(len(docs)), texts)
        batch.add(np.array(docs), texts, remembered)
        if counts:
            counts.add(remembered.words)
    return batch


PORTION = 1000  # documents that are taken apart together
