"""What archives of all kinds share: members, parts of them as streams, and what is not unpacked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from neardup.readers.file import Inside
from neardup.readers.unpacking import DamagedError

Problem = tuple[str, str]
MOST_TIMES = 200  # text is hardly ever packed to less than this part of itself: more is made to harm
HARMLESS = 1 << 30  # unpacked bytes of an archive that nobody has to fear
STEP = 64 << 10


@dataclass(frozen=True)
class Entry:
    """A member as its archive lists it; an archive's damage is one that cannot be read."""

    name: str
    inside: Inside
    problem: Problem | None = None


def is_bomb(size: int, packed: int, harmless: int = HARMLESS) -> bool:
    """Return whether unpacking would give far more than text can have been packed to.

    >>> is_bomb(5 << 30, 1 << 20), is_bomb(5 << 30, 1 << 30), is_bomb(1 << 20, 100)
    (True, False, False)
    """
    return size > harmless and size > MOST_TIMES * packed


def bomb(size: int) -> Problem:
    """Return the problem of what would unpack to far more than it should."""
    detail = f"it would unpack to {size:,} bytes, over {MOST_TIMES} times its size; if that is right, "
    return "too large", f"{detail}unpack it yourself and give the folder"


class Part:
    """Some bytes of an open archive; `failure` says why they end before their time, if they do."""

    closed = False

    def __init__(self, raw: Any, size: int, close: Callable[[], None]) -> None:
        self.failure: Problem | None = None
        self._raw = raw
        self._left = size
        self._close = close

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, fewer than asked for only at the end."""
        size = self._left if size < 0 else min(size, self._left)
        data = bytes(self._raw.read(size))
        self._left -= len(data)
        if len(data) < size:
            self._left = 0
            cut = ("truncated", "the archive ends inside this member")
            self.failure = getattr(self._raw, "failure", None) or cut
        return data

    def close(self) -> None:
        """Give the archive back."""
        if not self.closed:
            self.closed = True
            self._close()

    def __enter__(self) -> "Part":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Pieces:
    """A member that is unpacked piece by piece, and that should have a size and a checksum."""

    def __init__(
        self, pieces: Iterator[bytes], size: int, crc: Callable[[bytes], bool], part: Part
    ) -> None:
        self.failure: Problem | None = None
        self._pieces = pieces
        self._left = size
        self._agrees = crc
        self._part = part
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, fewer than asked for only at the end."""
        size = self._left if size < 0 else min(size, self._left)
        parts, have = [self._rest], len(self._rest)
        while have < size and (piece := self._next()):
            parts.append(piece)
            have += len(piece)
        data = b"".join(parts)
        self._rest = data[size:]
        data = data[:size]
        self._left -= len(data)
        agrees = self._agrees(data)
        if size and not self._left and not self.failure:
            self._check_end(agrees)
        return data

    def _check_end(self, agrees: bool) -> None:
        if self._rest or self._next():
            self.failure = ("unreadable", "the member holds more than the archive says")
        elif not agrees and not self.failure:
            self.failure = ("unreadable", "the checksum is wrong: some of the member may be, too")

    def _next(self) -> bytes:
        """Return the next piece, none at the end or where the member is damaged."""
        if self.failure:
            return b""
        try:
            piece = next(self._pieces, b"")
        except DamagedError as damage:
            self.failure = self._part.failure or ("unreadable", str(damage))
            return b""
        if not piece and self._left > 0 and not self._rest:
            self.failure = self._part.failure
        return piece

    def close(self) -> None:
        """Give the archive back."""
        self._part.close()

    def __enter__(self) -> "Pieces":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
