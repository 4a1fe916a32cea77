"""Words that do not count, as they stand in a text that is excluded."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import mix
from neardup.kernels.hits import MASKED
from neardup.kernels.shingles import roll

LOW = np.uint64((1 << 48) - 1)


@kernel
def covered_words(words, starts, ends, bounds, keys, width, least):  # type: ignore[no-untyped-def]
    """Say which words of texts lie in runs of `width` words whose hashes are among sorted keys.

    What is covered in a row has at least so many characters.
    """
    covered = np.zeros(len(words), np.bool_)
    for t in range(len(bounds) - 1):
        own = words[bounds[t] : bounds[t + 1]]
        if len(own) < width:
            continue
        hashes = np.empty(len(own), np.uint64)
        count = roll(own, len(own), width, hashes)
        for i in range(count):
            at = np.searchsorted(keys, hashes[i])
            if at < len(keys) and keys[at] == hashes[i]:
                covered[bounds[t] + i : bounds[t] + i + width] = True
        begin = bounds[t]
        for i in range(bounds[t], bounds[t + 1]):
            if not covered[i]:
                begin = i + 1
                continue
            last = i + 1 == bounds[t + 1] or not covered[i + 1]
            if last and ends[i] - starts[begin] < least:
                covered[begin : i + 1] = False
    return covered


@kernel
def mask_covered(words, bounds, docs, covered):  # type: ignore[no-untyped-def]
    """Put numbers that no other text has in the place of covered words; count those that are left."""
    left = np.empty(len(docs), np.int64)
    for t in range(len(docs)):
        left[t] = bounds[t + 1] - bounds[t]
        text = mix(np.uint64(docs[t]))
        for i in range(bounds[t], bounds[t + 1]):
            if covered[i]:
                words[i] = MASKED | (mix(text + np.uint64(i - bounds[t])) & LOW)
                left[t] -= 1
    return left


@kernel
def are_counted(words):  # type: ignore[no-untyped-def]
    """Say which words are not masked."""
    counted = np.empty(len(words), np.bool_)
    for i in range(len(words)):
        counted[i] = words[i] >> np.uint64(48) != MASKED >> np.uint64(48)
    return counted
