"""Character references of HTML and XML, undone; one that stands for nothing does no harm."""

import re
from html import unescape

LONG_REFERENCE = re.compile(r"&#(?:([0-9]{20,})|(x[0-9a-f]{20,}));?", re.I)
REPLACEMENT = "\ufffd"


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
