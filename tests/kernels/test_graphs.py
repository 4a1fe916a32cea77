"""Clusters, each kind against its twin."""

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import documents as twins

from neardup.kernels import graphs
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


@pytest.mark.parametrize("kind", ["star", "components"])
def test_edges_that_can_be_written_to_need_no_code_of_their_own(
    kind: Literal["star", "components"],
) -> None:
    """What `neardup warm` compiled for edges of Arrow is enough for those of NumPy."""
    compiled = graphs.add_star_edges if kind == "star" else graphs.add_component_edges
    edges = [np.array([1, 2]), np.array([0, 1]), np.array([0.5, 0.75])]
    for writeable in (False, True):
        for column in edges:
            column.flags.writeable = writeable
        graphs.grouping(kind, 3).add(*edges)
    assert len(compiled.signatures) == 1
