"""Who has a key."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.index.postings import Postings, Tally, sorted_keys


@given(
    segments=st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20))), max_size=6),
    gone=st.sets(st.integers(0, 20)),
    most=st.none() | st.integers(0, 5),
)
def test_postings_say_who_has_a_key(
    segments: list[list[tuple[int, int]]], gone: set[int], most: int | None
) -> None:
    missing = np.isin(np.arange(21), list(gone))
    postings = Postings()
    for rows in segments:
        keys = np.array([(key << 60) + key for key, _ in rows], np.uint64)
        docs = np.array([doc for _, doc in rows], np.int64)
        postings = postings.with_more(*sorted_keys(keys, docs)).merged(np.zeros(21, np.bool_))
    wanted = np.array([(key << 60) + key for key in range(12)], np.uint64)
    for some in (postings, postings.without(missing)):
        found = some.look_up(wanted, missing if gone else None, most)
        owners = [
            [d for rows in segments for k, d in rows if k == key and d not in gone] for key in range(12)
        ]
        assert found.counts.tolist() == [len(docs) for docs in owners]
        expected = [
            (k, d) for k, docs in enumerate(owners) for d in docs if most is None or len(docs) <= most
        ]
        assert sorted(zip(found.numbers.tolist(), found.docs.tolist(), strict=True)) == sorted(expected)
        room = Tally(21)
        counted = some.count(wanted, room).tolist()
        rows = some.look_up(wanted).docs.tolist()
        assert sorted(counted) == sorted(set(rows))
        assert dict(enumerate(room.table.tolist())) == {doc: rows.count(doc) for doc in range(21)}
