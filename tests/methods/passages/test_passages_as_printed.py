"""passages --preset paper, held against a plain reading of the paper."""

import random

import pytest
from tests.twins import papers

import neardup


def written(seed: int) -> list[list[str]]:
    """Documents that took over runs of sentences, some with another word that all documents have."""
    rng = random.Random(seed)
    vocabulary = [
        f"{a}{b}" for a in ("ka", "lo", "mi", "tu") for b in ("ran", "pel", "dor", "ven", "sti")
    ]
    rare = [f"{word}{n}" for word in vocabulary for n in range(30)]

    def sentence() -> str:
        own = [*rng.sample(rare, 6), *rng.sample(vocabulary, 4)]
        return f"The {' '.join(own)} was the {rng.choice(vocabulary)}."

    documents = [[sentence() for _ in range(rng.randrange(8, 14))] for _ in range(12)]
    for _ in range(14):
        source, target = rng.sample(documents, 2)
        size = rng.randrange(1, 7)
        at, first = rng.randrange(len(target) + 1), rng.randrange(len(source) - size + 1)
        copies = [own for own in source[first : first + size] if own not in target]
        changed = [
            own.replace("was the", "was was the") if rng.random() < 0.2 else own for own in copies
        ]
        target[at:at] = changed
    return documents


@pytest.mark.parametrize("seed", range(4))
def test_runs_are_those_of_the_paper(seed: int) -> None:
    documents = written(seed)
    texts = [" ".join(own) for own in documents]
    expected = {
        (
            a,
            b,
            *(tuple(papers.words(" ".join(documents[d][at : at + size]))) for d, at in ((a, i), (b, j))),
        )
        for a, b, i, j, size in papers.printed_runs(documents)
    }
    found = {
        (
            row["doc_a"],
            row["doc_b"],
            *(
                tuple(papers.words(texts[row[f"doc_{s}"]][row[f"start_{s}"] : row[f"end_{s}"]]))
                for s in "ab"
            ),
        )
        for row in neardup.passages(texts, preset="paper").passages.to_pylist()
    }
    assert found == expected
    assert len(expected) >= 4
