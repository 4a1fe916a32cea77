"""What similar sentences share: rare words and runs of words, or the paper's signatures.

A sentence is data[offsets[s]:offsets[s + 1]] of a batch. Keys are 64-bit; sentences that share one are
compared. `places` say at which character the words of a key begin: in sentences that are an edit
distance d apart, words that were kept have moved by d characters at most.
"""

import numpy as np

from neardup.kernels.arrays import ascending, copy, longest, room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import HIGHEST, count_of
from neardup.kernels.hashing import BASE, SEED, mix
from neardup.kernels.shingles import cell_for, roll, table_size
from neardup.kernels.tokens import characters, tokenise

WIDEST = 3  # words in a run
MOST_INSERTED = 40  # longer lists are worth a better way to sort
LETTERS = 32  # kinds of characters that are told apart, each counted in a byte
MOST_COUNTED = np.uint8(255)
_64 = np.uint64(64)


@kernel
def runs_of_words(data, offsets, scopes, unicode):  # type: ignore[no-untyped-def]
    """Return the distinct words, pairs and triples of words of each sentence, and their places.

    Sentences of different scopes share nothing. Returns values and places end to end, where each
    sentence's begin, and how many characters of each kind a sentence has.
    """
    sentences = len(offsets) - 1
    room = longest(offsets) // 2 + 1
    hashes, starts = np.empty(room, np.uint64), np.empty(room, np.int32)
    ends = np.empty(room, np.int32)
    table = np.empty(table_size(WIDEST * room), np.uint64)
    values = np.empty((offsets[sentences] - offsets[0]) // 2 + 1, np.uint64)
    places = np.empty(len(values), np.int32)
    bounds = np.zeros(sentences + 1, np.int64)
    letters = np.zeros((sentences, LETTERS), np.uint8)
    total = 0
    for s in range(sentences):
        count_letters(data[offsets[s] : offsets[s + 1]], letters[s])
        words, _ = tokenise(data, offsets[s], offsets[s + 1], unicode, hashes, starts, ends)
        values = room_for(values, total, WIDEST * words)
        places = room_for(places, total, WIDEST * words)
        own = table[: table_size(WIDEST * words)]
        own[:] = np.uint64(0)
        for i in range(words):
            state = scopes[s]
            for width in range(min(WIDEST, words - i)):
                state = state * BASE + hashes[i + width]
                value = mix(state ^ mix(SEED + np.uint64(width)))
                if is_new(own, value):
                    values[total] = value
                    places[total] = starts[i]
                    total += 1
        bounds[s + 1] = total
    return values[:total].copy(), places[:total].copy(), bounds, letters


@kernel
def count_letters(text, counts):  # type: ignore[no-untyped-def]
    """Count the characters of a text in UTF-8 by their kinds; many characters may share one."""
    state = 0
    for i in range(len(text)):
        state = state * 64 + text[i]
        if i + 1 == len(text) or text[i + 1] & 0xC0 != 0x80:  # else another byte of the same character
            kind = (state * 11) % LETTERS
            if counts[kind] < MOST_COUNTED:
                counts[kind] += 1
            state = 0


@kernel(inline="always")
def may_be_near(letters, a, b, edits):  # type: ignore[no-untyped-def]
    """Return whether so many edits may turn one text into another: each takes or adds a character."""
    fewer, more = np.int64(0), np.int64(0)
    for k in range(LETTERS):
        change = np.int64(letters[a, k]) - np.int64(letters[b, k])
        if change > 0:
            more += change
        else:
            fewer -= change
    return more <= edits and fewer <= edits


@kernel(inline="always")
def is_new(table, value):  # type: ignore[no-untyped-def]
    """Put a value, which is not 0, into a hash table of a power of two of cells; say if it is new."""
    cell = cell_for(table, value)
    found = table[cell]
    table[cell] = value
    return found == 0


@kernel
def rarest_runs(values, places, bounds, extra, most, counters):  # type: ignore[no-untyped-def]
    """Return the `most` rarest values of each sentence that another one has too, and their places.

    Rarest means lowest by (count, value), the same order for every sentence. `extra` is added to the
    counts of single values. Returns values, places and where each sentence's begin.
    """
    sentences = len(bounds) - 1
    kept = np.empty(sentences * most, np.uint64)
    kept_places = np.empty(sentences * most, np.int32)
    starts = np.zeros(sentences + 1, np.int64)
    counts = np.empty(len(values), np.uint8)
    for i in range(len(values)):  # nothing else, so that many counters are waited for at a time
        counts[i] = min(count_of(counters, values[i]) + extra[i], HIGHEST)
    best = np.empty(most, np.int64)
    total = 0
    for s in range(sentences):
        have = 0
        for i in range(bounds[s], bounds[s + 1]):
            if counts[i] < 2:
                continue
            at = have
            while at and is_rarer(i, best[at - 1], counts, values):
                at -= 1
            if at == most:
                continue
            have = min(have + 1, most)
            for k in range(have - 1, at, -1):
                best[k] = best[k - 1]
            best[at] = i
        for k in range(have):
            kept[total] = values[best[k]]
            kept_places[total] = places[best[k]]
            total += 1
        starts[s + 1] = total
    return kept[:total].copy(), kept_places[:total].copy(), starts


@kernel(inline="always")
def is_rarer(one, other, counts, values):  # type: ignore[no-untyped-def]
    """Return whether a value comes before another in the order of rareness."""
    if counts[one] != counts[other]:
        return counts[one] < counts[other]
    return values[one] < values[other]


@kernel
def signatures(data, offsets, scopes, unicode, length, rows, factors, terms, bits):  # type: ignore[no-untyped-def]
    """Return the signatures of each sentence: a hash of the least values of `rows` functions each.

    Function f of a shingle of `length` normalised characters x is the high `bits` of
    factors[f] * x + terms[f] (multiply-shift). A sentence shorter than a shingle is one shingle.
    """
    sentences, functions = len(offsets) - 1, len(factors)
    room = longest(offsets) + 1
    hashes, heads, shingles = (
        np.empty(room, np.uint64),
        np.empty(room, np.int64),
        np.empty(room, np.uint64),
    )
    shift = _64 - np.uint64(bits)
    least = np.empty(functions, np.uint64)
    out = np.empty((sentences, functions // rows), np.uint64)
    for s in range(sentences):
        count, _, _ = characters(data, offsets[s], offsets[s + 1], unicode, hashes, heads)
        least[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
        for i in range(roll(hashes, count, length, shingles)):
            for f in range(functions):
                least[f] = min(least[f], (factors[f] * shingles[i] + terms[f]) >> shift)
        for n in range(functions // rows):
            key = mix(scopes[s] + SEED + np.uint64(n))
            for row in range(rows):
                key = mix(key ^ least[n * rows + row])
            out[s, n] = key
    return out


@kernel
def hash_family(functions, seed):  # type: ignore[no-untyped-def]
    """Return the odd factors and the terms of a family of multiply-shift functions."""
    factors, terms = np.empty(functions, np.uint64), np.empty(functions, np.uint64)
    state = mix(SEED ^ np.uint64(seed))
    for f in range(functions):
        state += SEED
        factors[f] = mix(state) | np.uint64(1)
        state += SEED
        terms[f] = mix(state)
    return factors, terms


@kernel
def near_pairs(rows, bounds, sentences, places, lengths, letters, cap, hubs, distance):  # type: ignore[no-untyped-def]
    """Return the pairs of sentences that share a list and may be within a normalised edit distance.

    List l is rows[bounds[l]:bounds[l + 1]]; it is put in the order of its sentences. The other arrays
    have a value a row: places say where the shared words begin. Lengths and letters must allow the
    distance, and the places be as near. In a list of over `cap` rows, only the first `hubs` are paired
    with all others. Returns the earlier and the later ones; the pairs of one list are distinct.
    """
    left, right = np.empty(1024, np.int64), np.empty(1024, np.int64)
    total = 0
    for number in range(len(bounds) - 1):
        begin, end = bounds[number], bounds[number + 1]
        if end - begin < 2:
            continue
        sort_rows(rows[begin:end], sentences)
        last = begin + hubs if end - begin > cap else end
        for i in range(begin, last):
            a = rows[i]
            left, right = room_for(left, total, end - i), room_for(right, total, end - i)
            for k in range(i + 1, end):
                b = rows[k]
                limit = distance * max(lengths[a], lengths[b])
                apart = max(abs(lengths[a] - lengths[b]), abs(places[a] - places[b]))
                if apart <= limit and may_be_near(letters, a, b, limit):
                    left[total] = sentences[a]
                    right[total] = sentences[b]
                    total += 1
    return left[:total].copy(), right[:total].copy()


@kernel
def sort_rows(rows, values):  # type: ignore[no-untyped-def]
    """Sort rows by their values, in place."""
    if len(rows) > MOST_INSERTED:
        copy(rows[ascending(values[rows])], len(rows), rows)
        return
    for i in range(1, len(rows)):
        row = rows[i]
        k = i
        while k > 0 and values[rows[k - 1]] > values[row]:
            rows[k] = rows[k - 1]
            k -= 1
        rows[k] = row


@kernel
def text_digests(data, offsets, scopes):  # type: ignore[no-untyped-def]
    """Return a 64-bit digest of the bytes of each sentence."""
    out = np.empty(len(offsets) - 1, np.uint64)
    for s in range(len(out)):
        state = mix(SEED ^ scopes[s])
        for i in range(offsets[s], offsets[s + 1]):
            state = (state ^ np.uint64(data[i])) * BASE
            state ^= state >> np.uint64(29)
        out[s] = mix(state)
    return out
