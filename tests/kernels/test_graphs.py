"""Clusters and alignments, each against its twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import twins

from neardup.kernels.alignment import matching_runs
from neardup.kernels.graphs import grouping

NODES = 10
EDGES = st.dictionaries(
    st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)).filter(lambda e: e[0] > e[1]),
    st.sampled_from([0.7, 0.8, 0.9, 1.0]),
    max_size=25,
)


@pytest.mark.parametrize(
    ("kind", "twin"), [("star", twins.star_clusters), ("components", twins.components)]
)
@given(edges=EDGES, cut=st.integers(0, 25))
def test_groupings(kind: str, twin: object, edges: dict[tuple[int, int], float], cut: int) -> None:
    rows = [(a, b, s) for (a, b), s in sorted(edges.items())]
    found = grouping(kind, NODES)  # type: ignore[arg-type]
    for part in (rows[:cut], rows[cut:]):
        columns = zip(*part, strict=True) if part else ((), (), ())
        worse, better, similarity = columns
        found.add(np.array(worse, np.int64), np.array(better, np.int64), np.array(similarity, float))
    keepers, similarities = found.finish()
    assert list(zip(keepers.tolist(), similarities.tolist(), strict=True)) == twin(NODES, edges)  # type: ignore[operator]


TOKENS = st.lists(st.integers(1, 4), max_size=30)


@given(TOKENS, TOKENS, st.integers(1, 5))
def test_runs_are_equal_maximal_and_in_order(a: list[int], b: list[int], width: int) -> None:
    runs = matching_runs(np.array(a, np.uint64), np.array(b, np.uint64), width).tolist()
    covered: set[int] = set()
    end = 0
    for i, j, n in runs:
        assert n >= width
        assert a[i : i + n] == b[j : j + n]
        assert a[i + n : i + n + 1] != b[j + n : j + n + 1] or i + n == len(a) or j + n == len(b)
        assert i >= end
        end = i + n
        covered |= set(range(i, i + n))
    places = {tuple(b[j : j + width]) for j in range(len(b) - width + 1)}
    for i in range(len(a) - width + 1):
        if tuple(a[i : i + width]) in places:
            assert i in covered
