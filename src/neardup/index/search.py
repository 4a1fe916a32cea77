"""Looking a text up: the methods' own steps, with the index in place of their joins.

A text is compared as if it were one document more, behind all others: the rows are those that a run of
`documents` or `passages` over the index and the text would have for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.engines.lookup import BatchLookup
from neardup.index.analysis import Analysis, large_strings
from neardup.index.memory import Memory, View
from neardup.index.postings import Found
from neardup.kernels.winnowing import distinct_keys
from neardup.methods.align import Align, FindHits
from neardup.methods.candidates import rows_of_keys
from neardup.methods.passage_tables import FOUND
from neardup.methods.proposals import CommonKeys, KeptRuns, MarkRuns, WeighShared
from neardup.methods.verify import VERIFIED, Verify, needed
from neardup.settings import IndexSettings, Measure, QuerySettings

Numbers = npt.NDArray[np.int64]
CANDIDATES = pa.schema([(name, pa.int64()) for name in ("a", "b", "size_a", "size_b")])
PAIRS = pa.schema([("a", pa.int64()), ("b", pa.int64())])
SPARSE = 16  # documents for each posting from which on sorting is faster than counting in a table


@dataclass(frozen=True)
class Text:
    """A text to look up; its number is that behind all documents."""

    number: int
    own: bytes
    shingles: npt.NDArray[np.uint64]
    words: pa.RecordBatch


class Search:
    """Finds what documents of an index share with a text."""

    def __init__(self, memory: Memory, settings: IndexSettings) -> None:
        self.memory = memory
        self.analysis: Analysis = memory.analysis
        self._most = settings.max_documents
        chosen = settings.passages
        self._align = Align(
            chosen.min_length, chosen.min_sentences or 1, chosen.max_gap or 0, bool(chosen.soft)
        )

    def text(self, view: View, own: bytes) -> Text:
        """Take a text apart."""
        number = view.count
        return Text(number, own, self._shingles(own), self.analysis.words(np.array([number]), [own]))

    def _shingles(self, own: bytes) -> npt.NDArray[np.uint64]:
        return self.analysis.shingles.of(large_strings([own])).values

    def documents(self, view: View, text: Text, settings: QuerySettings) -> pa.RecordBatch:
        """Return the verified rows (a, b, similarity, …) of documents that are like the text."""
        docs = view.shingles.look_up(text.shingles, view.holes).docs
        candidates, common = tally(docs, view.count)
        size = np.full(len(candidates), len(text.shingles))
        least = needed(settings.measure, settings.threshold, view.sizes[candidates], size)
        return self.verified(
            view, text, candidates[common >= least], settings.measure, settings.threshold
        )

    def verified(
        self, view: View, text: Text, docs: Numbers, measure: Measure, threshold: float
    ) -> pa.RecordBatch:
        """Compare the text with some documents, which are sorted, on their whole sets of shingles."""
        return self._measured(docs, view.sizes[docs], self._texts(docs), text, measure, threshold)

    def _measured(
        self,
        docs: Numbers,
        sizes: Numbers,
        texts: Sequence[bytes],
        text: Text,
        measure: Measure,
        threshold: float,
    ) -> pa.RecordBatch:
        if not len(docs):
            return pa.RecordBatch.from_pylist([], VERIFIED)
        units = self.analysis.units(np.append(docs, text.number), [*texts, text.own])
        number, size = (np.full(len(docs), n) for n in (text.number, len(text.shingles)))
        batch = pa.RecordBatch.from_arrays([docs, number, sizes, size], schema=CANDIDATES)
        return Verify(measure, threshold)(batch, {"lookup": BatchLookup([units])})

    def passages(self, view: View, text: Text) -> pa.RecordBatch:
        """Return the passages that documents, as a, share with the text, as b."""
        keys, _, bounds = self.analysis.runs(text.words)
        keys = distinct_keys(keys, bounds)[0]
        found = view.runs.look_up(keys, view.holes, self._most - 1)
        docs = self._proposed(text.number, keys, found)
        common = keys[found.counts >= self._most]
        return self._aligned(docs, self._texts(docs), text, common, FindHits())

    def between(self, own: bytes, other: bytes) -> tuple[pa.RecordBatch, pa.RecordBatch]:
        """Compare two texts, however little they share: a row as in `documents`, and the passages."""
        text = Text(1, other, self._shingles(other), self.analysis.words(np.array([1]), [other]))
        docs = np.array([0])
        sizes = np.array([len(self._shingles(own))])
        found = self._measured(docs, sizes, [own], text, "resemblance", 0.0)
        none = np.empty(0, np.uint64)
        return found, self._aligned(docs, [own], text, none, FindHits(least=1))

    def _aligned(
        self,
        docs: Numbers,
        texts: Sequence[bytes],
        text: Text,
        common: npt.NDArray[np.uint64],
        find_hits: FindHits,
    ) -> pa.RecordBatch:
        """Return the passages of documents and the text; the common runs are boilerplate."""
        if not len(docs):
            return pa.RecordBatch.from_pylist([], FOUND)
        words = self.analysis.words(np.append(docs, text.number), [*texts, text.own])
        pairs = pa.RecordBatch.from_arrays([docs, np.full(len(docs), text.number)], schema=PAIRS)
        hits = find_hits(pairs, {"lookup": BatchLookup([self._marks(words, common)])})
        if not hits.num_rows:
            return pa.RecordBatch.from_pylist([], FOUND)
        with self.memory.counting(text.words) as counted:
            return self._align(hits, {"lookup": BatchLookup([words]), "words": counted})

    def _proposed(self, number: int, keys: npt.NDArray[np.uint64], found: Found) -> Numbers:
        """Return the documents that share enough rare runs of words with the text."""
        if not len(found.docs):
            return found.docs
        shared = keys[(found.counts > 0) & (found.counts < self._most)]
        docs = np.append(found.docs, np.full(len(shared), number))
        rows = rows_of_keys(
            docs, np.append(keys[found.numbers], shared), np.arange(len(docs) + 1)
        )
        weighed = WeighShared(self._most, number)(rows, {})
        enough = weighed["worth"].to_numpy() >= self.analysis.winnowing.least_worth
        chosen: Numbers = weighed["a"].to_numpy()[enough]
        return chosen

    def _marks(self, words: pa.RecordBatch, common: npt.NDArray[np.uint64]) -> pa.RecordBatch:
        """Return the marks of texts, without the runs that very many documents share."""
        known = CommonKeys()
        counts = np.zeros(len(common), np.int64)
        known.parts.append((common.view(np.int64), counts, counts))
        kept = KeptRuns(self.analysis.winnowing)(words, {})
        return MarkRuns()(kept, {"boilerplate_keys": known})

    def _texts(self, docs: Numbers) -> Sequence[bytes]:
        texts = self.memory.texts
        return [texts[doc] for doc in docs.tolist()]


def tally(docs: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """Return the distinct documents, sorted, and how often each occurs."""
    if len(docs) * SPARSE < count:
        found, often = np.unique(docs, return_counts=True)
        return found, often
    counts = np.bincount(docs, minlength=1)
    found = np.flatnonzero(counts)
    return found, counts[found]
