"""Write src/neardup/text/unicode.npz: how each Unicode character is normalised.

The table is shipped rather than made at start, so that results do not depend on the Unicode version
of the Python that runs neardup. Run it with a newer Python to move to a newer Unicode version, bump
`HASH_VERSION` in neardup/kernels/hashing.py and note "Results change" in the changelog.
"""

import sys
import unicodedata
from pathlib import Path

import numpy as np

from neardup.kernels.tokens import EXPANDED, IGNORED, MARK, REORDERED, SEPARATOR, SOLO, WORD

TABLE = Path(__file__).parent.parent / "src" / "neardup" / "text" / "unicode.npz"
PAGE = 256

# Scripts written without spaces: each letter is a token of its own. The first word of a
# character's Unicode name tells its script.
SOLO_NAMES = (
    "CJK UNIFIED",
    "CJK COMPATIBILITY IDEOGRAPH",
    "IDEOGRAPHIC",
    "HIRAGANA",
    "KATAKANA",
    "HALFWIDTH KATAKANA",
    "HENTAIGANA",
    "THAI",
    "LAO",
    "KHMER",
    "MYANMAR",
)
FINAL_SIGMA, SIGMA = 0x3C2, 0x3C3


def kind_of(char: str) -> int:
    """Return the role that a character plays in a text."""
    category = unicodedata.category(char)
    if category in ("Mn", "Mc", "Me"):
        return IGNORED if is_variation_selector(ord(char)) else MARK
    if category[0] == "L" and unicodedata.name(char, "").startswith(SOLO_NAMES):
        return SOLO
    if category[0] in "LN":
        return WORD
    if category == "Cf" and ord(char) != 0x200B:  # a zero-width space separates
        return IGNORED
    return SEPARATOR


def is_variation_selector(code: int) -> bool:
    """Return whether a code point only selects a glyph."""
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F


def fold(char: str) -> list[int]:
    """Return the lower-case canonical decomposition of a character."""
    lower = "".join(c.lower() for c in unicodedata.normalize("NFD", char))
    codes = [ord(c) for c in unicodedata.normalize("NFD", lower)]
    return [SIGMA if code == FINAL_SIGMA else code for code in codes]


def main() -> None:
    """Write the table."""
    entries = np.zeros(0x110000, dtype=np.uint32)
    expansions: list[int] = []
    for code in range(0x110000):
        if 0xD800 <= code <= 0xDFFF:
            continue
        char = chr(code)
        kind = kind_of(char)
        folded = fold(char) if kind in (WORD, SOLO, MARK) else [code]
        if len(folded) == 1:
            # the distance rather than the code point: whole pages become equal
            entries[code] = (folded[0] - code) & 0x1FFFFF | kind << 24
        else:
            # an expansion is stored as its length, then its code points
            entries[code] = len(expansions) | kind << 24 | EXPANDED
            expansions += [len(folded), *folded]
    for code in range(0x110000):
        if unicodedata.combining(chr(code)):
            entries[code] |= np.uint32(REORDERED)
    pages = entries.reshape(-1, PAGE)
    numbers: dict[bytes, int] = {}  # pages in order of first use: ASCII stays the first
    index = [numbers.setdefault(page.tobytes(), len(numbers)) for page in pages]
    np.savez_compressed(
        TABLE,
        pages=np.array(index, dtype=np.uint16),
        entries=np.frombuffer(b"".join(numbers), dtype=np.uint32),
        expansions=np.array(expansions, dtype=np.uint32),
        version=np.array(unicodedata.unidata_version),
    )
    print(f"Unicode {unicodedata.unidata_version}, Python {sys.version.split()[0]}: {TABLE}")


if __name__ == "__main__":
    main()
