"""An inverted index: sorted keys, and beside each the document that has it.

The upper bits of a key, which is a well mixed hash, say in which bucket of a few keys it is.
"""

import numpy as np

from neardup.kernels.arrays import ascending
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import cell_of
from neardup.kernels.winnowing import worth_of

KEYS_A_BUCKET = 8


@kernel
def bucket_starts(keys):  # type: ignore[no-untyped-def]
    """Return where the sorted keys of each bucket begin, and where the last end; 2 ** n buckets."""
    bits = 1
    while KEYS_A_BUCKET << bits < len(keys):
        bits += 1
    shift = np.uint64(64 - bits)
    starts = np.zeros((1 << bits) + 1, np.int64)
    for i in range(len(keys)):
        starts[np.int64(keys[i] >> shift) + 1] += 1
    for b in range(1 << bits):
        starts[b + 1] += starts[b]
    return starts


@kernel(inline="always")
def bucket_shift(starts):  # type: ignore[no-untyped-def]
    """Return by how many bits a key is shifted to give its bucket."""
    bits = 1
    while (1 << bits) + 1 < len(starts):
        bits += 1
    return np.uint64(64 - bits)


@kernel
def buckets_of(keys, starts, wanted):  # type: ignore[no-untyped-def]
    """Return where the bucket of each wanted key begins and ends, and its first and last key.

    A look-up waits for memory more than it computes: here nothing depends on what was read before, so
    that the processor asks for many places at a time.
    """
    shift = bucket_shift(starts)
    count, most = len(wanted), len(keys) - 1
    lows, highs = np.empty(count, np.int64), np.empty(count, np.int64)
    firsts, lasts = np.zeros(count, np.uint64), np.zeros(count, np.uint64)
    for w in range(count):
        bucket = np.int64(wanted[w] >> shift)
        lows[w], highs[w] = starts[bucket], starts[bucket + 1]
    if most >= 0:
        for w in range(count):
            firsts[w], lasts[w] = keys[min(lows[w], most)], keys[max(highs[w] - 1, 0)]
    return lows, highs, firsts, lasts


@kernel
def key_ranges(keys, starts, wanted):  # type: ignore[no-untyped-def]
    """Return where each wanted key begins among the sorted keys, and where it ends."""
    begins, ends, firsts, lasts = buckets_of(keys, starts, wanted)
    for w in range(len(wanted)):
        key, low, last = wanted[w], begins[w], ends[w]
        high = last
        if firsts[w] >= key:
            high = low
        elif lasts[w] < key:
            low = high
        while low < high:
            middle = (low + high) >> 1
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        end = low
        while end < last and keys[end] == key:
            end += 1
        begins[w], ends[w] = low, end
    return begins, ends


@kernel
def gathered(docs, begins, ends):  # type: ignore[no-untyped-def]
    """Return docs[begins[r]:ends[r]] of all ranges r end to end, and r beside each."""
    total = np.int64(0)
    for r in range(len(begins)):
        total += ends[r] - begins[r]
    numbers, found = np.empty(total, np.int64), np.empty(total, np.int64)
    at = 0
    for r in range(len(begins)):
        for i in range(begins[r], ends[r]):
            numbers[at], found[at] = r, docs[i]
            at += 1
    return numbers, found


@kernel
def tally(keys, docs, starts, wanted, table, found, count):  # type: ignore[no-untyped-def]
    """Count in the table how many of the wanted keys each document has; return how many have any.

    The documents that had none before are written behind the first `count` of `found`.
    """
    begins, ends = key_ranges(keys, starts, wanted)
    for w in range(len(wanted)):
        for i in range(begins[w], ends[w]):
            doc = docs[i]
            if table[doc] == 0:
                found[count] = doc
                count += 1
            table[doc] += 1
    return count


@kernel
def enough(found, table, sizes, gone, size, threshold):  # type: ignore[no-untyped-def]
    """Return the documents that may be like a text: those that share a part of the smaller set.

    Document d, which has sizes[d] keys and is not gone, shares table[d] with a text of `size` keys.
    """
    kept = np.empty(len(found), np.int64)
    count = 0
    for i in range(len(found)):
        doc = found[i]
        least = threshold * min(sizes[doc], size) * (1 - 1e-9)  # whatever rounding does
        if table[doc] >= least and not gone[doc]:
            kept[count] = doc
            count += 1
    return kept[:count]


@kernel
def worthy(numbers, docs, counts, least):  # type: ignore[no-untyped-def]
    """Return the documents, ascending, whose keys that a text shares are worth `least` or more.

    Row r says that document docs[r] has key numbers[r], which counts[number] documents have beside the
    text.
    """
    order = ascending(docs)
    found = np.empty(len(docs), np.int64)
    total, worth = 0, np.int64(0)
    for r in range(len(order)):
        row = order[r]
        worth += worth_of(counts[numbers[row]] + 1)
        if r + 1 == len(order) or docs[order[r + 1]] != docs[row]:
            if worth >= least:
                found[total] = docs[row]
                total += 1
            worth = np.int64(0)
    return found[:total]


@kernel
def merged(keys_a, docs_a, keys_b, docs_b, gone):  # type: ignore[no-untyped-def]
    """Merge two lists of sorted keys and their documents, without the documents that are gone."""
    keys = np.empty(len(keys_a) + len(keys_b), np.uint64)
    docs = np.empty(len(keys), np.int32)
    i = j = total = 0
    while i < len(keys_a) or j < len(keys_b):
        if j == len(keys_b) or (i < len(keys_a) and keys_a[i] <= keys_b[j]):
            key, doc = keys_a[i], docs_a[i]
            i += 1
        else:
            key, doc = keys_b[j], docs_b[j]
            j += 1
        if not gone[doc]:
            keys[total], docs[total] = key, doc
            total += 1
    return keys[:total], docs[:total]


@kernel
def discount_words(counts, words):  # type: ignore[no-untyped-def]
    """Take back what `count_words` counted of some words; a full counter stays full."""
    cells = np.uint64(len(counts))
    for i in range(len(words)):
        cell = cell_of(words[i], cells)
        counts[cell] -= np.uint32(0 < counts[cell] < np.uint32(0xFFFFFFFF))
