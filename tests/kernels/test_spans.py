"""Kernels of repeated spans, against slow twins."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import passages as twins

from neardup.kernels.counters import count_values
from neardup.kernels.spans import (
    joined_windows,
    places_of_runs,
    repeated_windows,
    runs_of_windows,
    window_runs,
)
from neardup.signatures.shingles import utf8
from neardup.text import tokenise, unicode_table

WORDS = st.lists(st.sampled_from("abcde"), max_size=40)
NOTHING = np.empty(0, np.uint8)


def lowest_runs(words: list[str], span: int, width: int) -> list[tuple[tuple[str, ...], int]]:
    """Return for each window the run of the lowest hash in it, the last of equal ones, and its place."""
    hashes = tokenise(" ".join(words)).hashes
    rolled = np.empty(len(words), np.uint64)
    found = []
    scratch = np.empty(len(words), np.uint64), np.empty(len(words), np.int64)
    runs_of_windows(hashes, len(words), span, width, rolled, *scratch)
    for window in range(len(words) - span + 1):
        places = range(window, window + span - width + 1)
        best = min(reversed(places), key=lambda place: rolled[place])
        found.append((tuple(words[best : best + width]), best))
    return found


@given(WORDS, st.integers(3, 8), st.integers(1, 3))
def test_each_window_has_the_run_of_the_lowest_hash(words: list[str], span: int, width: int) -> None:
    count = len(words)
    hashes = tokenise(" ".join(words)).hashes
    rolled, runs = np.empty(count, np.uint64), np.empty(count, np.uint64)
    firsts = np.empty(count, np.int64)
    found = runs_of_windows(hashes, count, span, width, rolled, runs, firsts)
    if count < span:
        assert found == 0
        return
    places = [place for _, place in lowest_runs(words, span, width)]
    begins = [0, *(at + 1 for at, (a, b) in enumerate(pairwise(places)) if a != b)]
    assert firsts[:found].tolist() == begins
    assert runs[:found].tolist() == [rolled[places[at]] for at in begins]


def test_runs_that_are_low_are_spread_over_all_counters() -> None:
    data = np.frombuffer(" ".join(f"w{number}" for number in range(20_000)).encode(), np.uint8)
    runs, *_ = window_runs(data, np.array([0, len(data)]), 50, 16, unicode_table(), NOTHING)
    shares = np.bincount(runs >> np.uint64(61), minlength=8) / len(runs)
    assert len(runs) > 1000 and (abs(shares - 1 / 8) < 0.05).all()


@given(st.lists(WORDS, min_size=1, max_size=4), st.integers(3, 8))
def test_windows_of_runs_that_occur_twice_are_all_there(texts: list[list[str]], span: int) -> None:
    data = [" ".join(words).encode() for words in texts]
    joined = np.frombuffer(b"".join(data) or b" ", np.uint8).copy()
    offsets = np.cumsum([0, *map(len, data)])
    table = unicode_table()
    runs, owners, firsts, *_ = window_runs(joined, offsets, span, 2, table, NOTHING)
    counters = np.zeros(1 << 16, np.uint8)
    count_values(counters, runs.view(np.int64))
    kept, texts_of, begins, bounds, values = window_runs(joined, offsets, span, 2, table, counters)
    twice = {run for run in runs.tolist() if runs.tolist().count(run) > 1}
    assert set(kept.tolist()) >= twice
    rows = zip(kept.tolist(), texts_of.tolist(), begins.tolist(), strict=True)
    assert [row for row in rows if row[0] in twice] == [
        row
        for row in zip(runs.tolist(), owners.tolist(), firsts.tolist(), strict=True)
        if row[0] in twice
    ]
    windows: dict[int, tuple[str, ...]] = {}
    for row, (begin, end) in enumerate(pairwise(bounds.tolist())):
        for at in range(end - begin):
            first = int(begins[row]) + at
            own = tuple(texts[int(texts_of[row])][first : first + span])
            assert len(own) == span
            assert windows.setdefault(int(values[begin + at]), own) == own


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.integers(0, 3),
            st.integers(0, 30),
            st.lists(st.integers(1, 5), min_size=1, max_size=3),
        ),
        max_size=8,
    ),
    st.integers(3, 8),
    st.integers(1, 3),
)
def test_windows_that_stood_before_have_the_place_where_they_did(
    given_rows: list[tuple[int, int, int, list[int]]], span: int, most: int
) -> None:
    rows = sorted(
        {
            (run, doc, 100 * at + first): own for at, (run, doc, first, own) in enumerate(given_rows)
        }.items()
    )
    keys, docs, firsts = (np.array([row[0][n] for row in rows], np.int64) for n in range(3))
    bounds = np.cumsum([0, *(len(own) for _, own in rows)])
    values = np.array([value for _, own in rows for value in own], np.uint64)
    found = repeated_windows(keys, docs, firsts, bounds, values, np.arange(len(rows)), span, most)
    stay: dict[tuple[int, int], list[tuple[int, int]]] = {}
    wanted = set()
    for (run, doc, first), own in rows:
        for at, value in enumerate(own):
            copies = stay.setdefault((run, value), [])
            if copies and copies[-1][0] == doc and first + at - copies[-1][1] < span:
                continue
            if len(copies) < most:
                copies.append((doc, first + at))
            else:
                wanted.add((doc, first + at, *copies[0]))
    told = {
        (doc, first + n, keeper, stood + n)
        for doc, first, count, keeper, stood in found.tolist()
        for n in range(count)
    }
    assert told == wanted
    order = np.lexsort((found[:, 1], found[:, 0]))
    cover = joined_windows(*np.ascontiguousarray(found.T), order, span).tolist()
    words = [(doc, word) for doc, first, end, *_ in cover for word in range(first, end)]
    assert len(words) == len(set(words))
    assert set(words) == {(doc, w + n) for doc, w, *_ in wanted for n in range(span)}
    windows = {(doc, w): (keeper, stood) for doc, w, keeper, stood in wanted}
    for doc, first, end, keeper, stood in cover:
        for word in range(first, end):
            repeats = {at: windows.get((doc, at)) for at in range(word - span + 1, word + 1)}
            places = {(place[0], place[1] + word - at) for at, place in repeats.items() if place}
            assert (keeper, stood + word - first) in places


def test_runs_with_very_many_windows_are_compared_in_a_table_that_grows() -> None:
    rows, span = 2000, 4
    values = np.arange(20 * rows, dtype=np.uint64) % np.uint64(10 * rows) + np.uint64(2)
    bounds, docs = np.arange(0, 20 * rows + 1, 10), np.arange(2 * rows)
    same = np.zeros(2 * rows, np.int64)
    found = repeated_windows(same, docs, same, bounds, values, docs, span, 1)
    assert found[:, [0, 3]].tolist() == [[rows + n, n] for n in range(rows)]
    assert (found[:, 2] == 10).all()


def test_text_that_repeats_itself_at_once_is_covered_by_few_rows() -> None:
    count, span = 5000, 50
    windows = np.arange(span, count)
    ones, stood = np.ones_like(windows), windows % 2
    rows = (0 * windows, windows, ones, 0 * windows, stood, np.arange(len(windows)), span)
    cover = joined_windows(*rows)
    assert cover[:2].tolist() == [[0, 50, 100, 0, 0], [0, 100, 150, 0, 0]]
    assert len(cover) == -(-(count - 1) // span)


PIECES = [
    "One ",
    "two. ",
    "É”) ",
    "漢。",
    "e\u0301… ",
    "3.14?! ",
    "words and words and words and words. ",
]
RUNS = st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(1, 9))


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=30), min_size=3, max_size=3), st.lists(RUNS))
def test_runs_lie_where_the_twin_says(pieces: list[list[str]], asked: list[tuple[int, ...]]) -> None:
    texts = ["".join(own) for own in pieces]
    spans = [twins.closed_spans(text) for text in texts]
    hashes = [tokenise(text).hashes.tolist() for text in texts]
    rows = [
        (text, first, min(first + size, len(spans[text])))
        for text, first, size in sorted(asked, key=lambda row: row[0])
        if first < len(spans[text])
    ]
    columns = np.array(rows, np.int64).reshape(-1, 3).T.copy()
    data = utf8(pa.array(texts, pa.large_string()))
    found = places_of_runs(*data, *columns, unicode_table())
    wanted = [(spans[text][first][0], spans[text][last - 1][1]) for text, first, last in rows]
    assert [tuple(row) for row in found[:, :2].tolist()] == wanted
    words = [tuple(hashes[text][first:last]) for text, first, last in rows]
    digests = {run: tuple(row) for run, row in zip(words, found[:, 2:].tolist(), strict=True)}
    assert [digests[run] for run in words] == [tuple(row) for row in found[:, 2:].tolist()]
    for column in zip(*digests.values(), strict=True):
        assert len(set(column)) == len(digests)
