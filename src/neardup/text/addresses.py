"""Addresses of pages: which of them lead to the same one, however they are written."""

import re
from urllib.parse import urlsplit

COLUMN = "url"  # whose values are addresses, unless it is said otherwise
# that say where somebody came from, and nothing of the page
TRACKING = re.compile(r"utm_.*|gclid|fbclid|dclid|msclkid|yclid|mc_[ce]id|igshid")


def page_of(url: str) -> str:
    """Return the same for addresses that lead to the same page.

    >>> page_of("http://www.Example.com:80/a?b=2&utm_source=x&a=1#top")
    'example.com/a?a=1&b=2'
    >>> page_of("https://example.com/a/?a=1&b=2")
    'example.com/a?a=1&b=2'
    """
    from w3lib.url import canonicalize_url, url_query_cleaner

    try:
        query = urlsplit(url).query
        tracking = [name for name in re.findall(r"(?:^|&)([^=&]+)", query) if TRACKING.fullmatch(name)]
        if tracking:
            url = url_query_cleaner(url, tracking, remove=True, unique=False)
        parts = urlsplit(canonicalize_url(url))
    except ValueError:  # it is none
        return url
    usual = {"http": ":80", "https": ":443"}.get(parts.scheme, ":")
    host = parts.netloc.removesuffix(usual).removeprefix("www.")
    path = parts.path.rstrip("/")
    return f"{host}{path}?{parts.query}" if parts.query else f"{host}{path}"
