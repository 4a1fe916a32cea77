"""Pages: fingerprints of sentences, pages without boilerplate, and signatures of the sentence ring."""

import numpy as np

from neardup.kernels.arrays import room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import BASE, SEED, STEP, mix
from neardup.kernels.texts import character
from neardup.kernels.tokens import IGNORED, MARK, SEPARATOR, absorb_folded, entry_of, is_capital, role_of

BYTE, TOP = np.uint64(8), np.uint64(56)
ONE = np.uint64(1)
EIGHTH = np.uint64(7)


@kernel
def text_digests(data, offsets):  # type: ignore[no-untyped-def]
    """Return a fingerprint of the bytes of each text."""
    found = np.empty(len(offsets) - 1, np.uint64)
    for t in range(len(found)):
        state = SEED
        for i in range(offsets[t], offsets[t + 1]):
            state = (state ^ np.uint64(data[i])) * STEP
        found[t] = mix(state)
    return found


@kernel
def page_sentences(words, starts, ends, bounds, sentences, sentence_bounds, least, most):  # type: ignore[no-untyped-def]
    """Cut sentences into pieces, and fingerprint these.

    A piece ends with its sentence, with the first word from number `least` on that its own hash chooses,
    one in eight, or at `most` words. So it depends on the words near it only, even where a page has no
    full stops. Returns the words with which pieces begin, where each page's begin, their fingerprints
    and their characters (those of their words).
    """
    pages = len(bounds) - 1
    total = len(sentences) + len(words) // least + 1
    firsts, keys = np.empty(total, np.int32), np.empty(total, np.uint64)
    sizes = np.empty(total, np.int32)
    new_bounds = np.zeros(pages + 1, np.int64)
    used = 0
    for p in range(pages):
        last = sentence_bounds[p + 1]
        for s in range(sentence_bounds[p], last):
            begin = sentences[s]
            end = sentences[s + 1] if s + 1 < last else np.int32(bounds[p + 1] - bounds[p])
            while begin < end:
                state, size, stop = SEED, 0, begin
                while stop < end:
                    w = bounds[p] + stop
                    state = state * BASE + words[w]
                    size += ends[w] - starts[w]
                    stop += 1
                    count = stop - begin
                    if count >= most or (count >= least and words[w] & EIGHTH == 0):
                        break
                firsts[used], keys[used], sizes[used] = begin, mix(state), size
                used += 1
                begin = stop
        new_bounds[p + 1] = used
    return firsts[:used].copy(), new_bounds, keys[:used].copy(), sizes[:used].copy()


@kernel
def in_characters(data, offsets, table, starts, ends, bounds, firsts, piece_bounds, in_bytes):  # type: ignore[no-untyped-def]
    """Return the characters of words in place of them, as if each was a word of one character.

    Marks belong to the character before them; what closes a sentence is left out. With `in_bytes`,
    characters beyond ASCII are two, as many as they have bytes in GBK. Returns hashes, starts, ends,
    where each page's begin, and the characters with which pieces begin.
    """
    pages = len(bounds) - 1
    room = 0
    for w in range(len(starts)):
        room += (ends[w] - starts[w]) * (1 + in_bytes)
    hashes = np.empty(room, np.uint64)
    new_starts, new_ends = np.empty(room, np.int32), np.empty(room, np.int32)
    new_bounds, new_firsts = np.zeros(pages + 1, np.int64), np.empty(len(firsts), np.int32)
    used = 0
    for p in range(pages):
        i, place, piece = offsets[p], 0, piece_bounds[p]
        for w in range(bounds[p], bounds[p + 1]):
            if piece < piece_bounds[p + 1] and firsts[piece] == w - bounds[p]:
                new_firsts[piece] = used - new_bounds[p]
                piece += 1
            begun = used
            while place < ends[w]:
                code, width = character(data, i)
                i += width
                place += 1
                if place <= starts[w]:
                    continue
                entry = entry_of(code, table)
                role = role_of(entry)
                if role in (SEPARATOR, IGNORED):
                    continue
                if role == MARK and used > begun:
                    hashes[used - 1] = absorb_folded(hashes[used - 1], code, entry, table)
                    new_ends[used - 1] = place
                    continue
                hashes[used] = absorb_folded(SEED, code, entry, table)
                new_starts[used], new_ends[used] = place - 1, place
                used += 1
                if in_bytes and code > 127:
                    hashes[used] = hashes[used - 1] * BASE
                    new_starts[used], new_ends[used] = place - 1, place
                    used += 1
        new_bounds[p + 1] = used
    for c in range(used):
        hashes[c] = mix(hashes[c])
    return hashes[:used].copy(), new_starts[:used].copy(), new_ends[:used].copy(), new_bounds, new_firsts


@kernel
def fact_marks(data, offsets, table, starts, ends, bounds, sentences, sentence_bounds, prose, wanted):  # type: ignore[no-untyped-def]
    """Mark the words that are facts: those with a digit, and names; of pages where they are wanted.

    A name begins with a capital letter inside of a sentence of at least `prose` words: a line of a menu
    has capitals for other reasons.
    """
    marks = np.zeros(len(starts), np.bool_)
    for p in range(len(bounds) - 1):
        if not wanted[p]:
            continue
        i, place, last = offsets[p], 0, sentence_bounds[p + 1]
        s, begin, end = sentence_bounds[p], bounds[p], bounds[p]
        for w in range(bounds[p], bounds[p + 1]):
            if w == end:
                begin = end
                s += 1
                end = bounds[p] + sentences[s] if s < last else bounds[p + 1]
            while place < ends[w]:
                code, width = character(data, i)
                if place >= starts[w]:
                    named = place == starts[w] and w > begin and end - begin >= prose
                    marks[w] |= 48 <= code <= 57 or (named and is_capital(code, table))
                i += width
                place += 1
    return marks


@kernel
def distinct_sentences(keys, sizes, bounds):  # type: ignore[no-untyped-def]
    """Return where each different sentence of a page is first, and the characters of all equal ones."""
    places, chars = np.empty(len(keys), np.int64), np.empty(len(keys), np.int64)
    room = 4
    for p in range(len(bounds) - 1):
        while room < 2 * (bounds[p + 1] - bounds[p]):
            room *= 2
    table = np.full(room, -1)  # of sentences by their keys; those before `first` are of other pages
    used = 0
    for p in range(len(bounds) - 1):
        first = used
        for s in range(bounds[p], bounds[p + 1]):
            cell = keys[s] & (room - 1)
            while table[cell] >= first and keys[places[table[cell]]] != keys[s]:
                cell = (cell + 1) & (room - 1)
            if table[cell] < first:
                table[cell], places[used], chars[used] = used, s, 0
                used += 1
            chars[table[cell]] += sizes[s]
    return places[:used].copy(), chars[:used].copy()


@kernel
def shared_parts(docs, levels, pages, chars, totals, unit):  # type: ignore[no-untyped-def]
    """Return what share of its page half as many pages have as have a sentence, or more.

    Rows are sorted by page and level, and from many pages to few.
    """
    found = np.empty(len(docs), np.int64)
    begin = reach = common = 0
    for i in range(len(docs)):
        if docs[i] != docs[begin] or levels[i] != levels[begin]:
            begin = reach = i
            common = 0
        half = (pages[i] + 1) // 2
        while reach < len(docs) and pages[reach] >= half:
            if docs[reach] != docs[begin] or levels[reach] != levels[begin]:
                break
            common += chars[reach]
            reach += 1
        found[i] = unit * common // totals[i]
    return found


@kernel
def trimmed(bounds, firsts, sentence_bounds, sizes, dropped, limit, cut):  # type: ignore[no-untyped-def]
    """Say which words of pages stay without the dropped sentences, up to a number of characters of each.

    The sentence that passes the limit stays whole, unless it is to be `cut`, and each word is one
    character. Returns a mark for each word and each sentence, the
    number of words and of sentences that stay, and the characters, of each page.
    """
    pages = len(bounds) - 1
    words = np.zeros(bounds[pages], np.bool_)
    kept = np.zeros(len(firsts), np.bool_)
    word_counts, sentence_counts = np.zeros(pages, np.int64), np.zeros(pages, np.int64)
    chars = np.zeros(pages, np.int64)
    for p in range(pages):
        last = sentence_bounds[p + 1]
        for s in range(sentence_bounds[p], last):
            if dropped[s] or chars[p] >= limit:
                continue
            begin = bounds[p] + firsts[s]
            end = bounds[p] + firsts[s + 1] if s + 1 < last else bounds[p + 1]
            size = sizes[s]
            if cut and chars[p] + size > limit:
                size = np.int32(limit - chars[p])
                end = begin + size
            words[begin:end] = True
            kept[s] = True
            word_counts[p] += end - begin
            sentence_counts[p] += 1
            chars[p] += size
    return words, kept, word_counts, sentence_counts, chars


@kernel
def projected(high, low, weights, count):  # type: ignore[no-untyped-def]
    """Return, for each of 128 bits, whether the fingerprints with a 1 weigh more than those without."""
    if count == 1:
        return high[0], low[0]
    if count == 2:  # the heavier one decides; if none is, what both have
        if weights[0] == weights[1]:
            return high[0] & high[1], low[0] & low[1]
        heavy = 0 if weights[0] > weights[1] else 1
        return high[heavy], low[heavy]
    signature_high, signature_low = np.uint64(0), np.uint64(0)
    for bit in range(64):
        shift = np.uint64(bit)
        first = second = 0.0
        for i in range(count):
            first += weights[i] if high[i] >> shift & ONE else -weights[i]
            second += weights[i] if low[i] >> shift & ONE else -weights[i]
        if first > 0:
            signature_high |= ONE << shift
        if second > 0:
            signature_low |= ONE << shift
    return signature_high, signature_low


@kernel
def _long_sentences(keys, sizes, begin, end, chosen, shortest, rings, heavy, places):  # type: ignore[no-untyped-def]
    """Write the ring, the weight and the part of the page of each long sentence; return their number."""
    count = 0
    for s in range(begin, end):
        if sizes[s] > shortest:
            rings[count, 0], rings[count, 1] = keys[s], mix(keys[s] ^ SEED)
            heavy[count] = 1.0 + np.log(np.float64(sizes[s]))
            places[count] = (s - begin) * chosen // (end - begin)
            count += 1
    return count


@kernel
def ring_signatures(keys, sizes, bounds, subsets, turns, chosen, shortest):  # type: ignore[no-untyped-def]
    """Return the signatures of each page, and where each page's begin.

    A sentence of more than `shortest` characters is a ring of 16 bytes; each of the first `turns`
    readings of it is a fingerprint. Of the fingerprints of one reading that are equal modulo `subsets`,
    the `chosen` smallest, each from another part of the page, are projected to one signature. A page
    without such sentences has one of all that it has.
    """
    pages = len(bounds) - 1
    out = np.empty(1024, np.uint64)
    out_bounds = np.zeros(pages + 1, np.int64)
    modulus = np.uint64(subsets)
    carry = (np.uint64(0xFFFFFFFFFFFFFFFF) % modulus + ONE) % modulus  # 2 ** 64 modulo subsets
    # the byte that a turn takes from the front comes back at the end: 2 ** 128 - 1 less for each of it
    taken = np.uint32(subsets) - np.uint32((carry * carry + modulus - ONE) % modulus)
    residues = np.empty(len(keys), np.uint32)
    high, low = np.empty((subsets, chosen), np.uint64), np.empty((subsets, chosen), np.uint64)
    weights, parts = np.empty((subsets, chosen)), np.empty((subsets, chosen), np.int64)
    counts = np.empty(subsets, np.int64)
    rings, heavy = np.empty((len(keys), 2), np.uint64), np.empty(len(keys))
    places = np.empty(len(keys), np.int64)
    used = 0
    for p in range(pages):
        begin, end = bounds[p], bounds[p + 1]
        lists = rings, heavy, places
        long = _long_sentences(keys, sizes, begin, end, chosen, shortest, *lists)
        if long == 0:
            long = _long_sentences(keys, sizes, begin, end, chosen, 0, *lists)
        for s in range(long):
            residues[s] = (rings[s, 0] % modulus * carry + rings[s, 1] % modulus) % modulus
        out = room_for(out, used, subsets * turns)
        for turn in range(turns):
            counts[:] = 0
            for s in range(long):
                a, b = rings[s, 0], rings[s, 1]
                subset = np.int64(residues[s])
                top = np.uint32(a >> TOP)
                residues[s] = (residues[s] * np.uint32(256) + top * taken) % np.uint32(subsets)
                rings[s, 0], rings[s, 1] = a << BYTE | b >> TOP, b << BYTE | a >> TOP
                at = 0
                while at < counts[subset] and parts[subset, at] != places[s]:
                    at += 1
                new = at == counts[subset]
                counts[subset] += new
                if new or a < high[subset, at] or (a == high[subset, at] and b < low[subset, at]):
                    high[subset, at], low[subset, at] = a, b
                    weights[subset, at], parts[subset, at] = heavy[s], places[s]
            for own in range(subsets):
                if counts[own]:
                    a, b = projected(high[own], low[own], weights[own], counts[own])
                    place = np.uint64(turn * subsets + own)
                    out[used] = mix(mix(a + place) ^ b)
                    used += 1
        out_bounds[p + 1] = used
    return out[:used].copy(), out_bounds
