"""Signatures of the fields of a thread, written shingles:3, winnowing:5,3, imatch or spotsigs:50."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.methods.threads.settings import parse_signature
from neardup.signatures.imatch import IMatch
from neardup.signatures.sentences import Bounds, SentenceSignature, WordCounts, Words
from neardup.signatures.shingles import utf8
from neardup.signatures.spotsigs import SpotSigs
from neardup.text import unicode_table

IDF = (0.1, 0.9)  # of the words that I-Match keeps, as in the paper


class FieldSets(NamedTuple):
    """The sorted sets of some texts end to end, where each begins, and the texts' characters."""

    values: Words
    bounds: Bounds
    characters: npt.NDArray[np.int64]


@dataclass(frozen=True)
class FieldSignature:
    """How the text of a field becomes a set: runs of words, or a signature that must know the corpus.

    >>> FieldSignature.parse("winnowing:5,3")
    FieldSignature(width=5, window=3, by_words=None)
    """

    width: int = 0
    window: int = 1
    by_words: SentenceSignature | None = None

    @classmethod
    def parse(cls, text: str) -> "FieldSignature":
        """Read the notation that users write."""
        kind, given = parse_signature(text)
        if kind == "imatch":
            low, high = given or IDF
            return cls(by_words=IMatch(low, high, least=1))
        if kind == "spotsigs":
            return cls(by_words=SpotSigs(int(given[0]) if given else None, least=1))
        return cls(int(given[0]), int(given[1]) if kind == "winnowing" else 1)

    def of(self, texts: pa.LargeStringArray, field: int) -> FieldSets:
        """Return the set of each text; with `by_words`, the words in their order."""
        from neardup.kernels.threads import field_sets, field_words

        data, offsets = utf8(texts)
        if self.by_words:
            return FieldSets(*field_words(data, offsets, unicode_table()))
        salt = salt_of(field)
        return FieldSets(*field_sets(data, offsets, self.width, self.window, salt, unicode_table()))

    def of_words(self, words: Words, bounds: Bounds, counts: WordCounts, field: int) -> FieldSets:
        """Return the set of each text of which the words are given."""
        from neardup.kernels.threads import sort_sets

        if self.by_words is None:
            raise ValueError("these are sets already")
        values, starts = self.by_words.of(words, bounds, counts)
        return FieldSets(values, sort_sets(values, starts, salt_of(field)), np.diff(bounds))


def salt_of(field: int) -> Any:
    """Return what makes the values of a field its own, so that no other field has them."""
    return np.uint64((field + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)


class FieldCounts:
    """The words of those fields whose signatures must know the corpus: the state of a Fold."""

    def __init__(self, signatures: tuple[FieldSignature, ...]) -> None:
        self.fields = len(signatures)
        self.counts = {
            number: WordCounts(s.by_words.counts == "documents")
            for number, s in enumerate(signatures)
            if s.by_words
        }

    def take(self, field: int, words: Words, bounds: Bounds) -> None:
        """Take in the words of one field of some threads."""
        if field in self.counts:
            self.counts[field].take(words, bounds)

    def merge(self, other: "FieldCounts") -> None:
        """Take in all that another one took in."""
        for field, counts in self.counts.items():
            counts.merge(other.counts[field])
