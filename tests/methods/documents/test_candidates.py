"""Candidates: what documents share is counted, and is enough, whatever parts keys come in."""

import random
from functools import partial

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import SETS, flat
from tests.twins import documents as twins

import neardup
from neardup.methods.documents.candidates import (
    count_pairs,
    enough_sql,
    take_prefixes,
    worth_keeping_from,
)
from neardup.steps.against import EVERYTHING
from neardup.steps.columns import to_lists
from neardup.steps.counters import Counters
from neardup.steps.crowds import COUNTED_CROWDS, COUNTED_PAIRS
from neardup.steps.postings import COUNTED


def counted(sets: list[set[int]], threshold: float, parts: int, cap: int) -> pa.Table:
    """Return what is counted where the keys of sets come in so many batches."""
    values, bounds = flat(sets)
    lists = to_lists(values.view(np.uint64), bounds)
    batch = pa.record_batch([pa.array(range(len(sets)), pa.int64()), lists], ["doc", "shingles"])
    counts = Counters(1 << 12)
    counts.add(batch)
    keys = take_prefixes(threshold, True, batch, {"counts": counts})
    count = partial(count_pairs, cap, 2, threshold, worth_keeping_from(threshold), EVERYTHING)
    part = (keys["key"].to_numpy().view(np.uint64) >> np.uint64(57)) % np.uint64(parts)
    batches = [keys.filter(pa.array(part == number)) for number in range(parts)]
    return pa.Table.from_batches([count(own, {}) for own in batches if own.num_rows], COUNTED)


def enough(sets: list[set[int]], threshold: float, shared: pa.Table) -> set[tuple[int, int]]:
    """Return the pairs that are candidates, as the statement says it, but for those with keepers."""
    database = duckdb.connect()
    sizes = pa.table({"doc": range(len(sets)), "size": [len(values) for values in sets]})
    database.register("shared", shared)
    database.register("copies", sizes)
    found = database.sql(f"""
with {COUNTED_CROWDS.format(shared="shared")}, kept as (select 0 as a, 0 as b where false),
pairs as ({COUNTED_PAIRS.format(shared="shared")})
select s.a, s.b from pairs s join copies x on x.doc = s.a join copies y on y.doc = s.b
left join crowds l on l.doc = s.a left join crowds m on m.doc = s.b where {enough_sql(threshold)}
""")
    return set(found.fetchall())


THRESHOLDS = st.sampled_from([0.05, 0.1, 0.3, 0.5, 0.7, 0.95])


@given(SETS, THRESHOLDS, st.integers(1, 3), st.sampled_from([3, 1000]))
def test_whatever_batches_keys_come_in_the_candidates_are_the_same_and_no_pair_is_missed(
    sets: list[set[int]], threshold: float, parts: int, cap: int
) -> None:
    found = enough(sets, threshold, counted(sets, threshold, parts, cap))
    assert found == enough(sets, threshold, counted(sets, threshold, 1, cap))
    if cap == 1000:
        assert twins.brute_force(sets, threshold).keys() <= found


def hostile(kind: str, count: int) -> list[str]:
    """Return texts that all share something, and a changed copy of every tenth."""
    pick = random.Random(5)
    words = [f"w{n}" for n in range(60)]
    texts = []
    for number in range(count):
        own = pick.sample(words, 60) if kind == "permutations" else pick.choices(words[:6], k=30)
        texts.append(own)
        if number % 10 == 0:
            texts.append([*own[:-10], *pick.choices(words, k=10)])
    return [" ".join(text) for text in texts]


@pytest.mark.parametrize(
    ("kind", "shingle", "threshold"),
    [("permutations", 2, 0.1), ("six words", 5, 0.3), ("six words", 4, 0.2)],
)
def test_where_all_share_something_few_are_compared_and_none_is_missed(
    kind: str, shingle: int, threshold: float
) -> None:
    texts = hostile(kind, 300)
    result = neardup.documents(texts, threshold=threshold, shingle=f"word:{shingle}")
    sets = [set(twins.word_shingles(text, shingle)) for text in texts]
    expected = twins.brute_force(sets, threshold)
    rows = result.pairs.select(["doc_a", "doc_b", "similarity"]).to_pylist()
    assert {(r["doc_a"], r["doc_b"]): r["similarity"] for r in rows} == expected
    assert len(expected) >= 30
    assert result.counts["candidates"] < len(texts) ** 2 / 20  # of half as many that share something
