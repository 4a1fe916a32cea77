"""What a sentence stands among: a sketch of the words around it, to tell who writes about the same.

A sketch is one number of 16 parts of four bits. Each distinct word belongs to one part, which keeps four
bits of the least hash among its words; 0 says that it has none. The share of parts that agree estimates
the share of words that two surroundings have in common.
"""

import numpy as np

from neardup.kernels.arrays import longest
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import mix
from neardup.kernels.tokens import tokenise

AROUND = 2  # sentences on each side
PARTS = 16
NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)
UNKNOWN = -1.0


@kernel
def contexts(data, offsets, bounds, unicode):  # type: ignore[no-untyped-def]
    """Return the sketch of what is around each sentence data[offsets[s]:offsets[s + 1]] in its text.

    The sentences of text t are bounds[t] to bounds[t + 1]. A sentence that stands alone has 0.
    """
    sentences = len(offsets) - 1
    room = longest(offsets) // 2 + 1
    hashes = np.empty(room, np.uint64)
    starts, ends = np.empty(room, np.int32), np.empty(room, np.int32)
    least = np.full((sentences, PARTS), NOTHING, np.uint64)
    for s in range(sentences):
        words, _ = tokenise(data, offsets[s], offsets[s + 1], unicode, hashes, starts, ends)
        for i in range(words):
            value = mix(hashes[i])
            part = np.int64(value & np.uint64(PARTS - 1))
            least[s, part] = min(least[s, part], value)
    out = np.zeros(sentences, np.uint64)
    for t in range(len(bounds) - 1):
        for s in range(bounds[t], bounds[t + 1]):
            first, last = max(bounds[t], s - AROUND), min(bounds[t + 1], s + AROUND + 1)
            out[s] = _sketch(least, first, last, s)
    return out


@kernel(inline="always")
def _sketch(least, first, last, without):  # type: ignore[no-untyped-def]
    """Return the sketch of the words of several sentences, but for one of them."""
    sketch = np.uint64(0)
    for part in range(PARTS):
        value = NOTHING
        for s in range(first, last):
            if s != without:
                value = min(value, least[s, part])
        if value != NOTHING:
            kept = np.uint64(1) + (value >> np.uint64(4)) % np.uint64(15)
            sketch |= kept << np.uint64(4 * part)
    return sketch


@kernel
def alikeness(left, right):  # type: ignore[no-untyped-def]
    """Return which share of the parts of two sketches agree; UNKNOWN if one of them is empty."""
    out = np.empty(len(left))
    for i in range(len(left)):
        same, known = 0, 0
        for part in range(PARTS):
            a = (left[i] >> np.uint64(4 * part)) & np.uint64(15)
            b = (right[i] >> np.uint64(4 * part)) & np.uint64(15)
            known += a != 0 or b != 0
            same += a == b and a != 0
        out[i] = UNKNOWN if left[i] == 0 or right[i] == 0 else same / known
    return out
