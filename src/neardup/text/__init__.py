"""Normalised text and tokens for all scripts, always with a map back to the original offsets."""

import functools
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.arrays import Hashes, Places


class UnicodeTable(NamedTuple):
    """How each Unicode character is normalised, as the kernels read it."""

    pages: npt.NDArray[np.uint16]
    entries: npt.NDArray[np.uint32]
    expansions: npt.NDArray[np.uint32]


class Tokens(NamedTuple):
    """The tokens of a text: their hashes, and where they are in the original (end excluded)."""

    hashes: Hashes
    starts: Places
    ends: Places


@functools.cache
def unicode_table() -> UnicodeTable:
    """Load the table that ships with neardup."""
    with files(__name__).joinpath("unicode.npz").open("rb") as file, np.load(file) as table:
        return UnicodeTable(table["pages"], table["entries"], table["expansions"])


@functools.cache
def unicode_version() -> str:
    """Return the version of Unicode that the table was made from."""
    with files(__name__).joinpath("unicode.npz").open("rb") as file, np.load(file) as table:
        return str(table["version"])


def tokenise(text: str) -> Tokens:
    """Split a text into tokens.

    >>> tokens = tokenise("Ein Straßen-Café, 東京")
    >>> [(int(a), int(b)) for a, b in zip(tokens.starts, tokens.ends)]
    [(0, 3), (4, 11), (12, 16), (18, 19), (19, 20)]
    """
    from neardup.kernels.tokens import tokenise as kernel

    data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    room = len(data) // 2 + 1
    hashes, starts, ends = (
        np.empty(room, np.uint64),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
    )
    count, _ = kernel(data, 0, len(data), unicode_table(), hashes, starts, ends)
    return Tokens(hashes[:count], starts[:count], ends[:count])
