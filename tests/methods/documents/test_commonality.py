"""Shingles that too many documents have are taken out of all sets, and what is left is compared."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

import neardup
from neardup.errors import SettingsError
from neardup.methods.documents.commonality import ONLY_COMMON
from neardup.methods.documents.settings import Candidates, Measure


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[at : at + 5]) for at in range(len(words) - 4)}


def corpus() -> dict[str, str]:
    """Return families of texts, all with the same boilerplate, and one text that is nothing else."""
    rng = random.Random(4)
    words = [f"w{number}" for number in range(400)]
    boilerplate = " ".join(rng.choices(words, k=40))
    texts = {"all": boilerplate}
    for family in range(6):
        own = rng.choices(words, k=30)
        for member in range(3):
            edited = [rng.choice(words) if rng.random() < 0.04 else word for word in own]
            texts[f"{family}-{member}"] = f"{boilerplate} {' '.join(edited)}"
    return texts


@pytest.mark.parametrize("most", [0, 2, 3, 10])
@pytest.mark.parametrize("candidates", ["exact", "minhash"])
def test_resemblance_is_that_of_what_is_left(most: int, candidates: Candidates) -> None:
    texts = corpus()
    counts = Counter(shingle for text in texts.values() for shingle in shingles(text))
    left = {
        own: {shingle for shingle in shingles(text) if not most or counts[shingle] <= most}
        for own, text in texts.items()
    }
    expected = {
        (a, b): len(left[a] & left[b]) / len(left[a] | left[b])
        for a, b in combinations(texts, 2)
        if left[a] and left[b] and len(left[a] & left[b]) >= 0.4 * len(left[a] | left[b])
    }
    records = [{"id": own, "text": text} for own, text in texts.items()]
    found = neardup.documents(records, threshold=0.4, max_shared=most, candidates=candidates)
    rows = {(row["id_a"], row["id_b"]): row["similarity"] for row in found.pairs.to_pylist()}
    if candidates == "exact":
        assert rows and rows == pytest.approx(expected)
    assert all(rows[pair] == pytest.approx(expected[pair]) for pair in rows)
    skipped = [row["problem"] for row in found.skipped.to_pylist()]
    assert skipped == ([ONLY_COMMON] * sum(not own for own in left.values()))


@pytest.mark.parametrize("most", [2, 3, 10])
@pytest.mark.parametrize("candidates", ["exact", "minhash"])
@pytest.mark.parametrize("measure", ["resemblance", "containment"])
def test_the_threshold_of_the_thesis_keeps_sizes_and_invents_no_pair(
    most: int, candidates: Candidates, measure: Measure
) -> None:
    if candidates != "exact" and measure == "containment":
        return
    texts = corpus() | {"again": corpus()["2-1"].upper(), "alone": "no text of these has it " * 3}
    texts["alone too"] = texts["alone"]
    sets = {own: shingles(text.lower()) for own, text in texts.items()}
    counts = Counter(shingle for own in sets.values() for shingle in own)

    def alike(a: str, b: str, most: float) -> float:
        common = sum(counts[shingle] <= most for shingle in sets[a] & sets[b])
        if measure == "containment":
            return max(common / len(sets[a]), common / len(sets[b]))
        return common / (len(sets[a]) + len(sets[b]) - common)

    pairs = list(combinations(texts, 2))
    expected = {pair: alike(*pair, most) for pair in pairs if alike(*pair, most) >= 0.2}
    whole = {pair for pair in pairs if alike(*pair, float("inf")) >= 0.2}
    assert expected and expected.keys() <= whole
    records = [{"id": own, "text": text} for own, text in texts.items()]
    chosen: dict[str, Any] = {"max_shared": most, "candidates": candidates, "measure": measure}
    found = neardup.documents(records, threshold=0.2, rule="paper", **chosen)
    rows = {(row["id_a"], row["id_b"]): row["similarity"] for row in found.pairs.to_pylist()}
    assert rows.items() <= expected.items()
    assert candidates == "minhash" or rows == expected
    assert not found.skipped.num_rows and found.counts["documents"] == len(texts)


def test_a_threshold_of_one_document_makes_no_sense() -> None:
    with pytest.raises(SettingsError, match="max_shared must be 0 or at least 2"):
        neardup.documents(["a", "b"], max_shared=1)
