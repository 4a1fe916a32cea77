"""Where cuts of cut texts lie in the texts as they were read."""

import string
from itertools import pairwise

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from neardup.cleaning.located import PLACES, locate
from neardup.results.cutting import without

TEXT = string.ascii_letters


@st.composite
def apart(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Choose places in a text that do not overlap; some touch."""
    edges = sorted(draw(st.sets(st.integers(0, len(TEXT)), min_size=0, max_size=10)))
    return [place for place in pairwise(edges) if draw(st.booleans())]


@given(apart(), st.integers(0, 51), st.integers(1, 20), st.integers(0, 5), st.integers(0, 5))
def test_what_is_cut_of_a_rest_is_the_same_text_of_the_whole(
    earlier: list[tuple[int, int]], start: int, size: int, before: int, behind: int
) -> None:
    rest = without(TEXT, earlier)
    wanted = rest[start : start + size]
    if not wanted:
        return
    before = min(before, len(wanted) - 1)
    behind = min(behind, len(wanted) - 1 - before)
    rows = [(7, a, b, 0, 0, 0, 0, 0, 0, 1, 0.0) for a, b in earlier]
    rows.append((7, start, start + len(wanted), 3, 4, 5, before, behind, 0, 0, 1.0))
    rows = [rows[i] for i in np.random.default_rng(size).permutation(len(rows))]
    batch = pa.RecordBatch.from_pylist(
        [dict(zip(PLACES.names, row, strict=True)) for row in rows], PLACES
    )
    found = locate(True, batch, {}).to_pylist()
    pieces = sorted((row["start_at"], row["end_at"]) for row in found)
    assert "".join(TEXT[a:b] for a, b in pieces) == wanted
    assert without(TEXT, [*earlier, *pieces]) == rest[:start] + rest[start + len(wanted) :]
    assert {(row["other"], row["other_start"], row["similarity"]) for row in found} == {(3, 4, 1.0)}
    core = set(wanted[before : len(wanted) - behind])
    for row in found:
        assert row["blank"] == (not core & set(TEXT[row["start_at"] : row["end_at"]]))
    [whole] = locate(False, batch, {}).to_pylist()
    assert (whole["start_at"], whole["end_at"]) == (pieces[0][0], pieces[-1][1])
