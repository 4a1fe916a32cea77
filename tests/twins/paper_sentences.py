"""The paper on sentences as somebody reads it who has nothing else: sets and loops, for ASCII."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from tests.twins.sentences import edit_distance

Function = Callable[[str], int]  # of the family: a hash of a shingle
Signature = tuple[int, ...]
DISTANCE = 0.25  # e, of the longer sentence: the paper does not say of which


def shingles(sentence: str, length: int) -> set[str]:
    """Take runs of characters: which count is not said, here lower-case words with one space between."""
    plain = " ".join(re.findall("[a-z0-9]+", sentence.lower()))
    return {plain[at : at + length] for at in range(max(len(plain) - length, 0) + 1)}


def signatures(sentence: str, family: Sequence[Function], rows: int, length: int) -> set[Signature]:
    """Take the least hash of each function, and `rows` functions a signature."""
    own = shingles(sentence, length)
    least = [min(map(function, own)) for function in family]
    return {(first, *least[first : first + rows]) for first in range(0, len(least), rows)}


def connected(buckets: Iterable[set[int]]) -> list[set[int]]:
    """Merge what has a sentence in common: each set that is left is a component."""
    found: list[set[int]] = []
    for bucket in buckets:
        touched = [own for own in found if own & bucket]
        found = [own for own in found if not own & bucket] + [bucket.union(*touched)]
    return found


def clusters(signed: Sequence[set[Signature]]) -> list[set[int]]:
    """Return the components of sentences of which two share a signature."""
    buckets: dict[Signature, set[int]] = defaultdict(set)
    for sentence, own in enumerate(signed):
        for signature in own:
            buckets[signature].add(sentence)
    return connected(own for own in buckets.values() if len(own) > 1)


def similar(sentences: Sequence[str], cluster: set[int]) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs inside a cluster within the distance."""
    for a, b in combinations(sorted(cluster), 2):
        one, other = sentences[a], sentences[b]
        distance = edit_distance(one, other) / max(len(one), len(other))
        if distance <= DISTANCE:
            yield a, b, distance
