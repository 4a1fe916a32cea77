"""Dumps of Stack Exchange: questions with their best answers, posts, or revisions of posts.

Of Posts.xml, a record is a thread, if fields are asked for: a question with its accepted answer, or else
the one with the highest score. Without fields, every question and every answer is a record. Of
PostHistory.xml, a record is a revision of a post's body, in Markdown, with the title of that time.

Bodies are HTML; their text is taken. Questions and answers are far apart in a dump, so a first pass
finds where the best answers are, a few numbers for each, and they are fetched from there.
"""

import mmap
import os
import re
import tempfile
import threading
from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Integers
from neardup.readers.columns import Columns
from neardup.readers.file import File
from neardup.readers.html import page_of
from neardup.readers.json_records import too_large
from neardup.readers.reader import Range, Reader, always, in_one, markup, ranges
from neardup.readers.records import CONTRIBUTOR, Decisions, ReaderSettings, Record, batches, guarded
from neardup.readers.streams import written
from neardup.readers.values import number_in
from neardup.text.references import unescaped

SPLIT_BYTES = 16 << 20
STEP = 1 << 20
COLUMNS = Columns(
    "body",
    "id",
    {
        name: name
        for name in ("title", "date", "answer", "score", "answers", "tags", "links", CONTRIBUTOR)
    },
)
TYPES = {
    **{name: pa.int64() for name in ("score", "answers")},
    **{name: pa.string() for name in ("answer", "tags", "links", CONTRIBUTOR)},
}
OTHER_POST = "no question or answer"

ATTRIBUTE = re.compile(r'\b(\w++)="([^"]*)"')
NUMBERS = re.compile(rb'\b(\w++)="(-?\d+)"')
HISTORY = re.compile(rb"<posthistory\b")
# of HTML, and in Markdown; what comes before the name of a site says nothing
LINK = re.compile(r"""(?:href=["']?|(?=https?://))(?:https?:)?(?://)?(?:www\.)?([^\s"'<>()\[\]]+)""")
UNDESCRIBED = 'alt="enter image description here"'  # the editor's own words, in place of the author's
QUESTION, ANSWER = "1", "2"
TITLES, BODIES = ("1", "4", "7"), ("2", "5", "8")  # first, edited, rolled back


class Row(NamedTuple):
    """A line of the dump with a row, and what lies between it and the row before."""

    line: bytes
    before: bytes = b""


class Anywhere:
    """The bytes of a file that others may cut off meanwhile: read as asked for, and never mapped.

    To touch what a mapping no longer has would end the process; here, it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._size = os.fstat(self._file.fileno()).st_size
        self._reading = threading.Lock()
        self._piece = 0, b""  # the last that was read, and where it begins

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, asked: slice) -> bytes:
        begin, end, _ = asked.indices(self._size)
        at, piece = self._piece
        if at <= begin and end <= at + len(piece):
            return piece[begin - at : end - at]
        return self._read(begin, end - begin)

    def find(self, wanted: bytes, begin: int, end: int | None = None) -> int:
        """Return where some bytes are, -1 if they are not there."""
        last = self._size if end is None else end
        at = max(begin, 0)
        while at + len(wanted) <= last:
            start, piece = self._piece
            if not start <= at <= start + len(piece) - len(wanted):
                start, piece = self._piece = at, self._read(at, STEP)
            if len(piece) < len(wanted):
                break  # the file is shorter than it was
            if (found := piece.find(wanted, at - start, last - start)) >= 0:
                return start + found
            at = start + len(piece) - len(wanted) + 1
        return -1

    def _read(self, begin: int, size: int) -> bytes:
        parts: list[bytes] = []
        with self._reading:
            self._file.seek(begin)
            while size > 0 and (part := self._file.read(size)):
                parts.append(part)
                size -= len(part)
        return b"".join(parts)


Data = Anywhere | mmap.mmap | bytes


Parsed = tuple[Row, dict[str, str] | Record]


class ReadRecord(NamedTuple):
    """A record and its rows in the dump; an answer of a thread has none, but a question."""

    rows: tuple[Row, ...]
    record: Record | None
    question: str | None = None

    def written(self, kept: bool) -> bytes:
        """Return what stays of the dump: all of it, or what belongs to no record."""
        return b"".join(row.before + row.line if kept else row.before for row in self.rows)


class Answers(NamedTuple):
    """Where the best answer of each question is: sorted numbers of questions, places and lengths."""

    questions: Integers
    places: Integers
    lengths: Integers
    asked: Integers

    def place(self, question: int) -> tuple[int, int] | None:
        """Return where the answer of a question begins and ends."""
        at = int(np.searchsorted(self.questions, question))
        if at == len(self.questions) or self.questions[at] != question:
            return None
        return int(self.places[at]), int(self.places[at] + self.lengths[at])

    def has(self, question: int) -> bool:
        """Return whether a question is in the dump."""
        at = int(np.searchsorted(self.asked, question))
        return at < len(self.asked) and int(self.asked[at]) == question


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut plain Posts.xml into ranges of bytes; revisions are read from the beginning."""
    whole = not file.can_seek or file.packing() or _is_history(file)
    return in_one(file, settings) if whole else ranges(file.size, SPLIT_BYTES)


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the records whose first line begins in a range of bytes of the file."""
    found = _found(file, begin, end, settings)
    yield from batches((one.record for one in found if one.record), schema)


def _found(file: File, begin: int, end: int, settings: ReaderSettings) -> Iterator[ReadRecord]:
    data = _data(file)
    rows = _rows(data, begin, end)
    if _is_history(file):
        return _revisions(rows, settings)
    answers = _best_answers(file) if settings.fields else None
    return (_post(row, data, answers, settings) for row in rows)


@lru_cache(1 << 10)
def _is_history(file: File) -> bool:
    with file.open_stream() as stream:
        return bool(HISTORY.search(stream.read(1 << 10)))


@lru_cache(8)
def _data(file: File) -> Data:
    """Return the bytes of a file; one that is packed or far away is copied to a temporary file first."""
    if file.can_be_mapped and not file.packing():
        return Anywhere(Path(file.inner_path))
    with tempfile.TemporaryFile() as copy, file.open_stream() as stream:
        while piece := stream.read(STEP):
            copy.write(piece)
        if stream.failure:
            copy.write(f'\n<row problem="{stream.failure[0]}"'.encode())
        copy.flush()
        if not copy.tell():
            return b""
        return mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ)


def _rows(data: Data, begin: int, end: int) -> Iterator[Row]:
    """Yield the lines with rows that begin in a range, and what is behind the last, if anything is."""
    at = data.find(b"\n", begin - 1) + 1 if begin else 0
    if begin and not at:
        return
    last = len(data) if end < 0 else end
    before: list[bytes] = []
    while at < last:
        stop = data.find(b"\n", at) + 1 or len(data)
        line = data[at:stop]
        at = stop
        if b"<row " in line:
            yield Row(line, b"".join(before))
            before = []
        else:
            before.append(line)
    if before:
        yield Row(b"", b"".join(before))


@lru_cache(8)
def _best_answers(file: File) -> Answers:
    """Find the accepted answer of each question, or else the one with the highest score."""
    data = _data(file)
    parents, numbers, scores, places, lengths = (array("q") for _ in range(5))
    asked, accepted = array("q"), array("q")
    at = 0
    while at < len(data):
        stop = data.find(b"\n", at) + 1 or len(data)
        # numbers stand before the body, which may be long
        body = data.find(b' Body="', at, stop)
        head = data[at : stop if body < 0 else body]
        facts = {name: number_in(value) or 0 for name, value in NUMBERS.findall(head)}
        kind = facts.get(b"PostTypeId")
        if kind == 1:
            asked.append(facts.get(b"Id", 0))
            accepted.append(facts.get(b"AcceptedAnswerId", 0))
        elif kind == 2:
            parents.append(facts.get(b"ParentId", 0))
            numbers.append(facts.get(b"Id", 0))
            scores.append(facts.get(b"Score", 0))
            places.append(at)
            lengths.append(stop - at)
        at = stop
    parent, number, score = (np.array(values, np.int64) for values in (parents, numbers, scores))
    chosen = np.isin(number, np.array(accepted, np.int64))
    order = np.lexsort((number, -score, ~chosen, parent))
    first = order[np.append(True, np.diff(parent[order]) != 0)[: len(order)]]
    place, length = (np.array(values, np.int64)[first] for values in (places, lengths))
    return Answers(parent[first], place, length, np.sort(np.array(asked, np.int64)))


def _facts(line: bytes, limit: int) -> dict[str, str] | Record:
    """Return the attributes of a row, or what is wrong with it."""
    if len(line) > limit:
        return too_large(limit)
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        return Record(problem="invalid UTF-8", detail=f"at byte {error.start} of the row")
    facts = {name: unescaped(value) for name, value in ATTRIBUTE.findall(text)}
    if not text.endswith("/>"):
        return Record(id=facts.get("Id"), problem="truncated", detail="the row has no end")
    if "Id" not in facts:
        return Record(problem="broken XML", detail="the row has no Id")
    return facts


def _post(row: Row, data: Data, answers: Answers | None, settings: ReaderSettings) -> ReadRecord:
    """Make the record of a question or an answer; that of a thread has all of its answers."""
    if not row.line:
        return ReadRecord((row,), None)
    facts = _facts(row.line, settings.max_record)
    if isinstance(facts, Record):
        return ReadRecord((row,), facts)
    if answers is not None and facts.get("PostTypeId") == ANSWER and settings.wants(facts["Id"]):
        question = facts.get("ParentId", "")
        if answers.has(number_in(question) or 0):
            return ReadRecord((row,), None, question)
    return ReadRecord((row,), _record(facts, data, answers, settings))


@guarded
def _record(
    facts: Mapping[str, str], data: Data, answers: Answers | None, settings: ReaderSettings
) -> Record:
    own_id, kind = facts["Id"], facts.get("PostTypeId")
    others: dict[str, Any] = {
        "title": facts.get("Title"),
        "date": facts.get("CreationDate"),
        "score": number_in(facts.get("Score")),
        "answers": number_in(facts.get("AnswerCount")),
        "tags": facts.get("Tags"),
    }
    if kind not in (QUESTION, ANSWER):
        return Record(id=own_id, others=others, problem=OTHER_POST, detail=f"PostTypeId {kind}")
    if not settings.wants(own_id):
        return Record(None, own_id, others)
    if answers is None:
        text = _text(facts.get("Body"))
        return Record(text, own_id, others, None if text else "no text")
    if kind == ANSWER:
        detail = f"an answer to {facts.get('ParentId') or 'no post'}"
        return Record(id=own_id, others=others, problem="no question", detail=detail)
    others["body"] = _text(facts.get("Body"))
    others["links"] = _links(facts.get("Body", ""))
    number = number_in(own_id)
    if place := None if number is None else answers.place(number):
        best = _facts(data[slice(*place)], settings.max_record)
        others["answer"] = None if isinstance(best, Record) else _text(best.get("Body"))
    return Record(others.get(settings.text_column or "body"), own_id, others)


def _links(body: str) -> str | None:
    r"""Return the addresses that a body links to, each once and in a line of its own.

    >>> _links('<a href="http://www.eggs.example/boil?for=6">so</a>, <a href="/questions/7">or so</a>')
    'eggs.example/boil?for=6\n/questions/7'
    >>> _links("see [this](https://eggs.example/) or https://eggs.example/fry")
    'eggs.example\neggs.example/fry'
    """
    found = (address.rstrip("/.,;:") for address in LINK.findall(body))
    return "\n".join(dict.fromkeys(filter(None, found))) or None


def _text(html: str | None) -> str | None:
    """Return the text of a body."""
    if not html or not html.strip():
        return None
    return page_of(html.replace(UNDESCRIBED, ""), True, None).text


def _revisions(rows: Iterator[Row], settings: ReaderSettings) -> Iterator[ReadRecord]:
    """Yield the revisions of bodies; the rows of one revision follow each other."""
    titles: dict[str, str] = {}
    parsed = ((row, _facts(row.line, settings.max_record) if row.line else {}) for row in rows)
    for together in _together(parsed):
        own = tuple(row for row, facts in together if not isinstance(facts, Record))
        good = [facts for _, facts in together if isinstance(facts, dict)]
        yield from (ReadRecord((row,), facts) for row, facts in together if isinstance(facts, Record))
        for facts in good:
            if facts.get("PostHistoryTypeId") in TITLES:
                titles[facts.get("PostId", "")] = facts.get("Text", "")
        bodies = [facts for facts in good if _is_body(facts)]
        if good and not bodies:
            yield ReadRecord(own, None)
        for facts in bodies:
            yield ReadRecord(own, _revision(facts, titles.get(facts.get("PostId", "")), settings))


def _together(parsed: Iterable[Parsed]) -> Iterator[list[Parsed]]:
    """Put the rows of a revision together: it has one body, and another one is a revision of its own."""
    for _, group in groupby(parsed, key=lambda row: _revision_of(row[1])):
        together: list[Parsed] = []
        for one in group:
            if _is_body(one[1]) and any(_is_body(facts) for _, facts in together):
                yield together
                together = []
            together.append(one)
        yield together


def _is_body(facts: dict[str, str] | Record) -> bool:
    return isinstance(facts, dict) and facts.get("PostHistoryTypeId") in BODIES


def _revision_of(facts: dict[str, str] | Record) -> tuple[str | None, ...]:
    if isinstance(facts, Record):
        return ("", facts.id)
    return (facts.get("PostId"), facts.get("RevisionGUID", facts.get("Id")))


@guarded
def _revision(facts: Mapping[str, str], title: str | None, settings: ReaderSettings) -> Record:
    body = facts.get("Text", "").replace("\r\n", "\n").strip() or None
    links = _links(body or "")
    who = facts.get("UserDisplayName") or facts.get("UserId")
    others = {"title": title, "body": body, "links": links, "date": facts.get("CreationDate")}
    others[CONTRIBUTOR] = who
    own_id = f"{facts.get('PostId')}@{facts['Id']}"
    if settings.fields:
        return Record(others.get(settings.text_column or "body"), own_id, others)
    return Record(body, own_id, others, None if body else "no text")


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the dump without the records that are not kept; a thread goes with all of its answers."""
    choice = decided.in_turn()
    gone: set[str | None] = set()
    with written(target, file.packing()) as out:
        for one in _found(file, 0, -1, settings):
            if one.record is None:
                kept = one.question is None or one.question not in gone
            else:
                kept = choice.next(one.record.is_bad)
                gone |= set() if kept else {one.record.id}
            out.write(one.written(kept))
    return choice.kept


READER = Reader(
    look=always(COLUMNS, TYPES),
    splits=splits,
    read=read,
    rewrite=rewrite,
    begins=markup(rb"(<\?xml[^>]*>\s*)?<(posts|posthistory)\s*>"),
    holds_gil=True,
    carries=("score", "answers", CONTRIBUTOR),  # threads are kept by these
    left_out=(OTHER_POST,),
)
