"""The quality gate: floors under what `tests.quality` measures on real, labelled data."""

from collections.abc import Callable

import pytest
from tests import parallels, uncopied
from tests.quality import (
    ANSWERS,
    FLOORS,
    PAN,
    answers_found,
    listed,
    missing,
    scores,
    sources_found,
    whole,
)

import neardup


@pytest.fixture
def pan() -> None:
    if reason := missing(PAN):
        pytest.skip(reason)


@pytest.mark.usefixtures("pan")
def test_all_listed_pairs_are_compared() -> None:
    assert listed().counts["listed_pairs_not_found"] == 0


@pytest.mark.usefixtures("pan")
@pytest.mark.parametrize("part", FLOORS)
@pytest.mark.parametrize("compared", [listed, whole])
def test_passages_are_found_among_listed_pairs_and_in_a_corpus(
    compared: Callable[[], neardup.Result], part: str
) -> None:
    assert scores(compared(), part).scores.plagdet >= FLOORS[part]


@pytest.mark.usefixtures("pan")
def test_documents_without_reuse_have_hardly_any_passages() -> None:
    for result in (listed(), whole()):
        found = scores(result, "verbatim")
        assert found.pairs_without_reuse == 80
        assert found.pairs_without_reuse_found <= 0.01 * found.pairs_without_reuse


def test_answers_that_were_copied_are_told_from_those_that_were_not() -> None:
    if reason := missing(ANSWERS):
        pytest.skip(reason)
    found, total = answers_found()
    assert total.total() == 95
    assert found["non"] == 0
    assert sources_found() >= 0.95


def test_of_1000_pairs_that_nobody_copied_less_than_one_is_reported_and_none_as_a_summary() -> None:
    if reason := uncopied.missing():
        pytest.skip(reason)
    *_, (_, found) = uncopied.lines()
    assert found.pairs > 5_000
    assert found.summaries == 0
    assert found.rewritten < 0.001 * found.pairs


@pytest.mark.parametrize(("soft", "least"), [(True, 0.92), (False, 0.9)])
def test_what_chapters_share_word_for_word_is_found_whatever_stands_around_it(
    soft: bool, least: float
) -> None:
    if reason := parallels.missing():
        pytest.skip(reason)
    found, total = parallels.found(min_length=60, soft=soft)
    assert total == 78
    assert found >= least * total
