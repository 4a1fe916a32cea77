"""Real documents: exact candidates find every pair that brute force finds."""

import xml.etree.ElementTree as ElementTree
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from tests.quality import DATA

import neardup
from neardup.signatures.shingles import Shingles

BODIES = ("2", "5", "8")  # PostHistoryTypeId: a post's first body, an edit of it, a rollback
COUNT = 2000
SHINGLE = "word:3"
Pairs = dict[tuple[str, str], float]


@pytest.fixture(scope="module")
def posts() -> list[dict[str, str]]:
    """Return the bodies of posts in all their revisions."""
    files = sorted(DATA.glob("stackexchange/*/PostHistory.xml"))
    if not files:
        pytest.skip("no dump of Stack Exchange here: name a folder that has some with NEARDUP_DATA")
    found = []
    for path in files:
        for _, row in ElementTree.iterparse(path):
            if row.get("PostHistoryTypeId") in BODIES and (row.get("Text") or "").strip():
                found.append({"id": f"{path.parent.name}-{row.get('Id')}", "text": row.get("Text", "")})
    assert len(found) >= COUNT
    return found[:: len(found) // COUNT][:COUNT]


@pytest.fixture(scope="module")
def sets(posts: list[dict[str, str]]) -> list[set[int]]:
    """Return the set of shingles of each post."""
    texts = pa.array([post["text"] for post in posts], pa.large_string())
    found = Shingles.parse(SHINGLE).of(texts)
    values, bounds = found.values.tolist(), found.bounds.tolist()
    return [set(values[bounds[i] : bounds[i + 1]]) for i in range(len(posts))]


def brute_force(sets: list[set[int]], ids: list[str], measure: str, threshold: float) -> Pairs:
    """Compare each set with all that come later and have anything in common with it."""
    owners: dict[int, list[int]] = {}
    for number, values in enumerate(sets):
        for value in values:
            owners.setdefault(value, []).append(number)
    found: Pairs = {}
    for a, values in enumerate(sets):
        common = Counter(b for value in values for b in owners[value] if b > a)
        for b, count in common.items():
            if measure == "resemblance":
                similarity = count / (len(values) + len(sets[b]) - count)
            else:
                similarity = max(count / len(values), count / len(sets[b]))
            if similarity >= threshold:
                found[ids[a], ids[b]] = similarity
    return found


@pytest.mark.parametrize(
    ("measure", "threshold"), [("resemblance", 0.5), ("resemblance", 0.7), ("containment", 0.8)]
)
def test_exact_candidates_find_every_pair_that_brute_force_finds(
    measure: Any, threshold: float, posts: list[dict[str, str]], sets: list[set[int]]
) -> None:
    result = neardup.documents(posts, measure=measure, threshold=threshold, shingle=SHINGLE)
    assert result.counts["keys_too_common"] == 0
    rows = result.pairs.to_pylist()
    found = {(row["id_a"], row["id_b"]): row["similarity"] for row in rows}
    expected = brute_force(sets, [post["id"] for post in posts], measure, threshold)
    assert len(expected) > 500
    assert found == expected


@pytest.mark.parametrize(("candidates", "least"), [("sampled", 0.95), ("minhash", 0.8)])
def test_cheap_candidates_find_most_pairs_and_no_others(
    candidates: Any, least: float, posts: list[dict[str, str]], sets: list[set[int]]
) -> None:
    result = neardup.documents(posts, threshold=0.7, shingle=SHINGLE, candidates=candidates)
    found = {(row["id_a"], row["id_b"]): row["similarity"] for row in result.pairs.to_pylist()}
    expected = brute_force(sets, [post["id"] for post in posts], "resemblance", 0.7)
    assert found.items() <= expected.items()
    assert len(found) >= least * len(expected)
