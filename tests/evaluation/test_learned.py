"""Logistic regression, held against a search that knows no derivatives."""

import math

import numpy as np
import pytest

from neardup.evaluation.learned import PENALTY, features, fitted, likely


def loss(rows: list[list[float]], right: list[bool], weights: list[float]) -> float:
    """Say it again, slowly."""
    found = PENALTY / 2 * sum(w * w for w in weights[1:])
    for row, label in zip(rows, right, strict=True):
        sure = 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, row, strict=True))))
        found -= math.log(sure if label else 1 - sure)
    return found


def test_no_step_in_any_direction_is_better() -> None:
    rng = np.random.default_rng(1)
    scores = np.where(rng.random((60, 2)) < 0.1, -1, rng.random((60, 2)))
    right = scores.sum(axis=1) + rng.random(60) > 1.4
    known = features(scores)
    weights = fitted(known, right).tolist()
    best = loss(known.tolist(), right.tolist(), weights)
    for at in range(len(weights)):
        for step in (-0.01, 0.01):
            other = [w + step * (n == at) for n, w in enumerate(weights)]
            assert loss(known.tolist(), right.tolist(), other) > best - 1e-9


@pytest.mark.parametrize("label", [True, False])
def test_labels_of_one_kind_are_learned_too(label: bool) -> None:
    known = features(np.array([[0.5], [0.9], [-1.0]]))
    sure = likely(known, fitted(known, np.full(3, label)))
    assert ((sure > 0.9) == label).all() and np.isfinite(sure).all()
