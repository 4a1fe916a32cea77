"""The hashes and places of tokens, many bytes at a time where a text is plain ASCII.

A text is cut behind separators into stretches. One of plain ASCII is folded, and its words are found,
without branches, in vector instructions; all others go through `tokenise`, of which this gives the same
hashes at more than twice the speed.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.arrays import Bytes, Hashes
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, STEP, mix
from neardup.kernels.tokens import fold_latin, tokenise
from neardup.kernels.vectors import WIDE, eight_bytes, high_bits, lowest_bit, ones, set_bytes

STRETCH = 4096  # bytes that are folded at once: they stay in the nearest cache
SHORTEST = 64  # bytes of a stretch that is worth it
OTHERWISE = 256  # bytes that go the slow way before ASCII is tried again
SHORT = 8  # letters of a word that is hashed without a branch
TOGETHER = 2  # letters that are hashed at once: more would wait for each other
AT_ONCE = 8  # places that are written without asking how many there are

_ZERO, _ONE, _SHORT, _WIDE = np.uint64(0), np.uint64(1), np.uint64(SHORT), np.uint64(WIDE)
_BITS, _BYTE = np.uint64(8), np.uint64(255)


class Room(NamedTuple):
    """Scratch space for one stretch."""

    folded: Bytes
    places: npt.NDArray[np.uint16]
    letters: Hashes
    sizes: Hashes
    long: npt.NDArray[np.uint16]


@kernel
def room_for_stretch():  # type: ignore[no-untyped-def]
    """Return scratch space."""
    size = STRETCH + 2 * WIDE
    words = STRETCH // 2 + 1
    return Room(
        np.zeros(size, np.uint8),
        np.zeros(size, np.uint16),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint16),
    )


@kernel
def token_hashes(data, begin, end, table, hashes, room):  # type: ignore[no-untyped-def]
    """Write the hash of each token of data[begin:end]; return (tokens, characters)."""
    return token_places(data, begin, end, table, hashes, None, None, room)


@kernel
def token_places(data, begin, end, table, hashes, starts, ends, room):  # type: ignore[no-untyped-def]
    """Do the same, and write where each token begins and ends, unless these are None."""
    count = characters = 0
    while begin < end:
        stop = plain_end(data, begin, end)
        if stop > begin:
            more, own = plain_hashes(data[begin:stop], hashes[count:], room), stop - begin
            if starts is not None:
                for word in range(more):
                    starts[count + word] = characters + room.places[2 * word]
                    ends[count + word] = characters + room.places[2 * word + 1]
        else:
            stop = min(begin + OTHERWISE, end)
            while stop < end and not is_separator(data[stop - 1]):
                stop += 1
            if starts is None:
                more, own = tokenise(data, begin, stop, table, hashes[count:], None, None)
            else:
                places = starts[count:], ends[count:]
                more, own = tokenise(data, begin, stop, table, hashes[count:], *places)
                for token in range(count, count + more):
                    starts[token] += characters
                    ends[token] += characters
        count += more
        characters += own
        begin = stop
    return count, characters


@kernel(inline="always")
def is_separator(byte):  # type: ignore[no-untyped-def]
    """Return whether a byte is an ASCII character that no token has."""
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
    hash_words(room, tokens, hashes)
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
def hash_words(room, count, hashes):  # type: ignore[no-untyped-def]
    """Write the hash of each word; its first and last place follow each other.

    All words go through their first eight letters side by side, as vector instructions do. What a word
    has beyond these follows word by word.
    """
    long = first_letters(room, count)
    hashes[:count] = SEED
    for done in range(0, SHORT, TOGETHER):
        add_letters(room.letters, room.sizes, count, np.uint64(done), hashes)
    for number in range(long):
        w = np.uint64(room.long[number])
        begin, end = np.uint64(room.places[w + w]) + _SHORT, np.uint64(room.places[w + w + _ONE])
        state = hashes[w]
        while begin < end:
            state = (state ^ np.uint64(room.folded[begin])) * STEP
            begin += _ONE
        hashes[w] = state
    for word in range(count):
        hashes[word] = mix(hashes[word])


@kernel
def first_letters(room, count):  # type: ignore[no-untyped-def]
    """Write eight letters of each word, its size, and which words have more; return how many have."""
    long = _ZERO
    for word in range(count):
        w = np.uint64(word)
        begin = np.uint64(room.places[w + w])
        size = np.uint64(room.places[w + w + _ONE]) - begin
        room.letters[w] = eight_bytes(room.folded, begin)
        room.sizes[w] = size
        room.long[long] = word
        long += np.uint64(size > _SHORT)
    return long


@kernel
def add_letters(letters, sizes, count, done, hashes):  # type: ignore[no-untyped-def]
    """Add the next letters of each word to its hash, if it has as many."""
    for word in range(count):
        w = np.uint64(word)
        state, rest = hashes[w], letters[w] >> (done * _BITS)
        for k in range(TOGETHER):
            letter = rest >> (np.uint64(k) * _BITS) & _BYTE
            added = (state ^ letter) * STEP
            state = added if done + np.uint64(k) < sizes[w] else state
        hashes[w] = state
