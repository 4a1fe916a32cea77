"""Postings packed into 64-bit words, to be searched where they lie: sorted keys, a document beside each.

The upper bits of a key, which is a well mixed hash, say in which bucket it is. A bucket begins with a
word of its checksum and its number of postings; these follow as bits, the lowest first. A posting whose
key is that of the one before has a 0, then its document; else a 1, what the key is more, less 1, as a
Rice code, and its document. What is wrong with a bucket is noticed by whoever reads it.
"""

import numpy as np

from neardup.kernels.compiled import kernel

_ONE = np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
COMMON = 6  # as a power of two: a key that fewer documents have is counted always


@kernel(inline="always")
def ahead_of(words, at):  # type: ignore[no-untyped-def]
    """Return the 64 bits from bit `at` on, without a branch; behind the last word, they may be any."""
    place, shift = np.uint64(at) >> np.uint64(6), np.uint64(at) & np.uint64(63)
    following = words[min(place + _ONE, np.uint64(len(words) - 1))]
    return words[place] >> shift | following << _ONE << (np.uint64(63) - shift)


@kernel(inline="always")
def bits_at(words, at, count):  # type: ignore[no-untyped-def]
    """Return `count` bits, at most 63, from bit `at` on."""
    return ahead_of(words, at) & ((_ONE << np.uint64(count)) - _ONE)


@kernel(inline="always")
def put_bits(words, at, value, count):  # type: ignore[no-untyped-def]
    """Write `count` bits, at most 63, from bit `at` on, where all is 0; return where they end."""
    place, shift = np.uint64(at) >> np.uint64(6), np.uint64(at) & np.uint64(63)
    words[place] |= value << shift
    words[place + _ONE] |= value >> _ONE >> (np.uint64(63) - shift)
    return at + count


@kernel
def checksum(words, begin, end, bucket, count):  # type: ignore[no-untyped-def]
    """Return 32 bits that say whether a bucket of so many postings is what was written."""
    found = ((np.uint64(bucket) + _ONE) * _MIX ^ np.uint64(count)) * _MIX
    found ^= found >> np.uint64(29)
    for i in range(begin, end):
        found = (found ^ words[i]) * _MIX
        found ^= found >> np.uint64(29)
    return found >> np.uint64(32)


@kernel
def is_whole(words, begin, end, bucket):  # type: ignore[no-untyped-def]
    """Return whether a bucket is as it was written."""
    if begin < 0 or end <= begin or end > len(words):
        return False
    count = words[begin] & np.uint64(0xFFFFFFFF)
    return checksum(words, begin + 1, end, bucket, count) == words[begin] >> np.uint64(32)


@kernel
def pack(keys, docs, first, buckets, shape):  # type: ignore[no-untyped-def]
    """Return the words of some buckets, from the first, and where each ends.

    All sorted keys of these buckets are given, of as many bits as the shape says: bits of a key, of a
    bucket's number, of the lower part of a Rice code, of a document.
    """
    key_bits, bucket_bits, low_bits, doc_bits = shape
    rest = key_bits - bucket_bits
    mask, low_mask = (_ONE << np.uint64(rest)) - _ONE, (_ONE << np.uint64(low_bits)) - _ONE
    words, ends = np.zeros(buckets + 64, np.uint64), np.zeros(buckets, np.int64)
    used = i = 0
    for b in range(buckets):
        until = i
        while until < len(keys) and np.int64(keys[until] >> np.uint64(rest)) == first + b:
            until += 1
        # a Rice code's upper part adds up to no more bits than there are steps of its lower part
        most = (until - i) * (2 + low_bits + doc_bits) + (1 << (rest - low_bits)) + 64
        need = used + 2 + (most >> 6)
        if need > len(words):
            longer = np.zeros(2 * need, np.uint64)
            for w in range(used):
                longer[w] = words[w]
            words = longer
        at, next_key = (used + 1) << 6, np.uint64(0)
        begin = i
        while i < until:
            key = keys[i] & mask
            if i > begin and key + _ONE == next_key:
                at += 1
            else:
                more = key - next_key
                at = put_bits(words, at, _ONE, 1) + np.int64(more >> np.uint64(low_bits))
                at = put_bits(words, at, _ONE, 1)
                at = put_bits(words, at, more & low_mask, low_bits)
                next_key = key + _ONE
            at = put_bits(words, at, np.uint64(docs[i]), doc_bits)
            i += 1
        end = (at + 63) >> 6
        sum_of = checksum(words, used + 1, end, first + b, until - begin)
        words[used] = sum_of << np.uint64(32) | np.uint64(until - begin)
        ends[b] = used = end
    return words[:used].copy(), ends


@kernel(inline="always")
def key_at(words, at, low_bits):  # type: ignore[no-untyped-def]
    """Return what a posting's key is more than the one before, and where its document is."""
    ahead, upper = ahead_of(words, at) >> _ONE, np.int64(0)
    at += 1
    if ahead != 0:
        while ahead & _ONE == 0:
            ahead >>= _ONE
            upper += 1
    else:
        upper += 63
        while bits_at(words, at + upper, 1) == 0:
            upper += 1
    at += upper + 1
    if upper + low_bits <= 62:
        low = ahead >> _ONE & ((_ONE << np.uint64(low_bits)) - _ONE)
    else:
        low = bits_at(words, at, low_bits)
    return np.uint64(upper) << np.uint64(low_bits) | low, at + low_bits


@kernel
def unpack(words, starts, first, buckets, shape):  # type: ignore[no-untyped-def]
    """Return the keys and documents of some buckets, and how many of these are whole, from the first."""
    key_bits, bucket_bits, low_bits, doc_bits = shape
    rest = np.uint64(key_bits - bucket_bits)
    total = np.int64(0)
    for b in range(first, first + buckets):
        if not is_whole(words, np.int64(starts[b]), np.int64(starts[b + 1]), b):
            return np.empty(0, np.uint64), np.empty(0, np.int64), b - first
        total += np.int64(words[starts[b]] & np.uint64(0xFFFFFFFF))
    keys, docs = np.empty(total, np.uint64), np.empty(total, np.int64)
    i = 0
    for b in range(first, first + buckets):
        begin = np.int64(starts[b])
        at, key = (begin + 1) << 6, (np.uint64(b) << rest) - _ONE
        for _ in range(np.int64(words[begin] & np.uint64(0xFFFFFFFF))):
            if bits_at(words, at, 1) == 0:
                at += 1
            else:
                more, at = key_at(words, at, low_bits)
                key += more + _ONE
            keys[i], docs[i] = key, np.int64(bits_at(words, at, doc_bits))
            at += doc_bits
            i += 1
    return keys, docs, buckets


@kernel
def first_words(words, begins):  # type: ignore[no-untyped-def]
    """Return the first word of each bucket.

    A look-up waits for memory more than it computes: here nothing depends on what was read before, so
    that the processor asks for many places at a time.
    """
    found = np.zeros(len(begins), np.uint64)
    for b in range(len(begins)):
        if 0 <= begins[b] < len(words):
            found[b] = words[begins[b]]
    return found


@kernel
def places(words, bounds, wanted, shape):  # type: ignore[no-untyped-def]
    """Return where the first document of each wanted key is, and how many have it; -1: it is damaged.

    Wanted keys have 64 bits, of which the upper ones count. Bounds are where the bucket of each begins
    and ends.
    """
    key_bits, bucket_bits, low_bits, doc_bits = shape
    rest = np.uint64(key_bits - bucket_bits)
    begins, counts = np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.int64)
    firsts = first_words(words, bounds[0])
    for w in range(len(wanted)):
        looked = wanted[w] >> np.uint64(64 - key_bits)
        begin, bucket = bounds[0][w], np.int64(looked >> rest)
        if not is_whole(words, begin, bounds[1][w], bucket):
            counts[w] = -1
            continue
        left = np.int64(firsts[w] & np.uint64(0xFFFFFFFF))
        at, key = (begin + 1) << 6, (np.uint64(bucket) << rest) - _ONE
        while left > 0:
            if bits_at(words, at, 1) == 0:
                at += 1
            else:
                if counts[w] > 0:
                    break
                more, at = key_at(words, at, low_bits)
                key += more + _ONE
                if key > looked and key != np.uint64(0) - _ONE:
                    break
            if key == looked:
                if counts[w] == 0:
                    begins[w] = at
                counts[w] += 1
            at += doc_bits
            left -= 1
    return begins, counts


@kernel
def docs_at(words, begins, counts, doc_bits):  # type: ignore[no-untyped-def]
    """Return the documents that begin at these places end to end, and the place's number beside each."""
    total = np.int64(0)
    for w in range(len(counts)):
        total += counts[w]
    numbers, docs = np.empty(total, np.int64), np.empty(total, np.int64)
    i = 0
    for w in range(len(counts)):
        at = begins[w]
        for _ in range(counts[w]):
            numbers[i], docs[i] = w, np.int64(bits_at(words, at, doc_bits))
            at += doc_bits + 1
            i += 1
    return numbers, docs


@kernel
def left_out(counts, most):  # type: ignore[no-untyped-def]
    """Return how many documents make a key too common to be counted at first, and how many keys are.

    These are at most so many.
    """
    by_bits = np.zeros(65, np.int64)
    for w in range(len(counts)):
        bits = 0
        while counts[w] >> bits:
            bits += 1
        by_bits[bits] += 1
    bits, out = 64, np.int64(0)
    while bits > COMMON and out + by_bits[bits] <= most:
        out += by_bits[bits]
        bits -= 1
    return bits, out


@kernel
def near_at(words, found, doc_bits, room, documents, size, threshold):  # type: ignore[no-untyped-def]
    """Return the documents that may be like a text: those that share a part of the smaller set.

    They are found at places of the text's keys, of which it has `size`; document d has sizes[d]. A few
    keys that very many documents have are counted for small documents only: any other one that is near
    has three times as many of the rest, and is taken to have all of these. The table is zeros before
    and after.
    """
    (begins, counts), (table, met), (sizes, gone) = found, room, documents
    least = threshold * (1 - 1e-9)  # whatever rounding does
    bits, out = left_out(counts, np.int64(least * size / 4))
    small = 4 * out / least if out else 0.0
    known = 0
    for rare in (True, False):
        for w in range(len(counts)):
            if (counts[w] >> bits == 0) != rare:
                continue
            at = begins[w]
            for _ in range(counts[w]):
                doc = np.int64(bits_at(words, at, doc_bits))
                if rare or sizes[doc] < small:
                    if table[doc] == 0:
                        met[known] = doc
                        known += 1
                    table[doc] += 1
                at += doc_bits + 1
    kept = np.empty(known, np.int64)
    near = 0
    for i in range(known):
        doc = np.int64(met[i])
        common = table[doc] + (out if sizes[doc] >= small else 0)
        table[doc] = 0
        if common >= least * min(sizes[doc], size) and not gone[doc]:
            kept[near] = doc
            near += 1
    return kept[:near].copy()
