"""Dumps of Wikipedia and other wikis: MediaWiki's XML, plain or packed, read in parallel.

A page belongs to the part of the file in which it begins. Redirects, and pages of other namespaces
than those asked for, are rows with a problem: they are counted, and nothing is lost on the way.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.readers.bzip2 import BOUNDARY, Damage, Piece, unpacked
from neardup.readers.columns import Columns
from neardup.readers.file import File
from neardup.readers.json_records import too_large
from neardup.readers.reader import Range, Reader, always, in_one, markup, ranges
from neardup.readers.records import (
    CONTRIBUTOR,
    HEADINGS,
    SOURCE_CITES,
    Decisions,
    ReaderSettings,
    Record,
    batches,
    guarded,
)
from neardup.readers.streams import written
from neardup.readers.values import address_in
from neardup.text.citations import CITED
from neardup.text.references import unescaped

SPLIT_BYTES = 16 << 20
SPLIT_PACKED = 4 << 20
STEP = 1 << 20
HEAD_BYTES = 1 << 16
COLUMNS = Columns("text", "id", {name: name for name in ("title", "url", "date")})
TYPES = dict.fromkeys(("revision", "namespace", CONTRIBUTOR, HEADINGS, SOURCE_CITES), pa.string())
REDIRECT, OTHER = "redirect", "other namespace"

BEGIN, END = b"<page>", b"</page>"
MARK = re.compile(rb"</?page>")
TITLE = re.compile(rb"<title>([^<]*)</title>")
NAMESPACE = re.compile(rb"<ns>\s*(-?\d+)\s*</ns>")
ID = re.compile(rb"<id>\s*(\d+)\s*</id>")
WHO = re.compile(rb"<contributor>\s*<(?:username|ip)>([^<]*)<")
TIMESTAMP = re.compile(rb"<timestamp>([^<]*)</timestamp>")
REVISION = re.compile(rb"<revision>")
TEXT = re.compile(rb"<text\b[^>]*?(/?)>")
SITE_NAMESPACE = re.compile(rb'<namespace key="(?:6|14|-2)"[^>]*>([^<]*)</namespace>')
BASE = re.compile(rb"<base>([^<]*)</base>")
TEXT_REDIRECT = re.compile(rb"\s*#[^\[\n]{3,30}\[\[")


class Site(NamedTuple):
    """What the head of a dump says: names of files and categories, and the address of the wiki."""

    namespaces: frozenset[str]
    address: str | None


class Page(NamedTuple):
    """A page as it stands in the dump, with what is wrong with it."""

    data: bytes
    problem: Damage | None = None


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut a plain file, or one packed with bzip2, into ranges of bytes; others cannot be cut."""
    packing = file.packing()
    if packing not in (None, "bz2") or not file.can_seek:
        return in_one(file, settings)
    return ranges(file.size, SPLIT_PACKED if packing else SPLIT_BYTES)


@lru_cache(1 << 10)
def _site(file: File) -> Site:
    with file.open_stream() as stream:
        head = stream.read(HEAD_BYTES)
    names = (unescaped(name.decode("utf-8", "replace")) for name in SITE_NAMESPACE.findall(head))
    base = BASE.search(head)
    parts = address_in(base[1].decode("utf-8", "replace")) if base else None
    address = f"{parts.scheme}://{parts.netloc}/w/index.php?oldid=" if parts else None
    return Site(frozenset(name for name in names if name), address)


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the pages that begin in a range of bytes of the file."""
    site = _site(file)
    found = pages(file, begin, end, settings.max_record)
    yield from batches((r for page in found for r in records(page, site, settings)), schema)


def pieces(file: File, begin: int, end: int) -> Iterator[Piece]:
    """Yield the unpacked bytes of a range, a BOUNDARY, and the bytes behind it as far as asked for."""
    if file.packing() == "bz2":
        with file.open() as raw:
            yield from unpacked(raw, begin, end)
        return
    with file.open_stream(begin) as stream:
        left = -1 if end < 0 else end - begin
        while data := stream.read(STEP if left < 0 else max(min(STEP, left), 1)):
            yield data
            if left > 0:
                left -= len(data)
                if not left:
                    yield BOUNDARY
                    left = -1
        if stream.failure:
            yield Damage(*stream.failure)


class _Scanner:
    """The bytes of a range and behind it, as far as they were needed; `at` is where we are in them."""

    def __init__(self, found: Iterator[Piece], passed: Callable[[bytes], object] | None = None) -> None:
        """Read these pieces; what lies between pages, and those that are too large, are `passed`."""
        self._pieces = found
        self._passed = passed
        self.data = b""
        self.at = 0
        self.boundary: int | None = None  # where the range ends, once that is known
        self.damage: Damage | None = None

    def grow(self) -> bool:
        """Read on until twice as much is ahead; say whether anything came before the end or damage."""
        parts = [self.data[self.at :]]
        have = ahead = len(parts[0])
        if self.boundary is not None:
            self.boundary -= self.at
        self.at = 0
        while have < max(2 * ahead, STEP) and not self.damage:
            piece = next(self._pieces, None)
            if piece is None:
                break
            if isinstance(piece, bytes):
                parts.append(piece)
                have += len(piece)
            elif isinstance(piece, Damage):
                self.damage = piece
            else:
                self.boundary = have
        self.data = b"".join(parts)
        return have > ahead

    def take(self, end: int) -> bytes:
        """Return the bytes up to a place, and go on there."""
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def next_page(self) -> bool:
        """Go to where a page begins that is in the range; say whether there is one."""
        while (found := self.data.find(BEGIN, self.at)) < 0:
            reach = max(len(self.data) - len(BEGIN) + 1, self.at)
            if self.boundary is not None and reach >= self.boundary:
                return False
            self.pass_over(reach)
            if not self.grow():
                self.pass_over(len(self.data))
                return False
        if self.boundary is not None and found >= self.boundary:
            return False
        self.pass_over(found)
        return True

    def pass_over(self, end: int) -> None:
        """Go on at a place, and hand on what is before it."""
        if self._passed:
            self._passed(self.data[self.at : end])
        self.at = end


def pages(file: File, begin: int, end: int, limit: int) -> Iterator[Page]:
    """Yield the pages that begin in a range, and what is damaged there."""
    scanner = _Scanner(pieces(file, begin, end))
    while True:
        if scanner.next_page():
            yield _page(scanner, limit)
        elif scanner.damage and scanner.boundary is None:
            yield Page(b"", scanner.damage)
            scanner.at = len(scanner.data)
            scanner.damage = None
        else:
            return


def _page(scanner: _Scanner, limit: int) -> Page:
    """Take the page that begins here; one over the limit is passed over."""
    searched = len(BEGIN)  # bytes behind the place where we are, which moves when more is read
    while True:
        if mark := MARK.search(scanner.data, scanner.at + searched):
            end = _end(mark)
            if end - scanner.at > limit:
                scanner.pass_over(end)
                return Page(b"", _too_large(limit))
            fault = Damage("broken XML", "the page has no end") if mark[0] == BEGIN else None
            return Page(scanner.take(end), fault)
        ahead = len(scanner.data) - scanner.at
        if ahead > limit:
            return _oversized(scanner, limit)
        searched = max(ahead - len(END) + 1, len(BEGIN))
        if not scanner.grow():
            damage = scanner.damage or Damage("truncated", "the file ends inside a page")
            scanner.damage = None
            return Page(scanner.take(len(scanner.data)), damage)


def _end(mark: "re.Match[bytes]") -> int:
    """Return where a page ends: behind its end, or where another begins."""
    return mark.start() if mark[0] == BEGIN else mark.end()


def _oversized(scanner: _Scanner, limit: int) -> Page:
    """Pass over a page that is too large, without holding it."""
    scanner.pass_over(scanner.at + len(BEGIN))
    while not (mark := MARK.search(scanner.data, scanner.at)):
        scanner.pass_over(max(len(scanner.data) - len(END) + 1, scanner.at))
        if not scanner.grow():
            break
    scanner.pass_over(_end(mark) if mark else len(scanner.data))
    return Page(b"", _too_large(limit))


def _too_large(limit: int) -> Damage:
    large = too_large(limit)
    return Damage(str(large.problem), str(large.detail))


def records(page: Page, site: Site, settings: ReaderSettings) -> Iterator[Record]:
    """Yield the last revision of a page, or all of them, or what is wrong with the page."""
    head = page.data[: page.data.find(b"<revision>")] if b"<revision>" in page.data else page.data
    own_id, title = _first(ID, head), _first(TITLE, head)
    if page.problem:
        others = {"title": title}
        yield Record(None, own_id, others, page.problem.problem, page.problem.detail)
        return
    if not page.data:
        return
    namespace = _first(NAMESPACE, head) or "0"
    facts = {"title": title, "namespace": namespace}
    if not title:
        yield Record(None, own_id, facts, "broken XML", "the page has no title")
    elif settings.namespaces != "all" and namespace not in settings.namespaces.split(","):
        yield Record(None, own_id, facts, OTHER, f"namespace {namespace}")
    elif b"<redirect" in head and not settings.redirects:
        yield Record(None, own_id, facts, REDIRECT, None)
    else:
        places = [found.start() for found in REVISION.finditer(page.data)]
        parts = [page.data[a:b] for a, b in pairwise([*places, len(page.data)])]
        if not parts:
            yield Record(None, own_id, facts, "no text", "the page has no revision")
        for part in parts if settings.revisions else parts[-1:]:
            yield _revision(part, own_id, facts, site, settings)


@guarded
def _revision(
    data: bytes, page: str | None, facts: Mapping[str, Any], site: Site, settings: ReaderSettings
) -> Record:
    """Make the record of a revision."""
    from neardup.text.wikitext import outlined

    found = TEXT.search(data)
    head = data[: found.start()] if found else data
    revision, date = _first(ID, head), _first(TIMESTAMP, head)
    url = f"{site.address}{revision}" if site.address and revision else None
    own = {"revision": revision, "date": date, "url": url, CONTRIBUTOR: _first(WHO, head)}
    others = {**facts, **own}
    own_id = f"{page}@{revision}" if settings.revisions else page
    stop = data.find(b"</text>", found.end()) if found else -1
    if not found or found[1] or stop < 0:
        return Record(None, own_id, others, "no text", "the revision has no text")
    source = data[found.end() : stop]
    if not settings.redirects and TEXT_REDIRECT.match(source) and stop - found.end() < 2000:
        return Record(None, own_id, others, REDIRECT, None)
    if settings.citations:
        markup_text = _unescaped(source).decode("utf-8", "replace")
        others[SOURCE_CITES] = "\n".join(cited[0] for cited in CITED.finditer(markup_text))
    text, headings = outlined(_unescaped(source), site.namespaces)
    if not text:
        return Record(None, own_id, others, "no text", "there is nothing but markup on the page")
    if settings.headings:
        others[HEADINGS] = "\n".join(f"{start} {level} {name}" for start, level, name in headings)
    return Record(text, own_id, others)


def _unescaped(data: bytes) -> bytes:
    """Undo what XML does to text."""
    from neardup.kernels.references import without_references

    if b"&" not in data:
        return data
    return without_references(np.frombuffer(data, np.uint8)).tobytes()  # type: ignore[no-any-return]


def _first(pattern: re.Pattern[bytes], data: bytes) -> str | None:
    found = pattern.search(data)
    return unescaped(found[1].decode("utf-8", "replace")).strip() if found else None


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the dump without the pages of which no record is kept."""
    choice = decided.in_turn()
    site = _site(file)
    with file.open_stream() as stream, written(target, file.packing()) as out:
        scanner = _Scanner(iter(partial(stream.read, STEP), b""), out.write)
        is_open = False  # whether the page before ends only where this one begins: there it ends still
        while scanner.next_page():
            page = _page(scanner, settings.max_record)
            kept = [choice.next(record.is_bad) for record in records(page, site, settings)]
            if any(kept):
                out.write(page.data)
            elif is_open:
                out.write(BEGIN + END)
            is_open = bool(page.data) and any(kept) and not page.data.endswith(END)
    return choice.kept


READER = Reader(
    look=always(COLUMNS, TYPES),
    splits=splits,
    read=read,
    rewrite=rewrite,
    kernels="wikis",
    begins=markup(rb"(<\?xml[^>]*>\s*)?<(mediawiki|page>\s*<title)\b"),
    holds_gil=True,
    carries=("revision", CONTRIBUTOR, HEADINGS, SOURCE_CITES),  # whoever quotes a wiki says which one
    left_out=(REDIRECT, OTHER),
)
