"""The kernels of filtered sketches against slow and obvious twins."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.kernels.page_words import WORDS, sizes_of, words

from neardup.kernels.filtered_sketches import in_prose, sketched, sketches

MARKED = st.lists(
    st.tuples(st.integers(1, 9), st.sampled_from([1.0, 0.125]), st.booleans()), max_size=30
)


@given(st.lists(st.integers(1, 5), max_size=12), st.integers(1, 6))
def test_words_of_long_sentences_are_prose(counts: list[int], least: int) -> None:
    starts = np.arange(sum(counts), dtype=np.int32) * 3
    begins = starts[np.cumsum([0, *counts])[:-1]] if counts else starts
    expected = [count >= least for count in counts for _ in range(count)]
    pages = (
        np.tile(starts, 3),
        np.arange(4) * len(starts),
        np.tile(begins, 3),
        np.arange(4) * len(begins),
    )
    assert in_prose(*pages, least).tolist() == 3 * expected


def sketch_twin(a: list[int], b: list[int], least: int) -> list[bool]:
    def windows(text: list[int]) -> dict[int, tuple[int, ...]]:
        found = {}
        for i in range(len(text)):
            for j in range(i + 1, len(text) + 1):
                if sizes_of(text[i:j]).sum() >= least or (i == 0 and j == len(text)):
                    found[i] = tuple(text[i:j])
                    break
        return found

    known = set(windows(b).values())
    marks = [False] * len(a)
    for i, window in windows(a).items():
        if window in known:
            marks[i : i + len(window)] = [True] * len(window)
    return marks


@given(WORDS, WORDS, st.integers(1, 40))
def test_sketches_are_what_lies_in_common_windows(a: list[int], b: list[int], least: int) -> None:
    found = sketches(read_only(words(a)), sizes_of(a), read_only(words(b)), sizes_of(b), least)
    assert found[0].tolist() == sketch_twin(a, b, least)
    assert found[1].tolist() == sketch_twin(b, a, least)


def is_end_in(words: Any, edge: int) -> bool:
    end: list[Any] = []
    for word in words:
        if sum(size for size, _, _ in end) < edge:
            end.append(word)
    return bool(2 * sum(size for size, _, mark in end if mark) > sum(size for size, _, _ in end))


@given(MARKED, st.integers(1, 60))
def test_what_is_in_a_sketch_and_outside_is_counted(drawn: list[Any], edge: int) -> None:
    columns = list(zip(*drawn, strict=True)) or [(), (), ()]
    kinds = (np.int64, np.float64, np.bool_)
    found = sketched(*(np.array(c, kind) for c, kind in zip(columns, kinds, strict=True)), edge)
    assert found[0] == sum(size for size, _, mark in drawn if mark)
    assert found[1] == sum(size * weight for size, weight, mark in drawn if not mark)
    assert found[2:] == (is_end_in(drawn, edge), is_end_in(drawn[::-1], edge))
