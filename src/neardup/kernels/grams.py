"""The runs of words of texts, and how often each stands in its text."""

import numpy as np

from neardup.kernels.arrays import longest, room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.shingles import roll
from neardup.kernels.token_hashes import room_for_stretch, token_hashes


@kernel
def counted_grams(data, offsets, width, unicode):  # type: ignore[no-untyped-def]
    """Return the distinct runs of `width` words of each text: hash, text, and how often it stands there.

    A text of fewer words is one run.
    """
    most = longest(offsets) // 2 + 1
    words, grams = np.empty(most, np.uint64), np.empty(most, np.uint64)
    room = room_for_stretch()
    found, owners, times = np.empty(1024, np.uint64), np.empty(1024, np.int64), np.empty(1024, np.int64)
    total = 0
    for t in range(len(offsets) - 1):
        count, _ = token_hashes(data, offsets[t], offsets[t + 1], unicode, words, room)
        size = roll(words, count, width, grams)
        own = grams[:size]
        sort(own)
        found, owners = room_for(found, total, size), room_for(owners, total, size)
        times = room_for(times, total, size)
        for i in range(size):
            if i and own[i] == own[i - 1]:
                times[total - 1] += 1
            else:
                found[total], owners[total], times[total] = own[i], t, 1
                total += 1
    return found[:total].copy(), owners[:total].copy(), times[:total].copy()
