"""Characters for which XML has a name, undone in bytes: &lt; &gt; &amp; and &quot;."""

import numpy as np

from neardup.kernels.compiled import kernel

AMPERSAND, SEMICOLON = np.uint8(ord("&")), np.uint8(ord(";"))
LONGEST = 6  # bytes of a name, with both marks


def _number(name: bytes) -> int:
    """Return the bytes of a name as one number."""
    return int.from_bytes(name, "big")


LESS, GREATER = _number(b"&lt;"), _number(b"&gt;")
AND, QUOTE = _number(b"&amp;"), _number(b"&quot;")


@kernel
def without_references(data):  # type: ignore[no-untyped-def]
    """Return bytes with the characters that are named in them."""
    out = np.empty(len(data), np.uint8)
    i, size = 0, 0
    while i < len(data):
        out[size] = data[i]
        width = 1
        if data[i] == AMPERSAND:
            out[size], width = _named(data, i)
        size += 1
        i += width
    return out[:size]


@kernel
def _named(data, i):  # type: ignore[no-untyped-def]
    """Return the character that is named at an ampersand, and the bytes of its name; or itself."""
    name = np.int64(0)
    for width in range(1, min(LONGEST, len(data) - i) + 1):
        byte = data[i + width - 1]
        name = name << 8 | np.int64(byte)
        if byte == SEMICOLON:
            if name == LESS:
                return np.uint8(ord("<")), width
            if name == GREATER:
                return np.uint8(ord(">")), width
            if name == AND:
                return AMPERSAND, width
            if name == QUOTE:
                return np.uint8(ord('"')), width
            break
    return AMPERSAND, 1
