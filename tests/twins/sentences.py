"""Readable twins of the kernels for sentences: slow, obvious Python that says what each computes."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein
from tests.twins.documents import BASE, MASK, SEED, mix, windows

Sentence = Sequence[int]
Cell = tuple[int, int]


def count_words(documents: Iterable[Sentence], once: bool) -> Counter[int]:
    counts: Counter[int] = Counter()
    for words in documents:
        counts.update(set(words) if once else words)
    return counts


def imatch(sentence: Sentence, keeps: Callable[[int], bool], least: int) -> list[int]:
    """Return one hash of the sorted distinct words that are kept, if they are enough."""
    kept = sorted({word for word in sentence if keeps(word)})
    return windows(kept, len(kept)) if len(kept) >= max(least, 1) else []


def sentence_shingles(sentence: Sentence, width: int, least: int) -> list[int]:
    found = windows(sentence, width) if len(sentence) >= least else []
    return list(dict.fromkeys(found))


def spots(
    sentence: Sentence, distances: Mapping[int, int], stops: Collection[int], chain: int, least: int
) -> set[int]:
    """Return the hash of each antecedent with the chain that follows it, without stop words."""
    found = set()
    for at, word in enumerate(sentence):
        distance = distances.get(word, 0)
        others = [w for w in sentence[at + 1 :] if w not in stops]
        chosen = others[distance - 1 :: distance][:chain] if distance else []
        if distance and len(chosen) == chain and len(sentence) >= least:
            state = word
            for other in chosen:
                state = (state * BASE + other) & MASK
            found.add(mix(state ^ mix(SEED + chain + 1 & MASK)))
    return found


def places(sizes: Sequence[int], least: int, passed: int) -> list[int]:
    """Return for each sentence how many count before it: tiny ones only after `passed` in a row."""
    found = []
    for s in range(len(sizes)):
        count = tiny = 0
        for size in sizes[:s]:
            tiny = tiny + 1 if size < least else 0
            count += tiny == 0 or tiny > passed
        found.append(count)
    return found


def longest(runs: Sequence[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    """Return the longest run, of several the first."""
    return max(runs, key=len) if runs else ()


def longest_run(cells: Set[Cell], gap: int) -> list[Cell]:
    """Return the longest run; of several the one that starts first and takes the shortest steps."""

    @cache
    def run_from(cell: Cell) -> tuple[Cell, ...]:
        row, column = cell
        steps = [(row + i, column + j) for i in range(1, gap + 2) for j in range(1, gap + 2)]
        steps = sorted((c for c in steps if c in cells), key=lambda c: (sum(c), c))
        return (cell, *longest([run_from(step) for step in steps]))

    for cell in sorted(cells, reverse=True):
        run_from(cell)  # from the end, so that the recursion stays flat
    return list(longest([run_from(cell) for cell in sorted(cells)]))


def diagonals(cells: Iterable[Cell], gap: int, least: int, inside: bool = False) -> list[list[Cell]]:
    """Take the longest run, then the longest of what is left, as long as it has `least` cells."""
    left = set(cells)
    found = []
    while len(run := longest_run(left, gap)) >= least:
        if inside:
            run = [cell for cell in run if cell[0] < run[0][1]]
        left -= set(run)
        if len(run) >= least:
            found.append(run)
    return sorted(found)


def common_words(a: Sentence, b: Sentence) -> int:
    return (Counter(a) & Counter(b)).total()


def edit_distance(a: str, b: str) -> int:
    """Return the last number of the table of distances of all beginnings."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
    return row[-1]


class Limits(NamedTuple):
    """Characters at least and at most, how far down as a share of the text, the deepest heading."""

    shortest: int
    longest: int
    depth: float
    deepest: int


Heading = tuple[int, int]  # where it starts, and its level
Kept = tuple[int, int, int, int, str]  # number, start, end, number of its heading, text


def cut(
    text: str, begins: Sequence[int], headings: Sequence[Heading], unit: int, limits: Limits
) -> tuple[list[Kept], list[int]]:
    """Return the sentences of a text that are within the limits, and how many are beyond each."""
    pieces = [begin for begin, end in pairwise([*begins, len(text)]) if not text[begin:end].isspace()]
    kept, counts = [], [0, 0, 0, 0]
    for number, (begin, end) in enumerate(zip(pieces, [*pieces[unit:], len(text)], strict=False)):
        piece = text[begin:end]
        sentence = " ".join(piece.split())
        start, stop = begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip())
        heading = max(n for n, (at, _) in enumerate(headings) if at <= start)
        beyond = (
            len(sentence) < limits.shortest,
            len(sentence) > limits.longest,
            start > limits.depth * len(text),
            headings[heading][1] > limits.deepest,
        )
        if any(beyond):
            counts[beyond.index(True)] += 1
        else:
            kept.append((number, start, stop, heading, sentence))
    return kept, counts


def changes(page: int, revisions: list[str], most: float) -> Iterator[tuple[str, str, str]]:
    """Yield each line that came with a revision, and the nearest of those that went with it."""
    for number, (before, after) in enumerate(pairwise(r.splitlines() for r in revisions), 2):
        gone = [line for line in dict.fromkeys(before) if line not in after]
        for line in dict.fromkeys(after):
            near = [(Levenshtein.normalized_distance(old, line), old) for old in gone]
            if line not in before and near and min(near)[0] <= most:
                yield f"{page}@{number}", min(near, key=lambda own: own[0])[1], line
