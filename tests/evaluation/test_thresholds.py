"""What judged pairs say of thresholds."""

from pathlib import Path

import numpy as np
import pytest
from tests.evaluation.written import write

import neardup
from neardup.evaluation import SheetScores, judged
from neardup.evaluation.thresholds import percent

WORDS = [f"w{number}" for number in range(40)]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> neardup.Result:
    """Make pairs of texts of which ever fewer words are the same."""
    records = []
    for number in range(30):
        own = [f"{word}-{number}" for word in WORDS]
        changed = [*own[: 40 - number % 8], *(f"x{place}-{number}" for place in range(number % 8))]
        records += [
            {"id": f"a{number:02}", "text": " ".join(own)},
            {"id": f"b{number:02}", "text": " ".join(changed)},
        ]
    return neardup.documents(
        records, output=tmp_path_factory.mktemp("steps") / "out", threshold=0.5, shingle="word:1"
    )


def scores_of(result: neardup.Result, path: Path, right: float, by: str = "") -> SheetScores:
    """Judge all pairs: those are the same that are so similar."""
    pairs = result.pairs.to_pylist()
    labels = ["same" if pair["similarity"] >= right else "different" for pair in pairs]
    lines = [
        f"{pair['id_a']},{pair['id_b']},{label},{by}\n"
        for pair, label in zip(pairs, labels, strict=True)
    ]
    return judged(result, write(path, "left,right,label,drawn_by\n" + "".join(lines)))


def test_the_lowest_threshold_is_advised_beyond_which_enough_is_right(
    tmp_path: Path, result: neardup.Result
) -> None:
    similarity = result.pairs["similarity"].to_numpy()
    found = scores_of(result, tmp_path / "s.csv", 0.78)
    for step in found.steps:  # all were judged: these are no estimates
        beyond = similarity >= step.at
        assert step.pairs == beyond.sum()
        assert step.found.precision == pytest.approx(np.mean(similarity[beyond] >= 0.78))
    best = next(step for step in found.steps if (step.found.precision or 0) >= 0.95)
    assert found.advice is not None
    assert f"Raise the threshold of resemblance to {best.at:.6g}:" in found.advice
    assert f"{best.pairs:,} of {len(similarity):,} remain" in found.advice


def test_nothing_is_advised_that_marks_do_not_say(tmp_path: Path, result: neardup.Result) -> None:
    assert "may stay" in str(scores_of(result, tmp_path / "all.csv", 0).advice)
    assert "No other threshold helps" in str(scores_of(result, tmp_path / "none.csv", 2).advice)
    pair = result.pairs.to_pylist()[0]
    few = write(tmp_path / "few.csv", f"left,right,label\n{pair['id_a']},{pair['id_b']},same\n")
    assert "at least 20" in str(judged(result, few).advice)


def test_shares_are_rounded_down() -> None:
    assert (percent(0.9999), percent(1), percent(0)) == ("99.9 %", "100 %", "0.0 %")
