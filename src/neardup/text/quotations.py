"""Quotations: what stands in quotation marks of any common language, and block quotations."""

import itertools
import re
from bisect import bisect_left
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
BRACKETS = "([{¿¡“„«‹‘‚"
CLOSING = {  # what each mark may close
    mark: "".join(style for style, closed in OPENING.items() if mark in closed)
    for mark in "".join(OPENING.values())
}
MOST_WORDS = 250  # of a paragraph between two marks: of 6,081 in print, two quotations have more
LONGEST = {"'": 600, "‘": 1_500}  # characters between two marks; a mark alone is no quotation
LONGEST_OF_OTHERS = 5_000
LEAST_WORDS = 3  # fewer are a title, or a word that is talked about
LEAST_BLOCK = 8  # words of a block quotation that is only indented
INDENTED = 2  # columns by which it is, beside the rest of the text
USUAL = 0.75  # of a text stands at one indent, where what is indented more is a quotation and no outline
USUAL_OF_TWO = 0.5  # where there are two indents only: an outline has more
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
    r"|\([^()]{0,60}\b(?:n\.\s?d|o\.\s?J|s\.\s?[da]|б\.\s?г)\.[^()]{0,40}\)"
    r"|\((?:(?i:ibid|ibíd|ebd|ebenda|idem|tamże|там же|там само)|(?:op|loc)\.\s?cit|a\.\s?a\.\s?O)\b"
    r"[^()]{0,40}\)"
)
AUTHOR_AND_PAGE = re.compile(r"\([^()]{0,60}?(?:([^\W\d_])[\w'’-]*|\bal\.),?\s\d{1,4}(?:[–-]\d{1,4})?\)")
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
    beside = text[max(start - NEAR, 0) : start], text[end : end + NEAR]
    if FOOTNOTE.match(beside[1]) or any(map(REFERENCE.search, beside)):
        return True
    found = (named for part in beside for named in AUTHOR_AND_PAGE.finditer(part))
    return any(named[1] is None or named[1].isupper() for named in found)


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where paragraphs begin and end: what lies between empty lines."""
    begin = 0
    for gap in PARAGRAPH.finditer(text):
        yield begin, gap.start()
        begin = gap.end()
    yield begin, len(text)


def marked(text: str) -> Iterator[tuple[int, int]]:
    """Yield what stands in quotation marks; it may go on in a paragraph that begins with one, too.

    Of pairs in pairs of marks, the outermost is the quotation; of two marks that open and one that
    closes, the second and the last are a pair.
    """
    spans = [*paragraphs(text), (len(text), len(text))]
    for (begin, end), (after, _) in itertools.pairwise(spans):
        pairs, left = paired(text, begin, end)
        following = [at for at in left if text[at] not in EITHER and text[at] == text[after : after + 1]]
        pairs += [(at, end) for at in following[-1:]]
        if pairs:
            yield from outermost(short_enough(text, begin, end, pairs))


def paired(text: str, begin: int, end: int) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the marks of a paragraph that open and close quotations, and those that are not closed."""
    pairs: list[tuple[int, int]] = []
    waiting: dict[str, list[int]] = {}  # marks that opened: those of one style do not mind the others
    for found in MARKS.finditer(text, begin, end):
        at, mark = found.start(), found.group()
        own = [
            style for style in CLOSING.get(mark, "") if waiting.get(style) and closes(text, at, style)
        ]
        if own:
            opened = max(waiting[style][-1] for style in own)
            for style, places in waiting.items():
                if style in own:
                    del places[bisect_left(places, opened) :]
            pairs.append((opened, at + 1))
        elif mark in OPENING and opens(text, at):
            waiting.setdefault(mark, []).append(at)
    return pairs, sorted(itertools.chain(*waiting.values()))


def opens(text: str, at: int) -> bool:
    """Return whether a mark may open a quotation."""
    mark, before, behind = text[at], text[at - 1 : at] if at else " ", text[at + 1 : at + 3]
    if mark in EITHER and (before.isalnum() or before in "”’'\".,!?" or not behind[:1].strip()):
        return False
    if mark in '"＂' and (behind[0] in ",;:!?)" or (behind[0] == "." and behind != "..")):
        return False
    return mark not in "'‘" or not (before.isalnum() or ELISIONS.match(text, at + 1))


def closes(text: str, at: int, style: str) -> bool:
    """Return whether a mark may close a quotation that a mark of this style opened."""
    mark, before, behind = text[at], text[at - 1], text[at + 1 : at + 2]
    if mark in OPENING and (before.isspace() or before in BRACKETS):
        return not behind or not (behind.isalnum() or behind in BRACKETS) or not opens(text, at)
    if mark in "’'" and before.isalpha() and behind.isalpha():
        return False
    # else an apostrophe: the boys' books
    return style != "'" or before in ".,;:!?…" or behind in ".,;:!?)"


def short_enough(
    text: str, begin: int, end: int, pairs: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of marks of a paragraph between which there is not too much for a quotation."""
    words = [found.start() for found in WORD.finditer(text, begin, end)]
    for opened, closed in pairs:
        count = bisect_left(words, closed) - bisect_left(words, opened)
        if count <= MOST_WORDS and closed - opened <= LONGEST.get(text[opened], LONGEST_OF_OTHERS):
            yield opened, closed


def outermost(pairs: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs that are in no other one, and of those that cross the first."""
    last = 0
    for opened, closed in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        if opened >= last:
            yield opened, closed
            last = closed


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield block quotations: lines behind >, and paragraphs that are indented more than the others."""
    for found in MAILED.finditer(text):
        yield found.start(), found.end()
    indents = [(begin, end, indent(text, begin, end)) for begin, end in paragraphs(text) if begin < end]
    sizes: Counter[int] = Counter()
    for begin, end, columns in indents:
        sizes[columns] += end - begin
    usual = max(sizes, key=lambda columns: (sizes[columns], -columns), default=0)
    if sizes[usual] < (USUAL if len(sizes) > 2 else USUAL_OF_TWO) * sum(sizes.values()):
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
