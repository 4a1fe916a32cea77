"""Texts of made-up words in sentences of one length, and the soft passages of pairs of them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from tests.kernels.flat_lists import read_only
from tests.twins.documents import mix

from neardup.kernels import soft_passages as kernels
from neardup.kernels.lists import Lists
from neardup.kernels.passages import Options, Text, Texts

Hits = Sequence[tuple[int, int]]
LENGTH = 12  # words of a sentence
RARE = np.zeros(64, np.uint32)  # no word was counted


def packed(hits: Hits, kind: Any = np.int64) -> Any:
    return read_only(np.array([i << 32 | j for i, j in hits], kind))


def bounds_of(lengths: Sequence[int]) -> list[int]:
    return [sum(lengths[:k]) for k in range(len(lengths) + 1)]


def lists_of(arrays: Sequence[Any]) -> Lists:
    addresses = np.array([values.ctypes.data for values in arrays], np.int64)
    return Lists(addresses, np.array([len(values) for values in arrays], np.int32))


def sentence(name: int) -> list[int]:
    return [mix(100 * name + n + 1) for n in range(LENGTH)]


def rewritten(name: int) -> list[int]:
    """Return the sentence with every fourth word another one, and its halves swapped."""
    words = sentence(name)
    words[3::4] = sentence(name + 100)[3::4]
    return words[LENGTH // 2 :] + words[: LENGTH // 2]


def text(*sentences: list[int]) -> Text:
    words = np.array([word for own in sentences for word in own], np.uint64)
    starts = 6 * np.arange(len(words), dtype=np.int32)
    return Text(words, starts, starts + 5, np.arange(0, len(words), LENGTH, dtype=np.int32))


def hits_of(a: Text, b: Text) -> Any:
    """Return all places where both have the same two words, also those of a text and itself."""
    one, other = ([*enumerate(pairwise(own.words.tolist()))] for own in (a, b))
    return packed([(i, j) for i, words in one for j, same in other if words == same])


def passages(
    couples: Sequence[tuple[Text, Text]], verbatim: Any = (), least: int = 150, listed: Any = None
) -> Any:
    """Return the soft passages of some pairs of texts; these and the verbatim ones in sentences.

    `listed` are the reference lists of both sides, in words.
    """
    a, b = (Texts(*map(lists_of, zip(*texts, strict=True))) for texts in zip(*couples, strict=True))
    itself = np.array([one is other for one, other in couples])
    hits = [hits_of(*couple) for couple in couples]
    some = read_only(np.concatenate(hits)), np.array(bounds_of([len(own) for own in hits]))
    taken = np.array(verbatim, np.int64).reshape(-1, 5) * [1, *[LENGTH] * 4]
    taken = np.column_stack([taken, np.zeros(len(taken), np.int64)])
    none = np.empty(0, np.int64), np.zeros(len(couples) + 1, np.int64)
    lists = (*none, *none) if listed is None else listed
    rows = kernels.soft_pairs(a, b, itself, *some, lists, taken, Options(least), RARE, 1_000).tolist()
    return [(p, *(round(at / LENGTH, 2) for at in places)) for p, *places, _ in rows]
