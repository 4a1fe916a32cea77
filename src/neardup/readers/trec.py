"""Documents as TREC distributes them: `<DOC>` … `</DOC>`, with a `<DOCNO>` and a text or a web page.

Pages of GOV2 and WT10g have a `<DOCHDR>` with the address and what the server said; the rest of the
document is HTML. Others have their text in `<TEXT>` elements, or between all other elements.
"""

import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from neardup.readers import html
from neardup.readers.columns import Columns
from neardup.readers.file import File
from neardup.readers.json_records import too_large
from neardup.readers.reader import Reader, always, markup
from neardup.readers.records import (
    NOT_ASKED_FOR,
    Decisions,
    ReaderSettings,
    Record,
    batches,
    failed,
    guarded,
)
from neardup.readers.streams import Stream, written
from neardup.text.references import unescaped

COLUMNS = Columns("text", "id", {name: name for name in ("title", "url", "date")})
CHUNK = 1 << 20
BEGIN = re.compile(rb"<DOC>", re.I)
END = re.compile(rb"</DOC>\r?\n?", re.I)
LONGEST_TAG = 8  # of the two above: a chunk may end inside of one
TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
COMMENT = re.compile(r"<!--.*?-->", re.S)
CHARSET = re.compile(rb"^content-type:.*?charset=[\"']?([\w.:-]+)", re.I | re.M)
ADDRESS = re.compile(rb"^\s*([a-z][a-z0-9+.-]*://\S+)", re.I)


class Frame(NamedTuple):
    """One document with its tags; `before` are bytes ahead of it that belong to none."""

    before: bytes
    body: bytes
    whole: bool = True
    too_large: bool = False


class Element(NamedTuple):
    """An element: where it begins and ends in its document, and what is inside."""

    start: int
    end: int
    inside: bytes


def read(
    file: File, _begin: int, _end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the documents of a file."""
    with file.open_stream() as stream:
        found = (r for frame in frames(stream, settings.max_record) for r in _rows(frame, settings))
        yield from batches(found, schema)
        yield from failed(stream, schema)


def frames(stream: Stream, limit: int | None = None) -> Iterator[Frame]:
    """Cut a stream into documents; of one over the limit only the first bytes are kept."""
    ahead = _Ahead(stream)
    while True:
        is_found, before = ahead.until(BEGIN, None)
        if not is_found:
            if before.strip():
                yield Frame(before, b"")
            return
        is_found, body = ahead.until(END, limit)
        large = limit is not None and len(body) > limit
        yield Frame(before, body + ahead.tag(), is_found, large)


class _Ahead:
    """The bytes of a stream that were read; `at` is where we are in them."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._data = b""
        self._at = 0

    def until(self, tag: re.Pattern[bytes], limit: int | None) -> tuple[bool, bytes]:
        """Go to where a tag begins, or to the end; say whether there is one, and what came before."""
        passed: list[bytes] = []
        kept = 0
        while not (found := tag.search(self._data, self._at)):
            piece = self._stream.read(CHUNK)
            cut = max(len(self._data) - LONGEST_TAG, self._at) if piece else len(self._data)
            if limit is None or kept <= limit:
                passed.append(self._data[self._at : cut])
                kept += cut - self._at
            self._data, self._at = self._data[cut:] + piece, 0
            if not piece:
                return False, b"".join(passed)
        before = b"".join([*passed, self._data[self._at : found.start()]])
        self._at = found.start()
        return True, before

    def tag(self) -> bytes:
        """Take the end of a document, if it is here; the end of its line belongs to it."""
        if len(self._data) - self._at <= LONGEST_TAG:
            self._data += self._stream.read(LONGEST_TAG)
        found = END.match(self._data, self._at)
        self._at = found.end() if found else self._at
        return found[0] if found else b""


def _rows(frame: Frame, settings: ReaderSettings) -> Iterator[Record]:
    if frame.before.strip():
        detail = f"{len(frame.before):,} bytes between documents that belong to none"
        yield Record(problem="unreadable", detail=detail)
    if frame.body:
        yield _record(frame, settings)


@guarded
def _record(frame: Frame, settings: ReaderSettings) -> Record:
    own_id = _element(frame.body, b"DOCNO")
    if not settings.wants(own_id):
        return Record(id=own_id, problem=NOT_ASKED_FOR)
    if frame.too_large or len(frame.body) > settings.max_record:
        return too_large(settings.max_record, own_id)
    if not frame.whole:
        return Record(id=own_id, problem="truncated", detail="the file ends before </DOC>")
    header = next(_elements(frame.body, b"DOCHDR"), None)
    return _page(frame.body, header, own_id, settings) if header else _article(frame.body, own_id)


def _is_bad(frame: Frame, settings: ReaderSettings) -> bool:
    return _record(frame, settings).is_bad()


def _page(body: bytes, header: Element, own_id: str | None, settings: ReaderSettings) -> Record:
    charset, address = CHARSET.search(header.inside), ADDRESS.search(header.inside)
    url = address[1].decode("utf-8", "replace") if address else None
    data = END.sub(b"", body[header.end :])
    return html.page(data, charset[1].decode() if charset else None, settings, own_id, url=url)


def _article(body: bytes, own_id: str | None) -> Record:
    texts = [element.inside for element in _elements(body, b"TEXT")]
    inside = b"\n".join(texts) if texts else _without(body, b"DOCNO")
    titles = (_element(body, name) for name in (b"HEADLINE", b"TITLE", b"HL", b"HEAD"))
    dates = (_element(body, name) for name in (b"DATE_TIME", b"DATE"))
    others = {
        "title": next(filter(None, titles), None),
        "date": next(filter(None, dates), None),
        "url": _element(body, b"URL"),
    }
    text = _words(inside)
    if not text.strip():
        return Record(id=own_id, others=others, problem="no text", detail="the document is blank")
    return Record(text, own_id, others)


def _element(body: bytes, name: bytes) -> str | None:
    """Return the words of the first element of a name, None if there are none."""
    found = next(_elements(body, name), None)
    return (" ".join(_words(found.inside).split()) or None) if found else None


def _elements(body: bytes, name: bytes) -> Iterator[Element]:
    """Yield the elements of a name; one that is not closed, and all behind it, are none."""
    begin, end = _tags(name)
    at = 0
    while (first := begin.search(body, at)) and (last := end.search(body, first.end())):
        yield Element(first.start(), last.end(), body[first.end() : last.start()])
        at = last.end()


@cache
def _tags(name: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    return re.compile(b"<%b>" % name, re.I), re.compile(b"</%b>" % name, re.I)


def _without(body: bytes, name: bytes) -> bytes:
    """Return a document without the elements of a name."""
    places = [(element.start, element.end) for element in _elements(body, name)]
    starts, ends = [0, *(end for _, end in places)], [*(start for start, _ in places), len(body)]
    return b"".join(body[a:b] for a, b in zip(starts, ends, strict=True))


def _words(data: bytes) -> str:
    """Return the text of a piece of markup."""
    text = html.decoded(data, None)
    closed = text.rfind("-->") + 3  # behind that, nothing is a comment: do not search for its end
    text = COMMENT.sub(" ", text[:closed]) + text[closed:] if closed > 2 else text
    text = unescaped(TAG.sub(" ", text))
    return text.encode("utf-8", "replace").decode().strip()


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the documents kept, byte for byte as they were."""
    choice = decided.in_turn()
    with file.open_stream() as stream, written(target, stream.packing) as out:
        for frame in frames(stream):
            if frame.before.strip():
                choice.next(lambda: True)
            out.write(frame.before)
            if frame.body and choice.next(partial(_is_bad, frame, settings)):
                out.write(frame.body)
    return choice.kept


READER = Reader(
    look=always(COLUMNS),
    read=read,
    rewrite=rewrite,
    suffixes=(".trec", ".trectext", ".trecweb"),
    begins=markup(rb"<DOC>\s", re.I),
    holds_gil=True,
)
