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
from itertools import repeat
from typing import Any, Literal, NamedTuple, get_args
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


class PlainAddress(NamedTuple):
    """An address without what does not matter."""

    site: str
    path: str
    query: str


@cache
def normalised(url: str) -> PlainAddress | None:
    """Return what matters of an address, None if it is none.

    >>> normalised("HTTP://www.Example.com:80/a/index.html?b=2&a=1&PHPSESSID=77#top")
    PlainAddress(site='example.com', path='/a/', query='a=1&b=2')
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
    return PlainAddress(site, path if path == "/" else path.rstrip("/") + "/", urlencode(sorted(query)))


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
    """Say of each duplicate of a result why there are two: it and its keeper.

    Without clusters of documents, each pair of documents stands for itself: the first one is the keeper.
    """
    if not has_origins(result):
        raise InputError(
            "no document of this result has an address or a date",
            where=str(result.where),
            hint="Web archives have them; of tables, the columns url and date are kept.",
        )
    clustered = result.has("clusters") and "id" in result.clusters.column_names
    return Taxonomy(list(duplicates_of(result) if clustered else dict.fromkeys(paired(result))))


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
    known = Known(result)
    for row in members.select(["id", "doc", "keeper_id", "similarity"]).to_pylist():
        yield known.duplicate(row["doc"], keepers[row["keeper_id"]], row["similarity"])


def paired(result: Result) -> Iterator[Duplicate]:
    """Yield the second document of each pair of two documents, with the first."""
    known = Known(result)
    for first, second, similarity in pairs_of_documents(result):
        if known.has(first) and known.has(second) and first != second:
            yield known.duplicate(second, first, similarity)


def origins_of_pairs(result: Result) -> list[str]:
    """Return the origin of each pair, to draw pairs by."""
    known = Known(result)

    def told(first: int, second: int, similarity: float | None) -> str:
        if not (known.has(first) and known.has(second)):
            return "unknown"
        return "one document" if first == second else known.duplicate(second, first, similarity).origin

    return [told(*pair) for pair in pairs_of_documents(result)]


def pairs_of_documents(result: Result) -> Iterator[tuple[int, int, float | None]]:
    """Yield the documents of each pair, and how similar they are as a whole.

    What is known of a part of them is what they share at most: they are not the same.
    """
    pairs = result.pairs
    names = [
        name for name in ("similarity", "containment_a", "containment_b") if name in pairs.schema.names
    ]
    values = (pairs[name].to_pylist() for name in ("doc_a", "doc_b"))
    alike = zip(*(pairs[name].to_pylist() for name in names), strict=True) if names else repeat(())
    for first, second, shares in zip(*values, alike, strict=False):
        yield first, second, min((share for share in shares if share is not None), default=None)


class Known:
    """What a result knows of its documents."""

    def __init__(self, result: Result) -> None:
        names = ("id", "url", "date", "title")
        documents, nothing = result.documents, [None] * len(result.documents)
        known = documents.column_names
        self._id, self._url, self._date, self._title = (
            documents[name].to_pylist() if name in known else nothing for name in names
        )

    def has(self, doc: int) -> bool:
        """Return whether this is one of the documents, and no test item."""
        return doc < len(self._id)

    def duplicate(self, doc: int, keeper: int, similarity: float | None) -> Duplicate:
        """Say why there are two."""
        urls, dates, titles = ((own[doc], own[keeper]) for own in (self._url, self._date, self._title))
        kind = origin(*urls, similarity, dates, titles)
        ids: tuple[Any, Any] = self._id[doc], self._id[keeper]
        return Duplicate(kind, *ids, similarity, *urls, *dates)
