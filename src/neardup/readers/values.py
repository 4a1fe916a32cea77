"""Values in markup and headers: numbers, character references, addresses. What is none does no harm."""

import re
from html import unescape
from urllib.parse import SplitResult, urlsplit

LARGEST = 2**63 - 1
MOST_DIGITS = 19  # of that
NUMBER = re.compile(r"[+-]?[0-9]+")
LONG_REFERENCE = re.compile(r"&#(?:([0-9]{20,})|(x[0-9a-f]{20,}));?", re.I)
REPLACEMENT = "\ufffd"


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


def unescaped(text: str) -> str:
    """Undo the character references of HTML and XML; one that stands for nothing is replaced.

    >>> unescaped("R&amp;D &#65; &#" + "1" * 5000 + "; .")
    'R&D A \ufffd .'
    """
    return unescape(LONG_REFERENCE.sub(_shortened, text)) if "&" in text else text


def _shortened(found: re.Match[str]) -> str:
    """Return a reference without leading zeros; one of more digits than characters have is none."""
    mark, digits = ("", found[1]) if found[1] else ("x", found[2][1:])
    digits = digits.lstrip("0")
    return f"&#{mark}{digits};" if len(digits) < 8 else REPLACEMENT


def address_in(text: str) -> SplitResult | None:
    """Return the parts of an address, None if it is none."""
    try:
        return urlsplit(text.strip())
    except ValueError:
        return None
