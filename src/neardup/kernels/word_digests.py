"""Digests of texts and of runs of words, of 128 bits: those of one digest have the same words."""

import numpy as np

from neardup.kernels.arrays import longest
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import BASE, SEED, STEP, mix
from neardup.kernels.token_hashes import room_for_stretch, token_hashes


@kernel
def word_digests(data, offsets, unicode):  # type: ignore[no-untyped-def]
    """Return the words, the characters and two digests of each text data[offsets[t]:offsets[t + 1]]."""
    texts = len(offsets) - 1
    found = np.empty((4, texts), np.int64)
    words = np.empty(longest(offsets) // 2 + 1, np.uint64)
    room = room_for_stretch()
    for t in range(texts):
        found[0, t], found[1, t] = token_hashes(data, offsets[t], offsets[t + 1], unicode, words, room)
        found[2, t], found[3, t] = digests(words, 0, found[0, t])
    return found


@kernel
def digests(words, begin, end):  # type: ignore[no-untyped-def]
    """Return two digests of some words."""
    first, second = SEED, STEP
    for word in range(begin, end):
        first = first * BASE + words[word]
        second = mix(second ^ words[word])
    return np.int64(mix(first)), np.int64(second)


@kernel
def run_digests(words, edges):  # type: ignore[no-untyped-def]
    """Return two digests of each run words[edges[r]:edges[r + 1]]."""
    found = np.empty((2, len(edges) - 1), np.int64)
    for r in range(len(edges) - 1):
        found[0, r], found[1, r] = digests(words, edges[r], edges[r + 1])
    return found
