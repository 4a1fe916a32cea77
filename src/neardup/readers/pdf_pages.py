"""The pages of PDFs, read in a process of its own: what breaks the reader of a file ends that only.

Parent and child send each other a size and as many bytes: a PDF one way, JSON the other.
"""

import atexit
import json
import os
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Lock
from typing import IO, Any, NamedTuple

MOST_PAGES = 20_000
MOST_CHARACTERS = 50_000_000
MEMORY = 2 << 30  # bytes that the child may take, and seconds; where the system limits them
SECONDS = 600
SIZE = struct.Struct("<q")
BREAK = "\r\n"
PASSWORD = (4, 5)  # PDFium's codes for what needs one


Place = tuple[float, float, float]  # where a line begins and ends, and how far up: in points


class Page(NamedTuple):
    """A page: its name, its text, and where the lines of that are."""

    name: str
    text: str
    places: list[Place]


class Refused(Exception):  # noqa: N818  (no error of neardup's, but a reason)
    """Why a PDF gives no pages: a problem, and its details."""


class Child:
    """The process that reads, started when it is needed and again when it was broken."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def pages(self, data: bytes) -> list[Page]:
        """Return the pages of a PDF."""
        with self._lock:
            process = self._started()
            try:
                send(process.stdin, data)
                found = json.loads(received(process.stdout))
            except (OSError, EOFError):
                self.stop()
                detail = f"the PDF broke its reader, or took more than {MEMORY >> 30} GB or {SECONDS} s"
                raise Refused("unreadable", detail) from None
        if "problem" in found:
            raise Refused(found["problem"], found["detail"])
        return [Page(*page) for page in found["pages"]]

    def _started(self) -> Any:
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self._owner = os.getpid()
            pipe = subprocess.PIPE
            command = [sys.executable, "-m", __name__]
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            atexit.register(self.stop)
        return self._process

    def stop(self) -> None:
        """End the process, if it is ours."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]


CHILD = Child()


def send(out: IO[bytes], data: bytes) -> None:
    """Write bytes behind their size."""
    out.write(SIZE.pack(len(data)))
    out.write(data)
    out.flush()


def received(source: IO[bytes]) -> bytes:
    """Read bytes behind their size."""
    size = SIZE.unpack(_read(source, SIZE.size))[0]
    return _read(source, size)


def _read(source: IO[bytes], size: int) -> bytes:
    data = bytes(source.read(size))
    if len(data) < size:
        raise EOFError
    return data


def work(source: IO[bytes], out: IO[bytes]) -> None:
    """Answer with the pages of one PDF after the other, until there are no more."""
    while True:
        try:
            data = received(source)
        except EOFError:
            return
        limit()
        try:
            answer: dict[str, Any] = {"pages": list(pages_in(data))}
        except Refused as refused:
            answer = dict(zip(("problem", "detail"), refused.args, strict=True))
        send(out, json.dumps(answer).encode())


def pages_in(data: bytes) -> Iterator[Page]:
    """Yield the pages of a PDF."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        if error.err_code in PASSWORD:
            raise Refused("encrypted", "it needs a password") from error
        raise Refused("unreadable", f"the PDF is damaged: {error}") from error
    count = len(document)
    if count > MOST_PAGES:
        raise Refused("too large", f"over {MOST_PAGES:,} pages")
    size = 0
    for number in range(count):
        try:
            text, places = text_of(document, number, MOST_CHARACTERS - size)
        except PdfiumError as error:
            raise Refused("unreadable", f"page {number + 1:,} of the PDF is damaged") from error
        size += len(text)
        yield Page(document.get_page_label(number) or str(number + 1), text, places)


def text_of(document: Any, number: int, most: int) -> tuple[str, list[Place]]:
    """Return the text of a page, and where its lines are."""
    page = document[number]
    words = page.get_textpage()
    if words.count_chars() > most:
        raise Refused("too large", f"over {MOST_CHARACTERS:,} characters")
    text = str(words.get_text_range(errors="replace"))
    places = list(places_of(words, text))
    words.close()
    page.close()
    return text, places


def places_of(words: Any, text: str) -> Iterator[Place]:
    """Yield where the lines of a page are, as PDFium says."""
    from pypdfium2 import PdfiumError
    from pypdfium2.raw import FPDFText_GetCharIndexFromTextIndex

    at = 0  # in units of 16 bits, as it counts
    for line in text.split(BREAK):
        place = (0.0, 0.0, 0.0)
        if shown := line.strip():
            first = at + units(line[: line.index(shown)])
            ends = first, first + units(shown) - 1
            with suppress(PdfiumError):
                one, other = (
                    words.get_charbox(FPDFText_GetCharIndexFromTextIndex(words, end), loose=True)
                    for end in ends
                )
                place = (round(one[0], 2), round(other[2], 2), round(one[1], 2))
        yield place
        at += units(line) + len(BREAK)


def units(text: str) -> int:
    """Return how many units of 16 bits a text has."""
    return len(text.encode("utf-16-le", "replace")) // 2


def limit() -> None:
    """Limit what the next file may take, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        seconds = int(time.process_time()) + SECONDS
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))


if __name__ == "__main__":
    work(sys.stdin.buffer, sys.stdout.buffer)
