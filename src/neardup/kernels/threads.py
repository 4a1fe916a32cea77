"""Threads: a set of signatures a field, what two threads must share, and how similar their fields are.

The set of field f of thread t is values[bounds[t * fields + f] : bounds[t * fields + f + 1]]: sorted
and distinct. A field's weight says how much its similarity counts. A field that both threads lack does
not count at all if weights are `scaled`, and has the similarity 0 if not. The similarity of a field is
that of Jaccard; of one that is `contained`, it is the share of the smaller set that the other has.
"""

import numpy as np

from neardup.kernels.arrays import longest, room_for, sort
from neardup.kernels.compiled import kernel
from neardup.kernels.counters import HIGHEST, cell_of, count_of
from neardup.kernels.hashing import mix
from neardup.kernels.postings import SHORT
from neardup.kernels.shingles import in_order, roll
from neardup.kernels.token_hashes import room_for_stretch, token_hashes
from neardup.kernels.winnowing import winnow

CLOSE = 1e-9  # by which a bound is lowered, so that rounding loses no pair


@kernel
def sort_hashes(values, spare, ends):  # type: ignore[no-untyped-def]
    """Sort hashes in place, into as many buckets by their high bits, and these by hand.

    Hashes are spread evenly, so that buckets are short; others are sorted as usual. `spare` and `ends`
    are scratch space.
    """
    buckets = np.uint64(len(values))
    ends[: len(values)] = 0
    for i in range(len(values)):
        ends[cell_of(values[i], buckets)] += 1
    total = 0
    for b in range(len(values)):
        total, ends[b] = total + ends[b], total
    for i in range(len(values)):
        bucket = cell_of(values[i], buckets)
        spare[ends[bucket]] = values[i]
        ends[bucket] += 1
    begin = 0
    for b in range(len(values)):
        if ends[b] - begin > SHORT:
            sort(spare[begin : ends[b]])
        begin = ends[b]
    for i in range(len(values)):
        value, at = spare[i], i
        while at > 0 and values[at - 1] > value:
            values[at] = values[at - 1]
            at -= 1
        values[at] = value


@kernel
def sort_set(values, salt, spare, ends):  # type: ignore[no-untyped-def]
    """Make a sorted set of hashes that are all a field's own; return its size."""
    for i in range(len(values)):
        values[i] = max(mix(values[i] ^ salt), np.uint64(1))
    sort_hashes(values, spare, ends)
    kept = 0
    for i in range(len(values)):
        if i == 0 or values[i] != values[kept - 1]:
            values[kept] = values[i]
            kept += 1
    return kept


@kernel
def sort_sets(values, bounds, salt):  # type: ignore[no-untyped-def]
    """Make sorted sets of lists of hashes, in place; return where each set begins."""
    starts = np.zeros(len(bounds), np.int64)
    room = longest(bounds)
    spare, ends = np.empty(room, np.uint64), np.empty(room, np.int64)
    for s in range(len(bounds) - 1):
        size = sort_set(values[bounds[s] : bounds[s + 1]], salt, spare, ends)
        for i in range(size):
            values[starts[s] + i] = values[bounds[s] + i]
        starts[s + 1] = starts[s] + size
    return starts


@kernel
def field_sets(data, offsets, width, window, salt, unicode):  # type: ignore[no-untyped-def]
    """Return the set of each text data[offsets[d]:offsets[d + 1]]: its distinct runs of `width` words.

    With a window above 1, those that winnowing keeps. Returns the values end to end, where each set
    begins, the characters of each text, and the digest of its words.
    """
    texts = len(offsets) - 1
    words = np.empty(longest(offsets) // 2 + 1, np.uint64)
    places = np.empty(len(words), np.int64)
    spare, ends = np.empty(len(words), np.uint64), np.empty(len(words), np.int64)
    values = np.empty((offsets[texts] - offsets[0]) // 6 + 16, np.uint64)
    bounds = np.zeros(texts + 1, np.int64)
    characters = np.empty(texts, np.int64)
    digests = np.empty(texts, np.uint64)
    room = room_for_stretch()
    for d in range(texts):
        begin = bounds[d]
        count, characters[d] = token_hashes(data, offsets[d], offsets[d + 1], unicode, words, room)
        digests[d] = in_order(words, count)
        values = room_for(values, begin, count)
        if window == 1:
            runs = roll(words, count, width, values[begin:])
        else:
            hashes, runs = winnow(words[:count], width, window, places)
            for i in range(runs):
                values[begin + i] = hashes[places[i]]
        bounds[d + 1] = begin + sort_set(values[begin : begin + runs], salt, spare, ends)
    return values[: bounds[texts]].copy(), bounds, characters, digests


@kernel
def field_words(data, offsets, unicode):  # type: ignore[no-untyped-def]
    """Return the hashes of each text's words in order, and what `field_sets` returns beside them."""
    texts = len(offsets) - 1
    values = np.empty((offsets[texts] - offsets[0]) // 2 + texts + 1, np.uint64)
    bounds = np.zeros(texts + 1, np.int64)
    characters = np.empty(texts, np.int64)
    digests = np.empty(texts, np.uint64)
    room = room_for_stretch()
    for d in range(texts):
        own = values[bounds[d] :]
        count, characters[d] = token_hashes(data, offsets[d], offsets[d + 1], unicode, own, room)
        digests[d] = in_order(own, count)
        bounds[d + 1] = bounds[d] + count
    return values[: bounds[texts]].copy(), bounds, characters, digests


@kernel
def together(values, bounds, parts):  # type: ignore[no-untyped-def]
    """Put the sets of several fields, one field after the other, into the order of threads.

    Field f has the sets bounds[parts[f]] to bounds[parts[f + 1] - 1], one a thread.
    """
    fields = len(parts) - 1
    threads = parts[1] - parts[0] - 1
    out = np.empty(len(values), np.uint64)
    starts = np.zeros(threads * fields + 1, np.int64)
    base = np.zeros(fields, np.int64)
    for f in range(1, fields):
        base[f] = base[f - 1] + bounds[parts[f] - 1]
    total = 0
    for t in range(threads):
        for f in range(fields):
            begin, end = bounds[parts[f] + t], bounds[parts[f] + t + 1]
            for i in range(base[f] + begin, base[f] + end):
                out[total] = values[i]
                total += 1
            starts[t * fields + f + 1] = total
    return out, starts


@kernel
def thread_keys(  # type: ignore[no-untyped-def]
    values, bounds, weights, contained, scaled, threshold, counters
):
    """Return the keys of each thread, of which it shares one with every thread that is similar enough.

    A value of field f is worth weight / size of what two threads can have in common, at most. Of all
    values of a thread, rarest first by (count, value), those are keys that are needed for the rest to
    be worth less than the threshold, without those that no other thread has. A single value may be worth
    all of a field that is compared by containment: such a field is worth its weight to the last, and
    where that alone reaches the threshold, all values are keys.
    """
    fields = len(weights)
    threads = (len(bounds) - 1) // fields
    longest = 0
    for t in range(threads):
        longest = max(longest, bounds[(t + 1) * fields] - bounds[t * fields])
    found = np.empty(1024, np.uint64)
    starts = np.zeros(threads + 1, np.int64)
    counts = np.empty(longest, np.uint8)
    shares = np.empty(longest, np.float64)
    tally = np.empty(HIGHEST + 1, np.float64)
    least = threshold * (1 - CLOSE) - CLOSE
    for t in range(threads):
        total = starts[t]
        starts[t + 1] = total
        first, size = bounds[t * fields], bounds[(t + 1) * fields] - bounds[t * fields]
        own = bounds[t * fields : (t + 1) * fields + 1]
        rest, all_needed = weigh_values(own, weights, contained, scaled, least, shares)
        tally[:] = 0
        for i in range(size):
            counts[i] = count_of(counters, np.uint64(values[first + i]))
        for i in range(size):
            tally[counts[i]] += shares[i]
        level = HIGHEST + 1 if all_needed else 0
        while level < HIGHEST and rest - tally[level] >= least:
            rest -= tally[level]
            level += 1
        if level < 2:
            continue
        found = room_for(found, total, size)
        for i in range(size):
            if shares[i] > 0 and 1 < counts[i] < level:
                found[total] = np.uint64(values[first + i])
                total += 1
        starts[t + 1] = take_lowest(values, own, counts, shares, level, rest, least, found, total)
    return found[: starts[threads]].copy(), starts


@kernel
def take_lowest(  # type: ignore[no-untyped-def]
    values, bounds, counts, shares, level, rest, least, found, total
):
    """Add values of a thread with this count to its keys until the rest is worth less than `least`.

    The lowest ones first: each field is sorted. Returns how many keys there are then.
    """
    fields = len(bounds) - 1
    at = bounds[:fields] - bounds[0]
    while rest >= least:
        lowest = -1
        for f in range(fields):
            end = bounds[f + 1] - bounds[0]
            while at[f] < end and (shares[at[f]] <= 0 or counts[at[f]] != level):
                at[f] += 1
            if at[f] < end and (lowest < 0 or values[bounds[0] + at[f]] < found[total]):
                lowest = f
                found[total] = values[bounds[0] + at[f]]
        if lowest < 0:
            break
        rest -= shares[at[lowest]]
        at[lowest] += 1
        total += 1
    return total


@kernel
def weigh_values(bounds, weights, contained, scaled, least, shares):  # type: ignore[no-untyped-def]
    """Write what each value of a thread is worth; return what all are worth, and whether all are needed.

    Values of fields that are compared by containment are worth nothing, unless all values are needed.
    """
    present = lasting = 0.0
    for f in range(len(weights)):
        if bounds[f + 1] > bounds[f]:
            present += weights[f]
            lasting += weights[f] if contained[f] else 0.0
    whole = present if scaled else 1.0
    all_needed = present > 0 and lasting > 0 and lasting / whole >= least
    for f in range(len(weights)):
        size = bounds[f + 1] - bounds[f]
        share = weights[f] / (whole * size) if size and whole > 0 else 0.0
        if contained[f] and not all_needed:
            share = 0.0
        for i in range(bounds[f] - bounds[0], bounds[f + 1] - bounds[0]):
            shares[i] = share
    return (1.0 if scaled else present), all_needed


@kernel(inline="always")
def most(size_a, size_b, contained):  # type: ignore[no-untyped-def]
    """Return the highest similarity of two sets of these sizes (the paper's equation 2)."""
    least = min(size_a, size_b)
    return least / (max(least, 1) if contained else max(size_a, size_b))


@kernel
def allowed(sizes, a, b, weights, contained, scaled, least):  # type: ignore[no-untyped-def]
    """Return whether the sizes of two threads' fields allow a weighted similarity."""
    whole = top = 0.0
    for f in range(len(weights)):
        if sizes[a, f] or sizes[b, f]:
            whole += weights[f]
            top += weights[f] * most(sizes[a, f], sizes[b, f], contained[f])
    return top >= least * (whole if scaled else 1.0)


@kernel(inline="always")
def first_after(members, begin, end, after):  # type: ignore[no-untyped-def]
    """Return where in a sorted list the members above `after` begin; most lists are short."""
    if end - begin > SHORT:
        return begin + np.searchsorted(members[begin:end], after, side="right")
    while begin < end and members[begin] <= after:
        begin += 1
    return begin


@kernel
def bounded_pairs(  # type: ignore[no-untyped-def]
    members,
    bounds,
    lists,
    list_bounds,
    sizes,
    weights,
    contained,
    scaled,
    threshold,
    cap,
    hubs,
    boundary,
):
    """Return the distinct pairs (a < b) that are in the same posting list, if their sizes allow it.

    List l is members[bounds[l]:bounds[l + 1]], ascending; the lists of member a are
    lists[list_bounds[a]:list_bounds[a + 1]]; sizes[a] are those of its fields. In a list of over `cap`
    members, only the first `hubs` are paired with all others. With a boundary of 0 or more, members
    below it are paired with those from it on.
    """
    count = len(list_bounds) - 1
    seen = np.full(count, -1, np.int64)
    left, right = np.empty(1024, np.int64), np.empty(1024, np.int64)
    least = threshold * (1 - CLOSE) - CLOSE
    total = 0
    for a in range(count if boundary < 0 else boundary):
        first, after = total, max(a, boundary - 1)
        for k in range(list_bounds[a], list_bounds[a + 1]):
            begin, end = bounds[lists[k]], bounds[lists[k] + 1]
            start = first_after(members, begin, end, after)
            if start == end or (end - begin > cap and start - begin > hubs):
                continue
            left, right = room_for(left, total, end - start), room_for(right, total, end - start)
            for i in range(start, end):
                b = members[i]
                if seen[b] != a:
                    seen[b] = a
                    if allowed(sizes, a, b, weights, contained, scaled, least):
                        left[total], right[total] = a, b
                        total += 1
        if total - first > 1:
            sort(right[first:total])
    return left[:total].copy(), right[:total].copy()


@kernel
def common_values(a, b, spare):  # type: ignore[no-untyped-def]
    """Return how many values two sets share; -1 as soon as more than `spare` of the first are missing.

    With C values of A known to be missing in B, no more than (|A| - |C|) / (|B| + |C|) is possible: the
    paper's equation 3, from which `spare` follows.
    """
    i = j = common = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            common += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
            if i - common > spare:
                return -1
        else:
            j += 1
    return common if len(a) - common <= spare else -1


@kernel
def score_pair(  # type: ignore[no-untyped-def]
    values_a, bounds_a, values_b, bounds_b, weights, contained, scaled, threshold, tops, scores
):
    """Write the similarity of each field of two threads; return their weighted mean.

    A field that both lack has -1. If the mean cannot reach the threshold it is -1, and the pair is
    abandoned as soon as that is clear. `tops` is scratch space.
    """
    fields = len(weights)
    least = threshold * (1 - CLOSE) - CLOSE
    whole = top = 0.0
    for f in range(fields):
        size_a, size_b = bounds_a[f + 1] - bounds_a[f], bounds_b[f + 1] - bounds_b[f]
        tops[f] = most(size_a, size_b, contained[f]) if size_a or size_b else -1.0
        if tops[f] >= 0:
            whole += weights[f]
            top += weights[f] * tops[f]
    whole = whole if scaled else 1.0
    if whole <= 0 or top < least * whole:
        return -1.0
    mean = 0.0
    for f in range(fields):
        scores[f] = tops[f]
        if tops[f] <= 0:
            continue
        a, b = values_a[bounds_a[f] : bounds_a[f + 1]], values_b[bounds_b[f] : bounds_b[f + 1]]
        if len(a) > len(b):
            a, b = b, a
        spare = np.int64(len(a))
        if weights[f] > 0:
            needed = tops[f] - (top - least * whole) / weights[f]  # the least that this field needs
            if needed > 0 and contained[f]:
                spare = np.int64(len(a) * (1 - needed) + CLOSE)
            elif needed > 0:
                spare = np.int64((len(a) - needed * len(b)) / (1 + needed) + CLOSE)
        common = common_values(a, b, spare)
        if common < 0:
            return -1.0
        scores[f] = common / (len(a) if contained[f] else len(a) + len(b) - common)
        top -= weights[f] * (tops[f] - scores[f])
        mean += weights[f] * scores[f]
    return mean / whole if mean / whole >= threshold else -1.0


@kernel
def thread_scores(  # type: ignore[no-untyped-def]
    values, bounds, left, right, weights, contained, scaled, threshold
):
    """Return the similarities of the fields of threads left[p] and right[p], and the weighted means."""
    fields = len(weights)
    scores = np.full((len(left), fields), -1.0)
    means = np.empty(len(left), np.float64)
    tops = np.empty(fields, np.float64)
    for p in range(len(left)):
        a = bounds[left[p] * fields : (left[p] + 1) * fields + 1]
        b = bounds[right[p] * fields : (right[p] + 1) * fields + 1]
        means[p] = score_pair(
            values, a, values, b, weights, contained, scaled, threshold, tops, scores[p]
        )
    return scores, means


@kernel
def one_field(values, bounds, field, fields):  # type: ignore[no-untyped-def]
    """Return the values of one field of all threads end to end, and where each thread's begin."""
    threads = (len(bounds) - 1) // fields
    starts = np.zeros(threads + 1, np.int64)
    for t in range(threads):
        at = t * fields + field
        starts[t + 1] = starts[t] + bounds[at + 1] - bounds[at]
    out = np.empty(starts[threads], np.uint64)
    for t in range(threads):
        begin = bounds[t * fields + field]
        for i in range(starts[t + 1] - starts[t]):
            out[starts[t] + i] = values[begin + i]
    return out, starts
