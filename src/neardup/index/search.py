"""Looking a text up: the methods' own kernels, with the index in place of their joins.

A text is compared as if it were one document more, behind all others: what is found is what a run of
`documents` or `passages` over the index and the text would find for it.
"""

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from neardup.index.analysis import Analysis, Words, fixed
from neardup.index.contents import Contents, LookedUp, View
from neardup.index.settings import IndexSettings
from neardup.kernels.inverted import worthy
from neardup.kernels.winnowing import distinct_keys
from neardup.methods.documents.verify import Compared, compared
from neardup.methods.passages.align import LEAST_HITS, REACH, Align
from neardup.methods.passages.tables import FOUND
from neardup.store.postings import Hashes, Numbers, Tally

COLUMNS = ("a", *FOUND.names[2:], "size_a", "size_b")  # sizes are words that are no boilerplate
Rows = list[dict[str, Any]]
TOGETHER = 500  # texts that are compared at once


class Text(NamedTuple):
    """A text to look up."""

    own: bytes
    shingles: Hashes
    words: Words


class Search:
    """Finds what documents of an index share with a text."""

    def __init__(self, contents: Contents, settings: IndexSettings) -> None:
        self.contents = contents
        self.analysis: Analysis = contents.analysis
        self._own = threading.local()
        self._most = settings.max_documents
        chosen = settings.passages
        self._align = Align(
            chosen.min_length, chosen.min_sentences or 1, chosen.max_gap or 0, chosen.soft
        )

    def text(self, own: bytes) -> Text:
        """Take a text apart."""
        words, sets = self.analysis.taken_apart([own])
        return Text(own, sets.values, words)

    def alike(
        self, view: View, text: Text, least: float, others: Sequence[int]
    ) -> tuple[Numbers, Compared]:
        """Return the documents, sorted, that are like the text, and some others; each compared with it.

        They share at least this part of the smaller set of shingles. What is counted in the postings is
        never too low; as these have no whole shingles, what is near is counted again on the texts.
        """
        chosen = set(others)
        for part in view.parts:
            documents = part.texts.sizes, view.gone_of(part)
            asked = self.analysis.asked(len(text.shingles), least)
            near = part.shingles.near(text.shingles, self._room(part.count), documents, *asked)
            chosen.update((near + part.first).tolist())
        docs = np.array(sorted(chosen), np.int64)
        columns: list[Any] = [
            self._compared([view.text(doc) for doc in docs[begin : begin + TOGETHER].tolist()], text)
            for begin in range(0, len(docs), TOGETHER)
        ]
        if not columns:
            return docs, Compared(docs, *[docs.astype(np.float64)] * 3)
        together: list[Any] = [np.concatenate(column) for column in zip(*columns, strict=True)]
        return docs, Compared(*together)

    def _compared(self, texts: Sequence[bytes], text: Text) -> Compared:
        """Compare texts with a text on their shingles."""
        _, sets = self.analysis.taken_apart(texts)
        count, values = len(texts), np.concatenate([sets.values, text.shingles])
        bounds = np.append(sets.bounds, len(values))
        pairs = np.arange(count), np.full(count, count), np.zeros(count, np.int64)
        return compared(fixed(values), bounds, *pairs)

    def _room(self, documents: int) -> Tally:
        """Return this thread's room to count the given number of documents."""
        room: Tally | None = getattr(self._own, "room", None)
        if room is None or len(room.table) < documents:
            room = self._own.room = Tally.of(documents + documents // 8)
        return room

    def passages(self, view: View, text: Text) -> Rows:
        """Return the passages that documents, as a, share with the text, as b."""
        keys, _, bounds = self.analysis.runs(text.words)
        keys = distinct_keys(keys, bounds)[0]
        found = view.look_up(keys, self._most - 1)
        docs = self._proposed(found)
        common = keys[found.counts >= self._most]
        return self._aligned(docs, texts_of(view, docs), text, common, LEAST_HITS)

    def short_passages(self, view: View, docs: Numbers, text: Text, least_length: int) -> Rows:
        """Return the verbatim passages, down to this length, of documents, as a, and the text, as b.

        All runs of words are looked at: of those that are kept, so little text may have none.
        """
        none = np.empty(0, np.uint64)
        dense = replace(self.analysis, winnowing=replace(self.analysis.winnowing, window=1))
        align = replace(self._align, least_length=least_length, soft=False)
        return self._aligned(docs, texts_of(view, docs), text, none, 1, (dense, align))

    @property
    def least_length(self) -> int:
        """Return the characters of the shortest passage."""
        return self._align.least_length

    @property
    def most_documents(self) -> int:
        """Return how many documents may share a run of words that is not boilerplate."""
        return self._most

    def between(self, own: bytes, other: bytes) -> tuple[Compared, Rows]:
        """Compare two texts, however little they share: on their shingles, and their passages."""
        text = self.text(other)
        none = np.empty(0, np.uint64)
        _, sets = self.analysis.taken_apart([own, other])
        pair = np.array([0]), np.array([1]), np.array([0])
        found = compared(fixed(sets.values), sets.bounds, *pair)
        return found, self._aligned(np.array([0]), [own], text, none, 1)

    def _aligned(
        self,
        docs: Numbers,
        texts: Sequence[bytes],
        text: Text,
        common: Hashes,
        least_hits: int,
        ways: tuple[Analysis, Align] | None = None,
    ) -> Rows:
        """Return the passages of documents and the text; the common runs are boilerplate."""
        if not len(docs):
            return []
        analysis, align = ways or (self.analysis, self._align)
        beside = analysis.beside(texts, text.own, np.sort(common), least_hits, REACH)
        itself = np.zeros(len(docs), np.bool_)
        pairs = *beside.sides(), itself, fixed(beside.hits), beside.bounds
        with self.contents.counting(text.words) as counted:
            numbers, *columns = align.passages(pairs, counted)
        numbers = np.asarray(numbers)
        sizes = beside.counted[numbers], np.full(len(numbers), beside.counted[-1])
        values = (column.tolist() for column in (docs[numbers], *columns, *sizes))
        return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*values, strict=True)]

    def _proposed(self, found: LookedUp) -> Numbers:
        """Return the documents that share enough rare runs of words with the text."""
        least = self.analysis.winnowing.least_worth
        chosen: Numbers = worthy(found.numbers, found.docs, found.counts, least)
        return chosen


def texts_of(view: View, docs: Numbers) -> Sequence[bytes]:
    """Return the texts of some documents."""
    return [view.text(doc) for doc in docs.tolist()]
