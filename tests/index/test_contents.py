"""A view of an index has all that was written before it was taken, and stays as it is."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import prose
from tests.index.building import built, ids_of

from neardup.index.online import Index
from neardup.index.postings import Postings


@given(batches=st.lists(st.integers(1, 3), max_size=12), asked=st.sets(st.integers(0, 12)))
def test_a_view_has_all_keys_whenever_it_is_taken(
    batches: list[int], asked: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Index.build(tmp_path_factory.mktemp("i") / "i.neardup") as index:
        total = 0
        for number, count in enumerate(batches):
            rows = [
                {"id": str(n), "text": f"alpha beta gamma delta word{n}"}
                for n in range(total, total + count)
            ]
            index.add(rows)
            total += count
            if number in asked:
                view = index.search.contents.view
                recent = view.parts[-1]
                assert (view.reach, recent.shingles.rows) == (total, total)  # of 5 words, one each
                assert len(recent.shingles.arrays) <= 6
                assert recent.sizes[:total].tolist() == [1] * total


def test_a_view_stays_as_it_is_while_others_write(tmp_path: Path) -> None:
    with built(tmp_path / "i.neardup", [prose(50, 1), prose(50, 2)]) as index:
        view = index.search.contents.view
        index.remove(["d0"])
        index.add([{"id": "new", "text": prose(50, 3)}])
        assert [text.decode() for _, text in view.texts()] == [prose(50, 1), prose(50, 2)]
        now = index.search.contents.view
        assert [text.decode() for _, text in now.texts()] == [prose(50, 2), prose(50, 3)]
        index.compact()
        assert [text.decode() for _, text in now.texts()] == [prose(50, 2), prose(50, 3)]
        assert ids_of(index, prose(50, 2)) == ["d1"]


def test_there_are_few_arrays_however_documents_come() -> None:
    postings = Postings()
    for number in range(200):
        keys = np.arange(10, dtype=np.uint64) << np.uint64(56)
        postings = postings.with_more(keys, np.full(10, number))
    assert len(postings.arrays) <= 8
    assert postings.rows == 2000
