"""Readable twins of the kernels for passages: slow, obvious Python that says what each computes."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from tests.twins.documents import token_spans, windows

CLOSING = frozenset("!\"').?]}。〉》」』】»’”…›！）？।॥؟۔։።")
END_MARKS = frozenset("!?。！？।॥؟۔։።…")
SPACES = frozenset(" \n\r\t\u00a0")
MOST_PLACES = 4
REWRITTEN = 1
Hit = tuple[int, int]
Run = tuple[int, int, int]
Row = tuple[int, ...]
Words = Sequence[int]


def closed_spans(text: str) -> list[tuple[int, int]]:
    """Return where tokens are; an end takes in the closing marks that follow directly."""
    found = []
    for start, end in token_spans(text):
        while end < len(text) and text[end] in CLOSING:
            end += 1
        found.append((start, end))
    return found


def ends_sentence(word: str, between: str, following: str) -> bool:
    """Return whether a sentence ends between two words."""
    marks = [at for at, char in enumerate(between) if char == "." or char in END_MARKS]
    if re.search("\n[ \t\r\u00a0.!?。！？।॥؟۔։።…]*\n", between):  # a line without a word
        return True
    if not marks or re.match("[a-z]", following):
        return False
    last = marks[-1]
    spaced = not between[last].isascii() or any(c in SPACES for c in between[last + 1 :])
    only_stops = all(between[at] == "." for at in marks)
    initial = len(word) == 1
    return spaced and not (only_stops and initial)


def sentences(text: str) -> list[int]:
    """Return the numbers of the tokens with which sentences begin."""
    spans = token_spans(text)
    found = [0] if spans else []
    for number in range(1, len(spans)):
        (start, end), (begin, _) = spans[number - 1], spans[number]
        if ends_sentence(text[start:end], text[end:begin], text[begin]):
            found.append(number)
    return found


def is_wrapped(text: str) -> bool:
    """Return whether lines of 40 to 120 characters hardly have room for the next one's first word."""
    lines = [line.rstrip(" \t\r") for line in text.split("\n")]
    widest = max(map(len, lines))
    joined = [
        (one, other.split()[0])
        for one, other in pairwise(lines)
        if one and other and indent(other) <= indent(one)
    ]
    full = [len(one) + 1 + min(len(word), 16) > widest for one, word in joined]
    return 40 <= widest <= 120 and len(joined) >= 3 and sum(full) >= 0.8 * len(joined)


def indent(line: str) -> int:
    """Return with how much white space a line begins."""
    return len(line) - len(line.lstrip(" \t\r"))


def winnowed(words: Sequence[int], width: int, window: int) -> list[tuple[int, int]]:
    """Return hash and place of the lowest of every `window` runs in a row, of equal ones the last."""
    hashes = windows(words, width)
    kept = set()
    for first in range(max(len(hashes) - window + 1, min(len(hashes), 1))):
        some = range(first, min(first + window, len(hashes)))
        kept.add(min(some, key=lambda place: (hashes[place], -place)))
    return [(hashes[place], place) for place in sorted(kept)]


def first_places(runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return of each run only its first few places."""
    seen: Counter[int] = Counter()
    found = []
    for key, place in runs:
        seen[key] += 1
        if seen[key] <= MOST_PLACES:
            found.append((key, place))
    return found


def weighed_pairs(lists: Sequence[Sequence[int]], cap: int, boundary: int) -> dict[tuple[int, int], int]:
    """Return for each two members what the lists that both are in are worth: rare ones more."""
    found: dict[tuple[int, int], int] = defaultdict(int)
    for members in lists:
        for a in members:
            for b in members:
                if len(members) <= cap and a < b and (boundary < 0 or a < boundary <= b):
                    found[a, b] += int(1024 / math.log2(len(members)))
    return dict(found)


def hits(a: Sequence[tuple[int, int]], b: Sequence[tuple[int, int]], same: bool) -> list[Hit]:
    """Return the places where two lists of (key, place) have the same key."""
    found = [(i, j) for key, i in a for other, j in b if key == other and (i < j or not same)]
    return sorted(found)


def lie_together(found: Sequence[Hit], least: int, reach: int) -> bool:
    """Return whether some hit has enough others that are near in both texts."""
    return any(
        sum(abs(i - x) <= reach and abs(j - y) <= reach for x, y in found) >= least for i, j in found
    )


def equal_stretches(a: Sequence[int], b: Sequence[int], hit: Hit) -> Run:
    """Return the longest equal run around a hit: start in a, start in b, length."""
    i, j = hit
    begin, end = i, i
    while begin > 0 and begin + j - i > 0 and a[begin - 1] == b[begin - 1 + j - i]:
        begin -= 1
    while end < len(a) and end + j - i < len(b) and a[end] == b[end + j - i]:
        end += 1
    return begin, begin + j - i, end - begin


def blocks(run: Run) -> Iterator[Run]:
    """Cut a run of a text that overlaps its own copy into pieces that do not."""
    begin, other, length = run
    distance = other - begin
    for at in range(begin, begin + length, distance):
        yield at, at + distance, min(distance, begin + length - at)


def maximal_runs(a: Sequence[int], b: Sequence[int], found: Sequence[Hit], same: bool) -> list[Run]:
    """Return the maximal equal runs that hold a hit, without those inside others in a and in b."""
    runs = {run for hit in found if (run := equal_stretches(a, b, hit))[2]}
    if same:
        runs = {
            block
            for run in runs
            for block in blocks(run)
            if any(j - i == block[1] - block[0] and 0 <= i - block[0] < block[2] for i, j in found)
        }

    def is_inside(run: Run, side: int) -> bool:
        """Return whether another run has all of its words on a side; of equal ones, the first."""
        own = run[side], run[side] + run[2], run[1 - side]
        others = [(r[side], r[side] + r[2], r[1 - side]) for r in runs if r != run]
        return any(
            begin <= own[0] and end >= own[1] and ((begin, end) != own[:2] or other < own[2])
            for begin, end, other in others
        )

    kept = [run for run in runs if not (is_inside(run, 0) and is_inside(run, 1))]
    return sorted(kept, key=lambda run: (run[0], -run[2], run[1]))


def matched(a: Sequence[int], b: Sequence[int]) -> tuple[set[int], set[int]]:
    """Return the places of the words that two runs have in common, each as often as both have it.

    What both begin and end with, and of the words between the first ones.
    """
    most = min(len(a), len(b))
    first = next((k for k in range(most) if a[k] != b[k]), most)
    left = most - first
    behind = next((k for k in range(left) if a[-1 - k] != b[-1 - k]), left)
    found = []
    for own, other in ((a, b), (b, a)):
        places = {*range(first), *range(len(own) - behind, len(own))}
        there = Counter(other[first : len(other) - behind])
        for place in range(first, len(own) - behind):
            if there[own[place]]:
                there[own[place]] -= 1
                places.add(place)
        found.append(places)
    return found[0], found[1]


def boilerplate(
    words: Sequence[int],
    spans: Sequence[tuple[int, int]],
    documents: dict[int, int],
    least: int,
    width: int,
    window: int,
) -> list[tuple[int, int, int]]:
    """Return (start, end, documents) of passages of words in kept runs that many documents have."""
    groups: list[tuple[int, int, int]] = []
    for key, place in winnowed(words, width, window):
        if key not in documents:
            continue
        begin, end, count = place, min(place + width, len(words)), documents[key]
        if groups and place <= groups[-1][1]:
            begin, count = groups[-1][0], min(groups[-1][2], count)
            groups.pop()
        groups.append((begin, end, count))
    located = [(spans[begin][0], spans[end - 1][1], count) for begin, end, count in groups]
    return [(start, end, count) for start, end, count in located if end - start >= least]


def reference_lists(
    words: Sequence[int],
    sentences: Sequence[int],
    names: Sequence[tuple[int, ...]],
    marks: Sequence[set[int]],
) -> list[tuple[int, int]]:
    """Return the reference lists of a text: behind a heading, and full of dates and initials."""
    dates, initials = marks
    found: list[tuple[int, int]] = []
    for begin, behind in pairwise([*sentences, len(words)]):
        own = tuple(words[begin:behind])
        numbered = any(own[k:] in names for k in range(min(3, len(own)) + 1))
        if (found and begin < found[-1][1]) or not numbered:
            continue
        end = behind
        for at in range(behind, len(words)):
            if at - end > 40:
                break
            if words[at] in dates:
                end = at + 1
        full = [word for word in words[behind:end] if word in dates or word in initials]
        if end > behind and 12 * len(full) >= end - behind:
            found.append((begin, end))
    return found


def verbatim_passages(
    runs: Sequence[Run], masked: tuple[set[int], set[int]], least: int, options: Any, back: int
) -> list[tuple[int, int, int, int, int, int]]:
    """Return what dense chains cover, 0 behind each; then dense parts of what is left, with a 1."""
    chains = chains_of_runs(runs, options.run, options.run_gap, back, part=0)
    found, left = [], []
    for chain in chains:
        parts = list(dense_parts(chain, masked, least, options.density))
        if parts and sum(row[4] for row in parts) == sum(n for _, _, n in chain) and len(parts) == 1:
            found.append((*parts[0], 0))
        else:
            left += chain
    for chain in chains_of_runs(sorted(left), options.run, options.run_gap, back, part=0.5):
        found += [(*row, 1) for row in dense_parts(chain, masked, least, options.density)]
    return found


def chains_of_runs(runs: Sequence[Run], least: int, gap: int, back: int, part: float) -> list[list[Run]]:
    """Return runs in a row that lie close together, in the same order in both texts.

    A run that begins inside what a chain has is cut, if that is no more than a part of it.
    """
    chains: list[list[Run]] = []
    for i, j, n in runs:
        if n < least:
            continue
        for chain in chains[::-1][:back]:
            x, y = (chain[-1][side] + chain[-1][2] for side in (0, 1))
            known = max(x - i, y - j, 0)
            if i - x <= gap and j - y <= gap and known <= part * n:
                chain.append((i + known, j + known, n - known))
                break
        else:
            chains.append([(i, j, n)])
    return chains


def dense_parts(
    chain: Sequence[Run], masked: tuple[set[int], set[int]], least: int, density: float
) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield what is dense of a chain, which is cut at its widest gap until it is."""
    words = sum(n for _, _, n in chain)
    if words < least:
        return
    gaps = [
        [len(set(range(p[side] + p[2], q[side])) - masked[side]) for side in (0, 1)]
        for p, q in pairwise(chain)
    ]
    if words >= density * (words + max((sum(own) for own in zip(*gaps, strict=True)), default=0)):
        (x0, y0, _), (x1, y1, n) = chain[0], chain[-1]
        yield x0, x1 + n, y0, y1 + n, words
        return
    widest = 1 + max(range(len(gaps)), key=lambda at: max(gaps[at]))
    yield from dense_parts(chain[:widest], masked, least, density)
    yield from dense_parts(chain[widest:], masked, least, density)


def likeness(a: Sequence[int], b: Sequence[int]) -> float:
    """Return the share of both texts' words that they have in common, in the same order."""
    above = [0] * (len(b) + 1)
    for word in a:
        row = [0]
        for j, other in enumerate(b):
            row.append(above[j] + 1 if word == other else max(above[j + 1], row[j]))
        above = row
    return 2 * above[-1] / (len(a) + len(b))


def common_words(one: Row, other: Row, side: int) -> set[int]:
    """Return the places of the words that two rows (start and end in a, in b) both have on a side."""
    spans = (range(row[2 * side], row[2 * side + 1]) for row in (one, other))
    return set.intersection(*map(set, spans))


def is_held(part: Row, rows: Sequence[Row]) -> bool:
    """Return whether half of a part or more lies in rows, in both texts."""
    held = sum(min(len(common_words(row, part, side)) for side in (0, 1)) for row in rows)
    return 2 * held >= max(part[1] - part[0], part[3] - part[2])


def is_made_of(row: Row, parts: Sequence[Row], a: Words, b: Words, edited: float) -> bool:
    """Return whether two thirds of a row lie in parts, in a text, and too little of it is the same."""
    x0, x1, y0, y1 = row[:4]
    in_parts = (
        3 * len(set().union(*(common_words(row, part, side) for part in parts))) >= 2 * size
        for side, size in enumerate((x1 - x0, y1 - y0))
    )
    same = len(matched(a[x0:x1], b[y0:y1])[0])
    return any(in_parts) and 2 * same < edited * (x1 - x0 + y1 - y0)


def with_parts(
    rows: Sequence[Row], parts: Sequence[Row], made_of: Callable[[Row, Sequence[Row]], bool]
) -> tuple[list[Row], list[Row]]:
    """Return the rows that stay, and the parts that these do not hold: no row goes for others."""
    stays: list[Row] = []
    while True:
        left = [part for part in parts if not is_held(part, stays)]
        more = [row for row in rows if row in stays or not made_of(row, left)]
        if more == stays:
            return stays, left
        stays = more


def stretches(masked: Sequence[bool], begin: int, end: int, most: int) -> list[tuple[int, int]]:
    """Return what lies between runs of more than `most` words that do not count."""
    shown = "".join("x" if masked[at] else "." for at in range(begin, end))
    found = re.finditer(rf"\.(?:x{{0,{most}}}\.)*", shown)
    return [(begin + one.start(), begin + one.end()) for one in found]


def counted_characters(masked: Sequence[bool], spans: Sequence[Hit], begin: int, end: int) -> int:
    """Return the characters of the runs of words that count."""
    runs = stretches(masked, begin, end, 0)
    return sum(spans[last - 1][1] - spans[first][0] for first, last in runs)


def counted_passages(
    rows: Sequence[Row],
    texts: Sequence[tuple[Sequence[bool], Sequence[Hit]]],
    least: int,
    most: int,
    evident: Callable[[Hit, Hit], Row],
) -> list[Row]:
    """Return the passages of which enough counts; those in other words end where too much does not.

    Of each text, given are which words do not count, and where words are.
    """
    found = []
    for *places, kind in rows:
        whole = [(places[0], places[1])], [(places[2], places[3])]
        cut = [stretches(text[0], *own[0], most) for text, own in zip(texts, whole, strict=True)]
        is_cut = kind == REWRITTEN and [len(own) for own in cut] != [1, 1]
        ones, others = cut if is_cut else whole
        for one in ones:
            for other in others:
                row = evident(one, other) if is_cut else (*one, *other)
                sizes = [
                    counted_characters(*texts[side], *row[2 * side : 2 * side + 2]) for side in (0, 1)
                ]
                if row[0] < row[1] and min(sizes) >= least:
                    found.append((*row, kind))
                    others = others[others.index(other) + 1 :]
                    break
    return found
