"""Logistic regression over the similarities of fields: how sure one may be that a pair is right.

Beside equation 4, a weighted mean, it knows the products of each two fields and which fields both
threads lack. It is fitted by Newton's method, with a small penalty on large weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from neardup.arrays import Bools, Floats
from neardup.evaluation.quality import Quality

FOLDS = 5
PENALTY = 1.0
MOST_STEPS, HALVINGS = 50, 20
ENOUGH = 1e-8


@dataclass(frozen=True)
class Learned:
    """Logistic regression beside equation 4: both are judged on each of several parts by the others.

    `weights` are those of all pairs.
    """

    weights: dict[str, float]
    quality: Quality
    equation: Quality

    @property
    def gain(self) -> float:
        """Return by how much F1 is higher than that of equation 4."""
        return self.quality.f1 - self.equation.f1

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        both = {"learned": self.quality.as_dict(), "equation_4": self.equation.as_dict()}
        return {"weights": self.weights, **both, "gain": self.gain, "folds": FOLDS}


def feature_names(fields: Sequence[str]) -> Iterator[str]:
    """Yield what the columns of `features` are.

    >>> list(feature_names(["title", "body"]))
    ['always', 'title', 'body', 'title and body', 'no title', 'no body']
    """
    yield from ("always", *fields)
    yield from (f"{one} and {other}" for one, other in combinations(fields, 2))
    yield from (f"no {field}" for field in fields)


def features(scores: Floats) -> Floats:
    """Return what is known of pairs, a row each; a field that both threads lack has a score of -1."""
    there = np.maximum(scores, 0)
    both = [there[:, i] * there[:, j] for i, j in combinations(range(scores.shape[1]), 2)]
    parts = [np.ones(len(scores)), *there.T, *both, *(scores < 0).astype(np.float64).T]
    found: Floats = np.stack(parts, axis=1)
    return found


def fitted(known: Floats, right: Bools) -> Floats:
    """Return the weights under which the labels are likeliest, large ones set aside."""
    penalty = np.full(known.shape[1], PENALTY)
    penalty[0] = ENOUGH  # what holds always costs nothing
    weights = np.zeros(known.shape[1])
    loss = loss_of(known, right, weights, penalty)
    for _ in range(MOST_STEPS):
        sure = likely(known, weights)
        slope = known.T @ (sure - right) + penalty * weights
        bend = (known * (sure * (1 - sure))[:, None]).T @ known + np.diag(penalty)
        step = np.linalg.solve(bend, slope)
        for _ in range(HALVINGS):
            tried = loss_of(known, right, weights - step, penalty)
            if tried <= loss:
                break
            step /= 2
        else:
            break
        weights, loss = weights - step, tried
        if np.abs(step).max() < ENOUGH:
            break
    return weights


def likely(known: Floats, weights: Floats) -> Floats:
    """Return how likely pairs are right."""
    found: Floats = 1 / (1 + np.exp(-np.clip(known @ weights, -500, 500)))
    return found


def loss_of(known: Floats, right: Bools, weights: Floats, penalty: Floats) -> float:
    """Return how unlikely the labels are, and what large weights cost."""
    sides = known @ weights * np.where(right, -1.0, 1.0)
    return float(np.logaddexp(0, sides).sum() + (penalty * weights**2).sum() / 2)
