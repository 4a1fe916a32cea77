"""How common words are: what some signatures must know of the corpus."""

from functools import cached_property

import numpy as np

from neardup.arrays import Bools, Hashes, Integers

CELLS = 1 << 22  # 16 MB of counters: more than most corpora have different words
STOP_WORDS, STOP_SHARE = 40, 0.4  # the most words that chains skip, and what share of all words

Words = Hashes
Bounds = Integers


class WordCounts:
    """How often each word occurs, or in how many documents: hashed counters in bounded memory.

    A count is never too low. It is too high for a word that shares its counter with another: with a
    million different words for about one in five, and then mostly by the few of a rare word.
    """

    def __init__(self, once: bool, cells: int = CELLS) -> None:
        """Count each word once a document, or every time."""
        self.once = once
        self.table = np.zeros(cells, np.uint32)
        self.documents = 0
        self._marks: dict[int, Bools] = {}

    def take(self, words: Words, bounds: Bounds) -> None:
        """Take in documents: their words, and where each one's begin."""
        from neardup.kernels.sentence_signatures import count_words

        count_words(self.table, words, bounds, self.once)
        self.documents += int(np.count_nonzero(np.diff(bounds)))

    def merge(self, other: "WordCounts") -> None:
        """Take in all that another one took in."""
        from neardup.kernels.sentence_signatures import add_counts

        add_counts(self.table, other.table)
        self.documents += other.documents

    @cached_property
    def vocabulary(self) -> int:
        """Return the number of different words, roughly."""
        return int(np.count_nonzero(self.table))

    @cached_property
    def stop_words(self) -> int:
        """Return how many of the most frequent words say least: 40, fewer in a small corpus."""
        return min(STOP_WORDS, self.covering(STOP_SHARE))

    def covering(self, share: float) -> int:
        """Return how many of the most frequent words make up this share of all at most."""
        total = np.cumsum(np.sort(self.table[self.table > 0])[::-1], dtype=np.float64)
        return int(np.searchsorted(total, share * total[-1], side="right")) if len(total) else 0

    def most_frequent(self, count: int) -> Bools:
        """Mark the cells of the given number of words, those that occur most."""
        if count not in self._marks:
            self._marks[count] = self._most_frequent(min(count, self.vocabulary))
        return self._marks[count]

    def _most_frequent(self, count: int) -> Bools:
        if not count:
            return np.zeros(len(self.table), np.bool_)
        least = np.partition(self.table, len(self.table) - count)[len(self.table) - count]
        chosen: Bools = self.table > least
        ties = np.flatnonzero(self.table == least)
        chosen[ties[: count - np.count_nonzero(chosen)]] = True
        return chosen
