"""Dates as inputs write them: the day each one is, if that can be told."""

import re
from datetime import date, datetime
from email.utils import parsedate

ISO = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
PART = re.compile(r"(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?\s*$")
WRITTEN = ("%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%d. %B %Y", "%d.%m.%Y", "%Y/%m/%d")


def day_of(text: str | None) -> int | None:
    """Return the number of a day, the first one of a month or year; None if it cannot be told.

    >>> [day_of(given) for given in ("1970-01-03T10:00:00Z", "2 January 1970", "1970", "soon")]
    [2, 1, 0, None]
    >>> day_of("Sat, 03 Jan 1970 08:49:37 GMT"), day_of("1969-12")
    (2, -31)
    """
    found = date_of((text or "").strip())
    return None if found is None else (found - date(1970, 1, 1)).days


def date_of(text: str) -> date | None:
    """Return the day that a text names."""
    try:
        if found := ISO.match(text) or PART.match(text):
            year, month, day = (int(part or 1) for part in found.groups())
            return date(year, month, day)
        if parsed := parsedate(text):
            return date(*parsed[:3])
    except (ValueError, TypeError, IndexError):
        return None
    for form in WRITTEN:
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None
