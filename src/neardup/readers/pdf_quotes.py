"""Block quotations of PDFs, which are known by where lines stand on a page: indented, and wrapped."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from neardup.readers.pdf_pages import BREAK, Page
from neardup.text.layout import QUOTED
from neardup.text.quotations import LISTED

LEAST_INDENT = 18.0  # points: a quarter of an inch
SAME = 1.5  # points by which lines that begin at the same place differ
LEAST_LINES = 3
USUAL = 0.5  # of the characters of a page, in lines that begin at its margin
FULL = 0.8  # of the width: a line that is wrapped; the last one of a paragraph is shorter
APART = 1.25  # times the distance of lines: space before a paragraph
FAR = 4  # times that: a column or a picture is between
HEAD = 2  # lines at either end of a page that may be a running head


class Line(NamedTuple):
    """A line, and where it is on its page, in points from the left and from the bottom."""

    text: str
    left: float
    right: float
    bottom: float


def with_signs(pages: Iterable[Page]) -> Iterator[str]:
    """Yield the texts of pages with a sign before the lines of block quotations."""
    indent = 0.0
    for page in pages:
        texts = page.text.replace(QUOTED, " ").split(BREAK)
        lines = [
            Line(text, *place) for text, place in zip(texts, page.places, strict=True) if text.strip()
        ]
        quoted, indent = quoted_lines(lines, indent)
        yield "\n".join(QUOTED * (at in quoted) + line.text for at, line in enumerate(lines))


def quoted_lines(lines: Sequence[Line], indent: float = 0.0) -> tuple[set[int], float]:
    """Return which lines of a page are of block quotations.

    If the page before ended in one, `indent` says how far that is indented; that of this one is
    returned, too.
    """
    sizes: Counter[int] = Counter()
    for line in lines:
        sizes[round(line.left)] += len(line.text)
    margin = max(sizes, key=lambda left: (sizes[left], -left), default=0)
    usual = sum(size for left, size in sizes.items() if abs(left - margin) <= SAME)
    quoted: set[int] = set()
    if usual >= USUAL * sum(sizes.values()):
        for first, end in indented_runs(lines, margin):
            goes_on = indent and first <= HEAD and abs(lines[first].left - margin - indent) <= SAME
            if goes_on or is_quotation(lines, first, end, margin):
                quoted.update(range(first, end))
    if max(quoted, default=-HEAD) < len(lines) - HEAD:
        return quoted, 0.0
    return quoted, lines[max(quoted)].left - margin if quoted else 0.0


def indented_runs(lines: Sequence[Line], margin: float) -> Iterator[tuple[int, int]]:
    """Yield where runs of lines begin and end: one below the other, indented by the same."""
    at = 0
    while at < len(lines):
        first, at = at, at + 1
        if lines[first].left < margin + LEAST_INDENT:
            continue
        while (
            at < len(lines)
            and abs(lines[at].left - lines[first].left) <= SAME
            and lines[at].bottom < lines[at - 1].bottom
        ):
            at += 1
        yield first, at


def is_quotation(lines: Sequence[Line], first: int, end: int, margin: float) -> bool:
    """Return whether indented lines are a paragraph of their own, and no list and no second column.

    Entries of a reference list hang: their indented lines go on with the line before, which is full.
    """
    own = lines[first:end]
    if len(own) < LEAST_LINES or LISTED.match(own[0].text):
        return False
    left, right = own[0].left, max(line.right for line in own)
    distance = min(one.bottom - other.bottom for one, other in pairwise(own))
    if any(line.right - left < FULL * (right - left) for line in own[:-1]):
        return False
    if first <= HEAD and (not first or lines[first - 1].left > margin + SAME):  # the page begins with it
        return end < len(lines) and is_below(own[-1], lines[end], margin, distance) and begins(own[0])
    last = lines[first - 1]
    if LISTED.match(last.text) or not is_below(last, own[0], left, distance):
        return False
    gap = last.bottom - own[0].bottom
    full = last.right - margin >= FULL * (right - margin) and not last.text.rstrip().endswith(":")
    return abs(last.left - margin) <= LEAST_INDENT and (not full or gap > APART * distance)


def is_below(one: Line, other: Line, left: float, distance: float) -> bool:
    """Return whether the second line begins there, and is below the first one, not far from it."""
    return abs(other.left - left) <= LEAST_INDENT and 0 < one.bottom - other.bottom <= FAR * distance


def begins(line: Line) -> bool:
    """Return whether a line may begin a paragraph."""
    return not line.text.lstrip()[:1].islower()


def as_paragraphs(page: str) -> str:
    r"""Return a page in which lines with a sign are paragraphs that begin with one.

    >>> as_paragraphs("He said:\n\ufdd0One line\n\ufdd0and another.\nSo he did.")
    'He said:\n\n\ufdd0One line\nand another.\n\nSo he did.'
    """
    parts: list[str] = []
    inside = False
    for line in page.split("\n"):
        was, inside = inside, line.startswith(QUOTED)
        parts.append("\n" * (was != inside) + (line[1:] if was and inside else line))
    return "\n".join([*parts, "\n"] if inside else parts)
