"""The fields of threads as sets of signatures, whose values are each field's own."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Hashes, Integers
from neardup.signatures.shingles import utf8
from neardup.signatures.signature import Signature
from neardup.signatures.winnowing import Winnowing
from neardup.signatures.word_counts import Bounds, WordCounts, Words
from neardup.signatures.word_shingles import WordShingles
from neardup.text import unicode_table


class FieldSets(NamedTuple):
    """The sorted sets of some texts end to end, where each begins, and the texts' characters.

    The digest of a text is that of all its words in their order, where texts were read.
    """

    values: Words
    bounds: Bounds
    characters: Integers
    digests: Hashes | None = None


def sets_of_texts(signature: Signature, texts: pa.LargeStringArray, field: int) -> FieldSets:
    """Return the set of each text; if the signature must know the corpus, the words in their order."""
    from neardup.kernels.threads import field_sets, field_words

    data, offsets = utf8(texts)
    if isinstance(signature, WordShingles | Winnowing):  # faster in one pass
        salt = salt_of(field)
        return FieldSets(*field_sets(data, offsets, *signature.shape, salt, unicode_table()))
    words = FieldSets(*field_words(data, offsets, unicode_table()))
    if signature.counts:
        return words
    found = sets_of_words(signature, words.values, words.bounds, None, field)
    return found._replace(characters=words.characters, digests=words.digests)


def sets_of_words(
    signature: Signature, words: Words, bounds: Bounds, counts: WordCounts | None, field: int
) -> FieldSets:
    """Return the set of each text of which the words are given."""
    from neardup.kernels.threads import sort_sets

    values, starts = signature.of(words, bounds, counts)
    return FieldSets(values, sort_sets(values, starts, salt_of(field)), np.diff(bounds))


def salt_of(field: int) -> np.uint64:
    """Return what makes the values of a field its own, so that no other field has them."""
    return np.uint64((field + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)


class FieldCounts:
    """The words of those fields whose signatures must know the corpus: the state of a Fold."""

    def __init__(self, signatures: tuple[Signature, ...]) -> None:
        self.fields = len(signatures)
        self.counts = {
            number: WordCounts(signature.counts == "documents")
            for number, signature in enumerate(signatures)
            if signature.counts
        }

    def take(self, field: int, words: Words, bounds: Bounds) -> None:
        """Take in the words of one field of some threads."""
        if field in self.counts:
            self.counts[field].take(words, bounds)

    def merge(self, other: "FieldCounts") -> None:
        """Take in all that another one took in."""
        for field, counts in self.counts.items():
            counts.merge(other.counts[field])
