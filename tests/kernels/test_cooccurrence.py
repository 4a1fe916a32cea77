"""Common values of all pairs of sets, held against counting with Python's own sets."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.evaluation.sampling import corpus_of
from neardup.kernels.cooccurrence import places_of_sets, resembling

SETS = st.lists(st.sets(st.integers(1, 20), min_size=1), min_size=2, max_size=8)


@given(SETS, st.integers(1, 3), st.sampled_from([0.1, 0.5, 1.0]))
def test_all_pairs_are_compared(sets: list[set[int]], workers: int, least: float) -> None:
    corpus = corpus_of([np.array(sorted(values), np.uint64) for values in sets])
    ends = np.repeat(corpus.bounds[1:], corpus.frequencies)
    places, starts = places_of_sets(corpus.members, len(sets))
    parts = [
        resembling(corpus.members, ends, places, starts, corpus.sizes, least, first, workers)
        for first in range(workers)
    ]
    found = sorted(
        (int(a), int(b)) for left, right, _ in parts for a, b in zip(left, right, strict=True)
    )
    rates = {
        (a, b): len(sets[a] & sets[b]) / len(sets[a] | sets[b])
        for a, b in combinations(range(len(sets)), 2)
    }
    assert found == [pair for pair, rate in rates.items() if rate >= least]
    best = np.maximum.reduce([part[2] for part in parts])
    for number in range(len(sets)):
        assert best[number] == pytest.approx(max(rate for pair, rate in rates.items() if number in pair))


@given(st.lists(st.integers(0, 5)))
def test_places_of_sets(members: list[int]) -> None:
    places, starts = places_of_sets(np.array(members, np.int32), 6)
    for number in range(6):
        own = places[starts[number] : starts[number + 1]].tolist()
        assert own == [i for i, member in enumerate(members) if member == number]


@given(SETS)
def test_turning_sets_around(sets: list[set[int]]) -> None:
    corpus = corpus_of([np.array(sorted(values), np.uint64) for values in sets])
    lists = np.split(corpus.members, corpus.bounds[1:-1])
    found = {int(key): own.tolist() for key, own in zip(corpus.keys, lists, strict=False)}
    owners = {v: [i for i, s in enumerate(sets) if v in s] for v in set().union(*sets)}
    assert found == {value: own for value, own in owners.items() if len(own) > 1}
