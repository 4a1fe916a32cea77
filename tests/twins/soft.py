"""Readable twins of the kernels for soft evidence: slow, obvious Python that says what each computes."""

import math
from collections.abc import Sequence
from itertools import pairwise

from tests.twins.documents import components

LARGEST_BOX = 256
LOOK_BACK = 64
Hit = tuple[int, int]
Box = tuple[int, int, int, int]
Sentence = dict[int, float]  # what its distinct words are worth, each word by its number
Sentences = Sequence[Sentence]
Flags = Sequence[bool]


def weighed_words(
    a: Sequence[int], b: Sequence[int], counts: Sequence[int], sentences: int, nearby: int
) -> tuple[list[int], list[int], list[float]]:
    """Give words numbers in the order in which they come; the rarer one is, the more it is worth."""
    both = [*a, *b]
    distinct = list(dict.fromkeys(both))
    weights = []
    for word in distinct:
        count = max(counts[(word >> 32) * len(counts) >> 32], 1)
        weights.append(weight(count / sentences, both.count(word) / nearby))
    return [distinct.index(word) for word in a], [distinct.index(word) for word in b], weights


def weight(share: float, near: float) -> float:
    """Return what a word is worth: less, the more sentences have it, anywhere or nearby."""
    return -math.log(min(max(share, near), 1))


def joined_sentences(sentences: Sequence[int], words: int, least: int, most: int) -> list[int]:
    """Join a short sentence to the next one, and the last one, if it is short, to that before it.

    Cut a long one into as few equal parts as are not too long.
    """
    bounds = [0]
    for end in [*sentences[1:], words]:
        begin = bounds[-1]
        if (size := end - begin) >= least:
            parts = math.ceil(size / most)
            bounds += [begin + size * part // parts for part in range(1, parts + 1)]
    return [*bounds[: max(len(bounds) - 1, 1)], words]


def box_around(places: Sequence[Hit]) -> Box:
    rows, columns = [i for i, _ in places], [j for _, j in places]
    return min(rows), max(rows), min(columns), max(columns)


def boxes(
    anchors: Sequence[Hit], reach: int, least: int, margin: int, last_row: int, last_column: int
) -> list[Box]:
    """Join each anchor's group to those of the near ones before it, while the box is not too large."""
    groups: list[list[int]] = []  # that of each anchor
    for k, (row, column) in enumerate(anchors):
        groups.append([k])
        for j in reversed(range(max(k - LOOK_BACK, 0), k)):
            if row - anchors[j][0] > reach or abs(column - anchors[j][1]) > reach:
                continue
            joined = sorted({*groups[j], *groups[k]})
            top, bottom, left, right = box_around([anchors[m] for m in joined])
            if bottom - top < LARGEST_BOX and right - left < LARGEST_BOX:
                for m in joined:
                    groups[m] = joined
    found = []
    for group in {tuple(group) for group in groups if len(group) >= least}:
        top, bottom, left, right = box_around([anchors[m] for m in group])
        bottom, right = min(bottom + margin, last_row), min(right + margin, last_column)
        found.append((max(top - margin, 0), bottom, max(left - margin, 0), right))
    return sorted(found)


def counted(sentences: Sequence[Sequence[int]], weights: Sequence[float]) -> list[Sentence]:
    """Return what each distinct word of each sentence is worth, in the order of the sentence."""
    return [{w: words.count(w) * weights[w] for w in words} for words in sentences]


def dot(a: Sentence, b: Sentence) -> float:
    return sum(a[word] * b[word] for word in a if word in b)


def norm(sentence: Sentence) -> float:
    return math.sqrt(dot(sentence, sentence))


def alike(a: Sentences, b: Sentences, dice: float) -> list[Hit]:
    """Compare the words of every sentence with those of every other."""
    return [
        (i, j)
        for i, one in enumerate(a)
        for j, other in enumerate(b)
        if one and other and 2 * len(one.keys() & other.keys()) / (len(one) + len(other)) > dice
    ]


def soft_seeds(a: Sentences, b: Sentences, cosine: float, dice: float) -> list[Hit]:
    """Compare every sentence with every other."""
    return [(i, j) for i, j in alike(a, b, dice) if dot(a[i], b[j]) > cosine * (norm(a[i]) * norm(b[j]))]


def connected(seeds: Sequence[Hit], gap: int) -> list[int]:
    """Return the first seed that each is connected to, over however many others."""
    edges = {}
    for k, (i, j) in enumerate(seeds):
        near = [abs(i - x) <= gap + 1 and abs(j - y) <= gap + 1 for x, y in seeds]
        edges.update({(k, other): 1.0 for other in range(len(seeds)) if near[other]})
    return [label for label, _ in components(len(seeds), edges)]


def added(sentences: Sentences) -> Sentence:
    """Return what each word of some sentences is worth in all of them."""
    words = {word for sentence in sentences for word in sentence}
    return {word: sum(sentence.get(word, 0.0) for sentence in sentences) for word in words}


def whole_cosine(a: Sentences, b: Sentences) -> float:
    """Return the cosine of two runs of sentences, each as if it was one sentence."""
    one, other = added(a), added(b)
    norms = dot(one, one) * dot(other, other)
    return dot(one, other) / math.sqrt(norms) if norms else 0


def grouped_seeds(
    a: Sentences,
    b: Sentences,
    seeds: Sequence[Hit],
    gap: int,
    least_gap: int,
    least: float,
) -> list[tuple[Box, float]]:
    """Return the boxes of similar groups and their cosines; try the other seeds with a smaller gap."""
    found = []
    for width in range(gap, min(gap, least_gap) - 1, -1):
        roots = connected(seeds, width)
        left_over = []
        for first in sorted(set(roots)):
            group = [seed for seed, r in zip(seeds, roots, strict=True) if r == first]
            box = i0, i1, j0, j1 = box_around(group)
            runs = a[i0 : i1 + 1], b[j0 : j1 + 1]
            score = whole_cosine(*runs)
            if score > least:
                found.append((box, score))
            else:
                left_over += group
        seeds = sorted(left_over)
    return found


def sentences_of_words(bounds: Sequence[int]) -> list[int]:
    return [s for s, (begin, end) in enumerate(pairwise(bounds)) for _ in range(begin, end)]


def taken_sentences(bounds: Sequence[int], taken: Flags) -> list[bool]:
    return [any(taken[begin:end]) for begin, end in pairwise(bounds)]


def anchors(hits: Sequence[Hit], taken: Sequence[Flags], places: Sequence[list[int]]) -> list[Hit]:
    free = [(i, j) for i, j in hits if not taken[0][i] and not taken[1][j]]
    return sorted((places[0][i], places[1][j]) for i, j in free)


def open_seeds(seeds: Sequence[Hit], closed: Sequence[Flags], shift: int, itself: bool) -> list[Hit]:
    found = [(i, j) for i, j in seeds if not closed[0][i] and not closed[1][j]]
    return [(i, j) for i, j in found if i < j + shift] if itself else found


def weight_of(sentence: Sequence[int], weights: Sequence[float], there: Flags) -> float:
    """Return the weight of the distinct words of a sentence that are there."""
    return sum(weights[word] for word in set(sentence) if there[word])


def best_part(
    sentences: Sequence[Sequence[int]], wanted: Flags, weights: Sequence[float], longest: int
) -> float:
    """Return the most weight of wanted words in sentences in a row that are not too long, or in one."""
    found = [0.0]
    for end in range(1, len(sentences) + 1):
        for begin in range(end):
            words = [word for own in sentences[begin:end] for word in own]
            if len(words) <= longest or end - begin == 1:
                found.append(weight_of(words, weights, wanted))
    return max(found)
