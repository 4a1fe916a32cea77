"""Quotations: what stands in quotation marks of any common language, and block quotations."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

OPENING = {  # what may close each mark
    "“": "”",
    "„": "“”",
    "‟": "”",
    "«": "»",
    "‹": "›",
    "‘": "’",
    "‚": "‘’",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    "»": "«",
    "›": "‹",
    "”": "”",
    '"': '"',
    "＂": "＂",
    "'": "'",
}
EITHER = "»›”\"＂'"  # these open and close: what stands beside them says which
LONGEST = {"'": 600, "‘": 1_500}  # characters between two marks; a mark alone is no quotation
LONGEST_OF_OTHERS = 5_000
LEAST_WORDS = 3  # fewer are a title, or a word that is talked about
LEAST_BLOCK = 8  # words of a block quotation that is only indented
INDENTED = 2  # columns by which it is, beside the rest of the text
USUAL = 0.75  # of a text stands at one indent, where what is indented more is a quotation and no outline
NEAR = 80  # characters within which a reference stands beside a quotation
LETTERS = 0.8  # of the characters of prose; formulas and tables have fewer
PARAGRAPH = re.compile(r"\n[ \t\r\f\v]*(?:\n[ \t\r\f\v]*)+")
MARKS = re.compile("[" + re.escape("".join({*OPENING, *"".join(OPENING.values())})) + "]")
# of scripts without spaces, two letters are taken for a word
WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{2}|\w+")
ELISIONS = re.compile(r"(?:tis|twas|twere|twill|em|cause|til|bout|n|s|\d\ds?)\b", re.IGNORECASE)
LISTED = re.compile(r"\s*(?:[-*•–·]|\(?\w{1,3}[.)])\s")
MAILED = re.compile(r"(?:^[ \t]*>.*(?:\n|$))+", re.MULTILINE)
REFERENCE = re.compile(
    r"\([^()]{0,60}(?:1[0-9]|20)\d\d[^()]{0,40}\)|\([^()]{0,60}\b(?:pp?|S|s|str|с|págs?|pág)\.\s*\d+[^()]*\)"
    r"|\(\d{1,4}\)|\[[^\[\]\n]{0,40}\d[^\[\]\n]{0,20}\]|[¹²³⁴⁵⁶⁷⁸⁹]"
)
FOOTNOTE = re.compile(r"[.,;:]?\d{1,3}\b")


class Quotation(NamedTuple):
    """Where a quotation begins and ends, marks and all, and whether a reference stands beside it."""

    start: int
    end: int
    cited: bool


def quotations(text: str) -> list[Quotation]:
    """Return the quotations of a text, in its order.

    >>> quotations('She said: “It is not known yet.” (Hale 1998)')
    [Quotation(start=10, end=32, cited=True)]
    """
    spans = [*marked(text), *blocks(text)]
    return [
        Quotation(start, end, is_cited(text, start, end))
        for start, end in sorted(spans)
        if len(WORD.findall(text, start, end)) >= LEAST_WORDS
    ]


def is_cited(text: str, start: int, end: int) -> bool:
    """Return whether a reference stands right before or behind a quotation: (Hale 1998), [3], p. 5."""
    before, behind = text[max(start - NEAR, 0) : start], text[end : end + NEAR]
    return bool(FOOTNOTE.match(behind) or REFERENCE.search(behind) or REFERENCE.search(before))


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where paragraphs begin and end: what lies between empty lines."""
    begin = 0
    for gap in PARAGRAPH.finditer(text):
        yield begin, gap.start()
        begin = gap.end()
    yield begin, len(text)


def marked(text: str) -> Iterator[tuple[int, int]]:
    """Yield what stands in quotation marks; it may go on in a paragraph that begins with one, too."""
    spans = [*paragraphs(text), (len(text), len(text))]
    for (begin, end), (after, _) in itertools.pairwise(spans):
        at = begin
        while (opened := opening(text, at, end)) is not None:
            closed = closing(text, opened, end)
            mark = text[opened]
            if closed is None and mark not in EITHER and text[after : after + 1] == mark:
                closed = end
            if closed is None:
                at = opened + 1
            else:
                yield opened, closed
                at = closed


def opening(text: str, begin: int, end: int) -> int | None:
    """Return where the next mark stands that may open a quotation."""
    for found in MARKS.finditer(text, begin, end):
        at, mark = found.start(), found.group()
        if mark not in OPENING:
            continue
        before, behind = text[at - 1 : at] if at else " ", text[at + 1 : at + 2]
        if mark in EITHER and (before.isalnum() or before in "”’'\".,!?" or not behind.strip()):
            continue
        if mark in "'‘" and (before.isalnum() or ELISIONS.match(text, at + 1)):
            continue
        return at
    return None


def closing(text: str, opened: int, end: int) -> int | None:
    """Return the end of the quotation that a mark opens, with its closing mark; None if it has none."""
    mark = text[opened]
    end = min(end, opened + LONGEST.get(mark, LONGEST_OF_OTHERS))
    for found in MARKS.finditer(text, opened + 1, end):
        at = found.start()
        if found.group() not in OPENING[mark]:
            continue
        before, behind = text[at - 1], text[at + 1 : at + 2]
        if found.group() in "’'" and before.isalpha() and behind.isalpha():
            continue
        if mark in '"＂' and before.isspace() and behind.strip():
            continue  # one that opens
        if mark == "'" and not (before in ".,;:!?…" or behind in ".,;:!?)"):
            continue  # an apostrophe: the boys' books
        return at + 1
    return None


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield block quotations: lines behind >, and paragraphs that are indented more than the others."""
    for found in MAILED.finditer(text):
        yield found.start(), found.end()
    indents = [(begin, end, indent(text, begin, end)) for begin, end in paragraphs(text) if begin < end]
    sizes: Counter[int] = Counter()
    for begin, end, columns in indents:
        sizes[columns] += end - begin
    usual = max(sizes, key=lambda columns: (sizes[columns], -columns), default=0)
    if sizes[usual] < USUAL * sum(sizes.values()):
        return
    for begin, end, columns in indents:
        if columns < usual + INDENTED or LISTED.match(text, begin, end):
            continue
        letters = sum(map(str.isalpha, text[begin:end]))
        prose = letters >= LETTERS * len("".join(text[begin:end].split()))
        if prose and len(WORD.findall(text, begin, end)) >= LEAST_BLOCK:
            yield begin, end


def indent(text: str, begin: int, end: int) -> int:
    """Return by how many columns all lines of a paragraph are indented.

    >>> indent("\\n    a b c\\n  d e", 1, 16)
    2
    """
    first = text.rfind("\n", 0, begin) + 1
    lines = text[first:end].expandtabs(4).splitlines()
    return min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
