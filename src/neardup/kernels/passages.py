"""The passages that two texts share word for word, or nearly so, and where they are."""

from typing import Any, NamedTuple

import numpy as np

from neardup.kernels.arrays import ascending, doubled
from neardup.kernels.compiled import kernel
from neardup.kernels.hits import extended_runs, masked_in, turned, unmasked
from neardup.kernels.lists import Lists, values_32, values_64
from neardup.kernels.overlap import match_words, same_words, with_runs
from neardup.kernels.winnowing import winnow

CHAINS_BACK = 16
ROW = 6  # numbers: the pair, start and end in a, start and end in b, and what was found:
VERBATIM, REWRITTEN, SUMMARY = 0, 1, 2
PART = 3  # what is verbatim in a chain that as a whole is not


class Texts(NamedTuple):
    """Texts: the hashes of their words, where they begin and end, and the words that begin sentences."""

    words: Lists
    starts: Lists
    ends: Lists
    sentences: Lists


class Text(NamedTuple):
    """One of them."""

    words: Any
    starts: Any
    ends: Any
    sentences: Any


class Options(NamedTuple):
    """How passages are found; counted in words unless it says otherwise."""

    least_length: int  # characters of a passage
    run: int = 5  # of the least verbatim run
    run_gap: int = 16  # between verbatim runs of one passage
    density: float = 0.85  # verbatim words among those of a verbatim passage
    verbatim: int = 25  # verbatim words of a verbatim passage
    sentence: int = 3  # of the least sentence; shorter ones are joined to the next
    longest: int = 40  # of the longest; longer ones are cut, as a list without full stops is none
    reach: int = 8  # sentences between anchors that belong together
    anchors: int = 3  # hits that make soft evidence worth looking for
    cosine: float = 0.25  # of two sentences
    dice: float = 0.33
    gap: int = 4  # sentences between two similar ones of one passage
    least_gap: int = 2
    whole: float = 0.34  # cosine of a whole passage
    trim: float = 0.3  # how much a word that only one side has speaks against the ends of a passage
    nearby: int = 34  # sentences of a box, at most, by which a word weighs: formulas fill long texts
    evidence: float = 0.21  # weight of its distinct common words, for each character of the least length
    edited: float = 0.8  # the lowest similarity of a passage that is not rewritten
    alike: float = 0.42  # share of the weight of the distinct words of both sides


@kernel
def text_of(texts, number):  # type: ignore[no-untyped-def]
    """Return one of some texts."""
    return Text(
        values_64(texts.words, number),
        values_32(texts.starts, number),
        values_32(texts.ends, number),
        values_32(texts.sentences, number),
    )


@kernel
def verbatim_pairs(a, b, itself, hits, bounds, options):  # type: ignore[no-untyped-def]
    """Return rows (pair, start in a, end in a, start in b, end in b, VERBATIM or PART), in words.

    Pair p is text p of a and text p of b, and itself[p] says that both are the same; its sorted hits are
    hits[bounds[p]:bounds[p + 1]].
    """
    rows = np.empty(1024, np.int64)
    total = 0
    for p in range(len(itself)):
        first = total
        one, other, swapped = in_order(text_of(a, p), text_of(b, p))
        own = hits_in_order(hits[bounds[p] : bounds[p + 1]], swapped)
        runs = extended_runs(one.words, other.words, own, itself[p])
        chains = verbatim_passages(one.words, other.words, runs, itself[p], options)
        for c in range(len(chains)):
            x0, x1, y0, y1 = chains[c, 0], chains[c, 1], chains[c, 2], chains[c, 3]
            if are_long(one, x0, x1, other, y0, y1, options.least_length):
                rows = with_row(rows, total, p, x0, x1, y0, y1, PART if chains[c, 5] else VERBATIM)
                total += ROW
        if swapped:
            turn_rows(rows, first, total)
    return rows[:total].reshape(-1, ROW)


@kernel
def in_order(a, b):  # type: ignore[no-untyped-def]
    """Return two texts, the longer one first, and whether they changed places.

    Which passages are found where texts overlap or repeat themselves may depend on which one is first:
    so that is the same one, whatever the order of the input. Of equally long ones it is the one with the
    higher word where they first differ.
    """
    swapped = len(a.words) < len(b.words)
    if len(a.words) == len(b.words):
        for i in range(len(a.words)):
            one, other = unmasked(a.words[i]), unmasked(b.words[i])
            if one != other or a.starts[i] != b.starts[i]:
                swapped = (one, a.starts[i]) < (other, b.starts[i])
                break
    if swapped:
        return b, a, True
    return a, b, False


@kernel
def hits_in_order(hits, swapped):  # type: ignore[no-untyped-def]
    """Return the sorted hits of two texts, which may have changed places."""
    if swapped:
        return turned(hits)
    return hits.astype(np.uint64)


@kernel
def turn_rows(rows, first, total):  # type: ignore[no-untyped-def]
    """Exchange both sides of the rows rows[first:total]."""
    for r in range(first, total, ROW):
        rows[r + 1], rows[r + 3] = rows[r + 3], rows[r + 1]
        rows[r + 2], rows[r + 4] = rows[r + 4], rows[r + 2]


@kernel
def verbatim_passages(a, b, runs, same, options):  # type: ignore[no-untyped-def]
    """Return rows (start and end in a, start and end in b, verbatim words, 0) of dense chains of runs.

    Runs of chains that are not dense, or too short, are chained again, more freely, and these chains cut
    where they have most other words until their parts are dense: so a long run is found whatever stands
    around it. These rows end with 1.
    """
    rows = np.empty((2 * len(runs), 6), np.int64)
    total = 0
    left = np.zeros(len(runs), np.bool_)
    order, links, starts = chained(runs, same, options, 0)
    for c in range(len(starts) - 1):
        before = total
        total = with_dense(a, b, links[starts[c] : starts[c + 1]], options, True, rows, total)
        if total == before:
            left[order[starts[c] : starts[c + 1]]] = True
    rows[:total, 5] = 0
    whole = total
    order, links, starts = chained(runs[left], same, options, 0.5)
    for c in range(len(starts) - 1):
        total = with_dense(a, b, links[starts[c] : starts[c + 1]], options, False, rows, total)
    rows[whole:total, 5] = 1
    return rows[:total]


@kernel
def chained(runs, same, options, part):  # type: ignore[no-untyped-def]
    """Return numbers of runs chain by chain, the runs themselves, and where those of each chain begin.

    A run goes on with a chain that ends a little before it in both texts, or inside this part of it:
    where words were put in, the same word often stands before and behind them. What the chain has
    already is left out of the run.
    """
    links, owners = np.empty((len(runs), 3), np.int64), np.full(len(runs), -1, np.int64)
    chains = np.empty((len(runs), 3), np.int64)  # of each: its end in a, its end and start in b
    count = 0
    for r in range(len(runs)):
        i, j, n = runs[r, 0], runs[r, 1], runs[r, 2]
        if n < options.run:
            continue
        owner, known = count, 0
        for c in range(count - 1, max(count - 1 - CHAINS_BACK, -1), -1):
            if same and i + n > chains[c, 2]:
                continue  # it would overlap its own copy
            inside = max(chains[c, 0] - i, chains[c, 1] - j, 0)
            ahead = max(i - chains[c, 0], j - chains[c, 1])
            if ahead <= options.run_gap and inside <= part * n:
                owner, known = c, inside
                break
        if owner == count:
            chains[count, 2] = j
            count += 1
        owners[r] = owner
        links[r, 0], links[r, 1], links[r, 2] = i + known, j + known, n - known
        chains[owner, 0], chains[owner, 1] = i + n, j + n
    order = ascending(owners)
    order = order[np.searchsorted(owners[order], 0) :]
    return order, links[order], np.searchsorted(owners[order], np.arange(count + 1))


@kernel
def with_dense(a, b, links, options, whole, rows, total):  # type: ignore[no-untyped-def]
    """Write a chain behind the first rows if it is dense, else its parts; return the new total.

    Words that are masked do not count.
    """
    others = np.zeros((len(links), 2), np.int64)  # words before each run that only one text has
    for k in range(1, len(links)):
        in_a = a[links[k - 1, 0] + links[k - 1, 2] : links[k, 0]]
        in_b = b[links[k - 1, 1] + links[k - 1, 2] : links[k, 1]]
        others[k, 0], others[k, 1] = len(in_a) - masked_in(in_a), len(in_b) - masked_in(in_b)
    parts = np.empty((len(links) + 1, 2), np.int64)
    parts[0, 0], parts[0, 1] = 0, len(links)
    waiting = 1
    while waiting:
        waiting -= 1
        first, end = parts[waiting, 0], parts[waiting, 1]
        words, only_a, only_b, widest = links[first, 2], 0, 0, first + 1
        for k in range(first + 1, end):
            words += links[k, 2]
            only_a += others[k, 0]
            only_b += others[k, 1]
            if max(others[k, 0], others[k, 1]) > max(others[widest, 0], others[widest, 1]):
                widest = k
        if words < options.verbatim:
            continue
        if words >= options.density * (words + max(only_a, only_b)):
            last = end - 1
            rows[total, 0], rows[total, 1] = links[first, 0], links[last, 0] + links[last, 2]
            rows[total, 2], rows[total, 3] = links[first, 1], links[last, 1] + links[last, 2]
            rows[total, 4] = words
            total += 1
        elif not whole:
            parts[waiting, 0], parts[waiting, 1] = widest, end
            parts[waiting + 1, 0], parts[waiting + 1, 1] = first, widest
            waiting += 2
    return total


@kernel
def are_long(a, x0, x1, b, y0, y1, least):  # type: ignore[no-untyped-def]
    """Return whether words x0 to x1 of a and y0 to y1 of b each have at least `least` characters."""
    return a.ends[x1 - 1] - a.starts[x0] >= least and b.ends[y1 - 1] - b.starts[y0] >= least


@kernel
def with_row(rows, total, p, x0, x1, y0, y1, kind):  # type: ignore[no-untyped-def]
    """Write the numbers of a row behind the first `total`, in a longer copy if need be."""
    if total + ROW > len(rows):
        rows = doubled(rows)
    rows[total], rows[total + 1], rows[total + 2], rows[total + 3], rows[total + 4] = p, x0, x1, y0, y1
    rows[total + 5] = kind
    return rows


@kernel
def located(a, b, rows):  # type: ignore[no-untyped-def]
    """Return where passages, in rows as above, are in characters, how similar they are, what matches.

    Rows are: start and end in a, start and end in b, sentences of a, common words, words of both that
    are not masked, and 1 if both have the same words in the same order. Of each side follow the runs of
    its words that the other one has, too (start, end), end to end, and where each passage's begin.
    """
    found = np.empty((len(rows), 8), np.int64)
    runs_a, runs_b = np.empty(1024, np.int32), np.empty(1024, np.int32)
    bounds_a, bounds_b = np.zeros(len(rows) + 1, np.int64), np.zeros(len(rows) + 1, np.int64)
    for r in range(len(rows)):
        one, other = text_of(a, rows[r, 0]), text_of(b, rows[r, 0])
        x0, x1, y0, y1 = rows[r, 1], rows[r, 2], rows[r, 3], rows[r, 4]
        in_a, in_b = np.zeros(x1 - x0, np.bool_), np.zeros(y1 - y0, np.bool_)
        found[r, 0], found[r, 1] = one.starts[x0], one.ends[x1 - 1]
        found[r, 2], found[r, 3] = other.starts[y0], other.ends[y1 - 1]
        first = np.searchsorted(one.sentences, x0, side="right")
        found[r, 4] = np.searchsorted(one.sentences, x1) - first + 1
        found[r, 5] = match_words(one.words[x0:x1], other.words[y0:y1], in_a, in_b)
        found[r, 6] = x1 - x0 + y1 - y0 - masked_in(one.words[x0:x1]) - masked_in(other.words[y0:y1])
        found[r, 7] = same_words(one.words[x0:x1], other.words[y0:y1])
        runs_a, bounds_a[r + 1] = with_runs(runs_a, bounds_a[r], in_a, x0)
        runs_b, bounds_b[r + 1] = with_runs(runs_b, bounds_b[r], in_b, y0)
    return found, runs_a[: bounds_a[-1]].copy(), bounds_a, runs_b[: bounds_b[-1]].copy(), bounds_b


@kernel
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
