"""Reference lists by their words: the kernel beside its twin, and what passages have to do with them."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.soft_texts import bounds_of, lists_of, passages, rewritten, sentence, text
from tests.twins.passages import reference_lists

from neardup.kernels.reference_lists import are_of_lists, lists_of_texts
from neardup.kernels.shingles import in_order
from neardup.methods.passages.references import vocabulary

NAMES, DATES, INITIALS = [(1,), (2, 1)], {3, 4}, {5}
LENGTHS = st.lists(st.one_of(st.integers(1, 5), st.integers(1, 60)), min_size=1, max_size=10)


def hashed(values: Any) -> Any:
    return np.array(sorted(values), np.uint64)


KNOWN = (
    hashed({int(in_order(np.array(name, np.uint64), len(name))) for name in NAMES}),
    hashed(DATES),
    hashed(INITIALS),
)


@given(st.lists(LENGTHS, min_size=1, max_size=3), st.data())
def test_reference_lists_are_those_of_the_twin(texts: list[list[int]], data: st.DataObject) -> None:
    every, sentences = [], []
    for lengths in texts:
        *starts, size = bounds_of(lengths)
        word = st.sampled_from([1, 1, 2, 3, 4, 5, 6, 7])
        every.append(np.array(data.draw(st.lists(word, min_size=size, max_size=size)), np.uint64))
        sentences.append(np.array(starts, np.int32))
    every.append(every[-1])  # the same text again
    sentences.append(sentences[-1])
    runs, bounds = lists_of_texts(lists_of(every), lists_of(sentences), KNOWN)
    for number, (own, begins) in enumerate(zip(every, sentences, strict=True)):
        expected = reference_lists(own.tolist(), begins.tolist(), NAMES, (DATES, INITIALS))
        found = runs[bounds[number] : bounds[number + 1]].reshape(-1, 2)
        assert [tuple(row) for row in found.tolist()] == expected


def test_passages_of_reference_lists_are_those_that_are_inside_on_both_sides() -> None:
    rows = np.array([[0, 0, 10, 5, 15, 0], [0, 0, 10, 0, 10, 0], [1, 0, 10, 0, 10, 0]])
    a, b = (np.array([0, 8]), np.array([0, 2, 2])), (np.array([5, 30, 0, 30]), np.array([0, 2, 4]))
    assert are_of_lists(rows, *a, *b).tolist() == [True, False, False]


def test_nothing_in_other_words_is_looked_for_in_reference_lists() -> None:
    one = text(*map(sentence, range(10)))
    other = text(*map(rewritten, range(10)))
    assert passages([(one, other)])
    runs = np.array([0, len(one.words)]), np.array([0, 2])
    assert not passages([(one, other)], listed=(*runs, *runs))


def test_what_lists_are_called_and_what_entries_have() -> None:
    known = vocabulary()
    assert len(known.names) > 100
    assert len(known.initials) == 24
    assert len(known.dates) == 607
