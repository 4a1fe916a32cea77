"""The text of XML that people write: a dialect says what is text, and what is on lines of its own.

Expat reads it as a stream. Names count without their prefix. Nothing is fetched, and entities that are
made of others, as in bombs, are refused.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from neardup.readers.pdf_pages import MOST_CHARACTERS
from neardup.readers.single import UnusableError
from neardup.text.layout import QUOTED, START

Attributes = Mapping[str, str]
Path = tuple[str, ...]
LONGEST_ENTITY = 100
DEEPEST = 1_000
WHEN = ("when", "notBefore", "from")  # attributes that say it better than the text
PARAGRAPH = "\n\n"
SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Dialect:
    """What the elements of a kind of XML mean; `texts` are the only ones with text, if there are any."""

    blocks: frozenset[str]
    texts: frozenset[Path] = frozenset()
    silent: Callable[[Path, Attributes], bool] = lambda *_: False
    apart: frozenset[str] = frozenset()  # such as notes: they come behind the rest
    signs: Mapping[str, Callable[[Attributes], str]] = field(default_factory=dict)
    place: Callable[[str, Attributes], str | None] = lambda *_: None
    quoted: Callable[[str, Attributes], bool | None] = lambda *_: None  # is the block a quotation?
    look: Callable[[Sequence[str], Attributes], None] = lambda *_: None  # sees all elements
    unseen: Callable[[int], str | None] = lambda _: None  # what is in place of letters that none sees
    facts: Mapping[Path, str] = field(default_factory=dict)  # what a file says of itself
    dated: Callable[[list[str]], int | None] = lambda _: None  # how good a date an element has, 0 best


class Walk:
    """Goes over a file: `text` has a form feed where each of the `places` begins."""

    def __init__(self, dialect: Dialect, data: bytes) -> None:
        self._dialect = dialect
        self._path: list[str] = []
        self._silent_from = self._apart_from = 0  # how deep what is left out, or apart, began
        self._text: list[str] = []
        self._notes: list[str] = []
        self._blocks: list[tuple[list[str], int, bool]] = []  # open ones: where, and whether quoted
        self._size = 0
        self.unseen = 0  # characters
        self.places: list[str] = []
        self.facts: dict[str, str] = {}
        self._dates: dict[int, str] = {}  # the first of each rank
        self._read_dates: set[int] = set()
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        try:
            parser.Parse(data, True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise UnusableError("unreadable", f"XML: {error}") from error

    @property
    def text(self) -> str:
        """Return the text without what stands apart."""
        return "".join(self._text)

    @property
    def notes(self) -> str:
        """Return what stands apart."""
        return "".join(self._notes)

    @property
    def dates(self) -> list[str]:
        """Return the dates that a file gives itself, the best first."""
        found = (" ".join(self._dates[rank].split()) for rank in sorted(self._dates))
        return [text for text in found if text]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        self._path.append(name)
        depth, dialect = len(self._path), self._dialect
        if depth > DEEPEST:
            raise UnusableError("unreadable", f"XML over {DEEPEST:,} elements deep")
        own = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        is_quoted = dialect.quoted(name, own)
        rank = dialect.dated(self._path)
        if rank is not None and rank not in self._read_dates and any(map(own.get, WHEN)):
            self._dates[rank] = next(own[name] for name in WHEN if own.get(name))
            self._read_dates.add(rank)
        dialect.look(self._path, own)
        if self._silent_from:
            if is_quoted is not None and self._blocks:
                self._blocks[-1] = (*self._blocks[-1][:2], is_quoted)
            return
        if dialect.silent(tuple(self._path[-3:]), own):
            self._silent_from = depth
            return
        if name in dialect.apart and not self._apart_from:
            self._apart_from = depth
        if (place := dialect.place(name, own)) is not None:
            self.places.append(place)
            self._text.append(START)
        if name in dialect.blocks:
            self._write(PARAGRAPH)
            self._blocks.append((self._part, len(self._part), bool(is_quoted)))
        if name in dialect.signs:
            self._write(dialect.signs[name](own))

    def _end(self, name: str) -> None:
        depth, rank = len(self._path), self._dialect.dated(self._path)
        if rank is not None and self._dates.get(rank, "").strip():
            self._read_dates.add(rank)
        name = self._path.pop()
        if depth == self._silent_from:
            self._silent_from = 0
        elif not self._silent_from and name in self._dialect.blocks:
            part, begin, is_quoted = self._blocks.pop()
            if is_quoted:
                part.insert(begin, QUOTED)
            self._write(PARAGRAPH)
        if depth == self._apart_from:
            self._notes.append(PARAGRAPH)
            self._apart_from = 0

    def _characters(self, data: str) -> None:
        for path, fact in self._dialect.facts.items():
            if self._is_in(path):
                self.facts[fact] = self.facts.get(fact, "") + data
        rank = self._dialect.dated(self._path) if self._path else None
        if rank is not None and rank not in self._read_dates:
            self._dates[rank] = self._dates.get(rank, "") + data
        texts = self._dialect.texts
        if self._silent_from or (texts and not any(self._is_in(path) for path in texts)):
            return
        if data.strip() and (instead := self._dialect.unseen(len(self._path))) is not None:
            self.unseen += len(data.strip())
            data = instead
        self._write(SPACE.sub(" ", data))

    def _is_in(self, path: Path) -> bool:
        return tuple(self._path[-len(path) :]) == path

    def _write(self, text: str) -> None:
        self._size += len(text)
        if self._size > 2 * MOST_CHARACTERS:
            raise UnusableError("too large", f"over {MOST_CHARACTERS:,} characters")
        self._part.append(text)

    @property
    def _part(self) -> list[str]:
        return self._notes if self._apart_from else self._text

    def _entity(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if value and not is_parameter and ("&" in value or len(value) > LONGEST_ENTITY):
            raise UnusableError("unreadable", f"XML: the entity {name[:20]!r} is made of too much")


def inside(*names: str) -> Callable[[Path, Attributes], bool]:
    """Return what is true of elements of some names."""
    those = frozenset(names)
    return lambda path, _: path[-1] in those
