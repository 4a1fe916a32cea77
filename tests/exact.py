"""Compares exact runs of `documents` with all pairs of all texts: python -m tests.exact 500.

Texts, shingles, thresholds, measures, memory, workers, order and what is old are drawn by chance. A run
whose pairs or similarities are not those of brute force is shown with what it needs to be made again.
"""

import random
import sys
from collections import Counter
from typing import Any

from tests.twins import documents as twins

import neardup

Pairs = dict[tuple[int, int], float]
LETTERS = ("abcdefgh", "äöüßéñ", "абвгд", "漢字検索文", "αβγσς", "กขค")


def corpus(pick: random.Random) -> list[str]:
    """Return texts of which many are copies of others, edited, cut, joined or shuffled."""
    letters = pick.choice(LETTERS) + pick.choice(LETTERS)
    size = pick.choice((8, 60, 2_000))
    words = ["".join(pick.choices(letters, k=pick.randint(1, 9))) for _ in range(size)]
    texts: list[str] = []
    for _ in range(pick.randint(2, 120)):
        own = pick.choices(words, k=pick.choice((0, 1, 3, 12, 40, 150)))
        if texts and pick.random() < 0.7:
            own = pick.choice(texts).split()
            for _ in range(pick.randint(0, 1 + len(own) // 8)):
                at = pick.randrange(len(own) + 1)
                own[at : at + pick.randint(0, 1)] = pick.choices(words, k=pick.randint(0, 2))
            if own and pick.random() < 0.3:
                at = pick.randrange(len(own))
                own = pick.choice((own[:at], own[at:], own + own[:at], own[at:] + own[:at]))
        texts.append(pick.choice((" ", "  ", ", ", "\n")).join(own))
    return texts


def drawn(pick: random.Random) -> dict[str, Any]:
    """Return settings of an exact run."""
    shingle = pick.choice((f"word:{pick.randint(1, 9)}", f"char:{pick.choice((2, 5, 9, 20, 64))}"))
    return {
        "shingle": shingle,
        "threshold": pick.choice((round(pick.uniform(0.02, 1), 3), 0.5, 1.0)),
        "measure": pick.choice(("resemblance", "containment")),
        "workers": pick.choice((1, 1, 2)),
        "memory": pick.choice(("64MB", "256MB")),
    }


def expected(texts: list[str], chosen: dict[str, Any], first: int) -> Pairs:
    """Return the pairs of brute force, of which the later one is number `first` or behind."""
    kind, _, width = chosen["shingle"].partition(":")
    shingles = twins.word_shingles if kind == "word" else twins.character_shingles
    sets = [set(shingles(text, int(width))) for text in texts]
    pairs = twins.brute_force(sets, chosen["threshold"], chosen["measure"])
    return {pair: similarity for pair, similarity in pairs.items() if pair[1] >= first}


def found(texts: list[str], chosen: dict[str, Any], first: int) -> Pairs:
    """Return the pairs of a run; the texts before number `first` are those that it compares with."""
    rows = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    old: dict[str, Any] = {"against": rows[:first]} if first else {}
    result = neardup.documents(rows[first:], **old, **chosen)
    ids = [int(name) for name in result.documents["id"].to_pylist()]
    pairs: Pairs = {}
    for row in result.pairs.select(["doc_a", "doc_b", "similarity"]).to_pylist():
        a, b = sorted((ids[row["doc_a"]], ids[row["doc_b"]]))
        pairs[a, b] = row["similarity"]
    return pairs


def tried(runs: int, seed: int) -> Counter[str]:
    """Try so many runs and return how many were as expected, and what was compared."""
    tally: Counter[str] = Counter()
    for number in range(runs):
        pick = random.Random(f"{seed} {number}")
        texts, chosen = corpus(pick), drawn(pick)
        first = pick.choice((0, 0, pick.randrange(len(texts))))
        if not all(
            any(text.split() for text in part) for part in (texts[first:], texts[:first] or texts)
        ):
            continue  # nothing to compare is an error
        wanted, got = expected(texts, chosen, first), found(texts, chosen, first)
        tally.update(runs=1, texts=len(texts), pairs=len(wanted), wrong=got != wanted)
        if got != wanted:
            differ = sorted(got.items() ^ wanted.items())[:3]
            sys.stdout.write(f"WRONG: seed {seed}, run {number}, {chosen}, first {first}: {differ}\n")
    return tally


if __name__ == "__main__":
    tally = tried(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    sys.stdout.write(f"{dict(tally)}\n")
    sys.exit(tally["wrong"] > 0)
