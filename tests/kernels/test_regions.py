"""The kernels of regions of pages against slow and obvious twins."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.kernels.page_words import WORDS, sizes_of, words

from neardup.kernels.regions import edit_curve, in_prose, sketches, symbols, trustable_region


@given(st.lists(st.integers(1, 5), max_size=12), st.integers(1, 6))
def test_words_of_long_sentences_are_prose(counts: list[int], least: int) -> None:
    starts = np.arange(sum(counts), dtype=np.int32) * 3
    begins = starts[np.cumsum([0, *counts])[:-1]] if counts else starts
    expected = [count >= least for count in counts for _ in range(count)]
    assert in_prose(starts, begins, least).tolist() == expected


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


@given(WORDS, WORDS)
def test_symbols_are_equal_for_equal_words(a: list[int], b: list[int]) -> None:
    found = symbols(words(a), words(b))
    both = [*found[0].tolist(), *found[1].tolist()]
    assert len(set(zip([*a, *b], both, strict=True))) == len(set(both)) == len({*a, *b})
    assert all(0 < code < 0xD800 for code in both)


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
