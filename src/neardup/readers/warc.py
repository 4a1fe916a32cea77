"""Web archives: WARC, ARC and WET; the text of each page that was found, nothing of the rest."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

import pyarrow as pa

from neardup.readers import html, http, plain
from neardup.readers.archive import BLANK, NO_FRAME, Archive, Frame
from neardup.readers.columns import Columns
from neardup.readers.encodings import wide_in
from neardup.readers.file import File
from neardup.readers.html_limits import most_bytes
from neardup.readers.json_records import too_large
from neardup.readers.reader import Reader, always
from neardup.readers.records import (
    NOT_ASKED_FOR,
    Choice,
    Decisions,
    ReaderSettings,
    Record,
    batches,
    failed,
    guarded,
    unforeseen,
)
from neardup.readers.streams import Stream, packed_writer, written

COLUMNS = Columns("text", "id", {name: name for name in ("title", "url", "date")})
HTML = ("text/html", "application/xhtml+xml")
NO_PROSE = ("text/css", "text/javascript", "text/ecmascript", "text/x-javascript")
APART = ("gz", "zst")  # what standards of web archives know: each record is a member
Row = Callable[[], Record]
NO_PAGES = ("metadata:", "dns:", "urn:", "filedesc:", "warcinfo:")


def read(
    file: File, _begin: int, _end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the pages of an archive."""
    with file.open_stream() as stream:
        for archive in _archives(stream):
            yield from batches(_records(archive, settings), schema)
            yield from failed(stream, schema)


def _archives(stream: Stream) -> Iterator[Archive]:
    """Yield the archive and, if a part of it is damaged, what comes after as another."""
    yield Archive(stream)
    while stream.resume():
        yield Archive(stream)


class Taken(NamedTuple):
    """A record, and what follows it up to the next: its line ends, and bytes that belong to none."""

    frame: Frame = NO_FRAME
    body: bytes | None = b""  # None if it is too large
    tail: bytes = b""
    rest: bytes = b""

    @property
    def strays(self) -> int:
        """Return how many bytes that belong to no record follow, if they are more than padding."""
        return len(self.rest) if self.rest.strip(BLANK + b"\0") else 0

    @property
    def goes_on(self) -> bool:
        """Return whether the record seems to be longer than it says: it does not end as records do."""
        return bool(self.strays) and self.tail.count(b"\n") < (1 if self.frame.kind == "arc" else 2)


def _taken(archive: Archive, body: Callable[[Frame], bytes | None]) -> Iterator[Taken]:
    """Yield the records; what comes before the first one follows an empty one."""
    taken = Taken()
    for frame in archive.frames():
        yield taken._replace(rest=frame.skipped)
        taken = Taken(frame, body(frame), archive.tail())
    yield taken


def _records(archive: Archive, settings: ReaderSettings) -> Iterator[Record]:
    for taken in _taken(archive, lambda frame: archive.body(frame, settings.max_record)):
        yield from (row() for row in _rows(archive, taken, settings))


def _rows(archive: Archive, taken: Taken, settings: ReaderSettings) -> list[Row]:
    """Return what makes rows: that of a record, and one for what follows and belongs to none.

    A record that goes on where it should end is not what it says, and one row that cannot be read.
    """
    row = _row_of(archive, taken.frame, taken.body, settings)
    if row is not None and taken.goes_on:
        detail = f"{taken.strays:,} bytes more than its length says, or that of another record"
        return [partial(_bad, taken.frame, "unreadable", detail)]
    detail = f"{taken.strays:,} bytes between records that belong to none"
    strays = partial(Record, problem="unreadable", detail=detail)
    return [*([row] if row else []), *([strays] if taken.strays else [])]


def _row_of(archive: Archive, frame: Frame, body: bytes | None, settings: ReaderSettings) -> Row | None:
    """Return what makes the row of a frame, None if there is to be none."""
    if frame.whole and (body is None or len(body) == frame.length):
        try:
            return _asked_for(frame, body, settings)
        except Exception as error:
            return partial(unforeseen, error)
    if archive.failed:
        return None  # the stream has its own row, the last one
    detail = f"the file ends after {len(body or b''):,} of {frame.length:,} bytes of a record"
    if not frame.whole:
        detail = "the file ends in the headers of a record"
    return partial(_bad, frame, "truncated", detail)


def _bad(frame: Frame, problem: str | None, detail: str | None = None) -> Record:
    url, date, own_id = _facts(frame)
    return Record(None, own_id, {"url": url, "date": date}, problem, detail)


def _large(frame: Frame, limit: int) -> Record:
    large = too_large(limit)
    return _bad(frame, large.problem, large.detail)


def _asked_for(frame: Frame, body: bytes | None, settings: ReaderSettings) -> Row | None:
    """Return what makes the record of a page, None if the frame holds no page."""
    url, _, own_id = _facts(frame)
    if not frame.head or url.startswith(NO_PAGES):
        return None
    if frame.kind not in ("response", "resource", "conversion", "arc"):
        return None
    if body is None:
        return partial(_large, frame, settings.max_record)
    is_http = frame.kind in ("response", "arc")
    response = http.parse(body) if is_http else http.Response(None, frame.headers, body)
    kind = _media_type(response, frame)
    if response.status not in (None, 200) or not _is_prose(kind):
        return None
    if not settings.wants(own_id):
        return partial(_bad, frame, NOT_ASKED_FOR)
    return partial(_page, response, kind, frame, settings)


def _facts(frame: Frame) -> tuple[str, str | None, str | None]:
    """Return the address, date and id of a record."""
    headers = frame.headers
    if frame.kind == "arc":
        day = headers["date"].ljust(14, "0")
        date = f"{day[:4]}-{day[4:6]}-{day[6:8]}T{day[8:10]}:{day[10:12]}:{day[12:]}Z"
        return headers["url"], date, None
    own_id = headers.get("warc-trec-id") or headers.get("warc-record-id", "").strip("<>")
    return headers.get("warc-target-uri", "").strip("<>"), headers.get("warc-date"), own_id or None


def _media_type(response: http.Response, frame: Frame) -> str:
    named = response.content_type or (frame.headers["mime"] if frame.kind == "arc" else "")
    if named or response.headers.get("content-encoding"):
        return named.lower()
    start = response.body[:1024].lstrip()[:15].lower()
    return "text/html" if start.startswith((b"<!doctype html", b"<html")) else ""


def _is_prose(kind: str) -> bool:
    return kind in HTML or (kind.startswith("text/") and kind not in NO_PROSE)


@guarded
def _page(response: http.Response, kind: str, frame: Frame, settings: ReaderSettings) -> Record:
    limit = most_bytes(settings.max_record) if kind in HTML else settings.max_record
    try:
        data = http.payload(response, limit)
    except http.TooLargeError:
        return _large(frame, limit)
    except http.FAULTS as error:
        return _bad(frame, "unreadable", f"HTTP encoding: {error}")
    if not wide_in(data) and plain.is_binary(data[: plain.HEAD_BYTES]):
        return _bad(frame, "not text", f"binary data called {kind}")
    url, date, own_id = _facts(frame)
    if kind in HTML:
        return html.page(data, response.charset, settings, own_id, url=url, date=date)
    text = html.decoded(data, response.charset).encode("utf-8", "replace").decode()
    if not text.strip():
        return _bad(frame, "no text", "the page is blank")
    return Record(text, own_id, {"url": url, "date": date})


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the records kept, each compressed by itself if that is usual, and all that are not pages."""
    choice = decided.in_turn()
    with file.open_stream() as stream:
        is_apart = stream.packing in APART
        archive = Archive(stream)
        with written(target, None if is_apart else stream.packing) as out:
            members = Members(out, stream.packing if is_apart else None)

            def body(frame: Frame) -> bytes | None:
                if frame.length <= settings.max_record:
                    return archive.body(frame, settings.max_record)
                members.begin(frame.head)  # it stays
                for piece in archive.pieces(frame):
                    members.write(piece)
                return None

            for taken in _taken(archive, body):
                _write(members, taken, _rows(archive, taken, settings), choice)
            members.end()
    return choice.kept


def _write(members: "Members", taken: Taken, rows: list[Row], choice: Choice) -> None:
    """Write what stays of a record and of what follows it.

    Padding goes with the record; other bytes that belong to none stay, beside it if it does.
    """
    strays = bool(taken.strays and not taken.goes_on)
    made = rows[: len(rows) - strays]
    stays = not made or choice.next(lambda: made[0]().is_bad())  # there is one at most
    if strays:
        choice.next(lambda: True)
    if stays and taken.body is not None:
        members.begin(taken.frame.head, taken.body)
    if stays:
        members.write(taken.tail + taken.rest)
    elif strays:
        members.begin(taken.rest)


class Members:
    """Writes members that are packed by themselves, so that the archive stays open to random access."""

    def __init__(self, out: IO[bytes], packing: str | None) -> None:
        self._out, self._packing = out, packing
        self._packer: IO[bytes] | None = None

    def begin(self, *parts: bytes) -> None:
        """Begin a member with some bytes, unless there are none."""
        self.end()
        for part in parts:
            self.write(part)

    def write(self, data: bytes) -> None:
        """Write bytes to the member that was begun last."""
        if data:
            self._packer = self._packer or packed_writer(self._out, self._packing)
            self._packer.write(data)

    def end(self) -> None:
        """End the member."""
        if self._packer is not None and self._packer is not self._out:
            self._packer.close()
        self._packer = None


READER = Reader(
    look=always(COLUMNS),
    read=read,
    rewrite=rewrite,
    suffixes=(".warc", ".wet", ".wat", ".arc"),
    begins=re.compile(rb"WARC/\d|filedesc:"),
    holds_gil=True,
)
