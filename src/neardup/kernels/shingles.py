"""Shingles: the distinct 64-bit fingerprints of a document's overlapping runs of tokens."""

import numpy as np

from neardup.kernels.arrays import longest, room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import BASE, SEED, mix
from neardup.kernels.token_hashes import room_for_stretch, token_hashes
from neardup.kernels.tokens import SPACE, characters


@kernel
def roll(hashes, count, width, out):  # type: ignore[no-untyped-def]
    """Write the fingerprint of each run of `width` hashes; fewer than that make one shingle."""
    width = min(width, count)
    if width == 0:
        return 0
    leaving = np.uint64(1)  # BASE ** width: what the oldest hash was multiplied by
    for _ in range(width):
        leaving *= BASE
    length = mix(SEED + np.uint64(width))  # shorter runs never equal longer ones
    state = np.uint64(0)
    for i in range(count):
        state = state * BASE + hashes[i]
        if i >= width:
            state -= hashes[i - width] * leaving
        if i >= width - 1:
            out[i - width + 1] = mix(state ^ length)
    return count - width + 1


@kernel
def in_order(hashes, count):  # type: ignore[no-untyped-def]
    """Return the digest of a whole text: that of its hashes in their order, none left out."""
    state = np.uint64(0)
    for i in range(count):
        state = state * BASE + hashes[i]
    return mix(state ^ mix(SEED + np.uint64(count)))


@kernel
def distinct(values, count, table):  # type: ignore[no-untyped-def]
    """Move the distinct values to the front in order of first occurrence; return their number.

    `table` is scratch space: a power of two of cells, more than `count` of them. Zero marks an empty
    cell, so the value 0 becomes 1.
    """
    last = np.uint64(len(table) - 1)
    table[:] = np.uint64(0)
    kept = np.uint64(0)
    for i in range(count):
        value = values[i] if values[i] != 0 else np.uint64(1)
        cell = value & last
        found = table[cell]
        while found != 0 and found != value:
            cell = (cell + np.uint64(1)) & last
            found = table[cell]
        # without a branch, as which values are new cannot be foreseen
        table[cell] = value
        values[kept] = value
        kept += np.uint64(found == 0)
    return np.int64(kept)


@kernel(inline="always")
def cell_for(table, value):  # type: ignore[no-untyped-def]
    """Return the cell of a value, which is not 0, in a hash table; or the empty one where it would be.

    A table is a power of two of cells, more than there are values.
    """
    last = np.uint64(len(table) - 1)
    cell = value & last
    while table[cell] != 0 and table[cell] != value:
        cell = (cell + np.uint64(1)) & last
    return cell


@kernel(inline="always")
def table_size(count):  # type: ignore[no-untyped-def]
    """Return the size of a hash table that holds `count` values and stays at most 3/4 full."""
    size = 16
    while size * 3 < count * 4:
        size *= 2
    return size


@kernel
def shingle_words(data, offsets, width, unicode):  # type: ignore[no-untyped-def]
    """Return the distinct word shingles of each document of a batch.

    Documents are data[offsets[d]:offsets[d + 1]]. Returns all shingles end to end, where each
    document's begin, and each document's tokens and characters, and the digest of its tokens.
    """
    documents = len(offsets) - 1
    hashes = np.empty(longest(offsets) // 2 + 1, np.uint64)
    room = room_for_stretch()
    scratch = np.empty(table_size(4096), np.uint64)
    values = np.empty((offsets[documents] - offsets[0]) // 6, np.uint64)
    bounds = np.zeros(documents + 1, np.int64)
    tokens = np.empty(documents, np.int64)
    chars = np.empty(documents, np.int64)
    digests = np.empty(documents, np.uint64)
    for d in range(documents):
        begin = bounds[d]
        tokens[d], chars[d] = token_hashes(data, offsets[d], offsets[d + 1], unicode, hashes, room)
        digests[d] = in_order(hashes, tokens[d])
        values = room_for(values, begin, tokens[d])
        count = roll(hashes, tokens[d], width, values[begin:])
        size = table_size(count + count // 2)  # half full at most: this is faster here
        if size > len(scratch):
            scratch = np.empty(size, np.uint64)
        bounds[d + 1] = begin + distinct(values[begin:], count, scratch[:size])
    return values[: bounds[documents]], bounds, tokens, chars, digests


@kernel
def shingle_hashes(words, offsets, width):  # type: ignore[no-untyped-def]
    """Return the distinct shingles of texts whose words are hashed already, and where each text's begin.

    Text t has words[offsets[t]:offsets[t + 1]], as `tokenise` hashes them.
    """
    texts = len(offsets) - 1
    values = np.empty(len(words), np.uint64)
    bounds = np.zeros(texts + 1, np.int64)
    scratch = np.empty(table_size(1024), np.uint64)
    for t in range(texts):
        own = values[bounds[t] :]
        count = roll(words[offsets[t] : offsets[t + 1]], offsets[t + 1] - offsets[t], width, own)
        size = table_size(count)
        if size > len(scratch):
            scratch = np.empty(size, np.uint64)
        bounds[t + 1] = bounds[t] + distinct(own, count, scratch[:size])
    return values[: bounds[texts]].copy(), bounds


@kernel
def shingle_characters(data, offsets, width, unicode):  # type: ignore[no-untyped-def]
    """Return, as `shingle_words` does, the distinct runs of characters that begin at a token.

    In a token longer than a run, one more begins after every `width` characters: it is covered whole.
    The digest is of all characters: a space tells texts apart that have the same tokens without one.
    """
    documents = len(offsets) - 1
    most = longest(offsets)
    hashes = np.empty(most + 1, np.uint64)
    heads = np.empty(most + 1, np.int64)
    runs = np.empty(most + 1, np.uint64)
    scratch = np.empty(table_size(most + 1), np.uint64)
    values = np.empty(offsets[documents] - offsets[0] + documents, np.uint64)
    bounds = np.zeros(documents + 1, np.int64)
    tokens = np.empty(documents, np.int64)
    chars = np.empty(documents, np.int64)
    digests = np.empty(documents, np.uint64)
    for d in range(documents):
        begin = bounds[d]
        count, tokens[d], chars[d] = characters(data, offsets[d], offsets[d + 1], unicode, hashes, heads)
        digests[d] = in_order(hashes, count)
        last = roll(hashes, count, width, runs)
        kept = 0
        for t in range(tokens[d]):
            end = heads[t + 1] if t + 1 < tokens[d] else count
            end -= hashes[end - 1] == SPACE
            for at in range(heads[t], min(end, last), width):
                values[begin + kept] = runs[at]
                kept += 1
        bounds[d + 1] = begin + distinct(values[begin:], kept, scratch[: table_size(kept)])
    return values[: bounds[documents]].copy(), bounds, tokens, chars, digests
