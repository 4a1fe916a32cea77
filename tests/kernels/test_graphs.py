"""Clusters, each kind against its twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import documents as twins

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
