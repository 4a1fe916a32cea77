"""How often each word occurs in an index: what rewritten passages are weighed by."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import pyarrow as pa

from neardup.index.analysis import Analysis, Words, fixed
from neardup.kernels.inverted import discount_words
from neardup.methods.passages.align import CountedWords
from neardup.methods.passages.given import SENTENCES, WORDS
from neardup.readers.records import collected

PORTION = 4 << 20  # bytes of text that are split together


class Counts:
    """Counters of words that documents are added to, and taken from, by any thread."""

    def __init__(self, data: bytes | None = None) -> None:
        self._words = CountedWords()
        self._lock = threading.RLock()
        if data:
            codec, size = pa.Codec("zstd"), int.from_bytes(data[:8], "little")
            found = np.frombuffer(codec.decompress(data[8:], size, asbytes=True), np.uint32)
            self._words.sentences = int(found[:2].view(np.int64)[0])
            cells, counts = found[2:].reshape(2, -1)
            self._words.table[cells] = counts

    def stored(self) -> bytes:
        """Return the counters as they are stored."""
        table = self._words.table
        cells = np.flatnonzero(table)
        head = np.array([self._words.sentences], np.int64).view(np.uint32)
        data = np.concatenate([head, cells.astype(np.uint32), table[cells]]).tobytes()
        return len(data).to_bytes(8, "little") + bytes(pa.Codec("zstd").compress(data, asbytes=True))

    def copy(self) -> "Counts":
        """Return the same counts, for somebody who goes on with them."""
        with self._lock:
            return Counts().plus(self)

    def rows(self) -> pa.Table:
        """Return the counters, as a run is given them."""
        table = self._words.table
        cells = np.flatnonzero(table)
        amounts = np.append(table[cells].astype(np.int64), self._words.sentences)
        return pa.table([np.append(cells, SENTENCES), amounts], schema=WORDS)

    def add(self, words: Words) -> None:
        """Count the words of some texts."""
        with self._lock:
            self._words.take(fixed(words.words, np.uint64), words.bounds)
            self._words.sentences += len(words.sentences)

    def plus(self, more: "Counts") -> "Counts":
        """Add all that another one counted, and return these."""
        self._words.merge(more._words)
        return self

    def take_away(self, words: Words) -> None:
        """Take back what was counted of some texts."""
        with self._lock:
            discount_words(self._words.table, words.words)
            self._words.sentences -= len(words.sentences)

    def take_away_texts(self, analysis: Analysis, texts: Iterable[bytes]) -> None:
        """Take back what was counted of texts that are gone."""
        for part in collected(texts, len, PORTION):
            self.take_away(analysis.words(part))

    @contextmanager
    def counting(self, words: Words) -> Iterator[CountedWords]:
        """Give how often each word occurs, in these texts as well, for as long as it is needed."""
        with self._lock:
            self.add(words)
            try:
                yield self._words
            finally:
                self.take_away(words)
