"""Postings, packed into bits slowly and plainly."""

from collections.abc import Sequence


def bits_of(rows: Sequence[tuple[int, int]], first: int, rest: int, low: int, doc: int) -> str:
    """Return the bits of one bucket's postings, the lowest first: sorted rows (key, document)."""
    found, before = "", (first << rest) - 1
    for number, (key, document) in enumerate(rows):
        if number and key == before:
            found += "0"
        else:
            upper, lower = divmod(key - before - 1, 1 << low)
            found += "1" + "0" * upper + "1" + lowest_first(lower, low)
            before = key
        found += lowest_first(document, doc)
    return found


def lowest_first(value: int, bits: int) -> str:
    """Write a number in so many bits, the lowest first."""
    return format(value, f"0{bits}b")[::-1] if bits else ""
