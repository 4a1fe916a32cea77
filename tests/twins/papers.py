"""The papers as somebody reads them who has nothing else: plain strings, sets and loops, for ASCII."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

Run = tuple[int, int, int, int, int]  # two documents, the first sentence in each, and how many


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def shingles_of_64(text: str) -> set[str]:
    """Take 64 characters from the beginning of each word, as chapter 3 of the thesis says."""
    plain = " ".join(words(text))
    starts = [found.start() for found in re.finditer(r"\S+", plain)]
    return {plain[at : at + 64] for at in starts if at + 64 <= len(plain)} or {plain}


def near_duplicates(texts: Sequence[str], least: float = 0.5) -> set[tuple[int, int]]:
    sets = [shingles_of_64(text) for text in texts]
    near = (
        (a, b)
        for a, b in combinations(range(len(sets)), 2)
        if len(sets[a] & sets[b]) / len(sets[a] | sets[b]) >= least
    )
    return set(near)


def imatch_keys(documents: Sequence[Sequence[str]]) -> list[list[frozenset[str]]]:
    """Keep the words of each sentence with a normalised idf from 0.1 to 1.0."""
    count = len(documents)
    having = Counter(word for own in documents for word in {w for s in own for w in words(s)})
    idf = {word: math.log(count / n) / math.log(count) for word, n in having.items()}
    kept = {word for word, value in idf.items() if 0.1 <= value <= 1.0}
    return [[frozenset(words(sentence)) & kept for sentence in own] for own in documents]


def printed_runs(documents: Sequence[Sequence[str]], least: int = 3) -> Iterator[Run]:
    """Yield the diagonals in the matrix of sentences of which the signatures are the same."""
    keys = imatch_keys(documents)
    for a, b in combinations(range(len(documents)), 2):
        cells = {(i, j) for i, x in enumerate(keys[a]) for j, y in enumerate(keys[b]) if x and x == y}
        for i, j in sorted(cells):
            length = 0
            while (i + length, j + length) in cells:
                length += 1
            if (i - 1, j - 1) not in cells and length >= least:
                yield a, b, i, j, length


Thread = Mapping[str, str | None]
WEIGHTS = {"title": 0.4, "body": 0.2, "answer": 0.4}  # of equation 4


def runs_of_3(text: str | None) -> set[tuple[str, ...]]:
    """Take runs of three words; a text of fewer is one run, one that is missing has none."""
    own = words(text or "")
    return {tuple(own[at : at + 3]) for at in range(max(len(own) - 2, 1))} if own else set()


def similar_threads(threads: Sequence[Thread], least: float = 0.5) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs to which equation 4 gives so much."""
    sets = [{name: runs_of_3(thread.get(name)) for name in WEIGHTS} for thread in threads]
    for a, b in combinations(range(len(sets)), 2):
        fields = [(weight, sets[a][name], sets[b][name]) for name, weight in WEIGHTS.items()]
        similarity = sum(weight * len(x & y) / max(len(x | y), 1) for weight, x, y in fields)
        if round(similarity, 9) >= least:
            yield a, b, similarity
