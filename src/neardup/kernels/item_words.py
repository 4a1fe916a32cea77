"""The words of test items and of the texts that may hold them, and the keys of their runs.

Words are compared with every run of numbers made one: so that an item whose numbers were changed is
found like any other, and only then the numbers are looked at.
"""

import numpy as np

from neardup.kernels.arrays import room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import BASE, SEED, mix
from neardup.kernels.shingles import cell_for, table_size
from neardup.kernels.texts import character
from neardup.kernels.tokens import tokenise

RUN = 3  # words that propose an item
NUMBER = np.uint64(0x9D5C2F1B7A3E6481)  # stands for any run of numbers

_ONE = np.uint64(1)


@kernel(inline="always")
def key_of(first, second, third):  # type: ignore[no-untyped-def]
    """Return the key of three words in a row, never 0."""
    return mix((first * BASE + second) * BASE + third + SEED) | _ONE


@kernel
def join_numbers(data, begin, chars, end, starts, ends, hashes, count, words, heads):  # type: ignore[no-untyped-def]
    """Write the words of data[begin:end] with each run of numbers made one; return how many.

    `heads` has the first token of each word. Numbers are tokens of ASCII digits only.
    """
    plain = chars == end - begin
    i, place, found = begin, 0, 0
    numbers = False  # whether the last word is one
    for token in range(count):
        if plain:
            i = begin + starts[token]
        else:
            while place < starts[token]:
                i += character(data, i)[1]
                place += 1
        digits = ends[token] - starts[token]
        k = 0
        while k < digits and 48 <= data[i + k] <= 57:
            k += 1
        is_number = k == digits
        if not is_number or not numbers:
            words[found] = NUMBER if is_number else hashes[token]
            heads[found] = token
            found += 1
        numbers = is_number
    heads[found] = count
    return found


@kernel
def words_of(data, offsets, unicode):  # type: ignore[no-untyped-def]
    """Return the words of texts end to end, and where each text's begin; the same with numbers made one.

    Of the latter also the characters with which they begin and end.
    """
    texts = len(offsets) - 1
    raw, words = np.empty(64, np.uint64), np.empty(64, np.uint64)
    begins, finishes = np.empty(64, np.int32), np.empty(64, np.int32)
    raw_bounds, bounds = np.zeros(texts + 1, np.int64), np.zeros(texts + 1, np.int64)
    for t in range(texts):
        most = (offsets[t + 1] - offsets[t]) // 2 + 2
        starts, ends = np.empty(most, np.int32), np.empty(most, np.int32)
        heads = np.empty(most, np.int64)
        first, raw_first = bounds[t], raw_bounds[t]
        raw, words = room_for(raw, raw_first, most), room_for(words, first, most)
        begins, finishes = room_for(begins, first, most), room_for(finishes, first, most)
        own = raw[raw_first:]
        count, chars = tokenise(data, offsets[t], offsets[t + 1], unicode, own, starts, ends)
        joined = join_numbers(
            data, offsets[t], chars, offsets[t + 1], starts, ends, own, count, words[first:], heads
        )
        for i in range(joined):
            begins[first + i], finishes[first + i] = starts[heads[i]], ends[heads[i + 1] - 1]
        raw_bounds[t + 1], bounds[t + 1] = raw_first + count, first + joined
    total = bounds[texts]
    return (
        raw[: raw_bounds[texts]].copy(),
        raw_bounds,
        words[:total].copy(),
        bounds,
        begins[:total].copy(),
        finishes[:total].copy(),
    )


@kernel
def keys_of(words, bounds):  # type: ignore[no-untyped-def]
    """Return the key of the run that begins with each word, 0 where a text has no three more."""
    keys = np.zeros(len(words), np.uint64)
    for t in range(len(bounds) - 1):
        for i in range(bounds[t], bounds[t + 1] - RUN + 1):
            keys[i] = key_of(words[i], words[i + 1], words[i + 2])
    return keys


@kernel
def hashed(keys):  # type: ignore[no-untyped-def]
    """Put distinct keys into a table; return it, the number of each cell's key, and a filter of bits."""
    size = 2 * table_size(len(keys))
    table, numbers = np.zeros(size, np.uint64), np.zeros(size, np.int64)
    bits = np.zeros(size // 4, np.uint64)  # 16 bits a cell
    for k in range(len(keys)):
        cell = cell_for(table, keys[k])
        table[cell], numbers[cell] = keys[k], k
        bit = bit_of(keys[k], bits)
        bits[bit >> np.uint64(6)] |= _ONE << (bit & np.uint64(63))
    return table, numbers, bits


@kernel(inline="always")
def bit_of(key, bits):  # type: ignore[no-untyped-def]
    """Return the bit of a key in the filter, by the key's high half."""
    return (key >> np.uint64(32)) & np.uint64(64 * len(bits) - 1)
