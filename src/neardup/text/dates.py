"""Dates as inputs write them: from which moment to which each one is, if that can be told.

A year is from its first moment to its last, a day likewise, a time as long as it says: a minute or a
second. Of two dates one is the earlier only if it ends before the other one begins: against a time on
the same day, a day is neither. A time with a zone is that of UTC, one without is taken as it is given.
`03/01/2024` can be two days: which one, the dates of an input tell together.
"""

import re
from datetime import date
from email.utils import parsedate_tz
from functools import lru_cache
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

SECOND = 1_000_000  # moments are microseconds since 1970, in UTC
MINUTE, HOUR, DAY = 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND
EPOCH = date(1970, 1, 1).toordinal()
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
NUMBERS = r"(?P<day>\d{1,2})(?P<sep>[/.-])(?P<month>\d{1,2})(?P=sep)(?P<year>\d{4})\b"
PATTERNS = tuple(
    re.compile(rf"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?{pattern}", re.I)
    for pattern in (
        r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)(?=\d{6}$|\D|$)",
        r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)",
        r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2}))?$",
        NUMBERS,
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[ .-]*{MONTH}[ ,-]*(?P<year>\d{{4}})\b",
        rf"{MONTH}[ -]+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,[ -]*|[ -]+)(?P<year>\d{{4}})\b",
        rf"{MONTH}[ ,-]+(?P<year>\d{{4}})$",
    )
)
TIME = re.compile(
    r"[T,\s]*(?:at\s+)?(?:(\d\d?)[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d+))?)?|(\d\d)(\d\d)(\d\d)?)"
    r"\s*([ap]\.?m\b\.?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?|[ECMP][SD]T)?(?:\s*\([^)]*\))?$",
    re.I,
)
NO_TIME = re.compile(r"\D*$|[T,\s]+\d\d?\b")  # or one that is not told in full, such as its zone
ZONES = {f"{name}{kind}T": at + (kind == "D") for at, name in enumerate("PMCE", -8) for kind in "SD"}
UNIX = re.compile(r"([1-3]\d{9})(?:\d{3}|\.\d*)?")  # seconds or milliseconds, from 2001 on


class Span(NamedTuple):
    """From when to when a date is, in microseconds since 1970; the end is not within."""

    start: int
    end: int


class Reading(NamedTuple):
    """What a text is as a date with the day first, and with the month first: often the same."""

    day_first: Span | None = None
    month_first: Span | None = None

    @property
    def told(self) -> Span | None:
        """Return what it is whatever others are, None if that cannot be told.

        >>> [reading(text).told is None for text in ("03/01/2024", "31/01/2024", "03.01.2024")]
        [True, False, False]
        """
        one, two = self
        return (one or two) if None in self or one == two else None


@lru_cache(1 << 14)  # many documents are of one day
def reading(text: str | None) -> Reading:
    """Return what a text can mean as a date.

    >>> [own and own.start // DAY for own in reading("02/01/1970")], reading("soon").told
    ([1, 31], None)
    >>> reading("1970-01-01T09:00:00+09:00").told
    Span(start=0, end=1000000)
    """
    text = (text or "").strip()
    if UNIX.fullmatch(text):
        start = int(text[:10]) * SECOND
        return _both(Span(start, start + SECOND))
    for pattern in PATTERNS:
        if found := pattern.match(text):
            return _with_time(_days(found), text[found.end() :])
    known = parsedate_tz(text) if text else None  # years of two digits, or behind the time
    days = known and _day(*known[:3])
    if not known or not days or ":" not in text:
        return _both(days or None)
    at = days.start + known[3] * HOUR + known[4] * MINUTE + (known[5] - (known[9] or 0)) * SECOND
    return _both(Span(at, at + SECOND))


def _both(span: Span | None) -> Reading:
    return Reading(span, span)


def _days(found: re.Match[str]) -> Reading:
    """Return the days that a date names."""
    parts = found.groupdict()
    year, month, day = (parts.get(name) for name in ("year", "month", "day"))
    if month is None:
        first, last = _day(year, 1, 1), _day(year, 12, 31)
    else:
        number = int(month) if month.isdigit() else MONTHS.index(month[:3].lower()) + 1
        if parts.get("sep") in ("/", "-"):
            return Reading(_day(year, number, day), _day(year, day, number))
        first = _day(year, number, day or 1)
        days = (day,) if day else (31, 30, 29, 28)
        last = next(filter(None, (_day(year, number, day) for day in days)), None)
    return _both(Span(first.start, last.end) if first and last else None)


def _day(year: str | int | None, month: str | int | None, day: str | int | None) -> Span | None:
    try:
        start = (date(int(year or 0), int(month or 0), int(day or 0)).toordinal() - EPOCH) * DAY
    except ValueError:
        return None
    return Span(start, start + DAY)


def _with_time(days: Reading, text: str) -> Reading:
    """Return days with the time that stands behind them."""
    if not (found := TIME.match(text)):
        return days if NO_TIME.match(text) else Reading()
    *usual, part, hour, minute, second, half, zone = found.groups()
    at = [int(n or 0) for n in (usual if usual[0] else (hour, minute, second))]
    if half:
        at[0] = at[0] % 12 + 12 * (half[0] in "pP") if 0 < at[0] < 13 else 24
    if at[0] > 23 or at[1] > 59 or at[2] > 60:
        return Reading()
    start = sum(n * unit for n, unit in zip(at, (HOUR, MINUTE, SECOND), strict=True)) - _ahead(zone)
    if part:
        start += int(part[:6].ljust(6, "0"))
    end = start + (1 if part else SECOND if usual[2] or second else MINUTE)
    return Reading(*(day and Span(day.start + start, day.start + end) for day in days))


def _ahead(zone: str | None) -> int:
    """Return by how much the time of a zone is ahead.

    >>> [_ahead(zone) / HOUR for zone in (None, "-05:30", "+09", "EDT")]
    [0.0, -5.5, 9.0, -4.0]
    """
    if not zone or zone[0] not in "+-":
        return ZONES.get((zone or "").upper(), 0) * HOUR
    digits = zone[1:].replace(":", "")
    ahead = int(digits[:2]) * HOUR + int(digits[2:] or 0) * MINUTE
    return ahead if zone[0] == "+" else -ahead


class Order(NamedTuple):
    """How many of an input's dates can be with the day first only, and how many with the month first."""

    day_first: int = 0
    month_first: int = 0

    def settled(self, found: Reading) -> Span | None:
        """Return what a date is among others."""
        if bool(self.day_first) == bool(self.month_first):
            return found.told
        return found.told or (found.day_first if self.day_first else found.month_first)


def order_of(texts: pa.ChunkedArray) -> Order:
    """Return the order of the numbers of dates, as all texts of an input tell it."""
    own = pc.unique(texts.filter(pc.match_substring_regex(texts, r"\d[/-]\d{1,2}[/-]\d{4}")))
    found = [reading(text) for text in own.to_pylist()]
    return Order(sum(not b and bool(a) for a, b in found), sum(not a and bool(b) for a, b in found))


def day_of(span: Span | None) -> str | None:
    """Return the day on which a date begins.

    >>> day_of(reading("March 1850").told)
    '1850-03-01'
    """
    return None if span is None else date.fromordinal(EPOCH + span.start // DAY).isoformat()


def spans(texts: pa.ChunkedArray, order: Order) -> list[Span | None]:
    """Return from when to when dates are, None for those that cannot be read."""
    return [order.settled(reading(text)) for text in texts.to_pylist()]
