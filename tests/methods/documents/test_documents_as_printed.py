"""documents --preset paper, held against a plain reading of the thesis."""

import random

import pytest
from tests.twins import papers

import neardup


@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_those_of_the_thesis(seed: int) -> None:
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices("abcdefgh", k=rng.randrange(1, 12))) for _ in range(200)]
    texts = [" ".join(rng.choices(vocabulary, k=rng.randrange(3, 120))) for _ in range(12)]
    for text in list(texts):
        for changed in (1, 2, 4, 7):
            own = text.split()
            for _ in range(changed):
                own[rng.randrange(len(own))] = rng.choice(vocabulary).capitalize() + ","
            cut = rng.randrange(len(own) // 3 + 1)
            texts.append(" ".join(own[cut:]))
    expected = papers.near_duplicates(texts)
    rows = neardup.documents(texts, preset="paper").pairs.to_pylist()
    assert {(row["doc_a"], row["doc_b"]) for row in rows} == expected
    assert len(expected) > 8
    sets = [papers.shingles_of_64(text) for text in texts]
    for row in rows:
        one, other = sets[row["doc_a"]], sets[row["doc_b"]]
        assert row["similarity"] == pytest.approx(len(one & other) / len(one | other))
