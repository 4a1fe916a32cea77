"""Passages of two texts: chains of verbatim runs, and boilerplate."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.twins import passages as twins
from tests.twins.documents import mix
from tests.twins.passages import Run

from neardup.kernels.hits import MASKED
from neardup.kernels.passages import CHAINS_BACK, Options, boilerplate_of, verbatim_passages

WORDS = st.lists(st.integers(0, 9), max_size=40)
OPTIONS = Options(150)


def chains(*runs: tuple[int, int, int]) -> list[Any]:
    words = np.arange(2_000, dtype=np.uint64)
    table = np.array(runs, np.int64).reshape(-1, 3)
    found: list[Any] = verbatim_passages(words, words, table, False, OPTIONS).tolist()
    return [row[:5] for row in found]


@given(
    st.lists(st.integers(0, 12).map(mix), max_size=40),
    st.sets(st.integers(0, 40)),
    st.integers(1, 60),
    st.integers(1, 4),
    st.integers(1, 4),
)
def test_boilerplate_is_that_of_the_twin(
    words: list[int], common: set[int], least: int, width: int, window: int
) -> None:
    spans = [(5 * at, 5 * at + 4) for at in range(len(words))]
    runs = twins.winnowed(words, width, window)
    documents = {key: 100 + place for key, place in runs if place in common}
    keys = sorted(documents)
    found = boilerplate_of(
        read_only(np.array(words, np.uint64)),
        read_only(np.array([start for start, _ in spans], np.int32)),
        read_only(np.array([end for _, end in spans], np.int32)),
        np.array(keys, np.uint64),
        np.array([documents[key] for key in keys], np.int64),
        least,
        width,
        window,
    )
    expected = twins.boilerplate(words, spans, documents, least, width, window)
    assert [tuple(row) for row in found.tolist()] == expected


def test_a_long_run_is_a_passage_and_a_short_one_is_none() -> None:
    assert chains((3, 7, 25)) == [[3, 28, 7, 32, 25]]
    assert chains((3, 7, 24)) == []
    assert chains() == []


def test_runs_with_a_few_other_words_between_them_are_one_passage() -> None:
    assert chains((0, 100, 20), (22, 121, 20)) == [[0, 42, 100, 141, 40]]


def test_runs_far_apart_in_either_text_are_passages_of_their_own() -> None:
    assert chains((0, 0, 30), (60, 32, 30)) == [[0, 30, 0, 30, 30], [60, 90, 32, 62, 30]]
    assert chains((0, 0, 30), (32, 60, 30)) == [[0, 30, 0, 30, 30], [32, 62, 60, 90, 30]]


def test_blocks_in_another_order_are_passages_of_their_own() -> None:
    assert chains((0, 40, 30), (32, 0, 30)) == [[0, 30, 40, 70, 30], [32, 62, 0, 30, 30]]


def test_a_chain_of_mostly_other_words_is_no_verbatim_passage() -> None:
    assert chains((0, 0, 6), (14, 14, 6), (28, 28, 6), (42, 42, 6), (56, 56, 6)) == []


def test_a_long_run_in_a_chain_of_mostly_other_words_is_a_passage() -> None:
    around = (0, 0, 6), (20, 20, 60), (94, 94, 6), (110, 110, 6)
    assert chains(*around) == [[20, 80, 20, 80, 60]]


def test_a_run_that_begins_with_a_word_that_the_chain_has_goes_on_with_it() -> None:
    assert chains((0, 100, 20), (19, 122, 20)) == [[0, 39, 100, 142, 39]]
    assert chains((0, 100, 20), (9, 122, 20)) == []


RUNS = st.lists(st.tuples(st.integers(0, 150), st.integers(0, 150), st.integers(1, 40)), max_size=14)


@given(runs=RUNS, masked=st.tuples(*[st.sets(st.integers(0, 190), max_size=80)] * 2))
def test_verbatim_passages_are_those_of_the_twin(
    runs: list[Run], masked: tuple[set[int], set[int]]
) -> None:
    runs.sort()
    texts = [np.arange(200, dtype=np.uint64) for _ in masked]
    for side, own in enumerate(masked):
        # what both texts have is never masked
        own -= {at for run in runs for at in range(run[side], run[side] + run[2])}
        texts[side][sorted(own)] |= MASKED
    found = verbatim_passages(*texts, np.array(runs, np.int64).reshape(-1, 3), False, OPTIONS)
    expected = twins.verbatim_passages(runs, masked, OPTIONS.verbatim, OPTIONS, CHAINS_BACK)
    assert [tuple(row) for row in found.tolist()] == expected
