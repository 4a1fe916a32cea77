"""The kernel for lists with near-duplicates, held against the obvious."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.retrieval.duplicates import NearPairs

EDGES = st.dictionaries(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] < pair[1]),
    st.sampled_from([0.5, 0.7, 0.9]),
)


@given(EDGES, st.lists(st.integers(0, 9), unique=True), st.sampled_from([0.5, 0.7, 0.9]))
def test_who_stays_and_who_is_alike(
    edges: dict[tuple[int, int], float], docs: list[int], least: float
) -> None:
    a, b = (np.array([pair[side] for pair in edges], np.int64) for side in (0, 1))
    near = NearPairs(10, a, b, np.array(list(edges.values()), np.float64), 0.5).at(least)

    def alike(one: int, other: int) -> bool:
        return edges.get((min(one, other), max(one, other)), 0) >= least

    keepers: list[int] = []
    for place, own in enumerate(docs):
        before = [k for k in range(place) if keepers[k] < 0 and alike(own, docs[k])]
        keepers.append(before[0] if before else -1)
    partners = [
        next((k for k, other in enumerate(docs) if k != place and alike(own, other)), len(docs))
        for place, own in enumerate(docs)
    ]
    for _ in range(2):  # nothing of a list is left for the next one
        found = near.meet(np.array(docs, np.int64))
        assert [column.tolist() for column in found] == [keepers, partners]
