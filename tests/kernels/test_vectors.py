"""64 bytes at a time, beside one at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from neardup.kernels.vectors import WIDE, copy_wide, lowest_bit, plain_string

SPECIAL = b'"\\\n\0\x1f'
BYTES = st.binary(min_size=WIDE, max_size=WIDE + 10) | st.text("ab", min_size=WIDE).map(str.encode)


@njit
def plain(data, place):  # type: ignore[no-untyped-def]
    return plain_string(data, np.uint64(place))


@njit
def copied(data, place, out, to):  # type: ignore[no-untyped-def]
    copy_wide(data, np.uint64(place), out, np.uint64(to))


@njit
def lowest(value):  # type: ignore[no-untyped-def]
    return lowest_bit(np.uint64(value))


@given(BYTES, st.integers(0, 200), st.sampled_from(SPECIAL))
def test_what_is_special_in_a_string(data: bytes, place: int, special: int) -> None:
    changed = bytearray(data)
    if place < len(changed):
        changed[place] = special
    begin = len(changed) - WIDE
    expected = (i for i, byte in enumerate(changed[begin:]) if byte in b'"\\' or byte < 32)
    assert plain(np.frombuffer(bytes(changed), np.uint8), begin) == next(expected, WIDE)


@given(BYTES, st.integers(0, 5))
def test_copies(data: bytes, to: int) -> None:
    out = np.zeros(WIDE + 10, np.uint8)
    begin = len(data) - WIDE
    copied(np.frombuffer(data, np.uint8), begin, out, to)
    assert bytes(out) == bytes(to) + data[begin:] + bytes(10 - to)


@given(st.integers(1, 2**64 - 1))
def test_lowest_bit(value: int) -> None:
    assert lowest(np.uint64(value)) == (value & -value).bit_length() - 1
