"""The texts of a segment, in compressed blocks; and how many shingles each has."""

import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from functools import cached_property
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.store.files import Mapped, damaged

BLOCK = 32 << 10  # bytes of text that are compressed together
HELD = 8 << 20  # bytes of blocks that are held as they are unpacked, or the last one
LEVEL = 3
Numbers = npt.NDArray[np.int64]


class Directory(NamedTuple):
    """What is at the end of the file: of each block, and of each document, 0 for one that is gone."""

    offsets: Numbers
    firsts: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]
    sums: npt.NDArray[np.uint32]
    sizes: npt.NDArray[np.int32]


class Tail(NamedTuple):
    """Where a file's directory is, of how many blocks, and its checksum."""

    at: int
    blocks: int
    sum: int


class Block(NamedTuple):
    """Texts that are compressed together, as they are in the file; documents count from `first`."""

    first: int
    length: int
    sum: int
    data: Any


class TextWriter:
    """Writes documents in their order."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._codec = pa.Codec("zstd", LEVEL)
        self._docs: list[int] = []
        self._texts: list[bytes] = []
        self._waiting = 0
        self._offsets = [0]
        self._blocks: list[tuple[int, int, int]] = []

    def add(self, doc: int, text: bytes) -> None:
        """Write a document."""
        self._docs.append(doc)
        self._texts.append(text)
        self._waiting += len(text)
        if self._waiting >= BLOCK:
            self._end_block()

    def copy(self, block: Block) -> None:
        """Write a block as it is."""
        self._end_block()
        self._write(block)

    def _end_block(self) -> None:
        if self._docs:
            first = self._docs[0]
            head = [np.array([doc - first for doc in self._docs], np.uint32)]
            head.append(np.fromiter(map(len, self._texts), np.uint32, len(self._texts)))
            whole = b"".join(
                [len(self._docs).to_bytes(4, "little"), *(own.tobytes() for own in head), *self._texts]
            )
            data = self._codec.compress(whole, asbytes=True)
            self._write(Block(first, len(whole), zlib.crc32(data), data))
            self._docs, self._texts, self._waiting = [], [], 0

    def _write(self, block: Block) -> None:
        self._file.write(block.data)
        self._offsets.append(self._offsets[-1] + len(block.data))
        self._blocks.append(block[:3])

    def finish(self, sizes: npt.NDArray[np.int32]) -> Tail:
        """Write what is left, and the directory; `sizes` are those of all documents."""
        self._end_block()
        firsts, lengths, sums = np.array(self._blocks, np.int64).reshape(-1, 3).T
        own = Directory(
            np.array(self._offsets),
            firsts.astype(np.int32),
            lengths.astype(np.int32),
            sums.astype(np.uint32),
            sizes.astype(np.int32),
        )
        data = b"".join(column.tobytes() for column in own)
        self._file.write(data)
        return Tail(self._offsets[-1], len(self._blocks), zlib.crc32(data))


class Texts:
    """The texts of a segment, by their numbers in it."""

    def __init__(self, mapped: Mapped, tail: Tail, count: int) -> None:
        self.mapped, self.tail, self.count = mapped, tail, count
        self._codec = pa.Codec("zstd")
        self._held: OrderedDict[int, dict[int, bytes]] = OrderedDict()  # the last that was asked is last
        self._bytes = 0
        self._holding = threading.Lock()

    @cached_property
    def directory(self) -> Directory:
        """Return the directory, which is read and checked once."""
        self.mapped.soon(self.tail.at)
        blocks, data = self.tail.blocks, self.mapped.bytes[self.tail.at :]
        if zlib.crc32(data) != self.tail.sum:
            raise damaged(self.mapped.path)
        counts = (blocks + 1, blocks, blocks, blocks, self.count)
        found, at = [], 0
        for kind, count in zip((np.int64, np.int32, np.int32, np.uint32, np.int32), counts, strict=True):
            column: Any = np.frombuffer(data, kind, count, at)
            found.append(column)
            at += column.nbytes
        return Directory(*found)

    @property
    def sizes(self) -> npt.NDArray[np.int32]:
        """Return how many shingles each document has."""
        return self.directory.sizes

    def block(self, number: int) -> Block:
        """Return a block as it is in the file."""
        own = self.directory
        data = self.mapped.piece(int(own.offsets[number]), int(own.offsets[number + 1]))
        if zlib.crc32(data) != own.sums[number]:
            raise damaged(self.mapped.path)
        return Block(int(own.firsts[number]), int(own.lengths[number]), int(own.sums[number]), data)

    def documents(self, number: int) -> dict[int, bytes]:
        """Return the documents of a block."""
        block = self.block(number)
        data = self._codec.decompress(block.data, block.length, asbytes=True)
        count = int.from_bytes(data[:4], "little")
        docs, lengths = np.frombuffer(data, np.uint32, 2 * count, 4).reshape(2, -1).tolist()
        found, at = {}, 4 + 8 * count
        for doc, length in zip(docs, lengths, strict=True):
            found[block.first + doc] = data[at : at + length]
            at += length
        return found

    def of(self, doc: int) -> bytes:
        """Return the text of a document."""
        number = int(self.directory.firsts.searchsorted(doc, "right")) - 1
        with self._holding:
            held = self._held.get(number)
            if held is not None:
                self._held.move_to_end(number)
        if held is None:
            held = self._hold(number, self.documents(number))
        return held.get(doc, b"")

    def _hold(self, number: int, documents: dict[int, bytes]) -> dict[int, bytes]:
        """Hold documents from now on, and return them, or the same ones that somebody else holds."""
        with self._holding:
            held = self._held.setdefault(number, documents)
            if held is documents:
                self._bytes += int(self.directory.lengths[number])
            while self._bytes > HELD and len(self._held) > 1:
                oldest, _ = self._held.popitem(last=False)
                self._bytes -= int(self.directory.lengths[oldest])
        return held

    def all(self, since: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield the documents from a number on, in their order."""
        begin = max(int(np.searchsorted(self.directory.firsts, since, "right")) - 1, 0)
        with self.mapped.in_order():
            for number in range(begin, self.tail.blocks):
                for doc, text in self.documents(number).items():
                    if doc >= since:
                        yield doc, text
