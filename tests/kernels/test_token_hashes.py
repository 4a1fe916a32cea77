"""Hashes of tokens, many bytes at a time, beside those of the tokeniser."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.kernels.token_hashes import (
    OTHERWISE,
    SHORTEST,
    STRETCH,
    room_for_stretch,
    token_hashes,
    token_places,
)
from neardup.kernels.tokens import tokenise
from neardup.text import unicode_table

PIECES = [
    "a",
    "Zebra ",
    "x1-",
    "-- ",
    "\n",
    "extraordinarily ",
    "é",
    "e\u0301",
    "soft\u00adly ",
    "東京",
    "“",
    "ß. ",
]


def both(text: str) -> list[tuple[list[int], int]]:
    """Return the hashes and the number of characters, as found in both ways; compare places besides."""
    data = np.frombuffer(bytearray(b"before " + text.encode()), np.uint8)
    found = []
    for way, rest in ((tokenise, (None, None)), (token_hashes, (room_for_stretch(),))):
        hashes = np.zeros(len(data) // 2 + 2, np.uint64)
        count, characters = way(data, 7, len(data), unicode_table(), hashes, *rest)
        found.append((hashes[:count].tolist(), characters))
        assert not hashes[count:].any()
    assert places(data, tokenise) == places(data, token_places, room_for_stretch())
    return found


def places(data: Any, way: Any, *rest: Any) -> Any:
    """Return the hashes of tokens, and where they begin and end."""
    size = len(data) // 2 + 2
    written = np.zeros(size, np.uint64), np.zeros(size, np.int32), np.zeros(size, np.int32)
    return *way(data, 7, len(data), unicode_table(), *written, *rest), [own.tolist() for own in written]


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 200)), max_size=20))
def test_hashes_are_those_of_the_tokeniser(pieces: list[tuple[str, int]]) -> None:
    one, other = both("".join(piece * times for piece, times in pieces))
    assert one == other


@given(st.text("ab Z9.\n", max_size=300))
def test_hashes_of_ascii(text: str) -> None:
    one, other = both(text)
    assert one == other


@given(st.text("ab Zé.東", max_size=300))
def test_hashes_of_mixed_text(text: str) -> None:
    one, other = both(text)
    assert one == other


@pytest.mark.parametrize("size", [SHORTEST, OTHERWISE, STRETCH, 2 * STRETCH])
@pytest.mark.parametrize("unit", ["a", " ", "a ", "é", "é ", "words of all lengths, unforeseeably "])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_texts_as_long_as_a_stretch(size: int, unit: str, more: int) -> None:
    text = (unit * size)[: size + more]
    for end in ("", "z", "é", " ", " é", "é z"):
        one, other = both(text + end)
        assert one == other
