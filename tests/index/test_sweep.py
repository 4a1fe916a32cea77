"""Sweeps over the keys of an index: whatever a text is like is found, and little else."""

from pathlib import Path

import numpy as np
import pytest
from tests.corpora import prose, replaced
from tests.index.building import built, named

from neardup.index.online import Index
from neardup.index.sweep import Sweep
from neardup.methods.documents.settings import Measure


def words(text: str) -> set[tuple[str, ...]]:
    own = text.lower().replace(".", " ").split()
    return {tuple(own[at : at + 5]) for at in range(max(len(own) - 4, 1))}


def likeness(a: str, b: str, measure: Measure) -> float:
    """Return how alike two texts are, the slow and obvious way."""
    one, other = words(a), words(b)
    whole = len(one | other) if measure == "resemblance" else min(len(one), len(other))
    return len(one & other) / whole


def grown_index(path: Path, texts: list[str]) -> Index:
    """Return an index of texts in two segments and in none, one of which was removed."""
    with built(path, texts[:20]) as index:
        index.add([{"id": "gone", "text": texts[0]}])
        index.remove(["gone"])
    with Index(path) as index:
        index.add(named(texts)[20:40])
    index = Index(path)
    index.add(named(texts)[40:])
    return index


@pytest.mark.parametrize("measure", ["resemblance", "containment"])
@pytest.mark.parametrize("threshold", [0.3, 0.7, 1.0])
def test_a_sweep_finds_all_that_texts_are_like(
    threshold: float, measure: Measure, tmp_path: Path
) -> None:
    texts = [prose(60, n) for n in range(40)] + [prose(60, n)[:200] for n in range(10)]
    new = [replaced(texts[n], every) for n in (1, 5, 25, 45) for every in (5, 9, 20, 10**6)]
    new += [f"{prose(40, 90)} {texts[3]}", prose(60, 91), texts[7][:90], ""]
    with grown_index(tmp_path / "i.neardup", texts) as index:
        view = index.search.contents.view
        assert len(view.parts) == 3
        sweep = Sweep(view, index.analysis, threshold, measure)
        found = sweep.documents([[own.encode() for own in new[at : at + 5]] for at in range(0, 25, 5)])
        numbers = {doc: text.decode() for doc, text in view.texts()}
    expected = {
        doc
        for doc, text in numbers.items()
        if any(likeness(text, own, measure) >= threshold for own in new if own)
    }
    assert expected <= set(found.tolist()) <= set(numbers)
    if threshold == 1:
        assert np.array_equal(found, sorted(expected))
    elif measure == "containment":
        assert len(found) <= len(expected) + 2


def test_a_sweep_over_nothing_finds_nothing(tmp_path: Path) -> None:
    with Index.build(tmp_path / "i.neardup") as index:
        sweep = Sweep(index.search.contents.view, index.analysis, 0.5, "resemblance")
        assert not len(sweep.documents([[b"one two three four five six"], [b""]]))
        assert not len(sweep.documents([]))
