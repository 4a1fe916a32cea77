"""Documents as TREC distributes them: `<DOC>` … `</DOC>`, with a `<DOCNO>` and a text or a web page.

Pages of GOV2 and WT10g have a `<DOCHDR>` with the address and what the server said; the rest of the
document is HTML. Others have their text in `<TEXT>` elements, or between all other elements.
"""

import re
from collections.abc import Iterator
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
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the documents of a file."""
    del begin, end
    with file.open_stream() as stream:
        found = (r for frame in frames(stream, settings.max_record) for r in _rows(frame, settings))
        yield from batches(found, schema)
        yield from failed(stream, schema)


def frames(stream: Stream, limit: int | None = None) -> Iterator[Frame]:
    """Cut a stream into documents; of one over the limit only the first bytes are kept."""
    data = b""
    while True:
        data, before = _until(stream, data, BEGIN, None)
        if not data:
            if before.strip():
                yield Frame(before, b"")
            return
        rest, body = _until(stream, data, END, limit)
        found = END.match(rest)
        tag = found[0] if found else b""
        large = limit is not None and len(body) > limit
        yield Frame(before, body + tag, bool(found), large)
        data = rest[len(tag) :]


def _until(
    stream: Stream, data: bytes, tag: re.Pattern[bytes], limit: int | None
) -> tuple[bytes, bytes]:
    """Return what begins with a tag, nothing if there is none, and what comes before it."""
    passed: list[bytes] = []
    kept = 0
    while not (found := tag.search(data)):
        piece = stream.read(CHUNK)
        cut = max(len(data) - LONGEST_TAG, 0) if piece else len(data)
        if limit is None or kept <= limit:
            passed.append(data[:cut])
            kept += cut
        if not piece:
            return b"", b"".join(passed)
        data = data[cut:] + piece
    if tag is END and found.end() == len(data):
        data += stream.read(2)  # the end of the line belongs to the document
    return data[found.start() :], b"".join([*passed, data[: found.start()]])


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
        large = too_large(settings.max_record)
        return Record(id=own_id, problem=large.problem, detail=large.detail)
    if not frame.whole:
        return Record(id=own_id, problem="truncated", detail="the file ends before </DOC>")
    header = next(_elements(frame.body, b"DOCHDR"), None)
    return _page(frame.body, header, own_id, settings) if header else _article(frame.body, own_id)


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
    begin, end = (re.compile(re.escape(tag), re.I) for tag in (b"<%b>" % name, b"</%b>" % name))
    at = 0
    while (first := begin.search(body, at)) and (last := end.search(body, first.end())):
        yield Element(first.start(), last.end(), body[first.end() : last.start()])
        at = last.end()


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
            if frame.body and choice.next(lambda f=frame: _record(f, settings).is_bad()):  # type: ignore[misc]
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
