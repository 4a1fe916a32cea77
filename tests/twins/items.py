"""Slow, obvious twins of the kernels that find test items."""

from collections.abc import Sequence
from functools import cache

from tests.twins import documents

from neardup.kernels.item_words import NUMBER
from neardup.kernels.items import EXTRA


def words_of(text: str) -> list[tuple[int, int, int]]:
    """Return hash, first and last character of each word, runs of numbers made one."""
    found: list[tuple[int, int, int]] = []
    for start, end in documents.token_spans(text):
        digits = set(text[start:end]) <= set("0123456789")
        if digits and found and found[-1][0] == int(NUMBER):
            found[-1] = (int(NUMBER), found[-1][1], end)
        else:
            found.append((int(NUMBER) if digits else documents.token_hash(text[start:end]), start, end))
    return found


def cost(own: Sequence[int], weights: Sequence[int], other: Sequence[int]) -> int:
    """Return what it costs to make a part of other words: its own by weight, more of them each EXTRA."""

    @cache
    def least(i: int, j: int) -> int:
        if i == 0:
            return j * EXTRA
        dropped = least(i - 1, j) + weights[i - 1]
        if j == 0:
            return dropped
        replaced = least(i - 1, j - 1) + (0 if own[i - 1] == other[j - 1] else weights[i - 1])
        return min(dropped, replaced, least(i, j - 1) + EXTRA)

    return least(len(own), len(other))


def best(own: Sequence[int], weights: Sequence[int], text: Sequence[int]) -> int:
    """Return what a part costs at its best place in a text."""
    places = [(a, b) for a in range(len(text) + 1) for b in range(a, len(text) + 1)]
    return min(cost(own, weights, text[a:b]) for a, b in places)
