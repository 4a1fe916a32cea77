"""Reference lists, seen by words alone: a heading, then entries full of years, links and initials."""

import numpy as np

from neardup.kernels.arrays import room_for
from neardup.kernels.compiled import kernel
from neardup.kernels.lists import values_32, values_64
from neardup.kernels.shingles import in_order

LONGEST_NAME = 5  # words of what a reference list is called
NUMBERING = 3  # words that may stand before it in its heading
GAP = 40  # words between two years or links of a list
EVERY = 12  # words of a list for each that is a mark of entries
INSIDE = 0.8  # of the words on either side of a passage, if it is one of reference lists


@kernel
def is_among(values, value):  # type: ignore[no-untyped-def]
    """Return whether a value is among sorted ones."""
    at = np.searchsorted(values, value)
    return at < len(values) and values[at] == value


@kernel
def is_heading(words, names):  # type: ignore[no-untyped-def]
    """Return whether a sentence is the heading of a reference list: its name, maybe after a number."""
    for size in range(max(1, len(words) - NUMBERING), min(len(words), LONGEST_NAME) + 1):
        if is_among(names, in_order(words[len(words) - size :], size)):
            return True
    return False


@kernel
def list_end(words, begin, dates, initials):  # type: ignore[no-untyped-def]
    """Return where the entries end that begin at a word, behind a year or link; `begin` if none do."""
    end, marks, marks_there = begin, 0, 0
    for w in range(begin, len(words)):
        if w - end > GAP:
            break
        if is_among(dates, words[w]):
            marks += 1
            end, marks_there = w + 1, marks
        elif is_among(initials, words[w]):
            marks += 1
    return end if marks_there * EVERY >= end - begin else begin


@kernel
def with_lists(runs, total, words, sentences, vocabulary):  # type: ignore[no-untyped-def]
    """Write the reference lists of a text, start and end in words, behind the first `total` numbers."""
    names, dates, initials = vocabulary
    reached = np.int64(0)
    for s in range(len(sentences)):
        begin = np.int64(sentences[s])
        behind = np.int64(sentences[s + 1]) if s + 1 < len(sentences) else len(words)
        if begin < reached or behind - begin > LONGEST_NAME + NUMBERING:
            continue
        if is_heading(words[begin:behind], names):
            end = list_end(words, behind, dates, initials)
            if end > behind:
                runs = room_for(runs, total, 2)
                runs[total], runs[total + 1] = begin, end
                total += 2
                reached = end
    return runs, total


@kernel
def lists_of_texts(words, sentences, vocabulary):  # type: ignore[no-untyped-def]
    """Return the reference lists of texts (start, end), end to end, and where each text's begin.

    Of equal texts that follow each other, only the first is read.
    """
    count = len(words.sizes)
    runs, bounds = np.empty(64, np.int64), np.zeros(count + 1, np.int64)
    for t in range(count):
        total = bounds[t]
        if t and words.addresses[t] == words.addresses[t - 1] and words.sizes[t] == words.sizes[t - 1]:
            before = bounds[t - 1]
            runs = room_for(runs, total, total - before)
            for k in range(before, bounds[t]):
                runs[total] = runs[k]
                total += 1
        else:
            own = values_64(words, t), values_32(sentences, t)
            runs, total = with_lists(runs, total, *own, vocabulary)
        bounds[t + 1] = total
    return runs[: bounds[count]].copy(), bounds


@kernel
def words_inside(runs, begin, end, first, last):  # type: ignore[no-untyped-def]
    """Count the words from first to last that are in runs[begin:end], starts and ends in turn."""
    count = 0
    for k in range(begin, end, 2):
        count += max(min(runs[k + 1], last) - max(runs[k], first), 0)
    return count


@kernel
def are_of_lists(rows, runs_a, bounds_a, runs_b, bounds_b):  # type: ignore[no-untyped-def]
    """Say of passages, as rows of pairs and words, if they are of reference lists on both sides."""
    found = np.zeros(len(rows), np.bool_)
    for r in range(len(rows)):
        p, x0, x1, y0, y1 = rows[r, 0], rows[r, 1], rows[r, 2], rows[r, 3], rows[r, 4]
        inside_a = words_inside(runs_a, bounds_a[p], bounds_a[p + 1], x0, x1)
        inside_b = words_inside(runs_b, bounds_b[p], bounds_b[p + 1], y0, y1)
        found[r] = inside_a >= INSIDE * (x1 - x0) and inside_b >= INSIDE * (y1 - y0)
    return found
