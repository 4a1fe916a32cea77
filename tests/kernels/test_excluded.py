"""Words that do not count: kernels beside their twins."""

import itertools
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.twins.passages import winnowed

from neardup.kernels.excluded import (
    are_counted,
    counted_characters,
    covered_words,
    mask_covered,
    stretches,
)
from neardup.kernels.hits import MASKED
from neardup.kernels.passages import Text

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
    shown = "".join("x" if out else "." for out in masked[begin:end])
    expected = [
        (begin + found.start(), begin + found.end())
        for found in re.finditer(rf"\.(?:x{{0,{most}}}\.)*", shown)
    ]
    assert stretches(words, begin, end, most).tolist() == [list(span) for span in expected]
    runs = [(begin + found.start(), begin + found.end()) for found in re.finditer(r"\.+", shown)]
    characters = sum(int(ends[last - 1] - places[first]) for first, last in runs)
    assert counted_characters(text, begin, end) == characters
