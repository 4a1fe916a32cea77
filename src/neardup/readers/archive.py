"""Web archives as frames: where each record of a WARC or ARC file begins and ends.

Own work rather than a library's, because one damaged record must not end the file: whatever lies
between two records is passed over, and said.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from neardup.readers.streams import Stream
from neardup.readers.values import number_in

CHUNK = 1 << 20
LONGEST_LINE = 64 << 10
MOST_HEADERS = 1 << 20
MOST_SKIPPED = 8 << 20  # bytes that belong to no record and are said of as one
WARC = re.compile(rb"WARC/\d+\.\d+\s*$")
ARC = re.compile(
    rb"(?P<url>[a-zA-Z][\w+.-]*:\S.*?|filedesc:\S*) (?P<ip>\S+) (?P<date>\d{8,14}) (?P<mime>\S+)"
    rb"(?: (?P<status>\d{3}|-) \S+ \S+ \d+ \S+)? (?P<length>\d+)\r?\n$"
)
BLANK = b"\r\n \t"


class Frame(NamedTuple):
    """The head of one record; its body of `length` bytes comes next in the archive.

    `skipped` are bytes before it that belong to no record; it is not `whole` if its head is cut.
    """

    kind: str
    head: bytes
    headers: dict[str, str]
    length: int
    skipped: bytes = b""
    whole: bool = True


NO_FRAME = Frame("", b"", {}, 0)


class Archive:
    """Reads frames, and the body of each, from a stream of unpacked bytes."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._data = b""
        self._at = 0

    def frames(self) -> Iterator[Frame]:
        """Yield the records' heads; the caller takes the body before asking for the next.

        What belongs to none before a damage is a part of it.
        """
        skipped = bytearray()
        while line := self._line():
            frame = self._frame(line)
            if frame is None:
                skipped += line
                if len(skipped) < MOST_SKIPPED:
                    continue
            yield (frame or NO_FRAME)._replace(skipped=bytes(skipped))
            skipped.clear()
        if skipped and not self.failed:
            yield NO_FRAME._replace(skipped=bytes(skipped))

    @property
    def failed(self) -> bool:
        """Return whether the stream below broke, so that the last record is short for that reason."""
        return self._stream.failure is not None

    def body(self, frame: Frame, limit: int) -> bytes | None:
        """Return the body of a record, or pass over it and return None if it is over the limit."""
        if frame.length <= limit:
            return b"".join(self.pieces(frame))
        for _ in self.pieces(frame):
            pass
        return None

    def pieces(self, frame: Frame) -> Iterator[bytes]:
        """Yield the body of a record in pieces, fewer bytes than its length if the file ends."""
        missing = frame.length
        while missing and self._fill():
            piece = self._data[self._at : self._at + missing]
            self._at += len(piece)
            missing -= len(piece)
            yield piece

    def tail(self) -> bytes:
        """Return the line ends after a body."""
        parts = []
        while self._fill():
            rest = self._data[self._at : self._at + 8]
            blank = rest[: len(rest) - len(rest.lstrip(b"\r\n"))]
            self._at += len(blank)
            parts.append(blank)
            if len(blank) < 8:
                break
        return b"".join(parts)

    def _fill(self) -> bool:
        if self._at >= len(self._data):
            self._data, self._at = self._stream.read(CHUNK), 0
        return bool(self._data)

    def _line(self) -> bytes:
        """Return the next line with its end, or a piece of a line that is far too long."""
        parts: list[bytes] = []
        have = 0
        while have < LONGEST_LINE and self._fill():
            cut = self._data.find(b"\n", self._at, self._at + LONGEST_LINE) + 1
            part = self._data[self._at : cut or self._at + LONGEST_LINE]
            self._at += len(part)
            parts.append(part)
            have += len(part)
            if cut:
                break
        return b"".join(parts)

    def _frame(self, line: bytes) -> Frame | None:
        """Return the head of the record that a line begins, None if it begins none."""
        if WARC.match(line):
            return self._warc(line)
        found = ARC.match(line)
        if not found:
            return None
        fields = {k: (v or b"").decode("utf-8", "replace") for k, v in found.groupdict().items()}
        length = number_in(fields["length"])
        return None if length is None else Frame("arc", line, fields, length)

    def _warc(self, first: bytes) -> Frame:
        lines, size = [first], len(first)
        headers: dict[str, str] = {}
        name = ""
        whole = False
        while size < MOST_HEADERS and (line := self._line()):
            lines.append(line)
            size += len(line)
            if not line.strip(b"\r\n"):
                whole = True
                break
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if text[:1] in (" ", "\t") and name:
                headers[name] += " " + text.strip()
                continue
            name, _, value = text.partition(":")
            name = name.strip().lower()
            headers.setdefault(name, value.strip())
        size = max(number_in(headers.get("content-length")) or 0, 0)
        kind = headers.get("warc-type", "").lower()
        return Frame(kind, b"".join(lines), headers, size if whole else 0, whole=whole)
