"""The hashes of tokens alone, many bytes at a time where a text is plain ASCII.

A text is cut behind separators into stretches. One of plain ASCII is folded, and its edges of words
are found, in loops without branches, which the compiler turns into vector instructions; all others
go through `tokenise`, of which this gives the same hashes at twice the speed and more.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, STEP, mix
from neardup.kernels.tokens import fold_latin, tokenise

STRETCH = 4096  # bytes that are folded at once: they stay in the nearest cache
BLOCK = 64  # bytes that are found to be ASCII or not; a shorter stretch is not worth it
OTHERWISE = 256  # bytes that go the slow way before ASCII is tried again
SHORT = 8  # letters of a word that is hashed without a branch
MARGIN = 16  # bytes and places behind a stretch that may be read and written

_ONE = np.uint64(1)
_EIGHT = np.uint64(8)
_BYTE = np.uint64(255)
_GATHER = np.uint64(0x0102040810204080)  # brings the lowest bits of eight bytes into the highest byte
_TOP = np.uint64(56)

_NUMBER = np.array([byte.bit_count() for byte in range(256)], np.uint64)
_PLACES = np.array(  # the places of the bits that are set in a byte, each in a byte of its own
    [
        sum(bit << 8 * at for at, bit in enumerate(bit for bit in range(8) if byte >> bit & 1))
        for byte in range(256)
    ],
    np.uint64,
)


class Room(NamedTuple):
    """Scratch space for one stretch."""

    folded: npt.NDArray[np.uint8]
    edges: npt.NDArray[np.uint8]
    places: npt.NDArray[np.uint16]
    states: npt.NDArray[np.uint64]


@kernel
def room_for_stretch():  # type: ignore[no-untyped-def]
    """Return scratch space."""
    size = STRETCH + MARGIN
    return Room(
        np.zeros(size, np.uint8),
        np.zeros(size, np.uint8),
        np.zeros(size, np.uint16),
        np.zeros(SHORT, np.uint64),
    )


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
def is_ascii(data):  # type: ignore[no-untyped-def]
    """Say whether all bytes are ASCII."""
    seen = np.uint8(0)
    for i in range(len(data)):
        seen |= data[i]
    return seen < 128


@kernel
def plain_end(data, begin, end):  # type: ignore[no-untyped-def]
    """Return where a stretch of ASCII ends, behind a separator or the text; `begin` if it is short."""
    most = min(begin + STRETCH, end)
    at = begin
    while at < most and is_ascii(data[at : min(at + BLOCK, most)]):
        at = min(at + BLOCK, most)
    if at == end:
        return at
    while at > begin and not is_separator(data[at - 1]):
        at -= 1
    return at if at - begin >= BLOCK else begin


@kernel
def plain_hashes(data, hashes, room):  # type: ignore[no-untyped-def]
    """Write the hash of each token of a stretch of ASCII; return their number."""
    size = len(data)
    folded = room.folded[1:]  # behind a byte that is 0, as are those of separators
    fold(data, folded)
    folded[size : size + SHORT] = 0
    mark_edges(room.folded, folded, room.edges, size + 1)
    whole = (size + 8) // 8
    room.edges[size + 1 : 8 * whole] = 0
    tokens = find_places(room.edges.view(np.uint64), whole, room.places) // 2
    hash_words(folded, room.places, tokens, hashes, room.states)
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
def mark_edges(before, folded, edges, size):  # type: ignore[no-untyped-def]
    """Mark where a word begins, and where one has ended."""
    for i in range(size):
        edges[i] = np.uint8((folded[i] != 0) != (before[i] != 0))


@kernel
def find_places(edges, size, places):  # type: ignore[no-untyped-def]
    """Write the places of all marks, of which there are eight in each number; return how many.

    Four are written in any case, as few numbers have more, and those that are none are written over.
    """
    count = np.uint64(0)
    for i in range(size):
        bits = (edges[i] * _GATHER) >> _TOP
        packed, base = _PLACES[bits], np.uint64(8 * i)
        for k in range(4):
            places[count + np.uint64(k)] = base + ((packed >> np.uint64(8 * k)) & _BYTE)
        if _NUMBER[bits] > 4:
            for k in range(4, 8):
                places[count + np.uint64(k)] = base + ((packed >> np.uint64(8 * k)) & _BYTE)
        count += _NUMBER[bits]
    return np.int64(count)


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
