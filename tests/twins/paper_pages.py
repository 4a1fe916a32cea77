"""The paper on web pages as somebody reads it who has nothing else: strings and loops, for ASCII."""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from tests.twins.regions import common_subsequence

Fingerprint = Callable[[str], bytes]  # of a sentence, 16 bytes; the paper has MD5
SUBSETS, TURNS = 7, 16  # m and n
CHOSEN = 2  # fingerprints of a subset, from as many parts of the page: the paper has "a certain number"
SHORTEST, WINDOW, LIMIT = 16, 16, 10_000
SLOPE, RESEMBLANCE, CONTAINMENT = 0.1, 0.28, 0.7
BLOCKS = (20, 80, 320)  # k; figure 5 of the paper, which may say how many, is lost


def letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def sentences_of(page: str) -> list[str]:
    """Split at punctuation and the ends of lines, up to the first 10 KB of letters."""
    found: list[str] = []
    for sentence in re.split(r"[?!]|[.]\s|\n", page):
        if letters(sentence) and sum(map(len, map(letters, found))) < LIMIT:
            found.append(sentence)
    return found


def projected(chosen: Sequence[tuple[int, int]]) -> int:
    """Add vectors of +w for each bit that is 1 and -w for each that is 0; what is above 0 is 1."""
    signature = 0
    for bit in range(128):
        weights = [1 + math.log(size) for _, size in chosen]
        signs = [1 if value >> bit & 1 else -1 for value, _ in chosen]
        if sum(w * s for w, s in zip(weights, signs, strict=True)) > 0:
            signature |= 1 << bit
    return signature


def signatures(page: str, fingerprint: Fingerprint) -> set[tuple[int, int, int]]:
    """Return 112 signatures, or fewer: of each turn of the ring, and each of its subsets."""
    found = set()
    own = sentences_of(page)
    for turn in range(TURNS):
        subsets: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
        for number, sentence in enumerate(own):
            if (size := len(letters(sentence))) > SHORTEST:
                ring = fingerprint(sentence)
                value = int.from_bytes(ring[turn:] + ring[:turn])
                part = number * CHOSEN // len(own)  # sentences should disperse in the page
                parts = subsets[value % SUBSETS]
                parts[part] = min(parts.get(part, (value, size)), (value, size))
        for subset, parts in subsets.items():
            found.add((turn, subset, projected(list(parts.values()))))
    return found


def perhaps_similar(pages: Sequence[str], fingerprint: Fingerprint) -> list[set[int]]:
    """Merge lists of the same representative; then, from the largest on, those that it has in a list."""
    signed = [signatures(page, fingerprint) for page in pages]
    lists: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    for page, own in enumerate(signed):
        for signature in own:
            lists[signature].add(page)
    by_first: dict[tuple[int, int], set[int]] = defaultdict(set)
    for members in lists.values():
        by_first[min((-len(signed[page]), page) for page in members)] |= members
    sets: list[set[int]] = []
    for first in sorted(by_first):
        earlier = next((own for own in sets if first[1] in own), None)
        if earlier is None:
            sets.append(by_first[first])
        else:
            earlier |= by_first[first]
    return sets


def sketch(own: str, other: str) -> list[int]:
    """Return the places in windows that both have."""
    there = {other[at : at + WINDOW] for at in range(len(other) - WINDOW + 1)}
    starts = [at for at in range(len(own) - WINDOW + 1) if own[at : at + WINDOW] in there]
    return sorted({place for at in starts for place in range(at, at + WINDOW)})


def region(matched: Sequence[int], blocks: int) -> tuple[int, int]:
    """Return the trustable region of a page of which matched[x] is the partner of x, or -1."""
    length, inserted, at = len(matched), [0] * (len(matched) + 1), 0
    for x, partner in enumerate(matched):
        if partner >= 0:
            inserted[x], at = partner - at, partner + 1

    def has_few_edits(x1: int, x2: int) -> bool:
        deleted = sum(matched[x] < 0 for x in range(x1, x2))
        return x1 < x2 and deleted + sum(inserted[x1 + 1 : x2]) <= SLOPE * (x2 - x1)

    cuts = [math.ceil(length * block / blocks) for block in range(blocks + 1)]
    runs = []
    for first, last in ((f, n) for f in range(blocks) for n in range(f, blocks)):
        if has_few_edits(cuts[first], cuts[last + 1]):
            weight = sum(min(b, blocks - 1 - b) + 1 for b in range(first, last + 1))
            runs.append((-weight, last - first, first, last))
    best = [(first, last) for *key, first, last in runs if tuple(key) == min(runs)[:2]]
    extended = []
    for first, last in best:
        x1, x2 = cuts[first], cuts[last + 1]
        x1 = next(x for x in range(cuts[max(first - 1, 0)], x1 + 1) if has_few_edits(x, x2))
        ends = range(cuts[min(last + 2, blocks)], x2 - 1, -1)
        extended.append((x1, next(x for x in ends if has_few_edits(x1, x))))
    return max(extended, key=lambda own: own[1] - own[0], default=(0, 0))


def tlcs(a: str, b: str) -> int:
    """Return the length of the trustable common subsequence, by the edits of the shorter page."""
    a, b = (b, a) if len(b) < len(a) else (a, b)
    in_a, in_b = sketch(a, b), sketch(b, a)
    partners = common_subsequence([ord(a[x]) for x in in_a], [ord(b[y]) for y in in_b])
    matched = [-1] * len(a)
    for x, partner in zip(in_a, partners, strict=True):
        matched[x] = in_b[partner] if partner >= 0 else -1
    regions = (region(matched, blocks) for blocks in BLOCKS)
    begin, end = next((own for own in regions if own[0] < own[1]), (0, 0))
    return sum(partner >= 0 for partner in matched[begin:end])


def near_duplicates(
    pages: Sequence[str], fingerprint: Fingerprint
) -> Iterator[tuple[int, int, float, float]]:
    """Yield pairs with their resemblance and containment; the same page twice is one of them."""
    pairs = {
        pair for own in perhaps_similar(pages, fingerprint) for pair in combinations(sorted(own), 2)
    }
    for one, other in sorted(pairs):
        a, b = (letters("".join(sentences_of(pages[n])))[:LIMIT] for n in (one, other))
        common = tlcs(a, b)
        resemblance, containment = common / (len(a) + len(b) - common), common / min(len(a), len(b))
        if resemblance >= RESEMBLANCE or containment >= CONTAINMENT:
            yield one, other, resemblance, containment
