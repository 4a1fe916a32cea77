"""What a page may cost before it is parsed: a few bytes of HTML can become a hundred times as many.

The tree of a page takes memory by its tags and attributes, and time by the square of the attributes of
one tag. Both can be told from the source, so a page that would take too much is never parsed. The limit
is the same for all runs: what is in a result must not depend on how much memory a machine has.
"""

import re
import threading
from contextlib import AbstractContextManager, nullcontext

from neardup.readers.records import Record

MOST = 64 << 20  # bytes for the tree of one page: 190,000 tags, more than people read
TAG_BYTES = 2 * 170  # an element, and the text behind it
ATTRIBUTE_BYTES = 250
CHARACTER_BYTES = 4
DECODED = 1 + CHARACTER_BYTES  # bytes for a byte, while both are there
WORST_BYTES = 128  # that a character of HTML can take
MOST_ATTRIBUTES = 1000  # of one tag
ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"'][^\s>]*+)?)?"""
TAG = r"<[a-zA-Z][^\s/>]*+"
ATTRIBUTES = re.compile(ATTRIBUTE)
WITH_ATTRIBUTES = re.compile(rf"{TAG}((?:{ATTRIBUTE})++)")
# from the beginning of a page up to the first tag that has too many attributes
USUAL = re.compile(
    rf"(?:[^<]++|<(?![a-zA-Z])|{TAG}(?:{ATTRIBUTE}){{0,{MOST_ATTRIBUTES}}}+[\s/]*+(?:>|\Z))*+"
)


_TURN = threading.Lock()


def turn_for(html: str) -> AbstractContextManager[object]:
    """Return what to hold while a page is parsed: large ones have their turn, one after the other."""
    return _TURN if len(html) * WORST_BYTES > MOST // 4 else nullcontext()


def most_bytes(max_record: int) -> int:
    """Return how many bytes of HTML a page may have: as it is, and decoded, it has room."""
    return min(max_record, MOST // DECODED)


def markup_fault(html: str) -> Record | None:
    """Return what is wrong with a page that is too large to parse, None if nothing is.

    >>> markup_fault("<p>a" * 1_000_000).detail
    'HTML of 1,000,000 tags, which would take 339 MB of memory'
    """
    usual = USUAL.match(html) if len(html) > 2 * MOST_ATTRIBUTES else None
    if usual and usual.end() < len(html):
        detail = f"HTML with over {MOST_ATTRIBUTES:,} attributes in a tag"
        return Record(problem="unreadable", detail=detail)
    if len(html) * WORST_BYTES <= MOST:
        return None
    tags = html.count("<")
    attributes = sum(
        sum(1 for _ in ATTRIBUTES.finditer(found[1])) for found in WITH_ATTRIBUTES.finditer(html)
    )
    size = tags * TAG_BYTES + attributes * ATTRIBUTE_BYTES + len(html) * CHARACTER_BYTES
    if size <= MOST:
        return None
    detail = f"HTML of {tags:,} tags, which would take {size >> 20:,} MB of memory"
    return Record(problem="too large", detail=detail)
