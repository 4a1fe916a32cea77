"""Values in markup and headers: numbers and addresses. What is none does no harm."""

import re
from urllib.parse import SplitResult, urlsplit

LARGEST = 2**63 - 1
MOST_DIGITS = 19  # of that
NUMBER = re.compile(r"[+-]?[0-9]+")


def number_in(text: str | bytes | None) -> int | None:
    """Return the whole number that a text is, None if it is none, or one that no table can hold.

    >>> number_in("-5"), number_in("--5"), number_in("²"), number_in("9" * 5000)
    (-5, None, None, None)
    """
    text = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    if not text or not NUMBER.fullmatch(text) or len(text.lstrip("+-0")) > MOST_DIGITS:
        return None
    found = int(text[:1].strip("+0123456789") + (text.lstrip("+-0") or "0"))
    return found if abs(found) <= LARGEST else None


def address_in(text: str) -> SplitResult | None:
    """Return the parts of an address, None if it is none."""
    try:
        return urlsplit(text.strip())
    except ValueError:
        return None
