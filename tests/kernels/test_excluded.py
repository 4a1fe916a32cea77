"""Words that do not count: kernels beside their twins."""

import itertools
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.kernels.soft_texts import lists_of
from tests.twins import passages as twins
from tests.twins.documents import mix
from tests.twins.passages import winnowed

from neardup.kernels.excluded import (
    are_counted,
    counted_characters,
    counted_passages,
    covered_words,
    mask_covered,
    still_evident,
    stretches,
)
from neardup.kernels.hits import MASKED
from neardup.kernels.passages import REWRITTEN, SUMMARY, VERBATIM, Options, Text, Texts

TEXTS = st.lists(st.lists(st.integers(1, 5), max_size=30), min_size=1, max_size=4)


def covered(texts: list[list[int]], base: list[int], width: int, least: int) -> list[bool]:
    """Say the same slowly: a word is covered by a run that the base has, if all in a row is long."""
    keys = {tuple(base[at : at + width]) for at in range(len(base) - width + 1)}
    found: list[bool] = []
    for text in texts:
        own = [
            any(tuple(text[at : at + width]) in keys for at in range(max(i - width + 1, 0), i + 1))
            for i in range(len(text))
        ]
        for i in range(len(own)):
            begin, end = i, i
            while begin > 0 and own[begin - 1]:
                begin -= 1
            while end + 1 < len(own) and own[end + 1]:
                end += 1
            found.append(own[i] and 3 * (end - begin) + 2 >= least)
    return found


@given(TEXTS, st.lists(st.integers(1, 5), max_size=30), st.integers(1, 4), st.integers(0, 20))
def test_covered_words_are_those_of_the_twin(
    texts: list[list[int]], base: list[int], width: int, least: int
) -> None:
    words = np.array([word for text in texts for word in text], np.uint64)
    bounds = np.cumsum([0, *map(len, texts)])
    starts = np.concatenate([3 * np.arange(len(text), dtype=np.int32) for text in texts]).astype(
        np.int32
    )
    keys = sorted({key for key, _ in winnowed(base, width, 1)} if len(base) >= width else set())
    found = covered_words(
        read_only(words), starts, starts + 2, bounds, np.array(keys, np.uint64), width, least
    )
    assert found.tolist() == covered(texts, base, width, least)


@given(TEXTS, st.sets(st.integers(0, 60)))
def test_masked_words_are_all_different_and_do_not_count(texts: list[list[int]], gone: set[int]) -> None:
    words = np.array([word for text in texts for word in text], np.uint64)
    masked = words.copy()
    bounds = np.cumsum([0, *map(len, texts)])
    some = np.array([i in gone for i in range(len(words))], np.bool_)
    left = mask_covered(masked, bounds, np.arange(len(texts)) << 32, some)
    assert left.tolist() == [
        sum(not some[i] for i in range(a, b)) for a, b in itertools.pairwise(bounds)
    ]
    assert masked[~some].tolist() == words[~some].tolist()
    assert len(set(masked[some].tolist())) == some.sum()
    assert are_counted(masked).tolist() == (~some).tolist()


@given(
    st.lists(st.tuples(st.booleans(), st.integers(1, 9), st.integers(1, 3))),
    st.integers(0, 4),
    st.data(),
)
def test_stretches_that_count_are_those_of_the_twin(
    made: list[tuple[bool, int, int]], most: int, data: st.DataObject
) -> None:
    masked = [out for out, _, _ in made]
    begin = data.draw(st.integers(0, len(made)))
    end = data.draw(st.integers(begin, len(made)))
    places = np.cumsum([0, *(size + gap for _, size, gap in made)]).astype(np.int32)
    ends = (places[:-1] + [size for _, size, _ in made]).astype(np.int32)
    words = np.array([int(MASKED) | n if out else n for n, out in enumerate(masked)], np.uint64)
    text = Text(words, places[:-1].copy(), ends, np.zeros(1, np.int32))
    assert [tuple(row) for row in stretches(words, begin, end, most).tolist()] == twins.stretches(
        masked, begin, end, most
    )
    spans = list(zip(places.tolist(), ends.tolist(), strict=False))
    expected = twins.counted_characters(masked, spans, begin, end)
    assert counted_characters(text, begin, end) == expected


SIZE = 60  # words of a text
MASKS = st.lists(
    st.booleans().flatmap(lambda out: st.lists(st.just(out), min_size=3, max_size=25)), max_size=9
)
SPAN = st.tuples(st.integers(0, SIZE - 1), st.integers(1, SIZE)).map(
    lambda span: (span[0], min(sum(span), SIZE))
)
SPANS = st.tuples(SPAN, SPAN).map(lambda both: (*both[0], *both[1]))
ROWS = st.lists(st.tuples(SPANS, st.sampled_from([VERBATIM, REWRITTEN, SUMMARY])), max_size=6)
COUNTS = np.zeros(64, np.uint32)  # no word was counted
FEW = Options(30)


def text_with(masked: list[bool], first: int) -> Text:
    """Return a text of words that follow each other, some of them masked."""
    words = [int(MASKED) | (first + n) if out else mix(n + 1) for n, out in enumerate(masked)]
    starts = 6 * np.arange(SIZE, dtype=np.int32)
    return Text(np.array(words, np.uint64), starts, starts + 5, np.arange(0, SIZE, 12, dtype=np.int32))


def flags(runs: list[list[bool]]) -> list[bool]:
    return ([out for run in runs for out in run] + [False] * SIZE)[:SIZE]


@given(ROWS, MASKS, MASKS)
def test_passages_of_which_enough_counts_are_those_of_the_twin(rows: Any, one: Any, other: Any) -> None:
    masked = flags(one), flags(other)
    a, b = text_with(masked[0], 0), text_with(masked[1], 1 << 40)

    def evident(part: Any, its: Any) -> tuple[int, ...]:
        found = still_evident(a, np.array(part), b, np.array(its), FEW, COUNTS, 10)
        return tuple(map(int, found))

    table = np.array([(0, *places, kind) for places, kind in rows], np.int64).reshape(-1, 6)
    sides = [Texts(*(lists_of([own]) for own in text)) for text in (a, b)]
    found = counted_passages(*sides, table, FEW, COUNTS, 10)
    spans = [(6 * n, 6 * n + 5) for n in range(SIZE)]
    expected = twins.counted_passages(
        [(*places, kind) for places, kind in rows],
        [(own, spans) for own in masked],
        FEW.least_length,
        FEW.run_gap,
        evident,
    )
    assert [tuple(row[1:]) for row in found.tolist()] == expected


@given(SPANS, MASKS, MASKS)
def test_what_is_still_evident_lies_in_both_stretches_and_says_enough(
    places: Any, one: Any, other: Any
) -> None:
    a, b = text_with(flags(one), 0), text_with(flags(other), 1 << 40)
    part, its = places[:2], places[2:]
    x0, x1, y0, y1 = still_evident(a, np.array(part), b, np.array(its), FEW, COUNTS, 10)
    both = {*a.words[slice(*part)].tolist()} & {*b.words[slice(*its)].tolist()}
    if x0 == x1:
        return
    assert part[0] <= x0 < x1 <= part[1]
    assert its[0] <= y0 < y1 <= its[1]
    ends = a.words[[x0, x1 - 1]].tolist() + b.words[[y0, y1 - 1]].tolist()
    assert {*ends} <= both
