"""Parts of a bzip2 file, unpacked by themselves: its blocks can be found and read one by one.

A block begins with 48 known bits, at any bit of a byte. So a file can be cut anywhere: the blocks that
begin in a range of bytes belong to it. A block that is damaged costs no more than itself.
"""

import bz2
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

BLOCK = 0x314159265359
END = 0x177245385090  # of a stream: a checksum follows, then another stream or nothing
BITS = 48
STEP = 1 << 20
MOST_PACKED = 4 << 20  # bytes: no block is larger
HEADER = b"BZh9"


@dataclass(frozen=True)
class Damage:
    """Stands for bytes that cannot be read; `problem` is truncated or unreadable."""

    problem: str
    detail: str


class Boundary:
    """Stands for the end of a range, in the stream of what was unpacked."""


BOUNDARY = Boundary()
Piece = bytes | Damage | Boundary


@dataclass
class _Window:
    """Bytes of the packed file from `start` on, read as far as they are needed."""

    raw: Any
    start: int
    data: bytes = b""
    is_whole: bool = False
    marks: list[int] = field(default_factory=list)

    def grow(self) -> None:
        """Read on, and note where blocks and streams begin and end."""
        seen = max(len(self.data) - BITS // 8, 0)
        more = self.raw.read(STEP)
        self.is_whole = not more
        self.data += more
        last = self.marks[-1] if self.marks else -1
        self.marks += [m for m in _marks(self.data[seen:], 8 * (self.start + seen)) if m > last]

    def forget(self, bit: int) -> None:
        """Let go of what lies before a bit."""
        cut = min(bit // 8 - self.start, len(self.data))
        if cut > STEP:
            self.start, self.data = self.start + cut, self.data[cut:]

    def next_mark(self, after: int) -> int | None:
        """Return where the next block or end of a stream begins, behind a bit; None if none comes."""
        while True:
            while self.marks and self.marks[0] <= after:
                self.marks.pop(0)
            if self.marks:
                return self.marks[0]
            if self.is_whole or self.start + len(self.data) - after // 8 > MOST_PACKED:
                return None
            self.grow()

    def bits(self, begin: int, end: int) -> tuple[bytes, int]:
        """Return some bits, moved to the beginning of a byte, and how many are in the last byte."""
        begin, end = begin - 8 * self.start, end - 8 * self.start
        shift = begin % 8
        taken = np.frombuffer(self.data[begin // 8 : (end + 7) // 8 + 1] + b"\0", np.uint8)
        moved = (taken[:-1] << shift) | (taken[1:] >> (8 - shift)) if shift else taken
        size = end - begin
        return moved[: (size + 7) // 8].tobytes(), size % 8


def _marks(data: bytes, first_bit: int) -> list[int]:
    """Return the bits at which blocks and ends of streams begin."""
    return sorted(first_bit + bit for magic in (BLOCK, END) for bit in _find(data, magic))


def _find(data: bytes, magic: int) -> Iterator[int]:
    """Yield the bits at which 48 bits occur: their inner bytes are searched for, then the rest."""
    for shift in range(8):
        inner = ((magic >> shift) & (2**40 - 1)).to_bytes(5, "big")
        head, tail = magic >> (40 + shift), magic & (2**shift - 1)
        at = data.find(inner, 1)
        while at >= 0:
            before = data[at - 1] & (2 ** (8 - shift) - 1)
            behind = data[at + 5] >> (8 - shift) if at + 5 < len(data) else -1
            if before == head and (shift == 0 or behind == tail):
                yield 8 * (at - 1) + shift
            at = data.find(inner, at + 1)


def unpacked(raw: Any, begin: int, end: int) -> Iterator[Piece]:
    """Yield what the blocks hold that begin in bytes begin ≤ place < end (-1: all), then what follows.

    A BOUNDARY comes between the two.
    """
    raw.seek(begin)
    window = _Window(raw, begin)
    mark = window.next_mark(8 * begin - 1)
    if mark is None and begin == 0:
        yield Damage("unreadable", "bz2: there is no block in it")
    outside = False
    while mark is not None:
        if not outside and 0 <= end <= mark // 8:
            outside = True
            yield BOUNDARY
        window.forget(mark)
        if window.bits(mark, mark + BITS)[0] == END.to_bytes(6, "big"):
            mark = window.next_mark(mark)
            continue
        following = window.next_mark(mark)
        piece = _block(window, mark, following)
        if isinstance(piece, Damage) and following is not None:
            further = window.next_mark(following)  # what looked like a block's beginning was none
            longer = _block(window, mark, further)
            if not isinstance(longer, Damage):
                piece, following = longer, further
        yield piece
        mark = following
    if not outside:
        yield BOUNDARY


def _block(window: _Window, begin: int, end: int | None) -> bytes | Damage:
    """Unpack one block: as a stream of its own, with the end that belongs to it."""
    if end is None:
        return Damage("truncated", f"bz2: the block at byte {begin // 8:,} has no end")
    data, rest = window.bits(begin, end)
    trailer = END << 32 | int.from_bytes(data[6:10], "big")
    if rest:
        trailer |= (data[-1] >> (8 - rest)) << 80
        data = data[:-1]
    size = rest + 80
    packed = HEADER + data + (trailer << (-size % 8)).to_bytes((size + 7) // 8, "big")
    try:
        return bz2.decompress(packed)
    except (OSError, ValueError) as error:
        return Damage("unreadable", f"bz2: the block at byte {begin // 8:,}: {error}")
