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
from neardup.methods.passages.align import CountedWords

KINDS = ("shingles", "runs")
MANY_KEYS = 1 << 15  # that are sorted together
MOST_GONE = 0.25  # the share of removed documents at which their keys are thrown away


class About(NamedTuple):
    """What is known of a document besides its text."""

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

    A reader takes the `view` once and works with that: nothing in it changes. Lists only grow. Keys of
    documents that come one by one wait until somebody takes a view, or until they are many: to sort
    many at once is cheaper. Whoever takes a view makes them a segment of their own; the writer alone
    merges segments, which may take long, and waits for no reader.
    """

    def __init__(self, analysis: Analysis, soft: bool) -> None:
        self.analysis = analysis
        self.texts: list[bytes] = []
        self.about: list[About | None] = []
        self._view = View(
            0, np.zeros(1024, np.bool_), 0, np.zeros(1024, np.int64), Postings(), Postings()
        )
        self._waiting: list[Remembered] = []  # whose keys are not in the view
        self._waiting_keys = 0
        self._viewing = threading.Lock()
        self._soft = soft
        self._words = CountedWords()
        self._words_lock = threading.RLock()

    @property
    def view(self) -> View:
        """Return what there is now."""
        with self._viewing:
            if self._waiting:
                self._view = self._view._replace(
                    **{name: getattr(self._view, name).with_more(*self._sorted(name)) for name in KINDS}
                )
                self._waiting, self._waiting_keys = [], 0
            return self._view

    def _sorted(self, name: str) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
        """Return the waiting keys of a kind and their documents, sorted."""
        parts = [getattr(remembered, name) for remembered in self._waiting]
        keys, docs = (np.concatenate(column) for column in zip(*parts, strict=True))
        return sorted_keys(keys, docs)

    def _settle(self) -> None:
        """Merge segments; while this takes its time nobody else changes the view, as no keys wait."""
        view = self.view
        self._view = view._replace(
            shingles=view.shingles.merged(view.gone), runs=view.runs.merged(view.gone)
        )

    def add(
        self,
        docs: npt.NDArray[np.int64],
        about: Sequence[About],
        texts: Sequence[bytes],
        remembered: Remembered | None,
    ) -> None:
        """Take in documents with these numbers, ascending; without `remembered`, their keys are here."""
        if self._soft:
            self._count(remembered.words if remembered else self.analysis.words(texts))
        count = int(docs[-1]) + 1
        self._make_room(count)
        for doc, own, text in zip(docs.tolist(), about, texts, strict=True):
            self.about[doc], self.texts[doc] = own, text
        with self._viewing:
            view = self._view
            gone, all_sizes = grown(view.gone, count), grown(view.sizes, count)
            gone[view.reach : count] = True
            gone[docs] = False
            if remembered:
                all_sizes[docs] = remembered.sizes
            removed = view.removed + count - view.reach - len(docs)
            self._view = View(count, gone, removed, all_sizes, view.shingles, view.runs)
            if remembered:
                self._waiting.append(remembered)
                self._waiting_keys += len(remembered.shingles.keys)
        if self._waiting_keys >= MANY_KEYS or view.shingles.is_scattered:
            self._settle()

    def fill_up(self, count: int) -> None:
        """Take it that there were this many documents; those that never came are gone."""
        view = self.view
        self._make_room(count)
        gone = grown(view.gone, count)
        gone[view.reach : count] = True
        self._view = view._replace(reach=count, gone=gone, removed=view.removed + count - view.reach)

    def _make_room(self, count: int) -> None:
        missing = count - len(self.texts)
        self.texts += [b""] * missing
        self.about += [None] * missing

    def load(self, name: str, keys: npt.NDArray[np.uint64], docs: npt.NDArray[np.int32]) -> None:
        """Take in stored postings, sorted by key; the documents follow."""
        count = int(docs.max(initial=-1)) + 1
        before = getattr(self._view, name)
        after = before.with_more(keys, docs).merged(np.zeros(count, np.bool_))
        self._view = self._view._replace(**{name: after})
        if name == "shingles":
            sizes = grown(self._view.sizes, count)
            sizes[:count] += np.bincount(docs, minlength=count)
            self._view = self._view._replace(sizes=sizes)

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
        self._view = view
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
    """Return an array with room for the given number of values: itself, or a longer copy.

    Values behind those in use may be written: no reader looks at them.
    """
    if count <= len(array):
        return array
    longer = np.zeros(max(count, 2 * len(array)), array.dtype)
    longer[: len(array)] = array
    return longer
