"""Who has a key, in memory."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.index.postings import Postings
from neardup.store.postings import Tally


@given(lists=st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20))), max_size=6))
def test_postings_say_who_has_a_key(lists: list[list[tuple[int, int]]]) -> None:
    postings = Postings()
    for rows in lists:
        keys = np.array([(key << 60) + key for key, _ in rows], np.uint64)
        postings = postings.with_more(keys, np.array([doc for _, doc in rows], np.int64))
    wanted = np.array([(key << 60) + key for key in range(12)], np.uint64)
    found = postings.find(wanted)
    owners = [[d for rows in lists for k, d in rows if k == key] for key in range(12)]
    assert found.counts.tolist() == [len(docs) for docs in owners]
    numbers, docs = postings.docs(found)
    expected = [(key, doc) for key, own in enumerate(owners) for doc in own]
    assert sorted(zip(numbers.tolist(), docs.tolist(), strict=True)) == sorted(expected)
    room = Tally.of(21)
    counted = postings.count(wanted, room).tolist()
    assert sorted(counted) == sorted({doc for _, doc in expected})
    every = [doc for _, doc in expected]
    assert dict(enumerate(room.table.tolist())) == {doc: every.count(doc) for doc in range(21)}
