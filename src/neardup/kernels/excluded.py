"""Words that do not count, as they stand in a text that is excluded."""

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hashing import mix
from neardup.kernels.hits import MASKED
from neardup.kernels.passages import REWRITTEN, ROW, text_of, with_row
from neardup.kernels.shingles import roll
from neardup.kernels.soft import weighed_words
from neardup.kernels.soft_passages import evident

LOW = np.uint64((1 << 48) - 1)


@kernel
def covered_words(words, starts, ends, bounds, keys, width, least):  # type: ignore[no-untyped-def]
    """Say which words of texts lie in runs of `width` words whose hashes are among sorted keys.

    What is covered in a row has at least so many characters.
    """
    covered = np.zeros(len(words), np.bool_)
    for t in range(len(bounds) - 1):
        own = words[bounds[t] : bounds[t + 1]]
        if len(own) < width:
            continue
        hashes = np.empty(len(own), np.uint64)
        count = roll(own, len(own), width, hashes)
        for i in range(count):
            at = np.searchsorted(keys, hashes[i])
            if at < len(keys) and keys[at] == hashes[i]:
                covered[bounds[t] + i : bounds[t] + i + width] = True
        begin = bounds[t]
        for i in range(bounds[t], bounds[t + 1]):
            if not covered[i]:
                begin = i + 1
                continue
            last = i + 1 == bounds[t + 1] or not covered[i + 1]
            if last and ends[i] - starts[begin] < least:
                covered[begin : i + 1] = False
    return covered


@kernel
def mask_covered(words, bounds, docs, covered):  # type: ignore[no-untyped-def]
    """Put numbers that no other text has in the place of covered words; count those that are left."""
    left = np.empty(len(docs), np.int64)
    for t in range(len(docs)):
        left[t] = bounds[t + 1] - bounds[t]
        text = mix(np.uint64(docs[t]))
        for i in range(bounds[t], bounds[t + 1]):
            if covered[i]:
                words[i] = MASKED | (mix(text + np.uint64(i - bounds[t])) & LOW)
                left[t] -= 1
    return left


@kernel
def are_counted(words):  # type: ignore[no-untyped-def]
    """Say which words are not masked."""
    counted = np.empty(len(words), np.bool_)
    for i in range(len(words)):
        counted[i] = words[i] >> np.uint64(48) != MASKED >> np.uint64(48)
    return counted


@kernel
def is_masked(word):  # type: ignore[no-untyped-def]
    """Say whether a word does not count."""
    return word >> np.uint64(48) == MASKED >> np.uint64(48)


@kernel
def stretches(words, begin, end, most):  # type: ignore[no-untyped-def]
    """Return rows (start, end) of what lies between runs of more than `most` words that do not count.

    Each begins and ends with a word that counts.
    """
    rows = np.empty((end - begin, 2), np.int64)
    count = 0
    last = np.int64(-1)  # the last word that counts
    for i in range(begin, end):
        if is_masked(words[i]):
            continue
        if last < 0 or i - last - 1 > most:
            rows[count, 0] = i
            count += 1
        rows[count - 1, 1] = i + 1
        last = np.int64(i)
    return rows[:count]


@kernel
def counted_characters(text, begin, end):  # type: ignore[no-untyped-def]
    """Return how many characters the words of a stretch have that count, with what lies between them."""
    total = np.int64(0)
    for i in range(begin, end):
        if not is_masked(text.words[i]):
            behind = i + 1 < end and not is_masked(text.words[i + 1])
            total += (text.starts[i + 1] if behind else text.ends[i]) - text.starts[i]
    return total


@kernel
def counted_passages(a, b, rows, options, counts, sentences):  # type: ignore[no-untyped-def]
    """Return the passages of which enough counts, in rows as `verbatim_pairs` has them.

    One that is rewritten ends where much that does not count begins, as others do.
    """
    found = np.empty(max(len(rows), 1) * ROW, np.int64)
    total = 0
    for r in range(len(rows)):
        one, other = text_of(a, rows[r, 0]), text_of(b, rows[r, 0])
        x0, x1, y0, y1, kind = rows[r, 1], rows[r, 2], rows[r, 3], rows[r, 4], rows[r, 5]
        whole = np.array([[x0, x1]]), np.array([[y0, y1]])
        parts_a, parts_b = whole
        if kind == REWRITTEN:
            parts_a = stretches(one.words, x0, x1, options.run_gap)
            parts_b = stretches(other.words, y0, y1, options.run_gap)
            if len(parts_a) == 1 and len(parts_b) == 1:
                parts_a, parts_b = whole
        is_cut = len(parts_a) > 1 or len(parts_b) > 1
        j = 0
        for i in range(len(parts_a)):
            u0, u1 = parts_a[i]
            for k in range(j, len(parts_b)):
                v0, v1 = parts_b[k]
                if is_cut:
                    u0, u1, v0, v1 = still_evident(
                        one, parts_a[i], other, parts_b[k], options, counts, sentences
                    )
                if (
                    u0 < u1
                    and counted_characters(one, u0, u1) >= options.least_length
                    and counted_characters(other, v0, v1) >= options.least_length
                ):
                    found = with_row(found, total, rows[r, 0], u0, u1, v0, v1, kind)
                    total += ROW
                    j = k + 1
                    break
    return found[:total].reshape(-1, ROW)


@kernel
def still_evident(one, part_a, other, part_b, options, counts, sentences):  # type: ignore[no-untyped-def]
    """Return what is evidently the same of a stretch of each side, as `evident` does."""
    words_a, words_b = one.words[part_a[0] : part_a[1]], other.words[part_b[0] : part_b[1]]
    near = np.searchsorted(one.sentences, part_a[1]) - np.searchsorted(one.sentences, part_a[0]) + 1
    near += np.searchsorted(other.sentences, part_b[1]) - np.searchsorted(other.sentences, part_b[0]) + 1
    in_a, in_b, weights = weighed_words(words_a, words_b, counts, sentences, near)
    u0, u1, v0, v1 = evident(in_a, in_b, weights, options)
    return part_a[0] + u0, part_a[0] + u1, part_b[0] + v0, part_b[0] + v1
