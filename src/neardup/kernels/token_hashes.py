"""The hashes of tokens alone, many bytes at a time where a text is plain ASCII.

A text is cut behind separators into stretches. One of plain ASCII is folded, and its words are found,
without branches, in vector instructions; all others go through `tokenise`, of which this gives the same
hashes at more than twice the speed.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, STEP, mix
from neardup.kernels.tokens import fold_latin, tokenise
from neardup.kernels.vectors import WIDE, high_bits, lowest_bit, ones, set_bytes

STRETCH = 4096  # bytes that are folded at once: they stay in the nearest cache
SHORTEST = 64  # bytes of a stretch that is worth it
OTHERWISE = 256  # bytes that go the slow way before ASCII is tried again
SHORT = 8  # letters of a word that is hashed without a branch
AT_ONCE = 8  # places that are written without asking how many there are

_ZERO, _ONE, _EIGHT, _WIDE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(WIDE)


class Room(NamedTuple):
    """Scratch space for one stretch."""

    folded: npt.NDArray[np.uint8]
    places: npt.NDArray[np.uint16]
    states: npt.NDArray[np.uint64]


@kernel
def room_for_stretch():  # type: ignore[no-untyped-def]
    """Return scratch space."""
    size = STRETCH + 2 * WIDE
    return Room(np.zeros(size, np.uint8), np.zeros(size, np.uint16), np.zeros(SHORT, np.uint64))


@kernel
def token_hashes(data, begin, end, table, hashes, room):  # type: ignore[no-untyped-def]
    """Write the hash of each token of data[begin:end]; return (tokens, characters)."""
    count = characters = 0
    while begin < end:
        stop = plain_end(data, begin, end)
        if stop > begin:
            count += plain_hashes(data[begin:stop], hashes[count:], room)
            characters += stop - begin
        else:
            stop = min(begin + OTHERWISE, end)
            while stop < end and not is_separator(data[stop - 1]):
                stop += 1
            more, own = tokenise(data, begin, stop, table, hashes[count:], None, None)
            count += more
            characters += own
        begin = stop
    return count, characters


@kernel(inline="always")
def is_separator(byte):  # type: ignore[no-untyped-def]
    """Say whether a byte is an ASCII character that no token has."""
    return byte < 128 and fold_latin(byte) == 0


@kernel
def plain_end(data, begin, end):  # type: ignore[no-untyped-def]
    """Return where a stretch of ASCII ends, behind a separator or the text; `begin` if it is short."""
    most = min(begin + STRETCH, end)
    at = begin
    while at + WIDE <= most and high_bits(data, np.uint64(at)) == 0:
        at += WIDE
    while at < most and data[at] < 128:
        at += 1
    if at == end:
        return at
    while at > begin and not is_separator(data[at - 1]):
        at -= 1
    return at if at - begin >= SHORTEST else begin


@kernel
def plain_hashes(data, hashes, room):  # type: ignore[no-untyped-def]
    """Write the hash of each token of a stretch of ASCII; return their number."""
    size = len(data)
    fold(data, room.folded)
    room.folded[size : size + WIDE] = 0
    tokens = find_words(room.folded, size, room.places)
    hash_words(room.folded, room.places, tokens, hashes, room.states)
    return tokens


@kernel
def fold(data, folded):  # type: ignore[no-untyped-def]
    """Write the lower case of ASCII letters and digits, 0 for all else.

    With plain comparisons of bytes: as `fold_latin` is written, it is not vectorised.
    """
    for i in range(len(data)):
        byte = data[i]
        lower = np.uint8(byte | np.uint8(32))
        found = np.uint8(0)
        if (lower >= 97) & (lower <= 122):
            found = lower
        if (byte >= 48) & (byte <= 57):
            found = byte
        folded[i] = found


@kernel
def find_words(folded, size, places):  # type: ignore[no-untyped-def]
    """Write where each word begins and where it has ended, in turn; return the number of words.

    There is no letter behind `size`. More places are written than there are, and then written over.
    """
    count = before = _ZERO
    for block in range(size // WIDE + 1):
        base = np.uint64(block) * _WIDE
        letters = set_bytes(folded, base)
        edges = letters ^ (letters << _ONE | before)
        before = letters >> (_WIDE - _ONE)
        end = count + ones(edges)
        while count < end:
            for k in range(AT_ONCE):
                places[count + np.uint64(k)] = base + lowest_bit(edges)
                edges &= edges - _ONE
            count += np.uint64(AT_ONCE)
        count = end
    return np.int64(count) // 2


@kernel
def hash_words(folded, places, count, hashes, states):  # type: ignore[no-untyped-def]
    """Write the hash of each word; its first and last place follow each other.

    Short words are hashed as if they had eight letters, and the state after their last is taken: so
    that nothing depends on their length, which no processor can foresee.
    """
    for word in range(count):
        w = np.uint64(word)
        begin, end = np.uint64(places[w + w]), np.uint64(places[w + w + _ONE])
        size = end - begin
        state = SEED
        if size <= _EIGHT:
            for k in range(SHORT):
                state = (state ^ np.uint64(folded[begin + np.uint64(k)])) * STEP
                states[k] = state
            state = states[size - _ONE]
        else:
            while begin < end:
                state = (state ^ np.uint64(folded[begin])) * STEP
                begin += _ONE
        hashes[w] = mix(state)
