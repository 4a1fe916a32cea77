"""Looking a text up: the methods' own kernels, with the index in place of their joins.

A text is compared as if it were one document more, behind all others: what is found is what a run of
`documents` or `passages` over the index and the text would find for it.
"""

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.index.analysis import Analysis, Keys, Numbers, Words, fixed, lists
from neardup.index.memory import Memory, View
from neardup.index.postings import Found
from neardup.kernels.hits import hits_of_pairs
from neardup.kernels.inverted import summed_worth, tallied
from neardup.kernels.winnowing import distinct_keys
from neardup.methods.align import LEAST_HITS, REACH, Align
from neardup.methods.passage_tables import FOUND
from neardup.methods.verify import Compared, compared, needed
from neardup.settings import IndexSettings, QuerySettings

COLUMNS = ("a", *FOUND.names[2:])
Rows = list[dict[str, Any]]


class Text(NamedTuple):
    """A text to look up."""

    own: bytes
    shingles: Keys
    words: Words


class Search:
    """Finds what documents of an index share with a text."""

    def __init__(self, memory: Memory, settings: IndexSettings) -> None:
        self.memory = memory
        self.analysis: Analysis = memory.analysis
        self._own = threading.local()
        self._most = settings.max_documents
        chosen = settings.passages
        self._align = Align(
            chosen.min_length, chosen.min_sentences or 1, chosen.max_gap or 0, bool(chosen.soft)
        )

    def text(self, own: bytes) -> Text:
        """Take a text apart."""
        return Text(own, self.analysis.sets([own]).values, self.analysis.words([own]))

    def candidates(self, view: View, text: Text, settings: QuerySettings) -> Numbers:
        """Return the documents, sorted, that have enough shingles of the text to be like it."""
        docs = view.shingles.look_up(text.shingles, view.holes).docs
        found, common = tallied(docs, self._table(view.reach))
        size = np.full(len(found), len(text.shingles))
        least = needed(settings.measure, settings.threshold, view.sizes[found], size)
        return np.sort(found[common >= least])

    def _table(self, count: int) -> npt.NDArray[np.int32]:
        """Return this thread's counters for so many documents, which are zeros."""
        table: npt.NDArray[np.int32] | None = getattr(self._own, "table", None)
        if table is None or len(table) < count:
            table = self._own.table = np.zeros(2 * count, np.int32)
        return table

    def compared(self, docs: Numbers, text: Text) -> Compared:
        """Compare documents with the text on their whole sets of shingles."""
        return self._compared(self._texts(docs), text)

    def passages(self, view: View, text: Text) -> Rows:
        """Return the passages that documents, as a, share with the text, as b."""
        keys, _, bounds = self.analysis.runs(text.words)
        keys = distinct_keys(keys, bounds)[0]
        found = view.runs.look_up(keys, view.holes, self._most - 1)
        docs = self._proposed(found)
        common = keys[found.counts >= self._most]
        return self._aligned(docs, self._texts(docs), text, common, LEAST_HITS)

    def between(self, own: bytes, other: bytes) -> tuple[Compared, Rows]:
        """Compare two texts, however little they share: on their shingles, and their passages."""
        text = self.text(other)
        none = np.empty(0, np.uint64)
        return self._compared([own], text), self._aligned(np.array([0]), [own], text, none, 1)

    def _compared(self, texts: Sequence[bytes], text: Text) -> Compared:
        sets = self.analysis.sets([*texts, text.own])
        count = len(texts)
        left, right = np.arange(count), np.full(count, count)
        return compared(fixed(sets.values), sets.bounds, left, right, np.zeros(count, np.int64))

    def _aligned(
        self, docs: Numbers, texts: Sequence[bytes], text: Text, common: Keys, least_hits: int
    ) -> Rows:
        """Return the passages of documents and the text; the common runs are boilerplate."""
        count = len(docs)
        if not count:
            return []
        words = self.analysis.words([*texts, text.own])
        marks, starts = self.analysis.marks(words, common)
        rows, own, itself = np.arange(count), np.full(count, count), np.zeros(count, np.bool_)
        sides = lists(marks, starts, rows), lists(marks, starts, own)
        hits, bounds = hits_of_pairs(*sides, itself, least_hits, REACH)
        if not len(hits):
            return []
        pairs = words.texts(rows), words.texts(own), itself, fixed(hits), bounds
        with self.memory.counting(text.words) as counted:
            numbers, *columns = self._align.passages(pairs, counted)
        values = (column.tolist() for column in (docs[numbers], *columns))
        return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*values, strict=True)]

    def _proposed(self, found: Found) -> Numbers:
        """Return the documents that share enough rare runs of words with the text."""
        docs, rows = np.unique(found.docs, return_inverse=True)
        worth = summed_worth(found.numbers, rows, found.counts, len(docs))
        chosen: Numbers = docs[worth >= self.analysis.winnowing.least_worth]
        return chosen

    def _texts(self, docs: Numbers) -> Sequence[bytes]:
        texts = self.memory.texts
        return [texts[doc] for doc in docs.tolist()]
