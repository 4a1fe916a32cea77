"""Where near-duplicates come from, told by their addresses.

The rules, in this order: without both addresses nothing is known. If the addresses are the same when
what does not matter is left out (scheme, `www.`, port, case of the host, index page, session, order
of the query), or if two pages of one site have the same text, it is a *URL variation*. Other pages of
one site are *editorial variations*. Pages of two sites with the same path are *mirrors*.
"""

import re
from typing import Literal, NamedTuple, get_args
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

Origin = Literal["URL variation", "editorial variation", "mirror", "other", "unknown"]
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


def origin(url_a: str | None, url_b: str | None, similarity: float | None = None) -> Origin:
    """Return why there are two of a page.

    >>> origin("http://mirror-pole.com/apif.web/", "http://www.mirror-pole.com/apif.web/index.htm")
    'URL variation'
    """
    a, b = (normalised(url) if url else None for url in (url_a, url_b))
    if a is None or b is None:
        return "unknown"
    if a == b or (a.site == b.site and similarity == 1):
        return "URL variation"
    if a.site == b.site:
        return "editorial variation"
    return "mirror" if a[1:] == b[1:] and (a.path, a.query) != ("/", "") else "other"
