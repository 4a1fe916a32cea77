"""Rewritten passages and the verbatim parts within them: one of both is there, and nothing is lost."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import passages as twins
from tests.twins.passages import Row

from neardup.kernels.passages import PART, REWRITTEN, SUMMARY, VERBATIM, Options, Text
from neardup.kernels.soft_passages import common_words, covered_words, is_made_of, parts_met, with_parts

SIZE = 40
OPTIONS = Options(150)
WORDS = st.lists(st.integers(0, 2), min_size=SIZE, max_size=SIZE)
SPAN = st.tuples(st.integers(0, SIZE - 1), st.integers(1, 16)).map(
    lambda span: (span[0], min(sum(span), SIZE))
)
SPANS = st.tuples(SPAN, SPAN).map(lambda both: (*both[0], *both[1]))
ROWS = st.lists(st.tuples(SPANS, st.sampled_from([REWRITTEN, REWRITTEN, SUMMARY])), max_size=8)
PARTS = st.lists(st.tuples(SPANS, st.sampled_from([PART, PART, VERBATIM])), max_size=8)


def text(words: Sequence[int]) -> Text:
    starts = 6 * np.arange(len(words), dtype=np.int32)
    return Text(np.array(words, np.uint64), starts, starts + 5, np.zeros(1, np.int32))


def rows_of(rows: Sequence[tuple[Row, int]]) -> Any:
    return np.array([(7, *places, kind) for places, kind in rows], np.int64).reshape(-1, 6)


def put(
    soft: Sequence[tuple[Row, int]], verbatim: Sequence[tuple[Row, int]], a: Any, b: Any
) -> list[tuple[Row, int]]:
    """Return rows and parts as `with_parts` does, behind a row of another pair."""
    before = [9, 0, 1, 0, 1, VERBATIM]
    rows = np.array([*before, *rows_of(soft).ravel().tolist()], np.int64)
    found, total = with_parts(rows, 6, len(rows), rows_of(verbatim), text(a), text(b), OPTIONS)
    assert found[:6].tolist() == before
    table = found[6:total].reshape(-1, 6).tolist()
    assert all(row[0] == 7 for row in table)
    return [(tuple(row[1:5]), row[5]) for row in table]


@given(ROWS, PARTS, WORDS, WORDS)
def test_parts_and_passages_are_those_of_the_twin(soft: Any, verbatim: Any, a: Any, b: Any) -> None:
    def made_of(row: Row, left: Sequence[Row]) -> bool:
        return row[4] == REWRITTEN and twins.is_made_of(row, left, a, b, OPTIONS.edited)

    parts = [places for places, kind in verbatim if kind == PART]
    stays, left = twins.with_parts([(*places, kind) for places, kind in soft], parts, made_of)
    found = put(soft, verbatim, a, b)
    assert found == [*((row[:4], row[4]) for row in stays), *((row, VERBATIM) for row in left)]
    there = [places for places, _ in found]
    assert all(part in there or twins.is_held(part, [row[:4] for row in stays]) for part in parts)


@given(ROWS, PARTS, st.sampled_from([1, 3]))
def test_parts_are_met_by_the_rows_that_have_words_of_theirs(soft: Any, parts: Any, side: int) -> None:
    rows, others = rows_of(soft), rows_of(parts)
    numbers, bounds = parts_met(rows, others, side)
    for r, (own, _) in enumerate(soft):
        common = [len(twins.common_words(own, part, side // 2)) for part, _ in parts]
        met = numbers[bounds[r] : bounds[r + 1]].tolist()
        assert sorted(met) == [k for k, words in enumerate(common) if words]
        assert [common_words(rows[r], other, side) for other in others] == common
        every = set().union(*(twins.common_words(own, part, side // 2) for part, _ in parts))
        assert covered_words(rows[r], others, side) == len(every)


@given(SPANS, PARTS, WORDS, WORDS)
def test_a_passage_is_made_of_parts_as_the_twin_says(own: Row, parts: Any, a: Any, b: Any) -> None:
    [row], others = rows_of([(own, REWRITTEN)]), rows_of(parts)
    expected = twins.is_made_of(own, [part for part, _ in parts], a, b, OPTIONS.edited)
    assert is_made_of(row, others, others, text(a), text(b), OPTIONS) == expected
    assert not is_made_of(rows_of([(own, SUMMARY)])[0], others, others, text(a), text(b), OPTIONS)


A = range(200)
B = [i if i < 60 else 1000 + i for i in range(200)]
HOLDS = (0, 80, 0, 80), REWRITTEN
NEXT = (100, 150, 59, 130), REWRITTEN


def test_a_part_that_another_passage_begins_a_word_early_in_is_not_lost() -> None:
    part = 0, 60, 0, 60
    assert put([HOLDS, NEXT], [(part, PART)], A, B) == [NEXT, (part, VERBATIM)]
    assert put([NEXT], [(part, PART)], A, B) == [NEXT, (part, VERBATIM)]


def test_a_passage_does_not_go_for_a_part_that_another_one_holds() -> None:
    part = 0, 60, 0, 60
    other = (25, 90, 25, 90), REWRITTEN
    first = (0, 25, 0, 25), REWRITTEN
    b = [i if i < 60 and i % 2 else 1000 + i for i in range(200)]
    assert put([first, other], [(part, PART)], A, b) == [first, other]
    assert put([first], [(part, PART)], A, b) == [(part, VERBATIM)]
