"""What a text cites, as far as a machine can tell: DOIs, ISBNs and addresses, each spelt one way."""

import re

CITED = re.compile(
    r"(?P<doi>\b10\.\d{4,9}/[^\s\"<>|{}\[\]]+)"
    r"|\bisbn\W{0,5}(?:1[03]\W{1,3})?(?P<isbn>\d(?:[ \u2010-\u2013-]?\d){8,11}[ \u2010-\u2013-]?[\dx])"
    r"|\bhttps?://(?P<url>[^\s\"<>|{}\[\]]+)",
    re.I,
)
ENDS = ".,;:!?)'*"
PLACE = re.compile(r"^(?:www\d?\.)?([^/?#]+)([^#]*)")


def citations(text: str) -> set[str]:
    """Return what a text cites.

    >>> sorted(citations("See http://www.A.org/b/, ISBN 0-14-044913-9 and doi:10.1000/X1."))
    ['a.org/b', 'doi:10.1000/x1', 'isbn:978014044913']
    """
    return {spelt(found) for found in CITED.finditer(text)}


def spelt(found: re.Match[str]) -> str:
    """Return one spelling for what was found; that of a copy kept by an archive is the original's."""
    if found["doi"]:
        return f"doi:{found['doi'].rstrip(ENDS).lower()}"
    if found["isbn"]:
        digits = re.sub(r"[^\dx]", "", found["isbn"].lower())
        # without the last, which checks the others
        return f"isbn:{digits[:12] if len(digits) == 13 else '978' + digits[:9]}"
    address = re.split(r"https?://", found["url"], flags=re.I)[-1].rstrip(ENDS)
    if (inside := CITED.search(address)) and inside["doi"]:
        return spelt(inside)
    place = PLACE.match(address)
    return f"{place[1].lower()}{place[2].rstrip('/')}" if place else address
