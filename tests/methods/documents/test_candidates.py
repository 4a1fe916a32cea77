"""Candidates at low thresholds, where nearly all pairs share something."""

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import SETS, flat
from tests.twins import documents as twins

import neardup
from neardup.methods.documents.candidates import PairDocuments, Prefixes, worth_keeping_from
from neardup.steps.columns import to_lists
from neardup.steps.counters import Counters


@given(SETS, st.sampled_from([0.05, 0.1, 0.3, 0.49]), st.integers(1, 3))
def test_whatever_batches_keys_come_in_no_pair_is_left_out(
    sets: list[set[int]], threshold: float, parts: int
) -> None:
    values, bounds = flat(sets)
    lists = to_lists(values.view(np.uint64), bounds)
    batch = pa.record_batch([pa.array(range(len(sets)), pa.int64()), lists], ["doc", "shingles"])
    counts = Counters(1 << 12)
    counts.add(batch)
    keys = Prefixes(threshold, sized=True)(batch, {"counts": counts})
    pair = PairDocuments(1000, 10, threshold=threshold, limit=worth_keeping_from(threshold))
    part = (keys["key"].to_numpy().view(np.uint64) >> np.uint64(57)) % np.uint64(parts)
    found: set[tuple[int, int]] = set()
    for number in range(parts):
        own = keys.filter(pa.array(part == number))
        if own.num_rows:
            rows = pair(own, {})
            found |= set(zip(rows["a"].to_pylist(), rows["b"].to_pylist(), strict=True))
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
