"""Digests of whole texts by their words, of 128 bits: texts of one digest have the same words."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import BASE, SEED, STEP, mix
from neardup.kernels.token_hashes import room_for_stretch, token_hashes


@kernel
def word_digests(data, offsets, unicode):  # type: ignore[no-untyped-def]
    """Return the words, the characters and two digests of each text data[offsets[t]:offsets[t + 1]]."""
    texts = len(offsets) - 1
    found = np.empty((4, texts), np.int64)
    longest = 0
    for t in range(texts):
        longest = max(longest, offsets[t + 1] - offsets[t])
    words = np.empty(longest // 2 + 1, np.uint64)
    room = room_for_stretch()
    for t in range(texts):
        found[0, t], found[1, t] = token_hashes(data, offsets[t], offsets[t + 1], unicode, words, room)
        first, second = SEED, STEP
        for word in words[: found[0, t]]:
            first = first * BASE + word
            second = mix(second ^ word)
        found[2, t], found[3, t] = np.int64(mix(first)), np.int64(second)
    return found
