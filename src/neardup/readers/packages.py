"""DOCX, ODT and EPUB: packages of XML, one document a file."""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from urllib.parse import unquote

from neardup.readers import html, plain
from neardup.readers.file import File
from neardup.readers.hidden import SUSPECT, Looks, open_looks, seen_in_open, seen_in_word, word_looks
from neardup.readers.indents import in_open, in_word, open_styles, word_styles
from neardup.readers.pdf_pages import MOST_CHARACTERS
from neardup.readers.records import ReaderSettings, Record
from neardup.readers.signs import OFFICE, kind_of_file
from neardup.readers.single import MOST_BYTES, UnusableError, laid_out, other_kind, single
from neardup.readers.values import number_in
from neardup.readers.xml_text import Attributes, Dialect, Walk, inside
from neardup.text.layout import START

DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError)
UNSEEN = "unseen"
MOST_SPACES = 100
RENDERED = "lastRenderedPageBreak"
TABLE_STYLES = re.compile(rb'<w:style w:type="table".*?</w:style>', re.S)
FORCED = re.compile(rb'<(?:\w+:)?br\s[^>]*type="page"')
MOST_ON_PAGE = 12_000  # characters: twice as many as a page of small print has
SIGNS = {"tab": lambda _: "\t", "br": lambda _: "\n", "cr": lambda _: "\n"}
NOTES = ("footnoteReference", "endnoteReference", "note")  # the last in ODT, around its note
NOT_SHOWN = (
    "automatic-styles scripts font-face-decls forms sequence-decls tracked-changes annotation "
    "note-citation title desc script"
)
WORD = Dialect(
    blocks=frozenset(("p",)),
    texts=frozenset((("t",),)),
    silent=inside("pPr", "rPr", "Fallback", "del", "moveFrom"),
    apart=frozenset(("footnote", "endnote")),
    signs={**SIGNS, "noBreakHyphen": lambda _: "-"},
)
OPEN = Dialect(
    blocks=frozenset(("p", "h")),
    silent=inside(*NOT_SHOWN.split()),
    apart=frozenset(("note-body",)),
    signs={
        "tab": lambda _: "\t",
        "line-break": lambda _: "\n",
        "s": lambda own: " " * min(number_in(own.get("c")) or 1, MOST_SPACES),
    },
)
BOOK = Dialect(blocks=frozenset(), facts={("metadata", "title"): "title", ("metadata", "date"): "date"})


class Package:
    """The parts of a package, each within bounds."""

    def __init__(self, data: bytes, called: str) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except DAMAGED as error:
            raise _not_a_package(data, called, error) from error
        self._left = MOST_BYTES

    def part(self, name: str) -> bytes:
        """Return the bytes of a part."""
        try:
            info = self._zip.getinfo(name)
            if info.flag_bits & 1:
                raise UnusableError("encrypted", "it needs a password")
            with self._zip.open(info) as part:
                data = part.read(self._left + 1)
        except KeyError as error:
            raise UnusableError("unreadable", f"the package has no {name[:100]!r}") from error
        except DAMAGED as error:
            raise UnusableError("unreadable", f"{name[:100]}: {error}") from error
        self._left -= len(data)
        if self._left < 0:
            raise UnusableError("too large", f"over {MOST_BYTES >> 20} MB unpacked")
        return data

    def has(self, name: str) -> bool:
        """Return whether there is a part of this name."""
        with suppress(KeyError):
            return bool(self._zip.getinfo(name))
        return False


def _not_a_package(data: bytes, called: str, error: Exception) -> UnusableError:
    if kind_of_file(data) == OFFICE:
        return UnusableError("encrypted", f"it needs a password, or is {OFFICE}")
    if data.startswith(b"PK"):
        return UnusableError("unreadable", f"the package is damaged or cut off: {error}")
    return other_kind(data, called)


def _paged(dialect: Dialect, mark: str) -> Dialect:
    """Return a dialect that counts pages, which begin at elements of this name."""
    number = 1

    def place(name: str, _: Attributes) -> str | None:
        nonlocal number
        if name != mark:
            return None
        number += 1
        return f"p. {number}"

    return replace(dialect, place=place)


def _numbered(dialect: Dialect) -> Dialect:
    """Return a dialect that writes the number of a note where the text refers to it."""

    def sign(numbers: Iterator[int]) -> Callable[[Attributes], str]:
        return lambda own: "" if "customMarkFollows" in own else f"[{next(numbers)}]"

    return replace(dialect, signs={**dialect.signs, **{name: sign(count(1)) for name in NOTES}})


def _from_first(walk: Walk, *more: Walk) -> Record:
    """Return the record of a text whose first page begins without a break; `more` has notes only.

    It says how many characters were left out because no reader sees them.
    """
    names = ["p. 1", *walk.places] if walk.places else []
    notes = "".join(part.notes for part in (walk, *more))
    unseen = sum(part.unseen for part in (walk, *more))
    return laid_out(START[: len(names)] + walk.text, names, notes, **{UNSEEN: unseen})


def word(data: bytes) -> Record:
    """Return the record of a DOCX."""
    package = Package(data, "a Word file")
    body = package.part("word/document.xml")
    shared = package.part("word/styles.xml") if package.has("word/styles.xml") else b""
    seen = seen_in_word(WORD, word_looks(shared) if shared else Looks())
    dialect = in_word(seen, word_styles(shared) if shared else {})
    walk = Walk(_numbered(_paged(dialect, RENDERED)), body)
    if not _are_pages(walk, body):
        walk = Walk(_numbered(dialect), body)
    parts = (f"word/{kind}.xml" for kind in ("footnotes", "endnotes"))
    return _from_first(walk, *(Walk(seen, package.part(part)) for part in parts if package.has(part)))


def _are_pages(walk: Walk, body: bytes) -> bool:
    """Return whether the marks that Word leaves where a page began are there throughout.

    Other programs write none, or keep those of the part that they did not touch.
    """
    forced = len(FORCED.findall(body))
    return len(walk.places) >= forced and max(map(len, walk.text.split(START))) <= MOST_ON_PAGE


def opened(data: bytes) -> Record:
    """Return the record of an ODT."""
    package = Package(data, "an OpenDocument text")
    manifest = "META-INF/manifest.xml"
    if package.has(manifest) and b"encryption-data" in package.part(manifest):
        raise UnusableError("encrypted", "it needs a password")
    content = package.part("content.xml")
    shared = [package.part("styles.xml")] if package.has("styles.xml") else []
    dialect = in_open(seen_in_open(OPEN, open_looks(*shared, content)), open_styles(*shared, content))
    return _from_first(Walk(_numbered(_paged(dialect, "soft-page-break")), content))


def book(data: bytes) -> Record:
    """Return the record of an EPUB: its chapters in the order of the spine."""
    package = Package(data, "an EPUB")
    found: list[dict[str, str]] = []

    def listed(name: str, own: Attributes) -> None:
        found.append({**own, "": name})

    Walk(Dialect(frozenset(), place=listed), package.part("META-INF/container.xml"))
    main = next((own["full-path"] for own in found if own[""] == "rootfile" and "full-path" in own), "")
    found.clear()
    description = Walk(replace(BOOK, place=listed), package.part(main))
    files = {own.get("id"): own.get("href", "") for own in found if own[""] == "item"}
    spine = [files[own["idref"]] for own in found if own[""] == "itemref" and own.get("idref") in files]
    _check_readable(package)
    texts, names, size = [], [], 0
    for number, href in enumerate(spine, 1):
        name = posixpath.normpath(posixpath.join(posixpath.dirname(main), unquote(href)))
        chapter = html.marked_page(_decoded(package.part(name)), True, None)
        if chapter.text:
            texts.append(f"{START}{chapter.text}")
            names.append(f"ch. {number}")
            size += len(chapter.text)
        if size > MOST_CHARACTERS:
            break
    return laid_out("\n\n".join(texts), names, **description.facts)


def _decoded(chapter: bytes) -> str:
    """Decode what is in UTF-8, unless it is not."""
    with suppress(UnicodeDecodeError):
        return chapter.decode("utf-8-sig")
    return html.decoded(chapter, None)


def _check_readable(package: Package) -> None:
    """Refuse a book whose chapters are encrypted; fonts often are."""
    name = "META-INF/encryption.xml"
    if package.has(name) and re.search(rb'URI="[^"]+\.x?html?"', package.part(name)):
        raise UnusableError("encrypted", "its chapters are")


def _made(data: bytes) -> Record:
    head = data[:200]
    if b"epub+zip" in head:
        return book(data)
    return opened(data) if b"opendocument.text" in head else _by_parts(data)


def _by_parts(data: bytes) -> Record:
    package = Package(data, "a DOCX, ODT or EPUB")
    kinds = {"word/document.xml": word, "META-INF/container.xml": book, "content.xml": opened}
    make = next((make for name, make in kinds.items() if package.has(name)), word)
    return make(data)


def unseen(file: File, settings: ReaderSettings) -> int:
    """Return how many characters of a file were left out because no reader sees them."""
    data = plain.whole(file, min(MOST_BYTES, settings.max_record))
    if isinstance(data, Record):
        return 0
    try:
        package = Package(data, "")
        parts = filter(
            package.has, ("word/document.xml", "word/styles.xml", "content.xml", "styles.xml")
        )
        suspect = any(SUSPECT.search(TABLE_STYLES.sub(b"", package.part(part))) for part in parts)
        return _made(data).others.get(UNSEEN, 0) if suspect else 0
    except UnusableError:
        return 0


READER = single(
    _made,
    suffixes=(".docx", ".docm", ".odt", ".epub"),
    begins=re.compile(
        rb"PK\x03\x04.{26}(?:mimetypeapplication/(?:epub\+zip|vnd\.oasis\.opendocument\.text)"
        rb"|(?:\[Content_Types\]\.xml|_rels/\.rels|docProps/|word/).*word/)",
        re.S,
    ),
    needs_end=True,
    unseen=unseen,
)
