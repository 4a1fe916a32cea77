"""Which documents of an index new ones may share passages with, and what a run has to know of all.

What pairs `passages` looks at, what is boilerplate, and how rare words are depends on all documents. The
index knows of each run of words who has it, and how often each word occurs; so a run that is told
this reads the new documents and those few of the index that they may share passages with.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa

from neardup.index.contents import Contents, View
from neardup.kernels.inverted import gathered, worthy
from neardup.kernels.winnowing import distinct_keys
from neardup.methods.passages.given import COMMON, PAIRS, Given
from neardup.settings.run import available_cores
from neardup.store.ahead import ahead
from neardup.store.postings import Hashes, Numbers

TOGETHER = 500  # documents whose runs are looked up, or made, together
Keyed = tuple[int, Hashes]  # a document's number in the run, and its kept runs


class SharedRuns:
    """New documents beside an index, by the kept runs of words that they share."""

    def __init__(self, contents: Contents, most: int) -> None:
        self._view: View = contents.view
        self._analysis, self._counts = contents.analysis, contents.counts()
        # where documents were removed, keys of boilerplate are counted one by one
        self._most, self._exactly = most, max(self._view.reach, most) if self._view.removed else most
        self._new: list[Keyed] = []
        self._keys, self._amounts = np.empty(0, np.uint64), np.empty(0, np.int64)

    def add(self, docs: Sequence[int], texts: Sequence[bytes]) -> None:
        """Take in new documents by their numbers in the run."""
        self._counts.add(self._analysis.words(texts))
        self._new += self._keyed(docs, texts)

    def _keyed(self, docs: Sequence[int], texts: Sequence[bytes]) -> list[Keyed]:
        keys, _, bounds = self._analysis.runs(self._analysis.words(texts))
        values, starts = distinct_keys(keys, bounds)
        ends = starts.tolist()
        return [
            (doc, values[begin:end]) for doc, begin, end in zip(docs, ends[:-1], ends[1:], strict=True)
        ]

    def near(self) -> list[tuple[int, Numbers]]:
        """Return of each new document those of the index that share enough rare runs with it."""
        every = [keys for _, keys in self._new]
        if every:
            self._keys, self._amounts = np.unique(np.concatenate(every), return_counts=True)
        parts = [self._new[at : at + TOGETHER] for at in range(0, len(self._new), TOGETHER)]
        with ThreadPoolExecutor(available_cores()) as pool:
            found = list(ahead(pool, self._near, parts, available_cores() + 1))
        return [one for part in found for one in part]

    def _near(self, some: Sequence[Keyed]) -> list[tuple[int, Numbers]]:
        """Return it for some; keys are looked up in the order in which they are stored."""
        keys, places = np.unique(np.concatenate([own for _, own in some]), return_inverse=True)
        for part in self._view.parts[:-1]:
            part.runs.expect(len(keys))
        found = self._view.look_up(keys, self._most)
        amounts = found.counts + self._in_new(keys)
        rare = amounts[found.numbers] <= self._most
        order = np.argsort(found.numbers[rare], kind="stable")
        docs = found.docs[rare][order].astype(np.int32)
        bounds = np.searchsorted(found.numbers[rare][order], np.arange(len(keys) + 1))
        least = self._analysis.winnowing.least_worth
        near, first = list[tuple[int, Numbers]](), 0
        for doc, own in some:
            wanted = places[first : first + len(own)]
            numbers, others = gathered(docs, bounds[wanted], bounds[wanted + 1])
            beside = amounts[wanted] - 1  # documents that have a key besides this one
            near.append((doc, worthy(numbers, others, beside, least)))
            first += len(own)
        return near

    def _in_new(self, keys: Hashes) -> Numbers:
        """Return how many new documents have each key."""
        if not len(self._keys):
            return np.zeros(len(keys), np.int64)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._amounts[at], 0)

    def given(self, near: Iterable[tuple[int, Numbers]], numbers: Mapping[int, int]) -> Given:
        """Return what a run is told; `numbers` are those that documents of the index have in it."""
        pairs = [(doc, numbers[other]) for doc, found in near for other in found.tolist()]
        a, b = np.array(pairs, np.int64).reshape(-1, 2).T
        return Given(
            pa.table([a, b], schema=PAIRS), self._common(self._read(numbers)), self._counts.rows()
        )

    def _read(self, numbers: Mapping[int, int]) -> Iterable[Keyed]:
        """Yield the runs of all documents that are read, in the order of their numbers."""
        yield from self._new
        docs = sorted(numbers)
        for begin in range(0, len(docs), TOGETHER):
            some = docs[begin : begin + TOGETHER]
            texts = [self._view.text(doc) for doc in some]
            yield from self._keyed([numbers[doc] for doc in some], texts)

    def _common(self, read: Iterable[Keyed]) -> pa.Table:
        """Return the runs of those that are read that more than the most documents have."""
        keyed = list(read)
        keys = np.concatenate([np.empty(0, np.uint64), *(own for _, own in keyed)])
        docs = np.repeat([doc for doc, _ in keyed], [len(own) for _, own in keyed])
        keys, firsts = np.unique(keys, return_index=True)  # the first of each
        amounts = self._view.look_up(keys, self._exactly).counts + self._in_new(keys)
        common = amounts > self._most
        columns = [keys[common].view(np.int64), amounts[common], docs[firsts][common].astype(np.int64)]
        return pa.table(columns, schema=COMMON)
