"""How many words of a document others have, too; each counts once, however many passages it is in."""

import numpy as np

from neardup.kernels.compiled import kernel

REWRITTEN, VERBATIM = 1, 2


@kernel
def matched_words(docs, sides, others, verbatim, runs, bounds):  # type: ignore[no-untyped-def]
    """Count the words of documents in passages; row r has the runs runs[bounds[r]:bounds[r + 1]].

    Rows are sorted by document, side and other document, and each group of these gets a row: its first
    one, how many words are there word for word, how many are rewritten only, and the same of the
    document and all others together.
    """
    found = np.zeros((len(docs), 5), np.int64)
    longest = 0
    for k in range(bounds[0], bounds[-1]):
        longest = max(longest, runs[k])
    marks = np.zeros(longest, np.uint8)
    total = first = 0
    for last in range(1, len(docs) + 1):
        if last < len(docs) and docs[last] == docs[first]:
            continue
        own = total
        group = first
        for end in range(first + 1, last + 1):
            if end < last and sides[end] == sides[group] and others[end] == others[group]:
                continue
            found[total, 0] = group
            for r in range(group, end):
                mark(marks, runs, bounds[r], bounds[r + 1], VERBATIM if verbatim[r] else REWRITTEN)
            found[total, 1], found[total, 2] = taken(marks, runs, bounds[group], bounds[end])
            total += 1
            group = end
        for r in range(first, last):
            if others[r] != docs[r]:
                mark(marks, runs, bounds[r], bounds[r + 1], VERBATIM if verbatim[r] else REWRITTEN)
        words, rewritten = taken(marks, runs, bounds[first], bounds[last])
        for k in range(own, total):
            found[k, 3], found[k, 4] = words, rewritten
        first = last
    return found[:total]


@kernel
def mark(marks, runs, begin, end, value):  # type: ignore[no-untyped-def]
    """Give the words of runs[begin:end], starts and ends in turn, at least this value."""
    for k in range(begin, end, 2):
        for word in range(runs[k], runs[k + 1]):
            marks[word] = max(marks[word], value)


@kernel
def taken(marks, runs, begin, end):  # type: ignore[no-untyped-def]
    """Return how many words of some runs are marked as VERBATIM and as REWRITTEN; mark none of them."""
    verbatim = rewritten = 0
    for k in range(begin, end, 2):
        for word in range(runs[k], runs[k + 1]):
            verbatim += marks[word] == VERBATIM
            rewritten += marks[word] == REWRITTEN
            marks[word] = 0
    return verbatim, rewritten
