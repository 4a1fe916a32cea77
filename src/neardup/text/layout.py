"""Laid-out text: pages of lines as one text, and where in it each page begins.

Running heads are left out, and words that the end of a line cut are joined. What begins a page, a region
or a chapter is a form feed on the way; in the end, a line for each says where it is, and its name.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

PAGE_STARTS = "page_starts"  # the column: a line each with where a page begins, and its name
START = "\f"
QUOTED = "\ufdd0"  # begins a paragraph that is a block quotation, on the way; in the end it is indented
INDENT = "    "
SEEN = "\ufffe"  # what PDFium has in place of a hyphen at the end of a line
EDGE = 2  # lines at both ends of a page that may be running heads
LEAST_REPEATS = 3  # pages with the same one, if there are as many
NEAR = 2  # pages before and behind, one of which has it, too: heads differ from left to right
LONGEST_NAME = 40
NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
CUT = re.compile(r"(\w+)([-\u2010\u00ac\u00ad]\n|\ufffe)(\f?)\s*(\w+)([^\s\ufffe]*)([ \n]?)")
HYPHEN = re.compile(r"[-\u2010\u00ac\u00ad]\n|\ufffe")
COMPOUND = re.compile(r"\w+-\w+")
SPACES = re.compile(r"[^\S\n\f]+")
AROUND_BREAKS = re.compile(r" *\n *")
LEADING = re.compile(r"\A[ \n\f]+")
AROUND_START = re.compile(r"(\n*)\f(\n*)")
MANY_BREAKS = re.compile(r"\n{3,}")
BLOCK = re.compile(rf"{QUOTED}((?:(?!\n\n).)*)", re.DOTALL)
NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def without_running_heads(pages: Sequence[str]) -> list[str]:
    """Leave out the first and last lines of pages that near pages have, too, but for their numbers."""
    lines = [[line for line in page.splitlines() if line.strip()] for page in pages]
    edges = [{_key(line) for line in (*own[:EDGE], *own[-EDGE:])} for own in lines]
    counts = Counter(key for own in edges for key in own)
    least = min(LEAST_REPEATS, len(pages))
    common = {key for key, count in counts.items() if count >= (2 if "#" in key else max(least, 2))}
    found = [_peeled(own, common & _around(edges, at)) for at, own in enumerate(lines)]
    if 2 * found.count("") > len(pages):  # such as slides: what they say on each page is all they say
        return ["\n".join(own) for own in lines]
    return found


def _around(edges: list[set[str]], at: int) -> set[str]:
    return set().union(*edges[max(at - NEAR, 0) : at], *edges[at + 1 : at + 1 + NEAR])


def _key(line: str) -> str:
    return " ".join(NUMBER.sub("#", line.casefold()).split())


def _peeled(lines: list[str], running: set[str]) -> str:
    first, last = 0, len(lines)
    while first < min(EDGE, last) and _key(lines[first]) in running:
        first += 1
    while last > max(first, len(lines) - EDGE) and _key(lines[last - 1]) in running:
        last -= 1
    return "\n".join(lines[first:last])


def joined(text: str) -> str:
    r"""Join the words that the end of a line cut; a hyphen that a word has elsewhere, too, stays.

    >>> joined("An exam-\nple of a well-known\nrule, and a well-\nknown one.")
    'An example\nof a well-known\nrule, and a well-known\none.'
    """
    if not HYPHEN.search(text):
        return text
    compounds = set(map(str.lower, COMPOUND.findall(text)))

    def whole(found: re.Match[str]) -> str:
        left, cut, start, right, rest, space = found.groups()
        is_word = right[0].islower()
        if cut != SEEN and not is_word:
            return found[0]
        is_compound = f"{left}-{right}".lower() in compounds
        between = "" if is_word and not is_compound else "-"
        return f"{left}{between}{right}{rest}{space if cut == SEEN else space and chr(10)}{start}"

    return CUT.sub(whole, text)


def assembled(text: str, names: Iterable[str]) -> tuple[str, str | None]:
    r"""Return a text without its form feeds, and where what they begin is, under these names.

    >>> assembled("\fOne  page.\n\fAno-\nther.", ["p. 1", "p. 2"])
    ('One page.\nAnother.', '0\tp. 1\n10\tp. 2')
    """
    text = NOT_TEXT.sub("", joined(text.replace("\r\n", "\n")))
    lines = AROUND_BREAKS.sub("\n", SPACES.sub(" ", text))
    lines = AROUND_START.sub(lambda found: (found[1] + found[2])[:2] + START, lines)
    lines = LEADING.sub(lambda found: START * found[0].count(START), MANY_BREAKS.sub("\n\n", lines))
    before, *parts = indented(lines).split(START)
    found, at, starts = [before], len(before), []
    for part, name in zip(parts, names, strict=True):
        starts.append(f"{at}\t{' '.join(name.split())[:LONGEST_NAME]}")
        found.append(part)
        at += len(part)
    return "".join(found).rstrip(), "\n".join(starts) or None


def indented(text: str) -> str:
    r"""Return a text with its block quotations indented, as they are where people type them.

    >>> indented("He said:\n\n\ufdd0One line\nand another.\n\nSo he did.")
    'He said:\n\n    One line\n    and another.\n\nSo he did.'
    """
    if QUOTED not in text:
        return text
    return BLOCK.sub(_block, text)


def _block(found: re.Match[str]) -> str:
    lines = found[1].replace(QUOTED, "").replace("\n", f"\n{INDENT}")
    return f"{INDENT}{lines}" if lines.strip() else ""


def place_of(starts: str | None, begin: int, end: int) -> str | None:
    r"""Return on which page, or pages, some characters are; None if there are none.

    >>> place_of("0\tp. 1\n10\tp. 2\n90\tp. 3", 12, 20), place_of("0\tp. 1\n10\tp. 2", 5, 20)
    ('p. 2', 'p. 1–2')
    """
    places, names = _parsed(starts or "")
    if not places or begin < places[0]:
        return None
    first, last = (max(bisect_right(places, at) - 1, 0) for at in (begin, max(begin, end - 1)))
    if first == last:
        return names[first]
    kind, _, number = names[last].rpartition(" ")
    same = names[first].rpartition(" ")[0] == kind
    return f"{names[first]}–{number if same else names[last]}"


@lru_cache(64)
def _parsed(starts: str) -> tuple[list[int], list[str]]:
    rows = [line.partition("\t") for line in starts.split("\n")]
    known = [(int(at), name) for at, _, name in rows if at.isdecimal()]
    return [at for at, _ in known], [name for _, name in known]
