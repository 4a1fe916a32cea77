"""Dates: what texts mean, and which of two is earlier."""

import re
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from neardup.text.dates import Order, Span, order_of, reading, spans


def told(text: str) -> tuple[str, float] | None:
    """Return the first moment of a date, and for how many seconds it lasts."""
    span = reading(text).told
    if span is None:
        return None
    start = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=span.start)
    return start.strftime("%Y-%m-%d %H:%M:%S"), (span.end - span.start) / 1e6


DAYS = """2024-06-29
20240629 | 2024/6/29 | 2024.06.29 | 29.06.2024 | 29.6.2024 | 29/06/2024 | 06/29/2024
29-06-2024 | 29 June 2024 | 29. June 2024 | 29-Jun-2024 | June 29, 2024 | Jun. 29 2024 | Sat, 29 Jun 2024
29th June 2024 | SATURDAY 29 JUNE 2024 | 2024-06-29 (Saturday) | 2024-06-29 10:15 CET"""
UNTOLD = """soon
03/01/2024 | 05-03-24 | 2024-13-05 | 2024-02-30 | 31/02/2024 | 0000 | 12345678 | 17
2020-2021 | marble 3, 2000 | vol. 3 | 2024-06-29 25:00 | 1999-12-31/2000-01-01 | 170966957
99999999999999
2 mars 2024"""


@pytest.mark.parametrize("text", re.split(r"\||\n", DAYS))
def test_days(text: str) -> None:
    assert told(text) == ("2024-06-29 00:00:00", 86_400)


@pytest.mark.parametrize(
    ("text", "moment", "seconds"),
    [
        ("2024-06-29T13:59:30Z", "2024-06-29 13:59:30", 1),
        ("2024-06-29T13:59", "2024-06-29 13:59:00", 60),
        ("2024-06-29 08:59:30-05:00", "2024-06-29 13:59:30", 1),
        ("2024-06-28T22:00:00-05:00", "2024-06-29 03:00:00", 1),
        ("2024-06-29 13:59:30.250000+00", "2024-06-29 13:59:30", 1e-6),
        ("20240629135930", "2024-06-29 13:59:30", 1),
        ("20240629T1359Z", "2024-06-29 13:59:00", 60),
        ("29.06.2024 13:59", "2024-06-29 13:59:00", 60),
        ("06/29/2024 1:59 PM EDT", "2024-06-29 17:59:00", 60),
        ("June 29, 2024 at 12:05 a.m.", "2024-06-29 00:05:00", 60),
        ("Sat, 29 Jun 2024 13:59:30 +0200", "2024-06-29 11:59:30", 1),
        ("Sat Jun 29 13:59:30 2024", "2024-06-29 13:59:30", 1),
        ("1719669570", "2024-06-29 13:59:30", 1),
        ("1719669570123", "2024-06-29 13:59:30", 1),
        ("1611", "1611-01-01 00:00:00", 365 * 86_400),
        ("1904-02", "1904-02-01 00:00:00", 29 * 86_400),
        ("February 1904", "1904-02-01 00:00:00", 29 * 86_400),
    ],
)
def test_times_months_and_years(text: str, moment: str, seconds: float) -> None:
    assert told(text) == (moment, seconds)


@pytest.mark.parametrize("text", re.split(r"\||\n", UNTOLD))
def test_what_cannot_be_told(text: str) -> None:
    assert told(text) is None


def days(*texts: str | None) -> list[int | None]:
    column = pa.chunked_array([pa.array(texts, pa.string())])
    found = spans(column, order_of(column))
    return [own and datetime.fromtimestamp(own.start / 1e6, UTC).timetuple().tm_yday for own in found]


def test_the_whole_column_says_whether_days_or_months_are_first() -> None:
    assert days("03/01/2024", "31/01/2024", None) == [3, 31, None]
    assert days("03/01/2024", "01/31/2024", "3.1.2024") == [61, 31, 3]
    assert days("03/01/2024", "01-31-2024") == [61, 31]
    assert days("03/01/2024", "02/02/2024") == [None, 33]
    assert days("03/01/2024", "31/01/2024", "01/31/2024") == [None, 31, 31]


def test_an_order_settles_only_what_is_open() -> None:
    assert Order(1, 0).settled(reading("01/31/2024")) == reading("2024-01-31").told
    assert Order().settled(reading(None)) is None
    assert reading("1970-01-01").told == Span(0, 86_400_000_000)
