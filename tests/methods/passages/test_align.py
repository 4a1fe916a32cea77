"""Alignment: how pairs of documents are cut into pieces of which few words are copied."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from neardup.engines.local.lookup import BatchLookup
from neardup.kernels.lists import Lists
from neardup.methods.passages.align import HITS, pieces

SIZES = [0, 3, 5, 8, 20]  # words of each document
MASKED = [False, True, True, False, True]  # a part of it is common
MOST = 25
DOCS = st.integers(0, len(SIZES) - 1)


class Sizes(BatchLookup):
    """Knows how many words documents have."""

    def __init__(self) -> None:
        super().__init__([])

    def lists(self, column: str, docs: npt.NDArray[np.int64]) -> Lists:
        assert column == "words"
        return Lists(docs, np.array(SIZES, np.int32)[docs])


def copied(pairs: list[tuple[int, int]]) -> int:
    """Return the words of the masked texts of some pairs, each counted once a side."""
    sides = [{doc for doc in docs if MASKED[doc]} for docs in zip(*pairs, strict=True)]
    return sum(SIZES[doc] for docs in sides for doc in docs)


@given(st.lists(st.tuples(DOCS, DOCS), max_size=30).map(sorted))
def test_pieces_are_as_long_as_what_is_copied_once_allows(pairs: list[tuple[int, int]]) -> None:
    rows = [
        {"a": a, "b": b, "hits": [], "common_a": [0, 1] * MASKED[a], "common_b": [0, 1] * MASKED[b]}
        for a, b in pairs
    ]
    batch = pa.RecordBatch.from_pylist(rows, schema=HITS)
    found = list(pieces(batch, Sizes(), MOST))
    assert pa.Table.from_batches(found) == pa.Table.from_batches([batch])
    taken = 0
    for piece in found:
        own = pairs[taken : taken + piece.num_rows]
        taken += piece.num_rows
        assert len(own) <= 1 or copied(own) <= MOST
        assert taken == len(pairs) or copied([*own, pairs[taken]]) > MOST
