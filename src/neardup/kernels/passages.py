"""The passages that two texts share: verbatim runs first, then soft evidence between them."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from neardup.kernels.hits import extended_runs
from neardup.kernels.overlap import common_words
from neardup.kernels.soft import (
    boxes_of,
    counted_words,
    grouped_seeds,
    joined_sentences,
    soft_seeds,
    weighed_words,
)
from neardup.kernels.winnowing import winnow

CHAINS_BACK = 8
MOST_PASSAGES = 1_000  # of two texts; the longest are kept


class Text(NamedTuple):
    """A text: the hashes of its words, where they begin and end, and the words that begin sentences."""

    words: Any
    starts: Any
    ends: Any
    sentences: Any


class Options(NamedTuple):
    """How passages are found; counted in words unless it says otherwise."""

    width: int  # of the runs that anchor soft evidence
    least_length: int  # characters of a passage
    run: int = 5  # of the least verbatim run
    run_gap: int = 16  # between verbatim runs of one passage
    density: float = 0.85  # verbatim words among those of a verbatim passage
    verbatim: int = 25  # verbatim words of a verbatim passage
    soft: bool = True
    sentence: int = 3  # of the least sentence; shorter ones are joined to the next
    reach: int = 8  # sentences between anchors that belong together
    anchors: int = 3  # hits that make soft evidence worth looking for
    cosine: float = 0.25  # of two sentences
    dice: float = 0.33
    gap: int = 4  # sentences between two similar ones of one passage
    least_gap: int = 2
    whole: float = 0.34  # cosine of a whole passage


@njit(nogil=True, cache=True)
def verbatim_passages(runs, same, options):  # type: ignore[no-untyped-def]
    """Return rows (start and end in a, start and end in b, verbatim words) of dense chains of runs."""
    chains = np.empty((len(runs), 5), np.int64)
    count = 0
    for r in range(len(runs)):
        i, j, n = runs[r]
        if n < options.run:
            continue
        joined = False
        for c in range(count - 1, max(count - 1 - CHAINS_BACK, -1), -1):
            ahead, beside = i - chains[c, 1], j - chains[c, 3]
            if same and i + n > chains[c, 2]:
                continue  # it would overlap its own copy
            if 0 <= ahead <= options.run_gap and 0 <= beside <= options.run_gap:
                chains[c, 1], chains[c, 3] = i + n, j + n
                chains[c, 4] += n
                joined = True
                break
        if not joined:
            chains[count] = (i, i + n, j, j + n, n)
            count += 1
    kept = 0
    for c in range(count):
        longer = max(chains[c, 1] - chains[c, 0], chains[c, 3] - chains[c, 2])
        if chains[c, 4] >= options.verbatim and chains[c, 4] >= options.density * longer:
            chains[kept] = chains[c]
            kept += 1
    return chains[:kept]


@njit(nogil=True, cache=True)
def anchors_of(hits_a, hits_b, taken_a, taken_b, places_a, places_b):  # type: ignore[no-untyped-def]
    """Return the sorted (sentence of a, sentence of b) of the hits in words that are not taken."""
    found = np.empty((len(hits_a), 2), np.int64)
    total = 0
    for k in range(len(hits_a)):
        if not taken_a[hits_a[k]] and not taken_b[hits_b[k]]:
            found[total, 0], found[total, 1] = places_a[hits_a[k]], places_b[hits_b[k]]
            total += 1
    order = np.argsort(found[:total, 0] * (1 << 31) + found[:total, 1])
    return found[:total][order]


@njit(nogil=True, cache=True)
def sentences_of_words(bounds, words):  # type: ignore[no-untyped-def]
    """Return the number of each word's sentence."""
    places = np.empty(words, np.int64)
    for s in range(len(bounds) - 1):
        places[bounds[s] : bounds[s + 1]] = s
    return places


@njit(nogil=True, cache=True)
def taken_sentences(bounds, taken):  # type: ignore[no-untyped-def]
    """Say of each sentence whether a word of it is taken."""
    found = np.zeros(len(bounds) - 1, np.bool_)
    for s in range(len(found)):
        found[s] = taken[bounds[s] : bounds[s + 1]].any()
    return found


@njit(nogil=True, cache=True)
def soft_passages(text_a, text_b, hits_a, hits_b, same, options, taken_a, taken_b, counted):  # type: ignore[no-untyped-def]
    """Return rows (start in a, end in a, start in b, end in b) of similar sentences, best first."""
    counts, sentences = counted
    a, b = text_a.words, text_b.words
    bounds_a = joined_sentences(text_a.sentences, len(a), options.sentence)
    bounds_b = joined_sentences(text_b.sentences, len(b), options.sentence)
    places_a, places_b = sentences_of_words(bounds_a, len(a)), sentences_of_words(bounds_b, len(b))
    anchors = anchors_of(hits_a, hits_b, taken_a, taken_b, places_a, places_b)
    rows, columns = len(bounds_a) - 1, len(bounds_b) - 1
    boxes = boxes_of(anchors, options.reach, options.anchors, options.gap, rows, columns)
    found = np.empty((64, 4), np.int64)
    scores = np.empty(64, np.float64)
    total = 0
    if len(boxes) == 0:
        return found[:0]
    closed_a, closed_b = taken_sentences(bounds_a, taken_a), taken_sentences(bounds_b, taken_b)
    for k in range(len(boxes)):
        i0, i1, j0, j1 = boxes[k]
        rows_of, columns_of = bounds_a[i0 : i1 + 2], bounds_b[j0 : j1 + 2]
        in_a, in_b, weights = weighed_words(
            a[rows_of[0] : rows_of[-1]],
            b[columns_of[0] : columns_of[-1]],
            counts,
            sentences,
            len(rows_of) + len(columns_of) - 2,
        )
        left, right = counted_words(in_a, rows_of, weights), counted_words(in_b, columns_of, weights)
        head, sums = np.full(len(weights), -1, np.int64), np.zeros(len(weights), np.float64)
        seeds = soft_seeds(left, right, head, options.cosine, options.dice)
        kept = 0
        for s in range(len(seeds)):
            i, j = i0 + seeds[s, 0], j0 + seeds[s, 1]
            if not closed_a[i] and not closed_b[j] and (not same or j > i):
                seeds[kept] = seeds[s]
                kept += 1
        groups, cosines = grouped_seeds(
            left, right, seeds[:kept], sums, options.gap, options.least_gap, options.whole
        )
        for g in range(len(groups)):
            if total == len(found):
                more, more_scores = np.empty((2 * total, 4), np.int64), np.empty(2 * total, np.float64)
                more[:total], more_scores[:total] = found, scores
                found, scores = more, more_scores
            x0, x1 = bounds_a[i0 + groups[g, 0]], bounds_a[i0 + groups[g, 1] + 1]
            y0, y1 = bounds_b[j0 + groups[g, 2]], bounds_b[j0 + groups[g, 3] + 1]
            if not same or x1 <= y0:
                found[total] = (x0, x1, y0, y1)
                scores[total] = -cosines[g] * (x1 - x0)
                total += 1
    return found[:total][np.argsort(scores[:total], kind="mergesort")]


@njit(nogil=True, cache=True)
def is_long(text, begin, end, least):  # type: ignore[no-untyped-def]
    """Say whether words begin to end of a text make a passage of at least so many characters."""
    return text.ends[end - 1] - text.starts[begin] >= least


@njit(nogil=True, cache=True)
def passages_of(a, b, hits_a, hits_b, same, options, counted):  # type: ignore[no-untyped-def]
    """Return rows (start in a, end in a, start in b, end in b), in words, of the passages of two texts.

    Hits are sorted by diagonal and place; `counted` are the counts of words in the collection and the
    number of its sentences. Soft passages do not overlap others in a.
    """
    rows = np.empty((64, 4), np.int64)
    count = 0
    taken_a, taken_b = np.zeros(len(a.words), np.bool_), np.zeros(len(b.words), np.bool_)
    runs = extended_runs(a.words, b.words, hits_a, hits_b, same)
    verbatim = verbatim_passages(runs, same, options)
    for v in range(len(verbatim)):
        x0, x1, y0, y1, _ = verbatim[v]
        if is_long(a, x0, x1, options.least_length) and is_long(b, y0, y1, options.least_length):
            rows = with_row(rows, count, x0, x1, y0, y1)
            count += 1
            taken_a[x0:x1] = True
            taken_b[y0:y1] = True
    if options.soft:
        soft = soft_passages(a, b, hits_a, hits_b, same, options, taken_a, taken_b, counted)
        for s in range(len(soft)):
            x0, x1, y0, y1 = soft[s]
            if taken_a[x0:x1].any() or not is_long(a, x0, x1, options.least_length):
                continue
            if is_long(b, y0, y1, options.least_length):
                rows = with_row(rows, count, x0, x1, y0, y1)
                count += 1
                taken_a[x0:x1] = True
    rows = rows[:count]
    if count > MOST_PASSAGES:
        rows = rows[np.argsort(rows[:, 0] - rows[:, 1], kind="mergesort")][:MOST_PASSAGES]
    return rows[np.argsort(rows[:, 0], kind="mergesort")]


@njit(nogil=True, cache=True)
def with_row(rows, count, x0, x1, y0, y1):  # type: ignore[no-untyped-def]
    """Write a row behind the first `count`, in a longer copy if need be."""
    if count == len(rows):
        longer = np.empty((2 * count, 4), np.int64)
        longer[:count] = rows
        rows = longer
    rows[count] = (x0, x1, y0, y1)
    return rows


@njit(nogil=True, cache=True)
def located(a, b, hits_a, hits_b, same, options, counted):  # type: ignore[no-untyped-def]
    """Return the passages of two texts, located in characters.

    Rows are: start and end in a, start and end in b, sentences of a, common words, words of both.
    """
    passages = passages_of(a, b, hits_a, hits_b, same, options, counted)
    rows = np.empty((len(passages), 7), np.int64)
    for p in range(len(passages)):
        x0, x1, y0, y1 = passages[p]
        rows[p, 0], rows[p, 1] = a.starts[x0], a.ends[x1 - 1]
        rows[p, 2], rows[p, 3] = b.starts[y0], b.ends[y1 - 1]
        first = np.searchsorted(a.sentences, x0, side="right")
        rows[p, 4] = np.searchsorted(a.sentences, x1) - first + 1
        rows[p, 5] = common_words(a.words[x0:x1], b.words[y0:y1])
        rows[p, 6] = x1 - x0 + y1 - y0
    return rows


@njit(nogil=True, cache=True)
def locate_pairs(texts_a, left, texts_b, right, hits, same, options, counted):  # type: ignore[no-untyped-def]
    """Return the passages of pairs of texts as `located` does, and where each pair's begin.

    Pair p is text left[p] of a and text right[p] of b; both are the columns of some texts: (words,
    bounds), (starts, …), (ends, …), (sentences, …). `hits` are the places in the left and in the right
    text, and where each pair's begin and end. With `same`, a text may be paired with itself.
    """
    hits_a, hits_b, begins, ends = hits
    rows = np.empty((256, 7), np.int64)
    starts = np.zeros(len(left) + 1, np.int64)
    for p in range(len(left)):
        own = slice(begins[p], ends[p])
        a, b = text_of(texts_a, left[p]), text_of(texts_b, right[p])
        itself = same and left[p] == right[p]
        found = located(a, b, hits_a[own], hits_b[own], itself, options, counted)
        total = starts[p]
        if total + len(found) > len(rows):
            longer = np.empty((2 * (total + len(found)), 7), np.int64)
            longer[:total] = rows[:total]
            rows = longer
        rows[total : total + len(found)] = found
        starts[p + 1] = total + len(found)
    return rows[: starts[len(left)]], starts


@njit(nogil=True, cache=True, inline="always")
def text_of(texts, number):  # type: ignore[no-untyped-def]
    """Return one of some texts."""
    words, starts, ends, sentences = texts
    begin, end = words[1][number], words[1][number + 1]
    first, last = sentences[1][number], sentences[1][number + 1]
    own = words[0][begin:end].view(np.uint64)
    return Text(own, starts[0][begin:end], ends[0][begin:end], sentences[0][first:last])


@njit(nogil=True, cache=True)
def boilerplate_of(words, starts, ends, keys, counts, least, width, window):  # type: ignore[no-untyped-def]
    """Return rows (start, end, documents) of passages made up of runs with these sorted keys."""
    places = np.empty(len(words), np.int64)
    hashes, kept = winnow(words, width, window, places)
    rows = np.empty((kept, 3), np.int64)
    total = 0
    begin = end = -1  # the words of the open passage
    documents = 0
    for k in range(kept + 1):
        at = np.searchsorted(keys, hashes[places[k]]) if k < kept else 0
        found = k < kept and at < len(keys) and keys[at] == hashes[places[k]]
        if begin >= 0 and (k == kept or (found and places[k] > end)):
            if ends[end - 1] - starts[begin] >= least:
                rows[total, 0], rows[total, 1] = starts[begin], ends[end - 1]
                rows[total, 2] = documents
                total += 1
            begin = -1
        if found:
            if begin < 0:
                begin, documents = places[k], counts[at]
            end = min(places[k] + width, len(words))
            documents = min(documents, counts[at])
    return rows[:total]
