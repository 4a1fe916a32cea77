"""What is nearest, against a slow and obvious twin."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import nearest as twin

from neardup.kernels.nearest import CELLS, SCALE, count_cells_of, fill_weights, having, nearest, weigh
from neardup.signatures.shingles import utf8
from neardup.text import unicode_table

TEXTS = st.lists(
    st.lists(st.sampled_from(["egg", "boil", "boiling", "water", "a", "tea", "teapot"]), max_size=9).map(
        " ".join
    ),
    min_size=1,
    max_size=9,
)
ONE = np.ones(1)


def counted(texts: list[str], letters: bool = True) -> Any:
    return count_cells_of(*utf8(pa.array(texts, pa.large_string())), 1, letters, unicode_table())


def lists_of(texts: list[str]) -> tuple[Any, tuple[Any, Any, Any]]:
    """Return how rare each cell is, and the lists of an index."""
    cells, counts, bounds = counted(texts)
    seen = np.bincount(cells, minlength=CELLS)
    rarity = np.log((1 + len(texts)) / (1 + seen)) + 1
    weights = np.empty(len(cells), np.uint16)
    weigh(cells, counts, bounds, ONE, rarity, weights)
    starts = np.concatenate([[0], np.cumsum(seen)])
    postings, there = np.empty(len(cells), np.uint32), np.empty(len(cells), np.uint8)
    ends = starts[1:].copy()
    for low in range(0, CELLS, CELLS // 3):
        fill_weights(cells, weights, bounds, starts, ends, low, low + CELLS // 3, postings, there)
    assert (ends == starts[:-1]).all()
    return rarity, (starts, postings, there)


@given(TEXTS, TEXTS.map(lambda texts: texts[0]))
def test_the_nearest_have_the_highest_cosines(texts: list[str], asked: str) -> None:
    rarity, lists = lists_of(texts)
    cells, counts, bounds = counted([asked])
    weights = np.empty(len(cells), np.uint16)
    weigh(cells, counts, bounds, ONE, rarity, weights)
    sums = np.zeros(len(texts), np.int64)
    gone = np.array([text.startswith("tea") for text in texts])
    numbers, values = nearest(cells, weights, *lists, gone, len(texts), sums)
    right = twin.cosines(asked, texts) if asked else [0.0] * len(texts)
    found = {n: v for n, v in zip(numbers.tolist(), values.tolist(), strict=True) if n >= 0}
    right = [0.0 if own else value for own, value in zip(gone, right, strict=True)]
    assert [found.get(n, 0.0) for n in range(len(texts))] == pytest.approx(right, abs=0.01)
    assert values.tolist() == sorted(values.tolist(), reverse=True)
    assert not sums.any(), "the room is as it was"
    best, _ = nearest(cells, weights, *lists, gone, 1, sums)
    assert best.tolist() == numbers[:1].tolist()


def test_what_all_have_may_be_left_out() -> None:
    cells, bounds = np.array([1, 2, 2], np.uint32), np.array([0, 2, 3])
    starts = np.array([0, 0, 1, 1, 1])  # of four cells; the list of the third is left out
    ends, postings, there = starts[1:].copy(), np.zeros(1, np.uint32), np.zeros(1, np.uint8)
    weights = np.full(3, SCALE, np.uint16)
    fill_weights(cells, weights, bounds, starts, ends, 0, 4, postings, there)
    assert (postings.tolist(), there.tolist(), ends.tolist()) == ([0], [255], [0, 0, 1, 1])


@given(TEXTS)
def test_who_has_a_word(texts: list[str]) -> None:
    _, (starts, postings, _) = lists_of(texts)
    words = ["egg", "boiling", "milk"]
    cells, _, bounds = counted(words, letters=False)
    assert bounds.tolist() == [0, 1, 2, 3]
    for number, text in enumerate(texts):
        found = having(cells, starts, postings, number).tolist()
        assert found == [word in text.split() for word in words]


def test_other_scripts_are_made_of_letters_too() -> None:
    cells, counts, bounds = counted(["如何煮鸡蛋", "Ägypten ägypten", ""])
    assert np.diff(bounds).tolist() == [5 + 2, 1 + 8, 0]
    assert counts[bounds[1] :].max() == 2
    assert len(cells) == len(counts) == 16
