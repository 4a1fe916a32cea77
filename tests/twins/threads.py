"""Readable twins of the kernels for threads: slow, obvious Python."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tests.twins import documents as twins

Thread = Mapping[str, str | None]
Sets = list[set[tuple[int, ...]]]


def words(text: str | None) -> list[int]:
    return [twins.token_hash(text[a:b]) for a, b in twins.token_spans(text)] if text else []


def runs(text: str | None, width: int) -> list[tuple[int, ...]]:
    """Return the runs of so many words; all words, if they are fewer."""
    own = words(text)
    width = min(width, len(own))
    return [tuple(own[i : i + width]) for i in range(len(own) - width + 1)] if own else []


def fingerprint(run: Sequence[int]) -> int:
    """Return the hash of a run of words, as `roll` computes it."""
    state = 0
    for word in run:
        state = (state * twins.BASE + word) & twins.MASK
    return twins.mix(state ^ twins.mix((twins.SEED + len(run)) & twins.MASK))


def winnowed(text: str | None, width: int, window: int) -> set[tuple[int, ...]]:
    """Keep of every `window` neighbouring runs the one with the lowest hash, the last of equal ones."""
    own = runs(text, width)
    hashes = [fingerprint(run) for run in own]
    kept = set()
    for first in range(max(len(own) - window + 1, 1) if own else 0):
        places = range(first, min(first + window, len(own)))
        kept.add(min(places, key=lambda at: (hashes[at], -at)))
    return {own[at] for at in kept}


def boilerplate(threads: Sequence[Sets], most: int) -> Sets:
    """Return for each field what more than so many threads have; nothing for 0."""
    counts = [Counter(run for own in field for run in own) for field in zip(*threads, strict=True)]
    return [{run for run, count in own.items() if most and count > most} for own in counts]


def without(threads: Sequence[Sets], gone: Sets) -> list[Sets]:
    return [[own - out for own, out in zip(thread, gone, strict=True)] for thread in threads]


def jaccard(a: set[tuple[int, ...]], b: set[tuple[int, ...]]) -> float | None:
    """Return nothing for two missing fields, and 0 if one is missing."""
    return len(a & b) / len(a | b) if a or b else None


def containment(a: set[tuple[int, ...]], b: set[tuple[int, ...]]) -> float | None:
    """Return the share of the smaller set that the other has."""
    return len(a & b) / max(min(len(a), len(b)), 1) if a or b else None


def similarity(scores: Sequence[float | None], weights: Sequence[float], scaled: bool = True) -> float:
    """Return the weighted mean of the fields that at least one of two threads has, or of all."""
    both = [(w, s) for w, s in zip(weights, scores, strict=True) if s is not None]
    whole = total = 0.0
    for weight, score in both:
        whole += weight
        total += weight * score
    whole = whole if scaled else 1.0
    return total / whole if whole else 0.0


def brute_force(
    threads: Sequence[Sets],
    weights: Sequence[float],
    threshold: float,
    contained: Sequence[bool] = (False, False, False),
    scaled: bool = True,
) -> dict[tuple[int, int], tuple[float, tuple[float | None, ...]]]:
    found = {}
    measures = [containment if own else jaccard for own in contained]
    for j, b in enumerate(threads):
        for i, a in enumerate(threads[:j]):
            scores = tuple(of(x, y) for of, x, y in zip(measures, a, b, strict=True))
            mean = similarity(scores, weights, scaled)
            if mean >= threshold:
                found[i, j] = (mean, scores)
    return found
