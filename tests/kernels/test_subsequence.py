"""The longest common subsequence against the table of all lengths, and against another library."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq
from tests.twins import regions as twins

from neardup.kernels.subsequence import common_subsequence


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Draw two runs of codes, often one that is the other with some of it moved."""
    kinds = draw(st.integers(1, 12))
    numbers = st.lists(st.integers(0, kinds - 1), max_size=150)
    a = draw(numbers)
    b = list(a) if draw(st.booleans()) else draw(numbers)
    for _ in range(draw(st.integers(0, 4)) if b else 0):
        b.insert(draw(st.integers(0, len(b))), b.pop(draw(st.integers(0, len(b) - 1))))
    known = sorted({*a, *b})
    return [known.index(n) for n in a], [known.index(n) for n in b]


@given(runs())
def test_a_longest_common_subsequence_is_found(drawn: tuple[list[int], list[int]]) -> None:
    a, b = drawn
    found = common_subsequence(np.array(a, np.int64), np.array(b, np.int64)).tolist()
    assert found == twins.common_subsequence(a, b)
    assert sum(partner >= 0 for partner in found) == LCSseq.similarity(a, b)
