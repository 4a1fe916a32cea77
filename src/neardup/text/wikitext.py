"""The text of a wiki page: templates, tables, references, files and headings left out.

Some templates hold text of the sentence around them; these few are known by name. `[[File:…]]` and
`[[Category:…]]` have other names in other languages: a dump says which.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from neardup.kernels.wikitext import FIRST, MEASURE, SECOND, plain_text
from neardup.kernels.wikitext_structure import BREAK, DROP_CONTENT, KEEP_RAW, Names, name_hash
from neardup.text.references import unescaped

TAGS = {
    DROP_CONTENT: "ref references math chem ce gallery table timeline imagemap syntaxhighlight source "
    "pre score graph mapframe maplink templatedata templatestyles hiero indicator section "
    "categorytree inputbox includeonly style script",
    KEEP_RAW: "nowiki",
    BREAK: "br p div center blockquote ul ol dl li hr dd dt poem h1 h2 h3 h4 h5 h6 caption",
}
TEMPLATES = {
    FIRST: "nowrap nobr small smaller big nobold noitalic mvar sub sup abbr",
    SECOND: "lang transl transliteration script",
    MEASURE: "convert cvt",
}
DEEPEST = 6  # = before and behind a heading
# A heading without any mark, behind the = before it: nothing of it is to be left out.
PLAIN = re.compile(rb" *[A-Za-z0-9]+(?: [A-Za-z0-9]+)* *=* *")
DROPPED = ("File", "Image", "Media", "Category")  # known in all wikis


class Heading(NamedTuple):
    """A heading: how many characters of text come before it, its level (2 for `== X ==`), its name."""

    start: int
    level: int
    name: str


def _hash(name: str) -> int:
    data = np.frombuffer(name.encode("utf-8", "replace"), np.uint8)
    return int(name_hash(data, 0, len(data)))


@lru_cache(1)
def tables() -> tuple[Names, Names]:
    """Return the known names of tags and of templates."""
    return _names(TAGS), _names(TEMPLATES)


def _names(given: Mapping[int, str]) -> Names:
    known = sorted((_hash(name), action) for action, names in given.items() for name in names.split())
    return Names(
        np.array([value for value, _ in known], np.uint64), np.array([a for _, a in known], np.uint8)
    )


@lru_cache(64)
def dropped_names(namespaces: frozenset[str]) -> Names:
    """Return the names of namespaces whose links are not text, in the spellings that occur."""
    known = (*DROPPED, *namespaces)
    spelt = (form for name in known for form in (name, name.lower(), name.capitalize()))
    hashes = np.array(sorted({_hash(name) for name in spelt}), np.uint64)
    return Names(hashes, np.ones(len(hashes), np.uint8))


def clean(source: bytes, namespaces: Iterable[str] = ()) -> str:
    """Return the text of a page; `namespaces` are further names of files and categories.

    >>> clean(b"'''Berne''' is [[Cities|a city]].<ref>{{cite|x}}</ref>\\n== History ==\\nIt is old.")
    'Berne is a city.\\n\\nIt is old.'
    """
    return outlined(source, namespaces)[0]


def outlined(source: bytes, namespaces: Iterable[str] = ()) -> tuple[str, Iterator[Heading]]:
    """Return the text of a page, and its headings, which are no part of it.

    >>> list(outlined(b"Berne is old.\\n== ''Its'' history ==\\nIt grew.")[1])
    [Heading(start=13, level=2, name='Its history')]
    """
    known = dropped_names(frozenset(namespaces))
    found, rows = plain_text(np.frombuffer(source, np.uint8), *tables(), known)
    places = rows.tolist()
    cuts = pairwise([0, *(before for before, _, _ in places), len(found)])
    parts = [_decoded(found[begin:end].tobytes()) for begin, end in cuts]
    starts = accumulate(map(len, parts))
    lines = (source[begin:end] for _, begin, end in places)
    return "".join(parts), map(_heading, starts, lines)


def _decoded(data: bytes) -> str:
    text = str(data, "utf-8", "replace")
    return unescaped(text).replace("\xa0", " ") if "&" in text else text


def _heading(start: int, line: bytes) -> Heading:
    named = line.lstrip(b"=")
    # Most are plain. In others, a mark at the beginning of a line would be one of a list.
    plain = PLAIN.fullmatch(named)
    name = named.strip().decode() if plain else clean(b"x" + named.strip())[1:]
    bare = name.rstrip("=")
    return Heading(start, min(len(line) - len(named), len(name) - len(bare), DEEPEST), bare.strip())
