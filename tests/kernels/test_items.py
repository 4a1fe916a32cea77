"""Test items in texts: the kernels against their twins, and what must be found whatever is around it."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import items as twins

from neardup.kernels.items import COLUMNS, align, find_parts, may_fit
from neardup.methods.decontaminate.index import BuiltIndex
from neardup.methods.decontaminate.items import Item, tables_of
from neardup.methods.decontaminate.settings import DecontaminateSettings
from neardup.signatures.shingles import utf8
from neardup.text import unicode_table

FEW_WORDS = st.lists(st.integers(1, 4), min_size=1, max_size=6)
VOCABULARY = [f"{a}{b}" for a in "bdfgklm" for b in ("a", "eo", "iri", "ou")]
LONG = st.lists(st.sampled_from(VOCABULARY), max_size=25)


def found_in(texts: list[str], index: BuiltIndex) -> list[list[int]]:
    """Return the rows that are found."""
    data, offsets = utf8(pa.array(texts, pa.large_string()))
    rows, *_ = find_parts(data, offsets, unicode_table(), index.parts)
    return [[int(value) for value in row] for row in rows.reshape(-1, COLUMNS)]


def index_of(*questions: str) -> BuiltIndex:
    """Return the index of some questions."""
    items = [Item(str(n), "b", "", question, (), "") for n, question in enumerate(questions)]
    return BuiltIndex(tables_of(items).parts, DecontaminateSettings())


@given(FEW_WORDS, st.lists(st.integers(1, 4), max_size=9), st.data())
def test_parts_are_aligned_as_the_twin_does(
    own: list[int], text: list[int], data: st.DataObject
) -> None:
    weights = data.draw(st.lists(st.integers(1, 64), min_size=len(own), max_size=len(own)))
    limit = data.draw(st.integers(0, sum(weights) - 1))
    arrays = (np.array(text, np.uint64), 0, len(text), np.array(own, np.uint64))
    costs, begins = np.empty(len(own) + 1, np.int64), np.empty(len(own) + 1, np.int64)
    found = np.empty((64, 3), np.int64)
    rows = align(*arrays, np.array(weights, np.int64), limit, costs, begins, found)
    best = twins.best(own, weights, text)
    places = found[:rows].tolist()
    assert bool(places) == (best <= limit)
    if places:
        assert min(cost for *_, cost in places) == best
        assert may_fit(*arrays, np.array(weights, np.int64), limit)
    for begin, end, cost in places:
        assert cost == twins.cost(own, weights, text[begin:end])
    assert all(one[1] <= other[0] for one, other in pairwise(places))


@given(LONG, LONG, st.permutations(VOCABULARY))
def test_an_item_is_found_whatever_stands_around_it(
    before: list[str], behind: list[str], words: list[str]
) -> None:
    question, other = " ".join(words[:12]), " ".join(words[12:24])
    text = " ".join([*before, question, *behind])
    rows = found_in([text, " ".join(before + behind)], index_of(question, other))
    start = len(" ".join(before)) + bool(before)
    assert [0, 0, start, start + len(question), 0, 1] in rows


@given(LONG, st.permutations(VOCABULARY))
def test_all_that_is_found_is_as_similar_as_it_must_be(text: list[str], words: list[str]) -> None:
    mixed = " ".join([*text, *words[:5], "x", *words[6:10], *text])
    index = index_of(" ".join(words[:12]), " ".join(words[9:20]))
    for _, part, start, end, cost, _ in found_in([mixed], index):
        own = slice(index.bounds[part], index.bounds[part + 1])
        there = [word for word, *_ in twins.words_of(mixed[start:end])]
        assert cost <= index.parts.limits[part]
        assert cost == twins.cost(index.words[own].tolist(), index.weights[own].tolist(), there)
