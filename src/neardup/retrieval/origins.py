"""Where near-duplicates come from, told by their addresses and dates.

The rules, in this order. Without both addresses: two texts of one title with different dates are
*editorial variations*, of all others nothing is known. One and the same address with the same text was
*crawled again*; with another text it is an editorial variation, and so is an address that differs only
in what does not matter if text and date differ. What does not matter are scheme, `www.`, port, case
of the host, index page, session, order of the query. Otherwise such addresses, and two pages of one site
with the same text, are *URL variations*. Other pages of one site are editorial variations. Pages of
two sites with the same path are *mirrors*.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple, get_args
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.result import Result

Origin = Literal["crawled again", "URL variation", "editorial variation", "mirror", "other", "unknown"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)
INDEX = re.compile(r"(?<=/)(?:index|default|home|main|welcome)\.\w{2,5}$", re.I)
SESSION = re.compile(
    r"(?:php|asp|j|cf)?sess(?:ion)?_?(?:id)?|sid|cfid|cftoken|utm_\w+|aspsessionid\w*", re.I
)
SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?]*", re.I)
SAME_SITE = re.compile(r"^(?:www\d*|m|mobile)\.")


class Address(NamedTuple):
    """An address without what does not matter."""

    site: str
    path: str
    query: str


@cache
def normalised(url: str) -> Address | None:
    """Return what matters of an address, None if it is none.

    >>> normalised("HTTP://www.Example.com:80/a/index.html?b=2&a=1&PHPSESSID=77#top")
    Address(site='example.com', path='/a/', query='a=1&b=2')
    """
    if "://" not in url:
        url = f"http://{url}"
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").rstrip(".")
        port = parts.port
    except ValueError:
        return None
    if not host:
        return None
    site = SAME_SITE.sub("", host) + ("" if port in (None, 80, 443) else f":{port}")
    path = quote(unquote(SESSION_IN_PATH.sub("", parts.path)), safe="/~:@!$&'()*+,;=")
    path = INDEX.sub("", re.sub(r"/{2,}", "/", path or "/"))
    query = [(k, v) for k, v in parse_qsl(parts.query, True) if not SESSION.fullmatch(k)]
    return Address(site, path if path == "/" else path.rstrip("/") + "/", urlencode(sorted(query)))


def origin(
    url_a: str | None,
    url_b: str | None,
    similarity: float | None = None,
    dates: tuple[str | None, str | None] = (None, None),
    titles: tuple[str | None, str | None] = (None, None),
) -> Origin:
    """Return why there are two of a page.

    >>> origin("http://mirror-pole.com/apif.web/", "http://www.mirror-pole.com/apif.web/index.htm")
    'URL variation'
    """
    a, b = (normalised(url) if url else None for url in (url_a, url_b))
    other_time = None not in dates and dates[0] != dates[1]
    changed = similarity is not None and similarity < 1
    if a is None or b is None:
        same_title = titles[0] is not None and titles[0] == titles[1]
        return "editorial variation" if other_time and same_title else "unknown"
    if url_a == url_b:
        return "editorial variation" if changed else "crawled again"
    if a == b:
        return "editorial variation" if changed and other_time else "URL variation"
    if a.site == b.site:
        return "URL variation" if similarity == 1 else "editorial variation"
    return "mirror" if a[1:] == b[1:] and (a.path, a.query) != ("/", "") else "other"


class Duplicate(NamedTuple):
    """A duplicate of a result, its keeper, and why there are two."""

    origin: Origin
    id: str
    keeper: str
    similarity: float | None
    url: str | None
    keeper_url: str | None
    date: str | None
    keeper_date: str | None


class Taxonomy(NamedTuple):
    """All duplicates of a result, with their origins."""

    duplicates: list[Duplicate]

    @property
    def counts(self) -> dict[Origin, int]:
        """Return how many there are of each kind, in the order of kinds."""
        found = Counter(own.origin for own in self.duplicates)
        return {kind: found[kind] for kind in ORIGINS if found[kind]}

    def examples(self, kind: Origin, most: int) -> list[Duplicate]:
        """Return some duplicates of a kind, from places that are spread over all of them."""
        own = [duplicate for duplicate in self.duplicates if duplicate.origin == kind]
        return own[:: max(1, len(own) // most)][:most]

    def sites(self) -> list[tuple[str, int]]:
        """Return the sites with the most duplicates of one site, those with the most first."""
        known = (normalised(own.url) for own in self.duplicates if own.url)
        counts = Counter(address.site for address in known if address)
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def taxonomy(result: Result) -> Taxonomy:
    """Say of each duplicate of a result why there are two: it and its keeper."""
    if not result.has("clusters"):
        raise result.lacks("clusters")
    if not has_origins(result):
        raise InputError(
            "no document of this result has an address or a date",
            where=str(result.where),
            hint="Web archives have them; of tables, the columns url and date are kept.",
        )
    return Taxonomy(list(duplicates_of(result)))


def has_origins(result: Result) -> bool:
    """Return whether documents have addresses or dates."""
    documents = result.documents
    known = [name for name in ("url", "date") if name in documents.column_names]
    return any(documents[name].null_count < len(documents) for name in known)


def duplicates_of(result: Result) -> Iterator[Duplicate]:
    """Yield each duplicate with its keeper."""
    table = result.clusters
    keepers = dict(zip(table["id"].to_pylist(), table["doc"].to_pylist(), strict=True))
    members = table.filter(pc.not_equal(table["id"], table["keeper_id"]))
    names = ("url", "date", "title")
    url, date, title = (result.documents[name].to_pylist() for name in names)
    for row in members.select(["id", "doc", "keeper_id", "similarity"]).to_pylist():
        doc, other = row["doc"], keepers[row["keeper_id"]]
        dates, titles = (date[doc], date[other]), (title[doc], title[other])
        kind = origin(url[doc], url[other], row["similarity"], dates, titles)
        ids = row["id"], row["keeper_id"]
        yield Duplicate(kind, *ids, row["similarity"], url[doc], url[other], *dates)
