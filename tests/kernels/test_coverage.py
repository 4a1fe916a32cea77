"""How many words of a document others have: once each, whatever the number of passages."""

from itertools import groupby
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.kernels.coverage import matched_words

RUNS = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), max_size=3)
ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2), st.booleans(), RUNS), max_size=8
)


def counts(rows: list[Any]) -> list[int]:
    """Return how many words are there word for word, and how many are rewritten only."""
    words: dict[bool, set[int]] = {True: set(), False: set()}
    for *_, verbatim, runs in rows:
        words[verbatim].update(word for start, size in runs for word in range(start, start + size))
    return [len(words[True]), len(words[False] - words[True])]


@given(ROWS)
def test_each_word_counts_once(rows: list[Any]) -> None:
    rows.sort(key=lambda row: row[:3])
    runs = [[at for start, size in row[4] for at in (start, start + size)] for row in rows]
    bounds = np.cumsum([0, *map(len, runs)])
    columns = (np.array([row[k] for row in rows], np.int64) for k in range(3))
    verbatim = np.array([row[3] for row in rows], np.bool_)
    flat = np.array([at for own in runs for at in own], np.int32)
    found = matched_words(*columns, verbatim, flat, bounds).tolist()
    expected = []
    for doc, own in groupby(rows, key=lambda row: row[0]):
        of_doc = list(own)
        strangers = counts([row for row in of_doc if row[2] != doc])
        for key, group in groupby(of_doc, key=lambda row: row[:3]):
            first = next(k for k, row in enumerate(rows) if row[:3] == key)
            expected.append([first, *counts(list(group)), *strangers])
    assert found == expected
