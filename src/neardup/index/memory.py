"""An index in memory: all that look-ups need, for many readers and one writer at a time."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.index.analysis import Analysis, Remembered, Words, fixed
from neardup.index.postings import Postings, sorted_keys
from neardup.kernels.inverted import discount_words
from neardup.methods.align import CountedWords

MOST_GONE = 0.25  # the share of removed documents from which on their keys are thrown away


class About(NamedTuple):
    """What is known of a document beside its text."""

    id: str
    title: str | None = None
    url: str | None = None
    date: str | None = None


class View(NamedTuple):
    """What there is at one moment: documents 0 to `reach`, but for those that are gone."""

    reach: int
    gone: npt.NDArray[np.bool_]
    removed: int
    sizes: npt.NDArray[np.int64]
    shingles: Postings
    runs: Postings

    @property
    def holes(self) -> npt.NDArray[np.bool_] | None:
        """Return which documents are gone, None if none is."""
        return self.gone if self.removed else None


class Memory:
    """The texts by number, and the postings of their keys.

    A reader takes the `view` once and works with that: nothing in it changes. Lists only grow.
    """

    def __init__(self, analysis: Analysis, soft: bool) -> None:
        self.analysis = analysis
        self.texts: list[bytes] = []
        self.about: list[About | None] = []
        self.view = View(
            0, np.zeros(1024, np.bool_), 0, np.zeros(1024, np.int64), Postings(), Postings()
        )
        self._soft = soft
        self._words = CountedWords()
        self._words_lock = threading.RLock()

    def add(
        self,
        docs: npt.NDArray[np.int64],
        about: Sequence[About],
        sizes: npt.NDArray[np.int64],
        texts: Sequence[bytes],
        remembered: Remembered | None,
    ) -> None:
        """Take in documents with these numbers, ascending; without `remembered`, their keys are here."""
        view = self.view
        count = int(docs[-1]) + 1
        self._make_room(count)
        for doc, own, text in zip(docs.tolist(), about, texts, strict=True):
            self.about[doc], self.texts[doc] = own, text
        gone, all_sizes = (grown(array, count) for array in (view.gone, view.sizes))
        gone[view.reach : count] = True
        gone[docs] = False
        all_sizes[docs] = sizes
        shingles, runs = view.shingles, view.runs
        if remembered:
            shingles = shingles.with_keys(*sorted_keys(*remembered.shingles), gone)
            runs = runs.with_keys(*sorted_keys(*remembered.runs), gone)
        if self._soft:
            self._count(remembered.words if remembered else self.analysis.words(texts))
        removed = view.removed + count - view.reach - len(docs)
        self.view = View(count, gone, removed, all_sizes, shingles, runs)

    def fill_up(self, count: int) -> None:
        """Take it that there were so many documents; those that never came are gone."""
        view = self.view
        self._make_room(count)
        gone = grown(view.gone, count)
        gone[view.reach : count] = True
        self.view = view._replace(reach=count, gone=gone, removed=view.removed + count - view.reach)

    def _make_room(self, count: int) -> None:
        missing = count - len(self.texts)
        self.texts += [b""] * missing
        self.about += [None] * missing

    def load(self, name: str, keys: npt.NDArray[np.uint64], docs: npt.NDArray[np.int32]) -> None:
        """Take in stored postings, sorted by key; the documents follow."""
        nothing_gone = np.zeros(int(docs.max(initial=-1)) + 1, np.bool_)
        before = getattr(self.view, name)
        self.view = self.view._replace(**{name: before.with_keys(keys, docs, nothing_gone)})

    def remove(self, docs: Sequence[int]) -> None:
        """Forget documents."""
        if not docs:
            return
        view = self.view
        gone = view.gone.copy()
        gone[list(docs)] = True
        if self._soft:
            self._discount(self.analysis.words([self.texts[doc] for doc in docs]))
        removed = view.removed + len(docs)
        view = view._replace(gone=gone, removed=removed)
        if removed > MOST_GONE * view.reach:
            view = view._replace(shingles=view.shingles.without(gone), runs=view.runs.without(gone))
        self.view = view
        for doc in docs:
            self.texts[doc] = b""

    @contextmanager
    def counting(self, words: Words) -> Iterator[CountedWords]:
        """Give how often each word occurs, in these texts as well, for as long as it is needed."""
        if not self._soft:
            yield self._words
            return
        with self._words_lock:
            self._count(words)
            try:
                yield self._words
            finally:
                self._discount(words)

    def _count(self, words: Words) -> None:
        with self._words_lock:
            self._words.take(fixed(words.words, np.uint64), words.bounds)
            self._words.sentences += len(words.sentences)

    def _discount(self, words: Words) -> None:
        with self._words_lock:
            discount_words(self._words.table, words.words)
            self._words.sentences -= len(words.sentences)


def grown(array: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    """Return an array with room for so many values: itself, or a longer copy.

    Values behind those in use may be written: no reader looks at them.
    """
    if count <= len(array):
        return array
    longer = np.zeros(max(count, 2 * len(array)), array.dtype)
    longer[: len(array)] = array
    return longer
