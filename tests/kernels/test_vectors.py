"""64 bytes at a time, beside one at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from neardup.kernels.vectors import (
    WIDE,
    copy_wide,
    eight_bytes,
    high_bits,
    lowest_bit,
    ones,
    plain_string,
    set_bytes,
)

SPECIAL = b'"\\\n\0\x1f'
BYTES = st.binary(min_size=WIDE, max_size=WIDE + 10) | st.text("ab", min_size=WIDE).map(str.encode)


@njit
def plain(data, place):  # type: ignore[no-untyped-def]
    return plain_string(data, np.uint64(place))


@njit
def copied(data, place, out, to):  # type: ignore[no-untyped-def]
    copy_wide(data, np.uint64(place), out, np.uint64(to))


@njit
def eight(data, place):  # type: ignore[no-untyped-def]
    return eight_bytes(data, np.uint64(place))


@njit
def bits(data, place):  # type: ignore[no-untyped-def]
    return high_bits(data, np.uint64(place)), set_bytes(data, np.uint64(place))


@njit
def number(value):  # type: ignore[no-untyped-def]
    return ones(np.uint64(value))


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


@given(st.binary(min_size=8, max_size=20))
def test_eight_bytes_are_a_number(data: bytes) -> None:
    begin = len(data) - 8
    assert eight(np.frombuffer(data, np.uint8), begin) == int.from_bytes(data[begin:], "little")


@given(st.binary(min_size=WIDE, max_size=WIDE + 10))
def test_a_bit_for_each_byte(data: bytes) -> None:
    begin = len(data) - WIDE
    high, found = bits(np.frombuffer(data, np.uint8), begin)
    assert high == sum((byte >= 128) << i for i, byte in enumerate(data[begin:]))
    assert found == sum((byte != 0) << i for i, byte in enumerate(data[begin:]))


@given(st.integers(0, 2**64 - 1))
def test_bits_of_a_number(value: int) -> None:
    assert lowest(np.uint64(value)) == ((value & -value).bit_length() - 1 if value else 64)
    assert number(np.uint64(value)) == value.bit_count()
