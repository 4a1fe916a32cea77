"""Looking a text up: the methods' own parts, with the index in place of their joins.

A text is compared as if it were one document more, behind all others: what is found is what a run of
`documents` or `passages` over the index and the text would find for it.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.index.analysis import Analysis, large_strings
from neardup.index.memory import Memory, View
from neardup.index.postings import Found
from neardup.kernels.inverted import summed_worth, tallied
from neardup.kernels.lists import Lists
from neardup.kernels.winnowing import distinct_keys
from neardup.methods.align import Align, FindHits
from neardup.methods.passage_tables import FOUND
from neardup.methods.proposals import CommonKeys, KeptRuns, MarkRuns
from neardup.methods.verify import Compared, compared, needed
from neardup.settings import IndexSettings, QuerySettings

Numbers = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]
PAIRS = pa.schema([("a", pa.int64()), ("b", pa.int64())])


@dataclass(frozen=True)
class Text:
    """A text to look up; its number is that behind all documents."""

    number: int
    own: bytes
    shingles: Keys
    words: pa.RecordBatch


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

    def text(self, own: bytes, number: int) -> Text:
        """Take a text apart."""
        shingles = self.analysis.shingles.of(large_strings([own])).values
        return Text(number, own, shingles, self.analysis.words(np.array([number]), [own]))

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

    def passages(self, view: View, text: Text) -> pa.RecordBatch:
        """Return the passages that documents, as a, share with the text, as b."""
        keys, _, bounds = self.analysis.runs(text.words)
        keys = distinct_keys(keys, bounds)[0]
        found = view.runs.look_up(keys, view.holes, self._most - 1)
        docs = self._proposed(found)
        common = keys[found.counts >= self._most]
        return self._aligned(docs, self._texts(docs), text, common, FindHits())

    def between(self, own: bytes, other: bytes) -> tuple[Compared, pa.RecordBatch]:
        """Compare two texts, however little they share: on their shingles, and their passages."""
        text = self.text(other, 1)
        none = np.empty(0, np.uint64)
        found = self._aligned(np.array([0]), [own], text, none, FindHits(least=1))
        return self._compared([own], text), found

    def _compared(self, texts: Sequence[bytes], text: Text) -> Compared:
        sets = self.analysis.shingles.of(large_strings([*texts, text.own]))
        count = len(texts)
        left, right = np.arange(count), np.full(count, count)
        return compared(sets.values, sets.bounds, left, right, np.zeros(count, np.int64))

    def _aligned(
        self,
        docs: Numbers,
        texts: Sequence[bytes],
        text: Text,
        common: Keys,
        find_hits: FindHits,
    ) -> pa.RecordBatch:
        """Return the passages of documents and the text; the common runs are boilerplate."""
        if not len(docs):
            return pa.RecordBatch.from_pylist([], FOUND)
        words = self.analysis.words(np.append(docs, text.number), [*texts, text.own])
        pairs = pa.RecordBatch.from_arrays([docs, np.full(len(docs), text.number)], schema=PAIRS)
        hits = find_hits(pairs, {"lookup": Rows(self._marks(words, common))})
        if not hits.num_rows:
            return pa.RecordBatch.from_pylist([], FOUND)
        with self.memory.counting(text.words) as counted:
            return self._align(hits, {"lookup": Rows(words), "words": counted})

    def _proposed(self, found: Found) -> Numbers:
        """Return the documents that share enough rare runs of words with the text."""
        docs, rows = np.unique(found.docs, return_inverse=True)
        worth = summed_worth(found.numbers, rows, found.counts, len(docs))
        chosen: Numbers = docs[worth >= self.analysis.winnowing.least_worth]
        return chosen

    def _marks(self, words: pa.RecordBatch, common: Keys) -> pa.RecordBatch:
        """Return the marks of texts, without the runs that very many documents share."""
        known = CommonKeys()
        counts = np.zeros(len(common), np.int64)
        known.parts.append((common.view(np.int64), counts, counts))
        kept = KeptRuns(self.analysis.winnowing)(words, {})
        return MarkRuns()(kept, {"boilerplate_keys": known})

    def _texts(self, docs: Numbers) -> Sequence[bytes]:
        texts = self.memory.texts
        return [texts[doc] for doc in docs.tolist()]


class Rows:
    """Rows of one batch, sorted by document, for the steps that look rows up."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self._batch = batch
        self._docs = batch["doc"].to_numpy()

    def lists(self, column: str, keys: Numbers) -> Lists:
        """Return where the lists of these documents lie; all of them are here."""
        rows = np.searchsorted(self._docs, keys)
        lists = self._batch[column]
        bounds, values = lists.offsets.to_numpy(), lists.values
        begin = values.buffers()[1].address if len(values) else 0
        starts = bounds[rows]
        addresses = begin + starts.astype(np.int64) * (values.type.bit_width // 8)
        return Lists(addresses, bounds[rows + 1] - starts)

    def portions(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield a batch as it is: all is in memory."""
        yield batch
