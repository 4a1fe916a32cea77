"""Reference lists: found by their headings, which `bibliography.txt` has, and by their form."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from neardup.text.quotations import paragraphs

LONGEST_HEADING = 60  # characters
FEWEST = 3  # entries of a list without a heading
STRAY = 2  # paragraphs in a row that are no entries, after which a list has ended
LONGEST_ENTRY = 900  # characters
MOST_LINES = 5  # of one
NUMBERED = re.compile(r"^[\s#*_=>\-–—]*(?:(?:\d+|[ivxlcdm]+|[a-z])[.):\s]\s*)*", re.IGNORECASE)
YEAR = re.compile(r"(?<!\d)(?:1[5-9]\d\d|20\d\d)[a-z]?(?!\d)|\b(?:n\. ?d|o\. ?J|s\. ?d)\.")
DATED = re.compile(r"\((?:1[5-9]|20)\d\d[a-z]?\)[.,:]")  # as no sentence has it
LINK = re.compile(r"https?://|www\.|\bdoi\b|\b10\.\d{4,}/|\bISBN|\bISSN|\barXiv", re.IGNORECASE)
PAGES = re.compile(
    r"(?<!\d)\d{1,5}\s?[–—-]\s?\d{1,5}(?!\d)|\b(?:pp?|S|ss|str|с|стр|С|стор)\.\s?\d|\d+\s?\(\d+\)|\bvol\b|\bno\.|第\d+[卷期]",
    re.IGNORECASE,
)
LABEL = re.compile(r"^\s*(?:\[[^\]\s]{1,20}\]|［\d+］|\(\d{1,3}\)|\d{1,3}[.)])\s*\S")
NAME = re.compile(  # Hale, M. and Hale, Mary: and M. Hale, behind a label
    r"^\W*(?:\[[^\]]*\]\s*|\d+[.)]\s*)?(?:"
    r"([^\W\d_][\w'’.\- ]{0,40}?)[,،]?\s+(?:([^\W\d_])\.|([^\W\d_])[\w.\-]*\s?[,،:(])"
    r"|(?:[^\W\d_]\.[\s-]?)+[^\W\d_][\w'’\-]+[,:])"
)
FULL_NAME = (
    re.compile(  # Hale, Mary Ann. or : and Hale, Mary, and Peter Lee; a dash is the author before
        r"^\W*(?:\[[^\]]*\]\s*|\d+[.)]\s*)?"
        r"([^\W\d_][\w'’\- ]{0,30}),\s([^\W\d_][\w'’\-]+(?:\s[^\W\d_][\w'’\-]*\.?){0,3})"
        r"(?:[.:]|,\s(?:and|with|und|et|y|e|&|eds?\.|editors?))\s"
        r"|^\s*([–—_-]{2,}[.,]\s)"
    )
)
IMPRINT = re.compile(  # London: Orme, 1998 and London: Orme Press 1998
    r"([^\W\d_])[^:.\n]{1,40}:\s(?=([^\W\d_]))[^:\n]{0,60}?"
    r"(?:,|([^\W\d_])[\w'’.&\-]*)\s(?:1[5-9]|20)\d\d\b"
)
YEAR_ALONE = re.compile(
    r"\.\s(?:1[5-9]|20)\d\d[a-z]?\.\s|,\s(?:1[5-9]|20)\d\d\)?\.(?:\s(?:Print|Web)\.)?\s*$"
)
LINK_FIRST = re.compile(r"\W*(?:https?://|www\.)\S+", re.IGNORECASE)
DAY_LAST = re.compile(r",\s\d{1,2}\.?\s[^\W\d_]+\.?,?\s(?:1[5-9]|20)\d\d\.?$")  # of a newspaper
LONGEST_NAME = 120  # characters beside an address, or of a newspaper with its day: more is prose
ENDED = re.compile(r"[.。)\]”»\d/]\s*$")
KINDS = re.compile(
    r"\[(?:[JMDCNPRSZA]|EB/OL|OL)\]|[“«„\"《].{4,}[”»“\"》]|\b(?:eds?|Hrsg|Hg|éd|red|trad|transl)\."
)


@cache
def headings() -> frozenset[str]:
    """Return what reference lists are called, in small letters."""
    text = files("neardup.text").joinpath("bibliography.txt").read_text("utf-8")
    lines = [line.partition(":")[2] for line in text.splitlines() if not line.startswith("#")]
    return frozenset(
        name.strip().casefold() for line in lines for name in line.split(";") if name.strip()
    )


def reference_lists(text: str) -> list[tuple[int, int]]:
    """Return where reference lists begin and end, with their headings.

    >>> text = "It ends.\\n\\nReferences\\n\\nHale, M. (1998). Bridges. Leeds: Orme.\\n"
    >>> [text[start:end] for start, end in reference_lists(text)]
    ['References\\n\\nHale, M. (1998). Bridges. Leeds: Orme.']
    """
    units = list(pieces(text))
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(units):
        last = list_end(text, units, at)
        if last is None:
            at += 1
        else:
            found.append((units[at][0], units[last][1]))
            at = last + 1
    return found


def list_end(text: str, units: list[tuple[int, int]], first: int) -> int | None:
    """Return the last unit of the list that begins with one, None if none does."""
    headed = is_heading(text[slice(*units[first])])
    least = 1 if headed else FEWEST
    last, entries, stray = first, 0, 0
    for number in range(first + headed, len(units)):
        own = text[slice(*units[number])]
        if is_entry(own, headed):
            last, entries, stray = number, entries + 1, 0
        elif not headed or looks_like_heading(own):
            break
        else:
            stray += 1
            if stray == STRAY:
                break
    return last if entries >= least else None


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield paragraphs; one in which several entries begin, or a heading stands, in pieces."""
    for begin, end in paragraphs(text):
        lines = list(lines_of(text, begin, end))
        apart = any(is_heading(text[slice(*line)]) for line in lines)
        if len(lines) > 1 and (apart or starts_of_entries(text, lines) > 1):
            yield from joined(text, lines)
        elif lines:
            yield lines[0][0], lines[-1][1]


def lines_of(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the lines of a paragraph begin and end that are not empty."""
    for line in re.compile(r"[^\n]+").finditer(text, begin, end):
        if line.group().strip():
            yield line.start(), line.end()


def starts_of_entries(text: str, lines: list[tuple[int, int]]) -> int:
    """Return how many lines begin as entries do; of few, those behind one that may end an entry."""
    own = [text[slice(*line)] for line in lines]
    apart = [True, *(len(own) > MOST_LINES or may_end(line) for line in own)]
    return sum(behind and begins_entry(line) for line, behind in zip(own, apart, strict=False))


def may_end(line: str) -> bool:
    """Return whether an entry may end with a line: others were cut where they are full."""
    return bool(ENDED.search(line) or LINK.search(line)) or is_entry(line, True)


def joined(text: str, lines: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield entries, each with the lines that go on with it: those that begin as none does."""
    start, end = lines[0]
    for begin, behind in lines[1:]:
        own, before = text[begin:behind], text[start:end]
        alone = is_heading(own) or is_heading(before)
        if alone or begins_entry(own) or (is_entry(before, True) and is_entry(own, True)):
            yield start, end
            start = begin
        end = behind
    yield start, end


def is_heading(line: str) -> bool:
    """Return whether a line is the heading of a reference list.

    >>> is_heading("## 7. Works cited:"), is_heading("VI Literaturverzeichnis"), is_heading("Works")
    (True, True, False)
    """
    if len(line) > LONGEST_HEADING:
        return False
    plain = line.strip(" \t\r#*_=:.–—-").casefold()
    return plain in headings() or NUMBERED.sub("", line).strip(" \t\r#*_=:.–—-").casefold() in headings()


def looks_like_heading(own: str) -> bool:
    """Return whether a paragraph is a heading, which ends a list: one short line without a full stop."""
    own = own.strip()
    short = len(own) <= LONGEST_HEADING and "\n" not in own and own[-1:] not in (".", "。", ",")
    return short and not LINK.search(own) and not YEAR.search(own) and own[:1].isalnum()


def begins_entry(line: str) -> bool:
    """Return whether a line begins as an entry does: by a label, or a name and initials."""
    return bool(LABEL.match(line)) or has_author(line)


def has_author(line: str) -> bool:
    """Return whether a line begins with a name as those of authors are written."""
    name = NAME.match(line)
    if name:
        first = name[2] or name[3]
        if first is None or (name[1][:1].isupper() and first.isupper()):
            return True
    full = FULL_NAME.match(line)
    if full is None or full[3]:
        return full is not None
    given = full[2].split()  # small words are and, de, von, …
    return (
        full[1][0].isupper()
        and given[0][0].isupper()
        and all(w[0].isupper() or len(w) < 4 for w in given)
    )


def is_named_by_link(own: str) -> bool:
    """Return whether an entry is an address, with little but the day on which it was looked at."""
    link = LINK_FIRST.match(own)
    return link is not None and len(own) - link.end() <= LONGEST_NAME


def has_imprint(own: str) -> bool:
    """Return whether an entry names a place and a publisher, then the year."""
    return any(
        all(part is None or part.isupper() for part in found.groups()) for found in IMPRINT.finditer(own)
    )


def is_entry(own: str, headed: bool) -> bool:
    """Return whether a line or paragraph is an entry; under a heading less will do.

    >>> is_entry("[3] M. Hale, “Iron bridges”, J. Eng. 12 (1998), 3–19.", False)
    True
    >>> is_entry("In 1998 the bridge was closed for repairs.", True)
    False
    """
    if len(own) > LONGEST_ENTRY:
        return False
    own = " ".join(own.split())  # lines that were cut end nothing
    when, where = bool(YEAR.search(own)), bool(LINK.search(own))
    begins = 2 * (has_author(own) or is_named_by_link(own)) + bool(LABEL.match(own))
    begins += 2 * (headed and len(own) <= LONGEST_NAME and bool(DAY_LAST.search(own)))
    marks = (
        when
        + where
        + begins
        + bool(DATED.search(own) or YEAR_ALONE.search(own))
        + has_imprint(own)
        + bool(PAGES.search(own))
        + bool(KINDS.search(own))
    )
    return (when or where) and marks >= (3 if headed else 4)
