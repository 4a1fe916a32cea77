"""The kernels of regions of pages against slow and obvious twins."""

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.kernels.page_words import WORDS, sizes_of, words
from tests.twins import regions as twins

from neardup.kernels.regions import (
    edit_curve,
    in_common,
    passages_of,
    symbols,
    trustable_region,
    trusted_regions,
)


@given(WORDS, WORDS)
def test_symbols_are_equal_for_equal_words(a: list[int], b: list[int]) -> None:
    found = symbols(words(a), words(b))
    both = [*found[0].tolist(), *found[1].tolist()]
    assert len(set(zip([*a, *b], both, strict=True))) == len(set(both)) == len({*a, *b})
    assert all(0 <= code < len(both) for code in both)


@st.composite
def matches(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Draw sizes of the words of two texts, and which stay the same, in order."""
    a, b = (draw(st.lists(st.integers(1, 9), max_size=30)) for _ in range(2))
    count = draw(st.integers(0, min(len(a), len(b))))
    own_a = sorted(draw(st.permutations(range(len(a))))[:count])
    own_b = sorted(draw(st.permutations(range(len(b))))[:count])
    matched = np.full(len(a), -1, np.int64)
    matched[own_a] = own_b
    return np.array(a, np.int64), matched, np.array(b, np.int64)


def edits_between(sizes_a: Any, matched: Any, sizes_b: Any, i: int, j: int) -> int:
    """Count what is deleted from words i to j of a, and inserted between the first and last of them."""
    own = [int(m) for m in matched[i:j] if m >= 0]
    deleted = sum(int(s) for s, m in zip(sizes_a[i:j], matched[i:j], strict=True) if m < 0)
    # what stands before the first match of the region counts if a word of the region is before it
    before = [int(m) for m in matched[:i] if m >= 0]
    first = own[0] if own and matched[i] >= 0 else (max(before) + 1 if before else 0)
    if not own:
        return deleted
    passed = sum(int(size) for size in sizes_b[first : own[-1]])
    return deleted + passed - sum(int(sizes_b[m]) for m in own[:-1])


@given(matches())
def test_the_edit_curve_counts_edits(drawn: tuple[Any, Any, Any]) -> None:
    places, before, behind = edit_curve(*drawn)
    assert places.tolist() == np.cumsum([0, *drawn[0]]).tolist()
    for i in range(len(drawn[0])):
        for j in range(i + 1, len(drawn[0]) + 1):
            assert before[j] - behind[i] == edits_between(*drawn, i, j)


def region_twin(curve: tuple[Any, Any, Any], blocks: int, slope: float) -> tuple[int, int]:
    places, before, behind = (c.tolist() for c in curve)
    count = len(places) - 1
    cuts = [
        next(i for i in range(count + 1) if places[i] * blocks >= places[-1] * b)
        for b in range(blocks + 1)
    ]

    def holds(i: int, j: int) -> bool:
        return i < j and before[j] - behind[i] <= slope * (places[j] - places[i])

    runs = []
    for first in range(blocks):
        for last in range(first, blocks):
            if holds(cuts[first], cuts[last + 1]):
                weight = sum(min(b, blocks - 1 - b) + 1 for b in range(first, last + 1))
                runs.append((-weight, last - first, first, last))
    found = []
    for weight, extent, first, last in runs:
        if (weight, extent) == min(run[:2] for run in runs):
            i, j = cuts[first], cuts[last + 1]
            low, high = cuts[first - 1] if first else 0, cuts[last + 2] if last + 2 <= blocks else count
            i = next(n for n in range(low, i + 1) if holds(n, j))
            j = next(n for n in range(high, j - 1, -1) if holds(i, n))
            found.append((i, j))
    return max(found, key=lambda r: places[r[1]] - places[r[0]], default=(0, 0))


@given(matches(), st.integers(1, 12), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_the_trustable_region_is_the_heaviest_with_few_edits(
    drawn: tuple[Any, Any, Any], blocks: int, slope: float
) -> None:
    curve = edit_curve(*drawn)
    assert trustable_region(*curve, blocks, slope) == region_twin(curve, blocks, slope)


@st.composite
def pages(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Draw a text, and another one with parts of it in some order."""
    a = draw(st.lists(st.integers(0, 40), max_size=60))
    parts = [a[i : i + 12] for i in range(0, len(a), 12)]
    b = [word for part in draw(st.permutations(parts)) for word in part]
    return a, draw(st.lists(st.integers(0, 40), max_size=5)) + b


def marked(numbers: list[int], marks: list[bool]) -> list[tuple[int, int, bool]]:
    sizes = sizes_of(numbers).tolist()
    return [(n, sizes[i], marks[i % len(marks)]) for i, n in enumerate(numbers)]


MARKS = st.lists(st.sampled_from([True, True, True, False]), min_size=1, max_size=20)


@given(pages(), MARKS, MARKS, st.sampled_from([1.0, 60.0, 300.0]), st.sampled_from([0.05, 0.5]))
def test_each_round_searches_what_the_ones_before_left(
    drawn: tuple[list[int], list[int]],
    marks_a: list[bool],
    marks_b: list[bool],
    least: float,
    slope: float,
) -> None:
    texts = marked(drawn[0], marks_a), marked(drawn[1], marks_b)

    def curve_of(sizes: list[int], matched: list[int], others: list[int]) -> Any:
        return tuple(
            c.tolist() for c in edit_curve(*(np.array(c, np.int64) for c in (sizes, matched, others)))
        )

    def region_of(curve: Any, blocks: int) -> Any:
        return trustable_region(*(np.array(c, np.int64) for c in curve), blocks, slope)

    expected = twins.rounds(*texts, least, 4, curve_of, region_of)
    columns = (
        (
            read_only(words([n for n, _, _ in text])),
            sizes_of([n for n, _, _ in text]),
            np.array([m for *_, m in text], np.bool_),
        )
        for text in texts
    )
    one, other = columns
    own_a, own_b, bounds, (places, edits, begin, end) = trusted_regions(*one, *other, least, slope, 4)
    found = [
        list(zip(own_a[i:j].tolist(), own_b[i:j].tolist(), strict=True)) for i, j in pairwise(bounds)
    ]
    assert found == expected
    if expected:
        assert (begin, end - 1) == (expected[0][0][0], expected[0][-1][0])
        assert len(places) == len(edits) == len(drawn[0]) + 1
    else:
        assert end == 0


@given(matches(), st.lists(st.sampled_from([1.0, 0.125]), min_size=1, max_size=9))
def test_what_matches_counts_as_where_it_counts_more(drawn: Any, weights: list[float]) -> None:
    sizes_a, matched, sizes_b = drawn
    weights_a, weights_b = np.resize(weights, len(sizes_a)), np.resize(weights[::-1], len(sizes_b))
    own_a = np.flatnonzero(matched >= 0)
    own_b = matched[own_a]
    common = float((sizes_a[own_a] * np.maximum(weights_a[own_a], weights_b[own_b])).sum())
    rest_a = float(np.delete(sizes_a * weights_a, own_a).sum())
    rest_b = float(np.delete(sizes_b * weights_b, own_b).sum())
    found = in_common(sizes_a, weights_a, own_a, sizes_b, weights_b, own_b)
    assert found == (common, rest_a + common, rest_b + common)


@given(matches(), st.integers(1, 6), st.lists(st.integers(0, 90), unique=True), st.data())
def test_a_region_with_a_large_gap_is_more_than_one_passage(
    drawn: Any, far: int, sentences: list[int], data: st.DataObject
) -> None:
    sizes_a, matched, sizes_b = drawn
    own_a = np.flatnonzero(matched >= 0)
    pairs = list(zip(own_a.tolist(), matched[own_a].tolist(), strict=True))
    cut = data.draw(st.integers(0, len(pairs)))
    regions = [part for part in (pairs[:cut], pairs[cut:]) if part]
    bounds = np.cumsum([0, *map(len, regions)])
    ends = [np.cumsum(sizes + 1).astype(np.int32) for sizes in (sizes_a, sizes_b)]
    starts = [end - sizes.astype(np.int32) for end, sizes in zip(ends, (sizes_a, sizes_b), strict=True)]
    begins = np.array(sorted(sentences), np.int32)
    found = passages_of(
        own_a, matched[own_a], bounds, starts[0], ends[0], begins, starts[1], ends[1], far
    )
    places = [list(zip(s.tolist(), e.tolist(), strict=True)) for s, e in zip(starts, ends, strict=True)]
    assert found.tolist() == twins.passages(regions, places[0], begins.tolist(), places[1], far)
