"""A view of an index has all keys whenever it is taken."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.index.analysis import Analysis
from neardup.index.memory import About, Memory
from neardup.index.postings import MOST_SEGMENTS, Postings
from neardup.index.settings import IndexSettings


@given(batches=st.lists(st.integers(1, 3), max_size=30), asked=st.sets(st.integers(0, 30)))
def test_a_view_has_all_keys_whenever_it_is_taken(batches: list[int], asked: set[int]) -> None:
    memory = Memory(Analysis.of(IndexSettings(signature="winnowing:2,1")), soft=False)
    texts: list[bytes] = []
    for number, count in enumerate(batches):
        docs = np.arange(len(texts), len(texts) + count)
        new = [f"alpha beta gamma delta word{doc}".encode() for doc in docs]
        remembered = memory.analysis.remembered(docs, new)
        texts += new
        memory.add(docs, [About(str(doc)) for doc in docs], new, remembered)
        if number in asked:
            view = memory.view
            assert view.shingles.rows == len(texts)  # of 5 words, one each
            assert len(view.shingles.segments) <= MOST_SEGMENTS + 2
            [whole] = memory.analysis.taken_apart([texts[-1]])[1].values.tolist()
            found = view.shingles.look_up(np.array([whole], np.uint64)).docs.tolist()
            assert found == [len(texts) - 1]


def test_there_are_few_segments_however_documents_come() -> None:
    postings = Postings()
    for number in range(200):
        keys = np.arange(10, dtype=np.uint64) << np.uint64(56)
        docs = np.full(10, number, np.int32)
        postings = postings.with_more(keys, docs).merged(np.zeros(200, np.bool_))
    assert len(postings.segments) <= 8
    assert postings.rows == 2000
