"""Kernels for runs of matching sentences, each against its twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.twins import sentences as twins

from neardup.kernels.diagonals import compared_spans, diagonals

CELLS = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)
Matrix = set[tuple[int, int]]


def found_runs(
    matrices: list[Matrix], gap: int, least: int, inside: bool = False
) -> list[list[tuple[tuple[int, int], tuple[int, int], int]]]:
    """Return the first and last cell of each run and its number of cells, for each matrix."""
    cells = [sorted(matrix) for matrix in matrices]
    rows, columns = (read_only(np.array([c[i] for m in cells for c in m], np.int32)) for i in (0, 1))
    bounds = np.cumsum([0, *map(len, cells)])
    found = diagonals(rows, columns, bounds, np.full(len(cells), inside), gap, least)
    flat = [cell for matrix in cells for cell in matrix]
    return [
        sorted((flat[a], flat[b], n) for a, b, n in found.tolist() if bounds[m] <= a < bounds[m + 1])
        for m in range(len(cells))
    ]


@settings(max_examples=60)
@given(st.lists(CELLS, max_size=3), st.integers(0, 3), st.integers(1, 4))
def test_diagonals(matrices: list[Matrix], gap: int, least: int) -> None:
    expected = [
        [(run[0], run[-1], len(run)) for run in twins.diagonals(matrix, gap, least)]
        for matrix in matrices
    ]
    assert found_runs(matrices, gap, least) == expected


@given(CELLS, st.integers(0, 2), st.integers(1, 3))
def test_diagonals_inside_one_document_do_not_overlap_themselves(
    matrix: Matrix, gap: int, least: int
) -> None:
    upper = {(row, column) for row, column in matrix if row < column}
    expected = [(run[0], run[-1], len(run)) for run in twins.diagonals(upper, gap, least, inside=True)]
    assert found_runs([upper], gap, least, inside=True) == [expected]
    assert all(last[0] < first[1] for first, last, _ in expected)


@given(CELLS, st.integers(1, 4))
def test_without_gaps_diagonals_are_the_maximal_ones_of_the_paper(matrix: Matrix, least: int) -> None:
    expected = []
    for row, column in sorted(matrix):
        if (row - 1, column - 1) in matrix:
            continue
        length = 1
        while (row + length, column + length) in matrix:
            length += 1
        if length >= least:
            expected.append(((row, column), (row + length - 1, column + length - 1), length))
    assert found_runs([matrix], 0, least) == [expected]


def test_a_gap_may_differ_on_both_sides() -> None:
    matrix = {(0, 0), (1, 1), (2, 3), (3, 4), (5, 5)}
    assert found_runs([matrix], 0, 2) == [[((0, 0), (1, 1), 2), ((2, 3), (3, 4), 2)]]
    assert found_runs([matrix], 1, 2) == [[((0, 0), (5, 5), 5)]]


@pytest.mark.parametrize("matrix", ["diagonal", "blocks", "scattered"])
def test_large_matrices_take_about_linear_time(matrix: str) -> None:
    rng = np.random.default_rng(1)
    if matrix == "diagonal":
        cells = {(i, i) for i in range(100_000)}
    elif matrix == "blocks":  # each sentence four times in a row, on both sides
        cells = {(4 * k + i, 4 * k + j) for k in range(10_000) for i in range(4) for j in range(4)}
    else:  # 20,000 passages of five sentences, in any order
        starts = 6 * rng.permutation(20_000)
        cells = {(6 * k + i, int(starts[k]) + i) for k in range(20_000) for i in range(5)}
    found_runs([{(0, 0)}], 1, 3)  # compiles
    found = found_runs([cells], 1, 3)[0]
    assert max(n for _, _, n in found) == {"diagonal": 100_000, "blocks": 40_000}.get(matrix, 5)


SPAN = st.lists(st.integers(0, 6), max_size=12)


@given(st.lists(st.tuples(SPAN, SPAN), max_size=4))
def test_common_words(pairs: list[tuple[list[int], list[int]]]) -> None:
    spans = [span for pair in pairs for span in pair]
    bounds = np.cumsum([0, *map(len, spans)])
    words = read_only(np.array([word for span in spans for word in span], np.uint64))
    ends = map(np.copy, (bounds[:-1:2], bounds[1::2], bounds[1:-1:2], bounds[2::2]))
    common, same, *_ = compared_spans(words, *ends)
    assert common.tolist() == [twins.common_words(a, b) for a, b in pairs]
    assert same.tolist() == [a == b for a, b in pairs]
