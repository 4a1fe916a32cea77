"""Where two texts differ: in the order of both, and side by side in HTML."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from neardup.web.page import Html, element, html, visible

CELL = '<td style="text-align:left;vertical-align:top;white-space:pre-wrap;width:50%">'
ONLY_A = '<del style="background:#f8d0d0;color:#600">'
ONLY_B = '<ins style="background:#cdeccf;color:#040">'


class Passage(NamedTuple):
    """A passage that two texts share word for word: characters, end excluded."""

    start_a: int
    end_a: int
    start_b: int
    end_b: int
    words: int


class TwoTexts(Protocol):
    """Two texts with their names, and what they share."""

    @property
    def id_a(self) -> str:
        """Return the name of the first."""

    @property
    def id_b(self) -> str:
        """Return the name of the second."""

    @property
    def text_a(self) -> str:
        """Return the first."""

    @property
    def text_b(self) -> str:
        """Return the second."""

    @property
    def passages(self) -> Sequence[Passage]:
        """Return what both have."""


def differences(found: TwoTexts) -> Iterator[tuple[str, str, str]]:
    """Yield, in the order of both texts, a common passage and what follows it in either.

    Passages that were moved are left out here, so that what remains is in the same order in both.
    """
    at_a = at_b = 0
    common = ""
    for passage in in_order(found.passages):
        yield common, found.text_a[at_a : passage.start_a], found.text_b[at_b : passage.start_b]
        common = found.text_a[passage.start_a : passage.end_a]
        at_a, at_b = passage.end_a, passage.end_b
    yield common, found.text_a[at_a:], found.text_b[at_b:]


def in_order(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages, by their place in the first text, that do not cross longer ones.

    >>> [p.words for p in in_order([Passage(0, 9, 50, 59, 2), Passage(10, 40, 0, 30, 6)])]
    [6]
    """
    kept: list[Passage] = []
    for passage in sorted(passages, key=lambda p: (-p.words, p.start_a)):
        at = bisect_left(kept, passage)
        before, after = kept[at - 1] if at else None, kept[at] if at < len(kept) else None
        fits_before = before is None or before.end_b <= passage.start_b
        if fits_before and (after is None or passage.end_b <= after.start_b):
            kept.insert(at, passage)
    return kept


def differing_html(head: str, parts: Iterable[tuple[str, TwoTexts]]) -> Html:
    """Show pairs of texts, each below what is said of it."""
    shown = (
        element("p", said) + side_by_side(own.id_a, own.id_b, differences(own)) for said, own in parts
    )
    return Html(element("p", head) + "".join(shown))


def side_by_side(id_a: str, id_b: str, parts: Iterable[tuple[str, str, str]]) -> Html:
    """Lay out two texts in two columns; a part is a common passage and what follows it in either."""
    left, right = "", ""
    for common, only_a, only_b in parts:
        same = only_a.split() == only_b.split()
        left += html(visible(common)) + marked(only_a, "" if same else ONLY_A, "</del>")
        right += html(visible(common)) + marked(only_b, "" if same else ONLY_B, "</ins>")
    heads = "".join(f"<th style='text-align:left'>{html(visible(name))}</th>" for name in (id_a, id_b))
    cells = f"{CELL}{left}</td>{CELL}{right}</td>"
    return Html(f"<table style='width:100%;table-layout:fixed'><tr>{heads}</tr><tr>{cells}</tr></table>")


def marked(text: str, begin: str, end: str) -> str:
    """Put a mark around a text, if there is anything in it to see."""
    return f"{begin}{html(visible(text))}{end}" if begin and text.strip() else html(visible(text))
