"""A JSON array, or JSON values of several lines each: taken apart element by element."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path

import pyarrow as pa

from neardup.readers.columns import Columns, Looked
from neardup.readers.encodings import Opened, opened, written_like
from neardup.readers.file import File
from neardup.readers.json_records import BOM, Parser, from_line, look_at, rewritten, too_large
from neardup.readers.reader import LARGE, Reader, markup
from neardup.readers.records import BATCH_BYTES, Decisions, ReaderSettings, Record, batches, failed

CHUNK = 1 << 20
MARK = re.compile(rb'["{}\[\],]')
STRING_REST = re.compile(rb'(?:[^"\\]++|\\.)*+', re.S)
SPACE = b" \t\r\n"
WHATEVER = 1 << 62


class Element(bytes):
    """The bytes of one element; `problem` says what is wrong with its extent, if anything is."""

    problem: str | None = None
    detail: str | None = None


def _bad(problem: str, detail: str, data: bytes = b"") -> Element:
    element = Element(data)
    element.problem, element.detail = problem, detail
    return element


class Elements:
    """Finds where each element begins and ends, by brackets and quotes alone."""

    def __init__(self, stream: Opened, limit: int) -> None:
        self._stream = stream
        self._limit = limit
        self._data = stream.read(CHUNK).removeprefix(BOM).lstrip(SPACE)
        self.is_array = self._data.startswith(b"[")
        self._top = 1 if self.is_array else 0  # the depth at which elements stand
        self._at = self._begin = self._top
        self._depth = self._top
        self._quoted = self._dropped = False

    def __iter__(self) -> Iterator[Element]:
        while True:
            if not self._step():
                if not self._more():
                    break
                continue
            mark = self._data[self._at - 1 : self._at]
            if mark == b'"':
                self._quoted = True
            elif mark in b"{[":
                self._depth += 1
            elif mark == b"," and self._depth == self._top:
                yield from self._element(self._at - 1)
            elif mark in b"}]":
                self._depth -= 1
                if self._depth == 0 and not self.is_array:
                    yield from self._element(self._at)
                elif self._depth < self._top:
                    yield from self._element(self._at - 1)
                    if self.is_array:
                        yield from self._after()
                        return
                    self._depth = self._top
        if self._stream.failure is None:
            yield from self._end()

    def _step(self) -> bool:
        """Go behind the next mark outside quotes; False where the data must grow."""
        if self._quoted:
            found = STRING_REST.match(self._data, self._at)
            self._at = found.end() if found else self._at
            if self._data[self._at : self._at + 1] != b'"':
                return False
            self._at += 1
            self._quoted = False
        mark = MARK.search(self._data, self._at)
        self._at = mark.end() if mark else len(self._data)
        return mark is not None

    def _more(self) -> bool:
        held = len(self._data) - self._begin
        chunk = self._stream.read(max(CHUNK, held // 4))  # long elements in few steps
        done = self._begin
        if self._dropped or self._at - self._begin > self._limit:
            self._dropped = True
            done = self._at  # pass over an element that is too large, do not hold it
        self._data = self._data[done:] + chunk
        self._at -= done
        self._begin = 0
        return bool(chunk)

    def _element(self, end: int) -> Iterator[Element]:
        data = self._data[self._begin : end].strip(SPACE)
        self._begin = self._at
        if self._dropped or len(data) > self._limit:
            yield _bad("too large", str(too_large(self._limit).detail))
        elif data:
            yield Element(data)
        self._dropped = False

    def _after(self) -> Iterator[Element]:
        rest = self._data[self._at :] + self._stream.read(CHUNK)
        if rest.strip(SPACE):
            yield _bad("invalid JSON", "there is more after the end of the array")

    def _end(self) -> Iterator[Element]:
        data = self._data[self._begin :].strip(SPACE)
        if self._quoted or self._depth > self._top or self._dropped:
            yield _bad("truncated", "the file ends inside an element", data)
            return
        if data:
            yield Element(data)
        if self.is_array:
            yield _bad("truncated", "the file ends before the array does")


def _joined(found: Iterable[Element]) -> Iterator[bytes | Element]:
    """Put elements on a line each, many to a block; those with a problem come by themselves."""
    lines: list[bytes] = []
    size = 0
    for element in found:
        if element.problem:
            yield b"\n".join(lines)
            yield element
            lines, size = [], 0
            continue
        lines.append(_on_a_line(element))
        size += len(element)
        if size > BATCH_BYTES:
            yield b"\n".join(lines)
            lines, size = [], 0
    yield b"\n".join(lines)


def _on_a_line(element: Element) -> bytes:
    return element.replace(b"\n", b" ").replace(b"\r", b" ")


@lru_cache(1 << 10)
def look(file: File, settings: ReaderSettings) -> Looked:
    """Choose the columns by the first elements, and say of which types they are."""
    with opened(file, settings.encoding) as stream:
        return look_at(Elements(stream, settings.max_record), settings, file.name)


def read(
    file: File, _begin: int, _end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the records of a file."""
    parser = Parser(look(file, settings), schema, settings.max_record)
    with opened(file, settings.encoding) as stream:
        for block in _joined(Elements(stream, settings.max_record)):
            if isinstance(block, Element):
                yield from batches([Record(problem=block.problem, detail=block.detail)], schema)
            elif block:
                yield from parser.records(block)
        yield from failed(stream, schema)


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the elements kept, each as it was but for notes and new texts; return how many."""
    columns, _ = look(file, settings)
    choice = decided.in_turn()
    with opened(file, settings.encoding) as stream, written_like(file, target, settings.encoding) as out:
        found = Elements(stream, WHATEVER)
        start, end, none = (b"[\n", b"\n]\n", b"[]\n") if found.is_array else (b"", b"\n", b"")
        before = start
        for element in found:
            bad = element.problem is not None or len(element) > settings.max_record
            if choice.next(partial(_is_bad, element, bad, columns)) and element:
                if not bad and (choice.text is not None or decided.notes is not None):
                    changeable = _changeable(element, columns)
                    out.write(before + rewritten(changeable, columns, choice, decided.notes))
                else:
                    out.write(before + element)
                before = _between(found, element)
        out.write(none if before == start else end)
    return choice.kept


def _between(found: Elements, element: Element) -> bytes:
    """Return what keeps an element apart from the next: in a row, nothing but a bracket ends one."""
    return b"\n" if not found.is_array and element.endswith((b"}", b"]")) else b",\n"


def _changeable(element: Element, columns: Columns) -> bytes:
    """Return an element as it is, unless line breaks in its strings must become spaces to parse it."""
    return _on_a_line(element) if from_line(element, columns).is_bad() else element


def _is_bad(element: Element, bad: bool, columns: Columns) -> bool:
    return bad or from_line(_on_a_line(element), columns).is_bad()


READER = Reader(
    look=look,
    read=read,
    rewrite=rewrite,
    begins=markup(rb'\[\s*[{\]"]|\{\s*["}]'),
    usual=(".json",),
    decodes=True,
    kernels="json_lines",
    kernels_from=LARGE,
    holds_gil=True,
    annotates=True,
    cuts=True,
)
