"""Masks: a word in place of each number, date, id, address or name, so that only the rest is compared.

Log lines of one template, or titles that differ in a size, then have the same words. Patterns are
those of RE2, which takes time that grows with the text only, whatever stands in it.
"""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[AaPp][Mm]\b)?(?:Z\b|[+-]\d{2}:?\d{2})?"
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?"
DATE = (
    rf"\d{{4}}[-/.]\d{{2}}[-/.]\d{{2}}|\d{{1,2}}[./-](?:\d{{1,2}}|{MONTH})[./-]\d{{2,4}}"
    rf"|{MONTH} +\d{{1,2}}(?:,? \d{{4}}\b)?|\d{{1,2}} {MONTH}(?:,? \d{{4}}\b)?"
)
ONE = rf"(?:{DAY} )?(?:{DATE})|{TIME}"
HEX = "[0-9a-fA-F]"
# In this order: an address has numbers, a date too, and an id may look like one.
PATTERNS = {
    "addresses": (
        r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s<>\"')\]]+|[\pL\pN_.+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)+"
        rf"|\b(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?::\d+)?\b|\b(?:{HEX}{{1,4}}:){{3,7}}:?{HEX}{{1,4}}\b"
    ),
    "names": r"@[\pL\pN_]+",
    "dates": rf"\b(?:{ONE})(?:[T ,:]+(?:{ONE}|\d{{4}}\b))*",
    "ids": (
        rf"\b{HEX}{{8}}-(?:{HEX}{{4}}-){{3}}{HEX}{{12}}\b|\b0[xX]{HEX}+\b|\b{HEX}{{16,}}\b"
        rf"|\b{HEX}{{1,7}}[0-9]{HEX}{{7,}}\b"
    ),
    "numbers": r"\p{Nd}+(?:[.,]\p{Nd}+)*",
}
WORDS = {name: f"masked{name}" for name in PATTERNS}


def parsed(text: str) -> tuple[str, ...]:
    """Return the masks that users name, in the order in which they are put on.

    >>> parsed("numbers, ids"), parsed("all")
    (('ids', 'numbers'), ('addresses', 'names', 'dates', 'ids', 'numbers'))
    """
    named = [part.strip() for part in text.split(",")]
    return tuple(name for name in PATTERNS if name in named or "all" in named)


def problem(text: str) -> str | None:
    """Return what is wrong with masks that users name."""
    known = ("all", *PATTERNS)
    wrong = [part.strip() for part in text.split(",") if part.strip() not in known]
    return f"mask must be some of {', '.join(known)}: got {wrong[0]!r}" if wrong else None


def masked(texts: Any, masks: Sequence[str]) -> Any:
    """Return an array of texts with these masks on.

    >>> masked(pa.array(["blk_17 from 10.0.0.7:80 took 5.3 ms"]), parsed("all")).to_pylist()
    ['blk_maskednumbers from maskedaddresses took maskednumbers ms']
    """
    for name in masks:
        texts = pc.replace_substring_regex(texts, PATTERNS[name], WORDS[name])
    return texts


def masked_text(text: str, masks: Sequence[str]) -> str:
    """Return one text with these masks on."""
    return str(masked(pa.array([text], pa.large_string()), masks)[0].as_py())
