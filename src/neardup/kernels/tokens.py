"""From UTF-8 bytes to tokens in one pass: normalised, hashed, with their original offsets.

A token is a run of letters, digits and their marks, or a single character of a script that is
written without spaces. It is hashed over the lower-case canonical decomposition of its characters,
so that case and the NFC or NFD form make no difference. Offsets count characters (code points).
"""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import SEED, STEP, mix

# Roles of a character, in bits 24 to 26 of its table entry; the low 21 bits hold the
# distance to the character that it folds to.
SEPARATOR, WORD, SOLO, MARK, IGNORED = range(5)
EXPANDED = 1 << 29  # the low bits point into the expansions instead
REORDERED = 1 << 30  # a mark whose order among other marks carries no meaning

SPACE = np.uint64(0x2545F4914F6CDD1D)  # stands for any run of separators

_CODE = np.uint32(0x1FFFFF)
_ROLE = np.uint32(7)
_ONE = np.uint64(1)


@kernel(inline="always")
def decode(data, i):  # type: ignore[no-untyped-def]
    """Return the code point at byte i of valid UTF-8 that is not ASCII, and its length in bytes."""
    first = np.uint32(data[i])
    i = np.uint64(i)
    second = np.uint32(data[i + _ONE]) & np.uint32(63)
    if first < 0xE0:
        return (first & np.uint32(31)) << np.uint32(6) | second, 2
    third = np.uint32(data[i + np.uint64(2)]) & np.uint32(63)
    if first < 0xF0:
        return (first & np.uint32(15)) << np.uint32(12) | second << np.uint32(6) | third, 3
    fourth = np.uint32(data[i + np.uint64(3)]) & np.uint32(63)
    code = (first & np.uint32(7)) << np.uint32(18) | second << np.uint32(12) | third << np.uint32(6)
    return code | fourth, 4


@kernel(inline="always")
def absorb(state, code, reordered):  # type: ignore[no-untyped-def]
    """Take one folded character into the hash of a token.

    Marks that canonical ordering may move are added, as addition does not depend on their order.
    """
    if reordered:
        return state + mix(np.uint64(code))
    return (state ^ np.uint64(code)) * STEP


@kernel(inline="always")
def entry_of(code, table):  # type: ignore[no-untyped-def]
    """Look a code point up in the two-level table."""
    page = np.uint32(table.pages[code >> np.uint32(8)])
    return table.entries[page << np.uint32(8) | code & np.uint32(255)]


@kernel(inline="always")
def role_of(entry):  # type: ignore[no-untyped-def]
    """Return the role of a character, from its entry."""
    return (entry >> np.uint32(24)) & _ROLE


@kernel(inline="always")
def is_capital(code, table):  # type: ignore[no-untyped-def]
    """Return whether a letter is a capital: one that folds to another, or one of Latin with a mark."""
    if 0xC0 <= code <= 0xDE:
        return True
    entry = entry_of(code, table)
    return entry & _CODE != 0 and not entry & np.uint32(EXPANDED)


@kernel(inline="always")
def absorb_folded(state, code, entry, table):  # type: ignore[no-untyped-def]
    """Take a character, folded as its entry says, into the hash of a token."""
    if not entry & np.uint32(EXPANDED):
        return absorb(state, (code + entry) & _CODE, entry & np.uint32(REORDERED))
    at = np.int64(entry & _CODE)
    for k in range(at + 1, at + 1 + np.int64(table.expansions[at])):
        part = table.expansions[k]
        state = absorb(state, part, entry_of(part, table) & np.uint32(REORDERED))
    return state


@kernel(inline="always")
def fold_latin(byte):  # type: ignore[no-untyped-def]
    """Return the lower case of an ASCII letter or digit, 0 for every other byte.

    Comparing is faster than a table, which would have to be read again after each store.
    """
    lower = byte | np.uint8(32)
    if np.uint8(lower - np.uint8(97)) < 26:
        return lower
    return byte if np.uint8(byte - np.uint8(48)) < 10 else np.uint8(0)


@kernel
def tokenise(data, begin, end, table, hashes, starts, ends):  # type: ignore[no-untyped-def]
    """Write hash, start and end of each token of data[begin:end]; return (tokens, characters).

    The outputs need room for (end - begin) // 2 + 1 tokens; starts and ends may both be None. Places
    are unsigned, which spares the check for negative indices.
    """
    count = -1  # the number of the open or last token
    open_role = SEPARATOR  # the role that opened the current token; SEPARATOR: none is open
    state = SEED
    i, last = np.uint64(begin), np.uint64(end)
    shift = i  # byte position minus character position
    while i < last:
        folded = fold_latin(data[i])
        if folded:
            if open_role != WORD:
                if open_role == SOLO:
                    hashes[count] = mix(state)
                open_role = WORD
                count += 1
                if starts is not None:
                    starts[count] = i - shift
                state = SEED
            while folded:
                state = (state ^ np.uint64(folded)) * STEP
                i += _ONE
                folded = fold_latin(data[i]) if i < last else np.uint8(0)
            if ends is not None:
                ends[count] = i - shift
            continue
        if data[i] < 128:
            if open_role != SEPARATOR:
                hashes[count] = mix(state)
                open_role = SEPARATOR
            i += _ONE
            continue
        code, width = decode(data, i)
        i += np.uint64(width)
        shift += np.uint64(width - 1)
        entry = entry_of(code, table)
        role = role_of(entry)
        if role == IGNORED or (role == MARK and open_role == SEPARATOR):
            continue
        if role != MARK and (role != WORD or open_role != WORD):
            if open_role != SEPARATOR:
                hashes[count] = mix(state)
            open_role = role
            if role == SEPARATOR:
                continue
            count += 1
            if starts is not None:
                starts[count] = i - shift - _ONE
            state = SEED
        state = absorb_folded(state, code, entry, table)
        if ends is not None:
            ends[count] = i - shift
    if open_role != SEPARATOR:
        hashes[count] = mix(state)
    return count + 1, np.int64(last - shift)


@kernel
def characters(data, begin, end, table, hashes, heads):  # type: ignore[no-untyped-def]
    """Write the hash of each normalised character and which of them begin a token.

    A run of separators is one space; marks belong to the character before them. Returns the numbers
    of hashes, of heads and of original characters. The outputs need room for end - begin entries.
    """
    count = 0
    tokens = 0
    chars = 0
    open_role = SEPARATOR
    i = begin
    while i < end:
        if data[i] < 128:
            code, width = np.uint32(data[i]), 1
        else:
            code, width = decode(data, i)
        i += width
        chars += 1
        entry = entry_of(code, table)
        role = role_of(entry)
        if role == IGNORED or (role == MARK and open_role == SEPARATOR):
            continue
        if role == SEPARATOR:
            open_role = SEPARATOR
            continue
        if role != MARK:
            if open_role == SEPARATOR and count:
                hashes[count] = SPACE
                count += 1
            if role != WORD or open_role != WORD:
                heads[tokens] = count
                tokens += 1
            open_role = role
        count = _write_characters(code, entry, table, hashes, count)
    return count, tokens, chars


@kernel(inline="always")
def _write_characters(code, entry, table, hashes, count):  # type: ignore[no-untyped-def]
    """Append the characters that one folds to; a mark changes the hash of the one before it."""
    expanded = entry & np.uint32(EXPANDED)
    at = np.int64(entry & _CODE)
    parts = np.int64(table.expansions[at]) if expanded else 1
    for k in range(parts):
        part = table.expansions[at + 1 + k] if expanded else (code + entry) & _CODE
        if count and entry_of(part, table) & np.uint32(REORDERED):
            hashes[count - 1] += mix(np.uint64(part))
        else:
            hashes[count] = mix(SEED ^ np.uint64(part))
            count += 1
    return count
