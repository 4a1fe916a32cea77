"""What is remembered of a text, made by the methods' own kernels: shingles, words, kept runs of words.

Arrays that the methods take out of Arrow's memory cannot be written to; those here are marked so, too,
as kernels are compiled for either kind.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.index.settings import IndexSettings
from neardup.kernels.beside import Beside, beside_last
from neardup.kernels.shingles import shingle_hashes
from neardup.kernels.texts import PARAGRAPHS, split_texts
from neardup.signatures.shingles import Shingles
from neardup.signatures.winnowing import Winnowing
from neardup.store.postings import Hashes, Numbers
from neardup.text import unicode_table

ONE_IN = 16  # shingles that a compact index keeps of a text
FEW = 8  # or so many, of a short one
LETTER = re.compile(rb"[A-Za-z0-9]")  # a text with one of these has a word


class Owned(NamedTuple):
    """Keys, and beside each the document that has it."""

    keys: Hashes
    docs: Numbers


class Sets(NamedTuple):
    """Distinct keys of texts end to end, and where each text's begin."""

    values: Hashes
    bounds: Numbers


class Words(NamedTuple):
    """Texts split into words and sentences, end to end: hashes, places, and where each text's begin."""

    words: Hashes
    starts: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int32]
    bounds: Numbers
    sentences: npt.NDArray[np.int32]
    sentence_bounds: Numbers


class Remembered(NamedTuple):
    """What an index remembers of some texts."""

    sizes: Numbers
    shingles: Owned
    runs: Owned
    words: Words


class Remembers(Protocol):
    """What makes texts of records, and takes them apart, always in the same way."""

    def texts_in(self, batch: pa.RecordBatch) -> list[bytes]:
        """Return the texts of records, nothing for those without one."""

    def has_words(self, text: bytes) -> bool:
        """Return whether a text has a word."""

    def remembered(self, docs: Numbers, texts: Sequence[bytes]) -> Remembered:
        """Return what is remembered of texts with these numbers."""


@dataclass(frozen=True)
class Analysis:
    """Makes shingles, words and runs of texts, always in the same way."""

    shingles: Shingles
    winnowing: Winnowing
    compact: bool = False

    @classmethod
    def of(cls, settings: IndexSettings) -> "Analysis":
        """Return the analysis that an index was built with."""
        return cls(Shingles.parse(settings.shingle), settings.winnowing, settings.compact)

    def texts_in(self, batch: pa.RecordBatch) -> list[bytes]:
        """Return the texts of records, nothing for those without one."""
        return [(text or "").encode("utf-8", "replace") for text in batch["text"].to_pylist()]

    def has_words(self, text: bytes) -> bool:
        """Return whether a text has a word."""
        return bool(LETTER.search(text) or self.remembered(np.arange(1), [text]).sizes[0])

    def remembered(self, docs: Numbers, texts: Sequence[bytes]) -> Remembered:
        """Return what is remembered of texts with these numbers."""
        words, sets = self.taken_apart(texts)
        runs = owned(docs, Sets(*self.winnowing.of(fixed(words.words, np.uint64), words.bounds, None)))
        kept = sampled(sets) if self.compact else sets
        return Remembered(np.diff(kept.bounds), owned(docs, kept), runs, words)

    def asked(self, size: int, least: float) -> tuple[int, float]:
        """Return the size and the share by which others are found for a text.

        Of those that a compact index keeps, half as many as there should be are enough: chance decides.
        """
        return (max(size // ONE_IN, 1), least / 2) if self.compact else (size, least)

    def taken_apart(self, texts: Sequence[bytes]) -> tuple[Words, Sets]:
        """Return the words of texts, and their distinct shingles."""
        data = end_to_end(texts)
        words = Words(*split_texts(*data, unicode_table(), PARAGRAPHS)[:6])
        if self.shingles.kind == "word":
            return words, Sets(*shingle_hashes(words.words, words.bounds, self.shingles.width))
        return words, Sets(*self.shingles.of_bytes(*data)[:2])

    def words(self, texts: Sequence[bytes]) -> Words:
        """Split texts as the method `passages` does where no language is given."""
        return Words(*split_texts(*end_to_end(texts), unicode_table(), PARAGRAPHS)[:6])

    def runs(self, words: Words) -> tuple[Hashes, npt.NDArray[np.int32], Numbers]:
        """Return the kept runs of each text end to end: hashes, places, where each text's begin."""
        return self.winnowing.runs(fixed(words.words), words.bounds)

    def beside(
        self, texts: Sequence[bytes], own: bytes, common: Hashes, least: int, reach: int
    ) -> Beside:
        """Return the words of texts and of one more, and the runs that each shares with that one.

        The sorted common runs are left out, and all of those that do not lie together.
        """
        both = *end_to_end([*texts, own]), unicode_table()
        return Beside(*beside_last(*both, *self.winnowing.shape, common, least, reach))


def end_to_end(texts: Sequence[bytes]) -> tuple[npt.NDArray[np.uint8], Numbers]:
    """Return the bytes of texts, and where each begins and ends.

    They can be written to, as those of batches can be: kernels are compiled once for both.
    """
    bounds = np.fromiter(accumulate(map(len, texts), initial=0), np.int64, len(texts) + 1)
    return np.frombuffer(bytearray().join(texts), np.uint8), bounds


def owned(docs: Numbers, sets: Sets) -> Owned:
    """Put the document beside each key of its text."""
    return Owned(sets.values, docs.repeat(sets.bounds[1:] - sets.bounds[:-1]))


def sampled(sets: Sets) -> Sets:
    """Return a few keys of each text, always the same ones: the least ones by their lower bits.

    The rarest ones of a text would be those of what was changed in it, which no other version has.
    """
    sizes = np.diff(sets.bounds)
    counts = np.minimum(sizes, np.maximum(sizes // ONE_IN, FEW))
    owners = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((sets.values << np.uint64(24), owners))
    rank = np.arange(len(order)) - np.repeat(sets.bounds[:-1], sizes)
    return Sets(sets.values[order[rank < counts[owners]]], np.concatenate([[0], np.cumsum(counts)]))


def fixed(values: npt.NDArray[Any], kind: Any = np.int64) -> npt.NDArray[Any]:
    """Return an array as the methods take it out of Arrow's memory: signed, and not to be written to."""
    view: npt.NDArray[Any] = values.view(kind)
    view.setflags(write=False)
    return view
