"""Block quotations in files that are laid out: paragraphs are known by styles, or by indents."""

import re
from collections.abc import Callable
from dataclasses import replace

from neardup.readers.values import number_in
from neardup.readers.xml_text import Attributes, Dialect, Walk
from neardup.text.layout import QUOTED

NAMED = re.compile(
    r"quot|zitat|citat|citaz|\bcita\b|cytat|цитат|цитиров|alıntı|block\s?text|引用|인용|引文",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"list|toc\b|index|bibliogra|reference|head|title|caption|foot|endnote|cited|literatur",
    re.IGNORECASE,
)
LONGEST_NAMES = 1_000
LEAST_TWIPS = 360  # a quarter of an inch
TWIPS = {"cm": 567.0, "mm": 56.7, "in": 1440.0, "pt": 20.0, "pc": 240.0, "px": 15.0}
MEASURE = re.compile(r"(-?\d+(?:\.\d+)?)(cm|mm|in|pt|pc|px)$")
RICH = re.compile(r"\\[\\{}]|([{}])|\\(pard|par|li|fi|ls)(-?\d+)?(?![a-z\d])")
Quotes = Callable[[str, Attributes], bool | None]


def word_styles(data: bytes) -> dict[str, str]:
    """Return the names of a Word file's styles, and of those that they are based on, by their ids."""
    names: dict[str, str] = {}
    style = ""

    def listed(name: str, own: Attributes) -> None:
        nonlocal style
        if name == "style":
            style = own.get("styleId", "")
            names[style] = style
        elif name in ("name", "basedOn") and style:
            names[style] = f"{names[style]} {own.get('val', '')}"[:LONGEST_NAMES]

    Walk(Dialect(frozenset(), place=listed), data)
    return names


def in_word(dialect: Dialect, styles: dict[str, str]) -> Dialect:
    """Return the dialect of a Word file that tells block quotations from other paragraphs."""
    style, indented, listed, former = "", False, False, False

    def quoted(name: str, own: Attributes) -> bool | None:
        nonlocal style, indented, listed, former
        if name == "p":
            style, indented, listed, former = "", False, False, False
        elif former or name == "pPrChange":  # comes last, and has what the paragraph was before
            former = True
            return None
        elif name == "pStyle":
            given = own.get("val", "")
            style = styles.get(given, given)
        elif name == "ind":
            left = number_in(own.get("left") or own.get("start")) or 0
            indented = left >= LEAST_TWIPS and not number_in(own.get("hanging"))
        elif name in ("numPr", "numId"):
            listed = own.get("val") != "0"
        else:
            return None
        return not listed and (bool(NAMED.search(style)) or (indented and not OTHERS.search(style)))

    return replace(dialect, quoted=quoted)


def open_styles(*parts: bytes) -> frozenset[str]:
    """Return which styles of an OpenDocument text are those of block quotations."""
    found: set[str] = set()
    style = names = ""

    def listed(name: str, own: Attributes) -> None:
        nonlocal style, names
        if name == "style":
            style, parent = own.get("name", ""), own.get("parent-style-name", "")
            names = f"{style} {own.get('display-name', '')} {parent}".replace("_20_", " ")
            if "list-style-name" in own:
                style = ""
            elif style and (NAMED.search(names) or parent in found):
                found.add(style)
        elif name == "paragraph-properties" and style and not OTHERS.search(names):
            deep, first = twips(own.get("margin-left")), twips(own.get("text-indent"))
            if deep >= LEAST_TWIPS and first >= 0:
                found.add(style)

    for part in parts:
        Walk(Dialect(frozenset(), place=listed), part)
    return frozenset(found)


def twips(measure: str | None) -> float:
    """Return a measure in twentieths of a point.

    >>> twips("1in"), twips("-10mm"), twips(None), twips("5%")
    (1440.0, -567.0, 0.0, 0.0)
    """
    found = MEASURE.match(measure or "")
    return float(found[1]) * TWIPS[found[2]] if found else 0.0


def in_open(dialect: Dialect, styles: frozenset[str]) -> Dialect:
    """Return the dialect of an OpenDocument text that tells block quotations from other paragraphs."""

    def quoted(name: str, own: Attributes) -> bool | None:
        return own.get("style-name") in styles if name in dialect.blocks else None

    return replace(dialect, quoted=quoted)


def signed(rtf: str) -> str:
    """Return Rich Text with a sign at the end of each paragraph that is a block quotation."""
    parts, at = [], 0
    stack = [(0, 0, False)]  # of groups: the indent, that of the first line, and whether it is a list
    for found in RICH.finditer(rtf):
        brace, word, number = found.groups()
        left, first, listed = stack[-1]
        if brace == "{":
            stack.append(stack[-1])
        elif brace == "}" and len(stack) > 1:
            stack.pop()
        elif word == "pard":
            stack[-1] = (0, 0, False)
        elif word == "par" and left >= LEAST_TWIPS and first >= 0 and not listed:
            parts += [rtf[at : found.start()], QUOTED]
            at = found.start()
        elif word in ("li", "fi"):
            size = max(-99_999, min(int((number or "0")[:9]), 99_999))
            stack[-1] = (size, first, listed) if word == "li" else (left, size, listed)
        elif word == "ls":
            stack[-1] = (left, first, number not in (None, "0"))
    return "".join([*parts, rtf[at:]])


def begun(text: str) -> str:
    """Return a text in which lines that end in a sign are paragraphs that begin with it."""
    if QUOTED not in text:
        return text
    lines = text.split("\n")
    return "\n".join(f"\n{QUOTED}{line[:-1]}\n" if line.endswith(QUOTED) else line for line in lines)
