"""What is remembered of a text, made by the methods' own parts: shingles, words, kept runs of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.kernels.texts import split_texts
from neardup.kernels.winnowing import distinct_keys
from neardup.methods.proposals import Winnowing
from neardup.methods.texts import list_column
from neardup.methods.units import from_lists, to_lists
from neardup.settings import IndexSettings
from neardup.signatures.shingles import Shingles, utf8
from neardup.text import unicode_table

Keys = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


class Owned(NamedTuple):
    """Keys, and beside each the document that has it."""

    keys: Keys
    docs: Numbers


class Remembered(NamedTuple):
    """What an index remembers of some texts; `words` has a row a text."""

    sizes: Numbers
    shingles: Owned
    runs: Owned
    words: pa.RecordBatch


@dataclass(frozen=True)
class Analysis:
    """Makes shingles, words and runs of texts, always in the same way."""

    shingles: Shingles
    winnowing: Winnowing

    @classmethod
    def of(cls, settings: IndexSettings) -> "Analysis":
        """Return the analysis that an index was built with."""
        return cls(Shingles.parse(settings.shingle), Winnowing.parse(settings.signature))

    def remembered(self, docs: Numbers, texts: Sequence[bytes]) -> Remembered:
        """Return what is remembered of texts with these numbers."""
        sets = self.shingles.of(large_strings(texts))
        sizes = np.diff(sets.bounds)
        words = self.words(docs, texts)
        keys, bounds = distinct_keys(*self.runs(words)[::2])
        return Remembered(
            sizes,
            Owned(sets.values, np.repeat(docs, sizes)),
            Owned(keys, np.repeat(docs, np.diff(bounds))),
            words,
        )

    def units(self, docs: Numbers, texts: Sequence[bytes]) -> pa.RecordBatch:
        """Return the rows (doc, shingles) of texts."""
        sets = self.shingles.of(large_strings(texts))
        columns = [pa.array(docs), to_lists(sets.values, sets.bounds)]
        return pa.RecordBatch.from_arrays(columns, ["doc", "shingles"])

    def words(self, docs: Numbers, texts: Sequence[bytes]) -> pa.RecordBatch:
        """Return a row a text: its words and sentences, as the method `passages` splits them."""
        found = split_texts(*utf8(large_strings(texts)), unicode_table())
        words, starts, ends, bounds, sentences, sentence_bounds, _ = found
        columns = {
            "doc": pa.array(docs),
            "words": to_lists(words, bounds),
            "starts": list_column(starts, bounds),
            "ends": list_column(ends, bounds),
            "sentences": list_column(sentences, sentence_bounds),
        }
        return pa.RecordBatch.from_arrays(list(columns.values()), list(columns))

    def runs(self, words: pa.RecordBatch) -> tuple[Keys, npt.NDArray[np.int32], Numbers]:
        """Return the kept runs of each text end to end: hashes, places, where each text's begin."""
        return self.winnowing.runs(words)


def large_strings(texts: Sequence[bytes]) -> pa.Array:
    """Return texts as the kernels take them."""
    return pa.array(texts, pa.large_string())


def words_of(batch: pa.RecordBatch) -> Keys:
    """Return the hashes of all words of some texts."""
    words, bounds = from_lists(batch["words"])
    return words[bounds[0] : bounds[-1]].view(np.uint64)
