"""Which documents have a key: packed into a file in the order of the keys, and mapped into memory."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.store.files import CAN_READ_PIECES, Mapped, are_few, damaged, write

Hashes = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
A_BUCKET = 6  # as a power of two: the most postings of a bucket, about
MOST_STARTS = 64 << 20  # bytes that stay in memory
MOST_COPIED = 64 << 20  # bytes of buckets, of which a damaged file may say any size
PART = 14  # as a power of two: the buckets that are merged at a time
WHOLE_KEY = 64


class Shape(NamedTuple):
    """Bits: of a key, of a bucket's number, of the lower part of a key's code, of a document."""

    key: int
    bucket: int
    low: int
    doc: int

    @classmethod
    def made_for(cls, key: int, postings: int, documents: int) -> "Shape":
        """Return a good shape for so many postings of so many documents."""
        bucket = max(int(postings).bit_length() - A_BUCKET, 1)
        return cls(key, bucket, max(key - bucket - A_BUCKET, 0), max(int(documents - 1).bit_length(), 1))

    @property
    def buckets(self) -> int:
        """Return the number of buckets."""
        return 1 << self.bucket

    def sorted(self, keys: Hashes, docs: Numbers) -> tuple[Hashes, Numbers]:
        """Sort keys, which have this many bits, with their documents."""
        if self.key + self.doc > WHOLE_KEY:
            order = np.lexsort((docs, keys))
            return keys[order], docs[order]
        shift = np.uint64(self.doc)
        both = keys << shift | docs.astype(np.uint64)
        both.sort()
        return both >> shift, (both & np.uint64((1 << self.doc) - 1)).astype(np.int64)


class Found(NamedTuple):
    """Of each wanted key, where in some words its first document is, and how many have it."""

    words: Hashes
    begins: Numbers
    counts: Numbers


class Tally(NamedTuple):
    """Room to count documents in, for one thread: the table is zeros whenever nothing is counted."""

    table: npt.NDArray[np.int32]
    found: npt.NDArray[np.int32]

    @classmethod
    def of(cls, documents: int) -> "Tally":
        """Return room for so many documents."""
        return cls(np.zeros(documents, np.int32), np.empty(documents, np.int32))


class Packed:
    """The postings of one kind of key in a segment."""

    def __init__(self, mapped: Mapped, shape: Shape) -> None:
        self.mapped, self.shape = mapped, shape
        whole = np.frombuffer(mapped.bytes, np.uint64)
        self.starts = whole[: shape.buckets + 1].view(np.int64)
        self.words = whole[shape.buckets + 1 :]

    @property
    def looked_up_first(self) -> int:
        """Return the bytes that say where buckets begin, up to some size: each look-up reads there."""
        return min(self.starts.nbytes, MOST_STARTS)

    def expect(self, keys: int) -> None:
        """Tell the system how many keys are looked up next, in their order."""
        self.mapped.expect(at_random=are_few(keys, self.shape.buckets))

    def find(self, wanted: Hashes) -> Found:
        """Look keys up."""
        from neardup.kernels.packed import places

        buckets = (wanted >> np.uint64(WHOLE_KEY - self.shape.bucket)).view(np.int64)
        begins, ends = self.starts[buckets], self.starts[buckets + 1]
        words = self.words
        few = 8 * (ends - begins).sum() <= MOST_COPIED
        if few and self.mapped.is_at_random and CAN_READ_PIECES:
            words, begins, ends = self._read(begins, ends)
        found = Found(words, *places(words, (begins, ends), wanted, self.shape))
        if (found.counts < 0).any():
            raise damaged(self.mapped.path)
        return found

    def _read(self, begins: Numbers, ends: Numbers) -> tuple[Hashes, Numbers, Numbers]:
        """Return the words of buckets end to end, and where each of them begins and ends there.

        They are copied from what the system holds of the file. Pages that are mapped anew for each
        look-up take twice the time, are this process's memory, and cost all threads to be given back.
        """
        from neardup.kernels.pieces import read_pieces

        sizes = ends - begins
        if (begins < 0).any() or (sizes < 0).any() or (ends > len(self.words)).any():
            raise damaged(self.mapped.path)
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        words = np.empty(bounds[-1], np.uint64)
        at = begins + (self.shape.buckets + 1)
        number, done = self.mapped.number, 0
        while True:
            done += read_pieces(number, 8 * at[done:], 8 * sizes[done:], words[bounds[done] :])
            if done == len(sizes):
                return words, bounds[:-1], bounds[1:]
            words[bounds[done] : bounds[done + 1]] = self._read_again(number, at[done], sizes[done])
            done += 1

    def _read_again(self, number: int, at: int, size: int) -> Hashes:
        """Return words that could not be read, by Python: it goes on where a signal interrupted it."""
        try:
            return np.frombuffer(os.pread(number, 8 * size, 8 * at), np.uint64, size)
        except (OSError, ValueError) as error:
            raise damaged(self.mapped.path, "a file of this index cannot be read") from error

    def docs(self, found: Found) -> tuple[Numbers, Numbers]:
        """Return the number of the wanted key, and a document that has it, for all there are."""
        from neardup.kernels.packed import docs_at

        numbers, docs = docs_at(*found, self.shape.doc)
        return numbers, docs

    def near(
        self, wanted: Hashes, room: Tally, documents: tuple[Any, Any], size: int, least: float
    ) -> Numbers:
        """Return the documents that may share this part of the smaller set with a text of these keys.

        None that does is missing. Given are the sizes of documents and which are gone; `size` is that of
        the text, of which some keys may be left out.
        """
        from neardup.kernels.packed import near_at

        found = self.find(wanted)
        near: Numbers = near_at(found.words, found[1:], self.shape.doc, room, documents, size, least)
        return near

    def part(self, number: int, bits: int) -> tuple[Hashes, Numbers]:
        """Return the sorted keys that begin with these bits, and their documents."""
        from neardup.kernels.packed import unpack

        shift = self.shape.bucket - bits
        first, count = (number << shift, 1 << shift) if shift >= 0 else (number >> -shift, 1)
        keys, docs, whole = unpack(self.words, self.starts, first, count, self.shape)
        if whole < count:
            raise damaged(self.mapped.path)
        if shift < 0:  # a bucket has more than what is asked for
            own = keys >> np.uint64(self.shape.key - bits) == np.uint64(number)
            keys, docs = keys[own], docs[own]
        return keys, docs


def write_packed(
    path: Path, shape: Shape, parts: Iterable[tuple[Hashes, Numbers]], bits: int = 0
) -> tuple[int, int]:
    """Write sorted postings, a part for each beginning of so many bits; return bytes and postings."""
    from neardup.kernels.packed import pack

    starts = np.zeros(shape.buckets + 1, np.int64)
    buckets, first, rows = shape.buckets >> bits, 0, 0
    with path.open("wb") as file:
        file.seek(starts.nbytes)
        for keys, docs in parts:
            words, ends = pack(keys, docs, first, buckets, shape)
            starts[first + 1 : first + buckets + 1] = starts[first] + ends
            write(file, words)
            first += buckets
            rows += len(keys)
        file.seek(0)
        write(file, starts)
    return int(starts.nbytes + 8 * starts[-1]), rows


def parts_of(shape: Shape) -> int:
    """Return in how many parts, as a power of two, postings are merged, so that each is small."""
    return max(shape.bucket - PART, 0)
