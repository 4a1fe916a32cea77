"""Summaries: some sentences of one text whose words are all over another one, but nowhere together.

Sentences belong to a summary as long as the other text has most of their words, by weight, which it has
of the rest of the text by chance only. Where a part of the other text, hardly longer than these
sentences, has nearly as many, they are a copy of that part, and no summary.
"""

import numpy as np

from neardup.kernels.arrays import sort
from neardup.kernels.compiled import kernel
from neardup.kernels.hits import places_of
from neardup.kernels.passages import ROW, SUMMARY, are_long, with_row
from neardup.kernels.soft import joined_sentences, weighed_words

LONGEST_SOURCE = 2_500  # words: in a longer text, most words stand by chance
LONGEST_TEXT = 50_000  # words of a text that has a summary in it
SHORTEST = 50  # words of a summary
LEAST_TIMES, MOST_TIMES = 3, 20  # how many times longer what it sums up is
KEPT = 0.5  # of the weight of a sentence, above which it lengthens a summary
CONTAINED = 0.6  # of the weight of a summary
ABOVE_CHANCE = 0.35  # by how much that is more than in the rest of the text
EVIDENCE = 24.0  # the least weight above KEPT
RUN = 4  # words: texts that speak of the same thing have words in common, and runs of three
LEAST_HITS = 5  # places of a summary where both texts have the same run of words,
HIT_WORDS = 0.05  # for so many of its words at least,
HIT_SENTENCES = 0.5  # and in so many of its sentences
PART = 1.5  # times the length of a summary: a part of the other text that may be what was copied
SCATTERED = 0.7  # of the common weight in any such part, at most
EXPLAINED = 0.6  # of the words of a summary in passages that were found before, at most
CONDENSED = 1.25  # times as long in the other text: these passages, if there are any
TOUCHED = 0.1  # of the weight of a sentence at either end of what is summed up


@kernel
def weights_of_sentences(numbers, bounds, there, weights):  # type: ignore[no-untyped-def]
    """Return the weight of the distinct words of each sentence, and of those that are `there`."""
    count = len(bounds) - 1
    whole, common = np.zeros(count, np.float64), np.zeros(count, np.float64)
    last = np.full(len(weights), -1, np.int64)
    for s in range(count):
        for k in range(bounds[s], bounds[s + 1]):
            word = numbers[k]
            if last[word] != s:
                last[word] = s
                whole[s] += weights[word]
                common[s] += weights[word] if there[word] else 0.0
    return whole, common


@kernel
def words_there(numbers, distinct):  # type: ignore[no-untyped-def]
    """Say of each word whether it is among some."""
    there = np.zeros(distinct, np.bool_)
    for k in range(len(numbers)):
        there[numbers[k]] = True
    return there


@kernel
def richest_run(whole, common):  # type: ignore[no-untyped-def]
    """Return the first and last sentence of the run with the most above what is KEPT, and that sum."""
    best, first, last = 0.0, 0, -1
    total, begin = 0.0, 0
    for s in range(len(whole)):
        if total <= 0:
            total, begin = 0.0, s
        total += common[s] - KEPT * whole[s]
        if total > best:
            best, first, last = total, begin, s
    return first, last, best


@kernel
def best_part(numbers, bounds, wanted, weights, longest):  # type: ignore[no-untyped-def]
    """Return the most weight of distinct wanted words in neighbouring sentences.

    These have `longest` words at most together, or are one.
    """
    count = len(bounds) - 1
    often = np.zeros(len(weights), np.int64)
    best = total = 0.0
    end = 0
    for begin in range(count):
        end = max(end, begin)
        while end < count and (end == begin or bounds[end + 1] - bounds[begin] <= longest):
            for k in range(bounds[end], bounds[end + 1]):
                word = numbers[k]
                if wanted[word] and often[word] == 0:
                    total += weights[word]
                often[word] += 1
            end += 1
        best = max(best, total)
        for k in range(bounds[begin], bounds[begin + 1]):
            word = numbers[k]
            often[word] -= 1
            if wanted[word] and often[word] == 0:
                total -= weights[word]
    return best


@kernel
def places_on(hits, side, taken, a, b):  # type: ignore[no-untyped-def]
    """Return where runs of RUN words that both texts have begin in one of them: sorted, each once.

    They are looked for at the hits; `side` 0 is the first text, 1 the second. Without those that are
    taken: a summary has nothing that is there word for word.
    """
    places = np.empty(len(hits), np.int64)
    free = 0
    for k in range(len(hits)):
        i, j = places_of(hits[k])
        if i + RUN <= len(a) and j + RUN <= len(b):
            place = j if side else i
            same = not taken[place]
            for word in range(RUN):
                same = same and a[i + word] == b[j + word]
            places[free] = place
            free += same
    sort(places[:free])
    count = 0
    for k in range(free):
        if k == 0 or places[k] != places[count - 1]:
            places[count] = places[k]
            count += 1
    return places[:count]


@kernel
def can_have_summary(places, source):  # type: ignore[no-untyped-def]
    """Return whether enough hits lie together for a summary of so many words."""
    longest = source // LEAST_TIMES
    least = max(LEAST_HITS, HIT_WORDS * max(SHORTEST, source / MOST_TIMES))
    first = 0
    for last in range(len(places)):
        while places[last] - places[first] >= longest:
            first += 1
        if last + 1 - first >= least:
            return True
    return False


@kernel
def distinct_hits(places, bounds, first, last):  # type: ignore[no-untyped-def]
    """Return how many places are in some sentences, and in how many of them."""
    count = hit = 0
    for s in range(first, last + 1):
        begin, end = np.searchsorted(places, bounds[s]), np.searchsorted(places, bounds[s + 1])
        count += end - begin
        hit += end > begin
    return count, hit


@kernel
def has_run(places, bounds, source):  # type: ignore[no-untyped-def]
    """Return whether some sentences have hits enough for a summary of so many words, in enough."""
    at = begin = 0
    while at < len(places):
        while bounds[begin + 1] <= places[at]:
            begin += 1
        before, hit, last = at, 0, begin  # runs that begin with this sentence, up to the last with a hit
        while at < len(places) and places[at] < bounds[begin + 1]:
            at += 1
        behind = before
        while behind < len(places):
            while bounds[last + 1] <= places[behind]:
                last += 1
            size = bounds[last + 1] - bounds[begin]
            if LEAST_TIMES * size > source:
                break
            while behind < len(places) and places[behind] < bounds[last + 1]:
                behind += 1
            hit += 1
            enough = behind - before >= max(LEAST_HITS, HIT_WORDS * size)
            if enough and hit >= HIT_SENTENCES * (last + 1 - begin):
                return True
    return False


@kernel
def is_unexplained(begin, end, rows, side, verbatim):  # type: ignore[no-untyped-def]
    """Return whether passages, in rows as usual, leave a run of words unexplained."""
    if verbatim[begin:end].any():
        return False
    own = other = 0
    for r in range(0, len(rows), ROW):
        x0, x1 = rows[r + 1 + 2 * side], rows[r + 2 + 2 * side]
        if x0 < end and x1 > begin:
            own += min(x1, end) - max(x0, begin)
            other += rows[r + 4 - 2 * side] - rows[r + 3 - 2 * side]
    return own <= EXPLAINED * (end - begin) and other >= CONDENSED * own


@kernel
def summary_in(in_a, bounds_a, in_b, bounds_b, weights, places):  # type: ignore[no-untyped-def]
    """Return the summary of b in a, in words: start and end in a and in b; its weight is 0 for none.

    `places` are those of hits in a.
    """
    nothing = (0, 0, 0, 0, 0.0)
    distinct = len(weights)
    whole, common = weights_of_sentences(in_a, bounds_a, words_there(in_b, distinct), weights)
    first, last, evidence = richest_run(whole, common)
    if evidence < EVIDENCE:
        return nothing
    begin, end = bounds_a[first], bounds_a[last + 1]
    size = end - begin
    own, shared = whole[first : last + 1].sum(), common[first : last + 1].sum()
    rest = (common.sum() - shared) / max(whole.sum() - own, 1e-9)
    long_enough = size >= SHORTEST and LEAST_TIMES * size <= len(in_b) <= MOST_TIMES * size
    if not long_enough or shared < max(CONTAINED, rest + ABOVE_CHANCE) * own:
        return nothing
    count, hit = distinct_hits(places, bounds_a, first, last)
    if count < max(LEAST_HITS, HIT_WORDS * size) or hit < HIT_SENTENCES * (last + 1 - first):
        return nothing
    wanted = words_there(in_a[begin:end], distinct)
    there, touched = weights_of_sentences(in_b, bounds_b, wanted, weights)
    every = best_part(in_b, bounds_b, wanted, weights, len(in_b))
    if best_part(in_b, bounds_b, wanted, weights, PART * size) > SCATTERED * every:
        return nothing
    low, high = 0, len(there) - 1
    while touched[low] < TOUCHED * there[low]:
        low += 1
    while touched[high] < TOUCHED * there[high]:
        high -= 1
    return begin, end, bounds_b[low], bounds_b[high + 1], evidence


@kernel
def with_summary(  # type: ignore[no-untyped-def]
    rows, first, total, pair, a, b, hits, verbatim_a, verbatim_b, options, counts, sentences
):
    """Put a summary among the passages of a pair, rows[first:total], if one text has one of the other.

    It takes the place of passages in the same words. One in b must be the only passage then, as what it
    sums up in a would overlap others. Returns the rows, and where they end.
    """
    sizes = len(a.words), len(b.words)
    if len(hits) < LEAST_HITS or max(sizes) > LONGEST_TEXT or min(sizes) > LONGEST_SOURCE:
        return rows, total
    places_a = places_on(hits, 0, verbatim_a, a.words, b.words)
    places_b = places_on(hits, 1, verbatim_b, a.words, b.words)
    can_a = len(b.words) <= LONGEST_SOURCE and can_have_summary(places_a, len(b.words))
    can_b = len(a.words) <= LONGEST_SOURCE and can_have_summary(places_b, len(a.words))
    if not (can_a or can_b):
        return rows, total
    bounds_a = joined_sentences(a.sentences, len(a.words), options.sentence, options.longest)
    bounds_b = joined_sentences(b.sentences, len(b.words), options.sentence, options.longest)
    can_a = can_a and has_run(places_a, bounds_a, len(b.words))
    can_b = can_b and has_run(places_b, bounds_b, len(a.words))
    if not (can_a or can_b):
        return rows, total
    nearby = len(bounds_a) + len(bounds_b) - 2
    in_a, in_b, weights = weighed_words(a.words, b.words, counts, sentences, nearby)
    found = rows[first:total]
    best, side = 0.0, 0
    x0 = x1 = y0 = y1 = 0
    if can_a:
        s0, s1, t0, t1, weight = summary_in(in_a, bounds_a, in_b, bounds_b, weights, places_a)
        if weight > 0 and is_unexplained(s0, s1, found, 0, verbatim_a):
            best, x0, x1, y0, y1 = weight, s0, s1, t0, t1
    if can_b:
        s0, s1, t0, t1, weight = summary_in(in_b, bounds_b, in_a, bounds_a, weights, places_b)
        if weight > best and is_unexplained(s0, s1, found, 1, verbatim_b):
            if verbatim_a.any():
                return rows, total
            best, side, x0, x1, y0, y1 = weight, 1, t0, t1, s0, s1
    if best == 0 or not are_long(a, x0, x1, b, y0, y1, options.least_length):
        return rows, total
    kept = first
    for r in range(first, total, ROW):
        over_a = rows[r + 1] < x1 and rows[r + 2] > x0
        over_b = rows[r + 3] < y1 and rows[r + 4] > y0
        if not (over_b if side else over_a):
            if side:
                return rows, total
            rows[kept : kept + ROW] = rows[r : r + ROW]
            kept += ROW
    return with_row(rows, kept, pair, x0, x1, y0, y1, SUMMARY), kept + ROW
