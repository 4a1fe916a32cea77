"""Shingles of words or characters of whole documents, written `word:5` or `char:64`.

They are not a `Signature`: those of characters are not made of words, and both are made in one pass over
the bytes of a text, which counts its words and characters too. The notation is read by the same parser.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Bytes, Hashes, Integers
from neardup.signatures.signature import Argument, Notation, read
from neardup.text import unicode_table


class ShingleSets(NamedTuple):
    """The distinct shingles of some texts end to end, where each text's begin, and of each text the
    numbers of its tokens and characters, and a digest of all its tokens in their order (or of all its
    characters, if its shingles are of these)."""

    values: Hashes
    bounds: Integers
    tokens: Integers
    characters: Integers
    digests: Hashes


@dataclass(frozen=True)
class Shingles:
    """Overlapping runs of `width` words, or of that many characters from the start of each word.

    >>> Shingles.parse("word:5")
    Shingles(kind='word', width=5)
    """

    kind: str
    width: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.width}"

    @classmethod
    def parse(cls, text: str) -> "Shingles":
        """Read the notation that users write."""
        return read(text, NOTATIONS, "shingle").made()

    def of(self, texts: pa.LargeStringArray) -> ShingleSets:
        """Return the shingles of each text; a null has none."""
        return self.of_bytes(*utf8(texts))

    def of_bytes(self, data: Bytes, offsets: Integers) -> ShingleSets:
        """Return the shingles of each text data[offsets[t]:offsets[t + 1]], in UTF-8."""
        from neardup.kernels import shingles

        kernel = shingles.shingle_words if self.kind == "word" else shingles.shingle_characters
        return ShingleSets(*kernel(data, offsets, self.width, unicode_table()))


NOTATIONS = {
    kind: Notation(kind, partial(Shingles, kind), (Argument("width", "N", 1, 1000),))
    for kind in ("word", "char")
}


def utf8(texts: Any) -> tuple[Bytes, Integers]:
    """Return the bytes of an array of large strings, and where each string begins and ends."""
    _, offsets, data = texts.buffers()
    bounds = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return np.asarray(_Bytes(data)) if data else np.empty(0, np.uint8), bounds


class _Bytes:
    """Memory of Arrow's as an array of which NumPy thinks that it can be written to.

    Some can be and some cannot, by where a table came from: kernels, which only read it, would be
    compiled for both.
    """

    def __init__(self, data: Any) -> None:
        self.data = data  # stays alive as long as the array
        place = data.address, False
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (data.size,), "data": place}
